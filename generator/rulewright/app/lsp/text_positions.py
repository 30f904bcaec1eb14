"""Places as an editor counts them, lines and code units from 0, and as we do, characters of a text."""

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
    """A text in which places are told as an editor's protocol counts them. `codec`: its units."""

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
        ahead = self.text[self.starts[line] : index]
        return Position(line, len(ahead) if ahead.isascii() else self.codec.client_num_units(ahead))

    def index(self, position: Position) -> int:
        """The character at a position; one behind the end of a line is that end, as the protocol has it."""
        if not 0 <= position.line < len(self.starts):
            return 0 if position.line < 0 else len(self.text)
        line, left = self.line(position.line), position.character
        if line.isascii():
            return self.starts[position.line] + min(max(left, 0), len(line))
        for offset, sign in enumerate(line):
            if left <= 0:
                return self.starts[position.line] + offset
            left -= self.codec.client_num_units(sign)
        return self.starts[position.line] + len(line)

    def range(self, start: int, end: int) -> Range:
        return Range(self.position(start), self.position(max(start, end)))

    @property
    def full_range(self) -> Range:
        return self.range(0, len(self.text))


class OffsetMap:
    """Moves places between a text as read and as in the editor now; what was edited between has none."""

    def __init__(self, old: str, new: str) -> None:
        shorter = min(len(old), len(new))
        self.same = old == new
        self.head = shorter if self.same else _longest(shorter, lambda n: old[:n] == new[:n])
        rest = shorter - self.head
        self.tail = 0 if self.same else _longest(rest, lambda n: old[len(old) - n :] == new[len(new) - n :])
        self.old, self.new = len(old), len(new)

    def to_new(self, start: int, end: int) -> tuple[int, int] | None:
        """Where in the new text a stretch of the old one stands; None where it was edited."""
        return _moved(start, end, self.head, self.old - self.tail, self.new - self.old)

    def to_old(self, start: int, end: int) -> tuple[int, int] | None:
        """Where in the old text a stretch of the new one stood; None where it is new."""
        return _moved(start, end, self.head, self.new - self.tail, self.old - self.new)


def _longest(maximum: int, holds: Callable[[int], bool]) -> int:
    """The largest number up to `most` for which something holds that holds for all below it."""
    minimum = 0
    while minimum < maximum:
        middle = (minimum + maximum + 1) // 2
        minimum, maximum = (middle, maximum) if holds(middle) else (minimum, middle - 1)
    return minimum


def _moved(start: int, end: int, head: int, tail: int, by: int) -> tuple[int, int] | None:
    if end <= head:
        return start, end
    return (start + by, end + by) if start >= tail else None


def edits_between(old: PositionMap, new: str) -> Iterator[TextEdit]:
    """The edits that make another text of one, each of as few characters as there are between whole lines."""
    old_lines, new_lines = old.text.splitlines(keepends=True), new.splitlines(keepends=True)
    starts = [0]
    for line in old_lines:
        starts.append(starts[-1] + len(line))
    for tag, first, last, begin, end in SequenceMatcher(None, old_lines, new_lines).get_opcodes():
        if tag != "equal":
            old_text, words = "".join(old_lines[first:last]), "".join(new_lines[begin:end])
            shift = OffsetMap(old_text, words)
            start = starts[first] + shift.head
            yield TextEdit(
                old.range(start, starts[last] - shift.tail), words[shift.head : len(words) - shift.tail]
            )
