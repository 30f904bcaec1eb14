"""Checks of rule numbers: they are well-formed, unique and in the right place."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from math import ceil

from rulewright.book.outline import Outline, RuleEntry
from rulewright.files.content_folder import CONTENT
from rulewright.files.filenames import casefold_path
from rulewright.files.located_text import LocatedText
from rulewright.files.problems import (
    Problem,
    Severity,
    SourceFile,
    SourceLocation,
    problem_type,
    quote_short,
)
from rulewright.numbering.edition_numbering import repair_number
from rulewright.numbering.numbering_scheme import NumberingScheme, RuleNumber
from rulewright.numbering.scheme_detection import DetectedScheme, detect_scheme
from rulewright.references.reference_index import ReferenceIndex
from rulewright.references.reference_resolver import UNREADABLE
from rulewright.references.reference_types import FaultyReference
from rulewright.schema.rulebook import Chapter, Rule, numbers_in

MAX_GAP = 50

_MIN_LABELS = 8
_MIN_FAULTS = 4
_LABELS_PER_FAULT = 20
"""A numbering scheme is reported as wrong if more than four numbers, and more than one in 20, are unreadable.
"""

WRONG = problem_type(
    "dialect-wrong",
    """Most numbers of a book do not fit the numbering in rulebook.yml. A numbering that fits is proposed;
    follow-up errors are not reported.""",
)

MALFORMED = problem_type(
    "label-malformed", "A rule's number is not written as rulebook.yml says the book writes them."
)
DUPLICATE = problem_type(
    "duplicate-number", "Two rules have one number, so that a reference cannot tell them apart."
)
CAPITALS = problem_type(
    "number-differs-in-capitals",
    """Two numbers differ only in case. Some file systems ignore case, so that both have the same short
    address. If the printed book has both numbers, excuse this in edition.yml.""",
    Severity.WARNING,
)
OUTSIDE = problem_type("number-outside-parent", "A rule is inside a rule that its number does not belong to.")
DISORDER = problem_type(
    "number-out-of-order",
    "A rule comes after a rule with a higher number, or before one with a lower number.",
)
GAP = problem_type(
    "number-gap",
    "A number is left out between two rules. If the printed book has no such rule, excuse it in edition.yml.",
    Severity.WARNING,
)


def check_numbering_schemes(index: ReferenceIndex) -> Iterator[Problem]:
    """Report each declared numbering scheme that does not fit the numbers of its book."""
    reported: set[SourceLocation] = set()
    for address, outline in index.outlines.items():
        declared, dialect = outline.edition.book.numbers[0], outline.edition.dialect
        if declared.place in reported:
            continue
        labels = [str(number) for number, _ in _iter_numbers(outline)]
        cited = [
            reference.as_written(citation.text)
            for citation in index.editions[address].citations
            for reference in citation.resolved
            if isinstance(reference, FaultyReference) and reference.fault is UNREADABLE
        ]
        if detection := _detect_better_scheme(labels, cited, dialect):
            reported.add(declared.place)
            detected, count = detection
            proposal = _quote_forms(detected.numbers)
            proposal += f", chapters as {_quote_forms(detected.chapters)}" if detected.chapters else ""
            proposal += f', in the alphabet "{detected.alphabet}"' if detected.alphabet else ""
            message = f"{count} numbers that {declared} does not read are written as {proposal}; declare that"
            yield WRONG.problem(declared.place, message, declared)


def _detect_better_scheme(
    labels: Sequence[str], cited: Sequence[str], declared: NumberingScheme
) -> tuple[DetectedScheme, int] | None:
    """Detect a scheme that reads most of the numbers that the declared one does not; return how many.

    `labels` are the numbers of a book in its order, `cited` unreadable numbers after a cue. Forms of chapters
    and an alphabet are proposed only if the declared ones do not fit.
    """
    faults = _count_faults(labels, declared) + len(cited)
    if len(labels) < _MIN_LABELS or faults <= max(_MIN_FAULTS, len(labels) // _LABELS_PER_FAULT):
        return None
    guessed = detect_scheme(
        [(label, True) for label in labels], [*labels, *cited, *cited, *cited], are_numbers=True
    )
    if guessed is None:
        return None
    dialect = guessed.dialect()
    left = _count_faults(labels, dialect) + sum(dialect.parse_number(number) is None for number in cited)
    if left * 5 >= faults:
        return None
    plain = NumberingScheme(guessed.numbers, declared.chapter_forms, alphabet=declared.alphabet)
    plain_labels = [number and number.labels for number in map(plain.parse_number, labels)]
    if plain_labels == [number and number.labels for number in map(dialect.parse_number, labels)]:
        return replace(guessed, chapters=[], alphabet=""), faults - left
    other = dialect.alphabet if dialect.alphabet != declared.alphabet else ""
    return replace(guessed, alphabet=other), faults - left


def _count_faults(labels: Iterable[str], dialect: NumberingScheme) -> int:
    """Count the labels that a scheme cannot parse or finds out of order."""
    numbers = [dialect.parse_number(label) for label in labels]
    out_of_order = (number and other and other.order < number.order for number, other in pairwise(numbers))
    return sum(map(bool, out_of_order)) + numbers.count(None)


def _quote_forms(forms: Sequence[str]) -> str:
    quoted_forms = ", ".join(f'"{form}"' for form in forms)
    return f"[{quoted_forms}]" if len(forms) > 1 else quoted_forms


def check_number_format(index: ReferenceIndex) -> Iterator[Problem]:
    """Report numbers that the numbering scheme of the book cannot read."""
    for outline in index.outlines.values():
        for number, chapter in _iter_numbers(outline):
            if outline.edition.dialect.parse_number(number, chapter) is None:
                example = outline.edition.book.numbers[0]
                suggested = repair_number(number, outline.edition.dialect, chapter)
                like = f"like {example}{f'; did you mean {suggested.key}?' if suggested else ''}"
                message = f"{quote_short(number)} is no number as this book writes them, {like}"
                yield MALFORMED.problem(number.place, message, number)


def _iter_numbers(outline: Outline) -> Iterator[tuple[LocatedText, str]]:
    """Yield all numbers as written, with the label of their chapter."""
    for chapter in outline.edition.chapters:
        number = outline.edition.dialect.parse_number(chapter.number)
        for label in numbers_in(chapter):
            yield label, number.labels[0] if number else ""
    for listed_rule in outline.edition.known.known if outline.edition.known else ():
        yield listed_rule.number, ""
    for table in outline.edition.tables:
        if table.number:
            yield table.number, ""


def check_duplicate_numbers(index: ReferenceIndex) -> Iterator[Problem]:
    """Report duplicate numbers among the rules or in the list of known numbers."""
    for outline in index.outlines.values():
        for duplicate, first, number, before in _iter_duplicates(outline):
            first_location = (
                f"in line {first.place.line}" if first.file is duplicate.file else f"in {first.place}"
            )
            free = _next_free_number((before, number), outline)
            hint = f"; is this {free}?" if free else ""
            yield DUPLICATE.problem(
                duplicate.place,
                f"{quote_short(duplicate)} is there already, {first_location}{hint}",
                number.key,
            )


def check_number_case(index: ReferenceIndex) -> Iterator[Problem]:
    """Report numbers that differ only in case, as 12.5A and 12.5a."""
    for outline in index.outlines.values():
        firsts: dict[str, RuleEntry] = {}
        for entry in outline.entries.values():
            first = firsts.setdefault(casefold_path(entry.key), entry)
            if first is not entry:
                message = (
                    f"{entry.display_number} differs from {first.display_number} only in capitals, which "
                    f"some disks overlook"
                )
                yield CAPITALS.problem(entry.printed.place, message, entry.key)


def _iter_duplicates(
    outline: Outline,
) -> Iterator[tuple[LocatedText, LocatedText, RuleNumber, RuleNumber | None]]:
    """Yield each duplicate: its location, the first location, the number and the previous listed number.

    Rules nested in a duplicate rule are skipped.
    """
    inside: set[Rule] = set()
    for rule, entry in outline.duplicates:
        if rule not in inside:
            yield rule.number, entry.printed, entry.number, None
        inside.update(rule.rules)
    seen: dict[str, LocatedText] = {}
    before = None
    for listed_rule in outline.edition.known.known if outline.edition.known else ():
        number = outline.edition.dialect.parse_number(listed_rule.number)
        if number and number.key in seen:
            yield listed_rule.number, seen[number.key], number, before
        elif number:
            seen[number.key] = listed_rule.number
        before = number


def _next_free_number(numbers: Iterable[RuleNumber | None], outline: Outline) -> str:
    """Return the first number after one of several that the book does not use; empty if there is none."""
    dialect = outline.edition.dialect
    following = (dialect.sibling(number, int(number.ordinals[-1]) + 1) for number in numbers if number)
    return next((number.key for number in following if number and number.key not in outline.entries), "")


def check_rule_parents(index: ReferenceIndex) -> Iterator[Problem]:
    """Report rules whose number belongs to another parent."""
    for outline in index.outlines.values():
        for entry in outline.entries.values():
            fault = _parent_problem(entry, outline) if entry.is_transcribed else ""
            if fault:
                yield OUTSIDE.problem(entry.printed.place, f"{entry.display_number} {fault}", entry.key)


def _parent_problem(entry: RuleEntry, outline: Outline) -> str:
    """Return why a rule is in the wrong place, or an empty string; report an invalid chapter only once."""
    number, parent = entry.number, entry.parent and entry.parent.number
    if parent and number.shape == parent.shape and number.labels[:-1] == parent.labels:
        return ""  # fast path for most rules
    above = outline.nearest_ancestor(number)
    if isinstance(entry.rule, Chapter) and not above and len(entry.number.labels) > 1:
        return "is not a chapter; `chapters` in rulebook.yml says how they are written"
    if above is entry.parent or (not above and len(entry.chapter.number.labels) > 1):
        return ""
    message = f"is out of place {f'in {entry.parent.display_number}' if entry.parent else 'as a chapter'}; "
    if not above:
        return f"{message}this book has no chapter for it"
    *_, before, last = entry.number.labels
    put_in = above.parent is entry.parent and last.isupper() and before.isdigit()
    hint = f"; if it was inserted after {above.display_number}, declare suffixes: [{last}]" if put_in else ""
    return f"{message}move it into {above.display_number}{hint}"


def check_rule_order(index: ReferenceIndex) -> Iterator[Problem]:
    """Report rules out of order, and numbers left out between two rules."""
    for outline in index.outlines.values():
        unplaced = _positions_without_entry(outline)
        for siblings in (outline.chapters, *(entry.children for entry in outline.entries.values())):
            by_shape: defaultdict[int, list[RuleEntry]] = defaultdict(list)
            for entry in siblings:
                by_shape[entry.number.shape].append(entry)
            for same_shape in by_shape.values():
                ordered = _longest_ordered_run(same_shape)
                yield from _check_order(same_shape, ordered)
                yield from _check_gaps(ordered, outline, unplaced)


def _positions_without_entry(outline: Outline) -> dict[SourceFile, list[int]]:
    """Return the positions, by file, of numbers without an entry, which may fill a gap."""
    starts = defaultdict(list)
    for duplicate, *_ in _iter_duplicates(outline):
        starts[duplicate.file].append(duplicate.start)
    for number, chapter in _iter_numbers(outline):
        if outline.edition.dialect.parse_number(number, chapter) is None:
            starts[number.file].append(number.start)
    return {file: sorted(places) for file, places in starts.items()}


def _longest_ordered_run(entries: list[RuleEntry]) -> list[RuleEntry]:
    """Return the longest ascending subsequence of siblings: the rules that can stay in place."""
    if all(rule.number.ordinals <= other.number.ordinals for rule, other in pairwise(entries)):
        return entries
    ordinals = sorted({entry.number.ordinals for entry in entries})
    ranks = {number: rank for rank, number in enumerate(ordinals)}
    run_starts: list[int] = []  # the highest number that begins a run of each length, negated
    lengths = [0] * len(entries)
    for index in reversed(range(len(entries))):
        rank = -ranks[entries[index].number.ordinals]
        length = bisect_right(run_starts, rank)
        run_starts[length : length + 1] = [rank]
        lengths[index] = length + 1
    ordered: list[RuleEntry] = []
    for entry, length in zip(entries, lengths, strict=True):
        if length == len(run_starts) - len(ordered) and (
            not ordered or entry.number.ordinals >= ordered[-1].number.ordinals
        ):
            ordered.append(entry)
    return ordered


def _check_order(entries: list[RuleEntry], ordered: list[RuleEntry]) -> Iterator[Problem]:
    numbers = [entry.number.ordinals for entry in ordered]
    passed = 0
    for entry in entries:
        if passed < len(ordered) and entry is ordered[passed]:
            passed += 1
            continue
        home = bisect_right(numbers, entry.number.ordinals)
        place = (
            f"after {ordered[passed - 1].display_number}"
            if home < passed
            else f"before {ordered[passed].display_number}"
        )
        target = (
            f"after {ordered[home - 1].display_number}" if home else f"before {ordered[0].display_number}"
        )
        message = f"{entry.display_number} is out of place {place}; move it {target}"
        yield DISORDER.problem(entry.printed.place, message, entry.key)


def _check_gaps(
    entries: list[RuleEntry], outline: Outline, unplaced: Mapping[SourceFile, list[int]]
) -> Iterator[Problem]:
    """Report gaps between ordered siblings; a list of cited numbers proves no gaps."""
    known = outline.edition.known
    everything = known is not None and known.lists == "everything"
    is_complete = f"{CONTENT}/{outline.edition.address}/known.yml" not in outline.edition.files
    last: dict[tuple[float, ...], RuleEntry] = {}
    for entry in entries:
        *above, count = entry.number.ordinals
        before = last.get(tuple(above))
        last[tuple(above)] = entry
        both = entry.is_transcribed and (before.is_transcribed if before else is_complete) and above
        start = before or entry.parent
        if not (everything or both) or (
            start and _has_position_between(start.printed, entry.printed, unplaced)
        ):
            continue
        expected = int(before.number.ordinals[-1]) + 1 if before else min(int(count), 1)
        missing = _missing_numbers(entry.number, expected, outline)
        if missing:
            relation = f"follows {before.display_number}" if before else "comes first"
            message = f"{entry.display_number} {relation}; {_missing_text(missing)} left out"
            yield GAP.problem(entry.printed.place, message, missing[0])


def _has_position_between(
    before: LocatedText, after: LocatedText, unplaced: Mapping[SourceFile, list[int]]
) -> bool:
    starts = unplaced.get(before.file, []) if before.file is after.file else []
    return bisect_right(starts, before.start) < bisect_right(starts, after.start)


def _missing_text(keys: list[str]) -> str:
    return (
        f"{keys[0]} is" if len(keys) == 1 else f"{keys[0]} {'and' if len(keys) == 2 else 'to'} {keys[-1]} are"
    )


def _missing_numbers(number: RuleNumber, expected: int, outline: Outline) -> list[str]:
    """Return the first and the last numbers from `expected` to `number` that the book never used."""
    dialect, end = outline.edition.dialect, ceil(number.ordinals[-1])
    counts = [*range(expected, min(end, expected + MAX_GAP)), *([end - 1] if end > expected else [])]
    between = (dialect.sibling(number, count) for count in dict.fromkeys(counts))
    keys = [number.key for number in between if number]
    return [key for key in keys if key not in outline.entries and key not in outline.former_numbers]
