"""A text read once, as blocks and the words in them, each with its place; and its HTML and plain words.

What an editor may write in a text, and no more: paragraphs parted by an empty line, `**bold**` and
`*italic*`, `- ` and `1. ` lists (a list opens a block or follows a line that ends with a colon, and its
numbers go on, 1 and 2; so do `1)`, `a.`, `(a)` and `(ii)`, which keep their signs), marks such as
`[[14.7d|Hip Shoots]]`, pictures such as `![a depot](../pictures/depot.png)`, signs such as `:die:`, and
`\\*` for a star.
All else is words: a heading sign, a tag, "1986. A great year" change nothing about the page.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from html import escape
from types import MappingProxyType
from typing import Any, NamedTuple

from rulewright.source.lazy_regex import Regex
from rulewright.text.inline_images import InlineImage, inline_images

_BULLET = Regex(r"([ ]*)(?:([-*+–•◦▪])|(\(?(?:[0-9]{1,3}|[A-Za-z]|[ivx]{2,5}|[IVX]{2,5})[.)]))[ ]+(?=\S)")
_ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii", "xiii", "xiv", "xv")
_MOST_LEFT_OUT = 2  # numbers between two items of one list
_MOST_DEPTH = 8  # lists nested deeper go on at this depth
_SIGN = Regex(r"\\[\\*\[\]:]|\*{1,3}")
_MARKUP = re.compile(r"[\\*\[:]")
MARK = Regex(r"\[\[(?:[^\[\]|\n]*\|([^\[\]]*)|(?:[^\[\]|\n]*:)?([^\[\]|\n]*))\]\]")


class TextRun(NamedTuple):
    """Words as they are read. `target`: the reference that they are, or what they name."""

    start: int
    end: int
    words: str
    target: Any = None


class MarkupToken(NamedTuple):
    """A sign that is not shown: `tag` is "strong", "/strong", "em" or "/em"; empty for a backslash."""

    start: int
    end: int
    tag: str
    words: str = ""


Inline = TextRun | MarkupToken | InlineImage


class TextParagraph(NamedTuple):
    """A paragraph or an item of a list; an item has the lists and further paragraphs that are inside it."""

    start: int
    end: int
    inline: tuple[Inline, ...]
    lists: tuple[Block, ...] = ()

    @property
    def pictures(self) -> list[InlineImage]:
        """The pictures of a paragraph that holds nothing else."""
        seen = [run for run in self.inline if not (isinstance(run, TextRun) and run.words.isspace())]
        pictures = [image for image in seen if isinstance(image, InlineImage)]
        return pictures if len(pictures) == len(seen) else []


class TextList(NamedTuple):
    """A list: the number of its first item, 0 for bullets, and the items.

    It is SIGNED where each item begins with a sign of its own, such as (a).
    """

    first: int
    items: tuple[TextParagraph, ...]


Block = TextParagraph | TextList

SIGNED = -1


@dataclass(frozen=True)
class Document:
    """A text and its parsed form. `links` are the references and the names in it, of which none overlap."""

    text: str
    links: tuple[TextRun, ...] = ()

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        return tuple(_Lines(self).blocks())

    @cached_property
    def fixed_spans(self) -> list[TextRun | InlineImage]:
        """References, names and pictures in order: stretches in which no sign means emphasis."""
        return sorted([*self.links, *inline_images(self.text)], key=lambda run: run.start)

    def with_names(self, names: Iterable[tuple[int, int, Any]]) -> Document:
        """Return the document with names: from and to where each stands, and what it means."""
        name_runs = tuple(TextRun(start, end, self.text[start:end], to) for start, end, to in names)
        return replace(self, links=self.links + name_runs) if name_runs else self

    def inline(self, start: int = 0, end: int | None = None) -> tuple[Inline, ...]:
        """Return the text from `start` to `end` as one run of words. Signs that have no partner are words."""
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
                # Three stars open both; the bold within the italic, as they mostly close.
                opened += [(offset, left)] if left < 3 else [(offset, 1), (offset + 1, 2)]
        return tags


@lru_cache(256)
def _counts(sign: str) -> dict[str, int]:
    """Return the numbers that a sign may be, by the style that it is written in: 9 in a.

    and 1 in i. for "i.".
    """
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
    """The lines of a text: where each stands, and how it begins if it may be a list item."""

    def __init__(self, document: Document) -> None:
        self.document, text = document, document.text
        self.spans = [m.span() for m in re.finditer(r"[^\n]+|(?<=\n)(?=\n)", text)]
        self.bullets = [_BULLET.match(text, *span) for span in self.spans]
        self.blank = [not text[start:end].strip() for start, end in self.spans]
        # By indent, style and number, where items may stand; bullets have no number.
        self._signs: dict[tuple[str, str, int], list[int]] = {}
        self._breaks: list[int] = []  # where words follow an empty line, which no list goes beyond
        for index, m in enumerate(self.bullets):
            if m:
                for style, count in (_counts(m[3]) if m[3] else {m[2]: 0}).items():
                    self._signs.setdefault((m[1], style, count), []).append(index)
            elif (
                index
                and self.blank[index - 1]
                and not self.blank[index]
                and not text.startswith("  ", self.spans[index][0])
            ):
                self._breaks.append(index)

    def blocks(self) -> Iterator[Block]:
        paragraph: list[tuple[int, int]] = []
        index = 0
        while index < len(self.spans):
            opens = not paragraph or self.document.text[slice(*paragraph[-1])].rstrip().endswith(":")
            is_list = self._opens_list(index) if opens else self._begins_list(index)
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

    def _opens_list(self, index: int) -> bool:
        """Return whether a list begins with this line: a bullet, or a number with the next, or a list,
        behind it.
        """
        m = self.bullets[index]
        if not m or (m[2] and m[2] not in "+–"):
            return bool(m)
        if m[2]:
            return self._follows(index, m[1], m[2], 0)
        below = self.bullets[index + 1] if index + 1 < len(self.spans) else None
        if below and len(below[1]) > len(m[1]) and m[3][0].isdigit():
            return True
        return any(
            self._follows(index, m[1], style, count + step)
            for style, count in _counts(m[3]).items()
            for step in ((1, 0, 2, 3) if "1" in style else (1, 2))
        )

    def _begins_list(self, index: int) -> bool:
        """Return whether a list begins with this line though words go on above it: with 1, a or i, and
        the next.
        """
        m = self.bullets[index]
        if not m or m[2]:
            return m is not None and m[2] in "•◦▪"
        return any(
            count < 2 and self._follows(index, m[1], style, count + 1)
            for style, count in _counts(m[3]).items()
        )

    def _follows(self, index: int, indent: str, style: str, count: int) -> bool:
        """Return whether a line behind this one begins with a sign, before words that end every list."""
        seconds = self._signs.get((indent, style, count), [])
        second, end = bisect_right(seconds, index), bisect_left(self._breaks, index + 1)
        return second < len(seconds) and (end == len(self._breaks) or seconds[second] < self._breaks[end])

    def _opens_inside(self, index: int) -> bool:
        """Return whether a list inside an item begins with a line, where a single 1 is enough."""
        m = self.bullets[index]
        return m is not None and (m[3] == "1." or self._opens_list(index))

    def _list(self, index: int, depth: int = 1) -> tuple[TextList, int]:
        """Return the list that begins with line `at`, with the lists inside it, and the line behind it."""
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
            elif m and self._opens_inside(index) and len(m[1]) > indent and depth < _MOST_DEPTH:
                inner, index = self._list(index, depth + 1)
                items[-1][2].append(inner)
            elif not m and self.blank[index - 1] and self._is_inside(index, indent):
                index = self._goes_on(index, items[-1][2])
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
        """Return whether a line, if there is one, is indented as what belongs to an item is."""
        line = self.document.text[slice(*self.spans[index])] if index < len(self.spans) else ""
        return len(line) - len(line.lstrip(" ")) > indent + 1

    def _goes_on(self, index: int, inside: list[Block]) -> int:
        """Enter a further paragraph of an item, and return the line behind it."""
        first = index
        while index < len(self.spans) and not self.blank[index] and not self.bullets[index]:
            index += 1
        inside.append(self._paragraph(self.spans[first][0], self.spans[index - 1][1]))
        return index


def _next(signs: Sequence[re.Match[str]], m: re.Match[str]) -> bool:
    """Return whether a line goes on as the items of a list do: with a bullet, or by counting, each as 1
    too.
    """
    last = signs[-1]
    if last[2] or m[2]:
        return bool(last[2] and m[2])
    before, now = _counts(last[3]), _counts(m[3])
    first = _counts(signs[0][3])
    return any(
        0 < now[style] - count <= _MOST_LEFT_OUT + 1 or ("1" in style and now[style] == count == first[style])
        for style, count in before.items()
        if style in now and style in first
    )


def strip_whitespace(inline: Sequence[Inline]) -> list[Inline]:
    """Return a run of words without white space around it."""
    pieces = [*inline]
    for index, strip in ((0, str.lstrip), (-1, str.rstrip)):
        if pieces and isinstance(run := pieces[index], TextRun) and run.target is None:
            pieces[index : index + 1 or None] = (
                [run._replace(words=words)] if (words := strip(run.words)) else []
            )
    return pieces


def image_text(inset: InlineImage, is_alone: bool) -> str:
    """Return the words of a picture in its place."""
    words = escape(inset.words, quote=False)
    return f"<p>{words}</p>" if is_alone else words


class HtmlWriter(NamedTuple):
    """Writes documents as HTML.

    `link` makes the link of a reference or a name from what it is and the HTML of its words; `show` makes the
    HTML of a picture, and is told whether that stands alone and so is a figure. `ids`: those of the items of
    lists, by where each begins.
    """

    link: Callable[[Any, str], str]
    show: Callable[[InlineImage, bool], str] = image_text
    ids: Mapping[int, str] = MappingProxyType({})

    def blocks(self, blocks: Iterable[Block]) -> str:
        return "\n".join(map(self._block, blocks))

    def _block(self, block: Block) -> str:
        if isinstance(block, TextList):
            items = (
                f"{self.item(item)}{self.words(item.inline)}{''.join(map(self._block, item.lists))}</li>"
                for item in block.items
            )
            return list_html(block, "".join(items))
        if pictures := block.pictures:
            return "\n".join(self.show(picture, True) for picture in pictures)
        return f"<p>{self.words(block.inline)}</p>"

    def item(self, paragraph: TextParagraph, more: str = "") -> str:
        """Return the tag that opens an item of a list, with its address where it has one.

        `more`: attributes.
        """
        name = self.ids.get(paragraph.start)
        return f'<li id="{escape(name)}"{more}>' if name else f"<li{more}>"

    def words(self, inline: Iterable[Inline]) -> str:
        """Return one run of words, which may stand in several lines."""
        return trim_html("".join(map(self.piece, inline)))

    def piece(self, piece: Inline) -> str:
        if isinstance(piece, MarkupToken):
            return piece.tag and f"<{piece.tag}>"
        if isinstance(piece, InlineImage):
            return self.show(piece, False)
        words = escape(piece.words, quote=False)
        return words if piece.target is None else self.link(piece.target, words)


def list_html(block: TextList, items: str, more: str = "") -> str:
    """Return the HTML of a list around that of its items. `more`: attributes."""
    if block.first == SIGNED:
        more += ' data-signed=""'
    start = f' start="{block.first}"' if block.first > 1 else ""
    name = "ol" if block.first > 0 else "ul"
    return f"<{name}{start}{more}>{items}</{name}>"


def trim_html(html: str) -> str:
    """Return HTML without white space around it and its lines."""
    return "\n".join(line.strip() for line in html.strip().split("\n"))


def plain_text(text: str) -> str:
    """Return the words of a text without any markup, in one line: for search, titles and other programs."""
    if not _MARKUP.search(text):
        return " ".join(text.split())
    words, pictured = "", False
    for piece in Document(MARK.sub(lambda m: m[1] or m[2] or "", text)).inline():
        is_picture = isinstance(piece, InlineImage)
        # The words of a picture are parted from words, but not from signs.
        if (pictured or is_picture) and words[-1:].isalnum() and piece.words[:1].isalnum():
            words += " "
        words, pictured = words + piece.words, is_picture if piece.words else pictured
    return " ".join(words.split())


def plain_paragraphs(blocks: Iterable[Block]) -> Iterator[tuple[str, list[TextRun]]]:
    """Yield the paragraphs and items without markup, each with the sign before it, if any; pictures as
    [words].
    """
    for block in blocks:
        if isinstance(block, TextList):
            for number, item in enumerate(block.items, block.first):
                sign = "" if block.first == SIGNED else f"{number}." if block.first else "•"
                yield sign, _unmarked(item)
                yield from plain_paragraphs(item.lists)
        else:
            yield "", _unmarked(block)


def _unmarked(paragraph: TextParagraph) -> list[TextRun]:
    return [
        TextRun(piece.start, piece.end, f"[{piece.words or piece.file}]")
        if isinstance(piece, InlineImage)
        else piece
        for piece in paragraph.inline
        if not isinstance(piece, MarkupToken)
    ]
