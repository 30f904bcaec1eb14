"""Checks of rule numbers: that they can be read, are given once, and stand where they say they stand."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from math import ceil
from typing import TYPE_CHECKING

from rulewright.book.outline import Outline, RuleEntry
from rulewright.citations.reference_index import ReferenceIndex
from rulewright.citations.reference_resolver import UNREADABLE
from rulewright.model.rulebook import Chapter, Rule, numbers_in
from rulewright.numbers.edition_numbering import repair_number
from rulewright.numbers.numbering_scheme import NumberingScheme, RuleNumber
from rulewright.source.content_folder import CONTENT
from rulewright.source.filenames import casefold_path
from rulewright.source.located_text import LocatedText
from rulewright.source.problems import (
    Problem,
    Severity,
    SourceFile,
    SourceLocation,
    problem_type,
    quote_short,
)

if TYPE_CHECKING:
    from rulewright.numbers.scheme_detection import DetectedScheme

MOST_LOOKED_FOR = 50

_LEAST_LABELS = 8
_LEAST_FAULTS = 4
_LEAST_FAULTY = 20
"""More than one number in so many must be unread, and more than four, before a dialect is called wrong."""

WRONG = problem_type(
    "dialect-wrong",
    """Most numbers of a book cannot be read as rulebook.yml says that it writes them, or their order says
    otherwise. The numbering that reads them is proposed; what follows from it is not told.""",
)

MALFORMED = problem_type(
    "label-malformed", "A rule's number is not written as rulebook.yml says the book writes them."
)
DUPLICATE = problem_type(
    "duplicate-number", "Two rules have one number, so that a reference cannot tell them apart."
)
CAPITALS = problem_type(
    "number-differs-in-capitals",
    """Two numbers are told apart by large and small letters alone. Some disks take these for the same, so one
    short address leads to either. Where the printed book has both, excuse it in edition.yml.""",
    Severity.WARNING,
)
OUTSIDE = problem_type(
    "number-outside-parent", "A rule stands inside a rule that its number does not belong to."
)
DISORDER = problem_type(
    "number-out-of-order", "A rule stands behind one with a higher number, or before a lower one."
)
GAP = problem_type(
    "number-gap",
    "A number is left out between two rules. If the printed book has no such rule, excuse it in edition.yml.",
    Severity.WARNING,
)


def check_numbering_schemes(shelf: ReferenceIndex) -> Iterator[Problem]:
    """Books whose numbers another dialect reads than the one that is declared, each told once."""
    told: set[SourceLocation] = set()
    for address, outline in shelf.outlines.items():
        declared, dialect = outline.edition.book.numbers[0], outline.edition.dialect
        if declared.place in told:
            continue
        labels = [str(number) for number, _ in _every_label(outline)]
        cited = [
            citation.text[reference.match.start : reference.match.end]
            for citation in shelf.citations.get(address, ())
            for reference in citation.resolved
            if reference.fault is UNREADABLE
        ]
        if found := _better(labels, cited, dialect):
            told.add(declared.place)
            guessed, more = found
            proposal = _examples(guessed.numbers)
            proposal += f", chapters as {_examples(guessed.chapters)}" if guessed.chapters else ""
            proposal += f', in the alphabet "{guessed.alphabet}"' if guessed.alphabet else ""
            message = f"{more} numbers that {declared} does not read are written as {proposal}; declare that"
            yield WRONG.problem(declared.place, message, declared)


def _better(
    labels: Sequence[str], cited: Sequence[str], declared: NumberingScheme
) -> tuple[DetectedScheme, int] | None:
    """The dialect that reads most of what a declared one does not, with how many numbers that are.

    `labels`: a book's numbers in its order; `cited`: what its texts lead up to and cannot be read. Forms of
    chapters and an alphabet are proposed only where those that are declared do not serve.
    """
    faults = _faults(labels, declared) + len(cited)
    if len(labels) < _LEAST_LABELS or faults <= max(_LEAST_FAULTS, len(labels) // _LEAST_FAULTY):
        return None
    from rulewright.numbers.scheme_detection import detect_scheme  # late: few books need it

    guessed = detect_scheme(
        [(label, True) for label in labels], [*labels, *cited, *cited, *cited], are_numbers=True
    )
    if guessed is None:
        return None
    dialect = guessed.dialect()
    left = _faults(labels, dialect) + sum(dialect.parse_number(one) is None for one in cited)
    if left * 5 >= faults:
        return None
    plain = NumberingScheme(guessed.numbers, declared.chapter_forms, alphabet=declared.alphabet)
    levels = [
        [number and number.labels for number in map(each.parse_number, labels)] for each in (plain, dialect)
    ]
    if levels[0] == levels[1]:
        return replace(guessed, chapters=[], alphabet=""), faults - left
    other = dialect.alphabet if dialect.alphabet != declared.alphabet else ""
    return replace(guessed, alphabet=other), faults - left


def _faults(labels: Iterable[str], dialect: NumberingScheme) -> int:
    """Count the labels that a dialect cannot parse or finds out of order."""
    numbers = [dialect.parse_number(label) for label in labels]
    behind = (number and other and other.order < number.order for number, other in pairwise(numbers))
    return sum(map(bool, behind)) + numbers.count(None)


def _examples(forms: Sequence[str]) -> str:
    written = ", ".join(f'"{form}"' for form in forms)
    return f"[{written}]" if len(forms) > 1 else written


def check_number_format(shelf: ReferenceIndex) -> Iterator[Problem]:
    """Numbers that the book's dialect cannot read."""
    for outline in shelf.outlines.values():
        for number, chapter in _every_label(outline):
            if outline.edition.dialect.parse_number(number, chapter) is None:
                example = outline.edition.book.numbers[0]
                meant = repair_number(number, outline.edition.dialect, chapter)
                like = f"like {example}{f'; did you mean {meant.key}?' if meant else ''}"
                message = f"{quote_short(number)} is no number as this book writes them, {like}"
                yield MALFORMED.problem(number.place, message, number)


def _every_label(outline: Outline) -> Iterator[tuple[LocatedText, str]]:
    """Every number as it is written, with the label of the chapter that it stands in."""
    for chapter in outline.edition.chapters:
        number = outline.edition.dialect.parse_number(chapter.number)
        for label in numbers_in(chapter):
            yield label, number.labels[0] if number else ""
    for listed in outline.edition.known.known if outline.edition.known else ():
        yield listed.number, ""
    for table in outline.edition.tables:
        if table.number:
            yield table.number, ""


def check_duplicate_numbers(shelf: ReferenceIndex) -> Iterator[Problem]:
    """Numbers that are given twice, in the rules or in the list of known numbers."""
    for outline in shelf.outlines.values():
        for again, first, number, before in _given_twice(outline):
            where = f"in line {first.place.line}" if first.file is again.file else f"in {first.place}"
            free = _free_behind((before, number), outline)
            meant = f"; is this {free}?" if free else ""
            yield DUPLICATE.problem(
                again.place, f"{quote_short(again)} is there already, {where}{meant}", number.key
            )


def check_number_case(shelf: ReferenceIndex) -> Iterator[Problem]:
    """Numbers that only differ in large and small letters, as 12.5A and 12.5a."""
    for outline in shelf.outlines.values():
        firsts: dict[str, RuleEntry] = {}
        for entry in outline.entries.values():
            first = firsts.setdefault(casefold_path(entry.key), entry)
            if first is not entry:
                message = (
                    f"{entry.display_number} differs from {first.display_number} only in capitals, which "
                    f"some disks overlook"
                )
                yield CAPITALS.problem(entry.printed.place, message, entry.key)


def _given_twice(
    outline: Outline,
) -> Iterator[tuple[LocatedText, LocatedText, RuleNumber, RuleNumber | None]]:
    """Each number that is there already: where again, where first, and in a list the one in front of it.

    What stands inside a rule that is there already is not told.
    """
    inside: set[Rule] = set()
    for rule, entry in outline.duplicates:
        if rule not in inside:
            yield rule.number, entry.printed, entry.number, None
        inside.update(rule.rules)
    seen: dict[str, LocatedText] = {}
    before = None
    for listed in outline.edition.known.known if outline.edition.known else ():
        number = outline.edition.dialect.parse_number(listed.number)
        if number and number.key in seen:
            yield listed.number, seen[number.key], number, before
        elif number:
            seen[number.key] = listed.number
        before = number


def _free_behind(numbers: Iterable[RuleNumber | None], outline: Outline) -> str:
    """The number next to one of several, which the book does not have; empty if it has them all."""
    dialect = outline.edition.dialect
    following = (dialect.sibling(number, int(number.ordinals[-1]) + 1) for number in numbers if number)
    return next((number.key for number in following if number and number.key not in outline.entries), "")


def check_rule_parents(shelf: ReferenceIndex) -> Iterator[Problem]:
    """Rules that stand in another rule than their number says."""
    for outline in shelf.outlines.values():
        for entry in outline.entries.values():
            fault = _misplaced(entry, outline) if entry.is_transcribed else ""
            if fault:
                yield OUTSIDE.problem(entry.printed.place, f"{entry.display_number} {fault}", entry.key)


def _misplaced(entry: RuleEntry, outline: Outline) -> str:
    """Report rules in a wrong place. A chapter that is none is told once, not for every rule."""
    above = outline.nearest_ancestor(entry.number)
    if isinstance(entry.rule, Chapter) and not above and len(entry.number.labels) > 1:
        return "stands as a chapter, but is none; `chapters` in rulebook.yml says how they are written"
    if above is entry.parent or (not above and len(entry.chapter.number.labels) > 1):
        return ""
    stands = f"stands in {entry.parent.display_number}" if entry.parent else "stands as a chapter"
    if not above:
        return f"{stands}, but lies in no chapter of this book"
    *_, before, last = entry.number.labels
    put_in = above.parent is entry.parent and last.isupper() and before.isdigit()
    hint = f"; if it was put in behind {above.display_number}, declare suffixes: [{last}]" if put_in else ""
    return f"{stands}, but belongs in {above.display_number}{hint}"


def check_rule_order(shelf: ReferenceIndex) -> Iterator[Problem]:
    """Rules that stand behind a higher number, and numbers left out between two rules."""
    for outline in shelf.outlines.values():
        unplaced = _unplaced(outline)
        for siblings in (outline.chapters, *(entry.children for entry in outline.entries.values())):
            rows: defaultdict[int, list[RuleEntry]] = defaultdict(list)
            for entry in siblings:
                rows[entry.number.shape].append(entry)
            for row in rows.values():
                kept = _in_order(row)
                yield from _disorder(row, kept)
                yield from _gaps(kept, outline, unplaced)


def _unplaced(outline: Outline) -> dict[SourceFile, list[int]]:
    """Positions, by file, of numbers without an entry, since such a one may be what a gap lacks."""
    starts = defaultdict(list)
    for again, *_ in _given_twice(outline):
        starts[again.file].append(again.start)
    for number, chapter in _every_label(outline):
        if outline.edition.dialect.parse_number(number, chapter) is None:
            starts[number.file].append(number.start)
    return {file: sorted(places) for file, places in starts.items()}


def _in_order(row: list[RuleEntry]) -> list[RuleEntry]:
    """The most entries of a row that can stay where they are: its longest rising run."""
    if all(rule.number.ordinals <= other.number.ordinals for rule, other in pairwise(row)):
        return row
    ranks = {number: rank for rank, number in enumerate(sorted({entry.number.ordinals for entry in row}))}
    heads: list[int] = []  # the highest number that begins a run of each length, negated
    lengths = [0] * len(row)
    for at in reversed(range(len(row))):
        rank = -ranks[row[at].number.ordinals]
        length = bisect_right(heads, rank)
        heads[length : length + 1] = [rank]
        lengths[at] = length + 1
    kept: list[RuleEntry] = []
    for entry, length in zip(row, lengths, strict=True):
        if length == len(heads) - len(kept) and (
            not kept or entry.number.ordinals >= kept[-1].number.ordinals
        ):
            kept.append(entry)
    return kept


def _disorder(row: list[RuleEntry], kept: list[RuleEntry]) -> Iterator[Problem]:
    numbers = [entry.number.ordinals for entry in kept]
    passed = 0
    for entry in row:
        if passed < len(kept) and entry is kept[passed]:
            passed += 1
            continue
        home = bisect_right(numbers, entry.number.ordinals)
        stands = (
            f"behind {kept[passed - 1].display_number}"
            if home < passed
            else f"before {kept[passed].display_number}"
        )
        belongs = f"behind {kept[home - 1].display_number}" if home else f"before {kept[0].display_number}"
        message = f"{entry.display_number} stands {stands}; it belongs {belongs}"
        yield DISORDER.problem(entry.printed.place, message, entry.key)


def _gaps(
    row: list[RuleEntry], outline: Outline, unplaced: Mapping[SourceFile, list[int]]
) -> Iterator[Problem]:
    """Gaps in a row in order. A list of cited numbers says nothing about those between them."""
    known = outline.edition.known
    everything = known is not None and known.lists == "everything"
    whole = f"{CONTENT}/{outline.edition.address}/known.yml" not in outline.edition.files
    last: dict[tuple[float, ...], RuleEntry] = {}
    for entry in row:
        *above, count = entry.number.ordinals
        before = last.get(tuple(above))
        last[tuple(above)] = entry
        both = entry.is_transcribed and (before.is_transcribed if before else whole) and above
        start = before or entry.parent
        if not (everything or both) or (start and _stands_between(start.printed, entry.printed, unplaced)):
            continue
        expected = int(before.number.ordinals[-1]) + 1 if before else min(int(count), 1)
        missing = _missing(entry.number, expected, outline)
        if missing:
            behind = f"follows {before.display_number}" if before else "comes first"
            message = f"{entry.display_number} {behind}; {_listed(missing)} left out"
            yield GAP.problem(entry.printed.place, message, missing[0])


def _stands_between(
    before: LocatedText, behind: LocatedText, unplaced: Mapping[SourceFile, list[int]]
) -> bool:
    starts = unplaced.get(before.file, []) if before.file is behind.file else []
    return bisect_right(starts, before.start) < bisect_right(starts, behind.start)


def _listed(keys: list[str]) -> str:
    return (
        f"{keys[0]} is" if len(keys) == 1 else f"{keys[0]} {'and' if len(keys) == 2 else 'to'} {keys[-1]} are"
    )


def _missing(number: RuleNumber, expected: int, outline: Outline) -> list[str]:
    """Numbers from `expected` to `number` that the book neither has nor had: the first ones, and the last."""
    dialect, end = outline.edition.dialect, ceil(number.ordinals[-1])
    counts = [*range(expected, min(end, expected + MOST_LOOKED_FOR)), *([end - 1] if end > expected else [])]
    between = (dialect.sibling(number, count) for count in dict.fromkeys(counts))
    known = (outline.entries, outline.former_numbers)
    return [
        number.key for number in between if number and not any(number.key in numbers for numbers in known)
    ]
