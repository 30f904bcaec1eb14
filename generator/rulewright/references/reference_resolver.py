"""Resolver that finds the rule of each number in a text, or the fault of the reference.

References are resolved after all books are loaded, since they may lead into other books.

If a game and its series both have a rule with a number, the rule of the game is meant, unless the series is
named before the number ("OCS 12.5", "series rule 12.5") or a mark names it. Both ends of a range are in the
same edition: the game, if it has both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from rulewright.book.library import Edition
from rulewright.book.outline import Outline, RuleEntry
from rulewright.book.related_outlines import (
    book_names,
    edition_of_numbers,
    marked_edition,
    with_series,
)
from rulewright.files.invisible_characters import cleaned
from rulewright.files.problems import Severity, did_you_mean, problem_type, quote_short
from rulewright.numbering.named_levels import TextContext
from rulewright.numbering.numbering_scheme import RuleNumber
from rulewright.numbering.reference_cues import CueStrength
from rulewright.numbering.reference_finder import FoundReference, explicit_marks
from rulewright.references.missing_number_messages import missing_rule_message
from rulewright.references.reference_types import FaultyReference, RuleReference
from rulewright.references.series_names import series_names

NOT_FOUND = problem_type(
    "reference-not-found",
    "A reference names a rule that the book does not have. The message names the nearest.",
)
BOOK_NOT_FOUND = problem_type(
    "book-not-found", "A mark such as [[ocs/3.0:14.6c]] names an unknown book or edition."
)
NOT_A_NUMBER = problem_type(
    "not-a-rule-number", "A mark or a `see:` has something other than a rule number of the book."
)
DISAGREES = problem_type(
    "mark-disagrees", "The words of a mark are the number of a rule other than its target."
)

UNCLEAR = problem_type(
    "reference-unclear", "A number may mean several rules. Write the one that is meant in full."
)
UNREADABLE = problem_type(
    "reference-unreadable",
    """A word such as see or rule comes before a number that is not written as the book writes its numbers,
    and may mean no rule or several.""",
)
SUFFIXED = replace(UNREADABLE, severity=Severity.NOTE)
"""The same as a note for a number that extends an existing one by a suffix: 5.1bis beside 5.1."""
NOT_THERE = problem_type(
    "term-without-rule",
    "A term leads to a rule of the newest edition that another edition does not have. Add `was:` to the rule "
    "to name the earlier one.",
    Severity.NOTE,
)
MISWRITTEN = problem_type(
    "reference-miswritten",
    """A reference is not written as the book writes its numbers, 12.5.c for 12.5c. It leads to the only rule
    that can be meant.""",
    Severity.NOTE,
)

MAX_MESSAGES = 500
"""Maximum number of missing numbers of an edition for which the nearest rule is searched."""
BACKWARDS = problem_type("range-backwards", "A range of rules ends before it begins. Turn its ends round.")
EMPTY = problem_type("range-empty", "A range begins and ends with the same rule. Name that rule alone.")


NumberReference = RuleReference | FaultyReference  # the outcome of a number or a mark


Key = tuple[str, str]
"""The address of an edition and the number of a rule in it."""


MAX_CACHED_TEXTS = 200_000
"""Number of cached texts above which the next run starts with an empty cache."""


class StoredRuleReference(NamedTuple):
    """A reference to a rule with keys in place of rules."""

    match: FoundReference
    target: Key
    rules_in_range: tuple[Key, ...]


@dataclass(slots=True)
class ResolutionCache:
    """Cache of resolved references."""

    numbering: tuple[str, ...] = ()
    """Digests of the numbers of all editions; the cache is valid for these only."""

    known: dict[tuple[str, str, str, bool], tuple[StoredRuleReference | FaultyReference, ...]] = field(
        default_factory=dict
    )
    """References by text, edition, chapter, and whether every number is a reference."""

    count: int = 0  # number of texts that were resolved and not read from the cache

    def next_run(self, outlines: Mapping[str, Outline]) -> ResolutionCache:
        """Return the cache for a run with these outlines, with the count at 0."""
        numbering = tuple(outline.numbering_digest for outline in outlines.values())
        is_valid = numbering == self.numbering and len(self.known) < MAX_CACHED_TEXTS
        return ResolutionCache(numbering, self.known if is_valid else {})


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class NumberResolver:
    """Resolver of numbers and marks to the rules of all books."""

    outlines: Mapping[str, Outline]  # outlines by the address of the edition
    cache: ResolutionCache
    # Messages on missing numbers by edition and number.
    messages_by_number: dict[str, dict[str, str]] = field(default_factory=dict)

    def resolve(
        self, text: str, outline: Outline | None, chapter: str = "", is_cued: bool = False
    ) -> list[NumberReference]:
        """Return every reference in a text with its rule or its fault, in order.

        `outline`: the edition of the text; outside all editions it is None, and only marks that name a book
        are references. `chapter`: the label of its chapter, or a `TextContext`. `is_cued`: every number is a
        reference. Texts that a game inherits from its series are read as in the series.
        """
        if outline is None:
            return [self.resolve_mark(match, text, None, "") for match in explicit_marks(text)]
        if not outline.edition.has_written(text):
            outline = edition_of_numbers(text, outline, self.outlines)
            chapter = outline.default_chapter
        labels = ".".join(chapter.labels) if isinstance(chapter, TextContext) else chapter
        key = str(text), outline.edition.address, labels, is_cued
        if (stored := self.cache.known.get(key)) is None:
            self.cache.count += 1
            references = self._resolve(text, outline, chapter, is_cued)
            self.cache.known[key] = tuple(map(_stored, references))
            return references
        return [
            RuleReference(
                reference.match,
                self._rule(reference.target),
                tuple(map(self._rule, reference.rules_in_range)),
            )
            if isinstance(reference, StoredRuleReference)
            else reference
            for reference in stored
        ]

    def _rule(self, key: Key) -> RuleEntry:
        return self.outlines[key[0]].entries[key[1]]

    def _resolve(self, text: str, outline: Outline, chapter: str, is_cued: bool) -> list[NumberReference]:
        outlines = with_series(outline, self.outlines) if outline.edition.base else [outline]
        dialects = dict.fromkeys(outline.edition.dialect for outline in outlines)
        resolved: list[NumberReference] = []
        for dialect in dialects:
            readable = [outline for outline in outlines if outline.edition.dialect is dialect]
            first_chapter = chapter if readable[0] is outline else readable[0].default_chapter
            resolved = merge_readings(resolved, self._read(text, readable, outline, first_chapter, is_cued))
        return resolved

    def _read(
        self, text: str, outlines: Sequence[Outline], home: Outline, chapter: str, is_cued: bool
    ) -> Iterator[NumberReference]:
        """Yield the references to rules of editions with one numbering scheme, and the explicit marks."""

        def rule_position(number: RuleNumber) -> int | None:
            rules = filter(None, (rule_of_number(number, outline) for outline in outlines))
            return next((rule.position for rule in rules), None)

        matches = outlines[0].edition.finder.find(text, chapter, is_cued, rule_position)
        names = series_names(home.edition) if home.edition.base else None
        last: tuple[int, Edition | None] = 0, None
        before: NumberReference | None = None
        for position, match in enumerate(matches):
            reference = None
            if match.mark_span:
                reference = self.resolve_mark(match, text, home, chapter) if outlines[0] is home else None
            elif match.alternatives or (match.miswritten and not match.number):
                reference = _unclear(match, text, home) if outlines[0] is home else None
            elif match.number and match.cue is not CueStrength.NEVER:
                following = matches[position + 1] if position + 1 < len(matches) else None
                range_end_match = following if following and following.ends_range else None
                other = matches[position - 1] if match.ends_range else range_end_match
                first = (
                    before
                    if other and match.ends_range and before and before.match.start == other.start
                    else None
                )
                edition = names.find(text, match.start, last) if names else None
                last = match.end, edition
                candidates = [o for o in outlines if edition is None or o.edition is edition]
                if candidates:
                    target_outline = choose_edition(match.number, other.number if other else None, candidates)
                    reference = self._resolve_number(
                        match, match.number, target_outline, home, candidates, other, first
                    )
            before = reference or before
            if reference:
                yield reference

    def resolve_mark(
        self, match: FoundReference, text: str, outline: Outline | None, chapter: str
    ) -> NumberReference:
        """Resolve an explicit mark; its number must be that of a rule."""
        words, number = cleaned(text[match.start : match.end]), match.number
        if match.book:
            if (outline := marked_edition(match.book, outline, self.outlines)) is None:
                suggestion = did_you_mean(match.book, book_names(self.outlines))
                message = f"no book {quote_short(match.book)} here{suggestion}"
                return FaultyReference(match._replace(number=None), BOOK_NOT_FOUND, message)
            chapter = outline.default_chapter
            number = outline.edition.dialect.parse_number(words, chapter)
        if outline is None:
            message = f"{quote_short(words)} names no book; write [[book/edition:{quote_short(words)}]]"
            return FaultyReference(match._replace(number=None), BOOK_NOT_FOUND, message)
        if not match.book and outline.edition.base:
            readings = (
                (o, o.edition.dialect.parse_number(words, o.default_chapter))
                for o in with_series(outline, self.outlines)[1:]
            )
            if not number or not rule_of_number(number, outline):
                series_readings = ((o, n) for o, n in readings if n and rule_of_number(n, o))
                outline, number = next(series_readings, (outline, number))
        match = match._replace(number=number)
        if number is None:
            message = f"{quote_short(words) or 'nothing'} is no rule number of {outline.edition.short}"
            return FaultyReference(match, NOT_A_NUMBER, message)
        target = rule_of_number(number, outline)
        if target is None:
            outlines = [
                o for o in with_series(outline, self.outlines) if o.edition.dialect is outline.edition.dialect
            ]
            outlines = [outline] if match.book else outlines
            return FaultyReference(match, NOT_FOUND, self._missing_message(number, outlines))
        rule = outline.find(match.label, chapter) if match.label else None
        if rule and rule is not target:
            message = (
                f"the mark says {rule.display_number} and leads to {target.display_number}; make them agree"
            )
            return FaultyReference(match, DISAGREES, message)
        return RuleReference(match, target)

    def _resolve_number(
        self,
        match: FoundReference,
        number: RuleNumber,
        outline: Outline,
        home: Outline,
        candidates: Sequence[Outline],
        other: FoundReference | None,
        first: NumberReference | None,
    ) -> RuleReference | FaultyReference | None:
        """Resolve a number in a text of `home` to a rule of `outline`; return None if it is no reference.

        `candidates`: the editions that the number may belong to; `other`: the other end of its range;
        `first`: that end resolved, if this one ends the range.
        """
        target = rule_of_number(number, outline)
        partner = rule_of_number(other.number, outline) if other and other.number else None
        if (
            other
            and other.number
            and match.cue is CueStrength.NONE
            and number.labels[0] != other.number.labels[0]
        ):
            # Without a cue, a range across chapters gives amounts unless both ends are rules in order.
            ends = (partner, target) if match.ends_range else (target, partner)
            if not ends[0] or not ends[1] or ends[0].position > ends[1].position:
                return None
        if target is None:
            parent = outline.edition.dialect.parent(number)
            has_shape = (
                match.cue is CueStrength.SHAPE and parent is not None and parent.key in outline.entries
            )
            if match.cue > CueStrength.SHAPE or has_shape or partner:
                message = self._missing_message(number, candidates)
                if candidates[0] is not home:
                    message = message.replace(number.key, f"{number.key} in {outline.edition.short}", 1)
                return FaultyReference(match, NOT_FOUND, message)
            return None
        if isinstance(first, RuleReference) and first.target.edition is outline.edition:
            return range_end(match, first.target, target, outline)
        return RuleReference(match, target)

    def _missing_message(self, number: RuleNumber, outlines: Sequence[Outline]) -> str:
        """Return the message for a missing number, with a suggestion for the first `MAX_MESSAGES` numbers."""
        messages = self.messages_by_number.setdefault(outlines[0].edition.address, {})
        if number.key not in messages:
            if len(messages) == MAX_MESSAGES:
                return f"no rule {number.key}"
            messages[number.key] = missing_rule_message(number, outlines)
        return messages[number.key]


def _stored(reference: NumberReference) -> StoredRuleReference | FaultyReference:
    if isinstance(reference, FaultyReference):
        return reference
    rules_in_range = tuple(map(_key, reference.rules_in_range))
    return StoredRuleReference(reference.match, _key(reference.target), rules_in_range)


def _key(entry: RuleEntry) -> Key:
    return entry.edition.address, entry.key


def _unclear(match: FoundReference, text: str, outline: Outline) -> RuleReference | FaultyReference | None:
    """Return the fault of a cued number that may mean several rules or is misspelt; None for an amount."""
    words = quote_short(cleaned(text[match.start : match.end]))
    if match.alternatives and match.number:
        keys = " or ".join(number.key for number in (match.number, *match.alternatives))
        message = f"{words} may mean {keys}; write the one that is meant"
        return FaultyReference(match._replace(number=None), UNCLEAR, message)
    like = outline.edition.book.numbers[0]
    nearest = rule_of_number(match.nearest, outline) if match.nearest else None
    if match.suffixed and match.cue is CueStrength.PARENTHESES and not nearest:
        return None
    hint = f"; the nearest is {nearest.key}" if nearest else ""
    if match.nearest and not nearest:
        hint = f": {missing_rule_message(match.nearest, [outline])}"
    message = f"{words} is no number as this book writes them, like {like}{hint}"
    return FaultyReference(match, SUFFIXED if match.suffixed and nearest else UNREADABLE, message)


def rule_of_number(number: RuleNumber, outline: Outline) -> RuleEntry | None:
    """Return the rule with a number; for an item in brackets, 12.5c(B), its rule if that lists no items."""
    if (entry := outline.entries.get(number.key)) or len(number.labels) < 3:
        return entry
    dialect = outline.edition.dialect
    above = dialect.parent(number) if dialect.is_item(number) else None
    entry = outline.entries.get(above.key) if above else None
    return entry if entry and not entry.is_transcribed and not entry.children else None


def choose_edition(number: RuleNumber, partner: RuleNumber | None, outlines: Sequence[Outline]) -> Outline:
    """Return the edition that a number belongs to, by default the first. `partner`: end of its range."""
    home = outlines[0]
    if len(outlines) == 1:
        return home
    have = [outline for outline in outlines if rule_of_number(number, outline)]
    both = (outline for outline in have if partner and rule_of_number(partner, outline))
    parents = ((outline, outline.edition.dialect.parent(number)) for outline in outlines)
    with_parent = (outline for outline, parent in parents if parent and parent.key in outline.entries)
    return next(both, None) or next(iter(have), None) or next(with_parent, home)


def range_end(
    match: FoundReference, first: RuleEntry, last: RuleEntry, outline: Outline
) -> RuleReference | FaultyReference:
    """Return the reference at the end of a range, with the rules inside it or its fault."""
    if last is first:
        message = f"the range from {first.display_number} to {last.display_number} is one rule; write it once"
        return FaultyReference(match, EMPTY, message)
    if last.position < first.position:
        message = f"the range ends at {last.display_number}, before {first.display_number}; swap its ends"
        return FaultyReference(match, BACKWARDS, message)
    deepest = max(first.level, last.level)
    inside = [e for e in outline.rule_range(first, last)[1:] if e.level <= deepest and e is not last]
    return RuleReference(match, last, tuple(inside))


def merge_readings(
    first: Sequence[NumberReference], second: Iterable[NumberReference]
) -> list[NumberReference]:
    """Merge two readings of a text: of references that overlap, the one with a rule, or else the first."""
    added = list(second)
    if not first or not added:
        return [*first, *added]

    def overlaps(reference: NumberReference, references: Sequence[NumberReference]) -> bool:
        return any(
            reference.match.start < other.match.end and other.match.start < reference.match.end
            for other in references
        )

    resolved = [
        reference for reference in first if isinstance(reference, RuleReference) or reference.match.mark_span
    ]
    added = [reference for reference in added if not overlaps(reference, resolved)]
    added_resolved = [reference for reference in added if isinstance(reference, RuleReference)]
    remaining = [
        reference for reference in first if reference in resolved or not overlaps(reference, added_resolved)
    ]
    more = [
        reference
        for reference in added
        if isinstance(reference, RuleReference) or not overlaps(reference, remaining)
    ]
    return sorted([*remaining, *more], key=lambda reference: reference.match.start)
