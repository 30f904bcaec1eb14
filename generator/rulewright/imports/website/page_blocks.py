"""A page's Markdown, and the HTML in it, as blocks with their places: one walk over both.

CommonMark with the tables, definition lists and footnotes that Hugo adds, read by markdown-it. Its tokens
open and close the same elements that tags of HTML do.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from html.parser import HTMLParser
from itertools import zip_longest

from markdown_it.token import Token

from rulewright.files.safe_integers import escape_long_entities, parse_int
from rulewright.imports.website.page_block_types import (
    BREAK,
    Admonition,
    Block,
    DroppedWords,
    Image,
    Link,
    PageCell,
    PageHeading,
    PageList,
    PageListItem,
    PageParagraph,
    PageTable,
    ParsedPage,
    TextPiece,
    lines_of_labels,
    list_mark,
    paragraphs,
    pieces_text,
    split_pieces,
    strip_pieces,
    with_footnotes_in_place,
)
from rulewright.imports.website.page_tokens import LINE_END, PARSER, expanded, segments
from rulewright.imports.sources.source_site import SourcePage

PLAIN = frozenset("u s del ins small big sup sub code kbd abbr q tt var font".split())  # noqa: SIM905
"""Tags that say nothing in a book."""

ATTRIBUTES = re.compile(r"\s*\{\s*(?:[.#:][^{}\s]+|[\w-]+=[^{}]*)(?:\s[^{}]*)?\}\s*\Z")
SIZE = re.compile(
    r"\{:?((?:\s*(?:[.#][\w-]+|[\w-]+\s*=\s*(?:\"[^\"{}]*\"|'[^'{}]*'|[^\s{}\"']+))(?=[\s}]))+)\s*\}"
)
SILENT = ("script", "style", "template")
# Tags of blocks that may stand in a line without a word about it.
_INSIDE = frozenset("p div section article center figure main header footer address wbr".split())  # noqa: SIM905
_BLOCKS = _INSIDE - {"wbr"} | frozenset(
    "ul ol li blockquote details summary hr dl dt dd figcaption aside pre thead tbody tfoot colgroup".split()  # noqa: SIM905
)
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_EMPHASIS = {"b": "bold", "strong": "bold", "mark": "bold", "i": "italic", "em": "italic", "cite": "italic"}
_COLOUR = re.compile(r"(?:^|[;\s])color\s*:\s*([^;]+)")
_SIDE = re.compile(r"""\b(width|height)\s*=\s*["']?(\d{1,4}%?)(?:px)?(?![\w.%])""")
_ITEM = re.compile(r"\(?(?:[a-zA-Z]|[ivx]{2,4}|\d{1,2})[.)] ")
_ALERT = re.compile(r"\[!(\w+)\][-+]?")
_HASHES = re.compile(r"[ ]{0,3}#{1,6}[ \t]*")
_ID = re.compile(r"(?<=#)[^\s{}#]+")
_MOST_SPANNED = 200
_DEEPEST = 50  # tags that lie deeper in each other open nothing more


def read_page(page: SourcePage) -> ParsedPage:
    """Read a page into blocks, dropped words and guesses."""
    read = expanded(page)
    first = page.file.location(page.start).line
    reader = _Reader(LINE_END.split(page.file.text), read)
    for begin, segment, cut in segments(read.text):
        reader.line = line = first + read.text.count("\n", 0, begin)
        if cut and cut[1]:
            reader.aside("shortcode", *read.asides[int(cut[1])])
        elif cut:
            reader.end("shortcode")
        if segment.strip():
            reader.markdown(segment, line)
    reader.leave(1)
    read.blocks = with_footnotes_in_place(read.blocks, reader.footnotes)
    return read


@dataclass(slots=True)
class _OpenElement:
    """An element that is open, and where the blocks in it go. `first`: the number of a list's first item,
    `sort`: how it counts."""

    tag: str
    blocks: list[Block]
    made: PageList | Admonition | None = None
    first: int = -1
    sort: str = ""


class _Reader(HTMLParser):
    """Makes blocks of what tokens and tags open and close. `line`: where the next words stand in the file."""

    def __init__(self, source: list[str], into: ParsedPage) -> None:
        super().__init__()
        self.source, self.into = source, into
        self.line = self.first = 1
        self.opened = [_OpenElement("", into.blocks)]
        self.pieces: list[TextPiece] = []
        self.looks = [("", TextPiece("", 1))]  # of the words that come next, and the tag that gave it
        self.terms: list[TextPiece] = []  # that wait for their definition
        self.heading = ("", False)  # the source of a heading, and whether it is underlined
        self.grid: PageTable | None = None
        self.cell: PageCell | None = None
        self.inside = False  # a line of Markdown, in which no tag opens a block
        self.silent = self.footnote = ""
        self.footnotes = set[str]()  # their signs
        self.seen = (0, 0)  # the line and column behind the last link
        self.unknown: set[tuple[int, str]] = set()
        self.ids: list[tuple[int, str]] = []  # of the words that are being read, and of those that come next

    # Markdown

    def markdown(self, text: str, first: int) -> None:
        """Read a bit of Markdown that begins in a line."""
        env: dict[str, list[tuple[str, list[Token]]]] = {}
        tokens, lines = PARSER.parse(text, env), text.split("\n")
        for label, inner in env["unused"]:
            line = first + next((token.map[0] for token in inner if token.map), 0)
            words = " ".join([label, *(token.content for token in inner)])
            self.into.dropped.append(DroppedWords(words, line, "a footnote that nothing refers to"))
        for token in tokens:
            if token.map:
                self.line = first + token.map[0]
            if token.type == "inline":
                self.words(token)
            elif token.type == "html_block":
                self.html(token.content)
            elif token.type in ("fence", "code_block"):
                self.code(token)
            elif token.type == "footnote_open":
                self.footnote = f"[{token.meta.get('label', '')}] "
            elif token.nesting < 0:
                self.end(token.tag)
            elif token.tag:
                self.begin(token.tag, {name: str(value) for name, value in token.attrs.items()}, token.markup)
                if token.type == "heading_open" and token.map:
                    rows = lines[slice(*token.map)]
                    underlined = token.markup in ("=", "-")
                    source = "\n".join(rows[:-1]) if underlined else _HASHES.sub("", rows[0], count=1)
                    self.heading = (source or " ", underlined)

    def words(self, token: Token) -> None:
        """Take a run of words. Attributes in braces at its end are for the browser."""
        self.put(self.footnote)
        self.footnotes.add(self.footnote.strip())
        self.footnote, self.inside, depth = "", True, len(self.looks)
        children = token.children or []
        for child, behind in zip_longest(children, children[1:]):
            opens = behind is not None and _ITEM.match(behind.content)
            self.word(child, parts=child.type == "hardbreak" and bool(child.markup == "\\" or opens))
        del self.looks[depth:]
        self.inside = False
        last = self.pieces[-1] if self.pieces and self.cell is None else None
        if last and not last.picture and (m := ATTRIBUTES.search(last.text)):
            self.ids += [(0, name) for name in _ID.findall(m.group())]
            self.pieces[-1] = replace(last, text=last.text[: m.start()])

    def word(self, child: Token, *, parts: bool) -> None:
        kind, last = child.type, self.pieces[-1] if self.pieces else None
        if kind == "text" and last and last.picture and (m := SIZE.match(child.content)):
            self.size(m[1])
            self.put(child.content[m.end() :])
        elif kind in ("softbreak", "hardbreak"):
            self.put(BREAK + "\n" if parts else "\n")
        elif kind == "image":
            said = "".join(inner.content for inner in child.children or ())
            self.picture(str(child.attrs.get("src", "")), said, str(child.attrs.get("title", "")))
        elif kind == "html_inline":
            self.reset()
            self.feed(escape_long_entities(child.content))
            self.line += child.content.count("\n")
        elif kind == "footnote_ref":
            self.put(f" [{child.meta.get('label', '')}]")
        elif child.nesting < 0:
            self.close_look(child.tag)
        elif child.nesting > 0:
            self.look(child.tag, {name: str(value) for name, value in child.attrs.items()})
        elif kind != "footnote_anchor":
            self.put(child.content)

    def code(self, token: Token) -> None:
        self.settle()
        line = self.line + (token.type == "fence")
        self.into.guesses.append((line, "code is kept as plain lines"))
        for at, row in enumerate(token.content.rstrip("\n").split("\n")):
            if row.strip():
                self.opened[-1].blocks.append(PageParagraph([TextPiece(row, line + at)], line + at))

    # HTML

    def html(self, html: str) -> None:
        """Read a block of HTML. What it leaves open ends with it."""
        self.reset()
        self.first, depth = self.line, len(self.opened)
        self.feed(escape_long_entities(html))
        self.close()
        self.end_table()
        self.leave(depth)
        del self.looks[1:]
        self.silent = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        if self.inside:
            self.look(tag, attributes)
            return
        self.line = self.first + self.getpos()[0] - 1
        if tag in SILENT:
            self.silent = tag
        else:
            self.begin(tag, attributes)

    def handle_endtag(self, tag: str) -> None:
        if self.inside:
            self.close_look(tag)
        elif tag == self.silent:
            self.silent = ""
        else:
            self.end(tag)

    def handle_data(self, data: str) -> None:
        if not self.inside:
            self.line = self.first + self.getpos()[0] - 1
        if self.silent:
            self.drop(data, f"<{self.silent}> is for the browser")
        elif data.strip() or self.inside or self.cell or not self.grid:
            self.put(data)

    def handle_comment(self, data: str) -> None:
        self.drop("" if self.inside else data, "a comment")

    def drop(self, words: str, why: str) -> None:
        if words.strip():
            self.into.dropped.append(DroppedWords(words, self.first + self.getpos()[0] - 1, why))

    # Blocks

    def begin(self, tag: str, attributes: Mapping[str, str], markup: str = "") -> None:
        """Open an element. Its id is an address of the words that come next."""
        self.open(tag, attributes, markup)
        if tag in _BLOCKS or tag in _HEADINGS or tag in ("table", "tr", "td", "th", "blockquote"):
            self.named(attributes)

    def named(self, attributes: Mapping[str, str], *names: str) -> None:
        length = sum(len(p.text) for p in self.pieces if not p.picture)
        self.ids += [(length, attributes[name]) for name in ("id", *names) if attributes.get(name)]

    def open(self, tag: str, attributes: Mapping[str, str], markup: str) -> None:
        if tag == "table" or (self.grid and tag in ("tr", "td", "th", "caption")):
            self.begin_table(tag, attributes)
        elif self.cell and (tag in _BLOCKS or tag in _HEADINGS):
            self.put((BREAK if tag == "li" else " ") if self.pieces else "")
        elif tag in ("ul", "ol") and len(self.opened) < _DEEPEST:
            self.settle()
            start = parse_int(attributes.get("start") or "1")
            first = -1 if tag == "ul" else 1 if start is None else max(start, 0)
            made, around = PageList([], self.line), self.opened[-1]
            # A list right inside of a list, as many write it, is shown as if it lay in the item before.
            items = around.made.items if isinstance(around.made, PageList) else []
            blocks = items[-1].blocks if items else around.blocks
            self.opened.append(_OpenElement(tag, blocks, made, first, attributes.get("type", "")))
        elif tag == "li":
            self.item(markup, parse_int(attributes.get("value", "")), attributes.get("type", ""))
        elif tag == "blockquote" and len(self.opened) < _DEEPEST:
            self.aside(tag, "")
        elif tag in _BLOCKS or tag in _HEADINGS:
            self.flush()
            if tag == "dt":
                self.settle()
            if tag in ("dt", "summary"):
                self.looks.append((tag, replace(self.looks[-1][1], bold=True)))
            self.heading = (attributes.get("id", "") and f"{{#{attributes['id']}}}", False)
        else:
            self.look(tag, attributes)

    def end(self, tag: str) -> None:
        at = next((n for n in range(len(self.opened) - 1, 0, -1) if self.opened[n].tag == tag), 0)
        if tag in ("td", "th", "tr"):
            self.end_cell()
        elif tag == "table":
            self.end_table()
        elif tag == "caption" and self.grid:
            self.grid.caption, self.pieces = strip_pieces(self.pieces), []
        elif at and not self.cell:
            self.leave(at)
        elif tag == "dt" and not self.cell:
            self.close_look(tag)
            self.terms, self.pieces = strip_pieces(self.pieces), []
        elif self.cell or tag not in (*_BLOCKS, *_HEADINGS):
            self.close_look(tag)
        else:
            self.close_look(tag)
            self.flush(_HEADINGS.index(tag) + 1 if tag in _HEADINGS else 0)
            if tag == "dl":
                self.settle()

    def leave(self, depth: int) -> None:
        """Close all elements but so many."""
        self.settle()
        for one in reversed(self.opened[depth:]):
            aside = one.made if isinstance(one.made, Admonition) else None
            first = aside.blocks[0] if aside and aside.blocks and not aside.kind else None
            if aside and isinstance(first, PageParagraph) and (m := _ALERT.match(pieces_text(first.pieces))):
                aside.kind = m[1].lower()
                self.into.dropped.append(
                    DroppedWords(m[1], first.line, "the sort of a note", is_reported=False)
                )
                first.pieces = strip_pieces(split_pieces(first.pieces, m.end())[1])
                aside.blocks = aside.blocks if first.pieces else aside.blocks[1:]
        del self.opened[depth:]

    def aside(self, tag: str, kind: str, title: str = "") -> None:
        self.settle()
        made = Admonition(kind, [], self.line)
        if title:
            made.blocks.append(PageParagraph([TextPiece(title, self.line, bold=True)], self.line))
        self.opened[-1].blocks.append(made)
        self.opened.append(_OpenElement(tag, made.blocks, made))

    def item(self, sign: str, number: int | None, sort: str) -> None:
        """Open an item of the innermost list. Where there is none, it is a paragraph."""
        lists = (at for at, one in enumerate(self.opened) if isinstance(one.made, PageList))
        self.leave(max(lists, default=len(self.opened) - 1) + 1)
        one = self.opened[-1]
        if isinstance(one.made, PageList):
            if not one.made.items:
                one.blocks.append(one.made)
            # As it is shown: what an author writes in front of the second item and so on counts for nothing.
            if number is not None and one.tag == "ol":
                one.first = max(number, 0) - len(one.made.items)
            count = one.first + len(one.made.items)
            marker = (
                f"{list_mark(count, sort or one.sort)}{sign or '.'}" if count >= 0 and one.tag == "ol" else ""
            )
            one.made.items.append(PageListItem([], self.line, marker))
            self.opened.append(_OpenElement("li", one.made.items[-1].blocks))

    def flush(self, level: int = 0) -> None:
        """End the words that are being read: they are a heading, or paragraphs, or nothing."""
        if self.cell:
            return
        found, self.pieces = strip_pieces(self.pieces), []
        source, underlined = self.heading
        self.heading = ("", False)
        blocks = self.opened[-1].blocks
        if level and (found or source):
            words = f"{pieces_text(found)} {source}" if source.startswith("{#") or not source else source
            line = found[0].line if found else self.line
            blocks.append(PageHeading(level, found, line, words, underlined, ids=self.ids))
            self.ids = []
        elif found:
            if self.terms:
                found = [*self.terms, replace(self.terms[-1], text=" ", bold=False, link=None), *found]
                self.terms = []
            blocks += paragraphs(found, self.ids)
            self.ids = []

    def settle(self) -> None:
        """End the words that are being read, and terms that nothing defines."""
        self.flush()
        terms, self.terms = self.terms, []
        if terms:
            self.opened[-1].blocks.append(PageParagraph(terms, terms[0].line))

    # Tables

    def begin_table(self, tag: str, attributes: Mapping[str, str]) -> None:
        self.end_cell()
        self.settle()
        self.grid = self.grid or PageTable([], self.line)
        if tag == "tr":
            self.grid.rows.append([])
        elif tag in ("td", "th"):
            self.grid.rows = self.grid.rows or [[]]
            spans = (parse_int(attributes.get(name, "")) or 1 for name in ("colspan", "rowspan"))
            across, down = (min(max(span, 1), _MOST_SPANNED) for span in spans)
            self.cell = PageCell([], across, down, tag == "th")

    def end_cell(self) -> None:
        if self.cell and self.grid:
            self.cell.pieces, self.cell.ids = strip_pieces(self.pieces), self.ids
            self.grid.rows[-1].append(self.cell)
            self.cell, self.pieces, self.ids = None, [], []

    def end_table(self) -> None:
        self.end_cell()
        if self.grid:
            self.flush()
            self.opened[-1].blocks += lines_of_labels(self.grid) or [self.grid]
            self.grid = None

    # Words

    def put(self, text: str) -> None:
        """Add words that look as the tags around them say."""
        (_, look), before = self.looks[-1], self.pieces[-1] if self.pieces else None
        if text:
            piece = replace(look, text=text, line=self.line)
            if before and self.inside and piece == replace(before, text=text, line=self.line):
                self.pieces[-1] = replace(before, text=before.text + text)
            else:
                self.pieces.append(piece)
        self.line += text.count("\n")

    def look(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Open a tag of a line."""
        _, look = self.looks[-1]
        self.named(attributes, *(("name",) if tag == "a" else ()))
        if len(self.looks) > _DEEPEST and tag not in ("img", "br"):
            return
        if tag in _EMPHASIS:
            bold = _EMPHASIS[tag] == "bold"
            self.looks.append((tag, replace(look, bold=look.bold or bold, italic=look.italic or not bold)))
        elif tag in ("span", "font"):
            styled = _COLOUR.search(attributes.get("style", ""))
            colour = styled[1] if styled else attributes.get("color") or attributes.get("class", "")
            self.looks.append((tag, replace(look, colour=colour.strip().lower() or look.colour)))
        elif tag == "a" and "href" in attributes:
            self.looks.append((tag, replace(look, link=self.link(attributes["href"]))))
        elif tag == "img":
            self.picture(attributes.get("src", ""), attributes.get("alt", ""), attributes.get("title", ""))
            self.size(" ".join(f"{name}={attributes.get(name, '')}" for name in ("width", "height")))
        elif tag == "br":
            self.put(BREAK)
        elif tag not in PLAIN and tag not in _INSIDE and tag != "a" and (self.line, tag) not in self.unknown:
            self.unknown.add((self.line, tag))
            message = f"the tag <{tag}> says nothing in a book; its words are kept"
            self.into.guesses.append((self.line, message))

    def close_look(self, tag: str) -> None:
        """End what a tag began; what began behind it ends too."""
        at = next((n for n in range(len(self.looks) - 1, 0, -1) if self.looks[n][0] == tag), 0)
        del self.looks[at or len(self.looks) :]

    def picture(self, address: str, words: str, caption: str) -> None:
        words, caption = " ".join(words.split()), " ".join(caption.split())
        image = Image(address, caption if caption != words else "")
        self.pieces.append(TextPiece(words, self.line, picture=image))

    def size(self, words: str) -> None:
        """Give the last picture the width and height that words say, if they say one."""
        sides = " ".join(f"{name}={value}" for name, value in _SIDE.findall(words))
        last = self.pieces[-1]
        if sides and last.picture:
            self.pieces[-1] = replace(last, picture=replace(last.picture, size=sides))

    def link(self, href: str) -> Link:
        """A link with the column that its address stands in, as far as that can be seen."""
        for line in range(self.line - 1, min(self.line + 2, len(self.source))):
            start = self.seen[1] if self.seen[0] == line else 0
            if (at := self.source[line].find(href, start)) >= 0:
                self.seen = line, at + len(href)
                return Link(href, line + 1, at + 1)
        return Link(href, self.line)
