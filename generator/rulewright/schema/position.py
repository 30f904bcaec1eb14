"""Position in a content file: what can be written there, found by indentation.

Only the lines that enclose the position are read: each is indented less than the one below it. So errors
elsewhere in the file do not matter.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import Field, dataclass, is_dataclass
from dataclasses import field as field_of
from typing import Any, get_args, get_origin

import yaml

from rulewright.files.located_text import LocatedText
from rulewright.files.yaml_tree import FastSafeLoader
from rulewright.schema.model_reader import choice_field, headed_of
from rulewright.schema.step import COMMON_KEYS, DO
from rulewright.schema.step_kinds import KINDS
from rulewright.schema.yaml_fields import keys_with_types

ITEM = "-"
"""Part of a path of keys for a list item."""

_CURSOR = "\uf8ff"
"""Character at the position, which no text has."""

_ENDINGS = (": ", "", '": ', '"', "': ", "'")
"""What the key or the value at the position may lack: a key is tried first, then a value."""

_INDENT = re.compile(r" *(?P<dash>(?:-(?: |\Z))?)")


@dataclass(frozen=True, slots=True)
class Position:
    """Position where a key of `model`, or else the value of `field`, can be written."""

    model: Any
    """The type whose keys can be written; None at a value."""

    field: Field[Any] | None
    """The field with the value or with the object that has the keys; None at the top of a file."""

    start: int
    """Offset of the first character of the key or value, without its quote."""

    siblings: frozenset[str] = frozenset()
    """The keys that the same mapping has already."""

    needs_dash: bool = False
    """Whether a key must follow a `- `, since it starts a list item."""


@dataclass(slots=True)
class _Collection:
    """List or mapping around the position."""

    is_list: bool
    keys: list[str] = field_of(default_factory=list)
    """Keys of a mapping, of which the last is that of the value around the position."""
    awaits_value: bool = False

    @property
    def last_key(self) -> str:
        return ITEM if self.is_list else self.keys[-1]


@dataclass(slots=True)
class _Cursor:
    """Key or value at the position, with the collections around it from the outermost."""

    event: yaml.ScalarEvent
    collections: list[_Collection]
    is_key: bool

    @property
    def path(self) -> list[str]:
        levels = self.collections[:-1] if self.is_key else self.collections
        return [level.last_key for level in levels]


def at(text: str, offset: int, model: Any) -> Position | None:  # plain: ok
    """Return what can be written at an offset of a file with a model; None if that is unknown."""
    *above, line = text[:offset].split("\n")
    lines_before = "\n".join([*_enclosing_lines(above, line), line])
    if line.rstrip().endswith(":"):
        lines_before += " "
    parsed = ((_parse(f"{lines_before}{_CURSOR}{ending}"), ending) for ending in _ENDINGS)
    cursor, ending = next((pair for pair in parsed if pair[0]), (None, ""))
    if not cursor or not (mark := cursor.event.start_mark):
        return None
    field, value_type = _type_at(cursor.path, model)
    is_list = get_origin(value_type) is tuple
    item_type = get_args(value_type)[0] if is_list else value_type
    start = offset - len(lines_before) + mark.index + (cursor.event.style in ("'", '"'))
    if is_dataclass(item_type) and cursor.is_key:
        cursor = _parse(f"{text[:offset]}{_CURSOR}{ending}{text[offset:]}") or cursor
        return Position(item_type, field, start, frozenset(cursor.collections[-1].keys), is_list)
    if is_dataclass(item_type):  # a text in place of an object
        fields = [field for field, _ in keys_of(item_type).values()]
        field = next((f for f in fields if f.metadata.get("whole") or f.name == "text"), None)
        item_type = LocatedText
    return Position(None, field, start) if item_type is LocatedText and field else None


def _parse(text: str) -> _Cursor | None:
    """Return the key or value at the cursor, with all keys around it up to the first fault."""
    collections: list[_Collection] = []
    cursor: _Cursor | None = None
    try:
        for event in yaml.parse(text, FastSafeLoader):
            if isinstance(event, yaml.ScalarEvent) and _CURSOR in event.value and collections:
                is_key = not collections[-1].is_list and not collections[-1].awaits_value
                cursor = _Cursor(event, [*collections], is_key)
                if not is_key:
                    break
            if isinstance(event, yaml.CollectionEndEvent):
                if collections.pop() is (cursor and cursor.collections[-1]):
                    break
            elif isinstance(event, yaml.NodeEvent) and collections:
                inner = collections[-1]
                if not inner.is_list and not inner.awaits_value:
                    inner.keys.append(getattr(event, "value", ""))
                inner.awaits_value = not inner.awaits_value
            if isinstance(event, yaml.CollectionStartEvent):
                collections.append(_Collection(isinstance(event, yaml.SequenceStartEvent)))
    except (yaml.YAMLError, UnicodeError):
        pass
    return cursor


def _depth(line: str) -> int:
    m = _INDENT.match(line)
    return 2 * (len(line) - len(line.lstrip(" "))) + bool(m and m["dash"])


def _enclosing_lines(above: Sequence[str], line: str) -> list[str]:
    """Return the lines above that enclose a line, the outermost first."""
    depth = _depth(line)
    enclosing_lines: list[str] = []
    for upper_line in reversed(above):
        if upper_line.strip() and not upper_line.lstrip().startswith("#") and _depth(upper_line) < depth:
            enclosing_lines.append(upper_line)
            depth = _depth(upper_line)
            if depth == 0:
                break
    return enclosing_lines[::-1]


def _type_at(path: Iterable[str], model: Any) -> tuple[Field[Any] | None, Any]:
    """Return the field at a key path and the type of its value; None and None if a key is unknown."""
    field: Field[Any] | None = None
    value_type: Any = model
    for key in path:
        origin = get_origin(value_type)
        if origin:  # a list, or a mapping with names as keys
            value_type = get_args(value_type)[0 if origin is tuple else 1]
            if key == ITEM or origin is not tuple:
                continue
        keys = keys_of(value_type) if is_dataclass(value_type) else {}
        headed = headed_of(value_type) if keys else ""
        if key in keys:
            field, value_type = keys[key]
        elif headed and any(map(str.isdigit, key)):  # a number and title
            field, value_type = keys_with_types(value_type)[headed]
            value_type = get_args(value_type)[0]
        elif keys and (choice := choice_field(value_type)):
            field, value_type = choice, LocatedText
        else:
            return None, None
    return field, value_type


def keys_of(model: Any) -> dict[str, tuple[Field[Any], Any]]:
    """Return the keys of a model in the order of use, each with its field and the type of its value."""
    keys = dict(keys_with_types(model))
    for headed in [key for key, (field, _) in keys.items() if field.metadata.get("headed")]:
        del keys[headed]
    if choice := choice_field(model):
        common = {key: keys[key] for key in COMMON_KEYS if key in keys}
        keys = common | dict.fromkeys((*KINDS, DO), (choice, LocatedText)) | keys
    if short_keys := getattr(model, "short_keys", None):
        field, value_type = keys.get("notes") or keys["text"]
        item_type = (get_args(value_type) or [value_type])[0]
        keys |= dict.fromkeys(short_keys(), (field, item_type))
    return keys
