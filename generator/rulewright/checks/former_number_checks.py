"""Checks of former numbers of rules, and of references to retired rules."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.book.outline import RuleEntry
from rulewright.checks.number_checks import MALFORMED
from rulewright.files.located_text import LocatedText
from rulewright.files.problems import Problem, Severity, problem_type, quote_short
from rulewright.references.reference_index import ReferenceIndex
from rulewright.references.reference_problems import retired_problems
from rulewright.schema.problem_reports import join_some

TAKEN = problem_type(
    "former-number-taken",
    """A number that a rule had before is now that of another rule, or was that of another rule too. The old
    address leads to that one.""",
    Severity.NOTE,
)


MAX_NAMED = 5
"""Numbers that a note names at most."""


def check_former_numbers(index: ReferenceIndex) -> Iterator[Problem]:
    """Report malformed former numbers, and those that do not lead to their rule."""
    for outline in index.outlines.values():
        dialect, read = outline.edition.dialect, {text.key for _, _, text in outline.former_claims}
        for entry in outline.ordered_entries:
            for texts in (rule.formerly for rule in (entry.rule, entry.listed_rule) if rule):
                for text in texts:
                    if text.key not in read:
                        example = f"like {outline.edition.book.numbers[0]}"
                        message = f"{quote_short(text)} is no number as this book writes them, {example}"
                        yield MALFORMED.problem(text.place, message, text)
        taken: list[tuple[str, RuleEntry, LocatedText]] = []
        for entry, number, text in outline.former_claims:
            other = outline.entries.get(number.key) or outline.former_numbers.get(number.key)
            if other and other is not entry and dialect.parse_number(text, entry.chapter.number.labels[0]):
                if number.key in outline.entries:
                    taken.append((number.key, entry, text))
                    continue
                message = f"{number.key} was also {other.key}, so its address does not lead to {entry.key}"
                yield TAKEN.problem(text.place, message, entry.key)
        if taken:
            # A renumbering leaves a whole row of them, which is told in one note.
            numbers, rules = ([key for key, *_ in taken], [entry.key for _, entry, _ in taken])
            verb = "is a rule again, so its address does"
            verb = "are rules again, so their addresses do" if taken[1:] else verb
            message = f"{join_some(numbers, MAX_NAMED)} {verb} not lead to {join_some(rules, MAX_NAMED)}"
            _, first, text = taken[0]
            yield TAKEN.problem(text.place, message, first.key)


def check_retired_references(index: ReferenceIndex) -> Iterator[Problem]:
    """Report references to retired rules, except those in retired rules."""
    for references in index.editions.values():
        for citation in references.citations:
            if not (isinstance(citation.source, RuleEntry) and citation.source.retired):
                yield from retired_problems(citation.resolved, citation.text.location_of)
