"""Conversion between editor positions (0-based lines and code units) and text indexes (characters)."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from difflib import SequenceMatcher
from functools import cached_property

from lsprotocol.types import Position, Range, TextEdit
from pygls.workspace import PositionCodec

_LINE_END = re.compile(r"\r\n|\n|\r")


class PositionMap:
    """A text with conversion from and to positions of the protocol. `codec`: the units of its columns."""

    def __init__(self, text: str, codec: PositionCodec) -> None:
        self.text, self.codec = text, codec

    @cached_property
    def starts(self) -> list[int]:
        return [0, *(m.end() for m in _LINE_END.finditer(self.text))]

    def line(self, number: int) -> str:
        if not 0 <= number < len(self.starts):
            return ""
        end = self.starts[number + 1] if number + 1 < len(self.starts) else len(self.text)
        return self.text[self.starts[number] : end].rstrip("\r\n")

    def position(self, index: int) -> Position:
        index = min(max(index, 0), len(self.text))
        line = bisect_right(self.starts, index) - 1
        text = self.text[self.starts[line] : index]
        return Position(line, len(text) if text.isascii() else self.codec.client_num_units(text))

    def index(self, position: Position) -> int:
        """Return the text index of a position; a column after the end of its line means that end."""
        if not 0 <= position.line < len(self.starts):
            return 0 if position.line < 0 else len(self.text)
        line, units = self.line(position.line), position.character
        if line.isascii():
            return self.starts[position.line] + min(max(units, 0), len(line))
        for offset, character in enumerate(line):
            if units <= 0:
                return self.starts[position.line] + offset
            units -= self.codec.client_num_units(character)
        return self.starts[position.line] + len(line)

    def range(self, start: int, end: int) -> Range:
        return Range(self.position(start), self.position(max(start, end)))

    @property
    def full_range(self) -> Range:
        return self.range(0, len(self.text))


class OffsetMap:
    """Converts spans between an old and a new text; None for spans in the part that differs."""

    def __init__(self, old: str, new: str) -> None:
        shorter = min(len(old), len(new))
        self.prefix_length, self.suffix_length = shorter, 0
        if old != new:
            self.prefix_length = _longest_match(shorter, lambda n: old[:n] == new[:n])
            remaining = shorter - self.prefix_length
            self.suffix_length = _longest_match(
                remaining, lambda n: old[len(old) - n :] == new[len(new) - n :]
            )
        self.old_length, self.new_length = len(old), len(new)

    def to_new(self, start: int, end: int) -> tuple[int, int] | None:
        """Return the span in the new text; None if it was edited."""
        return self._convert(start, end, self.old_length, self.new_length)

    def to_old(self, start: int, end: int) -> tuple[int, int] | None:
        """Return the span in the old text; None if it is new."""
        return self._convert(start, end, self.new_length, self.old_length)

    def _convert(self, start: int, end: int, length: int, other_length: int) -> tuple[int, int] | None:
        if end <= self.prefix_length:
            return start, end
        shift = other_length - length
        return (start + shift, end + shift) if start >= length - self.suffix_length else None


def _longest_match(maximum: int, matches: Callable[[int], bool]) -> int:
    """Return the largest number up to a maximum that matches; all smaller numbers must match too."""
    minimum = 0
    while minimum < maximum:
        middle = (minimum + maximum + 1) // 2
        minimum, maximum = (middle, maximum) if matches(middle) else (minimum, middle - 1)
    return minimum


def edits_between(old: PositionMap, new: str) -> Iterator[TextEdit]:
    """Yield the edits from an old to a new text, as short as a diff of lines allows."""
    old_lines, new_lines = old.text.splitlines(keepends=True), new.splitlines(keepends=True)
    starts = [0]
    for line in old_lines:
        starts.append(starts[-1] + len(line))
    for tag, first, last, new_first, end in SequenceMatcher(None, old_lines, new_lines).get_opcodes():
        if tag != "equal":
            old_text, new_text = "".join(old_lines[first:last]), "".join(new_lines[new_first:end])
            offsets = OffsetMap(old_text, new_text)
            start = starts[first] + offsets.prefix_length
            yield TextEdit(
                old.range(start, starts[last] - offsets.suffix_length),
                new_text[offsets.prefix_length : len(new_text) - offsets.suffix_length],
            )
