"""The shelf: all books with their references resolved, and what cites what."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

from rulewright.book import sheet, targets
from rulewright.book.cited_things import ListItem, called_in_full, names_in, things_called
from rulewright.book.library import Edition
from rulewright.book.outline import Entry, Outline
from rulewright.book.remarks import Remark, remarks_in
from rulewright.book.sequence import StepEntry
from rulewright.book.sheet import Sheet
from rulewright.book.tables import Source, TableEntry, place_tables, table_named
from rulewright.citations.corpus import overriding, texts_in
from rulewright.citations.resolving import NOT_A_NUMBER, UNCLEAR, Books, Memo, Resolved, document, written_in
from rulewright.citations.things import with_things
from rulewright.citations.works import Works
from rulewright.model.amended import Amended
from rulewright.model.keys import texts_of
from rulewright.source.kept import Cache, kept
from rulewright.source.problems import did_you_mean, shown
from rulewright.source.text import Text, TextKey
from rulewright.text.document import Document, passages, plain


@dataclass(frozen=True, slots=True)
class Citation:
    """A text with its references. `source`: what it is of; `chapter`: its label; `cites`: it is a `see:`."""

    source: Source
    text: Text
    resolved: tuple[Resolved, ...]
    chapter: str
    cites: bool


_Key = tuple[TextKey, str]
_Known = dict[_Key, tuple[Document, tuple[Resolved, ...]]]
"""References by text; of one that means something else in each of several editions, by that too."""


@dataclass(slots=True, repr=False)  # one holds the other, over and over
class Shelf(Books):
    """The books with all that stands beside their rules, and what cites what.

    `texts`: all of each edition with their references; `tables`: those of each edition, `homes` all of them
    by what is cited for them: a table that is a rule is cited as that rule. `sheets`: the player aids of
    each; what they cite is not told at the rule, since a sheet repeats what the rules say. `remarks`: the
    errata and questions of each, `shown_at` those that a rule, a table, a step or an aid shows.
    """

    tables: dict[str, list[TableEntry]] = field(default_factory=dict)
    sheets: dict[str, list[Sheet]] = field(default_factory=dict)
    remarks: dict[str, list[Remark]] = field(default_factory=dict)
    shown_at: dict[targets.Thing, list[Remark]] = field(default_factory=dict)
    homes: Mapping[Entry | TableEntry, TableEntry] = field(init=False)
    citations: dict[str, list[Citation]] = field(init=False, default_factory=dict)
    texts: dict[str, list[tuple[Text, Sequence[Resolved]]]] = field(init=False, default_factory=dict)
    cited_by: dict[Entry | TableEntry, list[Source]] = field(init=False, default_factory=dict)
    _known: _Known = field(init=False, default_factory=dict)
    _late: dict[_Key, Callable[[], Iterable[Resolved]]] = field(init=False, default_factory=dict)
    _works: dict[str, Works] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        Books.__post_init__(self)
        self.homes = {table.home: table for tables in self.tables.values() for table in tables}

    def resolve(
        self,
        text: str,
        outline: Outline | None,
        chapter: str = "",
        cued: bool = False,
        within: Entry | None = None,
    ) -> list[Resolved]:
        """Every reference in a text, see `Books.resolve`, those to things that are no rules too.

        `within`: the rule that the text stands in. What things are called is looked up each time: a memo
        knows numbers alone.
        """
        resolved = Books.resolve(self, text, outline, chapter, cued)
        own = self.read_in(text, outline) if outline and outline.edition.base else outline
        if resolved and "[[" in text:
            resolved = [self._called(one, text, own) for one in resolved]
        if own is None or cued:
            return resolved
        works = self._works_of(own.edition) if own.edition.book.books else None
        if elsewhere := list(works.find(text)) if works else []:
            resolved = Works.settle(elsewhere, text, resolved, self, own)
        may_cite = resolved or "tep" in text or "tem" in text or "oint" in text
        if not may_cite and "age" not in text and "p." not in text:
            return resolved  # as most texts
        return with_things(text, resolved, self, own, within, [one[:2] for one in elsewhere])

    def _works_of(self, edition: Edition) -> Works:
        if edition.address not in self._works:
            self._works[edition.address] = Works(edition.book)
        return self._works[edition.address]

    def _called(self, one: Resolved, text: str, own: Outline | None) -> Resolved:
        """A mark that holds no number resolved by what is called so: a table, a step or a term."""
        name = text[one.found.start : one.found.end]
        outline = self.by_mark(one.found.book, own) if one.found.book else own
        if one.fault is not NOT_A_NUMBER or outline is None or not any(map(str.isalpha, name)):
            return one
        around = self.around(outline)
        every = (things_called(name, each, self.tables.get(each.edition.address, ())) for each in around)
        found = next(filter(None, every), [])
        if len(found) == 1:
            return Resolved(one.found, thing=found[0])
        if found:
            tables = (f"table {each.key}" for each in found if isinstance(each, TableEntry))
            others = (called_in_full(each) for each in found if not isinstance(each, TableEntry))
            among = " and ".join(dict.fromkeys((*tables, *others)))
            message = f"{len(found)} things of {outline.edition.short} are called {shown(name)}: {among}"
            message += "; write the id of the one that is meant"
            return Resolved(one.found, fault=UNCLEAR, message=message)
        names = (n for each in around for n in names_in(each, self.tables.get(each.edition.address, ())))
        return one._replace(
            message=f"{one.message}, nor a table, step or term of it{did_you_mean(name, names)}"
        )

    def references(self, text: Text, edition: Edition | None = None) -> tuple[Resolved, ...]:
        """The references of a text. `edition`: of a text that means something else in each of several."""
        key = text.key, edition.address if edition else ""
        if late := self._late.get(key):  # taken out behind it, since another thread may ask
            self.enter(text, late(), edition)
            self._late.pop(key, None)
        known = self._known.get(key)
        return known[1] if known else ()

    def enter_late(self, text: Text, resolve: Callable[[], Iterable[Resolved]], edition: Edition) -> None:
        """Store what resolves the references of a text when they are first asked for."""
        self._late[text.key, edition.address] = resolve

    def enter(
        self, text: Text, resolved: Iterable[Resolved], edition: Edition | None = None
    ) -> tuple[Resolved, ...]:
        """Store a text with its references."""
        found = tuple(resolved)
        if found:
            self._known[text.key, edition.address if edition else ""] = document(text, found), found
        return found

    def document(self, text: Text, edition: Edition | None = None) -> Document:
        key = text.key, edition.address if edition else ""
        if key in self._late:
            self.references(text, edition)
        if key not in self._known:
            self._known[key] = Document(text), ()
        return self._known[key][0]

    def plain(self, text: Text, edition: Edition) -> str:
        """The plain words of a text that holds for several editions, as they are shown in one of them."""
        if not self.references(text, edition):
            return plain(text)
        read = passages(self.document(text, edition).blocks)
        return " ".join(" ".join("".join(one.words for one in inline) for _, inline in read).split())

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

    def used(self, step: StepEntry, table: TableEntry) -> str:
        """The number by which a step names a table that it uses: Combat Results Table 9.9.

        None where it has no number, or the step cites that anyway.
        """
        cited = (one.target for text in step.step.see for one in self.references(text))
        return "" if table.entry is None or table.entry in cited else f" {table.shown}"

    def terms(self, outline: Outline) -> Iterator[tuple[Text, bool, Outline | None]]:
        """An edition's term texts, whether each only cites, and the edition it is read in, the newest."""
        for term in outline.edition.book.terms.values():
            for text, cites in texts_of(term):
                yield text, cites, self.named(text.file.name.split("/")[1])

    def played(self, outline: Outline) -> Outline:
        """The edition whose sequence of play holds: a game's own or, where it has none, its series'."""
        return next((one for one in self.around(outline) if one.steps), outline)


class _Things(NamedTuple):
    """The things of an edition beside its rules and steps."""

    tables: list[TableEntry]
    sheets: list[Sheet]
    remarks: list[Remark]
    shown: list[tuple[targets.Thing, Remark]]


class _Cited(NamedTuple):
    """The citations of an edition, its references by text, and the outlines that those lead to."""

    citations: list[Citation]
    texts: list[tuple[Text, Sequence[Resolved]]]
    known: _Known
    leads: tuple[Outline, ...]


def cite(
    outlines: Mapping[str, Outline],
    memo: Memo | None = None,
    cache: Cache | None = None,
) -> Shelf:
    """Resolve the references of all editions and index what cites what.

    `memo`: what was resolved before; `cache`: of the last run the editions that may be as they were.
    """
    cache = {} if cache is None else cache
    things = {
        address: kept(cache, f" things {address}", (one,), partial(_things, one))
        for address, one in outlines.items()
    }
    shelf = Shelf(
        outlines,
        {address: one.tables for address, one in things.items()},
        {address: one.sheets for address, one in things.items()},
        {address: one.remarks for address, one in things.items()},
        memo=memo or Memo(),
    )
    for one in things.values():
        for thing, remark in one.shown:
            shelf.shown_at.setdefault(thing, []).append(remark)
    entered: set[tuple[Entry | TableEntry, Source]] = set()

    def enter(cited: Entry | TableEntry, source: Source) -> None:
        if source in shelf.shown_at.get(cited, ()):
            return  # the rule shows it whole
        if source is not cited and (cited, source) not in entered:
            entered.add((cited, source))
            shelf.cited_by.setdefault(cited, []).append(source)

    for address, outline in outlines.items():
        name, made_of = f" cited {address}", (*shelf.around(outline), *shelf.memo.numbering)
        cited = kept(cache, name, made_of, partial(_cited, outline, shelf))
        if any(outlines.get(one.edition.address) is not one for one in cited.leads):
            del cache[name]
            cited = kept(cache, name, made_of, partial(_cited, outline, shelf))
        shelf.citations[address], shelf.texts[address] = cited.citations, cited.texts
        shelf._known.update(cited.known)
        for citation in shelf.citations[address]:
            if isinstance(citation.source, Sheet) or not written_in(citation.text, outline.edition):
                continue
            for resolved in citation.resolved:
                for entry in (resolved.target, *resolved.inside):
                    if entry:
                        enter(entry, citation.source)
                if resolved.thing and isinstance(resolved.thing, ListItem):
                    enter(resolved.thing.entry, citation.source)
                elif resolved.thing and isinstance(resolved.thing, TableEntry):
                    enter(resolved.thing.home, citation.source)
        for step in outline.every_step():
            for used in step.step.uses:
                if written_in(used, outline.edition) and (table := shelf.table(outline.edition, used)):
                    enter(table.home, step)
    return shelf


def _things(outline: Outline) -> _Things:
    tables, sheets = place_tables(outline), sheet.sheets_of(outline.edition)
    remarks = list(remarks_in(outline.edition))
    return _Things(tables, sheets, remarks, list(targets.shown(remarks, outline, tables, sheets)))


def _cited(outline: Outline, shelf: Shelf) -> _Cited:
    known, shelf._known = shelf._known, {}
    texts: dict[tuple[str, int, str], tuple[Text, Sequence[Resolved]]] = {}
    citations = list(_citations(outline, shelf, texts))
    found, shelf._known = shelf._known, known
    every = [one for _, them in found.values() for one in them]
    things = (thing for one in every for thing in (one.target, one.thing, *one.inside))
    leads = {thing.edition.address: None for thing in things if thing}
    # A name that is not there leads nowhere, and may lead to something of that book when it changes.
    books = {one.found.book for one in every if one.fault and one.found.book}
    named = (into for book in books if (into := shelf.by_mark(book, outline)))
    leads |= {into.edition.address: None for into in named}
    return _Cited(citations, [*texts.values()], found, tuple(shelf.outlines[address] for address in leads))


def _citations(
    outline: Outline, shelf: Shelf, read: dict[tuple[str, int, str], tuple[Text, Sequence[Resolved]]]
) -> Iterator[Citation]:
    """Resolve every text of an edition, as it is and as it was printed. Give those that hold references.

    Each text that is met is entered in `read`, once.
    """
    edition = outline.edition
    sheets, remarks = shelf.sheets.get(edition.address, ()), shelf.remarks.get(edition.address, ())
    for source, texts, chapter in texts_in(outline, shelf.tables.get(edition.address, ()), sheets, remarks):
        for text, cites in texts:
            within = source if isinstance(source, Entry) else None
            resolved = shelf.enter(text, shelf.resolve(text, outline, chapter, cites, within))
            read[text.file.name, text.start, text] = text, resolved
            if resolved or cites:
                yield Citation(source, text, resolved, chapter, cites)
            if isinstance(text, Amended):
                shelf.enter(text.printed, shelf.resolve(text.printed, outline, chapter, cites, within))
    for text, cites, home in shelf.terms(outline):
        if home in shelf.around(outline):
            resolved = shelf.enter(text, shelf.resolve(text, outline, outline.home, cites), edition)
            if home is outline:
                read[text.file.name, text.start, text] = text, resolved
    for series in shelf.around(outline)[1:2]:
        for _, _, text in overriding(outline):
            found = shelf.resolve(str(text), series, series.home, cued=True)
            shelf.enter(text, found, series.edition)
