"""Position in a content file: what can be written there, found by indentation.

Only the lines that enclose the position are read: each is indented less than the one below it. So errors
elsewhere in the file do not matter.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import Field, dataclass, is_dataclass
from typing import Any, get_args, get_origin

from rulewright.files.located_text import LocatedText
from rulewright.schema.model_reader import choice_field, headed_of
from rulewright.schema.step import COMMON_KEYS, DO
from rulewright.schema.step_kinds import KINDS
from rulewright.schema.yaml_fields import keys_with_types

ITEM = "-"
"""Part of a key path that stands for a list item."""

_LINE = re.compile(r"(?P<indent> *)(?P<dashes>(?:-(?: +|\Z))*)(?P<rest>.*)", re.DOTALL)
_KEY = re.compile(
    r"""(?P<key>"(?:[^"\\]|\\.)*"|'[^']*'|[^\s"'#\[\]{},:-][^"'#\[\]{},:]*?)\s*:(?=\s|\Z)""", re.DOTALL
)
_BRACKET = re.compile(r"\s*([\[\]{},])\s*")
_VALUE_IN_BRACKETS = re.compile(r"""\s*(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\s"'\[\]{},][^\[\]{},]*)(?=[\]},])""")
_KEY_IN_BRACES = re.compile(rf"[{{,]\s*{_KEY.pattern}")


@dataclass(frozen=True, slots=True)
class Position:
    """Position where a key of `model`, or else the value of `field`, can be written."""

    path: tuple[str, ...]
    """The keys from the top of the file to the position, with `ITEM` for each list item."""

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
class _Level:
    """Key or list item around the position. `depth`: twice its column, and one more for an item."""

    depth: int
    key: str
    """The key, or nothing in braces before a key."""
    bracket: str = ""
    """The bracket in which it is."""


def at(text: str, offset: int, model: Any) -> Position | None:  # plain: ok
    """Return what can be written at an offset of a file with a model; None if that is unknown."""
    *above, line = text[:offset].split("\n")
    after, *below = text[offset:].split("\n")
    levels: list[_Level] = []
    for enclosing_line in _enclosing_lines(above, line):
        end = _read_line(enclosing_line, levels)
        if enclosing_line[end:].lstrip().startswith(("|", ">")):  # all lines below are text
            end, is_text = 0, True
            break
    else:
        end = _read_line(line, levels)
        is_text = line[:end].rstrip().endswith(":") and not levels[-1].bracket
    column = len(line) - len(line[end:].lstrip())
    in_brackets = bool(levels and levels[-1].bracket)
    if not is_text and not in_brackets:
        _leave_levels(levels, 2 * column)
    path = tuple(level.key for level in levels if level.key)
    field, value_type = _type_at(path, model)
    start = offset - len(line) + column + line.startswith(('"', "'"), column)
    is_list = get_origin(value_type) is tuple
    item_type = get_args(value_type)[0] if is_list else value_type
    if is_dataclass(item_type) and not is_text:
        siblings: Iterable[str] = ()
        if in_brackets:
            siblings = _KEY_IN_BRACES.findall(line[line.rfind("{") :] + after.partition("}")[0])
        elif not is_list:
            siblings = _sibling_keys([] if line[:column].strip() else above, below, column)
        needs_dash = is_list and not in_brackets
        return Position(path, item_type, field, start, frozenset(map(_unquoted, siblings)), needs_dash)
    if is_dataclass(item_type):  # a text in place of an object
        fields = [field for field, _ in keys_of(item_type).values()]
        field = next((f for f in fields if f.metadata.get("whole") or f.name == "text"), None)
        item_type = LocatedText
    return Position(path, None, field, start) if item_type is LocatedText and field else None


def _depth(line: str) -> int:
    m = _LINE.match(line)
    return 2 * len(m["indent"]) + bool(m["dashes"]) if m else 0


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


def _sibling_keys(above: Sequence[str], below: Sequence[str], column: int) -> Iterator[str]:
    """Yield the keys in a column of the lines around, as far as these are of the same mapping."""
    for lines in (reversed(above), below):
        for line in filter(str.strip, lines):
            is_inside = len(line) - len(line.lstrip(" ")) >= column
            is_first = not is_inside and lines is not below and not line[:column].strip(" -")
            if (is_inside or is_first) and (key := _KEY.match(line, column)):
                yield key["key"]
            if not is_inside:
                break


def _leave_levels(levels: list[_Level], depth: int) -> None:
    """Remove the levels that end before a key or a list item."""
    while levels and levels[-1].depth >= depth:
        levels.pop()


def _read_line(line: str, levels: list[_Level]) -> int:
    """Add the keys and list items of a line to the levels; return where the last one ends."""
    end = 0
    if (m := _LINE.match(line)) and not (levels and levels[-1].bracket):
        for column in range(len(m["indent"]), m.start("rest")):
            if line[column] == ITEM:
                _leave_levels(levels, 2 * column + 1)
                levels.append(_Level(2 * column + 1, ITEM))
        end = m.start("rest")
        if key := _KEY.match(line, end):
            _leave_levels(levels, 2 * end)
            levels.append(_Level(2 * end, _unquoted(key["key"])))
            end = key.end()
    while m := _BRACKET.match(line, end):
        bracket = m[1]
        if bracket in "[{":
            levels.append(_Level(0, ITEM if bracket == "[" else "", bracket))
        elif not levels or not levels[-1].bracket:
            break
        elif bracket != ",":
            levels.pop()
        end = m.end()
        if levels and levels[-1].bracket == "{":
            key = _KEY.match(line, end)
            levels[-1].key, end = (_unquoted(key["key"]), key.end()) if key else ("", end)
        if levels and levels[-1].bracket and (value := _VALUE_IN_BRACKETS.match(line, end)):
            end = value.end()
    return end


def _unquoted(key: str) -> str:
    return key.strip("\"'")


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
