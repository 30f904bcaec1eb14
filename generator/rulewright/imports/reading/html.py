"""HTML as blocks. Markdown, documents of Word and whatever pandoc reads become HTML first.

A tag with `data-line` gives the line of the source in which the words after it are. One with `data-note`
begins a note of this kind, or ends a note.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from html.parser import HTMLParser
from math import nan

from rulewright.files.safe_integers import escape_long_entities, parse_int
from rulewright.imports.blocks import (
    BREAK,
    Admonition,
    Cell,
    Link,
    Picture,
    ReadSource,
    Run,
    SourceBlock,
    is_bold,
    strip,
)
from rulewright.imports.sources.source_site import SourcePage
from rulewright.numbering.label_types import label_types

_TABLE = frozenset("table tr td th caption".split())  # noqa: SIM905
_HEADINGS = frozenset("h1 h2 h3 h4 h5 h6".split())  # noqa: SIM905
_BLOCKS = (_TABLE | _HEADINGS) | frozenset(
    "p div section article center figure main header footer address details summary hr dl dt dd "  # noqa: SIM905
    "figcaption aside pre thead tbody tfoot colgroup body ul ol li blockquote".split()
)
_STRONG, _EMPHASIS = ("b", "strong", "mark", "dt", "summary"), ("i", "em", "cite")
_SILENT_TAGS = r"(title|script|style|template|noscript|svg|iframe)(?=[\s/>])"
_SILENT = re.compile(
    rf"<!--.*?(?:-->|\Z)|<{_SILENT_TAGS}[^<>]*/>|<{_SILENT_TAGS}.*?(?:</\2\s*>|\Z)", re.DOTALL | re.IGNORECASE
)
"""Comments, and elements whose words are not those of the page."""

_NAVIGATION = re.compile(r"<nav(?=[\s>])[^<]*(?:<(?!/?nav[\s>])[^<]*)*</nav\s*>", re.IGNORECASE)
_MAX_NESTED = 9
_UNCLOSED = re.compile(r"<(?![^<>]*>)")
_COLOUR = re.compile(r"(?:^|[;\s])color\s*:\s*([^;]+)")
_PLACE = re.compile(r"top:\s*(\d{1,6}(?:\.\d{1,3})?)pt;\s*left:\s*(\d{1,6}(?:\.\d{1,3})?)")
_NO_PLACE = (nan, nan)
_NOTE_MARK = re.compile(r"#[\W_]*(?:user-content-)?(?:fn|ftn|footnote|endnote|note|cite_note|n)[\W_]*\d+")
_MAX_DEPTH = 50
_LABELS = label_types()


def list_mark(count: int, kind: str) -> str:
    """Return the number of an item as a browser shows it, which counts as the `type` of its list says."""
    return _LABELS[kind].label(count) if kind in ("a", "A", "i", "I") and 0 < count < 4_000 else str(count)


def read_html(source: ReadSource, page: SourcePage, html: str) -> None:
    """Add the content of a page to a source."""
    # The parser takes quadratic time for tags and comments that never end.
    text = _SILENT.sub(_line_ends, escape_long_entities(html))
    for _ in range(_MAX_NESTED):
        text = _NAVIGATION.sub(_line_ends, text)
    reader = _PageReader(source, page)
    reader.feed(_UNCLOSED.sub("&lt;", text))
    reader.close()
    reader.end_table()
    for line, words in reader.text_by_line.items():
        source.add_line(page, line, words)


def _line_ends(match: re.Match[str]) -> str:
    return "\n" * match.group().count("\n")


@dataclass(slots=True)
class _List:
    """An open list. `number`: of the next item, -1 in a list without numbers."""

    number: int
    label_type: str
    first: int
    """The index of its first block."""

    def marker(self, attributes: Mapping[str, str]) -> str:
        """Return what a browser shows in front of the next item."""
        if self.number < 0:
            return "-"
        value = parse_int(attributes.get("value", ""))
        number = self.number if value is None else max(value, 0)
        self.number = number + 1
        return list_mark(number, attributes.get("type") or self.label_type) + "."


class _PageReader(HTMLParser):
    """Makes blocks of the elements of a page."""

    def __init__(self, source: ReadSource, page: SourcePage) -> None:
        super().__init__()
        self.source, self.page, self.blocks = source, page, source.blocks
        self.shift, self.marker = 0, ""
        self.text_by_line: dict[int, str] = defaultdict(str)
        self.paragraph = self.next_block = SourceBlock("paragraph", (), page, 0)
        self.place = self.last_place = _NO_PLACE
        self.runs: list[Run] = []
        self.ids: list[str] = []
        self.styles = [("", Run(""))]
        self.lists: list[_List] = []
        self.quotes: list[Admonition] = []
        self.table: SourceBlock | None = None
        self.rows: list[list[Cell]] = []
        self.cell: Cell | None = None

    @property
    def line(self) -> int:
        return self.getpos()[0] + self.shift

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        if number := parse_int(attributes.get("data-line", "")):
            self.shift = number - self.getpos()[0]
        self.begin(tag, attributes)
        if "data-note" in attributes:
            self.begin_note(attributes["data-note"])
        self.begin_style(tag, attributes)
        names = attributes.get("id", ""), attributes.get("name", "") if tag == "a" else ""
        self.ids += filter(None, names)

    def show(self, text: str) -> None:
        """Record words that a browser shows, by line."""
        for line, part in enumerate(text.split("\n"), self.line):
            self.text_by_line[line] += part

    def begin(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Open an element that shows words."""
        if tag in _TABLE:
            self.begin_table(tag, attributes)
        elif tag == "img":
            self.add_picture(attributes)
        elif tag == "dd":  # in the block of its term
            self.end_style("dt")
            self.handle_data(" ")
        elif tag == "br" and (self.cell or self.next_block.level):
            self.handle_data(BREAK)
        elif tag in _BLOCKS and self.cell:
            self.handle_data(BREAK if tag == "li" else " ")
        elif tag in _BLOCKS or tag == "br":
            self.end_block()
            self.begin_block(tag, attributes)

    def begin_block(self, tag: str, attributes: Mapping[str, str]) -> None:
        if tag in _HEADINGS:
            self.next_block = replace(self.paragraph, kind="heading", level=int(tag[1]))
            if "data-anchor" in attributes:
                self.ids.insert(0, attributes["data-anchor"])
        elif tag in ("ul", "ol") and len(self.lists) < _MAX_DEPTH:
            start = parse_int(attributes.get("start", ""))
            number = -1 if tag == "ul" else 1 if start is None else max(start, 0)
            self.lists.append(_List(number, attributes.get("type", ""), len(self.blocks)))
        elif tag == "li" and self.lists:
            self.marker = attributes.get("data-marker") or self.lists[-1].marker(attributes)
        elif tag == "blockquote":
            self.quotes.append(Admonition(""))
        place = _PLACE.search(attributes.get("style", ""))
        self.place = (float(place[1]), float(place[2])) if place else _NO_PLACE

    def handle_endtag(self, tag: str) -> None:
        """Close an element that shows words."""
        if tag in ("td", "th", "tr"):
            self.end_cell()
        elif tag == "table":
            self.end_table()
        elif tag == "caption" and self.table:
            self.table, self.runs = replace(self.table, caption=strip(self.runs)), []
        self.end_style(tag)
        if tag in _BLOCKS and tag != "dt" and not self.cell:
            self.end_block()
            if tag in ("ul", "ol") and self.lists:
                self.end_list(self.lists.pop())
            elif tag == "blockquote":
                self.end_quote()

    def begin_note(self, kind: str) -> None:
        """Begin a note, which may be the quote around it; or end one if it has no kind."""
        self.end_block()
        if not kind or (self.quotes and not self.quotes[-1].kind):
            self.end_quote()
        if kind:
            self.quotes.append(Admonition(kind.lower()))

    def end_quote(self) -> None:
        if self.quotes:
            self.quotes.pop()

    def end_list(self, items: _List) -> None:
        """End a list. One of a single numbered item is a paragraph that begins with that number."""
        self.marker = ""
        last = self.blocks[-1] if len(self.blocks) == items.first + 1 else None
        if last and last.kind == "item" and last.marker != "-":
            runs = (Run(f"{last.marker} ", last.line), *last.runs)
            self.blocks[-1] = replace(last, kind="paragraph", runs=runs, depth=last.depth - 1, marker="")

    def end_block(self) -> None:
        """End the words that are being read: a heading, an item, a paragraph, or nothing."""
        self.show(" ")
        if self.cell:
            return
        runs, self.runs = strip(self.runs), []
        line = runs[0].line if runs else self.line
        block = replace(self.next_block, runs=runs, line=line)
        if runs or block.level:
            self.next_block = self.paragraph
        if runs and self.marker and not block.level:
            block = replace(block, kind="item", marker=self.marker)
            self.source.add_line(self.page, line, self.marker)
            self.marker = ""
        if runs:
            self.add(block)

    def add(self, block: SourceBlock) -> None:
        """Add a block with its addresses, lists and note.

        Converters of PDF set each line at a place. One that is right below another continues it, if neither
        is bold or indented.
        """
        last, self.last_place, self.place = self.last_place, self.place, _NO_PLACE
        down, right = self.last_place[0] - last[0], self.last_place[1] - last[1]
        is_below = 0 <= down < 20 and abs(right) < 3
        if is_below and not is_bold(block.runs) and not is_bold(self.blocks[-1].runs):
            runs = (*self.blocks[-1].runs, Run("\n", block.line), *block.runs)
            self.blocks[-1] = replace(self.blocks[-1], runs=runs)
            return
        quote = self.quotes[-1] if self.quotes else None
        self.blocks.append(replace(block, depth=len(self.lists), ids=tuple(self.ids), admonition=quote))
        self.ids = []

    # Tables

    def begin_table(self, tag: str, attributes: Mapping[str, str]) -> None:
        self.end_cell()
        self.end_block()
        if tag == "table" and not self.table:
            self.table = SourceBlock("table", (), self.page, self.line)
        elif self.table and (tag == "tr" or (tag in ("td", "th") and not self.rows)):
            self.rows.append([])
        if tag in ("td", "th") and self.rows:
            columns, rows = (parse_int(attributes.get(name, "")) or 1 for name in ("colspan", "rowspan"))
            self.cell = Cell((), columns, rows, tag == "th")

    def end_cell(self) -> None:
        if self.cell:
            self.rows[-1].append(replace(self.cell, runs=strip(self.runs)))
            self.cell, self.runs = None, []

    def end_table(self) -> None:
        self.end_cell()
        self.end_block()
        table, rows = self.table, tuple(map(tuple, self.rows))
        self.table, self.rows = None, []
        if table and rows and (table.caption or any(cell.runs for row in rows for cell in row)):
            self.add(replace(table, rows=rows))

    # Words

    def handle_data(self, data: str) -> None:
        """Add words with the emphasis of the tags around them."""
        self.show(data)
        style = self.styles[-1][1]
        last = self.runs[-1] if self.runs else style
        if style.link and last.link is style.link and last.text:  # a link is a single run
            strong, emphasis = last.strong and style.strong, last.emphasis and style.emphasis
            self.runs[-1] = replace(last, text=last.text + data, strong=strong, emphasis=emphasis)
        elif data.strip() or self.cell or not self.table:
            self.runs.append(replace(style, text=data, line=self.line))

    def add_picture(self, attributes: Mapping[str, str]) -> None:
        words, caption = (" ".join(attributes.get(name, "").split()) for name in ("alt", "title"))
        caption = caption if caption != words else ""
        self.show(f" {words} {caption} ")
        picture = Picture(attributes.get("src", ""), words, caption)
        self.runs.append(replace(self.styles[-1][1], line=self.line, link=None, picture=picture))

    def begin_style(self, tag: str, attributes: Mapping[str, str]) -> None:
        style = self.styles[-1][1]
        if tag in _STRONG:
            style = replace(style, strong=True)
        elif tag in _EMPHASIS:
            style = replace(style, emphasis=True)
        elif tag in ("span", "font"):
            match = _COLOUR.search(attributes.get("style", ""))
            colour = match[1] if match else attributes.get("color", "")
            style = replace(style, colour=colour.strip().lower() or style.colour)
        elif tag == "a":
            href = attributes.get("href", "")
            is_link = "href" in attributes and not _NOTE_MARK.fullmatch(href)
            style = replace(style, link=Link(href, self.line) if is_link else None)
        else:
            return
        if len(self.styles) < _MAX_DEPTH:
            self.styles.append((tag, style))

    def end_style(self, tag: str) -> None:
        """End what a tag began; what began after it ends too."""
        if any(name == tag for name, _ in self.styles):
            while self.styles.pop()[0] != tag:
                pass
