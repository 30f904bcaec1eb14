"""HTML as blocks. Markdown, documents of Word and whatever pandoc reads become HTML first.

A tag with `data-line` says in which line of its source the following words are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html.parser import HTMLParser
from itertools import pairwise

from rulewright.files.safe_integers import escape_long_entities, parse_int, unescape_html
from rulewright.imports.blocks import (
    BREAK,
    WORD,
    Admonition,
    Cell,
    LeftOutWords,
    Link,
    Picture,
    Run,
    Runs,
    SourceBlock,
    SourceLine,
    plain,
    raw_text,
    strip,
)
from rulewright.imports.sources.slugs import Slugs
from rulewright.imports.sources.source_site import SourcePage
from rulewright.numbering.label_types import label_types

MARKER = "\ue002"
"""Encloses the number of an item that a document of Word prints."""

ASIDE, PART = "x-aside", "x-part"
"""Elements of a note, and of a part of HTML that ends whatever it leaves open."""

_SILENT = frozenset("head title script style template noscript svg iframe nav".split())  # noqa: SIM905
_IN_HEAD = frozenset("head title meta link base style script template noscript".split())  # noqa: SIM905
_PARAGRAPHS = frozenset(
    "p div section article center figure main header footer address details summary hr dl dt dd "  # noqa: SIM905
    "figcaption aside pre thead tbody tfoot colgroup h1 h2 h3 h4 h5 h6".split()
)
_HOLDERS = ("ul", "ol", "li", "blockquote", ASIDE, PART)
_STRONG, _EMPHASIS = ("b", "strong", "mark"), ("i", "em", "cite")
_MARKED = re.compile(rf"{MARKER}(\w{{1,6}}[.)]){MARKER}")
_COLOUR = re.compile(r"(?:^|[;\s])color\s*:\s*([^;]+)")
_LABEL = re.compile(r"[\[(]?(?:§ ?)?(?:\d{1,3}|[A-Z]\d*)(?:[.-](?:\d{1,3}|[A-Za-z]))+[a-z]?[\])]?\.?")
_PLACE = re.compile(r"top:\s*([\d.]{1,9})pt;\s*left:\s*([\d.]{1,9})")
_SIZE = re.compile(r"\d{1,4}%?(?=(?:px)?\Z)")
_ALERT = re.compile(r"\[!(\w+)\][-+]?")
_MAX_DEPTH, _MAX_SPAN, _MAX_CELLS = 50, 200, 200
_LABELS = label_types()

_UNSHOWN = frozenset("head title script style template noscript svg iframe".split())  # noqa: SIM905
_TAG = re.compile(r"<!--|</?([a-zA-Z][\w:-]*)(?:\"[^\"<]*\"|'[^'<]*'|[^'\"<>])*>|<[!?][^<>]*>")
_TAG_OR_SIGN = re.compile(rf"(?P<tag>{_TAG.pattern})|<")
_DATA_LINE = re.compile(r'data-line="(\d{1,7})"')
_TEXTS = re.compile(r'\b(?:alt|title)="([^"]*)"')
_IN_WORDS = frozenset(
    "a abbr b big cite code del em font i ins kbd mark q s small span strong sub sup tt u var wbr".split()  # noqa: SIM905
)
"""Elements that may be in the middle of a word."""


def list_mark(count: int, kind: str) -> str:
    """Return the number of an item as a browser shows it, which counts as the `type` of its list says."""
    return _LABELS[kind].label(count) if kind in ("a", "A", "i", "I") and 0 < count < 4_000 else str(count)


def shown_lines(page: SourcePage, html: str) -> Iterator[SourceLine]:
    """Yield the words of HTML as a browser shows them, read without a parser: the account counts these."""
    line, start, words = 1, 0, ""
    unclosed: set[str] = set()
    while True:
        tag = _TAG.search(html, start)
        words += html[start : tag.start() if tag else len(html)]
        name = (tag[1] or "").lower() if tag else ""
        if tag and name in _IN_WORDS:
            start = tag.end()
            continue
        for count, text in enumerate(words.split("\n")):
            line += count > 0
            yield SourceLine(page, line, WORD.findall(unescape_html(text)))
        if not tag:
            return
        words, start = "", tag.end()
        is_comment = tag.group() == "<!--"
        closing = "-->" if is_comment else f"</{name}"
        if closing not in unclosed and (is_comment or (name in _UNSHOWN and tag.group()[1] != "/")):
            end = re.compile(closing, re.IGNORECASE).search(html, start)
            unclosed |= set() if end else {closing}
            start = end.start() if end else len(html) if name in ("script", "style", "template") else start
        number = _DATA_LINE.search(tag.group())
        line = int(number[1]) if number else line + html.count("\n", tag.start(), start)
        for text in dict.fromkeys(_TEXTS.findall(tag.group())) if name == "img" else ():
            yield SourceLine(page, line, WORD.findall(unescape_html(text)))


@dataclass(slots=True)
class _Holder:
    """An open list, item, note or part. `number`: of the next item, -1 in a list without numbers."""

    tag: str
    number: int = -1
    label_type: str = ""
    admonition: Admonition | None = None
    depth: int = 0
    """The number of inline elements that were open at its beginning."""


def read_html(
    page: SourcePage, html: str, slugs: Slugs, *, is_markdown: bool = False
) -> tuple[list[SourceBlock], list[LeftOutWords]]:
    """Return the blocks of a page, and the words that it leaves out."""
    reader = _BlockReader(page, slugs, is_markdown=is_markdown)
    last = html.rfind("-->")

    def escape(match: re.Match[str]) -> str:
        is_closed = match["tag"] and (match["tag"] != "<!--" or match.start() < last)
        return match.group() if is_closed else f"&lt;{match.group()[1:]}"

    # The parser takes quadratic time for tags and comments that never end.
    reader.feed(_TAG_OR_SIGN.sub(escape, escape_long_entities(html)))
    reader.close()
    reader.end_table()
    reader.leave(0)
    reader.end_silence()
    return _join_placed_lines(reader.blocks, reader.places), reader.left_out


class _BlockReader(HTMLParser):
    """Makes blocks of elements."""

    def __init__(self, page: SourcePage, slugs: Slugs, *, is_markdown: bool) -> None:
        super().__init__()
        self.page, self.slugs, self.is_markdown = page, slugs, is_markdown
        self.lines = page.file.text.split("\n")
        self.blocks: list[SourceBlock] = []
        self.left_out: list[LeftOutWords] = []
        self.places: dict[int, tuple[float, float]] = {}
        self.holders: list[_Holder] = []
        self.asides = 0
        self.marker = self.anchor = self.silent = ""
        self.runs: list[Run] = []
        self.styles = [("", Run(""))]
        self.terms: Runs = ()
        self.rows: list[list[Cell]] | None = None
        self.caption: Runs = ()
        self.cell: Cell | None = None
        self.ids: list[tuple[int, str]] = []
        self.shift = self.silent_depth = self.table_line = 0
        self.is_code = False
        self.hidden: list[str] = []
        self.place: tuple[float, float] | None = None
        self.link_end = (0, 0)

    @property
    def line(self) -> int:
        return self.getpos()[0] + self.shift

    # Events of the parser

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        if number := parse_int(attributes.get("data-line", "")):
            self.shift = number - self.getpos()[0]
        if self.silent == "head" and tag not in _IN_HEAD:
            self.end_silence()
        if self.silent:
            self.silent_depth += tag == self.silent
        elif tag in _SILENT:
            self.silent, self.silent_depth = tag, 1
        else:
            self.begin(tag, attributes)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in _SILENT:
            self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if tag == PART and self.silent:
            self.end_silence()
        if not self.silent:
            self.end(tag)
            return
        self.silent_depth -= tag == self.silent
        if self.silent_depth == 0:
            self.end_silence()

    def end_silence(self) -> None:
        words, tag = " ".join(" ".join(self.hidden).split()), self.silent
        if words and (tag == "nav" or self.is_markdown):
            reason = "navigation" if tag == "nav" else f"<{tag}> is for the browser"
            self.left_out.append(LeftOutWords(self.page, self.line, words, reason, is_in_lines=tag == "nav"))
        self.silent, self.hidden = "", []

    def handle_data(self, data: str) -> None:
        if match := _MARKED.match(data):
            self.marker = match[1] if self.marker else ""
            data = data[match.end() if self.marker else 0 :].replace(MARKER, "" if self.marker else " ")
        if self.silent:
            self.hidden.append(data)
        elif data.strip() or self.cell or self.rows is None:
            self.put(data)

    def handle_comment(self, data: str) -> None:
        if self.is_markdown and not self.silent and data.strip():
            self.left_out.append(LeftOutWords(self.page, self.line, data, "a comment", is_in_lines=False))

    # Elements

    def begin(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Open an element. Its id is an address of the words that come next."""
        if tag == "table" or (self.rows is not None and tag in ("tr", "td", "th", "caption")):
            self.begin_table(tag, attributes)
        elif self.cell and tag in (*_PARAGRAPHS, *_HOLDERS):
            self.put((BREAK if tag == "li" else " ") if self.runs else "")
        elif tag in ("ul", "ol"):
            self.end_words()
            self.end_empty_item()
            start = parse_int(attributes.get("start") or "1")
            number = -1 if tag == "ul" else 1 if start is None else max(start, 0)
            self.hold(_Holder(tag, number, attributes.get("type", "")))
        elif tag == "li":
            self.begin_item(attributes)
        elif tag in ("blockquote", ASIDE):
            self.end_words()
            self.asides += 1
            self.hold(_Holder(tag, admonition=Admonition(self.asides, attributes.get("kind", ""))))
        elif tag == PART:
            self.hold(_Holder(tag, depth=len(self.styles)))
        elif tag in _PARAGRAPHS:
            self.flush()
            if tag == "dt":
                self.end_words()
            if tag in ("dt", "summary"):
                self.styles.append((tag, replace(self.styles[-1][1], strong=True)))
            self.anchor = attributes.get("data-anchor", "")
            self.is_code = tag == "pre" and self.is_markdown
            place = _PLACE.search(attributes.get("style", ""))
            self.place = (float(place[1]), float(place[2])) if place and place[0].count(".") < 3 else None
        else:
            self.open_inline(tag, attributes)
        for name in ("id", "name") if tag == "a" else ("id",):
            if attributes.get(name):
                self.ids.append((len(raw_text(self.runs)), attributes[name]))

    def hold(self, holder: _Holder) -> None:
        if len(self.holders) < _MAX_DEPTH:
            self.holders.append(holder)

    def begin_item(self, attributes: Mapping[str, str]) -> None:
        """Open an item of the innermost list. Outside of a list it is a paragraph."""
        index = self.innermost("ul", "ol")
        self.leave(index + 1 if index >= 0 else len(self.holders))
        if index < 0:
            return
        holder = self.holders[index]
        number = parse_int(attributes.get("value", ""))
        if number is not None and holder.tag == "ol":
            holder.number = max(number, 0)
        self.marker = "-"
        if holder.number >= 0:
            mark = list_mark(holder.number, attributes.get("type") or holder.label_type)
            self.marker = mark + (attributes.get("data-sign") or ".")
            holder.number += 1
        self.hold(_Holder("li"))

    def innermost(self, *tags: str) -> int:
        """Return the index of the innermost holder with a tag, -1 if there is none."""
        return next((n for n in reversed(range(len(self.holders))) if self.holders[n].tag in tags), -1)

    def end(self, tag: str) -> None:
        index = self.innermost(tag)
        if tag in ("td", "th", "tr"):
            self.end_cell()
        elif tag == "table":
            self.end_table()
        elif tag == "caption" and self.rows is not None:
            self.caption, self.runs = strip(self.runs), []
        elif index >= 0 and (tag == PART or not self.cell):
            if tag == PART:
                self.end_table()
                del self.styles[self.holders[index].depth :]
            self.leave(index)
        elif tag == "dt" and not self.cell:
            self.close_inline(tag)
            self.terms, self.runs = strip(self.runs), []
        else:
            self.close_inline(tag)
            if not self.cell and tag in _PARAGRAPHS:
                self.flush(int(tag[1]) if re.fullmatch(r"h\d", tag) else 0)
                if tag == "dl":
                    self.end_words()

    def end_empty_item(self) -> None:
        if self.marker and self.marker != "-":
            self.add_block("item", (), self.line)

    def leave(self, depth: int) -> None:
        """Close all lists and notes but so many."""
        self.end_words()
        if any(holder.tag == "li" for holder in self.holders[depth:]):
            self.end_empty_item()
            self.marker = ""
        for holder in reversed(self.holders[depth:]):
            if holder.admonition and not holder.admonition.kind:
                self.name_admonition(holder.admonition)
        del self.holders[depth:]

    def name_admonition(self, admonition: Admonition) -> None:
        """Give a quote the kind that its first words say: [!TIP]."""
        indexes = [n for n, block in enumerate(self.blocks) if block.admonition == admonition]
        match = _ALERT.match(plain(self.blocks[indexes[0]].runs)) if indexes else None
        if not match:
            return
        for index in indexes:
            kind = match[1].lower()
            self.blocks[index] = replace(self.blocks[index], admonition=replace(admonition, kind=kind))
        first = self.blocks[indexes[0]]
        self.left_out.append(LeftOutWords(self.page, first.line, match[1], "the kind of a note"))
        runs = strip((replace(first.runs[0], text=first.runs[0].text[match.end() :]), *first.runs[1:]))
        self.blocks[indexes[0] : indexes[0] + 1] = [replace(first, runs=runs)] if runs else []

    def flush(self, level: int = 0) -> None:
        """End the words that are being read: a heading, paragraphs, or nothing."""
        if self.cell:
            return
        runs, self.runs = strip(self.runs), []
        if level and (runs or self.anchor):
            anchor = self.anchor or self.slugs.heading(plain(runs))[1]
            self.add_block("heading", runs, runs[0].line if runs else self.line, level, anchor)
            self.anchor = ""
            return
        if runs and self.is_code:
            self.add_block("code", tuple(replace(run, code=True) for run in runs), runs[0].line)
            self.is_code = False
            return
        if runs and self.terms:
            space = replace(self.terms[-1], text=" ", strong=False, link=None)
            runs, self.terms = (*self.terms, space, *runs), ()
        start, ids = 0, self.ids
        for part, is_last in _split_at_breaks(runs):
            start += len(raw_text(part)) + 1
            if block_runs := strip(part):
                here = [(offset, name) for offset, name in ids if offset < start or is_last]  # plain: ok
                ids = [entry for entry in ids if entry not in here]
                self.ids = [(0, name) for _, name in here]
                self.add_block("item" if self.marker else "paragraph", block_runs, block_runs[0].line)
        self.ids = ids

    def add_block(self, kind: str, runs: Runs, line: int, level: int = 0, anchor: str = "") -> None:
        depth = sum(holder.tag in ("ul", "ol") for holder in self.holders)
        notes = [holder.admonition for holder in self.holders if holder.admonition]
        marker = self.marker if kind != "heading" else ""
        if self.place:
            self.places[len(self.blocks)] = self.place
            self.place = None
        self.blocks.append(
            SourceBlock(
                kind,
                runs,
                self.page,
                line,
                level,
                depth,
                marker,
                tuple(self.ids) if runs else (),
                anchor,
                admonition=notes[-1] if notes else None,
            )
        )
        if runs:
            self.ids = []
        self.marker = self.marker if kind == "heading" else ""

    def end_words(self) -> None:
        """End the words that are being read, and terms without a definition."""
        self.flush()
        terms, self.terms = self.terms, ()
        if terms:
            self.add_block("paragraph", terms, terms[0].line)

    # Tables

    def begin_table(self, tag: str, attributes: Mapping[str, str]) -> None:
        self.end_cell()
        self.end_words()
        if self.rows is None:
            self.rows, self.caption, self.table_line = [], (), self.line
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows = self.rows or [[]]
            spans = (parse_int(attributes.get(name, "")) or 1 for name in ("colspan", "rowspan"))
            columns, rows = (min(max(span, 1), _MAX_SPAN) for span in spans)
            rows = min(rows, max(1, _MAX_CELLS // columns))
            self.cell = Cell((), columns, rows, tag == "th")

    def end_cell(self) -> None:
        if self.cell and self.rows is not None:
            self.rows[-1].append(replace(self.cell, runs=strip(self.runs)))
            self.cell, self.runs = None, []

    def end_table(self) -> None:
        self.end_cell()
        if self.rows is None:
            return
        self.flush()
        rows, self.rows = tuple(map(tuple, self.rows)), None
        if not self.caption and (labelled := _rows_of_labels(rows)):
            for row in labelled:
                self.runs = list(row)
                self.flush()
        elif any(cell.runs for row in rows for cell in row) or self.caption:
            self.add_block("table", (), self.table_line)
            ids = tuple((0, name) for _, name in self.ids)
            self.blocks[-1] = replace(self.blocks[-1], rows=rows, caption=self.caption, ids=ids)
            self.ids = []

    # Words

    def put(self, text: str) -> None:
        """Add words with the emphasis of the tags around them."""
        if text:
            self.runs.append(replace(self.styles[-1][1], text=text, line=self.line))

    def open_inline(self, tag: str, attributes: Mapping[str, str]) -> None:
        style_run = self.styles[-1][1]
        if tag == "img":
            words, caption = (" ".join(attributes.get(name, "").split()) for name in ("alt", "title"))
            sizes = [(name, _SIZE.match(attributes.get(name, ""))) for name in ("width", "height")]
            size = " ".join(f"{name}={match[0]}" for name, match in sizes if match)
            picture = Picture(attributes.get("src", ""), caption if caption != words else "", size)
            self.runs.append(replace(style_run, text=words, line=self.line, link=None, picture=picture))
            return
        if tag == "br":
            self.put(BREAK)
            return
        if len(self.styles) > _MAX_DEPTH:
            return
        if tag in _STRONG:
            style_run = replace(style_run, strong=True)
        elif tag in _EMPHASIS:
            style_run = replace(style_run, emphasis=True)
        elif tag == "code":
            style_run = replace(style_run, code=self.is_markdown)
        elif tag in ("span", "font"):
            style = _COLOUR.search(attributes.get("style", ""))
            colour = style[1] if style else attributes.get("color", "")
            style_run = replace(style_run, colour=colour.strip().lower() or style_run.colour)
        elif tag == "a" and "href" in attributes:
            style_run = replace(style_run, link=self.link(attributes["href"]))
        self.styles.append((tag, style_run))

    def close_inline(self, tag: str) -> None:
        """End what a tag began; what began after it ends too."""
        index = next((n for n in reversed(range(1, len(self.styles))) if self.styles[n][0] == tag), 0)
        del self.styles[index or len(self.styles) :]

    def link(self, href: str) -> Link:
        """Return a link with the column of its address, if that is found in the line."""
        for index in range(self.line - 1, min(self.line + 2, len(self.lines))):
            start = self.link_end[1] if self.link_end[0] == index else 0
            if (column := self.lines[index].find(href, start)) >= 0:
                self.link_end = index, column + len(href)
                return Link(href, index + 1, column + 1)
        return Link(href, self.line)


def _split_at_breaks(runs: Sequence[Run]) -> Iterator[tuple[list[Run], bool]]:
    """Yield the parts of runs between line breaks, each with whether it is the last."""
    part: list[Run] = []
    for run in runs:
        *texts, last = [run.text] if run.picture else run.text.split(BREAK)
        for text in texts:
            yield [*part, replace(run, text=text)], False
            part = []
        part.append(replace(run, text=last))
    yield part, True


def _rows_of_labels(rows: Sequence[Sequence[Cell]]) -> list[Runs]:
    """Return the rows of a table as paragraphs if each is a label of a rule and a sentence."""
    filled: list[list[Cell]] = []
    for row in rows:
        cells = [cell for cell in row if cell.runs]
        filled += [cells] if cells else []
    labelled = [row for row in filled if len(row) == 2 and _LABEL.fullmatch(plain(row[0].runs))]
    words = sum(len(plain(row[1].runs).split()) for row in labelled)
    firsts = [plain(row[0].runs).partition(".")[0] for row in labelled]
    if len(labelled) < 2 or len(labelled) * 2 < len(filled) or words < 3 * len(labelled):
        return []
    if not any(first == second for first, second in pairwise(firsts)):
        return []
    paragraphs: list[Runs] = []
    for row in filled:
        rest = (run for cell in row[1:] for run in cell.runs)
        paragraphs.append((*row[0].runs, Run(" "), *rest))
    return paragraphs


def _join_placed_lines(
    blocks: Sequence[SourceBlock], places: Mapping[int, tuple[float, float]]
) -> list[SourceBlock]:
    """Join lines that converters of PDF set singly into paragraphs.

    A line continues the line before if it is right below and neither is bold or indented.
    """
    if len(places) < len(blocks) / 2:
        return list(blocks)
    joined: list[SourceBlock] = []
    last: tuple[float, float] | None = None
    for index, block in enumerate(blocks):
        place = places.get(index)
        is_below = place and last and 0 <= place[0] - last[0] < 20 and abs(place[1] - last[1]) < 3
        has_bold = False
        for part in (block, *joined[-1:]):
            has_bold = has_bold or all(run.strong for run in part.runs)
        if is_below and not has_bold:
            runs = (*joined[-1].runs, Run("\n", block.line), *block.runs)
            joined[-1] = replace(joined[-1], runs=runs)
        else:
            joined.append(block)
        last = place
    return joined
