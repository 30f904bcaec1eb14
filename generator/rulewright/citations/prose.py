"""A paragraph as words and references, and its HTML.

What an editor may write in a text, and no more: paragraphs parted by an empty line, `**bold**` and
`*italic*`, `- ` and `1. ` lists (a list opens a block or follows a line that ends with a colon, a
numbered one begins with 1 and goes on with 2), marks such as `[[14.7d|Hip Shoots]]`, pictures such as
`![a depot](../pictures/depot.png)`, signs such as `:die:`, and `\\*` for a star.
All else is words: a heading sign, a tag, "1986. A great year" change nothing about the page.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from html import escape, unescape
from typing import NamedTuple

from rulewright.citations.paragraphs import List, parted
from rulewright.citations.resolving import Resolved
from rulewright.numbers.insets import Inset, insets

Link = Callable[[Resolved, str], str]
"""Makes the link of a reference from what it resolved to and the HTML of its words."""

Show = Callable[[Inset, bool], str]
"""Makes the HTML of a picture. Whether it stands alone, and so is a figure, is told."""

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


_SIGN = re.compile(r"\\[\\*\[\]:]|\*{1,3}")
MARK = re.compile(r"\[\[(?:[^\[\]|\n]*\|([^\[\]]*)|(?:[^\[\]|\n]*:)?([^\[\]|\n]*))\]\]")
_MARKUP = re.compile(r"[\\*\[:]")
_SPECIAL = re.compile(r"[\\*<>&\[]|:[\w/-]+:|(?:^|\n)[ ]*(?:-|\d{1,3}\.)[ ]")


def told(inset: Inset, alone: bool) -> str:
    """The words of a picture in its place."""
    words = escape(inset.words, quote=False)
    return f"<p>{words}</p>" if alone else words


def blocks(
    text: str,
    references: Sequence[Resolved],
    link: Link,
    stretches: Sequence[Stretch] = (),
    show: Show = told,
) -> str:
    """The HTML of a text: paragraphs, lists and figures.

    `references` are those that were resolved in it, in order; `stretches` meet none of them.
    """
    if not references and not stretches and not _SPECIAL.search(text):
        return "\n".join(f"<p>{part.strip()}</p>" for part in re.split(r"\n\s*\n", text) if part.strip())
    html = Setting(text, references, link, stretches, show)
    return "\n".join(html.block(block) for block in parted(text))


def inline(
    text: str,
    references: Sequence[Resolved],
    link: Link,
    stretches: Sequence[Stretch] = (),
    show: Show = told,
) -> str:
    """The HTML of a text in one line: a title, a cost."""
    if not references and not stretches and not _SPECIAL.search(text):
        return text
    return Setting(text, references, link, stretches, show).words([(0, len(text))])


def plain(text: str) -> str:
    """The words of a text without any markup, in one line: for search, titles and other programs."""
    if not _MARKUP.search(text):
        return " ".join(text.split())
    text = MARK.sub(lambda m: m[1] or m[2] or "", text)
    without = Setting(text, (), lambda _, words: words)
    pictures = {inset.start: inset.words for inset in without.insets}
    cuts = without.cuts(0, len(text))
    kept, at, pictured = "", 0, False
    for cut in [*cuts, Cut(len(text), len(text), "", False)]:
        said = pictures.get(cut.start, "")
        for words, is_picture in ((text[at : cut.start], False), (said, True)):
            # The words of a picture are parted from words, but not from signs.
            if (pictured or is_picture) and kept[-1:].isalnum() and words[:1].isalnum():
                kept += " "
            kept, pictured = kept + words, is_picture if words else pictured
        at = cut.end
    return " ".join(kept.split())


def passages(text: str, references: Sequence[Resolved]) -> Iterator[Passage]:
    """A text as its paragraphs and items, without any markup: for what compares words and not looks."""
    if not references and not _SPECIAL.search(text):
        yield from (Passage("", [(part, None)]) for part in re.split(r"\n\s*\n", text) if part.strip())
        return
    met: list[tuple[str, Resolved | None]] = []

    def enter(resolved: Resolved, words: str) -> str:
        met.append((unescape(words), resolved))
        return f"\0{len(met) - 1}"

    def shown(inset: Inset, alone: bool) -> str:
        met.append((f"[{inset.words or inset.file}]", None))
        return f"\0{len(met) - 1}"

    html = Setting(text, references, enter, show=shown)

    def runs(start: int, end: int) -> list[tuple[str, Resolved | None]]:
        """Words and references between two places. A tag is left out, a reference stands for its number."""
        return [
            met[int(piece[1:])] if is_sign else (piece, None)
            for piece, is_sign in html.pieces(start, end)
            if not is_sign or piece.startswith("\0")
        ]

    def of_list(block: List) -> Iterator[Passage]:
        for at, item in enumerate(block.items, block.first):
            yield Passage(f"{at}." if block.first else "•", runs(item.lines[0][0], item.lines[-1][1]))
            for inner in item.lists:
                yield from of_list(inner)

    for block in parted(text):
        if isinstance(block, List):
            yield from of_list(block)
        else:
            yield Passage("", runs(block[0][0], block[-1][1]))


class Setting:
    """Writes the HTML of one text. Signs of emphasis that have no partner are words."""

    def __init__(
        self,
        text: str,
        references: Sequence[Resolved],
        link: Link,
        stretches: Sequence[Stretch] = (),
        show: Show = told,
    ) -> None:
        self.text = text
        self.link = link
        self.show = show
        self.links = [*stretches]
        for r in references:
            start, end = r.found.mark or (r.found.start, r.found.end)
            self.links.append((start, end, self._reference(r)))
        self.insets = list(insets(text))
        for inset in self.insets:
            self.links.append((inset.start, inset.end, partial(self._inset, inset)))
        self.links.sort(key=lambda one: one[0])
        self._starts = [start for start, _, _ in self.links]

    def block(self, block: list[tuple[int, int]] | List) -> str:
        if isinstance(block, List):
            items = (self.words(i.lines) + "".join(map(self.block, i.lists)) for i in block.items)
            return block.opening() + "".join(f"<li>{item}</li>" for item in items) + block.closing
        alone = self.alone(block[0][0], block[-1][1])
        return "\n".join(self.show(one, True) for one in alone) if alone else f"<p>{self.words(block)}</p>"

    def alone(self, start: int, end: int) -> list[Inset]:
        """The pictures of a paragraph that holds nothing else."""
        inside = [one for one in self.insets if start <= one.start and one.end <= end]
        gaps = zip([start, *(one.end for one in inside)], [*(one.start for one in inside), end], strict=True)
        return [] if any(self.text[a:b].strip() for a, b in gaps) else inside

    def _inset(self, inset: Inset, words: str) -> str:
        return self.show(inset, False)

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
        """Maker of a reference's link; a mark shows other words than it is written with."""
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
