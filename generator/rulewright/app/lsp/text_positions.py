"""Conversion between editor positions (0-based lines and code units) and offsets in a text (characters)."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from difflib import SequenceMatcher
from functools import cached_property, partial
from itertools import accumulate

from lsprotocol.types import Position, Range, TextEdit
from pygls.workspace import PositionCodec

from rulewright.files.text_edits import common_prefix_length

_LINE_END = re.compile(r"\r\n|\n|\r")


class PositionMap:
    """A text with conversion from and to positions of the protocol. `codec`: the units of its columns."""

    def __init__(self, text: str, codec: PositionCodec) -> None:
        self.text, self.codec = text, codec

    @cached_property
    def starts(self) -> list[int]:
        return [0, *(m.end() for m in _LINE_END.finditer(self.text))]

    def line_end(self, line: int) -> int:
        """Return the offset of the end of a line, before its line end."""
        end = self.starts[line + 1] if line + 1 < len(self.starts) else len(self.text)
        return self.starts[line] + len(self.text[self.starts[line] : end].rstrip("\r\n"))

    def position(self, offset: int) -> Position:
        line = bisect_right(self.starts, offset) - 1
        text = self.text[self.starts[line] : offset]
        return Position(line, self._units(text, len(text)))

    def offset(self, position: Position) -> int:
        """Return the offset of a position; a column after the end of its line means that end."""
        if position.line >= len(self.starts):
            return len(self.text)
        start = self.starts[position.line]
        line = self.text[start : self.line_end(position.line)]
        units_before = partial(self._units, line)
        return start + bisect_left(range(len(line)), position.character, key=units_before)

    def _units(self, text: str, end: int) -> int:
        return end if text.isascii() else self.codec.client_num_units(text[:end])

    def range(self, start: int, end: int) -> Range:
        return Range(self.position(start), self.position(end))


class OffsetMap:
    """Converts spans between an old and a new text; None for spans in the part that differs."""

    def __init__(self, old: str, new: str) -> None:
        self.prefix = common_prefix_length(old, new)
        self.suffix = common_prefix_length(old[self.prefix :][::-1], new[self.prefix :][::-1])
        self.old_length, self.new_length = len(old), len(new)

    def to_new(self, start: int, end: int) -> tuple[int, int] | None:
        """Return the span in the new text; None if it was edited."""
        if end <= self.prefix:
            return start, end
        shift = self.new_length - self.old_length
        return (start + shift, end + shift) if start >= self.old_length - self.suffix else None

    def to_old(self, offset: int) -> int | None:
        """Return the offset in the old text; None if it is in new words."""
        if offset <= self.prefix:
            return offset
        in_suffix = offset >= self.new_length - self.suffix
        return offset + self.old_length - self.new_length if in_suffix else None


def edits_between(old: PositionMap, new: str) -> Iterator[TextEdit]:
    """Yield the edits of lines from an old to a new text."""
    old_lines, new_lines = old.text.splitlines(keepends=True), new.splitlines(keepends=True)
    starts = [0, *accumulate(map(len, old_lines))]
    for tag, first, last, new_first, end in SequenceMatcher(None, old_lines, new_lines).get_opcodes():
        if tag != "equal":
            yield TextEdit(old.range(starts[first], starts[last]), "".join(new_lines[new_first:end]))
