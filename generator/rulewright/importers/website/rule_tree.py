"""Rules as found on the pages of a book, with their texts, notes, tables and pictures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from rulewright.importers.website.blocks import Grid, Link, Listing, TextPiece
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
    """A rule as found: `printed` is its number there, `item` the label that it has as an item of a rule."""

    number: Number | None
    printed: str
    page: Page
    line: int
    title: list[TextPiece] = field(default_factory=list)
    parts: list[Subsection] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    grids: list[tuple[Grid, str]] = field(default_factory=list)
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


@dataclass(frozen=True, slots=True)
class Change:
    """Words of the source that became something else: `now`, or a sign, a kind, a place."""

    page: Page
    line: int
    was: str
    now: str
    what: str


@dataclass(slots=True)
class FoundRules:
    """The rules found in a book: in order, by key and by anchor; and words changed on the way."""

    nodes: list[RuleNode] = field(default_factory=list)
    keys: set[str] = field(default_factory=set)
    anchors: dict[tuple[str, str], RuleNode] = field(default_factory=dict)
    turned: list[Change] = field(default_factory=list)
    guesses: list[tuple[Page, int, str]] = field(default_factory=list)


def links_in(node: RuleNode) -> Iterator[tuple[TextPiece, Link]]:
    """Every link in the words of a rule."""
    runs = [node.title, *(part.title for part in node.parts)]
    runs += [line.pieces for part in node.parts for line in part.lines]
    runs += [line.pieces for note in node.notes for line in note.lines]
    runs += [cell.pieces for grid, _ in node.grids for row in grid.rows for cell in row]
    for pieces in runs:
        for piece in pieces:
            if piece.link:
                yield piece, piece.link
