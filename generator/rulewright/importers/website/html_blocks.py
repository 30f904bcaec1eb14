"""Raw HTML of a page as blocks: tables with spans, figures, lists, headings, paragraphs."""

from __future__ import annotations

import re
from html.parser import HTMLParser

from rulewright.importers.website.inline import Inline, unknown_tags
from rulewright.importers.website.page_blocks import (
    Block,
    Cell,
    DroppedWords,
    Grid,
    Heading,
    Item,
    Listing,
    PageBlocks,
    Paragraph,
    trimmed,
)
from rulewright.source.amounts import tamed, whole

_ENDS_PARAGRAPH = {
    "p", "div", "section", "article", "center", "figure", "main", "header", "footer", "address", "blockquote",
    "details", "summary", "hr", "dl", "dt", "dd", "figcaption", "aside", "pre",
    "thead", "tbody", "tfoot", "colgroup",
}  # fmt: skip
_SILENT = {"script", "style", "template"}
_HEADING = re.compile("h[1-6]")


class _HtmlReader(HTMLParser):
    """Reads one bit of HTML. A stack of block lists: the page's, and those of open list items."""

    def __init__(self, line: int, source: list[str]) -> None:
        super().__init__()
        self.first = line
        self.source = source
        self.reading = PageBlocks()
        self.unknown: list[tuple[int, str]] = []
        self.stack: list[list[Block]] = [self.reading.blocks]
        self.lists: list[tuple[Listing, int]] = []  # with the number of the first item, -1 for bullets
        self.inline = self.fresh()
        self.grid: Grid | None = None
        self.cell: Cell | None = None
        self.silent = ""
        self.anchor = ""

    def fresh(self) -> Inline:
        return Inline(self.first + self.getpos()[0] - 1, self.source, unknown=self.unknown)

    def flush(self, level: int = 0) -> None:
        """End the words that are being read: they are a heading, a paragraph, or nothing."""
        found, line = trimmed(self.inline.pieces), self.inline.line
        if found and self.cell is None:
            words = "".join(p.text for p in found)
            first = found[0].line
            source = f"{words} {{#{self.anchor}}}" if self.anchor else words
            heading = Heading(level, found, first, source)
            self.stack[-1].append(heading if level else Paragraph(found, first))
            self.inline.pieces = []
        elif not found:
            self.inline.pieces = []
        self.inline.line = line

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        self.inline.line = self.first + self.getpos()[0] - 1
        if tag in _SILENT:
            self.silent = tag
        elif tag == "table":
            self.flush()
            self.grid = self.grid or Grid([], self.inline.line)
        elif tag == "tr" and self.grid:
            self.end_cell()
            self.grid.rows.append([])
        elif tag in ("td", "th") and self.grid:
            self.end_cell()
            self.grid.rows = self.grid.rows or [[]]
            self.inline = self.fresh()
            spans = [_span(attributes.get(name, "")) for name in ("colspan", "rowspan")]
            self.cell = Cell([], spans[0], spans[1], tag == "th")
        elif tag == "caption" and self.grid:
            self.inline = self.fresh()
        elif tag in ("ul", "ol") and self.cell is None:
            self.flush()
            start = attributes.get("start", "")
            first = (int(start) if start.isdecimal() else 1) if tag == "ol" else -1
            self.lists.append((Listing([], self.inline.line), first))
        elif tag == "li" and self.lists:
            self.end_item()
            listing, first = self.lists[-1]
            marker = f"{first + len(listing.items)}." if first >= 0 else ""
            listing.items.append(Item([], self.inline.line, marker))
            self.stack.append(listing.items[-1].blocks)
        elif tag in _ENDS_PARAGRAPH or _HEADING.fullmatch(tag) or tag == "li":
            if self.cell is not None and self.inline.pieces:
                self.inline.put(" ")
            self.flush()
            if tag in ("summary", "dt", "figcaption"):
                self.inline.open(tag, bold=tag != "figcaption")
            self.anchor = attributes.get("id", "") if _HEADING.fullmatch(tag) else ""
        else:
            self.inline.begin(tag, attributes)

    def handle_endtag(self, tag: str) -> None:
        if tag == self.silent:
            self.silent = ""
        elif tag == "table" and self.grid:
            self.end_cell()
            self.stack[-1].append(self.grid)
            self.grid = None
            self.inline = self.fresh()
        elif tag == "caption" and self.grid:
            self.grid.caption = trimmed(self.inline.pieces)
            self.inline = self.fresh()
        elif tag in ("td", "th", "tr"):
            self.end_cell()
        elif tag in ("ul", "ol") and self.lists and self.cell is None:
            self.end_item()
            self.stack[-1].append(self.lists.pop()[0])
        elif tag == "li" and self.lists:
            self.end_item()
        elif _HEADING.fullmatch(tag):
            self.flush(int(tag[1]))
        elif tag in _ENDS_PARAGRAPH:
            self.inline.close(tag)
            self.flush()
        else:
            self.inline.close(tag)

    def end_cell(self) -> None:
        if self.cell is not None and self.grid:
            self.cell.pieces = trimmed(self.inline.pieces)
            self.grid.rows[-1].append(self.cell)
            self.cell = None
            self.inline = self.fresh()

    def end_item(self) -> None:
        self.flush()
        listing = self.lists[-1][0]
        if listing.items and self.stack[-1] is listing.items[-1].blocks:
            self.stack.pop()

    def handle_data(self, data: str) -> None:
        if self.silent:
            self.drop(data, f"<{self.silent}> is for the browser")
        elif self.grid and self.cell is None and not data.strip():
            return
        else:
            self.inline.line = self.first + self.getpos()[0] - 1
            self.inline.put(data)

    def handle_comment(self, data: str) -> None:
        self.drop(data, "a comment")

    def drop(self, data: str, why: str) -> None:
        if data.strip():
            self.reading.dropped.append(DroppedWords(data, self.first + self.getpos()[0] - 1, why))

    def done(self) -> PageBlocks:
        self.close()
        if self.cell is not None or self.grid:
            self.handle_endtag("table")
        while self.lists:
            self.handle_endtag("ul")
        self.flush()
        return self.reading


def _span(value: str) -> int:
    return min(max(whole(value) or 1, 1), 200)


def read_html(html: str, line: int, source: list[str]) -> PageBlocks:
    """Read raw HTML, which begins in a line, into blocks and dropped words."""
    parser = _HtmlReader(line, source)
    parser.feed(tamed(html))
    reading = parser.done()
    reading.guesses += unknown_tags(parser.unknown)
    return reading
