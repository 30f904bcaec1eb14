"""Find the key or value at the cursor in a YAML file, even if the file is invalid.

Only the lines above that enclose the cursor's line are read: each is indented less than the one below it.
Together with the start of the cursor's line they form a small YAML document, parsed up to the cursor.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import Field, dataclass, is_dataclass
from typing import Any, get_args, get_origin

import yaml

from rulewright.app.lsp.text_positions import PositionMap
from rulewright.files import limits
from rulewright.files.located_text import LocatedText, Node, YamlMapping, YamlSequence
from rulewright.files.problems import SourceFile
from rulewright.files.yaml_tree import FastSafeLoader
from rulewright.schema.model_reader import choice_field, kind_key
from rulewright.schema.rulebook import SETS
from rulewright.schema.step import DO
from rulewright.schema.step_kinds import KINDS
from rulewright.schema.yaml_fields import keys_with_types

_LINE = re.compile(r"(?P<indent> *)(?P<items>(?:- +)*)(?P<rest>.*)")
_KEY = re.compile(r"""["']?([^\s"'#:{}\[\],-][^"'#:{}\[\],]*)["']?\s*:(?:\s|$)""")
_PROBE = "\ue000"
_ENDS = (_PROBE, f"{_PROBE}:", f'{_PROBE}"', f"{_PROBE}'")
"""Possible ends of the cursor's line: a value, a key, a quoted text."""

Path = tuple[str | None, ...]
"""Keys from the top of a file to the cursor; None for a list item."""


@dataclass(frozen=True)
class YamlCursor:
    """Position where a key of `model` or the value of `field` can be written."""

    model: Any = None
    field: Field[Any] | None = None
    sibling_keys: frozenset[str] = frozenset()
    """Keys that the mapping has already."""

    needs_dash: bool = False
    """A key must be preceded by `- `, since it starts a list item."""


def cursor_at(lines: PositionMap, index: int, root: Any) -> YamlCursor | None:
    """Return what can be written at an index of a file with a root model; None if unknown."""
    number = lines.position(index).line
    begin = lines.text[lines.starts[number] : index]
    word = re.search(r"""[^\s"'{}\[\],:]*\Z""", begin)
    line_start = begin[: word.start()] if word else begin
    above = "".join(f"{line}\n" for line in _enclosing_lines(lines, number, line_start))
    for end in _ENDS:
        if (probe_path := _probe_path(f"{above}{line_start}{end}")) is not None:
            path, is_key, is_block = probe_path
            begins = not line_start.strip() and not is_block
            return _resolve_path(path, is_key, root, _sibling_keys(lines, number), begins_line=begins)
    return None


def key_at_offset(lines: PositionMap, index: int, root: Any) -> tuple[str, YamlCursor] | None:
    """Return the key at an index and its cursor."""
    number = lines.position(index).line
    start = lines.starts[number]
    for m in _KEY.finditer(lines.line(number)):
        if start + m.start(1) <= index <= start + m.end(1):
            cursor = cursor_at(lines, start + m.start(1), root)
            return (m[1].strip(), cursor) if cursor and cursor.model else None
    return None


def _enclosing_lines(lines: PositionMap, number: int, line_start: str) -> list[str]:
    """Return the lines above that enclose a line with the given start, outermost first."""
    enclosing_lines: list[str] = []
    indent, below_item = (
        len(line_start) - len(line_start.lstrip(" ")),
        line_start.lstrip(" ").startswith("- "),
    )
    for line_number in range(number - 1, -1, -1):
        m = _LINE.match(line := lines.line(line_number))
        if m is None or not m["rest"] or m["rest"].startswith("#"):
            continue
        indent_length = len(m["indent"])
        if indent_length < indent or (below_item and indent_length == indent and not m["items"]):
            enclosing_lines.append(line)
            indent, below_item = indent_length, bool(m["items"])
            if (not indent_length and not below_item) or len(enclosing_lines) > limits.NESTING.maximum:
                break
    return enclosing_lines[::-1]


def _sibling_keys(lines: PositionMap, number: int) -> frozenset[str]:
    """Return the keys of the mapping that a line belongs to."""
    line_match = _LINE.match(lines.line(number))
    column = line_match.start("rest") if line_match else 0
    keys: set[str] = set()

    def column_of(line_number: int) -> tuple[int, int, str]:
        m = _LINE.match(lines.line(line_number))
        return (len(m["indent"]), m.start("rest"), m["rest"]) if m else (0, 0, "")

    for step in (-1, 1):
        if step < 0 and line_match and line_match["items"]:
            continue
        line_number = number + step
        while 0 <= line_number < len(lines.starts):
            indent_length, start, rest = column_of(line_number)
            if (rest and start < column) or (rest and step > 0 and indent_length < column):
                break
            if rest and start == column and (key := _KEY.match(rest)):
                keys.add(key[1].strip())
            if rest and indent_length < start == column:
                break
            line_number += step
    if line_match and "{" in line_match["rest"]:
        keys = {m[1].strip() for m in _KEY.finditer(line_match["rest"])}
    return frozenset(keys)


def _probe_path(text: str) -> tuple[Path, bool, bool] | None:
    """Return the path to the probe in a text, whether it is a key and whether it is in a block scalar."""
    loader = FastSafeLoader(text.encode(errors="replace").decode())  # lone surrogates are invalid
    # Open collections: whether it is a mapping, and its current key.
    stack: list[tuple[bool, list[str | None]]] = []
    try:
        while (event := loader.get_event()) is not None:
            if isinstance(event, yaml.CollectionEndEvent):
                stack.pop()
                _finish_value(stack)
            elif isinstance(event, yaml.CollectionStartEvent):
                stack.append((isinstance(event, yaml.MappingStartEvent), []))
                if len(stack) > limits.NESTING.maximum:
                    return None
            elif isinstance(event, yaml.ScalarEvent):
                is_key = bool(stack) and stack[-1][0] and not stack[-1][1]
                if _PROBE in event.value:
                    path: list[str | None] = []
                    for is_mapping, key in stack:
                        if not is_mapping:
                            path.append(None)
                        elif key:
                            path.append(key[0])
                    return tuple(path), is_key, event.style in ("|", ">")
                if is_key:
                    stack[-1][1].append(event.value)
                else:
                    _finish_value(stack)
    except (yaml.YAMLError, IndexError):
        return None
    finally:
        loader.dispose()
    return None


def _finish_value(stack: list[tuple[bool, list[str | None]]]) -> None:
    """Clear the current key after its value."""
    if stack:
        stack[-1][1].clear()


def _resolve_path(
    path: Path, is_key: bool, root: Any, sibling_keys: frozenset[str], *, begins_line: bool
) -> YamlCursor | None:
    """Follow a path through the models, expanding shorthand like the model reader."""
    node: Node = _probe_mapping({_PROBE: None}) if is_key else _probe_text(_PROBE)
    for step in reversed(path):
        node = YamlSequence(_NOWHERE, 0, items=[node]) if step is None else _probe_mapping({step: node})
    expected_type: Any = root
    field: Field[Any] | None = None
    while not (node == _PROBE or (isinstance(node, YamlMapping) and _PROBE in node.entries)):
        if get_origin(expected_type) is tuple:
            expected_type = get_args(expected_type)[0]
            if isinstance(node, YamlSequence):
                node = next(item for item in node.items if _contains_probe(item))
                continue
        if not isinstance(node, YamlMapping):
            return None
        entries = node.entries
        if (
            get_origin(expected_type) is None
            and isinstance(expected_type, type)
            and is_dataclass(expected_type)
        ):
            if begins_line and node.shorthand_key is not None and node.value == _PROBE:
                return YamlCursor(
                    expected_type, field, sibling_keys
                )  # after a shorthand key follow keys, or its text
            entries = getattr(expected_type, "expand_shorthand", dict)(entries)
        holder = next(
            ((k, child) for k, child in entries.items() if child is not None and _contains_probe(child)), None
        )
        if holder is None:
            return None
        step, node = holder
        if get_origin(expected_type) is not None:
            expected_type = get_args(expected_type)[1]
        elif isinstance(expected_type, type) and is_dataclass(expected_type):
            choice = choice_field(expected_type)
            if step in (known := keys_with_types(expected_type)):
                field, expected_type = known[step]
            elif choice and step == kind_key(entries, expected_type):
                field, expected_type = choice, LocatedText
            else:
                return None
        else:
            return None
    is_list = get_origin(expected_type) is tuple
    inner_type = get_args(expected_type)[0] if is_list else expected_type
    if is_dataclass(inner_type):
        needs_dash = is_list and not is_key
        return YamlCursor(inner_type, field, frozenset() if needs_dash else sibling_keys, needs_dash)
    return YamlCursor(field=field) if inner_type is LocatedText and field and not is_key else None


_NOWHERE = SourceFile("", "")


def _probe_text(words: str) -> LocatedText:
    return LocatedText.from_source(words, SourceFile("", words), 0, len(words))


def _probe_mapping(entries: Mapping[str, Node | None]) -> YamlMapping:
    return YamlMapping(_NOWHERE, 0, entries={_probe_text(key): value for key, value in entries.items()})


def _contains_probe(node: Node) -> bool:
    if isinstance(node, YamlSequence):
        return any(map(_contains_probe, node.items))
    if isinstance(node, YamlMapping):
        return _PROBE in node.entries or any(
            entry is not None and _contains_probe(entry) for entry in node.entries.values()
        )
    return node == _PROBE


def fields_of(model: Any) -> Iterator[tuple[str, Field[Any], Any]]:
    """Yield the allowed keys of a model, including note kinds, with their fields and value types."""
    if choice := choice_field(model):
        yield from ((head, choice, LocatedText) for head in (*KINDS, DO))
    known = keys_with_types(model)
    yield from (
        (name, *field_and_type)
        for name, field_and_type in known.items()
        if not field_and_type[0].metadata.get("headed")
    )
    if expand := getattr(model, "expand_shorthand", None):
        for word in SETS["notes"]:
            expanded = expand({_probe_text(word): _probe_text("…")})
            if word not in expanded:
                yield from ((word, *known[name]) for name in expanded if name in known and name != "kind")
