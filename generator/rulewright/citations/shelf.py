"""The shelf: all books with their references resolved, and what cites what."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, field

from rulewright.book import sheet, targets
from rulewright.book.elsewhere import OtherSite
from rulewright.book.library import Edition
from rulewright.book.outline import Entry, Outline
from rulewright.book.remarks import Remark, remarks_in
from rulewright.book.sheet import Sheet
from rulewright.book.tables import Source, TableEntry, place_tables, table_named
from rulewright.citations.corpus import overriding, texts_in
from rulewright.citations.resolving import Books, Memo, Resolved, document, written_in
from rulewright.model.amended import Amended
from rulewright.model.keys import texts_of
from rulewright.source.text import Text, TextKey
from rulewright.text.document import Document


@dataclass(frozen=True, slots=True)
class Citation:
    """A text with its references. `source`: what it is of; `chapter`: its label; `cites`: it is a `see:`."""

    source: Source
    text: Text
    resolved: tuple[Resolved, ...]
    chapter: str
    cites: bool


@dataclass(slots=True, repr=False)  # one holds the other, over and over
class Shelf(Books):
    """The books with all that stands beside their rules, and what cites what.

    `tables`: those of each edition, `homes` all of them by what is cited for them: a table that is a rule is
    cited as that rule. `sheets`: the player aids
    of each; what they cite is not told at the rule, since a sheet repeats what the rules say. `remarks`: the
    errata and questions of each, `shown_at` those that a rule, a table, a step or an aid shows.
    """

    tables: dict[str, list[TableEntry]] = field(default_factory=dict)
    sheets: dict[str, list[Sheet]] = field(default_factory=dict)
    remarks: dict[str, list[Remark]] = field(default_factory=dict)
    shown_at: dict[targets.Thing, list[Remark]] = field(default_factory=dict)
    homes: Mapping[Entry | TableEntry, TableEntry] = field(init=False)
    citations: dict[str, list[Citation]] = field(init=False, default_factory=dict)
    cited_by: dict[Entry | TableEntry, list[Source]] = field(init=False, default_factory=dict)
    _known: dict[tuple[TextKey, str], tuple[Document, tuple[Resolved, ...]]] = field(
        init=False, default_factory=dict
    )

    def __post_init__(self) -> None:
        Books.__post_init__(self)
        self.homes = {table.home: table for tables in self.tables.values() for table in tables}

    def references(self, text: Text, edition: Edition | None = None) -> tuple[Resolved, ...]:
        """The references of a text. `edition`: of a text that means something else in each of several."""
        known = self._known.get((text.key, edition.address if edition else ""))
        return known[1] if known else ()

    def enter(
        self, text: Text, resolved: Iterable[Resolved], edition: Edition | None = None
    ) -> tuple[Resolved, ...]:
        """Store a text with its references."""
        found = tuple(resolved)
        if found:
            self._known[text.key, edition.address if edition else ""] = document(text, found), found
        return found

    def only(self, books: Collection[str]) -> Shelf:
        """The shelf with some books alone, by their folders, which no other book cites or extends."""
        part = copy(self)
        for name in ("outlines", "tables", "sheets", "remarks", "citations"):
            every = getattr(self, name)
            setattr(part, name, {at: one for at, one in every.items() if at.partition("/")[0] in books})
        return part

    def leads(self) -> Iterator[tuple[str, str]]:
        """The folders of two books of which one extends the other or cites its rules."""
        for outline in self.outlines.values():
            for edition in outline.edition.around:
                yield outline.edition.address.partition("/")[0], edition.address.partition("/")[0]
        for read, resolved in self._known.values():
            if isinstance(read.text, Text):
                book = read.text.file.name.split("/")[1]
                targets = (one for r in resolved for one in (r.target, *r.inside) if one)
                yield from {(book, one.edition.address.partition("/")[0]) for one in targets}

    def document(self, text: Text, edition: Edition | None = None) -> Document:
        key = text.key, edition.address if edition else ""
        if key not in self._known:
            self._known[key] = Document(text), ()
        return self._known[key][0]

    @property
    def of_each_book(self) -> list[Edition]:
        """An edition of each book, for what its editions have in common."""
        books = {address.partition("/")[0]: one.edition for address, one in self.outlines.items()}
        return [*books.values()]

    def table(self, edition: Edition, name: str) -> TableEntry | None:
        """The table of a number, an id or a title; where a game has none of that name, its series'."""
        for one in edition.around:
            if found := table_named(self.tables.get(one.address, []), name):
                return found
        return None

    def terms(self, outline: Outline) -> Iterator[tuple[Text, bool, Outline | None]]:
        """An edition's term texts, whether each only cites, and the edition it is read in, the newest."""
        for term in outline.edition.book.terms.values():
            for text, cites in texts_of(term):
                yield text, cites, self.named(text.file.name.split("/")[1])

    def played(self, outline: Outline) -> Outline:
        """The edition whose sequence of play holds: a game's own or, where it has none, its series'."""
        return next((one for one in self.around(outline) if one.steps), outline)


def cite(
    outlines: Mapping[str, Outline], sites: Mapping[str, OtherSite] | None = None, memo: Memo | None = None
) -> Shelf:
    """Resolve the references of all editions and index what cites what. `memo`: what was resolved before."""
    tables = {address: place_tables(one) for address, one in outlines.items()}
    sheets = {address: sheet.sheets_of(one.edition) for address, one in outlines.items()}
    remarks = {address: list(remarks_in(one.edition)) for address, one in outlines.items()}
    shelf = Shelf(outlines, sites or {}, tables, sheets, remarks, memo=memo or Memo())
    for address, outline in outlines.items():
        for thing, remark in targets.shown(remarks[address], outline, tables[address], sheets[address]):
            shelf.shown_at.setdefault(thing, []).append(remark)
    entered: set[tuple[Entry | TableEntry, Source]] = set()

    def enter(cited: Entry | TableEntry, source: Source) -> None:
        if source in shelf.shown_at.get(cited, ()):
            return  # the rule shows it whole
        if source is not cited and (cited, source) not in entered:
            entered.add((cited, source))
            shelf.cited_by.setdefault(cited, []).append(source)

    for address, outline in outlines.items():
        shelf.citations[address] = list(_citations(outline, shelf))
        for citation in shelf.citations[address]:
            if isinstance(citation.source, Sheet) or not written_in(citation.text, outline.edition):
                continue
            for resolved in citation.resolved:
                for entry in (resolved.target, *resolved.inside):
                    if entry:
                        enter(entry, citation.source)
        for step in outline.every_step():
            for name in step.step.uses:
                if written_in(name, outline.edition) and (table := shelf.table(outline.edition, name)):
                    enter(table.home, step)
    return shelf


def _citations(outline: Outline, shelf: Shelf) -> Iterator[Citation]:
    """Resolve every text of an edition, as it is and as it was printed. Give those that hold references."""
    edition = outline.edition
    sheets, remarks = shelf.sheets.get(edition.address, ()), shelf.remarks.get(edition.address, ())
    for source, texts, chapter in texts_in(outline, shelf.tables.get(edition.address, ()), sheets, remarks):
        for text, cites in texts:
            resolved = shelf.enter(text, shelf.resolve(text, outline, chapter, cued=cites))
            if resolved or cites:
                yield Citation(source, text, resolved, chapter, cites)
            if isinstance(text, Amended):
                shelf.enter(text.printed, shelf.resolve(text.printed, outline, chapter, cites))
    for text, cites, home in shelf.terms(outline):
        if home in shelf.around(outline):
            shelf.enter(text, shelf.resolve(text, outline, outline.home, cites), edition)
    for series in shelf.around(outline)[1:2]:
        for _, _, text in overriding(outline):
            found = shelf.resolve(str(text), series, series.home, cued=True)
            shelf.enter(text, found, series.edition)
