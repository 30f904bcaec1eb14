"""Checks of rule numbers: they are well-formed, unique and in the right place."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator
from math import ceil

from rulewright.book.outline import Outline, RuleEntry
from rulewright.book.table_entries import bare_table_name
from rulewright.checks.check_visitor import Problems, Scope, check
from rulewright.compare.item_change import longest_in_order
from rulewright.files.content_folder import CONTENT
from rulewright.files.filenames import casefold_path
from rulewright.files.located_text import LocatedText
from rulewright.files.problems import (
    Severity,
    problem_type,
    quote_short,
)
from rulewright.numbering.edition_numbering import iter_labels, repair_number
from rulewright.numbering.numbering_scheme import RuleNumber
from rulewright.schema.rulebook import Chapter, Rule

MAX_GAP = 50

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


def iter_numbers(outline: Outline) -> Iterator[tuple[LocatedText, str]]:
    """Yield all numbers as written, with the label of their chapter."""
    edition = outline.edition
    yield from iter_labels(edition.chapters, edition.known, edition.dialect)
    yield from ((table.number, "") for table in edition.tables if table.number)


@check(Outline, MALFORMED)
def check_number_format(outline: Outline, scope: Scope) -> Problems:
    """Report numbers, and former numbers, that the numbering scheme of the book cannot read."""
    dialect, example = scope.edition.dialect, f"like {scope.book.numbers[0]}"
    for number, chapter in iter_numbers(outline):
        if dialect.parse_number(number, chapter) is None:
            suggested = repair_number(number, dialect, chapter)
            hint = f"; did you mean {suggested.key}?" if suggested else ""
            message = f"{quote_short(number)} is no number as this book writes them, {example}{hint}"
            yield MALFORMED.problem(number, message, number)
    former = {text.key for _, _, text in outline.former_claims}
    for entry in outline.ordered_entries:
        for rule in filter(None, (entry.rule, entry.listed_rule)):
            for text in rule.formerly:
                if text.key not in former:
                    message = f"{quote_short(text)} is no number as this book writes them, {example}"
                    yield MALFORMED.problem(text, message, text)


@check(Outline, DUPLICATE)
def check_duplicate_numbers(outline: Outline, scope: Scope) -> Problems:
    """Report duplicate numbers among the rules or in the list of known numbers, and tables of rules."""
    for duplicate, first, key in _iter_duplicates(outline):
        place = f"line {first.place.line}" if first.file is duplicate.file else first.place
        message = f"{quote_short(duplicate)} is there already, in {place}; give one of them another number"
        yield DUPLICATE.problem(duplicate, message, key)
    for table in scope.references.tables:
        number_text, title = table.table.number, table.table.title
        entry = outline.find(number_text) if number_text else None
        text = entry.rule.title if entry and entry.rule else None
        if entry and number_text and text and bare_table_name(text) != bare_table_name(title):
            other = f"the rule {quote_short(text)} already, in {text.place}"
            yield DUPLICATE.problem(number_text, f"{entry.key} is {other}; give the two one title", entry.key)


@check(Outline, CAPITALS)
def check_number_case(outline: Outline, _: Scope) -> Problems:
    """Report numbers that differ only in case, as 12.5A and 12.5a."""
    firsts: dict[str, RuleEntry] = {}
    for entry in outline.entries.values():
        first = firsts.setdefault(casefold_path(entry.key), entry)
        if first is not entry:
            message = f"{entry.display_number} differs from {first.display_number} only in capitals, which "
            yield CAPITALS.problem(entry.printed, f"{message}some disks overlook", entry.key)


def _iter_duplicates(outline: Outline) -> Iterator[tuple[LocatedText, LocatedText, str]]:
    """Yield each duplicate, the first place of its number and the number.

    Rules nested in a duplicate rule are skipped.
    """
    inside: set[Rule] = set()
    for rule, entry in outline.duplicates:
        if rule not in inside:
            yield rule.number, entry.printed, entry.key
        inside.update(rule.rules)
    seen: dict[str, LocatedText] = {}
    for listed_rule in outline.edition.known.known if outline.edition.known else ():
        number = outline.edition.dialect.parse_number(listed_rule.number)
        if number and seen.setdefault(number.key, listed_rule.number) is not listed_rule.number:
            yield listed_rule.number, seen[number.key], number.key


@check(RuleEntry, OUTSIDE)
def check_rule_parents(entry: RuleEntry, scope: Scope) -> Problems:
    """Report rules whose number belongs to another parent."""
    fault = _parent_problem(entry, scope.outline) if entry.is_transcribed else ""
    if fault:
        yield OUTSIDE.problem(entry.printed, f"{entry.display_number} {fault}")


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
    message = f"is out of place {f'in {entry.parent.display_number}' if entry.parent else 'as a chapter'}"
    if not above:
        return f"{message}; this book has no chapter for it"
    *_, before, last = entry.number.labels
    hint = f", or declare suffixes: [{last}]" if last.isupper() and before.isdigit() else ""
    return f"{message}; move it into {above.display_number}{hint}"


def _iter_rows(outline: Outline) -> Iterator[tuple[list[RuleEntry], list[RuleEntry]]]:
    """Yield rules with one parent whose numbers have one shape, and the most of them that are in order."""
    for siblings in (outline.chapters, *(entry.children for entry in outline.entries.values())):
        by_shape: defaultdict[int, list[RuleEntry]] = defaultdict(list)
        for entry in siblings:
            by_shape[entry.number.shape].append(entry)
        for row in by_shape.values():
            # Of several longest choices, the one with the earlier rules.
            ordinals = sorted({entry.number.ordinals for entry in row}, reverse=True)
            ranks = {number: rank for rank, number in enumerate(ordinals)}
            places = {rule: ranks[rule.number.ordinals] for rule in row}
            yield row, longest_in_order(row[::-1], places.__getitem__)[::-1]


@check(Outline, DISORDER)
def check_rule_order(outline: Outline, _: Scope) -> Problems:
    """Report rules out of order."""
    for row, ordered in _iter_rows(outline):
        numbers = [entry.number.ordinals for entry in ordered]
        for index, entry in enumerate(row):
            if entry not in ordered:
                home = bisect_right(numbers, entry.number.ordinals)
                first, previous = ordered[0].display_number, ordered[home - 1].display_number
                target = f"after {previous}" if home else f"before {first}"
                place = f"after {row[index - 1].display_number}" if index else "at the beginning"
                message = f"{entry.display_number} is out of place {place}; move it {target}"
                yield DISORDER.problem(entry.printed, message, entry.key)


@check(Outline, GAP)
def check_number_gaps(outline: Outline, scope: Scope) -> Problems:
    """Report numbers left out between two rules; a list of cited numbers proves no gaps."""
    known, address = outline.edition.known, scope.edition.address
    if address in scope.project.unreadable.without_numbers:
        return
    everything = known is not None and known.lists == "everything"
    is_complete = f"{CONTENT}/{address}/known.yml" not in outline.edition.files
    # A rule with a wrong number may be the one that is left out.
    files = {number.file for number in _misnumbered(outline)}
    for _, ordered in _iter_rows(outline):
        last: dict[tuple[float, ...], RuleEntry] = {}
        for entry in ordered:
            *above, count = entry.number.ordinals
            before = last.get(tuple(above))
            last[tuple(above)] = entry
            both = entry.is_transcribed and (before.is_transcribed if before else is_complete) and above
            expected = int(before.number.ordinals[-1]) + 1 if before else min(int(count), 1)
            missing = _missing_numbers(entry.number, expected, outline)
            if missing and (everything or both) and entry.printed.file not in files:
                relation = f"follows {before.display_number}" if before else "comes first"
                left_out = f"{missing[0]} to {missing[-1]} are"
                if len(missing) < 3:
                    left_out = f"{' and '.join(missing)} {'is' if len(missing) == 1 else 'are'}"
                message = f"{entry.display_number} {relation}; {left_out} left out"
                yield GAP.problem(entry.printed, message, missing[0])


def _misnumbered(outline: Outline) -> Iterator[LocatedText]:
    """Yield the duplicate and the malformed numbers."""
    yield from (duplicate for duplicate, *_ in _iter_duplicates(outline))
    for number, chapter in iter_numbers(outline):
        if outline.edition.dialect.parse_number(number, chapter) is None:
            yield number


def _missing_numbers(number: RuleNumber, expected: int, outline: Outline) -> list[str]:
    """Return the first and the last numbers from `expected` to `number` that the book never used."""
    dialect, end = outline.edition.dialect, ceil(number.ordinals[-1])
    counts = [*range(expected, min(end, expected + MAX_GAP)), *([end - 1] if end > expected else [])]
    between = (dialect.sibling(number, count) for count in dict.fromkeys(counts))
    keys = [number.key for number in between if number]
    return [key for key in keys if key not in outline.entries and key not in outline.former_numbers]
