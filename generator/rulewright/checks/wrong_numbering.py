"""Find books whose numbering does not fit their numbers, with a numbering that does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.book.outline import Outline
from rulewright.files.located_text import LocatedText
from rulewright.files.problems import Problem, problem_type
from rulewright.numbering.scheme_detection import detect_better_scheme
from rulewright.references.reference_index import ReferenceIndex
from rulewright.references.reference_resolver import UNREADABLE
from rulewright.references.reference_types import FaultyReference
from rulewright.schema.rulebook import numbers_in

WRONG = problem_type(
    "dialect-wrong",
    """Most numbers of a book do not fit the numbering in rulebook.yml. A numbering that fits is proposed;
    follow-up errors are not reported.""",
)


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
        if detection := detect_better_scheme(labels, cited, dialect):
            detected, count = detection
            proposal = _quote_forms(detected.numbers)
            proposal += f", chapters as {_quote_forms(detected.chapters)}" if detected.chapters else ""
            proposal += f', in the alphabet "{detected.alphabet}"' if detected.alphabet else ""
            message = f"{count} numbers that {declared} does not read are written as {proposal}; declare that"
            problems[book] = WRONG.problem(declared, message, declared)
    return problems


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
