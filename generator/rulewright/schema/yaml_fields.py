"""Fields of the model: the key each is read from, its meaning for the guide, the values it takes.

`model_reader` fills a type by it, and the language server explains keys by the same; the types are in
`rulebook`, `step`, `table` and `aid`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import Field, field, fields, is_dataclass
from functools import cache
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

from rulewright.files.located_text import LocatedText

OptionalText = LocatedText | None
"""Type of a text whose key may be left out."""

Texts = tuple[LocatedText, ...]
"""Type of a list of texts."""


def field_key(meaning: str, *, default: Any = None, **more: Any) -> Any:
    """Return a field read from a YAML key; `meaning` is the help that editors show for the key.

    The key is the name of the field with spaces for underscores. All other arguments are optional:

    Key:
        `name`: the key, if it is not that of the field's name.
        `must`: the key is required.
        `either`: exactly one of the keys with this argument is required.
        `skip`: the field is not read from a key of its own.
        `by_kind`: the field takes the value of the key that is the kind of a step; `kind` takes that key.
        `sort`: the field takes the key that was chosen of those with `either`.
        `headed`: the field is read from keys that are a number and a title, so that no key has its name.
    Value:
        `lone`: a list that may be written as a single value.
        `whole`: a text in place of the mapping is the value of this field.
        `count`: a whole number from 1 to that number.
        `words`: one word of that set of words.
        `date`: year-month-day.
        `width`: pixels or percent.
        `colour`: #rrggbb.
        `or_named`: a mapping of names to lists may be written in place of the list.
        `or_listed`: each item may be written as a list of its values.
        `example`: a value as it is written in YAML, for editors and the page of all keys.
        `names`: the name of a `step`, a `table`, an `activity` or a `picture`, or the `id` of a step.
    References:
        `prose`: words in which references are found.
        `cites`: only references.
        `of_series`: only references to the series that a game extends.
    Phrases of step attributes:
        `phrase`: the words around the value, `{}`, wherever the step is shown.
        `phrase_for_no`: the value may be yes or no (see `model_reader.ANSWERS`): yes adds no words to the
        phrase, and no is shown as these words.
        `join`: the word between the last two values, by default `and`.
    Comparison of editions:
        `apart`: not compared, since it names the object or its position, or holds objects that are compared
        themselves; `name`: a name or label, which is compared between two revisions of one edition.
        `one`: what one value of several is called.
    """
    return field(default=default, metadata={"meaning": meaning, **more})


def list_field(meaning: str, **more: Any) -> Any:
    """Return a field for a list, empty if the key is left out."""
    return field_key(meaning, default=(), **more)


def mapping_field(meaning: str, **more: Any) -> Any:
    """Return a field for a mapping, empty if the key is left out."""
    return field(default_factory=dict, hash=False, metadata={"meaning": meaning, **more})


def key_of(f: Field[Any]) -> str:
    """Return the key of a field."""
    return str(f.metadata.get("name") or f.name.replace("_", " "))


@cache
def yaml_keys(model: Any) -> dict[str, Field[Any]]:
    """Return the keys of a model type, each with its field."""
    return {
        key_of(f): f for f in fields(model) if not f.metadata.get("skip") and not f.metadata.get("by_kind")
    }


_type_hints = cache(get_type_hints)


@cache
def field_type(model: Any, name: str) -> Any:
    """Return the type of a field's value, without `| None`."""
    hint = _type_hints(model)[name]
    if get_origin(hint) is UnionType:
        return next(argument for argument in get_args(hint) if argument is not type(None))
    return hint


@cache
def keys_with_types(model: Any) -> dict[str, tuple[Field[Any], Any]]:
    """Return the keys of a model type, each with its field and the type of its value."""
    return {name: (f, field_type(model, f.name)) for name, f in yaml_keys(model).items()}


@cache
def own_and_inherited_keys(model: Any) -> frozenset[str]:
    """Return the keys of a model type and of its base types."""
    all_fields = (f for base in model.__mro__ if is_dataclass(base) for f in fields(base))
    return frozenset(map(key_of, all_fields))


@cache
def _text_fields(model: Any) -> tuple[tuple[str, bool], ...]:
    """Return the fields of a model type in which references are found, and whether they hold nothing else."""
    text_fields = (f for f in fields(model) if f.metadata.get("prose") or f.metadata.get("cites"))
    return tuple(
        (f.name, bool(f.metadata.get("cites"))) for f in sorted(text_fields, key=lambda f: f.name != "title")
    )


@cache
def _part_fields(model: Any) -> tuple[str, ...]:
    names = {f.name for f in fields(model)}
    return tuple(n for n in ("notes", "figures", "diagrams", "diagram") if n in names)


def reference_texts(part: Any) -> Iterator[tuple[LocatedText, bool]]:
    """Texts with references of a part and its notes, not of inner rules or steps; whether each only cites."""
    model: Any = type(part)
    for name, cites in _text_fields(model):
        value = getattr(part, name)
        if isinstance(value, LocatedText):
            yield value, cites
        elif value and isinstance(value, tuple):
            yield from ((text, cites) for text in value if isinstance(text, LocatedText))
    for name in _part_fields(model):
        if inside := getattr(part, name):
            for inner_part in inside if isinstance(inside, tuple) else (inside,):
                if is_dataclass(inner_part):
                    yield from reference_texts(inner_part)


def walk_parts(part: Any) -> Iterator[Any]:
    """Yield a part of a file and every part inside it, the outermost first."""
    yield part
    for f in fields(part):
        value = getattr(part, f.name)
        for inner_part in value if isinstance(value, tuple) else (value,):
            if is_dataclass(inner_part):
                yield from walk_parts(inner_part)


def all_texts_of(part: Any) -> Iterator[LocatedText]:
    """Yield every text of a part and of what is inside it, names among them."""
    if isinstance(part, LocatedText):
        yield part
    elif isinstance(part, Mapping):
        for name, value in part.items():
            yield from all_texts_of(name)
            yield from all_texts_of(value)
    elif isinstance(part, tuple):
        yield from (text for item in part for text in all_texts_of(item))
    elif is_dataclass(part):
        yield from (text for f in fields(part) for text in all_texts_of(getattr(part, f.name)))


def texts_with_flag(part: Any, mark: str) -> Iterator[tuple[LocatedText, Field[Any]]]:
    """Yield the texts of a part, and of those inside it, whose fields have a flag such as `names`."""
    for nested in walk_parts(part):
        for f in fields(nested):
            value = getattr(nested, f.name) if mark in f.metadata else None
            for text in value if isinstance(value, tuple) else (value,):
                if text:
                    yield text, f
