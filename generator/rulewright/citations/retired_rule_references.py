"""References that lead to rules which hold no more."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulewright.citations.reference_resolver import ResolvedReference
from rulewright.model.step import FREE
from rulewright.source.problems import Severity, problem_type, quote_short

TO_RETIRED = problem_type(
    "reference-to-retired",
    "A reference leads to a rule that is retired. What replaced it is named, if anything did.",
    Severity.WARNING,
)


def references_to_retired(resolved: Iterable[ResolvedReference]) -> Iterator[tuple[ResolvedReference, str]]:
    """References to retired rules, each with the message."""
    for reference in resolved:
        if reference.target and not reference.fault and (says := reference.target.retired):
            instead = f": {quote_short(says.retired)}" if says.retired and says.retired != FREE else ""
            if says.replaced_by:
                instead = f"; {', '.join(says.replaced_by)} replaced it"
            yield reference, f"{reference.target.display_number} is retired{instead}"
