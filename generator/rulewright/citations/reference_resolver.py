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
        invisible = first_invisible(words := text[start:end])
        return (start + invisible[0], invisible_character_message(invisible[1], words)) if invisible else None

    def miswritten(self, text: str) -> str:
        words = cleaned(text[self.match.start : self.match.end])
        key = self.number.key if self.number else ""
        if words == key:  # what is wrong stands beside it
            return f"write {key} with a space on either side"
        return f"{quote_short(words)} is read as {key}; write {key}, as this book does"


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
        outlines = (self.outlines.get(edition.address) for edition in outline.edition.with_series)
        return [outline for outline in outlines if outline]

    def marked_edition(self, book: str, outline: Outline | None) -> Outline | None:
        """The edition that a mark names; a book alone is the edition that the game extends, or the newest."""
        series = self.with_series(outline)[1:] if outline else ()
        extended = (outline for outline in series if outline.edition.address.partition("/")[0] == book)
        return next(extended, None) or self.find_outline(book)

    def resolve(
        self, text: str, outline: Outline | None, chapter: str = "", is_cued: bool = False
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
        key = str(text), outline.edition.address, spot, is_cued
        if (stored := self.memo.known.get(key)) is None:
            self.memo.count += 1
            references = self._resolve(text, outline, chapter, is_cued)
            self.memo.known[key] = tuple(map(_kept, references))
            return references
        return [
            reference.resolved._replace(
                target=reference.target and self._rule(reference.target),
                rules_in_range=tuple(map(self._rule, reference.inside)),
            )
            for reference in stored
        ]

    def edition_of_numbers(self, text: str, outline: Outline) -> Outline:
        """The edition whose numbers a text holds: of what a game has from its series, that one."""
        return next((o for o in self.with_series(outline) if is_written_in(text, o.edition)), outline)

    def _rule(self, key: Key) -> RuleEntry:
        return self.outlines[key[0]].entries[key[1]]

    def _resolve(self, text: str, outline: Outline, chapter: str, is_cued: bool) -> list[ResolvedReference]:
        outlines = self.with_series(outline) if outline.edition.base else [outline]
        dialects = dict.fromkeys(outline.edition.dialect for outline in outlines)
        resolved: list[ResolvedReference] = []
        for dialect in dialects:
            readable = [outline for outline in outlines if outline.edition.dialect is dialect]
            first_chapter = chapter if readable[0] is outline else readable[0].default_chapter
            resolved = merge_readings(resolved, self._read(text, readable, outline, first_chapter, is_cued))
        return resolved

    def _read(
        self, text: str, outlines: Sequence[Outline], home: Outline, chapter: str, is_cued: bool
    ) -> Iterator[ResolvedReference]:
        """The references in a text to rules of some editions that number them alike, and its marks."""
        matches = outlines[0].edition.finder.find(text, chapter, is_cued, partial(_place, outlines))
        names = self._names_of(home.edition) if home.edition.base else None
        last: tuple[int, Edition | None] = 0, None
        before: ResolvedReference | None = None
        for position, match in enumerate(matches):
            reference = None
            if match.mark_span:
                reference = self.resolve_mark(match, text, home, chapter) if outlines[0] is home else None
            elif match.alternatives or (match.miswritten and not match.number):
                reference = _unclear(match, text, home) if outlines[0] is home else None
            elif match.number and match.cue is not CueStrength.NEVER:
                closes = (
                    matches[position + 1]
                    if position + 1 < len(matches) and matches[position + 1].ends_range
                    else None
                )
                other = matches[position - 1] if match.ends_range else closes
                first = before if match.ends_range and before and before.match is other else None
                edition = names.find(text, match.start, last) if names else None
                last = match.end, edition
                candidates = [o for o in outlines if edition is None or o.edition is edition]
                if candidates:
                    target_outline = edition_meant(match.number, other.number if other else None, candidates)
                    reference = self._meant(
                        match, match.number, target_outline, home, candidates, other, first
                    )
            before = reference or before
            if reference:
                yield reference

    def _names_of(self, edition: Edition) -> SeriesNames:
        if edition.address not in self._series:
            self._series[edition.address] = SeriesNames(edition)
        return self._series[edition.address]

    def resolve_mark(
        self, match: FoundReference, text: str, outline: Outline | None, chapter: str
    ) -> ResolvedReference:
        """Resolve an explicit mark: the number is right, or an error."""
        words, number = cleaned(text[match.start : match.end]), match.number
        if match.book:
            if (outline := self.marked_edition(match.book, outline)) is None:
                suggestion = did_you_mean(match.book, [*self.newest, *self.outlines])
                return ResolvedReference(
                    match, fault=BOOK_NOT_FOUND, message=f"no book {quote_short(match.book)} here{suggestion}"
                )
            chapter = outline.default_chapter
            number = outline.edition.dialect.parse_number(words, chapter)
        if outline is None:
            message = f"which book's {quote_short(words)}? Say [[book/edition:{quote_short(words)}]]"
            return ResolvedReference(match, fault=BOOK_NOT_FOUND, message=message)
        if not match.book and outline.edition.base:
            readings = (
                (o, o.edition.dialect.parse_number(words, o.default_chapter))
                for o in self.with_series(outline)[1:]
            )
            if not number or not rule_of_number(number, outline):
                series_readings = ((o, n) for o, n in readings if n and rule_of_number(n, o))
                outline, number = next(series_readings, (outline, number))
        if number is None:
            message = f"{quote_short(words) or 'nothing'} is no rule number of {outline.edition.short}"
            return ResolvedReference(match, fault=NOT_A_NUMBER, message=message)
        target = rule_of_number(number, outline)
        if target is None:
            outlines = [o for o in self.with_series(outline) if o.edition.dialect is outline.edition.dialect]
            outlines = [outline] if match.book else outlines
            return ResolvedReference(
                match, None, number, fault=NOT_FOUND, message=self._missing(number, outlines)
            )
        rule = outline.find(match.label, chapter) if match.label else None
        if rule and rule is not target:
            message = (
                f"the mark says {rule.display_number} and leads to {target.display_number}; make them agree"
            )
            return ResolvedReference(match, target, number, fault=DISAGREES, message=message)
        return ResolvedReference(match, target, number)

    def _meant(
        self,
        match: FoundReference,
        number: RuleNumber,
        outline: Outline,
        home: Outline,
        candidates: Sequence[Outline],
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
            and match.cue is CueStrength.NONE
            and number.labels[0] != other.number.labels[0]
        ):
            # Without a cue, a range over chapters is one of amounts unless both ends are rules in order.
            ends = (partner, target) if match.ends_range else (target, partner)
            if not ends[0] or not ends[1] or ends[0].position > ends[1].position:
                return None
        if target is None:
            parent = outline.edition.dialect.parent(number)
            shaped = match.cue is CueStrength.SHAPE and parent is not None and parent.key in outline.entries
            if match.cue > CueStrength.SHAPE or shaped or partner:
                message = self._missing(number, candidates)
                if candidates[0] is not home:
                    message = message.replace(number.key, f"{number.key} in {outline.edition.short}", 1)
                return ResolvedReference(match, None, number, fault=NOT_FOUND, message=message)
            return None
        if first and first.target and first.target.edition is outline.edition:
            return range_end(match, number, first.target, target, outline)
        return ResolvedReference(match, target, number)

    def _missing(self, number: RuleNumber, outlines: Sequence[Outline]) -> str:
        """Says that there is no such rule; for as many numbers as anyone reads, what there is instead."""
        messages = self.messages_by_number.setdefault(outlines[0].edition.address, {})
        if number.key not in messages:
            if len(messages) == MOST_TOLD:
                return f"no rule {number.key}"
            messages[number.key] = missing_rule_message(number, outlines)
        return messages[number.key]


def _kept(reference: ResolvedReference) -> StoredReference:
    target = _key(reference.target) if reference.target else None
    return StoredReference(
        reference._replace(target=None, rules_in_range=()), target, tuple(map(_key, reference.rules_in_range))
    )


def _key(entry: RuleEntry) -> Key:
    return entry.edition.address, entry.key


def _place(outlines: Sequence[Outline], number: RuleNumber) -> int | None:
    return next((entry.position for outline in outlines if (entry := rule_of_number(number, outline))), None)


def _unclear(match: FoundReference, text: str, outline: Outline) -> ResolvedReference | None:
    """A cued number that may mean several rules, or none that its book has; None where it is an amount."""
    words = quote_short(cleaned(text[match.start : match.end]))
    if match.alternatives and match.number:
        keys = " or ".join(number.key for number in (match.number, *match.alternatives))
        return ResolvedReference(
            match, fault=UNCLEAR, message=f"{words} may mean {keys}; write the one that is meant"
        )
    like = outline.edition.book.numbers[0]
    nearest = rule_of_number(match.nearest, outline) if match.nearest else None
    if match.suffixed and match.cue is CueStrength.PARENTHESES and not nearest:
        return None
    hint = f"; the nearest is {nearest.key}" if nearest else ""
    if match.nearest and not nearest:
        hint = f": {missing_rule_message(match.nearest, [outline])}"
    message = f"{words} is no number as this book writes them, like {like}{hint}"
    return ResolvedReference(
        match, fault=SUFFIXED if match.suffixed and nearest else UNREADABLE, message=message
    )


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
    home = outlines[0]
    if len(outlines) == 1:
        return home
    have = [outline for outline in outlines if rule_of_number(number, outline)]
    both = (outline for outline in have if partner and rule_of_number(partner, outline))
    parents = ((outline, outline.edition.dialect.parent(number)) for outline in outlines)
    with_parent = (outline for outline, parent in parents if parent and parent.key in outline.entries)
    return next(both, None) or next(iter(have), None) or next(with_parent, home)


def range_end(
    match: FoundReference, number: RuleNumber, first: RuleEntry, last: RuleEntry, outline: Outline
) -> ResolvedReference:
    """The end of a range, with what lies between its ends."""
    if last is first:
        message = (
            f"the range from {first.display_number} to {last.display_number} holds one rule; name it alone"
        )
        return ResolvedReference(match, last, number, fault=EMPTY, message=message)
    if last.position < first.position:
        message = (
            f"the range ends at {last.display_number}, which comes before {first.display_number}; turn "
            f"it round"
        )
        return ResolvedReference(match, last, number, fault=BACKWARDS, message=message)
    deepest = max(first.level, last.level)
    inside = [e for e in outline.rule_range(first, last)[1:] if e.level <= deepest and e is not last]
    return ResolvedReference(match, last, number, tuple(inside))


def merge_readings(
    first: Sequence[ResolvedReference], second: Iterable[ResolvedReference]
) -> list[ResolvedReference]:
    """The references of a text read in two ways: of two that overlap, the one that means a rule."""
    added = list(second)
    if not first or not added:
        return [*first, *added]

    def meets(reference: ResolvedReference, references: Sequence[ResolvedReference]) -> bool:
        return any(
            reference.match.start < other.match.end and other.match.start < reference.match.end
            for other in references
        )

    resolved = [reference for reference in first if reference.target or reference.match.mark_span]
    added = [reference for reference in added if not meets(reference, resolved)]
    added_resolved = [reference for reference in added if reference.target]
    remaining = [
        reference for reference in first if reference in resolved or not meets(reference, added_resolved)
    ]
    more = [reference for reference in added if reference.target or not meets(reference, remaining)]
    return sorted([*remaining, *more], key=lambda reference: reference.match.start)


def is_written_in(text: str, edition: Edition) -> bool:
    """Whether a text stands in a file of an edition or of its book, not in one of the series it extends."""
    if edition.base is None or not isinstance(text, LocatedText):
        return True
    name = text.file.name
    book = edition.address.partition("/")[0]
    return name.startswith(f"{CONTENT}/{edition.address}/") or name == f"{CONTENT}/{book}/rulebook.yml"
