"""From trees of text to the typed model: every key known, nothing missing, all faults at once.

The types in `model` say which keys there are. A fault never stops the reading: the part that cannot
be made is left out and what stands around it is still read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import Field, fields
from functools import cache
from types import UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from generator.model import DO, SETS
from generator.problems import Problem, did_you_mean, kind
from generator.source import Items, Keys, Node, Text

UNKNOWN_KEY = kind("unknown-key", "A key that this sort of entry does not have. The nearest known one is named.")
MISSING_KEY = kind("missing-key", "A key that this sort of entry must have is not there, or has no value.")
WRONG_TYPE = kind("wrong-type", "A list stands where text belongs, or keys where a list belongs, and so on.")
UNKNOWN_WORD = kind("unknown-word", "A value that must be one of a few words is another word.")

T = TypeVar("T")
Words = Mapping[str, tuple[str, ...]]


@cache
def keys_of(model: type) -> dict[str, tuple[Field[Any], Any]]:
    """The keys of a model type: each with its field and the type of its value."""
    hints = get_type_hints(model)
    named = {}
    for f in fields(model):
        if not f.metadata.get("skip") and not f.metadata.get("one_of"):
            named[f.metadata.get("name") or f.name.replace("_", " ")] = (f, plain(hints[f.name]))
    return named


@cache
def chosen_of(model: type) -> Field[Any] | None:
    """The field that takes the value of one key out of a set, where the model type has one."""
    return next((f for f in fields(model) if f.metadata.get("one_of")), None)


def plain(hint: Any) -> Any:
    """A type without `| None`."""
    return next(a for a in get_args(hint) if a is not type(None)) if get_origin(hint) is UnionType else hint


def called(model: type) -> str:
    """What a message calls a part: the last word of its type's name."""
    return re.sub(r"File$|(?<!^)(?=[A-Z])", " ", model.__name__).split()[0].lower()


def kinds(words: Words) -> tuple[str, ...]:
    """The keys a step may stand under, outermost kind first."""
    return (*words["steps"], DO)


def read(node: Node, model: type[T], words: Words = SETS) -> tuple[T | None, list[Problem]]:
    """A tree as an instance of a model type, or None where it cannot be one, and what is wrong."""
    problems: list[Problem] = []
    return _Reading(words, problems).value(node, model, {}, model.__name__.lower()), problems


class _Reading:
    """One reading: the words that values are chosen from, and the problems met so far."""

    def __init__(self, words: Words, problems: list[Problem]) -> None:
        self.words = words
        self.problems = problems

    def value(self, node: Node | None, wanted: Any, meta: Mapping[str, Any], name: str) -> Any:
        """The node as a value of the wanted type, or None with its fault reported."""
        if node is None:
            return None
        origin = get_origin(wanted)
        if wanted is Text:
            return self.text(node, meta, name)
        if origin is tuple:
            return self.list(node, get_args(wanted)[0], meta, name)
        if not isinstance(node, Keys):
            return self.wrong(node, name, "keys with values")
        if origin is None:
            return self.model(node, wanted, name)
        inner = get_args(wanted)[1]
        read = {k: self.value(v, inner, {}, k) for k, v in node.entries.items()}
        return {k: v for k, v in read.items() if v is not None}

    def text(self, node: Node, meta: Mapping[str, Any], name: str) -> Text | None:
        if not isinstance(node, Text):
            return self.wrong(node, name, "text")
        if not node.strip():
            self.problems.append(MISSING_KEY.at(node.place, f"{name} has no value", node.file.name))
            return None
        allowed = self.words[meta["words"]] if "words" in meta else ()
        if allowed and node not in allowed:
            message = f"{name} cannot be {node}{did_you_mean(node, allowed)}"
            self.problems.append(UNKNOWN_WORD.at(node.place, message, node))
            return None
        return node

    def list(self, node: Node, inner: Any, meta: Mapping[str, Any], name: str) -> tuple[Any, ...] | None:
        if isinstance(node, Text) and not node:
            self.problems.append(MISSING_KEY.at(node.place, f"{name} has no value", node.file.name))
            return None
        if not isinstance(node, Items):
            if not meta.get("lone"):
                return self.wrong(node, name, "a list")
            node = Items(node.file, node.start, [node])
        read = (self.value(item, inner, {**meta, "lone": False}, name) for item in node.items)
        return tuple(value for value in read if value is not None)

    def model(self, node: Keys, model: type[T], name: str) -> T | None:
        known = keys_of(model)
        values: dict[str, Any] = {}
        chosen = chosen_of(model)
        heads = kinds(self.words) if chosen else ()
        for k, child in node.entries.items():
            if k in known:
                f, wanted = known[k]
                values[f.name] = self.value(child, wanted, f.metadata, k)
            elif chosen and k in heads:
                if chosen.name in values:
                    message = f"this is a {values['kind']} already; {k} cannot stand beside it"
                    self.problems.append(UNKNOWN_KEY.at(k.place, message, k))
                    continue
                values["kind"] = k
                values[chosen.name] = self.value(child, Text, chosen.metadata, k)
            else:
                message = f"this {called(model)} has no key {k}{did_you_mean(k, [*heads, *known])}"
                self.problems.append(UNKNOWN_KEY.at(k.place, message, k))
        whole = True
        for wanted_name, f in self.musts(model, heads):
            if f.name not in values:
                self.problems.append(MISSING_KEY.at(node.place, f"this {called(model)} needs {wanted_name}", node.file.name))
            whole = whole and values.get(f.name) not in (None, ())
        return model(**{k: v for k, v in values.items() if v is not None}) if whole else None

    def musts(self, model: type, heads: tuple[str, ...]) -> Iterator[tuple[str, Field[Any]]]:
        """The keys that may not be left out, as a message names them."""
        if chosen := chosen_of(model):
            yield f"one of {', '.join(heads)}", chosen
        for k, (f, _) in keys_of(model).items():
            if f.metadata.get("must"):
                yield f"the key {k}", f

    def wrong(self, node: Node, name: str, wanted: str) -> None:
        is_now = {Text: "text", Keys: "keys with values", Items: "a list"}[type(node)]
        message = f"{name} must be {wanted}, not {is_now}"
        self.problems.append(WRONG_TYPE.at(node.place, message, node.file.name))
