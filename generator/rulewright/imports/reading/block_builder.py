"""Blocks made of the elements that HTML and Markdown open and close."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from html.parser import HTMLParser
from itertools import pairwise

from rulewright.files.safe_integers import escape_long_entities, parse_int
from rulewright.imports.blocks import (
    BREAK,
    Admonition,
    Cell,
    Guess,
    Ids,
    LeftOutWords,
    Link,
    Picture,
    Run,
    Runs,
    SourceBlock,
    plain,
    raw_text,
    strip,
)
from rulewright.imports.sources.source_site import Slugs, SourcePage
from rulewright.numbering.label_types import label_types

MARKER = "\ue002"
"""Stands around the number of an item that a document of Word prints."""

SILENT = frozenset("head title script style template noscript svg iframe".split())  # noqa: SIM905
"""Elements whose words no page shows."""

_IN_HEAD = frozenset("head title meta link base style script template noscript".split())  # noqa: SIM905
_PLAIN = frozenset("u s del ins small big sup sub code kbd abbr q tt var font span html body".split())  # noqa: SIM905
_PARAGRAPHS = frozenset(
    "p div section article center figure main header footer address details summary hr dl dt dd "  # noqa: SIM905
    "figcaption aside pre thead tbody tfoot colgroup".split()
)
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_BLOCKS = _PARAGRAPHS | {*_HEADINGS}
_MARKED = re.compile(rf"{MARKER}(\w{{1,6}}[.)]){MARKER}")
_HOLDERS = ("ul", "ol", "li", "blockquote", "shortcode")
_EMPHASIS = {
    "b": "strong",
    "strong": "strong",
    "mark": "strong",
    "i": "emphasis",
    "em": "emphasis",
    "cite": "emphasis",
}
_COLOUR = re.compile(r"(?:^|[;\s])color\s*:\s*([^;]+)")
_COLOURS = re.compile(r"red|blue|green|orange|purple|yellow|brown", re.IGNORECASE)
_LABEL = re.compile(r"[\[(]?(?:§ ?)?(?:\d{1,3}|[A-Z]\d*)(?:[.-](?:\d{1,3}|[A-Za-z]))+[a-z]?[\])]?\.?")
_PLACE = re.compile(r"top:\s*([\d.]{1,9})pt;\s*left:\s*([\d.]{1,9})")
_SIDE = re.compile(r"""\b(width|height)\s*=\s*["']?(\d{1,4}%?)(?:px)?(?![\w.%])""")
_ALERT = re.compile(r"\[!(\w+)\][-+]?")
_DEEPEST, _MOST_SPANNED = 50, 200
_LABELS = label_types()


def list_mark(count: int, kind: str) -> str:
    """Return the number of an item as a browser shows it, which counts as the `type` of its list says."""
    return _LABELS[kind].label(count) if kind in ("a", "A", "i", "I") and 0 < count < 4_000 else str(count)


@dataclass(slots=True)
class _Holder:
    """An open list, item or note. `number`: of the next item, -1 in a list without numbers."""

    tag: str
    number: int = -1
    label_type: str = ""
    admonition: Admonition | None = None


class BlockBuilder(HTMLParser):
    """Makes blocks of elements. `line`: the line of the file in which the next words begin."""

    def __init__(self, page: SourcePage, slugs: Slugs, *, tells_hidden: bool) -> None:
        super().__init__()
        self.page, self.slugs, self.tells_hidden = page, slugs, tells_hidden
        self.lines = re.split(r"\r\n|\n|\r", page.file.text)
        self.blocks: list[SourceBlock] = []
        self.left_out: list[LeftOutWords] = []
        self.guesses: list[Guess] = []
        self.places: dict[int, tuple[float, float]] = {}
        self.holders: list[_Holder] = []
        self.asides = 0
        self.marker = ""
        self.runs: list[Run] = []
        self.looks = [("", Run(""))]
        self.terms: Runs = ()
        self.heading = ("", False)
        self.rows: list[list[Cell]] | None = None
        self.caption: Runs = ()
        self.cell: Cell | None = None
        self.ids: list[tuple[int, str]] = []
        self.line = self.first = 1
        self.is_inline = False
        self.silent, self.silent_depth = "", 0
        self.hidden: list[str] = []
        self.place: tuple[float, float] | None = None
        self.link_end = (0, 0)
        self.unknown: set[tuple[int, str]] = set()

    # HTML

    def feed_html(self, html: str, line: int) -> None:
        """Read a part of HTML that begins in a line. What it leaves open ends with it."""
        self.reset()
        self.first = self.line = line
        depth = len(self.holders)
        self.feed(escape_long_entities(html))
        self.close()
        self.end_table()
        self.leave(depth)
        del self.looks[1:]
        self.end_silence()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        if self.is_inline:
            self.open_inline(tag, attributes)
            return
        self.line = self.first + self.getpos()[0] - 1
        if self.silent == "head" and tag not in _IN_HEAD:
            self.end_silence()
        if self.silent:
            self.silent_depth += tag == self.silent
        elif tag in SILENT or tag == "nav":
            self.silent, self.silent_depth = tag, 1
        else:
            self.begin(tag, attributes)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in SILENT:
            self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if self.is_inline:
            self.close_inline(tag)
        elif self.silent:
            self.silent_depth -= tag == self.silent
            if self.silent_depth == 0:
                self.end_silence()
        else:
            self.end(tag)

    def end_silence(self) -> None:
        words, tag = " ".join(" ".join(self.hidden).split()), self.silent
        if words and tag == "nav":
            self.leave_out(f"navigation: {words}", "a comment")
        elif words and self.tells_hidden:
            self.leave_out(words, f"<{tag}> is for the browser")
        self.silent, self.hidden = "", []

    def handle_data(self, data: str) -> None:
        if not self.is_inline:
            self.line = self.first + self.getpos()[0] - 1
        if match := _MARKED.match(data):
            self.marker = match[1] if self.marker else ""
            data = data[match.end() if self.marker else 0 :].replace(MARKER, "" if self.marker else " ")
        if self.silent:
            self.hidden.append(data)
        elif data.strip() or self.is_inline or self.cell or self.rows is None:
            self.put(data)

    def handle_comment(self, data: str) -> None:
        if self.tells_hidden and not self.is_inline and not self.silent and data.strip():
            self.leave_out(data, "a comment")

    def leave_out(self, words: str, reason: str) -> None:
        line = self.first + self.getpos()[0] - 1
        self.left_out.append(LeftOutWords(self.page, line, words, reason, is_in_lines=not self.tells_hidden))

    # Elements

    def begin(self, tag: str, attributes: Mapping[str, str], markup: str = "") -> None:
        """Open an element. Its id is an address of the words that come next."""
        if tag == "table" or (self.rows is not None and tag in ("tr", "td", "th", "caption")):
            self.begin_table(tag, attributes)
        elif self.cell and tag in (*_BLOCKS, *_HOLDERS):
            self.put((BREAK if tag == "li" else " ") if self.runs else "")
        elif tag in ("ul", "ol"):
            self.settle()
            if self.marker and self.marker != "-":
                self.add_block("item", (), self.line)
            start = parse_int(attributes.get("start") or "1")
            number = -1 if tag == "ul" else 1 if start is None else max(start, 0)
            if len(self.holders) < _DEEPEST:
                self.holders.append(_Holder(tag, number, attributes.get("type", "")))
        elif tag == "li":
            self.begin_item(markup, attributes)
        elif tag == "blockquote":
            self.begin_admonition(tag, "")
        elif tag in _BLOCKS:
            self.flush()
            if tag == "dt":
                self.settle()
            if tag in ("dt", "summary"):
                self.looks.append((tag, replace(self.looks[-1][1], strong=True)))
            self.heading = (attributes.get("id", "") and f"{{#{attributes['id']}}}", False)
            place = _PLACE.search(attributes.get("style", ""))
            self.place = (float(place[1]), float(place[2])) if place else None
        else:
            self.open_inline(tag, attributes)
            return
        self.add_ids(attributes)

    def add_ids(self, attributes: Mapping[str, str], *names: str) -> None:
        offset = len(raw_text(self.runs))
        self.ids += [(offset, attributes[name]) for name in ("id", *names) if attributes.get(name)]

    def begin_item(self, sign: str, attributes: Mapping[str, str]) -> None:
        """Open an item of the innermost list. Outside of a list it is a paragraph."""
        at = next((n for n in reversed(range(len(self.holders))) if self.holders[n].tag in ("ul", "ol")), -1)
        self.leave(at + 1 if at >= 0 else len(self.holders))
        if at < 0:
            return
        holder = self.holders[at]
        given = parse_int(attributes.get("value", ""))
        if given is not None and holder.tag == "ol":
            holder.number = max(given, 0)
        self.marker = "-"
        if holder.number >= 0:
            self.marker = list_mark(holder.number, attributes.get("type") or holder.label_type) + (
                sign or "."
            )
            holder.number += 1
        if len(self.holders) < _DEEPEST:
            self.holders.append(_Holder("li"))

    def begin_admonition(self, tag: str, kind: str, title: str = "") -> None:
        self.settle()
        self.asides += 1
        self.holders.append(_Holder(tag, admonition=Admonition(self.asides, kind)))
        if title:
            self.add_block("paragraph", (Run(title, self.line, strong=True),), self.line)

    def end(self, tag: str) -> None:
        at = next((n for n in reversed(range(len(self.holders))) if self.holders[n].tag == tag), -1)
        if tag in ("td", "th", "tr"):
            self.end_cell()
        elif tag == "table":
            self.end_table()
        elif tag == "caption" and self.rows is not None:
            self.caption, self.runs = strip(self.runs), []
        elif at >= 0 and not self.cell:
            self.leave(at)
        elif tag == "dt" and not self.cell:
            self.close_inline(tag)
            self.terms, self.runs = strip(self.runs), []
        else:
            self.close_inline(tag)
            if not self.cell and tag in _BLOCKS:
                self.flush(_HEADINGS.index(tag) + 1 if tag in _HEADINGS else 0)
                if tag == "dl":
                    self.settle()

    def leave(self, depth: int) -> None:
        """Close all lists and notes but so many."""
        self.settle()
        if any(holder.tag == "li" for holder in self.holders[depth:]):
            if self.marker and self.marker != "-":
                self.add_block("item", (), self.line)
            self.marker = ""
        for holder in reversed(self.holders[depth:]):
            if holder.admonition and not holder.admonition.kind:
                self.name_admonition(holder.admonition)
        del self.holders[depth:]

    def name_admonition(self, admonition: Admonition) -> None:
        """Give a quote the kind that its first words say: [!TIP]."""
        at = next(
            (n for n, block in enumerate(self.blocks) if block.admonition == admonition), len(self.blocks)
        )
        match = _ALERT.match(plain(self.blocks[at].runs)) if at < len(self.blocks) else None
        if not match:
            return
        first, named = self.blocks[at], replace(admonition, kind=match[1].lower())
        self.left_out.append(LeftOutWords(self.page, first.line, match[1], "the sort of a note"))
        runs = strip((replace(first.runs[0], text=first.runs[0].text[match.end() :]), *first.runs[1:]))
        self.blocks[at] = replace(first, runs=runs)
        for index in range(at, len(self.blocks)):
            if self.blocks[index].admonition == admonition:
                self.blocks[index] = replace(self.blocks[index], admonition=named)
        if not runs:
            del self.blocks[at]

    def flush(self, level: int = 0) -> None:
        """End the words that are being read: a heading, paragraphs, or nothing."""
        if self.cell:
            return
        runs, self.runs = strip(self.runs), []
        source, underlined = self.heading
        self.heading = ("", False)
        if level and (runs or source):
            source = f"{plain(runs)} {source}" if source.startswith("{#") or not source else source
            _, anchor = self.slugs.heading(source, underlined)
            self.add_block("heading", runs, runs[0].line if runs else self.line, level, anchor)
            return
        if runs and self.terms:
            space = replace(self.terms[-1], text=" ", strong=False, link=None)
            runs, self.terms = (*self.terms, space, *runs), ()
        start, waiting = 0, self.ids
        while runs:
            at = next((i for i, run in enumerate(runs) if not run.picture and BREAK in run.text), len(runs))
            own, rest = list(runs[:at]), list(runs[at + 1 :])
            if at < len(runs):
                head, _, tail = runs[at].text.partition(BREAK)
                own.append(replace(runs[at], text=head))
                rest.insert(0, replace(runs[at], text=tail, line=runs[at].line + head.count("\n")))
            start += len(raw_text(own)) + 1
            runs = tuple(rest)
            if block_runs := strip(own):
                self.ids = [one for one in waiting if one[0] < start or not rest]
                waiting = [one for one in waiting if one not in self.ids]
                self.ids = [(0, name) for _, name in self.ids]
                self.add_block("item" if self.marker else "paragraph", block_runs, block_runs[0].line)
        self.ids = waiting

    def add_block(self, kind: str, runs: Runs, line: int, level: int = 0, anchor: str = "") -> None:
        depth = sum(holder.tag in ("ul", "ol") for holder in self.holders)
        admonition = next((holder.admonition for holder in reversed(self.holders) if holder.admonition), None)
        ids: Ids = tuple(self.ids) if runs else ()
        marker = self.marker if kind != "heading" else ""
        if self.place:
            self.places[len(self.blocks)] = self.place
            self.place = None
        self.blocks.append(
            SourceBlock(kind, runs, self.page, line, level, depth, marker, ids, anchor, admonition=admonition)
        )
        if ids:
            self.ids = []
        self.marker = self.marker if kind == "heading" else ""

    def settle(self) -> None:
        """End the words that are being read, and terms without a definition."""
        self.flush()
        terms, self.terms = self.terms, ()
        if terms:
            self.add_block("paragraph", terms, terms[0].line)

    # Tables

    def begin_table(self, tag: str, attributes: Mapping[str, str]) -> None:
        self.end_cell()
        self.settle()
        if self.rows is None:
            self.rows, self.caption, self.table_line = [], (), self.line
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows = self.rows or [[]]
            spans = (parse_int(attributes.get(name, "")) or 1 for name in ("colspan", "rowspan"))
            columns, rows = (min(max(span, 1), _MOST_SPANNED) for span in spans)
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
        rows, self.rows = tuple(tuple(row) for row in self.rows), None
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
        (_, look), last = self.looks[-1], self.runs[-1] if self.runs else None
        if text:
            run = replace(look, text=text, line=self.line)
            if last and self.is_inline and run == replace(last, text=text, line=self.line):
                self.runs[-1] = replace(last, text=last.text + text)
            else:
                self.runs.append(run)
        self.line += text.count("\n")

    def open_inline(self, tag: str, attributes: Mapping[str, str]) -> None:
        _, look = self.looks[-1]
        self.add_ids(attributes, *(("name",) if tag == "a" else ()))
        if len(self.looks) > _DEEPEST and tag not in ("img", "br"):
            return
        if tag in _EMPHASIS:
            strong = _EMPHASIS[tag] == "strong"
            look = replace(look, strong=look.strong or strong, emphasis=look.emphasis or not strong)
            self.looks.append((tag, look))
        elif tag in ("span", "font"):
            styled = _COLOUR.search(attributes.get("style", ""))
            colour = (
                styled[1]
                if styled
                else attributes.get("color") or " ".join(_COLOURS.findall(attributes.get("class", "")))
            )
            self.looks.append((tag, replace(look, colour=colour.strip().lower() or look.colour)))
        elif tag == "a" and "href" in attributes:
            self.looks.append((tag, replace(look, link=self.link(attributes["href"]))))
        elif tag == "img":
            self.add_picture(
                attributes.get("src", ""), attributes.get("alt", ""), attributes.get("title", "")
            )
            self.set_size(" ".join(f"{name}={attributes.get(name, '')}" for name in ("width", "height")))
        elif tag == "br":
            self.put(BREAK)
        elif tag not in (*_PLAIN, *_PARAGRAPHS, "a", "wbr") and (self.line, tag) not in self.unknown:
            self.unknown.add((self.line, tag))
            message = f"the tag <{tag}> says nothing in a book; its words are kept"
            self.guesses.append(Guess(self.page, self.line, message))

    def close_inline(self, tag: str) -> None:
        """End what a tag began; what began after it ends too."""
        at = next((n for n in reversed(range(1, len(self.looks))) if self.looks[n][0] == tag), 0)
        del self.looks[at or len(self.looks) :]

    def add_picture(self, address: str, words: str, caption: str) -> None:
        words, caption = " ".join(words.split()), " ".join(caption.split())
        picture = Picture(address, caption if caption != words else "")
        self.runs.append(replace(self.looks[-1][1], text=words, line=self.line, link=None, picture=picture))

    def set_size(self, words: str) -> None:
        """Give the last picture the width and height that words say."""
        last = self.runs[-1]
        sides = " ".join(f"{name}={value}" for name, value in _SIDE.findall(words))
        if sides and last.picture:
            self.runs[-1] = replace(last, picture=replace(last.picture, size=sides))

    def link(self, href: str) -> Link:
        """Return a link with the column of its address, if that is found in the line."""
        for line in range(self.line - 1, min(self.line + 2, len(self.lines))):
            start = self.link_end[1] if self.link_end[0] == line else 0
            if (at := self.lines[line].find(href, start)) >= 0:
                self.link_end = line, at + len(href)
                return Link(href, line + 1, at + 1)
        return Link(href, self.line)


def _rows_of_labels(rows: Sequence[Sequence[Cell]]) -> list[Runs]:
    """Return the rows of a table as paragraphs if each is a label of a rule and a sentence."""
    filled = [[cell for cell in row if cell.runs] for row in rows if any(cell.runs for cell in row)]
    labelled = [row for row in filled if len(row) == 2 and _LABEL.fullmatch(plain(row[0].runs))]
    words = sum(len(plain(row[1].runs).split()) for row in labelled)
    firsts = [plain(row[0].runs).partition(".")[0] for row in labelled]
    if len(labelled) < 2 or len(labelled) * 2 < len(filled) or words < 3 * len(labelled):
        return []
    if not any(one == other for one, other in pairwise(firsts)):
        return []
    return [(*row[0].runs, Run(" "), *(run for cell in row[1:] for run in cell.runs)) for row in filled]


def join_placed_lines(
    blocks: Sequence[SourceBlock], places: Mapping[int, tuple[float, float]]
) -> list[SourceBlock]:
    """Join lines that converters of PDF set one by one into paragraphs.

    A line continues the line before if it is right below and neither is bold or indented.
    """
    if len(places) < len(blocks) / 2:
        return list(blocks)
    joined: list[SourceBlock] = []
    last: tuple[float, float] | None = None
    for index, block in enumerate(blocks):
        place = places.get(index)
        is_below = place and last and 0 <= place[0] - last[0] < 20 and abs(place[1] - last[1]) < 3
        bold = [all(run.strong for run in one.runs) for one in (block, *joined[-1:])]
        if is_below and not any(bold):
            space = Run("\n", block.line)
            joined[-1] = replace(joined[-1], runs=(*joined[-1].runs, space, *block.runs))
        else:
            joined.append(block)
        last = place
    return joined
