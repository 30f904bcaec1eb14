"""The rulebook of an edition as one printed book: its HTML, and the page on which everything in it stands.

    outline ──front, chapters, back──► HTML ──printer──► laid out ──where is what?──► HTML, …

References print as "12.5 (p. 14)". The PDF engine could fill the page numbers in by itself, at three times
the cost. Here the book is laid out with room for as many figures as are expected, rather too many than too
few, and the pages are put there afterwards: figures are all equally wide, so no line breaks elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TypeVar

from rulewright.book.outline import Entry, Outline
from rulewright.book.sequence import StepEntry
from rulewright.book.tables import TableEntry
from rulewright.citations import prose
from rulewright.citations.blocks.turn import side_by_side
from rulewright.citations.corpus import texts_in
from rulewright.compare.change import Kind
from rulewright.compare.editions import Difference
from rulewright.model.paper import Paper
from rulewright.model.rulebook import Term
from rulewright.numbers.insets import insets_of, picture_of
from rulewright.print.book_compositor import BookCompositor, Pages, anchor
from rulewright.site.compositor import environment
from rulewright.site.context import Desk
from rulewright.source.resources import TEMPLATES
from rulewright.source.text import Text

WIDE = 6
"""From how many columns on a table stands across the page."""

STYLES = ("aids/sheet.css", "book/book.css")
PARTS = {
    "sequence": "Sequence of play",
    "narrative": "The sequence of play in words",
    "tables": "Tables",
    "glossary": "Glossary",
    "numbers-only": "Rules known by number only",
    "index": "Index",
}

_MARGIN = 16.0
_COLUMN = 72.0
_LETTERS = 6.2
"""Letters to a square centimetre of a column, headings and gaps included: for a first guess at pages."""

_LINE = 4.5
"""Height of a line of contents with its share of the space between chapters, in mm."""

_DOUBT = 1.15
"""By how much a guess may fall short: room for a figure too many is closed, for one too few all is redone."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class BookFormat:
    """Paper and ink of a printed book: `ink` is colour or black; `columns` of text on a page."""

    paper: Paper
    ink: str = "colour"

    @property
    def columns(self) -> int:
        return max(1, min(3, int((self.paper.width - 2 * _MARGIN) // _COLUMN)))

    @property
    def lines(self) -> float:
        """About how many lines of contents a page holds."""
        return max(20.0, self.columns * (self.paper.height - 3.5 * _MARGIN) / _LINE)

    @property
    def letters(self) -> float:
        """About how many letters of text a page holds."""
        width, height = self.paper.width - 2 * _MARGIN, self.paper.height - 2.5 * _MARGIN
        return max(200.0, width * height / 100 * _LETTERS * 2)


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """An entry of the index: a title with every rule that has it."""

    title: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class BackMatter:
    """A section behind the chapters, with its place in the contents."""

    anchor: str
    title: str


@dataclass(frozen=True, slots=True)
class Volume:
    """The rulebook of an edition, ready to be set in a format."""

    outline: Outline
    desk: Desk
    format: BookFormat
    site: str = ""
    bleed: float = 0.0

    def html(self, pages: Pages, mark: str = "") -> str:
        """The whole book, its references with these pages. `mark`: the hash of what it says."""
        at = BookCompositor("", self.desk, edition=self.outline.edition.address, pages=pages, site=self.site)
        template = environment().get_template("book/book.html")
        return template.render(
            at=at, book=self, mark=mark, outline=self.outline, edition=self.outline.edition
        )

    @property
    def pictures(self) -> list[str]:
        """The files of its pictures."""
        rules = [entry.rule for entry in self.outline.in_order if entry.rule]
        named = dict.fromkeys(picture_of(figure) for rule in rules for figure in rule.figures)
        return [name for name in named | dict.fromkeys(self.insets) if name in self.outline.edition.files]

    @property
    def insets(self) -> list[str]:
        """The files of the pictures that stand in its texts."""
        texts = texts_in(self.outline, self.desk.shelf.tables[self.outline.edition.address])
        return [name for _, some, _ in texts for text, _ in some for name in insets_of(text)]

    def styles(self) -> tuple[str, ...]:
        """The style sheets that it is set with."""
        cover = min(34.0, self.format.paper.width / 6)
        size = f"@page {{ size: {self.format.paper.width:g}mm {self.format.paper.height:g}mm }}"
        columns = f"html {{ --columns: {self.format.columns}; --small-columns: {self.format.columns + 1} }}"
        cover_size = f"html {{ --cover: {cover:g}pt; --bleed: {self.bleed:g}mm }}"
        sheets = [(TEMPLATES / name).read_text("utf-8") for name in STYLES]
        return (*sheets, f"{size}\n{columns}\n{cover_size}\n")

    @property
    def since(self) -> Difference | None:
        """Difference from the edition before, if something has a change bar or is gone."""
        difference = self.desk.difference(self.outline)
        told = difference and (
            self.gone or any(one.edition is self.outline.edition for one in self.desk.revised)
        )
        return difference if told else None

    @property
    def gone(self) -> list[Entry]:
        """The rules of the edition before that are certainly not in this one, but for those in such rules."""
        difference = self.desk.difference(self.outline)
        kinds = {Kind.REMOVED, Kind.MERGED}
        changes = difference.rules if difference else ()
        return [c.old for c in changes if c.old and not c.new and kinds & set(c.kinds) and not c.along]

    @property
    def chapters(self) -> list[Entry]:
        """The chapters of which there is text or a table."""
        return [chapter for chapter in self.outline.chapters if any(map(self.printed, chapter.walk()))]

    @property
    def numbers_only(self) -> list[Entry]:
        """The chapters of which only numbers and titles are known."""
        return [chapter for chapter in self.outline.chapters if chapter not in self.chapters]

    def printed(self, entry: Entry) -> bool:
        """Whether there is more to a rule, or to one inside it, than its number and its title."""
        return entry.transcribed or entry in self.desk.tables or any(map(self.printed, entry.children))

    def runs(self, chapter: Entry) -> Iterator[tuple[bool, list[Entry]]]:
        """The rules in a chapter, in runs of those that are printed and those that are not."""
        run: list[Entry] = []
        for entry in self.inside(chapter):
            if run and self.printed(entry) != self.printed(run[0]):
                yield self.printed(run[0]), run
                run = []
            run.append(entry)
        if run:
            yield self.printed(run[0]), run

    @property
    def parts(self) -> list[BackMatter]:
        """Sections behind the chapters that have any content."""
        held = {
            "sequence": self.outline.steps and "sequence" not in self.shown,
            "narrative": self.told and "narrative" not in self.shown,
            "tables": self.tables,
            "glossary": self.terms,
            "numbers-only": self.numbers_only,
            "index": self.index,
        }
        return [BackMatter(name, PARTS[name]) for name, what in held.items() if what]

    @staticmethod
    def inside(chapter: Entry) -> list[Entry]:
        """All rules of a chapter but itself."""
        return list(chapter.walk())[1:]

    @staticmethod
    def lines(entries: Sequence[Entry]) -> Iterator[list[Entry]]:
        """Rules line by line: one with a title has its own, numbers without titles share one."""
        for _, line in groupby(entries, lambda entry: entry if entry.title else (entry.parent, entry.level)):
            yield list(line)

    @property
    def shown(self) -> set[str]:
        """Names of the parts printed below rules: the sequence of play, its narrative, the game turn."""
        return {str(entry.rule.shows) for entry in self.outline.in_order if entry.rule and entry.rule.shows}

    @property
    def steps(self) -> frozenset[StepEntry]:
        """All steps of the sequence of play."""
        return frozenset(self.outline.every_step())

    @property
    def strip(self) -> list[StepEntry]:
        """The game turn in one row."""
        return side_by_side(self.outline)

    @property
    def told(self) -> list[StepEntry]:
        """The steps that the narrative tells."""
        return [step for step in self.outline.every_step() if step.told]

    @property
    def tables(self) -> list[TableEntry]:
        """The tables that stand in no rule."""
        return [table for table in self.desk.shelf.tables[self.outline.edition.address] if not table.entry]

    @property
    def terms(self) -> list[tuple[Text, Term]]:
        """The glossary, by the alphabet."""
        return sorted(self.outline.edition.book.terms.items(), key=lambda term: term[0].casefold())

    def rule(self, number: Text | None) -> Entry | None:
        """The rule of a number as the glossary has it."""
        return self.outline.find(number, self.outline.home) if number else None

    @property
    def index(self) -> list[IndexEntry]:
        """All titles by the alphabet, each with its rules."""
        found: dict[str, list[Entry]] = {}
        for entry in self.outline.in_order:
            if entry.title:
                found.setdefault(prose.plain(entry.title), []).append(entry)
        return [IndexEntry(title, tuple(found[title])) for title in sorted(found, key=_letters)]

    @staticmethod
    def is_wide(table: TableEntry) -> bool:
        """Whether a table stands across the page."""
        return max(len(grid.columns) for grid in table.grids()) >= WIDE

    def expected(self) -> Pages:
        """Guess page numbers with at least as many figures as most of the real ones."""
        pages: dict[str, str] = {}
        chapters = self.chapters
        listed = sum(1 + sum(1 for child in chapter.children if child.title) for chapter in chapters)
        front = 2 + int(listed / self.format.lines)
        letters = 0

        def page() -> str:
            return str(1 + front + int(_DOUBT * letters / self.format.letters))

        for entry in self.outline.in_order:
            pages[entry.key] = page()
            letters += 60 + sum(len(text) for text in _texts(entry))
        for name in [anchor(table) for table in self.tables] + [part.anchor for part in self.parts]:
            pages[name] = page()
        return pages


def settle(pages: Pages, lay_out: Callable[[Pages], tuple[T, Mapping[str, int]]]) -> tuple[T, dict[str, str]]:
    """Lay out until every page number has room; return the layout, and the page numbers to put into it.

    `lay_out` gives what it made, and on which page it found each anchor; at first it is given a guess. Where
    a page has more figures than there was room for, it is laid out again with more room, and never with less.
    """
    while True:
        made, found = lay_out(pages)
        after = {name: str(page) for name, page in found.items()}
        short = {name: page for name, page in after.items() if len(page) > len(pages.get(name, ""))}
        if not short:
            return made, after
        pages = {**pages, **short}


def _texts(entry: Entry) -> Sequence[str]:
    if not entry.rule:
        return ()
    return [text for text in (entry.rule.text, *(note.text for note in entry.rule.notes)) if text]


def _letters(title: str) -> tuple[str, str]:
    """Sort key of a title: its letters, without signs in front of them."""
    words = title.casefold().lstrip("“\"'‘(*")
    return words, title
