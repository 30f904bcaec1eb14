"""Which rule each reference means, what is wrong with those that mean none, and who cites a rule.

Resolving comes after every book is in order, since a reference may lead into another book.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from rulewright.book import sheet, targets
from rulewright.book.elsewhere import OtherSite
from rulewright.book.library import Edition
from rulewright.book.lineage import newest
from rulewright.book.outline import Entry, Outline
from rulewright.book.remarks import Remark, remarks_in
from rulewright.book.sheet import Sheet
from rulewright.book.tables import Source, TableEntry, place_tables, table_named
from rulewright.citations.corpus import texts_in
from rulewright.citations.resolving import Resolved as Resolved
from rulewright.citations.resolving import (
    SeriesNames,
    meant_in,
    missing,
    range_end,
    rule_of,
    together,
    written_in,
)
from rulewright.numbers.dialect import Number
from rulewright.numbers.evidence import Cue
from rulewright.numbers.finder import Found, marks
from rulewright.source.problems import Severity, did_you_mean, kind, shown
from rulewright.source.text import Text

NOT_FOUND = kind(
    "reference-not-found", "A reference names a rule that the book does not have. The nearest is named."
)
BOOK_NOT_FOUND = kind(
    "book-not-found", "A mark such as [[ocs/3.0:14.6c]] names a book or an edition that is not here."
)
NOT_A_NUMBER = kind(
    "not-a-rule-number", "A mark or a `see:` holds something that is no rule number of the book."
)
DISAGREES = kind(
    "mark-disagrees", "The words of a mark are themselves a rule number, of another rule than it leads to."
)

UNCLEAR = kind("reference-unclear", "A number may mean several rules. Write the one that is meant in full.")
UNREADABLE = kind(
    "reference-unreadable",
    """A word such as see or rule leads up to a number that is not written as the book writes its numbers, and
    no rule alone can be meant by it.""",
)
MISWRITTEN = kind(
    "reference-miswritten",
    """A reference is not written as the book writes its numbers, 12.5.c for 12.5c. It leads to the only rule
    that can be meant.""",
    Severity.NOTE,
)

MOST_TOLD = 500
"""For how many wrong numbers of an edition the nearest right one is looked for."""


@dataclass(frozen=True, slots=True)
class Citation:
    """One text of an edition with all its references.

    `source`: the rule, step, table or player aid it belongs to, or the sequence of play as a whole;
    `cites`: it is a `see:`.
    """

    source: Source
    text: Text
    resolved: tuple[Resolved, ...]
    cites: bool = False


@dataclass(slots=True)
class Shelf:
    """All outlines, by address, and other sites: what a reference can lead to; once cited, what cites what.

    `told`: what was said about numbers that an edition does not have, by their key.
    `tables`: those of each edition. A table that is a rule is cited as that rule. `sheets`: the player aids
    of each; what they cite is not told at the rule, since a sheet repeats what the rules say. `remarks`: the
    errata and questions of each, `shown_at` those that a rule, a table, a step or an aid shows.
    """

    outlines: Mapping[str, Outline]
    citations: dict[str, list[Citation]] = field(default_factory=dict)
    cited_by: dict[Entry | TableEntry, list[Source]] = field(default_factory=dict)
    told: dict[str, dict[str, str]] = field(default_factory=dict)
    tables: dict[str, list[TableEntry]] = field(default_factory=dict)
    sheets: dict[str, list[Sheet]] = field(default_factory=dict)
    remarks: dict[str, list[Remark]] = field(default_factory=dict)
    shown_at: dict[targets.Thing, list[Remark]] = field(default_factory=dict)
    sites: Mapping[str, OtherSite] = field(default_factory=dict)
    names: dict[str, SeriesNames] = field(default_factory=dict)
    newest: Mapping[str, Edition] = field(init=False)

    def __post_init__(self) -> None:
        self.newest = newest(outline.edition for outline in self.outlines.values())

    def named(self, address: str) -> Outline | None:
        """The outline of an edition, or of a book's newest edition."""
        edition = self.newest.get(address)
        return self.outlines.get(edition.address if edition else address)

    def around(self, outline: Outline) -> list[Outline]:
        """An edition and, of a game, those of the series that it extends, the nearest first."""
        found = (self.outlines.get(edition.address) for edition in outline.edition.around)
        return [one for one in found if one]

    def table(self, edition: Edition, name: str) -> TableEntry | None:
        """The table of a number, an id or a title; where a game has none of that name, its series'."""
        for one in edition.around:
            if found := table_named(self.tables.get(one.address, []), name):
                return found
        return None

    def played(self, outline: Outline) -> Outline:
        """The edition whose sequence of play holds: a game's own or, where it has none, its series'."""
        return next((one for one in self.around(outline) if one.steps), outline)

    def resolve(
        self, text: str, outline: Outline | None, chapter: str = "", cued: bool = False
    ) -> list[Resolved]:
        """Every reference in a text with its rule or its fault, in order; numbers that are none are left out.

        `outline` is the edition that the text belongs to (None outside of any: only marks that name
        a book lead anywhere), `chapter` the label of the chapter it stands in. `cued`: every
        number in it is meant as a reference. What a game has from its series means what it means there.
        """
        if outline is None:
            return [self._marked(one, text, None, "") for one in marks(text)]
        if not written_in(text, outline.edition):
            outline = next((o for o in self.around(outline) if written_in(text, o.edition)), outline)
            chapter = outline.home
        around = self.around(outline) if outline.edition.base else [outline]
        dialects = dict.fromkeys(one.edition.dialect for one in around)
        resolved: list[Resolved] = []
        for dialect in dialects:
            readable = [one for one in around if one.edition.dialect is dialect]
            home = chapter if readable[0] is outline else readable[0].home
            resolved = together(resolved, self._read(text, readable, outline, home, cued))
        return resolved

    def _read(
        self, text: str, outlines: Sequence[Outline], own: Outline, chapter: str, cued: bool
    ) -> Iterator[Resolved]:
        """The references in a text to rules of some editions that number them alike, and its marks."""
        found = outlines[0].edition.finder.find(text, chapter, cued, partial(_place, outlines))
        names = self._names_of(own.edition) if own.edition.base else None
        last: tuple[int, Edition | None] = 0, None
        before: Resolved | None = None
        for at, one in enumerate(found):
            meant = None
            if one.mark:
                meant = self._marked(one, text, own, chapter) if outlines[0] is own else None
            elif one.others or (one.miswritten and not one.number):
                meant = _unclear(one, text, own) if outlines[0] is own else None
            elif one.number and one.cue is not Cue.NEVER:
                closes = found[at + 1] if at + 1 < len(found) and found[at + 1].through else None
                other = found[at - 1] if one.through else closes
                first = before if one.through and before and before.found is other else None
                said = names.find(text, one.start, last) if names else None
                last = one.end, said
                among = [o for o in outlines if said is None or o.edition is said]
                if among:
                    where = meant_in(one.number, other.number if other else None, among)
                    meant = self._meant(one, one.number, where, own, among, other, first)
            before = meant or before
            if meant:
                yield meant

    def _names_of(self, edition: Edition) -> SeriesNames:
        if edition.address not in self.names:
            self.names[edition.address] = SeriesNames(edition)
        return self.names[edition.address]

    def by_mark(self, book: str, outline: Outline | None) -> Outline | None:
        """The edition that a mark names; a book alone is the edition that the game extends, or the newest."""
        around = self.around(outline)[1:] if outline else ()
        extended = (one for one in around if one.edition.address.partition("/")[0] == book)
        return next(extended, None) or self.named(book)

    def _marked(self, one: Found, text: str, outline: Outline | None, chapter: str) -> Resolved:
        """What an explicit mark means: the number is right, or an error."""
        written, number = text[one.start : one.end], one.number
        if one.book:
            if (outline := self.by_mark(one.book, outline)) is None:
                return self._elsewhere(one, written)
            chapter = outline.home
            number = outline.edition.dialect.parse(written, chapter)
        if outline is None:
            message = f"which book's {shown(written)}? Say [[book/edition:{shown(written)}]]"
            return Resolved(one, fault=BOOK_NOT_FOUND, message=message)
        if not one.book and outline.edition.base:
            around = ((o, o.edition.dialect.parse(written, o.home)) for o in self.around(outline)[1:])
            if not number or not rule_of(number, outline):
                theirs = ((o, n) for o, n in around if n and rule_of(n, o))
                outline, number = next(theirs, (outline, number))
        if number is None:
            message = f"{shown(written) or 'nothing'} is no rule number of {outline.edition.short}"
            return Resolved(one, fault=NOT_A_NUMBER, message=message)
        target = rule_of(number, outline)
        if target is None:
            among = [o for o in self.around(outline) if o.edition.dialect is outline.edition.dialect]
            among = [outline] if one.book else among
            return Resolved(one, None, number, fault=NOT_FOUND, message=self._missing(number, among))
        said = outline.find(one.label, chapter) if one.label else None
        if said and said is not target:
            message = f"the mark says {said.shown} and leads to {target.shown}; make them agree"
            return Resolved(one, target, number, fault=DISAGREES, message=message)
        return Resolved(one, target, number)

    def _elsewhere(self, one: Found, written: str) -> Resolved:
        """What a mark means whose first part is no book: a place on another site, or an error."""
        name, _, above = one.book.partition(":")
        if site := self.sites.get(name):
            away, fault, message = site.find(f"{above}:{written}" if above else written)
            return Resolved(one, fault=fault, message=message, away=away)
        near = did_you_mean(name, [*self.sites, *self.newest, *self.outlines])
        return Resolved(one, fault=BOOK_NOT_FOUND, message=f"no book {shown(name)} here{near}")

    def _meant(
        self,
        one: Found,
        number: Number,
        outline: Outline,
        own: Outline,
        among: Sequence[Outline],
        other: Found | None,
        first: Resolved | None,
    ) -> Resolved | None:
        """What a number in a text of `own` means in `outline`, or None where it is no reference.

        `among`: the editions in which it may be meant; `other`: the other end of its range, `first`: that end
        resolved, where this one closes the range.
        """
        target = rule_of(number, outline)
        partner = rule_of(other.number, outline) if other and other.number else None
        if other and other.number and one.cue is Cue.NONE and number.labels[0] != other.number.labels[0]:
            # Without a cue, a range over chapters is one of amounts unless both ends are rules in order.
            ends = (partner, target) if one.through else (target, partner)
            if not ends[0] or not ends[1] or ends[0].position > ends[1].position:
                return None
        if target is None:
            parent = outline.edition.dialect.parent(number)
            shaped = one.cue is Cue.SHAPE and parent is not None and parent.key in outline.entries
            if one.cue > Cue.SHAPE or shaped or partner:
                message = self._missing(number, among)
                if among[0] is not own:
                    message = message.replace(number.key, f"{number.key} in {outline.edition.short}", 1)
                return Resolved(one, None, number, fault=NOT_FOUND, message=message)
            return None
        if first and first.target and first.target.edition is outline.edition:
            return range_end(one, number, first.target, target, outline)
        return Resolved(one, target, number)

    def _missing(self, number: Number, among: Sequence[Outline]) -> str:
        """Says that there is no such rule; for as many numbers as anyone reads, what there is instead."""
        told = self.told.setdefault(among[0].edition.address, {})
        if number.key not in told:
            if len(told) == MOST_TOLD:
                return f"no rule {number.key}"
            told[number.key] = missing(number, among)
        return told[number.key]


def _place(outlines: Sequence[Outline], number: Number) -> int | None:
    """Where a rule stands in the order of the first edition that has it."""
    return next((entry.position for one in outlines if (entry := rule_of(number, one))), None)


def _unclear(one: Found, text: str, outline: Outline) -> Resolved:
    """A cued number that may mean several rules, or none that its book has."""
    written = shown(text[one.start : one.end])
    if one.others and one.number:
        keys = " or ".join(number.key for number in (one.number, *one.others))
        return Resolved(one, fault=UNCLEAR, message=f"{written} may mean {keys}; write the one that is meant")
    like = outline.edition.book.numbers[0]
    near = ""
    if one.nearest:
        there = rule_of(one.nearest, outline)
        near = f"; the nearest is {there.key}" if there else f": {missing(one.nearest, [outline])}"
    message = f"{written} is no number as this book writes them, like {like}{near}"
    return Resolved(one, fault=UNREADABLE, message=message)


def cite(outlines: Mapping[str, Outline], sites: Mapping[str, OtherSite] | None = None) -> Shelf:
    """Resolve the references of all editions, and turn them round: what cites a rule or a table."""
    tables = {address: place_tables(one) for address, one in outlines.items()}
    sheets = {address: sheet.sheets_of(one.edition) for address, one in outlines.items()}
    remarks = {address: list(remarks_in(one.edition)) for address, one in outlines.items()}
    shelf = Shelf(outlines, tables=tables, sheets=sheets, remarks=remarks, sites=sites or {})
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
    """Every text of an edition that holds references."""
    address = outline.edition.address
    sheets, remarks = shelf.sheets.get(address, ()), shelf.remarks.get(address, ())
    for source, texts, chapter in texts_in(outline, shelf.tables.get(address, ()), sheets, remarks):
        for text, cites in texts:
            resolved = shelf.resolve(text, outline, chapter, cued=cites)
            if resolved or cites:
                yield Citation(source, text, tuple(resolved), cites)
