"""Checks of former numbers of rules."""

from __future__ import annotations

from rulewright.book.outline import Outline, RuleEntry
from rulewright.checks.check_visitor import Problems, Scope, check
from rulewright.files.located_text import LocatedText
from rulewright.files.problems import Severity, problem_type
from rulewright.schema.problem_reports import join_some

TAKEN = problem_type(
    "former-number-taken",
    """A number that a rule had before is now that of another rule, or was that of another rule too. The old
    address leads to that one.""",
    Severity.NOTE,
)


MAX_NAMED = 5
"""Numbers that a note names at most."""


@check(Outline, TAKEN)
def check_former_numbers(outline: Outline, scope: Scope) -> Problems:
    """Report former numbers that do not lead to their rule."""
    taken: list[tuple[str, RuleEntry, LocatedText]] = []
    for entry, number, text in outline.former_claims:
        other = outline.entries.get(number.key) or outline.former_numbers.get(number.key)
        is_number = scope.edition.dialect.parse_number(text, entry.chapter.number.labels[0])
        if other and other is not entry and is_number and number.key in outline.entries:
            taken.append((number.key, entry, text))
        elif other and other is not entry and is_number:
            message = f"{number.key} was also {other.key}, so its address does not lead to {entry.key}"
            yield TAKEN.problem(text, message, entry.key)
    if taken:
        # A renumbering leaves a whole row of them, which one note reports.
        numbers, rules = ([key for key, *_ in taken], [entry.key for _, entry, _ in taken])
        verb = (
            "are rules again, so their addresses do" if taken[1:] else "is a rule again, so its address does"
        )
        message = f"{join_some(numbers, MAX_NAMED)} {verb} not lead to {join_some(rules, MAX_NAMED)}"
        yield TAKEN.problem(taken[0][2], message, taken[0][1].key)
