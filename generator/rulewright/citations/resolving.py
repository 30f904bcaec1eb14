"""Resolving: which rule each number in a text means, and what is wrong with one that means none.

Resolving comes after every book is in order, since a reference may lead into another book. In a game its own
rules come before those of its series.

Where both have a rule of one number, the game's is meant, unless the series is named in front ("OCS 12.5",
"series rule 12.5") or a mark says so. Of a range both ends lie in one of them, the game if it has both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import NamedTuple

from rulewright.book.cited_things import Citable
from rulewright.book.library import Edition
from rulewright.book.lineage import newest
from rulewright.book.outline import Entry, Outline
from rulewright.citations.missing import missing
from rulewright.citations.series_names import SeriesNames
from rulewright.numbers.dialect import Number
from rulewright.numbers.evidence import Cue
from rulewright.numbers.finder import Found, marks
from rulewright.numbers.levels import Spot
from rulewright.source.folder import CONTENT
from rulewright.source.problems import Kind, Severity, did_you_mean, kind, shown
from rulewright.source.text import Text
from rulewright.source.unseen import plain, told, unseen
from rulewright.text.document import Document, Words

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
SUFFIXED = replace(UNREADABLE, severity=Severity.NOTE)
"""The same for what may be a rule of the book whose suffix can't be declared: 5.1bis beside 5.1."""
NOT_THERE = kind(
    "term-without-rule",
    "A term leads to a rule of the newest edition that another edition does not have, so that it leads "
    "nowhere there. `was:` of the rule says what it was.",
    Severity.NOTE,
)
MISWRITTEN = kind(
    "reference-miswritten",
    """A reference is not written as the book writes its numbers, 12.5.c for 12.5c. It leads to the only rule
    that can be meant.""",
    Severity.NOTE,
)

MOST_TOLD = 500
"""For how many wrong numbers of an edition the nearest right one is looked for."""
BACKWARDS = kind("range-backwards", "A range of rules ends before it begins. Turn its ends round.")
EMPTY = kind("range-empty", "A range begins and ends with the same rule. Name that rule alone.")


class Away(NamedTuple):
    """Another work's number on another site: address of the site, number as written, name of the work."""

    href: str
    title: str
    site: str


class Resolved(NamedTuple):
    """A number found in a text and what it means.

    `target`: the rule; `number`: what the text names, which lies deeper than the target where it is an
    item of a rule that is not transcribed. `inside`: the rules between the ends of a range that
    ends here. `away`: where a mark leads that names another site, `thing`: what is meant that is no rule;
    then there is no target. `fault` and `message`: what is wrong.
    """

    found: Found
    target: Entry | None = None
    number: Number | None = None
    inside: tuple[Entry, ...] = ()
    fault: Kind | None = None
    message: str = ""
    away: Away | None = None
    thing: Citable | None = None

    @property
    def shown(self) -> str:
        """The number as its rule prints it, unless it lies deeper than that; empty where it is none."""
        key = self.number.key if self.number else ""
        return self.target.shown if self.target and self.target.key == key else key

    def words_in(self, text: str) -> Words:
        """Its words in the text that it was found in; a mark shows other words than it is written with."""
        start, end = self.found.mark or (self.found.start, self.found.end)
        return Words(start, end, self.found.label or text[self.found.start : self.found.end], self)

    def about(self, text: str) -> str:
        """Subject of a problem with it: the number, with its book where a mark names one, or the words."""
        number = self.number.key if self.number else text[self.found.start : self.found.end]
        return f"{self.found.book}:{number}" if self.found.book and self.number else number

    def unseen(self, text: str) -> tuple[int, str] | None:
        """Where a sign stands in it that looks like nothing or like another, and what is said of it."""
        start, end = self.found.mark or (self.found.start, self.found.end)
        found = unseen(words := text[start:end])
        return (start + found[0], told(found[1], words)) if found else None

    def miswritten(self, text: str) -> str:
        written = plain(text[self.found.start : self.found.end])
        key = self.number.key if self.number else ""
        if written == key:  # what is wrong stands beside it
            return f"write {key} with a space on either side"
        return f"{shown(written)} is read as {key}; write {key}, as this book does"


Key = tuple[str, str]
"""A rule by the address of its edition and its number."""


MOST_RESOLVED = 200_000
"""How many texts a memo holds; beyond that it begins anew with the next run."""


class Kept(NamedTuple):
    """A reference as it was resolved, with keys in place of rules."""

    resolved: Resolved
    target: Key | None
    inside: tuple[Key, ...]


@dataclass(slots=True)
class Memo:
    """References that are resolved, by text, edition, chapter and cue; of one `numbering`.

    `count`: how many texts were resolved, and not taken from the memo.
    """

    numbering: tuple[str, ...] = ()
    known: dict[tuple[str, str, str, bool], tuple[Kept, ...]] = field(default_factory=dict)
    count: int = 0

    def begun(self) -> Memo:
        """The memo of another run."""
        return Memo(self.numbering, self.known if len(self.known) < MOST_RESOLVED else {})

    def hold(self, numbering: tuple[str, ...]) -> None:
        if numbering != self.numbering:
            self.numbering, self.known = numbering, {}


def document(text: str, references: Iterable[Resolved] = ()) -> Document:
    """A text read with the references that were resolved in it."""
    return Document(text, tuple(one.words_in(text) for one in references))


@dataclass(slots=True, repr=False)
class Books:
    """Where references can lead: books by address. `told`: messages on missing numbers."""

    outlines: Mapping[str, Outline]
    memo: Memo = field(default_factory=Memo, kw_only=True)
    newest: Mapping[str, Edition] = field(init=False)
    told: dict[str, dict[str, str]] = field(init=False, default_factory=dict)
    _series: dict[str, SeriesNames] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.newest = newest(one.edition for one in self.outlines.values())
        self.memo.hold(tuple(one.numbering for one in self.outlines.values()))

    def named(self, address: str) -> Outline | None:
        address = self.newest[address].address if address in self.newest else address
        return self.outlines.get(address)

    def around(self, outline: Outline) -> list[Outline]:
        """An edition and, of a game, those of the series that it extends, the nearest first."""
        found = (self.outlines.get(edition.address) for edition in outline.edition.around)
        return [one for one in found if one]

    def by_mark(self, book: str, outline: Outline | None) -> Outline | None:
        """The edition that a mark names; a book alone is the edition that the game extends, or the newest."""
        around = self.around(outline)[1:] if outline else ()
        extended = (one for one in around if one.edition.address.partition("/")[0] == book)
        return next(extended, None) or self.named(book)

    def resolve(
        self, text: str, outline: Outline | None, chapter: str = "", cued: bool = False
    ) -> list[Resolved]:
        """Every reference in a text with its rule or its fault, in order; numbers that are none are left out.

        `outline` is the edition that the text belongs to (None outside of any: only marks that name
        a book lead anywhere), `chapter` the label of the chapter it stands in, or a Spot in it. `cued`: every
        number in it is meant as a reference. What a game has from its series means what it means there.
        """
        if outline is None:
            return [self.marked(one, text, None, "") for one in marks(text)]
        if not written_in(text, outline.edition):
            outline = self.read_in(text, outline)
            chapter = outline.home
        spot = ".".join(chapter.labels) if isinstance(chapter, Spot) else chapter
        key = str(text), outline.edition.address, spot, cued
        if (kept := self.memo.known.get(key)) is None:
            self.memo.count += 1
            found = self._resolve(text, outline, chapter, cued)
            self.memo.known[key] = tuple(map(_kept, found))
            return found
        return [
            one.resolved._replace(
                target=one.target and self._rule(one.target), inside=tuple(map(self._rule, one.inside))
            )
            for one in kept
        ]

    def read_in(self, text: str, outline: Outline) -> Outline:
        """The edition whose numbers a text holds: of what a game has from its series, that one."""
        return next((o for o in self.around(outline) if written_in(text, o.edition)), outline)

    def _rule(self, key: Key) -> Entry:
        return self.outlines[key[0]].entries[key[1]]

    def _resolve(self, text: str, outline: Outline, chapter: str, cued: bool) -> list[Resolved]:
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
                meant = self.marked(one, text, own, chapter) if outlines[0] is own else None
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
        if edition.address not in self._series:
            self._series[edition.address] = SeriesNames(edition)
        return self._series[edition.address]

    def marked(self, one: Found, text: str, outline: Outline | None, chapter: str) -> Resolved:
        """Resolve an explicit mark: the number is right, or an error."""
        written, number = plain(text[one.start : one.end]), one.number
        if one.book:
            if (outline := self.by_mark(one.book, outline)) is None:
                near = did_you_mean(one.book, [*self.newest, *self.outlines])
                return Resolved(one, fault=BOOK_NOT_FOUND, message=f"no book {shown(one.book)} here{near}")
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
        """Resolve a number in a text of `own` to a rule of `outline`; None where it is no reference.

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


def _kept(one: Resolved) -> Kept:
    target = _key(one.target) if one.target else None
    return Kept(one._replace(target=None, inside=()), target, tuple(map(_key, one.inside)))


def _key(entry: Entry) -> Key:
    return entry.edition.address, entry.key


def _place(outlines: Sequence[Outline], number: Number) -> int | None:
    return next((entry.position for one in outlines if (entry := rule_of(number, one))), None)


def _unclear(one: Found, text: str, outline: Outline) -> Resolved | None:
    """A cued number that may mean several rules, or none that its book has; None where it is an amount."""
    written = shown(plain(text[one.start : one.end]))
    if one.others and one.number:
        keys = " or ".join(number.key for number in (one.number, *one.others))
        return Resolved(one, fault=UNCLEAR, message=f"{written} may mean {keys}; write the one that is meant")
    like = outline.edition.book.numbers[0]
    there = rule_of(one.nearest, outline) if one.nearest else None
    if one.suffixed and one.cue is Cue.PARENTHESES and not there:
        return None
    near = f"; the nearest is {there.key}" if there else ""
    if one.nearest and not there:
        near = f": {missing(one.nearest, [outline])}"
    message = f"{written} is no number as this book writes them, like {like}{near}"
    return Resolved(one, fault=SUFFIXED if one.suffixed and there else UNREADABLE, message=message)


def rule_of(number: Number, outline: Outline) -> Entry | None:
    """The rule of a number; of an item in brackets, 12.5c(B), the rule it lies in if that lists none."""
    if (entry := outline.entries.get(number.key)) or len(number.labels) < 3:
        return entry
    dialect = outline.edition.dialect
    above = dialect.parent(number) if dialect.is_item(number) else None
    entry = outline.entries.get(above.key) if above else None
    return entry if entry and not entry.transcribed and not entry.children else None


def meant_in(number: Number, partner: Number | None, outlines: Sequence[Outline]) -> Outline:
    """The edition in which a number is meant, the first going first. `partner`: other end of its range."""
    own = outlines[0]
    if len(outlines) == 1:
        return own
    have = [one for one in outlines if rule_of(number, one)]
    both = (one for one in have if partner and rule_of(partner, one))
    parents = ((one, one.edition.dialect.parent(number)) for one in outlines)
    near = (one for one, parent in parents if parent and parent.key in one.entries)
    return next(both, None) or next(iter(have), None) or next(near, own)


def range_end(one: Found, number: Number, first: Entry, last: Entry, outline: Outline) -> Resolved:
    """The end of a range, with what lies between its ends."""
    if last is first:
        message = f"the range from {first.shown} to {last.shown} holds one rule; name it alone"
        return Resolved(one, last, number, fault=EMPTY, message=message)
    if last.position < first.position:
        message = f"the range ends at {last.shown}, which comes before {first.shown}; turn it round"
        return Resolved(one, last, number, fault=BACKWARDS, message=message)
    deepest = max(first.level, last.level)
    inside = [e for e in outline.between(first, last)[1:] if e.level <= deepest and e is not last]
    return Resolved(one, last, number, tuple(inside))


def together(own: Sequence[Resolved], theirs: Iterable[Resolved]) -> list[Resolved]:
    """The references of a text read in two ways: of two that overlap, the one that means a rule."""
    found = list(theirs)
    if not own or not found:
        return [*own, *found]

    def meets(one: Resolved, others: Sequence[Resolved]) -> bool:
        return any(
            one.found.start < other.found.end and other.found.start < one.found.end for other in others
        )

    sure = [one for one in own if one.target or one.found.mark]
    found = [one for one in found if not meets(one, sure)]
    meant = [one for one in found if one.target]
    kept = [one for one in own if one in sure or not meets(one, meant)]
    more = [one for one in found if one.target or not meets(one, kept)]
    return sorted([*kept, *more], key=lambda one: one.found.start)


def written_in(text: str, edition: Edition) -> bool:
    """Whether a text stands in a file of an edition or of its book, not in one of the series it extends."""
    if edition.base is None or not isinstance(text, Text):
        return True
    name = text.file.name
    book = edition.address.partition("/")[0]
    return name.startswith(f"{CONTENT}/{edition.address}/") or name == f"{CONTENT}/{book}/rulebook.yml"
