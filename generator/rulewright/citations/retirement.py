"""References that lead to rules which hold no more."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulewright.citations.resolving import Resolved
from rulewright.model.step import FREE
from rulewright.source.problems import Severity, kind, shown

TO_RETIRED = kind(
    "reference-to-retired",
    "A reference leads to a rule that is retired. What replaced it is named, if anything did.",
    Severity.WARNING,
)


def outdated(resolved: Iterable[Resolved]) -> Iterator[tuple[Resolved, str]]:
    """References to retired rules, each with the message."""
    for one in resolved:
        if one.target and not one.fault and (says := one.target.retired):
            instead = f": {shown(says.retired)}" if says.retired and says.retired != FREE else ""
            if says.replaced_by:
                instead = f"; {', '.join(says.replaced_by)} replaced it"
            yield one, f"{one.target.shown} is retired{instead}"
