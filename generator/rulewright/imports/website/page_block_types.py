"""Blocks of a page in order: headings, paragraphs, lists, tables, asides; and in them words with places."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TypeVar

from rulewright.imports.sources.source_site import SourcePage
from rulewright.numbering.label_types import label_types

WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
"""A word as the receipt counts words: letters and digits, apostrophes inside included."""

BREAK = "\x0b"
"""Stands in a piece where the author wants a new line; prose has none, so a paragraph ends there."""

_SORTS = label_types()
_FOOTNOTE = re.compile(r"(\[[^\[\]\s.]+\]) ")


@dataclass(frozen=True, slots=True)
class Link:
    """A link as its author made it: where it leads, and where it stands in its file."""

    href: str
    line: int
    column: int = 1


@dataclass(frozen=True, slots=True)
class Image:
    """A picture. `caption`: below it; `size`: `width=120 height=80`; `table`: it is a table in its place."""

    address: str
    caption: str = ""
    size: str = ""
    table: bool = False


@dataclass(frozen=True, slots=True)
class TextPiece:
    """Words that look alike. `line`: where they begin in their file; a line end in them is a line end there.

    `picture`: they say what this picture shows. `colour`: as the author wrote it.
    """

    text: str
    line: int
    bold: bool = False
    italic: bool = False
    colour: str = ""
    link: Link | None = None
    picture: Image | None = None


Ids = Sequence[tuple[int, str]]
_T = TypeVar("_T")


@dataclass(slots=True)
class PageHeading:
    """A heading. `source`: what its author wrote, of which its anchor is made; `underlined`: it has no #.

    `opens`: a rule begins here, once that is settled; `ids`: its other addresses, each with its place in it.
    """

    level: int
    pieces: list[TextPiece]
    line: int
    source: str
    underlined: bool = False
    anchor: str = ""
    opens: bool = False
    ids: Ids = ()


@dataclass(slots=True)
class PageParagraph:
    """A paragraph. `opens` and `ids`: as of a heading; `cuts`: where other rules begin in its text."""

    pieces: list[TextPiece]
    line: int
    opens: bool = False
    ids: Ids = ()
    cuts: Sequence[int] = ()

    def split_at(self, at: int) -> tuple[PageParagraph, PageParagraph]:
        """Two paragraphs, parted at an offset of the text; a rule begins in the second."""
        before, after = split_pieces(self.pieces, at)
        own = [one for one in self.ids if one[0] < at]
        others = [(place - at, name) for place, name in self.ids if place >= at]
        first = replace(self, pieces=strip_pieces(before), ids=own, cuts=())
        return first, PageParagraph(strip_pieces(after), after[0].line, opens=True, ids=others)


@dataclass(slots=True)
class PageListItem:
    """An item of a list. `marker` is its number as printed (`1.`), empty for a bullet."""

    blocks: list[Block]
    line: int
    marker: str = ""

    @property
    def lead(self) -> list[TextPiece]:
        first = self.blocks[0] if self.blocks else None
        return first.pieces if isinstance(first, PageParagraph) else []


@dataclass(slots=True)
class PageList:
    items: list[PageListItem]
    line: int


@dataclass(slots=True)
class PageCell:
    pieces: list[TextPiece]
    across: int = 1
    down: int = 1
    is_header: bool = False
    ids: Ids = ()


@dataclass(slots=True)
class PageTable:
    """A table as it stands on the page."""

    rows: list[list[PageCell]]
    line: int
    caption: list[TextPiece] = field(default_factory=list)

    @property
    def ids(self) -> Ids:
        return [one for row in self.rows for cell in row for one in cell.ids]

    def expand_spans(self, made: Callable[[PageCell], _T], empty: _T) -> list[list[_T]]:
        """Rows of one length with what is made of each cell, once, wherever it spans."""
        held: dict[tuple[int, int], _T] = {}
        for y, row in enumerate(self.rows):
            x = 0
            for cell in row:
                while (y, x) in held:
                    x += 1
                one = made(cell)
                down = range(min(cell.down, len(self.rows) - y))
                held |= {(y + n, x + across): one for n in down for across in range(cell.across)}
        width = max((x for _, x in held), default=-1) + 1
        return [
            [held.get((y, x), empty) for x in range(width)] for y in range(len(self.rows) if width else 0)
        ]


@dataclass(slots=True)
class Admonition:
    """A quote, or a box that a shortcode opens. `kind`: the word that says what it is; empty for a quote."""

    kind: str
    blocks: list[Block]
    line: int


Block = PageHeading | PageParagraph | PageList | PageTable | Admonition


@dataclass(frozen=True, slots=True)
class DroppedWords:
    """Words of the source that mean nothing in a book, and why: a comment, a shortcode that nobody knows."""

    words: str
    line: int
    reason: str
    is_reported: bool = True


@dataclass(slots=True)
class ParsedPage:
    """A page read. `text`: without shortcodes; `guesses`: line, message; `asides`: sort and title of each."""

    page: SourcePage
    text: str
    asides: list[tuple[str, str]] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    dropped: list[DroppedWords] = field(default_factory=list)
    guesses: list[tuple[int, str]] = field(default_factory=list)

    def runs(self) -> Iterator[list[TextPiece]]:
        for block in iter_blocks(self.blocks):
            if isinstance(block, PageHeading | PageParagraph):
                yield block.pieces
            elif isinstance(block, PageTable):
                yield block.caption
                yield from (cell.pieces for row in block.rows for cell in row)

    def headings(self) -> Iterator[PageHeading]:
        return (block for block in iter_blocks(self.blocks) if isinstance(block, PageHeading))

    def openings(self, *, opened: bool = False) -> Iterator[tuple[Block, str]]:
        """Lines that look like labels: each heading, and what stands in bold at the head of words.

        `opened`: what opens a rule, as is settled, too.
        """
        for block in iter_blocks(self.blocks):
            if isinstance(block, PageHeading):
                yield block, pieces_text(block.pieces)
            elif (
                isinstance(block, PageParagraph)
                and block.pieces
                and (block.pieces[0].bold or (opened and block.opens))
            ):
                yield block, block.pieces[0].text.strip()


def list_mark(count: int, sort: str) -> str:
    """The number of an item as a browser shows it, which counts as the `type` of its list says."""
    return _SORTS[sort].label(count) if sort in ("a", "A", "i", "I") and 0 < count < 4_000 else str(count)


def pieces_text(pieces: Iterable[TextPiece]) -> str:
    """The words of pieces in one line, those of pictures left out."""
    return " ".join("".join(p.text for p in pieces if not p.picture).split())


def split_pieces(pieces: list[TextPiece], at: int) -> tuple[list[TextPiece], list[TextPiece]]:
    """Pieces parted at an offset of their text, pictures counting for nothing."""
    before: list[TextPiece] = []
    for index, piece in enumerate(pieces):
        if piece.picture:
            before.append(piece)
        elif at < len(piece.text):
            head, tail = piece.text[:at], piece.text[at:]
            line = piece.line + head.count("\n")
            rest = [replace(piece, text=tail, line=line), *pieces[index + 1 :]]
            return ([*before, replace(piece, text=head)] if head else before), rest
        else:
            before.append(piece)
            at -= len(piece.text)
    return before, []


def pieces_after(pieces: list[TextPiece], at: int) -> list[TextPiece]:
    """Pieces behind an offset of their text, with the pictures that stand in front of it."""
    before, rest = split_pieces(pieces, at)
    return strip_pieces([*(p for p in before if p.picture), *rest])


def strip_pieces(pieces: list[TextPiece]) -> list[TextPiece]:
    """Pieces without white space at their ends."""
    made = list(pieces)
    while made and not made[0].picture and not made[0].text.lstrip():
        made.pop(0)
    while made and not made[-1].picture and not made[-1].text.rstrip():
        made.pop()
    if made and not made[0].picture:
        text = made[0].text.lstrip()
        line = made[0].line + made[0].text[: len(made[0].text) - len(text)].count("\n")
        made[0] = replace(made[0], text=text, line=line)
    if made and not made[-1].picture:
        made[-1] = replace(made[-1], text=made[-1].text.rstrip())
    return made


def iter_blocks(blocks: Iterable[Block]) -> Iterator[Block]:
    """All blocks, those inside others included."""
    for block in blocks:
        yield block
        if isinstance(block, PageList):
            for item in block.items:
                yield from iter_blocks(item.blocks)
        elif isinstance(block, Admonition):
            yield from iter_blocks(block.blocks)


def with_footnotes_in_place(blocks: list[Block], signs: Container[str]) -> list[Block]:
    """Blocks with each footnote right behind what it belongs to; Hugo shows them at the end of a page.

    `signs`: those of footnotes, besides bare numbers; what else begins so is a label, [1.1].
    """

    def text(block: Block) -> str:
        return "".join(p.text for p in block.pieces) if isinstance(block, PageParagraph) else ""

    found = {m[1]: block for block in blocks if (m := _FOOTNOTE.match(text(block)))}
    whole = "".join(map(text, iter_blocks(blocks))) if found else ""
    notes = {
        sign: block
        for sign, block in found.items()
        if sign in signs or (sign[1:-1].isdigit() and f" {sign}" in whole)
    }
    moved = [*notes.values()]
    made: list[Block] = []
    for block in blocks if notes else ():
        if not any(block is one for one in moved):
            words = "".join(map(text, iter_blocks([block])))
            made += [block, *(notes.pop(sign) for sign in list(notes) if f" {sign}" in words)]
    return [*made, *notes.values()] if moved else blocks


def paragraphs(found: list[TextPiece], ids: Ids = ()) -> Iterator[PageParagraph]:
    """A paragraph, parted where its author wants a new line."""
    start, waits = 0, list(ids)
    while found:
        at = next((i for i, p in enumerate(found) if not p.picture and BREAK in p.text), len(found))
        own, behind = found[:at], found[at + 1 :]
        if at < len(found):
            head, _, tail = found[at].text.partition(BREAK)
            own.append(replace(found[at], text=head))
            behind.insert(0, replace(found[at], text=tail, line=found[at].line + head.count("\n")))
        start += sum(len(p.text) for p in own if not p.picture) + 1
        if own := strip_pieces(own):
            inside = [wait for wait in waits if wait[0] < start or not behind]
            waits = [wait for wait in waits if wait not in inside]
            yield PageParagraph(own, own[0].line, ids=[(0, name) for _, name in inside])
        found = behind


_PART = r"(?:[.-]?(?:(?<!\d)\d{1,3}(?!\d)|(?<![a-z])[a-z]{1,2}(?![a-z]))|\([a-z\d]{1,4}\))"
_OF_ROW = re.compile(
    r"[\[(]?(?:§{1,2} ?|[^\W\d_]{3,10}\.? )?"
    rf"(?:(?P<hundred>[1-9])\d\d(?!\d){_PART}*"
    rf"|(?P<first>\d{{1,3}}(?![\d-])|[IVXLC]+(?![A-Z-])|[A-Z](?![A-Z])){_PART}+)"
    r"(?:/\d{1,2})?[.:)\]]*"
)
_FEWEST_WORDS = 3


def lines_of_labels(grid: PageTable) -> list[PageParagraph]:
    """The rows of a table whose first cells are labels of rules, and what stands behind them sentences.

    Nothing where it is a table of anything else: of amounts, of rolls, or with a title.
    """
    rows = [[cell for cell in row if pieces_text(cell.pieces)] for row in grid.rows]
    found = [
        (m, row) for row in rows if len(row) == 2 and (m := _OF_ROW.fullmatch(pieces_text(row[0].pieces)))
    ]
    words = sum(len(WORD.findall(pieces_text(row[1].pieces))) for _, row in found)
    alike = sum(
        match.group("first", "hundred") == then.group("first", "hundred")
        for (match, _), (then, _) in pairwise(found)
    )
    is_few = len(found) < 2 or len(found) * 2 < sum(len(row) > 0 for row in rows)
    if is_few or grid.caption or not alike or words < _FEWEST_WORDS * len(found):
        return []
    made: list[PageParagraph] = []
    for row in rows:
        pieces = [piece for cell in row for piece in (TextPiece(" ", grid.line), *cell.pieces)]
        made += paragraphs(strip_pieces(pieces), [one for cell in row for one in cell.ids])
    return made
