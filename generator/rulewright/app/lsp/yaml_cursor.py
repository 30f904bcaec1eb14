"""Where in a YAML file a cursor stands, by the lines above it, whatever is wrong with the rest of the file.

Of the lines above only those that hold the cursor's own are read: each that is indented less than the one
below it. They and the beginning of its own line are a small file, which is read by events up to the cursor.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import Field, dataclass, is_dataclass
from typing import Any, get_args, get_origin

import yaml

from rulewright.app.lsp.text_positions import PositionMap
from rulewright.model.model_reader import allowed_step_kinds, choice_field
from rulewright.model.yaml_fields import keys_with_types
from rulewright.source import limits
from rulewright.source.located_text import LocatedText, Node, YamlMapping, YamlSequence
from rulewright.source.problems import SourceFile
from rulewright.source.yaml_tree import FastSafeLoader

_LINE = re.compile(r"(?P<indent> *)(?P<items>(?:- +)*)(?P<rest>.*)")
_KEY = re.compile(r"""["']?([^\s"'#:{}\[\],-][^"'#:{}\[\],]*)["']?\s*:(?:\s|$)""")
_PROBE = "\ue000"
_ENDS = (_PROBE, f"{_PROBE}:", f'{_PROBE}"', f"{_PROBE}'")
"""How the cursor's line may go on: as a value, as a key, as text in quotes."""

Path = tuple[str | None, ...]
"""The keys from the top of a file to a place; None for an entry of a list."""


@dataclass(frozen=True)
class YamlCursor:
    """A place in a file that is read as a model type.

    `model`: the type whose key may be written there; `field`: that of the key whose value is written there,
    `sibling_keys`: the keys that the same part has already; `needs_dash`: it has to begin an entry of a list.
    """

    model: Any = None
    field: Field[Any] | None = None
    sibling_keys: frozenset[str] = frozenset()
    needs_dash: bool = False


def cursor_at(
    lines: PositionMap, index: int, root: Any, words: Mapping[str, tuple[str, ...]]
) -> YamlCursor | None:
    """Where a character stands in a file of a model type; None where that cannot be told."""
    number = lines.position(index).line
    begin = lines.text[lines.starts[number] : index]
    word = re.search(r"""[^\s"'{}\[\],:]*\Z""", begin)
    ahead = begin[: word.start()] if word else begin
    above = "".join(f"{line}\n" for line in _around(lines, number, ahead))
    for end in _ENDS:
        if (probe_path := _path(f"{above}{ahead}{end}")) is not None:
            path, is_key, is_block = probe_path
            begins = not ahead.strip() and not is_block
            return _typed(path, is_key, root, words, _beside(lines, number), begins_line=begins)
    return None


def key_at_offset(
    lines: PositionMap, index: int, root: Any, words: Mapping[str, tuple[str, ...]]
) -> tuple[str, YamlCursor] | None:
    """The key that is written at a place, and where it stands."""
    number = lines.position(index).line
    start = lines.starts[number]
    for m in _KEY.finditer(lines.line(number)):
        if start + m.start(1) <= index <= start + m.end(1):
            cursor = cursor_at(lines, start + m.start(1), root, words)
            return (m[1].strip(), cursor) if cursor and cursor.model else None
    return None


def _around(lines: PositionMap, number: int, ahead: str) -> list[str]:
    """The lines above that a line which begins so lies in, the outermost first."""
    enclosing_lines: list[str] = []
    indent, below_item = len(ahead) - len(ahead.lstrip(" ")), ahead.lstrip(" ").startswith("- ")
    for line_number in range(number - 1, -1, -1):
        m = _LINE.match(line := lines.line(line_number))
        if m is None or not m["rest"] or m["rest"].startswith("#"):
            continue
        lead = len(m["indent"])
        if lead < indent or (below_item and lead == indent and not m["items"]):
            enclosing_lines.append(line)
            indent, below_item = lead, bool(m["items"])
            if (not lead and not below_item) or len(enclosing_lines) > limits.NESTING.maximum:
                break
    return enclosing_lines[::-1]


def _beside(lines: PositionMap, number: int) -> frozenset[str]:
    """The keys of the part that a line belongs to."""
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
            lead, start, rest = column_of(line_number)
            if (rest and start < column) or (rest and step > 0 and lead < column):
                break
            if rest and start == column and (key := _KEY.match(rest)):
                keys.add(key[1].strip())
            if rest and lead < start == column:
                break
            line_number += step
    if line_match and "{" in line_match["rest"]:
        keys = {m[1].strip() for m in _KEY.finditer(line_match["rest"])}
    return frozenset(keys)


def _path(text: str) -> tuple[Path, bool, bool] | None:
    """The path to the probe in a text, whether a key is written there, and whether a text in lines is."""
    loader = FastSafeLoader(text.encode(errors="replace").decode())  # half a sign is no text
    stack: list[tuple[bool, list[str | None]]] = []  # whether it is keys, and the one whose value comes next
    try:
        while (event := loader.get_event()) is not None:
            if isinstance(event, yaml.CollectionEndEvent):
                stack.pop()
                _done(stack)
            elif isinstance(event, yaml.CollectionStartEvent):
                stack.append((isinstance(event, yaml.MappingStartEvent), []))
                if len(stack) > limits.NESTING.maximum:
                    return None
            elif isinstance(event, yaml.ScalarEvent):
                is_key = bool(stack) and stack[-1][0] and not stack[-1][1]
                if _PROBE in event.value:
                    path = (key[0] if is_keys and key else None for is_keys, key in stack)
                    keys = tuple(
                        path_key
                        for path_key, (is_keys, key) in zip(path, stack, strict=True)
                        if key or not is_keys
                    )
                    return keys, is_key, event.style in ("|", ">")
                if is_key:
                    stack[-1][1].append(event.value)
                else:
                    _done(stack)
    except (yaml.YAMLError, IndexError):
        return None
    finally:
        loader.dispose()
    return None


def _done(stack: list[tuple[bool, list[str | None]]]) -> None:
    """Note that the value of a key has been read."""
    if stack:
        stack[-1][1].clear()


def _typed(
    path: Path,
    is_key: bool,
    root: Any,
    words: Mapping[str, tuple[str, ...]],
    sibling_keys: frozenset[str],
    *,
    begins_line: bool,
) -> YamlCursor | None:
    """Find what a path means in a file of a model type, rules and notes spelt out as the reader does."""
    node: Node = _keys({_PROBE: None}) if is_key else _text(_PROBE)
    for step in reversed(path):
        node = YamlSequence(_NOWHERE, 0, items=[node]) if step is None else _keys({step: node})
    expected_type: Any = root
    field: Field[Any] | None = None
    while not (node == _PROBE or (isinstance(node, YamlMapping) and _PROBE in node.entries)):
        if get_origin(expected_type) is tuple:
            expected_type = get_args(expected_type)[0]
            if isinstance(node, YamlSequence):
                node = next(item for item in node.items if _holds(item))
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
                return YamlCursor(expected_type, field, sibling_keys)  # below a head stand keys, or its text
            entries = getattr(expected_type, "expand_shorthand", dict)(entries)
        holder = next(
            ((k, child) for k, child in entries.items() if child is not None and _holds(child)), None
        )
        if holder is None:
            return None
        step, node = holder
        if get_origin(expected_type) is not None:
            expected_type = get_args(expected_type)[1]
        elif isinstance(expected_type, type) and is_dataclass(expected_type):
            chosen = choice_field(expected_type)
            if step in (known := keys_with_types(expected_type)):
                field, expected_type = known[step]
            elif chosen and step in allowed_step_kinds(words):
                field, expected_type = chosen, LocatedText
            else:
                return None
        else:
            return None
    is_list = get_origin(expected_type) is tuple
    inside = get_args(expected_type)[0] if is_list else expected_type
    if is_dataclass(inside):
        needs_dash = is_list and not is_key
        return YamlCursor(inside, field, frozenset() if needs_dash else sibling_keys, needs_dash)
    return YamlCursor(field=field) if inside is LocatedText and field and not is_key else None


_NOWHERE = SourceFile("", "")


def _text(words: str) -> LocatedText:
    return LocatedText.from_source(words, SourceFile("", words), 0, len(words))


def _keys(entries: Mapping[str, Node | None]) -> YamlMapping:
    return YamlMapping(_NOWHERE, 0, entries={_text(key): value for key, value in entries.items()})


def _holds(node: Node) -> bool:
    if isinstance(node, YamlSequence):
        return any(map(_holds, node.items))
    if isinstance(node, YamlMapping):
        return _PROBE in node.entries or any(
            entry is not None and _holds(entry) for entry in node.entries.values()
        )
    return node == _PROBE


def fields_of(model: Any, words: Mapping[str, tuple[str, ...]]) -> Iterator[tuple[str, Field[Any], Any]]:
    """The keys that a part may have, and kinds of notes, each with its field and the type of its value."""
    if chosen := choice_field(model):
        yield from ((head, chosen, LocatedText) for head in allowed_step_kinds(words))
    known = keys_with_types(model)
    yield from (
        (name, *field_and_type)
        for name, field_and_type in known.items()
        if not field_and_type[0].metadata.get("headed")
    )
    if spelt_out := getattr(model, "expand_shorthand", None):
        for word in words["notes"]:
            expanded = spelt_out({_text(word): _text("…")})
            if word not in expanded:
                yield from ((word, *known[name]) for name in expanded if name in known and name != "kind")
