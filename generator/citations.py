"""Which rule each reference means, what is wrong with those that mean none, and who cites a rule.

Resolving comes after every book is in order, since a reference may lead into another book.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from generator import concerns, lookup, sheet
from generator.absence import nearest
from generator.elsewhere import Away, OtherSite
from generator.evidence import Cue
from generator.library import Edition
from generator.lineage import newest
from generator.lookup import Source, TableEntry
from generator.model import texts_of
from generator.numbers import Number
from generator.outline import Entry, Outline
from generator.problems import Kind, did_you_mean, kind, shown
from generator.references import Found, marks
from generator.remark import Remark, remarks_in
from generator.sheet import Sheet
from generator.source import Text

NOT_FOUND = kind(
    "reference-not-found", "A reference names a rule that the book does not have. The nearest is named."
)
BOOK_NOT_FOUND = kind(
    "book-not-found", "A mark such as [[ocs/3.0:14.6c]] names a book or an edition that is not here."
)
BACKWARDS = kind("range-backwards", "A range of rules ends before it begins. Turn its ends round.")
EMPTY = kind("range-empty", "A range begins and ends with the same rule. Name that rule alone.")
NOT_A_NUMBER = kind(
    "not-a-rule-number", "A mark or a `see:` holds something that is no rule number of the book."
)
DISAGREES = kind(
    "mark-disagrees", "The words of a mark are themselves a rule number, of another rule than it leads to."
)

MOST_TOLD = 500
"""For how many wrong numbers of an edition the nearest right one is looked for."""


class Resolved(NamedTuple):
    """A number found in a text and what it means.

    `target`: the rule; `number`: what the text names, which lies deeper than the target where it is an
    item of a rule that is not transcribed. `inside`: the rules between the ends of a range that
    ends here. `away`: where a mark leads that names another site, and then there is no target. `fault`
    and `message`: what is wrong.
    """

    found: Found
    target: Entry | None = None
    number: Number | None = None
    inside: tuple[Entry, ...] = ()
    fault: Kind | None = None
    message: str = ""
    away: Away | None = None

    def about(self, text: str) -> str:
        """What a problem with it is about: the number, with its book where a mark names one, or the words."""
        number = self.number.key if self.number else text[self.found.start : self.found.end]
        return f"{self.found.book}:{number}" if self.found.book and self.number else number


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
    shown_at: dict[concerns.Thing, list[Remark]] = field(default_factory=dict)
    sites: Mapping[str, OtherSite] = field(default_factory=dict)
    newest: Mapping[str, Edition] = field(init=False)

    def __post_init__(self) -> None:
        self.newest = newest(outline.edition for outline in self.outlines.values())

    def named(self, address: str) -> Outline | None:
        """The outline of an edition, or of a book's newest edition."""
        edition = self.newest.get(address)
        return self.outlines.get(edition.address if edition else address)

    def resolve(
        self, text: str, outline: Outline | None, chapter: str = "", cued: bool = False
    ) -> list[Resolved]:
        """Every reference in a text with its rule or its fault, in order; numbers that are none are left out.

        `outline` is the edition that the text belongs to (None outside of any: only marks that name
        a book lead anywhere), `chapter` the label of the chapter it stands in. `cued`: every
        number in it is meant as a reference.
        """
        found = outline.edition.finder.find(text, chapter, cued) if outline else marks(text)
        resolved: list[Resolved] = []
        for at, one in enumerate(found):
            if one.mark:
                resolved.append(self._marked(one, text, outline, chapter))
            elif outline and one.number and one.cue is not Cue.NEVER:
                closes = found[at + 1] if at + 1 < len(found) and found[at + 1].through else None
                other = found[at - 1] if one.through else closes
                first = resolved[-1] if one.through and resolved and resolved[-1].found is other else None
                if meant := self._meant(one, one.number, outline, other, first):
                    resolved.append(meant)
        return resolved

    def _marked(self, one: Found, text: str, outline: Outline | None, chapter: str) -> Resolved:
        """What an explicit mark means: the number is right, or an error."""
        written, number = text[one.start : one.end], one.number
        if one.book:
            if (outline := self.named(one.book)) is None:
                return self._elsewhere(one, written)
            chapter = outline.home
            number = outline.edition.dialect.parse(written, chapter)
        if outline is None:
            message = f"which book's {shown(written)}? Say [[book/edition:{shown(written)}]]"
            return Resolved(one, fault=BOOK_NOT_FOUND, message=message)
        if number is None:
            message = f"{shown(written) or 'nothing'} is no rule number of {outline.edition.short}"
            return Resolved(one, fault=NOT_A_NUMBER, message=message)
        target = _target(number, outline)
        if target is None:
            return Resolved(one, None, number, fault=NOT_FOUND, message=self._missing(number, outline))
        said = outline.find(one.label, chapter) if one.label else None
        if said and said is not target:
            message = f"the mark says {said.key} and leads to {target.key}; make them agree"
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
        self, one: Found, number: Number, outline: Outline, other: Found | None, first: Resolved | None
    ) -> Resolved | None:
        """What a number in the text means, or None where it is no reference.

        `other`: the other end of its range; `first`: that end resolved, where this one closes the range.
        """
        target = _target(number, outline)
        partner = _target(other.number, outline) if other and other.number else None
        if other and other.number and one.cue is Cue.NONE and number.labels[0] != other.number.labels[0]:
            # Without a cue, a range over chapters is one of amounts unless both ends are rules in order.
            ends = (partner, target) if one.through else (target, partner)
            if not ends[0] or not ends[1] or ends[0].position > ends[1].position:
                return None
        if target is None:
            parent = outline.edition.dialect.parent(number)
            shaped = one.cue is Cue.SHAPE and parent is not None and parent.key in outline.entries
            if one.cue > Cue.SHAPE or shaped or partner:
                return Resolved(one, None, number, fault=NOT_FOUND, message=self._missing(number, outline))
            return None
        if first and first.target:
            return _range_end(one, number, first.target, target, outline)
        return Resolved(one, target, number)

    def _missing(self, number: Number, outline: Outline) -> str:
        """Says that there is no such rule; for as many numbers as anyone reads, what there is instead."""
        told = self.told.setdefault(outline.edition.address, {})
        if number.key not in told:
            if len(told) == MOST_TOLD:
                return f"no rule {number.key}"
            told[number.key] = nearest(number, outline)
        return told[number.key]


def cite(outlines: Mapping[str, Outline], sites: Mapping[str, OtherSite] | None = None) -> Shelf:
    """Resolve the references of all editions, and turn them round: what cites a rule or a table."""
    tables = {address: lookup.place(one) for address, one in outlines.items()}
    sheets = {address: sheet.sheets_of(one.edition) for address, one in outlines.items()}
    remarks = {address: list(remarks_in(one.edition)) for address, one in outlines.items()}
    shelf = Shelf(outlines, tables=tables, sheets=sheets, remarks=remarks, sites=sites or {})
    for address, outline in outlines.items():
        for thing, remark in concerns.shown(remarks[address], outline, tables[address], sheets[address]):
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
            if isinstance(citation.source, Sheet):
                continue
            for resolved in citation.resolved:
                for entry in (resolved.target, *resolved.inside):
                    if entry:
                        enter(entry, citation.source)
        for step in outline.every_step():
            for name in step.step.uses:
                if table := lookup.named(shelf.tables[address], name):
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


def texts_in(
    outline: Outline,
    tables: Iterable[TableEntry],
    sheets: Iterable[Sheet] = (),
    remarks: Iterable[Remark] = (),
) -> Iterator[tuple[Source, Iterable[tuple[Text, bool]], str]]:
    """All that an edition says: what each text belongs to, if it is a `see:`, and its chapter's label."""
    for entry in outline.entries.values():
        for part in filter(None, (entry.rule, entry.listed)):
            yield entry, texts_of(part), entry.chapter.number.labels[0]
    if outline.edition.sequence and outline.root:
        yield outline.root, texts_of(outline.edition.sequence), outline.home
    for step in outline.every_step():
        yield step, texts_of(step.step), outline.home
    for table in tables:
        chapter = table.entry.chapter.number.labels[0] if table.entry else outline.home
        yield table.home, lookup.texts(table), chapter
    for one in sheets:
        yield one, sheet.texts(one), outline.home
    for remark in remarks:
        yield remark, concerns.texts(remark), concerns.chapter_of(remark, outline)


def _target(number: Number, outline: Outline) -> Entry | None:
    """The rule of a number; of an item in brackets, 12.5c(B), the rule it lies in if that lists none."""
    if (entry := outline.entries.get(number.key)) or len(number.labels) < 3:
        return entry
    dialect = outline.edition.dialect
    own, last = dialect.shapes[number.shape], dialect.parts_of(number.labels, number.shape)[-1]
    above = dialect.parent(number) if last is own[-1] and last.after else None
    entry = outline.entries.get(above.key) if above else None
    return entry if entry and not entry.transcribed and not entry.children else None


def _range_end(one: Found, number: Number, first: Entry, last: Entry, outline: Outline) -> Resolved:
    """The end of a range, with what lies between its ends."""
    if last is first:
        message = f"the range from {first.key} to {last.key} holds one rule; name it alone"
        return Resolved(one, last, number, fault=EMPTY, message=message)
    if last.position < first.position:
        message = f"the range ends at {last.key}, which comes before {first.key}; turn it round"
        return Resolved(one, last, number, fault=BACKWARDS, message=message)
    deepest = max(first.level, last.level)
    inside = [e for e in outline.between(first, last)[1:] if e.level <= deepest and e is not last]
    return Resolved(one, last, number, tuple(inside))
