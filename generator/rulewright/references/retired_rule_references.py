"""References to retired rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulewright.files.problems import Severity, problem_type, quote_short
from rulewright.references.reference_types import Reference, RuleReference
from rulewright.schema.step import YES

TO_RETIRED = problem_type(
    "reference-to-retired",
    "A reference leads to a retired rule. The message names the rules that replaced it.",
    Severity.WARNING,
)


def references_to_retired(resolved: Iterable[Reference]) -> Iterator[tuple[RuleReference, str]]:
    """Yield the references to retired rules, each with the message."""
    for reference in resolved:
        if isinstance(reference, RuleReference) and (retirement := reference.target.retired):
            instead = (
                f": {quote_short(retirement.retired)}"
                if retirement.retired and retirement.retired != YES
                else ""
            )
            if retirement.replaced_by:
                instead = f"; {', '.join(retirement.replaced_by)} replaced it"
            yield reference, f"{reference.target.display_number} is retired{instead}"
