"""Rules as found on the pages of a book, with their texts, notes, tables and pictures.

Which sort of note a paragraph is, its first words say: `Design Note:`, `Example 2:`, `Exception:`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate

from rulewright.importers.website.blocks import Grid, Listing, TextPiece, behind, split, trimmed
from rulewright.importers.website.receipt import Receipt
from rulewright.importers.website.site import Page
from rulewright.numbers.dialect import Number


@dataclass(slots=True)
class Line:
    """A paragraph, or an item of a list: `bullet` is its sign, `depth` how many lists it lies in.

    `opens`: it is the first of a list that lies in no other.
    """

    pieces: list[TextPiece]
    line: int
    bullet: str = ""
    depth: int = 0
    opens: bool = False


@dataclass(slots=True)
class Note:
    kind: str
    lines: list[Line]
    line: int


@dataclass(slots=True)
class Subsection:
    """A heading without a number and the text below it, inside a rule; the first has no heading."""

    title: list[TextPiece]
    level: int
    line: int
    lines: list[Line] = field(default_factory=list)
    closing: bool = False


@dataclass(slots=True, eq=False)
class RuleNode:
    """A rule as found: `printed` is its number there, `item` the label that it has as an item of a rule.

    `grids`: its tables, each with what stands above it, and in front of which line of which part it stands.
    """

    number: Number | None
    printed: str
    page: Page
    line: int
    title: list[TextPiece] = field(default_factory=list)
    parts: list[Subsection] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    grids: list[tuple[Grid, str, Subsection, int]] = field(default_factory=list)
    rules: list[RuleNode] = field(default_factory=list)
    outline: Listing | None = None
    item: str = ""
    shows: str = ""
    remarks: list[str] = field(default_factory=list)

    @property
    def key(self) -> str:
        return self.number.key if self.number else self.printed

    def walk(self) -> Iterator[RuleNode]:
        yield self
        for inner in self.rules:
            yield from inner.walk()


@dataclass(slots=True)
class FoundRules:
    """The rules found in a book: in order, by key and by anchor; and what the receipt is told of them.

    `inside`: the labels of the chapters that rules of the pages lie in.
    """

    told: Receipt

    nodes: list[RuleNode] = field(default_factory=list)
    keys: set[str] = field(default_factory=set)
    inside: set[str] = field(default_factory=set)
    anchors: dict[tuple[str, str], RuleNode] = field(default_factory=dict)


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


def set_exceptions_apart(node: RuleNode, told: Receipt) -> None:
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
            before, inside = split(last.pieces, m.start("opens"))
            inner, _ = split(inside, closing)
            inner = behind(inner, m.end() - m.start("opens"))
            last.pieces = trimmed(before)
            told.turn(node.page, last.line, m["word"], "", "kind: exception")
            node.notes.insert(0, Note("exception", [Line(inner, inside[0].line)], inside[0].line))
            return


def is_italic(pieces: Sequence[TextPiece]) -> bool:
    """Whether a paragraph is in italics as a whole, or but for a word or two."""
    letters = sum(len(p.text.strip()) for p in pieces if not p.picture)
    slanted = sum(len(p.text.strip()) for p in pieces if p.italic and not p.picture)
    return bool(letters) and slanted >= 0.7 * letters


def upright(pieces: Sequence[TextPiece]) -> list[TextPiece]:
    """The words of a note without the italics that set it off; what was upright in it is in italics now."""
    if not is_italic(pieces):
        return list(pieces)
    return [replace(p, italic=not p.italic and p.text.strip().isalpha()) for p in pieces]
