r"""Text parsed into blocks and words with their offsets, and its plain words.

The supported markup: paragraphs separated by an empty line, `**bold**` and `*italic*`, `- ` and `1. ` lists
(a list starts a block or follows a line that ends with a colon, and is numbered consecutively; `1)`, `a.`,
`(a)` and `(ii)` also number lists, and keep that form), marks such as `[[14.7d|Hip Shoots]]`, images such as
`![a depot](../pictures/depot.png)`, symbols such as `:die:`, and `\*` for an asterisk. Everything else is
words: a `#`, a tag or "1986. A great year" has no effect.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from rulewright.schema.inline_images import InlineImage, inline_images

_BULLET = re.compile(
    r"([ ]*)(?:([-*+–•◦▪])|(\(?(?:[0-9]{1,3}|[A-Za-z]|[ivx]{2,5}|[IVX]{2,5})[.)]))[ ]+(?=\S)"
)
_ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii", "xiii", "xiv", "xv")
_MAX_GAP = 2  # maximum gap between the numbers of a list
_MAX_DEPTH = 8  # lists nested deeper go on at this depth
_SIGN = re.compile(r"\\[\\*\[\]:]|\*{1,3}")
_MARKUP = re.compile(r"[\\*\[:]")
MARK = re.compile(r"\[\[(?:[^\[\]|\n]*\|([^\[\]]*)|(?:[^\[\]|\n]*:)?([^\[\]|\n]*))\]\]")


class TextRun(NamedTuple):
    """Words as displayed. `target`: the reference or name that they are."""

    start: int
    end: int
    words: str
    target: Any = None


class MarkupToken(NamedTuple):
    """Markup that is not shown: `tag` is "strong", "/strong", "em" or "/em"; empty for a backslash."""

    start: int
    end: int
    tag: str
    words: str = ""


Inline = TextRun | MarkupToken | InlineImage


class TextParagraph(NamedTuple):
    """Paragraph or list item; an item has inner lists and paragraphs."""

    start: int
    end: int
    inline: tuple[Inline, ...]
    lists: tuple[Block, ...] = ()

    @property
    def pictures(self) -> list[InlineImage]:
        """The images of a paragraph that has nothing else."""
        seen = [run for run in self.inline if not (isinstance(run, TextRun) and run.words.isspace())]
        pictures = [image for image in seen if isinstance(image, InlineImage)]
        return pictures if len(pictures) == len(seen) else []


class TextList(NamedTuple):
    """List: the number of its first item, 0 for bullets, and its items.

    SIGNED if each item begins with its own label, such as (a).
    """

    first: int
    items: tuple[TextParagraph, ...]


Block = TextParagraph | TextList

SIGNED = -1


@dataclass(frozen=True)
class Document:
    """Text and its parsed form. `links` are its references and names, which never overlap."""

    text: str
    links: tuple[TextRun, ...] = ()

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        return tuple(_Lines(self).blocks())

    @cached_property
    def fixed_spans(self) -> list[TextRun | InlineImage]:
        """References, names and images in order, in which no character is markup."""
        return sorted([*self.links, *inline_images(self.text)], key=lambda run: run.start)

    def with_names(self, names: Iterable[tuple[int, int, Any]]) -> Document:
        """Return the document with names, each with start, end and target."""
        name_runs = tuple(TextRun(start, end, self.text[start:end], to) for start, end, to in names)
        return replace(self, links=self.links + name_runs) if name_runs else self

    def inline(self, start: int = 0, end: int | None = None) -> tuple[Inline, ...]:
        """Return the text from `start` to `end` as inline parts. Unpaired markup stays as words."""
        end = len(self.text) if end is None else end
        indexes = (
            bisect_left(self.fixed_spans, offset, key=lambda run: run.start) for offset in (start, end)
        )
        cuts: list[Inline] = [run for run in self.fixed_spans[slice(*indexes)] if run.end <= end]
        pieces: list[Inline] = []
        for run in sorted([*cuts, *self._tags(start, end, cuts)], key=lambda run: (run.start, run.end)):
            if start < run.start:
                pieces.append(TextRun(start, run.start, self.text[start : run.start]))
            pieces.append(run)
            start = run.end
        if start < end:
            pieces.append(TextRun(start, end, self.text[start:end]))
        return tuple(pieces)

    def _tags(self, start: int, end: int, taken: Iterable[Inline]) -> list[MarkupToken]:
        tags: list[MarkupToken] = []
        opened: list[tuple[int, int]] = []
        ahead = [*taken][::-1]
        for m in _SIGN.finditer(self.text, start, end):
            while ahead and ahead[-1].end <= m.start():
                ahead.pop()
            if ahead and ahead[-1].start <= m.start():
                continue
            offset, left = m.start(), len(m.group())
            if m.group()[0] == "\\":
                tags.append(MarkupToken(offset, offset + 1, ""))
                continue
            before, after = (
                self.text[max(start, offset - 1) : offset],
                self.text[m.end() : min(end, m.end() + 1)],
            )
            while before and not before.isspace() and opened and opened[-1][1] <= left:
                opener, length = opened.pop()
                name = "em" if length == 1 else "strong"
                tags += [
                    MarkupToken(opener, opener + length, name),
                    MarkupToken(offset, offset + length, f"/{name}"),
                ]
                offset, left = offset + length, left - length
            if left and after and not after.isspace():
                # Three stars open both, bold inside italic.
                opened += [(offset, left)] if left < 3 else [(offset, 1), (offset + 1, 2)]
        return tags


@lru_cache(256)
def _counts(sign: str) -> dict[str, int]:
    """Return the possible numbers of an item label by its style: "i." is 9 in a. and 1 in i."""
    core = sign.strip("().")
    if core.isdigit():
        return {sign.replace(core, "1"): int(core)}
    matches = (
        {sign.replace(core, "a" if core.islower() else "A"): ord(core.lower()) - 96} if len(core) == 1 else {}
    )
    if core.lower() in _ROMAN:
        matches[sign.replace(core, "i" if core.islower() else "I")] = _ROMAN.index(core.lower()) + 1
    return matches


class _Lines:
    """Lines of a text, with their spans and possible list items."""

    def __init__(self, document: Document) -> None:
        self.document, text = document, document.text
        self.spans = [m.span() for m in re.finditer(r"[^\n]+|(?<=\n)(?=\n)", text)]
        self.bullets = [_BULLET.match(text, *span) for span in self.spans]
        self.blank = [not text[start:end].strip() for start, end in self.spans]
        self.opens: set[int] = set()
        """Lines that begin a list at the beginning of a block."""
        self.interrupts: set[int] = set()
        """Lines that begin a list within a paragraph."""
        self._find_lists()

    def _find_lists(self) -> None:
        """Find the lines that may begin a list: a bullet, or a number followed by the next or by a list."""
        later: set[tuple[str, str, int]] = set()
        """Indents, styles and numbers of the items below, up to words that end every list."""
        for index in reversed(range(len(self.spans))):
            m = self.bullets[index]
            if not m:
                if not self.blank[index] and self.blank[index - 1] and not self._is_inside(index, 0):
                    later.clear()
                continue
            counts = _counts(m[3]) if m[3] else {m[2]: 0}
            if m[2]:
                is_open, interrupts = m[2] not in "+–" or (m[1], m[2], 0) in later, m[2] in "•◦▪"
            else:
                below = self.bullets[index + 1] if index + 1 < len(self.spans) else None
                is_open = bool(below and len(below[1]) > len(m[1]) and m[3][0].isdigit())
                interrupts = False
                for style, count in counts.items():
                    steps = [step for step in range(4) if (m[1], style, count + step) in later]
                    is_open |= 1 in steps or 2 in steps or (bool(steps) and "1" in style)
                    interrupts |= count < 2 and 1 in steps
            self.opens |= {index} if is_open else set()
            self.interrupts |= {index} if interrupts else set()
            later.update((m[1], style, count) for style, count in counts.items())

    def blocks(self) -> Iterator[Block]:
        paragraph: list[tuple[int, int]] = []
        index = 0
        while index < len(self.spans):
            opens = not paragraph or self.document.text[slice(*paragraph[-1])].rstrip().endswith(":")
            is_list = index in (self.opens if opens else self.interrupts)
            if paragraph and (is_list or self.blank[index]):
                yield self._paragraph(paragraph[0][0], paragraph[-1][1])
                paragraph = []
            if is_list:
                block, index = self._list(index)
                yield block
                continue
            paragraph += [] if self.blank[index] else [self.spans[index]]
            index += 1
        if paragraph:
            yield self._paragraph(paragraph[0][0], paragraph[-1][1])

    def _paragraph(self, start: int, end: int, inside: Iterable[Block] = ()) -> TextParagraph:
        return TextParagraph(start, end, self.document.inline(start, end), tuple(inside))

    def _opens_inside(self, index: int) -> bool:
        """Return whether a list inside an item begins with a line, where a single 1 is enough."""
        m = self.bullets[index]
        return m is not None and (m[3] == "1." or index in self.opens)

    def _list(self, index: int, depth: int = 1) -> tuple[TextList, int]:
        """Return the list that begins with a line, including inner lists, and the index of the line after
        it.
        """
        opening = self.bullets[index]
        assert opening
        indent, signs = len(opening[1]), list[re.Match[str]]()
        items: list[tuple[int, int, list[Block]]] = []
        while index < len(self.spans):
            m, end = self.bullets[index], self.spans[index][1]
            if self.blank[index]:
                while index < len(self.spans) and self.blank[index]:
                    index += 1
                after = self.bullets[index] if index < len(self.spans) else None
                if not after and self._is_inside(index, indent):
                    continue
                if not after or len(after[1]) < indent + (bool(opening[3]) and not _next(signs, after)):
                    break
            elif m and len(m[1]) == indent and (not items or _next(signs, m)):
                items.append((m.end(), end, []))
                signs.append(m)
                index += 1
            elif m and self._opens_inside(index) and len(m[1]) > indent and depth < _MAX_DEPTH:
                inner, index = self._list(index, depth + 1)
                items[-1][2].append(inner)
            elif not m and self.blank[index - 1] and self._is_inside(index, indent):
                index = self._add_paragraph(index, items[-1][2])
            elif items[-1][2] or (m and (self._opens_inside(index) or len(m[1]) <= indent)):
                break
            else:
                items[-1] = (items[-1][0], end, items[-1][2])
                index += 1
        first = int(opening[3][:-1]) if opening[3] and opening[3][0].isdigit() else 0
        plain_signs = [f"{count}." for count, _ in enumerate(signs, first or SIGNED)]
        if opening[3] and [sign[3] for sign in signs] != plain_signs:
            first = SIGNED
        if first == SIGNED:
            items = [(m.start(3), *item[1:]) for m, item in zip(signs, items, strict=True)]
        return TextList(first, tuple(self._paragraph(*item) for item in items)), index

    def _is_inside(self, index: int, indent: int) -> bool:
        """Return whether a line exists and is indented as part of an item."""
        line = self.document.text[slice(*self.spans[index])] if index < len(self.spans) else ""
        return len(line) - len(line.lstrip(" ")) > indent + 1

    def _add_paragraph(self, index: int, inside: list[Block]) -> int:
        """Add a further paragraph of an item, and return the index of the line after it."""
        first = index
        while index < len(self.spans) and not self.blank[index] and not self.bullets[index]:
            index += 1
        inside.append(self._paragraph(self.spans[first][0], self.spans[index - 1][1]))
        return index


def _next(signs: Sequence[re.Match[str]], m: re.Match[str]) -> bool:
    """Return whether a line continues a list: with a bullet, or by counting, or with 1 again."""
    last = signs[-1]
    if last[2] or m[2]:
        return bool(last[2] and m[2])
    before, counts = _counts(last[3]), _counts(m[3])
    first = _counts(signs[0][3])
    return any(
        0 < counts[style] - count <= _MAX_GAP + 1 or ("1" in style and counts[style] == count == first[style])
        for style, count in before.items()
        if style in counts and style in first
    )


def plain_text(text: str) -> str:
    """Return the words of a text without markup, in one line: for search, titles and other programs."""
    if not _MARKUP.search(text):
        return " ".join(text.split())
    words, pictured = "", False
    for piece in Document(MARK.sub(lambda m: m[1] or m[2] or "", text)).inline():
        is_picture = isinstance(piece, InlineImage)
        # A space separates the words of an image from other words.
        if (pictured or is_picture) and words[-1:].isalnum() and piece.words[:1].isalnum():
            words += " "
        words, pictured = words + piece.words, is_picture if piece.words else pictured
    return " ".join(words.split())


def plain_paragraphs(blocks: Iterable[Block]) -> Iterator[tuple[str, list[TextRun]]]:
    """Yield paragraphs and items without markup, each with its label, if any; images as [words]."""
    for block in blocks:
        if isinstance(block, TextList):
            for number, item in enumerate(block.items, block.first):
                sign = "" if block.first == SIGNED else f"{number}." if block.first else "•"
                yield sign, _unmarked(item)
                yield from plain_paragraphs(item.lists)
        else:
            yield "", _unmarked(block)


def _unmarked(paragraph: TextParagraph) -> list[TextRun]:
    runs: list[TextRun] = []
    for piece in paragraph.inline:
        if isinstance(piece, InlineImage):
            runs.append(TextRun(piece.start, piece.end, f"[{piece.words or piece.file}]"))
        elif not isinstance(piece, MarkupToken):
            runs.append(piece)
    return runs
