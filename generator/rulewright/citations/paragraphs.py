"""A text parted into paragraphs and lists, as spans of its lines."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field

_BULLET = re.compile(r"([ ]*)(?:([-*])|([1-9][0-9]{0,2})\.)[ ]+(?=\S)")
_MOST_DEPTH = 8  # lists nested deeper go on at this depth


@dataclass(slots=True)
class Item:
    """A list item: where its words stand in the text, line by line, and the lists inside it."""

    lines: list[tuple[int, int]]
    lists: list[List] = field(default_factory=list)


@dataclass(slots=True)
class List:
    """A list: how far it is indented, the number of its first item, 0 for bullets, and the items."""

    indent: int
    first: int
    items: list[Item] = field(default_factory=list)

    def opening(self, more: str = "") -> str:
        """The tag that begins it, with more attributes."""
        start = f' start="{self.first}"' if self.first > 1 else ""
        return f"<ol{start}{more}>" if self.first else f"<ul{more}>"

    @property
    def closing(self) -> str:
        return "</ol>" if self.first else "</ul>"


def parted(text: str) -> Iterator[list[tuple[int, int]] | List]:
    """The blocks of a text: a paragraph as the spans of its lines, or a list."""
    lines = _Lines(text)
    paragraph: list[tuple[int, int]] = []
    at = 0
    while at < len(lines.spans):
        start, end = lines.spans[at]
        line = text[start:end].rstrip()
        opens = not paragraph or text[slice(*paragraph[-1])].rstrip().endswith(":")
        if opens and lines.opens_list(at):
            if paragraph:
                yield paragraph
                paragraph = []
            block, at = lines.list(at)
            yield block
            continue
        if line:
            paragraph.append((start, end))
        elif paragraph:
            yield paragraph
            paragraph = []
        at += 1
    if paragraph:
        yield paragraph


class _Lines:
    """The lines of a text: where each stands, and how it begins if it may be a list item."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.spans = [m.span() for m in re.finditer(r"[^\n]+|(?<=\n)(?=\n)", text)]
        self.bullets = [_BULLET.match(text, *span) for span in self.spans]
        self.blank = [not text[start:end].strip() for start, end in self.spans]
        self._numbered: dict[tuple[str, int], list[int]] = {}  # by indent and number, where items may stand
        self._breaks: list[int] = []  # where words follow an empty line, which no list goes beyond
        for at, m in enumerate(self.bullets):
            if m and m[3]:
                self._numbered.setdefault((m[1], int(m[3])), []).append(at)
            elif at and not m and self.blank[at - 1] and not self.blank[at]:
                self._breaks.append(at)

    def opens_list(self, at: int) -> bool:
        """Whether a list begins with this line: a bullet, or a number with the next, or a list, behind it."""
        m = self.bullets[at]
        if not m or not m[3]:
            return bool(m)
        below = self.bullets[at + 1] if at + 1 < len(self.spans) else None
        if below and len(below[1]) > len(m[1]):
            return True
        seconds = self._numbered.get((m[1], int(m[3]) + 1), [])
        second, end = bisect_right(seconds, at), bisect_left(self._breaks, at + 1)
        return second < len(seconds) and (end == len(self._breaks) or seconds[second] < self._breaks[end])

    def _opens_inside(self, at: int) -> bool:
        """Whether a list inside an item begins with a line, where a single 1 is enough."""
        m = self.bullets[at]
        return m is not None and (m[3] == "1" or self.opens_list(at))

    def list(self, at: int, depth: int = 1) -> tuple[List, int]:
        """The list that begins with line `at`, with the lists inside it, and the line behind it."""
        first = self.bullets[at]
        assert first
        made = List(len(first[1]), int(first[3] or 0))
        while at < len(self.spans):
            (start, end), m = self.spans[at], self.bullets[at]
            following = str(made.first + len(made.items)) if made.first else None
            if self.blank[at]:
                while at < len(self.spans) and self.blank[at]:
                    at += 1
                after = self.bullets[at] if at < len(self.spans) else None
                if not after or len(after[1]) < made.indent:
                    break
                if len(after[1]) == made.indent and following not in (None, after[3]):
                    break
            elif m and len(m[1]) == made.indent and m[3] == following:
                made.items.append(Item([(m.end(), end)]))
                at += 1
            elif m and self._opens_inside(at) and len(m[1]) > made.indent and depth < _MOST_DEPTH:
                inner, at = self.list(at, depth + 1)
                made.items[-1].lists.append(inner)
            elif made.items[-1].lists or (m and (self._opens_inside(at) or len(m[1]) <= made.indent)):
                break
            else:
                made.items[-1].lines.append((start, end))
                at += 1
        return made, at
