"""A page's Markdown as blocks with their places.

CommonMark with the tables, definition lists and footnotes that Hugo adds, read by markdown-it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.footnote import footnote_plugin

from rulewright.importers.website.html_blocks import read_html
from rulewright.importers.website.inline import BREAK, pieces, unknown_tags
from rulewright.importers.website.page_blocks import (
    Aside,
    Block,
    Cell,
    DroppedWords,
    Grid,
    Heading,
    Item,
    Listing,
    PageBlocks,
    Paragraph,
    TextPiece,
    every,
    said,
    split,
    trimmed,
)
from rulewright.importers.website.shortcodes import CLOSES, OPENS, ExpandedPage, OpenedAside, expand
from rulewright.source.problems import File

_FOOTNOTE = re.compile(r"(\[[^\[\]\s]+\]) ")
_DEFINED = re.compile(
    r"^\[\^([^\]\s]+)\]:((?:.|\n(?!\s*\n|\[\^))*(?:(?:\n[ \t]*)+\n(?: {4}|\t).*)*)", re.MULTILINE
)
PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"]).use(deflist_plugin).use(footnote_plugin)
_TABLE = re.compile(r"<table\b.*?</table>", re.DOTALL | re.IGNORECASE)
_EMPTY_LINE = re.compile(r"\n[ \t]*(?=\n)")
_ASIDE = re.compile(rf"{OPENS}(\d+){OPENS}|{CLOSES}")
_ALERT = re.compile(r"\[!(\w+)\][-+]?")
ATTRIBUTES = re.compile(r"\s*\{\s*(?:[.#:][^{}\s]+|[\w-]+=[^{}]*)(?:\s[^{}]*)?\}\s*\Z")
_HASHES = re.compile(r"[ ]{0,3}#{1,6}[ \t]*")


def unused_footnotes(text: str, first: int) -> Iterator[DroppedWords]:
    """Footnotes that nothing refers to, which Hugo does not show either."""
    seen: set[str] = set()
    for m in _DEFINED.finditer(text):
        defined = len(re.findall(rf"^\[\^{re.escape(m[1])}\]:", text, re.MULTILINE))
        if m[1] in seen or text.count(f"[^{m[1]}]") == defined:
            line = first + text.count("\n", 0, m.start())
            yield DroppedWords(f"{m[1]} {m[2]}", line, "a footnote that nothing refers to")
        seen.add(m[1])


def with_footnotes_in_place(blocks: list[Block]) -> list[Block]:
    """Blocks with each footnote right behind what it belongs to; Hugo shows them at the end of a page."""
    notes = {m[1]: b for b in blocks if isinstance(b, Paragraph) and (m := _FOOTNOTE.match(_text(b)))}
    if not notes:
        return blocks
    moved = {id(block) for block in notes.values()}
    made: list[Block] = []
    for block in blocks:
        if id(block) in moved:
            continue
        made.append(block)
        words = "".join(_text(one) for one in every([block]) if isinstance(one, Paragraph))
        made += [notes.pop(sign) for sign in list(notes) if f" {sign}" in words]
    return [*made, *notes.values()]


def _text(block: Paragraph) -> str:
    return "".join(piece.text for piece in block.pieces)


def lines_of(file: File) -> list[str]:
    """The lines of a file, whatever ends them."""
    return re.split(r"\r\n|\n|\r", file.text)


def read_page(file: File, start: int) -> tuple[PageBlocks, ExpandedPage]:
    """Read a page into blocks, dropped words and guesses; and its text without shortcodes.

    `start` is where its words begin in the file, behind the front matter.
    """
    source = lines_of(file)
    first = file.place(start).line
    body = "\n".join(re.split(r"\r\n|\n|\r", file.text[start:]))
    expanded = expand(body, first)
    text = _whole_tables(expanded.text)
    reading = PageBlocks(dropped=list(expanded.dropped), guesses=list(expanded.guesses))
    reading.dropped += unused_footnotes(text, first)
    reading.blocks = with_footnotes_in_place(_blocks(text, first, source, expanded.asides, reading))
    return reading, expanded


def segments(text: str) -> Iterator[tuple[int, str]]:
    """The parts of a page without shortcodes that asides cut it into, each with where it begins."""
    return ((start, segment) for start, segment, _ in _segments(_whole_tables(text)))


def _segments(text: str) -> Iterator[tuple[int, str, re.Match[str] | None]]:
    """Parts of a page, each with the sign in front of it that opens or closes an aside."""
    cuts = [None, *_ASIDE.finditer(text)]
    for cut, behind in zip_longest(cuts, cuts[1:]):
        start = cut.end() if cut else 0
        yield start, text[start : behind.start() if behind else len(text)], cut


def _whole_tables(text: str) -> str:
    """A text whose tables in HTML have no empty lines, which would end them; no line moves."""
    return _TABLE.sub(lambda m: _EMPTY_LINE.sub("\n<!-- -->", m.group()), text)


def _blocks(
    text: str, first: int, source: list[str], asides: Sequence[OpenedAside], into: PageBlocks
) -> list[Block]:
    """The blocks of a page. The text in an aside that a shortcode opened is read by itself."""
    top: list[Block] = []
    stack = [top]
    for start, segment, cut in _segments(text):
        line = first + text.count("\n", 0, start)
        if cut and cut[1]:
            opened = asides[int(cut[1])]
            title = [TextPiece(opened.title, line, bold=True)] if opened.title else []
            aside = Aside(opened.kind, [Paragraph(title, line)] if title else [], line)
            stack[-1].append(aside)
            stack.append(aside.blocks)
        elif cut:
            stack = stack[:-1] or [top]
        if segment.strip():
            stack[-1] += _MarkdownReader(segment, line, source, into).blocks
    return top


class _MarkdownReader:
    """A bit of Markdown as blocks. `first` is the line of the file that it begins in."""

    def __init__(self, text: str, first: int, source: list[str], into: PageBlocks) -> None:
        self.tokens, self.lines = PARSER.parse(text), text.split("\n")
        self.first, self.source, self.into = first, source, into
        self.at = 0
        self.blocks = self.until("")

    def until(self, closing: str) -> list[Block]:
        """The blocks up to a closing token, which is passed over."""
        found: list[Block] = []
        while self.at < len(self.tokens):
            token = self.tokens[self.at]
            self.at += 1
            if token.type == closing:
                break
            if take := _TAKES.get(token.type):
                found += take(self, token)
        return found

    def line(self, token: Token) -> int:
        return self.first + (token.map[0] if token.map else 0)

    def inline(self, token: Token) -> list[TextPiece]:
        made, unknown = pieces(token, self.line(token), self.source)
        self.into.guesses += unknown_tags(unknown)
        return made

    def heading(self, token: Token) -> list[Block]:
        found = self.inline(self.tokens[self.at])
        self.at += 2
        start, end = token.map or [0, 1]
        rows = self.lines[start:end]
        underlined = token.markup in ("=", "-")
        source = "\n".join(rows[:-1]) if underlined else _HASHES.sub("", rows[0], count=1)
        return [Heading(int(token.tag[1]), _bare(found), self.line(token), source, underlined)]

    def paragraph(self, token: Token) -> list[Block]:
        found = _bare(self.inline(self.tokens[self.at]))
        self.at += 2
        return _paragraphs(found)

    def listing(self, token: Token) -> list[Block]:
        closing = token.type.replace("open", "close")
        items: list[Item] = []
        first = int(token.attrs.get("start", 1))
        while self.tokens[self.at].type == "list_item_open":
            opened = self.tokens[self.at]
            self.at += 1
            # As it is shown: what an author writes in front of the second item and so on counts for nothing.
            marker = f"{first + len(items)}{opened.markup}" if token.type[0] == "o" else ""
            items.append(Item(self.until("list_item_close"), self.line(opened), marker))
        assert self.tokens[self.at].type == closing
        self.at += 1
        return [Listing(items, self.line(token))]

    def quote(self, token: Token) -> list[Block]:
        blocks = self.until("blockquote_close")
        kind = ""
        first = blocks[0] if blocks else None
        if isinstance(first, Paragraph) and (m := _ALERT.match(said(first.pieces))):
            kind = m[1].lower()
            self.into.dropped.append(DroppedWords(m[1], first.line, "the sort of a note", told=False))
            first.pieces = trimmed(split(first.pieces, m.end())[1])
            blocks = blocks if first.pieces else blocks[1:]
        return [Aside(kind, blocks, self.line(token))]

    def table(self, token: Token) -> list[Block]:
        grid = Grid([], self.line(token))
        while (inner := self.tokens[self.at]).type != "table_close":
            self.at += 1
            if inner.type == "tr_open":
                grid.rows.append([])
            elif inner.type in ("th_open", "td_open"):
                content = self.tokens[self.at]
                content.map = content.map or inner.map or token.map
                grid.rows[-1].append(Cell(trimmed(self.inline(content)), heads=inner.type[1] == "h"))
        self.at += 1
        return [grid]

    def definitions(self, token: Token) -> list[Block]:
        """A definition list: each term a bold beginning of what defines it."""
        found: list[Block] = []
        terms: list[TextPiece] = []
        while (inner := self.tokens[self.at]).type != "dl_close":
            self.at += 1
            if inner.type == "dt_open":
                if terms:
                    found.append(Paragraph(terms, terms[0].line))
                terms = [replace(piece, bold=True) for piece in self.inline(self.tokens[self.at])]
                self.at += 2
            elif inner.type == "dd_open":
                blocks = self.until("dd_close")
                if terms and blocks and isinstance(blocks[0], Paragraph):
                    gap = replace(terms[-1], text=" ", bold=False, link=None)
                    blocks[0] = Paragraph([*terms, gap, *blocks[0].pieces], terms[0].line)
                elif terms:
                    found.append(Paragraph(terms, terms[0].line))
                found += blocks
                terms = []
        if terms:
            found.append(Paragraph(terms, terms[0].line))
        self.at += 1
        return found

    def html(self, token: Token) -> list[Block]:
        reading = read_html(token.content, self.line(token), self.source)
        self.into.dropped += reading.dropped
        self.into.guesses += reading.guesses
        return reading.blocks

    def code(self, token: Token) -> list[Block]:
        line = self.line(token) + (token.type == "fence")
        self.into.guesses.append((line, "code is kept as plain lines"))
        rows = token.content.rstrip("\n").split("\n")
        return [
            Paragraph([TextPiece(row, line + at)], line + at) for at, row in enumerate(rows) if row.strip()
        ]

    def footnotes(self, token: Token) -> list[Block]:
        found: list[Block] = []
        while (inner := self.tokens[self.at]).type != "footnote_block_close":
            self.at += 1
            if inner.type == "footnote_open":
                blocks = self.until("footnote_close")
                sign = f"[{inner.meta.get('label', '')}] "
                if blocks and isinstance(blocks[0], Paragraph):
                    blocks[0].pieces = [TextPiece(sign, blocks[0].line), *blocks[0].pieces]
                found += blocks
        self.at += 1
        return found


_TAKES: Mapping[str, Callable[[_MarkdownReader, Token], list[Block]]] = {
    "heading_open": _MarkdownReader.heading,
    "paragraph_open": _MarkdownReader.paragraph,
    "bullet_list_open": _MarkdownReader.listing,
    "ordered_list_open": _MarkdownReader.listing,
    "blockquote_open": _MarkdownReader.quote,
    "table_open": _MarkdownReader.table,
    "dl_open": _MarkdownReader.definitions,
    "html_block": _MarkdownReader.html,
    "code_block": _MarkdownReader.code,
    "fence": _MarkdownReader.code,
    "footnote_block_open": _MarkdownReader.footnotes,
}


def _paragraphs(found: list[TextPiece]) -> list[Block]:
    """A paragraph, parted where its author wants a new line."""
    made: list[Block] = []
    while found:
        at = next((i for i, p in enumerate(found) if not p.picture and BREAK in p.text), None)
        if at is None:
            made.append(Paragraph(found, found[0].line))
            break
        head, _, tail = found[at].text.partition(BREAK)
        made.append(Paragraph([*found[:at], replace(found[at], text=head)], found[0].line))
        line = found[at].line + head.count("\n")
        found = [replace(found[at], text=tail, line=line), *found[at + 1 :]]
    kept = [Paragraph(trimmed(p.pieces), p.line) for p in made if isinstance(p, Paragraph)]
    return [Paragraph(p.pieces, p.pieces[0].line) for p in kept if p.pieces]


def _bare(found: list[TextPiece]) -> list[TextPiece]:
    """Pieces without the attributes in braces at their end, which only the browser sees."""
    if found and not found[-1].picture and (m := ATTRIBUTES.search(found[-1].text)):
        found = [*found[:-1], replace(found[-1], text=found[-1].text[: m.start()])]
    return found
