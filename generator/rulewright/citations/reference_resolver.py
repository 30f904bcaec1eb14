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

from rulewright.book.citable_items import Citable
from rulewright.book.edition_order import newest_editions
from rulewright.book.library import Edition
from rulewright.book.outline import Outline, RuleEntry
from rulewright.citations.missing_number_messages import missing_rule_message
from rulewright.citations.series_names import SeriesNames
from rulewright.numbers.named_levels import TextContext
from rulewright.numbers.numbering_scheme import RuleNumber
from rulewright.numbers.reference_cues import CueStrength
from rulewright.numbers.reference_finder import FoundReference, explicit_marks
from rulewright.source.content_folder import CONTENT
from rulewright.source.invisible_characters import cleaned, first_invisible, invisible_character_message
from rulewright.source.located_text import LocatedText
from rulewright.source.problems import ProblemType, Severity, did_you_mean, problem_type, quote_short
from rulewright.text.text_document import Document, TextRun

NOT_FOUND = problem_type(
    "reference-not-found", "A reference names a rule that the book does not have. The nearest is named."
)
BOOK_NOT_FOUND = problem_type(
    "book-not-found", "A mark such as [[ocs/3.0:14.6c]] names a book or an edition that is not here."
)
NOT_A_NUMBER = problem_type(
    "not-a-rule-number", "A mark or a `see:` holds something that is no rule number of the book."
)
DISAGREES = problem_type(
    "mark-disagrees", "The words of a mark are themselves a rule number, of another rule than it leads to."
)

UNCLEAR = problem_type(
    "reference-unclear", "A number may mean several rules. Write the one that is meant in full."
)
UNREADABLE = problem_type(
    "reference-unreadable",
    """A word such as see or rule leads up to a number that is not written as the book writes its numbers, and
    no rule alone can be meant by it.""",
)
SUFFIXED = replace(UNREADABLE, severity=Severity.NOTE)
"""The same for what may be a rule of the book whose suffix can't be declared: 5.1bis beside 5.1."""
NOT_THERE = problem_type(
    "term-without-rule",
    "A term leads to a rule of the newest edition that another edition does not have, so that it leads "
    "nowhere there. `was:` of the rule says what it was.",
    Severity.NOTE,
)
MISWRITTEN = problem_type(
    "reference-miswritten",
    """A reference is not written as the book writes its numbers, 12.5.c for 12.5c. It leads to the only rule
    that can be meant.""",
    Severity.NOTE,
)

MOST_TOLD = 500
"""For how many wrong numbers of an edition the nearest right one is looked for."""
BACKWARDS = problem_type("range-backwards", "A range of rules ends before it begins. Turn its ends round.")
EMPTY = problem_type("range-empty", "A range begins and ends with the same rule. Name that rule alone.")


class Away(NamedTuple):
    """Another work's number on another site: address of the site, number as written, name of the work."""

    href: str
    title: str
    site: str


class ResolvedReference(NamedTuple):
    """A number found in a text and what it means.

    `target`: the rule; `number`: what the text names, which lies deeper than the target where it is an item
    of a rule that is not transcribed. `rules_in_range`: the rules between the ends of a range that ends here.
    `external_link`: where a mark leads that names another site, `citable`: what is meant that is no rule;
    then there is no target. `fault` and `message`: what is wrong.
    """

    match: FoundReference
    target: RuleEntry | None = None
    number: RuleNumber | None = None
    rules_in_range: tuple[RuleEntry, ...] = ()
    fault: ProblemType | None = None
    message: str = ""
    external_link: Away | None = None
    citable: Citable | None = None

    @property
    def display_number(self) -> str:
        """The number as its rule prints it, unless it lies deeper than that; empty where it is none."""
        key = self.number.key if self.number else ""
        return self.target.display_number if self.target and self.target.key == key else key

    def words_in(self, text: str) -> TextRun:
        """Its words in the text that it was found in; a mark shows other words than it is written with."""
        start, end = self.match.mark_span or (self.match.start, self.match.end)
        return TextRun(start, end, self.match.label or text[self.match.start : self.match.end], self)

    def about(self, text: str) -> str:
        """Subject of a problem with it: the number, with its book where a mark names one, or the words."""
        number = self.number.key if self.number else text[self.match.start : self.match.end]
        return f"{self.match.book}:{number}" if self.match.book and self.number else number

    def invisible_character(self, text: str) -> tuple[int, str] | None:
        """Where a sign stands in it that looks like nothing or like another, and what is said of it."""
        start, end = self.match.mark_span or (self.match.start, self.match.end)
        found = first_invisible(words := text[start:end])
        return (start + found[0], invisible_character_message(found[1], words)) if found else None

    def miswritten(self, text: str) -> str:
        written = cleaned(text[self.match.start : self.match.end])
        key = self.number.key if self.number else ""
        if written == key:  # what is wrong stands beside it
            return f"write {key} with a space on either side"
        return f"{quote_short(written)} is read as {key}; write {key}, as this book does"


Key = tuple[str, str]
"""A rule by the address of its edition and its number."""


MOST_RESOLVED = 200_000
"""How many texts a memo holds; beyond that it begins anew with the next run."""


class StoredReference(NamedTuple):
    """A reference as it was resolved, with keys in place of rules."""

    resolved: ResolvedReference
    target: Key | None
    inside: tuple[Key, ...]


@dataclass(slots=True)
class ResolutionCache:
    """References that are resolved, by text, edition, chapter and cue; of one `numbering`.

    `count`: how many texts were resolved, and not taken from the memo.
    """

    numbering: tuple[str, ...] = ()
    known: dict[tuple[str, str, str, bool], tuple[StoredReference, ...]] = field(default_factory=dict)
    count: int = 0

    def next_run(self) -> ResolutionCache:
        """The memo of another run."""
        return ResolutionCache(self.numbering, self.known if len(self.known) < MOST_RESOLVED else {})

    def reset_if_changed(self, numbering: tuple[str, ...]) -> None:
        if numbering != self.numbering:
            self.numbering, self.known = numbering, {}


def parse_document(text: str, references: Iterable[ResolvedReference] = ()) -> Document:
    """A text read with the references that were resolved in it."""
    return Document(text, tuple(reference.words_in(text) for reference in references))


@dataclass(slots=True, repr=False)
class ReferenceResolver:
    """Where references can lead: books by address. `messages_by_number`: messages on missing numbers."""

    outlines: Mapping[str, Outline]
    memo: ResolutionCache = field(default_factory=ResolutionCache, kw_only=True)
    newest: Mapping[str, Edition] = field(init=False)
    messages_by_number: dict[str, dict[str, str]] = field(init=False, default_factory=dict)
    _series: dict[str, SeriesNames] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.newest = newest_editions(outline.edition for outline in self.outlines.values())
        self.memo.reset_if_changed(tuple(outline.numbering_digest for outline in self.outlines.values()))

    def find_outline(self, address: str) -> Outline | None:
        address = self.newest[address].address if address in self.newest else address
        return self.outlines.get(address)

    def with_series(self, outline: Outline) -> list[Outline]:
        """An edition and, of a game, those of the series that it extends, the nearest first."""
        found = (self.outlines.get(edition.address) for edition in outline.edition.with_series)
        return [outline for outline in found if outline]

    def marked_edition(self, book: str, outline: Outline | None) -> Outline | None:
        """The edition that a mark names; a book alone is the edition that the game extends, or the newest."""
        around = self.with_series(outline)[1:] if outline else ()
        extended = (outline for outline in around if outline.edition.address.partition("/")[0] == book)
        return next(extended, None) or self.find_outline(book)

    def resolve(
        self, text: str, outline: Outline | None, chapter: str = "", cued: bool = False
    ) -> list[ResolvedReference]:
        """Every reference in a text with its rule or its fault, in order; numbers that are none are left out.

        `outline` is the edition that the text belongs to (None outside of any: only marks that name
        a book lead anywhere), `chapter` the label of the chapter it stands in, or a Spot in it. `cued`: every
        number in it is meant as a reference. What a game has from its series means what it means there.
        """
        if outline is None:
            return [self.resolve_mark(match, text, None, "") for match in explicit_marks(text)]
        if not is_written_in(text, outline.edition):
            outline = self.edition_of_numbers(text, outline)
            chapter = outline.default_chapter
        spot = ".".join(chapter.labels) if isinstance(chapter, TextContext) else chapter
        key = str(text), outline.edition.address, spot, cued
        if (kept := self.memo.known.get(key)) is None:
            self.memo.count += 1
            found = self._resolve(text, outline, chapter, cued)
            self.memo.known[key] = tuple(map(_kept, found))
            return found
        return [
            one.resolved._replace(
                target=one.target and self._rule(one.target),
                rules_in_range=tuple(map(self._rule, one.inside)),
            )
            for one in kept
        ]

    def edition_of_numbers(self, text: str, outline: Outline) -> Outline:
        """The edition whose numbers a text holds: of what a game has from its series, that one."""
        return next((o for o in self.with_series(outline) if is_written_in(text, o.edition)), outline)

    def _rule(self, key: Key) -> RuleEntry:
        return self.outlines[key[0]].entries[key[1]]

    def _resolve(self, text: str, outline: Outline, chapter: str, cued: bool) -> list[ResolvedReference]:
        around = self.with_series(outline) if outline.edition.base else [outline]
        dialects = dict.fromkeys(outline.edition.dialect for outline in around)
        resolved: list[ResolvedReference] = []
        for dialect in dialects:
            readable = [outline for outline in around if outline.edition.dialect is dialect]
            home = chapter if readable[0] is outline else readable[0].default_chapter
            resolved = merge_readings(resolved, self._read(text, readable, outline, home, cued))
        return resolved

    def _read(
        self, text: str, outlines: Sequence[Outline], own: Outline, chapter: str, cued: bool
    ) -> Iterator[ResolvedReference]:
        """The references in a text to rules of some editions that number them alike, and its marks."""
        found = outlines[0].edition.finder.find(text, chapter, cued, partial(_place, outlines))
        names = self._names_of(own.edition) if own.edition.base else None
        last: tuple[int, Edition | None] = 0, None
        before: ResolvedReference | None = None
        for at, match in enumerate(found):
            meant = None
            if match.mark_span:
                meant = self.resolve_mark(match, text, own, chapter) if outlines[0] is own else None
            elif match.alternatives or (match.miswritten and not match.number):
                meant = _unclear(match, text, own) if outlines[0] is own else None
            elif match.number and match.cue is not CueStrength.NEVER:
                closes = found[at + 1] if at + 1 < len(found) and found[at + 1].ends_range else None
                other = found[at - 1] if match.ends_range else closes
                first = before if match.ends_range and before and before.match is other else None
                edition = names.find(text, match.start, last) if names else None
                last = match.end, edition
                among = [o for o in outlines if edition is None or o.edition is edition]
                if among:
                    where = edition_meant(match.number, other.number if other else None, among)
                    meant = self._meant(match, match.number, where, own, among, other, first)
            before = meant or before
            if meant:
                yield meant

    def _names_of(self, edition: Edition) -> SeriesNames:
        if edition.address not in self._series:
            self._series[edition.address] = SeriesNames(edition)
        return self._series[edition.address]

    def resolve_mark(
        self, one: FoundReference, text: str, outline: Outline | None, chapter: str
    ) -> ResolvedReference:
        """Resolve an explicit mark: the number is right, or an error."""
        written, number = cleaned(text[one.start : one.end]), one.number
        if one.book:
            if (outline := self.marked_edition(one.book, outline)) is None:
                near = did_you_mean(one.book, [*self.newest, *self.outlines])
                return ResolvedReference(
                    one, fault=BOOK_NOT_FOUND, message=f"no book {quote_short(one.book)} here{near}"
                )
            chapter = outline.default_chapter
            number = outline.edition.dialect.parse_number(written, chapter)
        if outline is None:
            message = f"which book's {quote_short(written)}? Say [[book/edition:{quote_short(written)}]]"
            return ResolvedReference(one, fault=BOOK_NOT_FOUND, message=message)
        if not one.book and outline.edition.base:
            around = (
                (o, o.edition.dialect.parse_number(written, o.default_chapter))
                for o in self.with_series(outline)[1:]
            )
            if not number or not rule_of_number(number, outline):
                theirs = ((o, n) for o, n in around if n and rule_of_number(n, o))
                outline, number = next(theirs, (outline, number))
        if number is None:
            message = f"{quote_short(written) or 'nothing'} is no rule number of {outline.edition.short}"
            return ResolvedReference(one, fault=NOT_A_NUMBER, message=message)
        target = rule_of_number(number, outline)
        if target is None:
            among = [o for o in self.with_series(outline) if o.edition.dialect is outline.edition.dialect]
            among = [outline] if one.book else among
            return ResolvedReference(one, None, number, fault=NOT_FOUND, message=self._missing(number, among))
        rule = outline.find(one.label, chapter) if one.label else None
        if rule and rule is not target:
            message = (
                f"the mark says {rule.display_number} and leads to {target.display_number}; make them agree"
            )
            return ResolvedReference(one, target, number, fault=DISAGREES, message=message)
        return ResolvedReference(one, target, number)

    def _meant(
        self,
        one: FoundReference,
        number: RuleNumber,
        outline: Outline,
        own: Outline,
        among: Sequence[Outline],
        other: FoundReference | None,
        first: ResolvedReference | None,
    ) -> ResolvedReference | None:
        """Resolve a number in a text of `own` to a rule of `outline`; None where it is no reference.

        `among`: the editions in which it may be meant; `other`: the other end of its range, `first`: that end
        resolved, where this one closes the range.
        """
        target = rule_of_number(number, outline)
        partner = rule_of_number(other.number, outline) if other and other.number else None
        if (
            other
            and other.number
            and one.cue is CueStrength.NONE
            and number.labels[0] != other.number.labels[0]
        ):
            # Without a cue, a range over chapters is one of amounts unless both ends are rules in order.
            ends = (partner, target) if one.ends_range else (target, partner)
            if not ends[0] or not ends[1] or ends[0].position > ends[1].position:
                return None
        if target is None:
            parent = outline.edition.dialect.parent(number)
            shaped = one.cue is CueStrength.SHAPE and parent is not None and parent.key in outline.entries
            if one.cue > CueStrength.SHAPE or shaped or partner:
                message = self._missing(number, among)
                if among[0] is not own:
                    message = message.replace(number.key, f"{number.key} in {outline.edition.short}", 1)
                return ResolvedReference(one, None, number, fault=NOT_FOUND, message=message)
            return None
        if first and first.target and first.target.edition is outline.edition:
            return range_end(one, number, first.target, target, outline)
        return ResolvedReference(one, target, number)

    def _missing(self, number: RuleNumber, among: Sequence[Outline]) -> str:
        """Says that there is no such rule; for as many numbers as anyone reads, what there is instead."""
        told = self.messages_by_number.setdefault(among[0].edition.address, {})
        if number.key not in told:
            if len(told) == MOST_TOLD:
                return f"no rule {number.key}"
            told[number.key] = missing_rule_message(number, among)
        return told[number.key]


def _kept(one: ResolvedReference) -> StoredReference:
    target = _key(one.target) if one.target else None
    return StoredReference(
        one._replace(target=None, rules_in_range=()), target, tuple(map(_key, one.rules_in_range))
    )


def _key(entry: RuleEntry) -> Key:
    return entry.edition.address, entry.key


def _place(outlines: Sequence[Outline], number: RuleNumber) -> int | None:
    return next((entry.position for outline in outlines if (entry := rule_of_number(number, outline))), None)


def _unclear(one: FoundReference, text: str, outline: Outline) -> ResolvedReference | None:
    """A cued number that may mean several rules, or none that its book has; None where it is an amount."""
    written = quote_short(cleaned(text[one.start : one.end]))
    if one.alternatives and one.number:
        keys = " or ".join(number.key for number in (one.number, *one.alternatives))
        return ResolvedReference(
            one, fault=UNCLEAR, message=f"{written} may mean {keys}; write the one that is meant"
        )
    like = outline.edition.book.numbers[0]
    there = rule_of_number(one.nearest, outline) if one.nearest else None
    if one.suffixed and one.cue is CueStrength.PARENTHESES and not there:
        return None
    near = f"; the nearest is {there.key}" if there else ""
    if one.nearest and not there:
        near = f": {missing_rule_message(one.nearest, [outline])}"
    message = f"{written} is no number as this book writes them, like {like}{near}"
    return ResolvedReference(one, fault=SUFFIXED if one.suffixed and there else UNREADABLE, message=message)


def rule_of_number(number: RuleNumber, outline: Outline) -> RuleEntry | None:
    """The rule of a number; of an item in brackets, 12.5c(B), the rule it lies in if that lists none."""
    if (entry := outline.entries.get(number.key)) or len(number.labels) < 3:
        return entry
    dialect = outline.edition.dialect
    above = dialect.parent(number) if dialect.is_item(number) else None
    entry = outline.entries.get(above.key) if above else None
    return entry if entry and not entry.is_transcribed and not entry.children else None


def edition_meant(number: RuleNumber, partner: RuleNumber | None, outlines: Sequence[Outline]) -> Outline:
    """The edition in which a number is meant, the first going first. `partner`: other end of its range."""
    own = outlines[0]
    if len(outlines) == 1:
        return own
    have = [outline for outline in outlines if rule_of_number(number, outline)]
    both = (outline for outline in have if partner and rule_of_number(partner, outline))
    parents = ((outline, outline.edition.dialect.parent(number)) for outline in outlines)
    near = (outline for outline, parent in parents if parent and parent.key in outline.entries)
    return next(both, None) or next(iter(have), None) or next(near, own)


def range_end(
    one: FoundReference, number: RuleNumber, first: RuleEntry, last: RuleEntry, outline: Outline
) -> ResolvedReference:
    """The end of a range, with what lies between its ends."""
    if last is first:
        message = (
            f"the range from {first.display_number} to {last.display_number} holds one rule; name it alone"
        )
        return ResolvedReference(one, last, number, fault=EMPTY, message=message)
    if last.position < first.position:
        message = (
            f"the range ends at {last.display_number}, which comes before {first.display_number}; turn "
            f"it round"
        )
        return ResolvedReference(one, last, number, fault=BACKWARDS, message=message)
    deepest = max(first.level, last.level)
    inside = [e for e in outline.rule_range(first, last)[1:] if e.level <= deepest and e is not last]
    return ResolvedReference(one, last, number, tuple(inside))


def merge_readings(
    own: Sequence[ResolvedReference], theirs: Iterable[ResolvedReference]
) -> list[ResolvedReference]:
    """The references of a text read in two ways: of two that overlap, the one that means a rule."""
    found = list(theirs)
    if not own or not found:
        return [*own, *found]

    def meets(one: ResolvedReference, others: Sequence[ResolvedReference]) -> bool:
        return any(
            one.match.start < other.match.end and other.match.start < one.match.end for other in others
        )

    sure = [reference for reference in own if reference.target or reference.match.mark_span]
    found = [reference for reference in found if not meets(reference, sure)]
    meant = [reference for reference in found if reference.target]
    kept = [reference for reference in own if reference in sure or not meets(reference, meant)]
    more = [reference for reference in found if reference.target or not meets(reference, kept)]
    return sorted([*kept, *more], key=lambda one: one.match.start)


def is_written_in(text: str, edition: Edition) -> bool:
    """Whether a text stands in a file of an edition or of its book, not in one of the series it extends."""
    if edition.base is None or not isinstance(text, LocatedText):
        return True
    name = text.file.name
    book = edition.address.partition("/")[0]
    return name.startswith(f"{CONTENT}/{edition.address}/") or name == f"{CONTENT}/{book}/rulebook.yml"
