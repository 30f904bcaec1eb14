"""A paragraph as words and references, and its HTML.

What an editor may write in a text, and no more: paragraphs parted by an empty line, `**bold**` and
`*italic*`, `- ` and `1. ` lists (a list opens a block or follows a line that ends with a colon, a
numbered one begins with 1 and goes on with 2), marks such as `[[14.7d|Hip Shoots]]`, and `\\*` for a star.
All else is words: a heading sign, a tag, "1986. A great year" change nothing about the page.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from html import escape, unescape
from typing import NamedTuple

from generator.citations import Resolved

Link = Callable[[Resolved, str], str]
"""Makes the link of a reference from what it resolved to and the HTML of its words."""

Stretch = tuple[int, int, Callable[[str], str]]
"""Words that are a link and no reference: where they stand, and what makes the link of their HTML."""


class Passage(NamedTuple):
    """A paragraph or an item of a list. `sign`: what stands before an item; `runs`: its words in pieces, each
    with the reference that it is, if it is one.
    """

    sign: str
    runs: list[tuple[str, Resolved | None]]


class Cut(NamedTuple):
    """A stretch of a text that is a link or a sign of emphasis, and its HTML."""

    start: int
    end: int
    html: str
    is_link: bool


_BULLET = re.compile(r"([ ]*)(?:([-*])|(\d{1,3})\.)[ ]+(?=\S)")
_SIGN = re.compile(r"\\[\\*\[\]]|\*{1,3}")
_MARK = re.compile(r"\[\[(?:[^\[\]|\n]*\|([^\[\]]*)|(?:[^\[\]|\n]*:)?([^\[\]|\n]*))\]\]")
_MOST_DEPTH = 8  # lists nested deeper go on at this depth
_SPECIAL = re.compile(r"[\\*<>&\[]|(?:^|\n)[ ]*(?:-|\d{1,3}\.)[ ]")


@dataclass(slots=True)
class Item:
    """A list item: where its words stand in the text, line by line, and the lists inside it."""

    lines: list[tuple[int, int]]
    lists: list[List] = field(default_factory=list)


@dataclass(slots=True)
class List:
    """A list: how far it is indented, whether its items are numbered, and the items."""

    indent: int
    numbered: bool
    items: list[Item] = field(default_factory=list)


def blocks(text: str, references: Sequence[Resolved], link: Link, stretches: Sequence[Stretch] = ()) -> str:
    """The HTML of a text: paragraphs and lists.

    `references` are those that were resolved in it, in order; `stretches` meet none of them.
    """
    if not references and not stretches and not _SPECIAL.search(text):
        return "\n".join(f"<p>{part.strip()}</p>" for part in re.split(r"\n\s*\n", text) if part.strip())
    html = Setting(text, references, link, stretches)
    return "\n".join(html.block(block) for block in parted(text))


def inline(text: str, references: Sequence[Resolved], link: Link, stretches: Sequence[Stretch] = ()) -> str:
    """The HTML of a text in one line: a title, a cost."""
    if not references and not stretches and not _SPECIAL.search(text):
        return text
    return Setting(text, references, link, stretches).words([(0, len(text))])


def plain(text: str) -> str:
    """The words of a text without any markup, in one line: for search, titles and other programs."""
    text = _MARK.sub(lambda m: m[1] or m[2] or "", text)
    without = Setting(text, (), lambda _, words: words)
    kept = (piece for piece, is_sign in without.pieces(0, len(text)) if not is_sign)
    return " ".join("".join(kept).split())


def passages(text: str, references: Sequence[Resolved]) -> Iterator[Passage]:
    """A text as its paragraphs and items, without any markup: for what compares words and not looks."""
    if not references and not _SPECIAL.search(text):
        yield from (Passage("", [(part, None)]) for part in re.split(r"\n\s*\n", text) if part.strip())
        return
    met: list[tuple[str, Resolved | None]] = []

    def enter(resolved: Resolved, words: str) -> str:
        met.append((unescape(words), resolved))
        return f"\0{len(met) - 1}"

    html = Setting(text, references, enter)

    def runs(start: int, end: int) -> list[tuple[str, Resolved | None]]:
        """Words and references between two places. A tag is left out, a reference stands for its number."""
        return [
            met[int(piece[1:])] if is_sign else (piece, None)
            for piece, is_sign in html.pieces(start, end)
            if not is_sign or piece.startswith("\0")
        ]

    def of_list(block: List) -> Iterator[Passage]:
        for at, item in enumerate(block.items, 1):
            yield Passage(f"{at}." if block.numbered else "•", runs(item.lines[0][0], item.lines[-1][1]))
            for inner in item.lists:
                yield from of_list(inner)

    for block in parted(text):
        if isinstance(block, List):
            yield from of_list(block)
        else:
            yield Passage("", runs(block[0][0], block[-1][1]))


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
        self._seconds: dict[str, list[int]] = {}  # by indent, where a 2 stands that may follow a 1
        self._breaks: list[int] = []  # where words follow an empty line, which no list goes beyond
        for at, m in enumerate(self.bullets):
            if m and m[3] == "2":
                self._seconds.setdefault(m[1], []).append(at)
            elif at and not m and self.blank[at - 1] and not self.blank[at]:
                self._breaks.append(at)

    def opens_list(self, at: int) -> bool:
        """Whether a list begins with this line: a bullet, or a 1 that a 2 follows in the same block."""
        m = self.bullets[at]
        if not m or not m[3]:
            return bool(m)
        seconds = self._seconds.get(m[1], []) if m[3] == "1" else []
        second, end = bisect_right(seconds, at), bisect_left(self._breaks, at + 1)
        return second < len(seconds) and (end == len(self._breaks) or seconds[second] < self._breaks[end])

    def list(self, at: int, depth: int = 1) -> tuple[List, int]:
        """The list that begins with line `at`, with the lists inside it, and the line behind it."""
        first = self.bullets[at]
        assert first
        made = List(len(first[1]), bool(first[3]))
        while at < len(self.spans):
            (start, end), m = self.spans[at], self.bullets[at]
            following = str(len(made.items) + 1) if made.numbered else None
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
            elif m and m[3] in (None, "1") and len(m[1]) > made.indent and depth < _MOST_DEPTH:
                inner, at = self.list(at, depth + 1)
                made.items[-1].lists.append(inner)
            elif made.items[-1].lists or (m and (m[3] in (None, "1") or len(m[1]) <= made.indent)):
                break
            else:
                made.items[-1].lines.append((start, end))
                at += 1
        return made, at


class Setting:
    """Writes the HTML of one text. Signs of emphasis that have no partner are words."""

    def __init__(
        self, text: str, references: Sequence[Resolved], link: Link, stretches: Sequence[Stretch] = ()
    ) -> None:
        self.text = text
        self.link = link
        self.links = [*stretches]
        for r in references:
            start, end = r.found.mark or (r.found.start, r.found.end)
            self.links.append((start, end, self._reference(r)))
        self.links.sort(key=lambda one: one[0])
        self._starts = [start for start, _, _ in self.links]

    def block(self, block: list[tuple[int, int]] | List) -> str:
        if isinstance(block, List):
            tag = "ol" if block.numbered else "ul"
            items = (self.words(i.lines) + "".join(map(self.block, i.lists)) for i in block.items)
            return f"<{tag}>" + "".join(f"<li>{item}</li>" for item in items) + f"</{tag}>"
        return f"<p>{self.words(block)}</p>"

    def words(self, lines: Sequence[tuple[int, int]]) -> str:
        """The HTML of one run of words, which may stand in several lines."""
        start, end = lines[0][0], lines[-1][1]
        pieces = self.pieces(start, end)
        html = "".join(piece if is_sign else escape(piece, quote=False) for piece, is_sign in pieces)
        return "\n".join(line.strip() for line in html.strip().split("\n"))

    def pieces(self, start: int, end: int) -> Iterator[tuple[str, bool]]:
        """The text from `start` to `end` in pieces: words, and (True) tags and links."""
        for cut_start, cut_end, html, _ in self.cuts(start, end):
            if start < cut_start:
                yield self.text[start:cut_start], False
            yield html, True
            start = cut_end
        if start < end:
            yield self.text[start:end], False

    def cuts(self, start: int, end: int) -> list[Cut]:
        """All that is no mere words from `start` to `end`: tags of emphasis, and links."""
        nearby = slice(bisect_left(self._starts, start), bisect_left(self._starts, end))
        inside = [link for link in self.links[nearby] if link[1] <= end]
        signs = self._signs(start, end, [(s, e) for s, e, _ in inside])
        cuts = [Cut(s, e, make(escape(self.text[s:e], quote=False)), True) for s, e, make in inside]
        return sorted([*cuts, *(Cut(at, at + length, tag, False) for at, length, tag in signs)])

    def _reference(self, r: Resolved) -> Callable[[str], str]:
        """What makes the link of a reference; a mark shows other words than it is written with."""
        written = r.found.label or self.text[r.found.start : r.found.end]
        return lambda _: self.link(r, escape(written, quote=False))

    def _signs(self, start: int, end: int, taken: Sequence[tuple[int, int]]) -> list[tuple[int, int, str]]:
        """Where emphasis begins and ends, with its tags, and the backslashes that are not shown."""
        signs: list[tuple[int, int, str]] = []
        opened: list[tuple[int, int]] = []
        ahead = list(reversed(taken))
        for m in _SIGN.finditer(self.text, start, end):
            while ahead and ahead[-1][1] <= m.start():
                ahead.pop()
            if ahead and ahead[-1][0] <= m.start():
                continue
            if m.group()[0] == "\\":
                signs.append((m.start(), 1, ""))
                continue
            at, left = m.start(), len(m.group())
            before, after = self.text[max(start, at - 1) : at], self.text[m.end() : min(end, m.end() + 1)]
            while before and not before.isspace() and opened and opened[-1][1] <= left:
                opener, length = opened.pop()
                tag = "em" if length == 1 else "strong"
                signs += [(opener, length, f"<{tag}>"), (at, length, f"</{tag}>")]
                at, left = at + length, left - length
            if left and after and not after.isspace():
                # Three stars open both; the bold within the italic, as they mostly close.
                opened += [(at, left)] if left < 3 else [(at, 1), (at + 1, 2)]
        return signs
