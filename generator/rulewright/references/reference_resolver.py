"""Resolver that finds the rule of each number in a text, or the fault of the reference.

References are resolved after all books are loaded, since they may lead into other books.

If a game and its series both have a rule with a number, the rule of the game is meant, unless the series is
named before the number ("OCS 12.5", "series rule 12.5") or a mark names it. Both ends of a range are in the
same edition: the game, if it has both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

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

BACKWARDS = problem_type("range-backwards", "A range of rules ends before it begins. Turn its ends round.")
EMPTY = problem_type("range-empty", "A range begins and ends with the same rule. Name that rule alone.")


NumberReference = RuleReference | FaultyReference  # the outcome of a number or a mark


FoundReferences = dict[tuple[str, str, str, bool], Sequence[FoundReference]]
"""The numbers found in texts, by text, edition, chapter, and whether every number is a reference.

They are valid while the numbers of all editions are the same.
"""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class NumberResolver:
    """Resolver of numbers and marks to the rules of all books."""

    outlines: Mapping[str, Outline]  # outlines by the address of the edition
    matches_by_text: FoundReferences

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
        outlines = with_series(outline, self.outlines)
        resolved: list[NumberReference] = []
        for dialect in dict.fromkeys(outline.edition.dialect for outline in outlines):
            readable = [outline for outline in outlines if outline.edition.dialect is dialect]
            first_chapter = chapter if readable[0] is outline else readable[0].default_chapter
            reading = self._read(text, readable, outline, first_chapter, is_cued)
            resolved = merge_readings(resolved, reading) if resolved else [*reading]
        return resolved

    def _find(
        self, text: str, outlines: Sequence[Outline], chapter: str, is_cued: bool
    ) -> Sequence[FoundReference]:
        """Return the numbers in a text; what an ambiguous spelling means depends on the rules there are."""
        labels = ".".join(chapter.labels) if isinstance(chapter, TextContext) else chapter
        key = str(text), outlines[0].edition.address, labels, is_cued

        def has_rule(number: RuleNumber) -> bool:
            return any(rule_of_number(number, outline) for outline in outlines)

        if key not in self.matches_by_text:
            self.matches_by_text[key] = outlines[0].edition.finder.find(text, chapter, is_cued, has_rule)
        return self.matches_by_text[key]

    def _read(
        self, text: str, outlines: Sequence[Outline], home: Outline, chapter: str, is_cued: bool
    ) -> Iterator[NumberReference]:
        """Yield the references to rules of editions with one numbering scheme, and the explicit marks."""
        matches = self._find(text, outlines, chapter, is_cued)
        names = series_names(home.edition) if home.edition.base else None
        last: tuple[int, Edition | None] = 0, None
        before: NumberReference | None = None
        is_home = outlines[0] is home
        for previous, match, following in zip((None, *matches), matches, (*matches[1:], None), strict=False):
            reference = None
            if match.mark_span:
                reference = self.resolve_mark(match, text, home, chapter) if is_home else None
            elif match.alternatives or (match.miswritten and not match.number):
                reference = _unclear(match, text, home) if is_home else None
            elif match.number and match.cue is not CueStrength.NEVER:
                edition = names.find(text, match.start, last) if names else None
                last = match.end, edition
                candidates = [o for o in outlines if edition is None or o.edition is edition]
                other = previous if match.ends_range else following
                other_number = other.number if other and (match.ends_range or other.ends_range) else None
                start = before if match.ends_range and before and before.match is previous else None
                if candidates:
                    reference = _resolve_number(match, match.number, other_number, start, candidates, home)
            before = reference or before
            if reference:
                yield reference

    def resolve_mark(
        self, match: FoundReference, text: str, outline: Outline | None, chapter: str
    ) -> NumberReference:
        """Resolve an explicit mark; its number must be that of a rule."""
        words = cleaned(text[match.start : match.end])
        if match.book:
            outline = marked_edition(match.book, outline, self.outlines)
            chapter = outline.default_chapter if outline else ""
            if outline is None:
                suggestion = did_you_mean(match.book, book_names(self.outlines))
                message = f"no book {quote_short(match.book)} here{suggestion}"
                return FaultyReference(match, BOOK_NOT_FOUND, message)
        if outline is None:
            message = f"{quote_short(words)} names no book; write [[book/edition:{quote_short(words)}]]"
            return FaultyReference(match, BOOK_NOT_FOUND, message)
        outlines = [outline] if match.book else with_series(outline, self.outlines)
        readings = [
            (o, o.edition.dialect.parse_number(words, chapter if o is outline else o.default_chapter))
            for o in outlines
        ]
        existing = (reading for reading in readings if reading[1] and rule_of_number(reading[1], reading[0]))
        home, number = next(existing, readings[0])
        match = match._replace(number=number)
        if number is None:
            message = f"{quote_short(words) or 'nothing'} is no rule number of {outline.edition.short}"
            return FaultyReference(match, NOT_A_NUMBER, message)
        target = rule_of_number(number, home)
        if target is None:
            outlines = [o for o in outlines if o.edition.dialect is home.edition.dialect]
            return FaultyReference(match, NOT_FOUND, missing_rule_message(number, outlines))
        rule = home.find(match.label, chapter) if match.label else None
        if rule and rule is not target:
            message = (
                f"the mark says {rule.display_number} and leads to {target.display_number}; make them agree"
            )
            return FaultyReference(match, DISAGREES, message)
        return RuleReference(match, target)


def _resolve_number(
    match: FoundReference,
    number: RuleNumber,
    other: RuleNumber | None,
    start: NumberReference | None,
    candidates: Sequence[Outline],
    home: Outline,
) -> NumberReference | None:
    """Resolve a number in a text of `home` to a rule; return None if it is no reference.

    `candidates`: the editions that it may belong to; `other`: the other end of its range; `start`: the
    resolved start of the range that it ends.
    """
    outline = choose_edition(number, other, candidates)
    target = rule_of_number(number, outline)
    partner = rule_of_number(other, outline) if other else None
    if other and match.cue is CueStrength.NONE and number.labels[0] != other.labels[0]:
        # Without a cue, a range across chapters gives amounts unless both ends are rules in order.
        first, last = (partner, target) if match.ends_range else (target, partner)
        if not first or not last or first.position > last.position:
            return None
    if target is None:
        parent = outline.edition.dialect.parent(number)
        has_shape = match.cue is CueStrength.SHAPE and parent is not None and parent.key in outline.entries
        if match.cue <= CueStrength.SHAPE and not has_shape and not partner:
            return None
        message = missing_rule_message(number, candidates)
        if candidates[0] is not home:
            message = message.replace(number.key, f"{number.key} in {outline.edition.short}", 1)
        return FaultyReference(match, NOT_FOUND, message)
    if isinstance(start, RuleReference) and start.target.edition is outline.edition:
        return range_end(match, start.target, target, outline)
    return RuleReference(match, target)


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

    def rank(outline: Outline) -> tuple[bool, bool, bool]:
        """Return whether an edition has both ends of the range, the number, and at least its parent."""
        parent = outline.edition.dialect.parent(number)
        has_rule = rule_of_number(number, outline) is not None
        has_both = has_rule and partner is not None and rule_of_number(partner, outline) is not None
        return has_both, has_rule, has_rule or (parent is not None and parent.key in outline.entries)

    return outlines[0] if len(outlines) == 1 else max(outlines, key=rank)


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
    ranked = sorted([*first, *second], key=lambda r: not (isinstance(r, RuleReference) or r.match.mark_span))
    merged: list[NumberReference] = []
    for reference in ranked:
        start, end = reference.span
        if all(other.span[1] <= start or end <= other.span[0] for other in merged):
            merged.append(reference)
    return sorted(merged, key=lambda reference: reference.match.start)
