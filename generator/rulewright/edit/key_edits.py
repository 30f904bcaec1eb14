"""Text edits that add keys to a YAML mapping and remove them; comments and layout of the rest stay."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from rulewright.files.located_text import LocatedText, Node, YamlMapping, YamlSequence, get_value
from rulewright.files.text_edits import Replacement, detect_line_ending

_LINE_END = re.compile(r"\r\n|\n|\r|\Z")
_LATER_LINE = re.compile(r"(?<=[\r\n])(?=[^\r\n])")


def _column(node: Node) -> int:
    return node.place.column - 1


def _line_end(text: str, offset: int) -> re.Match[str]:
    """Return the end of the line with an offset."""
    return next(_LINE_END.finditer(text, offset))


def inner_column(keys: YamlMapping) -> int:
    """Return the column of the keys of a rule, or that for its first key."""
    inner = keys.value if keys.shorthand_key is not None else keys
    if isinstance(inner, YamlMapping):
        return _column(next(iter(inner.entries)))
    return _column(keys) + 2


def to_text_key(keys: YamlMapping, lines_above: Sequence[str] = ()) -> list[Replacement]:
    """Move the text of a rule that is written after its number to a `text` key, below other new keys."""
    text, value = keys.file.text, keys.value
    if keys.shorthand_key is None or not isinstance(value, LocatedText) or value == "":
        return []
    line_end, colon = detect_line_ending(text), text.index(":", keys.shorthand_key.end) + 1
    lines = _LATER_LINE.finditer(text, value.start, len(text[: value.end].rstrip()))
    edits = [Replacement(line.start(), line.start(), "  ") for line in lines]
    if text[colon : value.start].strip(" "):  # the text starts on its own line
        separator = line_end + " " * _column(value)
        words = separator.join([*lines_above, "text: "])
        return [Replacement(value.start, value.start, words), *edits]
    separator = line_end + " " * inner_column(keys)
    words = "".join(f"{separator}{line}" for line in [*lines_above, "text: "])
    return [Replacement(colon, value.start, words), *edits]


def add_keys(keys: YamlMapping, number: LocatedText, new_keys: Mapping[str, str]) -> list[Replacement]:
    """Add keys with their values after the number of an entry."""
    text, pairs = keys.file.text, [f"{key}: {value}" for key, value in new_keys.items()]
    inner = keys.value if keys.shorthand_key is not None else keys
    if isinstance(inner, YamlMapping) and inner.flow:
        if inner is keys:
            return [Replacement(number.end, number.end, "".join(f", {pair}" for pair in pairs))]
        first = next(iter(inner.entries)).start
        return [Replacement(first, first, "".join(f"{pair}, " for pair in pairs))]
    if edits := to_text_key(keys, pairs):
        return edits
    anchor = number if keys.shorthand_key is None else keys.shorthand_key
    position = _line_end(text, anchor.end).start()
    separator = detect_line_ending(text) + " " * inner_column(keys)
    return [Replacement(position, position, "".join(f"{separator}{pair}" for pair in pairs))]


def remove_key(keys: YamlMapping, name: str) -> list[Replacement]:
    """Remove a key with its value."""
    text, value = keys.file.text, get_value(keys, name)
    inner = keys.value if keys.shorthand_key is not None else keys
    if value is None or not isinstance(inner, YamlMapping):
        return []
    entries = [*inner.entries.items()]
    index = next(index for index, (key, _) in enumerate(entries) if key == name)
    key, before = entries[index][0], entries[index - 1][1]
    if index == 0 and len(entries) > 1:  # the next key takes its place
        return [Replacement(key.start, entries[1][0].start, "")]
    if keys.flow:
        return [Replacement(before.end if index and before else key.start, value.end, "")]
    end = _line_end(text, len(text[: value.end].rstrip())).end()
    return [Replacement(key.start - _column(key), end, "")]


def former_numbers(keys: YamlMapping) -> list[str]:
    """Return the former numbers of a rule as they are written."""
    value = get_value(keys, "formerly")
    numbers = value.items if isinstance(value, YamlSequence) else [value]
    return [number for number in numbers if isinstance(number, LocatedText)]


def set_former_numbers(keys: YamlMapping, number: LocatedText, former: Sequence[str]) -> list[Replacement]:
    """Write the former numbers of a rule."""
    value = get_value(keys, "formerly")
    if not former:
        return remove_key(keys, "formerly")
    words = ", ".join(f'"{text}"' for text in former)
    if value is None:
        return add_keys(keys, number, {"formerly": f"[{words}]"})
    return [Replacement(value.start, len(keys.file.text[: value.end].rstrip()), f"[{words}]")]
