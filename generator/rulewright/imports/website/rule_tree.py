"""Rules as found on the pages of a book, with their texts, notes, tables and pictures.

Which sort of note a paragraph is, its first words say: `Design Note:`, `Example 2:`, `Exception:`. Labels and
titles that rules, items and steps open with are read here, and lists that are written as paragraphs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, takewhile

from rulewright.imports.outline.step_line_parser import kind_of
from rulewright.imports.website.import_report import ImportReport
from rulewright.imports.website.page_block_types import (
    Block,
    PageHeading,
    PageList,
    PageListItem,
    PageParagraph,
    PageTable,
    ParsedPage,
    TextPiece,
    iter_blocks,
    pieces_after,
    pieces_text,
    split_pieces,
    strip_pieces,
)
from rulewright.imports.sources.source_site import SourcePage
from rulewright.numbering.label_types import label_types
from rulewright.numbering.numbering_scheme import NumberingScheme, RuleNumber
from rulewright.numbering.scheme_detection import NAMED


@dataclass(slots=True)
class RuleLine:
    """A paragraph, or an item (`bullet`) in `depth` lists; `opens`: first of a list that is in no other."""

    pieces: list[TextPiece]
    line: int
    bullet: str = ""
    depth: int = 0
    opens: bool = False


@dataclass(slots=True)
class ImportedNote:
    kind: str
    lines: list[RuleLine]
    line: int


@dataclass(slots=True)
class Subsection:
    """A heading without a number and the text below it, inside a rule; the first has no heading."""

    title: list[TextPiece]
    level: int
    line: int
    lines: list[RuleLine] = field(default_factory=list)
    closing: bool = False


@dataclass(slots=True, eq=False)
class RuleNode:
    """A rule as found: `printed` is its number there, `item` the label that it has as an item of a rule.

    `grids`: its tables, each with what stands above it, and in front of which line of which part it stands.
    """

    number: RuleNumber | None
    printed: str
    page: SourcePage
    line: int
    title: list[TextPiece] = field(default_factory=list)
    parts: list[Subsection] = field(default_factory=list)
    notes: list[ImportedNote] = field(default_factory=list)
    grids: list[tuple[PageTable, str, Subsection, int]] = field(default_factory=list)
    rules: list[RuleNode] = field(default_factory=list)
    outline: PageList | None = None
    item: str = ""
    shows: str = ""
    comments: list[str] = field(default_factory=list)

    @property
    def key(self) -> str:
        return self.number.key if self.number else self.printed

    def walk(self) -> Iterator[RuleNode]:
        yield self
        for inner in self.rules:
            yield from inner.walk()


@dataclass(slots=True)
class ImportedBook:
    """A book as its pages have it: chapters with the rules inside them, and pages without rules.

    `numbers` and `forms`: the examples of its dialect, to which items add nothing where that is
    `is_scheme_fixed`. `nodes`: its rules in the order of the pages; `keys`: theirs; `inside`: the labels of
    the chapters that they lie in. `headings`: the words of each heading by page and anchor; `rules_by_page`:
    the rule that a page is, by its name; `titled`: the names of the pages whose title is a rule's; `title`:
    the book's, where a heading in front of its first rule is no more than that.
    """

    dialect: NumberingScheme
    numbers: list[str]
    forms: list[str]
    report: ImportReport
    is_scheme_fixed: bool = False
    nodes: list[RuleNode] = field(default_factory=list)
    keys: set[str] = field(default_factory=set)
    inside: set[str] = field(default_factory=set)
    anchors: dict[tuple[str, str], RuleNode] = field(default_factory=dict)
    chapters: list[RuleNode] = field(default_factory=list)
    unnumbered_pages: list[ParsedPage] = field(default_factory=list)
    headings: dict[tuple[str, str], str] = field(default_factory=dict)
    rules_by_page: dict[str, RuleNode] = field(default_factory=dict)
    titled: set[str] = field(default_factory=set)
    title: str = ""

    def iter_rules(self) -> Iterator[RuleNode]:
        return (node for chapter in self.chapters for node in chapter.walk())


_WORDS = {
    "example": "example examples beispiel beispiele exemple exemples ejemplo esempio voorbeeld ex",
    "exception": "exception exceptions ausnahme ausnahmen excepción eccezione uitzondering exc",
    "design": "design designer designers designer's historical history historisch historischer konzept",
    "play": "play player players player's playing hint hints tip tips tipp spiel spieltipp strategy tactics",
    "important": "note notes important warning caution clarification hinweis hinweise anmerkung "
    "anmerkungen wichtig achtung remark remarks remarque nota info attention danger erratum",
}
_KINDS = {word: kind for kind, words in _WORDS.items() for word in words.split()}
_RANKS = list(_WORDS)
_PLAIN = re.compile(
    r"(?:design(?:er)?(?:['’]?s)?|play(?:er)?(?:['’]?s)?|important)[ -]notes?|notes?|important|examples?|"
    r"exceptions?|beispiele?|ausnahmen?|hinweise?|anmerkung(?:en)?|wichtig|ex|exc",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"(examples?|beispiel|exemple)\s+(?:\d{1,2}|[A-Z])", re.IGNORECASE)
_LEAD = re.compile(r"[\s*_(“\"]*(?P<words>[^\W\d_][\w'’ -]{0,60}?)\s*[:.](?P<behind>[\s*_]*)")
_EXCEPTION = re.compile(
    r"(?P<opens>\()\s*(?P<word>Exceptions?|Ausnahmen?|Excepción|EXC)\s*:\s*", re.IGNORECASE
)
_MOST_WORDS = 7


def note_kind(words: str) -> str | None:
    """The kind of note that a few words name, or None: `Design Note` is a design note, `Supply` is none."""
    found = [_KINDS[word] for word in re.split(r"[\s-]+", words.lower().replace("’", "'")) if word in _KINDS]
    return min(found, key=_RANKS.index) if found else None


def is_plain(words: str) -> bool:
    """Whether words say nothing but the kind of a note, so that the kind can stand for them."""
    return bool(_PLAIN.fullmatch(words.strip()) or _NUMBERED.fullmatch(words.strip()))


def note_lead(pieces: Sequence[TextPiece]) -> tuple[str, str, int] | None:
    """The kind of note that a paragraph is, the words that say so, and where what follows begins.

    None where it is no note. The words have to be set off from the rest, in bold or italics, unless they are
    nothing but `Example:`, `Note:` and the like.
    """
    text = "".join(p.text for p in pieces if not p.picture)
    m = _LEAD.match(text)
    first = next((p for p in pieces if not p.picture and p.text.strip(" \n*_(")), None)
    if not m or first is None:
        return None
    words = " ".join(m["words"].split())
    is_set_off = first.bold or first.italic
    if not is_set_off and not (is_plain(words) and text[m.end("words") :].lstrip()[:1] == ":"):
        return None
    kind = note_kind(words) if words.count(" ") < _MOST_WORDS else None
    # "Play continues. …" is a sentence; only a colon, or words that are nothing else, make it a note.
    if kind is None or (text[m.end("words") :].lstrip()[:1] == "." and not is_plain(words)):
        return None
    return kind, words, m.end()


def set_exceptions_apart(node: RuleNode, told: ImportReport) -> None:
    """Make a note of an exception in parentheses that ends a rule's text."""
    parts = [part for part in node.parts if part.lines]
    last = parts[-1].lines[-1] if len(parts) == 1 and not parts[0].title and not parts[0].closing else None
    if last is None or last.bullet:
        return
    text = "".join(p.text for p in last.pieces if not p.picture).rstrip()
    for m in _EXCEPTION.finditer(text):
        depths = [*accumulate((sign == "(") - (sign == ")") for sign in text[m.start("opens") :])]
        closing = len(text) - m.start("opens") - (2 if text.endswith(").") else 1)
        if m.start("opens") and text.endswith((")", ").")) and 0 not in depths[:closing]:
            before, inside = split_pieces(last.pieces, m.start("opens"))
            inner, _ = split_pieces(inside, closing)
            inner = pieces_after(inner, m.end() - m.start("opens"))
            last.pieces = strip_pieces(before)
            told.note_changed(node.page, last.line, m["word"], "", "kind: exception")
            node.notes.insert(0, ImportedNote("exception", [RuleLine(inner, inside[0].line)], inside[0].line))
            return


def is_italic(pieces: Sequence[TextPiece]) -> bool:
    """Whether a paragraph is in italics as a whole, or but for a word or two."""
    letters = sum(len(p.text.strip()) for p in pieces if not p.picture)
    slanted = sum(len(p.text.strip()) for p in pieces if p.italic and not p.picture)
    return bool(letters) and slanted >= 0.7 * letters


SEQUENCE = re.compile(
    r"sequence|outline of play|turn order|order of play|ablauf|reihenfolge|séquence|secuencia", re.I
)

_ENDS = ".:)]—–-,"

_ITEM = re.compile(
    r"\s*(?:(?:\((?P<both>[A-Za-z]|\d{1,2}|[ivx]{1,5})\)|(?P<one>[A-Za-z]|\d{1,2}|[ivx]{1,5})\))[.:]?\s*"
    r"|(?P<letter>[a-z])\.\s+)"
)
_SORTS, _MOST_ITEMS = label_types(), {"A": 26, "a": 26, "1": 99, "i": 12}
_PARTING = re.compile(r"(?:[.:]|--?|—|–)(?=\s)\s*")
_END = re.compile(r"[.:!?]\Z")


@dataclass(frozen=True, slots=True)
class OpeningLabel:
    """The label that a text opens with: its number, as printed, and where what follows begins."""

    number: RuleNumber
    printed: str
    end: int


def parse_opening_label(text: str, dialect: NumberingScheme, least: int = 1) -> OpeningLabel | None:
    """The label that a text opens with, of `least` levels or more, or None."""
    named = NAMED.match(text)
    start = named.end() if named else len(text) - len(text.lstrip())
    word = re.compile(r"\S+").match(text, start)
    spaced = re.compile(r"\S+(?:[ \xa0](?=\S*\d))?\S*").match(text, start)
    before = len(text) - len(text.lstrip())
    whole = [re.compile(rf"\S+(?:\s\S+){{{n}}}").match(text, before) for n in (3, 1)] if named else []
    for m in filter(None, (*whole, word, spaced)):  # Appendix A and Rule 1 Case B, where the book says so
        start, token = m.start(), m.group()
        for cut in range(4):
            candidate = token[: len(token) - cut]
            if cut and (not candidate or token[-cut] not in _ENDS):
                break
            bare = candidate[1:-1] if candidate.startswith("(") and candidate.endswith(")") else candidate
            number = dialect.parse_number(bare)
            if number and len(number.labels) >= least and any(map(str.isalnum, candidate)):
                end = start + len(candidate)
                rest = re.compile(r"[ \t.:)\]—–-]*(?:\s+[—–-]\s+)?\s*").match(text, end)
                return OpeningLabel(number, bare, rest.end() if rest else end)
    return None


def base_of(printed: str, number: RuleNumber | None, dialect: NumberingScheme) -> str:
    """The prefix of the numbers of a rule's items: `5` for `5.`, `B` for `Appendix B` if rules are `B.1`."""
    own = dialect.shapes[number.shape][0].before.strip() if number else ""
    return (printed if own else NAMED.sub("", printed)).rstrip(".: ") or printed


def ascending_label_type(labels: Sequence[str]) -> str | None:
    """The sort of labels that go up one by one from the first: `A`, `a`, `1`, `i`; None for any others."""
    for sign in "Aa1i":
        count = map(_SORTS[sign].label, range(1, _MOST_ITEMS[sign] + 1))
        if all(label == wanted for label, wanted in zip(labels, count, strict=False)):
            return sign
    return None


def with_lists(blocks: Sequence[Block], takes_one: Callable[[], bool]) -> Iterator[Block]:
    """Blocks in which paragraphs that open with (a), (b) … in a row are a list, and one with (1) may be.

    A row of another sort behind an item lies in it: (b) (1) (2) (c). What stands between two items of a row
    belongs to the first of them; so a list of such items goes on behind it.
    """
    rows: list[list[PageListItem]] = []
    between: list[Block] = []
    is_list = False
    for block in [*blocks, None]:
        items = _labelled_items(block) if block else []
        names = _names(items)
        if names:
            depth = next(
                (n for n in range(len(rows), 0, -1) if ascending_label_type([*_names(rows[n - 1]), *names])),
                0,
            )
            first = ascending_label_type(names)
            if depth:
                _closed(rows, depth)
                rows[-1][-1].blocks += between
                rows[-1] += items
                between = []
                continue
            if (
                first
                and rows
                and not between
                and first not in [ascending_label_type(_names(row)) for row in rows]
            ):
                rows.append(items)
                continue
        if rows and block and not _opens(block) and not ascending_label_type(names or ["?"]):
            between.append(block)
            continue
        if rows:
            _closed(rows, 1)
            is_list = is_list or len(rows[0]) > 1 or (_names(rows[0]) == ["1"] and takes_one())
            yield from [PageList(rows[0], rows[0][0].line)] if is_list else rows[0][0].blocks
        yield from between
        rows, between = [], []
        if names and ascending_label_type(names):
            rows, is_list = [items], isinstance(block, PageList)
        elif block:
            yield block


def _labelled_items(block: Block) -> list[PageListItem]:
    """The items of a list that all open with (a), (b) …, or the item that a paragraph is; else nothing."""
    if isinstance(block, PageParagraph) and not block.opens:
        items = [PageListItem([block], block.line)]
    else:
        items = [*block.items] if isinstance(block, PageList) else []
    is_labelled = items and not any(_opens(block) for item in items for block in item.blocks)
    return items if is_labelled and len(_names(items)) == len(items) else []


def _opens(block: Block) -> bool:
    return isinstance(block, PageHeading) or (isinstance(block, PageParagraph) and block.opens)


def _names(row: Sequence[PageListItem]) -> list[str]:
    return [found[0] for item in row if (found := item_of(item))]


def _closed(rows: list[list[PageListItem]], depth: int) -> None:
    """Put rows into the items that they lie in, down to so many rows."""
    while len(rows) > depth:
        row = rows.pop()
        rows[-1][-1].blocks += [PageList(row, row[0].line)] if len(row) > 1 else row[0].blocks


def item_of(item: PageListItem) -> tuple[str, int] | None:
    """The label that an item opens with (`A)`, `(a)`), and where what follows begins; else None."""
    m = _ITEM.match("".join(p.text for p in item.lead if not p.picture))
    return (m["both"] or m["one"] or m["letter"], m.end()) if m else None


def split_bold_title(pieces: list[TextPiece]) -> tuple[list[TextPiece], list[TextPiece]]:
    """The title that a rule's first paragraph opens with in bold, and the rest; bold that goes on is none."""
    pieces = strip_pieces(pieces)
    if m := _PARTING.match("".join(p.text for p in pieces if not p.picture)):
        pieces = pieces_after(pieces, m.end())  # what parts the label from its text
    pictures = list(takewhile(lambda piece: piece.picture or not piece.text.strip(), pieces))
    title = list(takewhile(lambda piece: piece.bold, pieces[len(pictures) :]))
    text = strip_pieces(pieces[len(pictures) + len(title) :])
    words, rest = pieces_text(title), pieces_text(text)
    ends = bool(_END.search(words)) and not words.endswith(("...", "…"))
    ends = ends or (words.count(" ") < 6 and rest[:1].isupper() and words[:1].isupper())
    if not words or words.startswith(("...", "…")) or not (ends or not rest or rest[:1] in ".:—–-"):
        return [], pieces
    if len(words) > 100 or (not rest and words.endswith(".") and len(words) > 60):
        return [], pieces  # a rule whose whole text is in bold
    # What parts the title from its text says no more than the title does.
    if m := _PARTING.match("".join(p.text for p in text if not p.picture)):
        text = pieces_after(text, m.end())
    return strip_pieces(title), [*pictures, *text]


def bare_title(title: list[TextPiece]) -> list[TextPiece]:
    """A title without the full stop or colon at its end, and not in bold, which all titles are."""
    title = [replace(p, bold=False) for p in strip_pieces(title)]
    if title and title[-1].text.endswith((".", ":")) and not title[-1].text.endswith(("...", "etc.")):
        title[-1] = replace(title[-1], text=title[-1].text[:-1])
    return strip_pieces(title)


# Steps


def is_outline(listing: PageList, heading: str) -> bool:
    """Whether a list is a sequence of play: it is nested, and names enough phases, segments and turns."""
    items = [item for block in iter_blocks([listing]) if isinstance(block, PageList) for item in block.items]
    titles = [pieces_text(item.lead).split("(")[0].strip() for item in items]
    named = sum(kind_of(title) is not None for title in titles)
    nested = any(isinstance(block, PageList) for item in listing.items for block in item.blocks)
    return nested and named >= (3 if SEQUENCE.search(heading) else 5) and named * 6 >= len(titles)
