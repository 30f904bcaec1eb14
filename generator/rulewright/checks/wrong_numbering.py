"""Find books whose numbering does not fit their numbers, with a numbering that does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from rulewright.book.outline import Outline
from rulewright.files.located_text import LocatedText
from rulewright.files.problems import Problem, problem_type
from rulewright.numbering.numbering_scheme import NumberingScheme
from rulewright.numbering.scheme_detection import DetectedScheme, detect_scheme
from rulewright.references.reference_index import ReferenceIndex
from rulewright.references.reference_resolver import UNREADABLE
from rulewright.references.reference_types import FaultyReference
from rulewright.schema.rulebook import numbers_in

WRONG = problem_type(
    "dialect-wrong",
    """Most numbers of a book do not fit the numbering in rulebook.yml. A numbering that fits is proposed;
    follow-up errors are not reported.""",
)

_MIN_LABELS = 8
_MIN_FAULTS = 4
_LABELS_PER_FAULT = 20
"""A numbering scheme is wrong if more than four numbers, and more than one in 20, are unreadable."""


def wrong_numberings(index: ReferenceIndex) -> dict[str, Problem]:
    """Return a problem for each book whose declared numbering scheme does not fit its numbers."""
    problems: dict[str, Problem] = {}
    for address, outline in index.outlines.items():
        declared, dialect = outline.edition.book.numbers[0], outline.edition.dialect
        book = declared.file.name.split("/")[1]
        if book in problems:
            continue
        cited: list[str] = []
        for citation in index.editions[address].citations:
            for reference in citation.resolved:
                if isinstance(reference, FaultyReference) and reference.fault is UNREADABLE:
                    cited += [reference.as_written(citation.text)]
        labels = [str(number) for number, _ in iter_numbers(outline)]
        if detection := _detect_better_scheme(labels, cited, dialect):
            detected, count = detection
            proposal = _quote_forms(detected.numbers)
            proposal += f", chapters as {_quote_forms(detected.chapters)}" if detected.chapters else ""
            proposal += f', in the alphabet "{detected.alphabet}"' if detected.alphabet else ""
            message = f"{count} numbers that {declared} does not read are written as {proposal}; declare that"
            problems[book] = WRONG.problem(declared, message, declared)
    return problems


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


def iter_numbers(outline: Outline) -> Iterator[tuple[LocatedText, str]]:
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
