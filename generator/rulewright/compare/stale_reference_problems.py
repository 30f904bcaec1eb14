"""Problems of stale references and of outdated names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from rulewright.book.lock_file import RecordedRule
from rulewright.book.outline import RuleEntry
from rulewright.compare.item_change import item_location
from rulewright.compare.rule_digests import RuleDigests
from rulewright.files.problems import (
    Problem,
    ProblemType,
    Severity,
    SourceLocation,
    problem_type,
    quote_short,
)
from rulewright.numbering import number_rebasing
from rulewright.numbering.numbering_scheme import RuleNumber
from rulewright.references.reference_inventory import LocatedReference, LockFolder
from rulewright.references.reference_types import FaultyReference
from rulewright.schema.problem_reports import join_some, plural

MOVED = problem_type(
    "reference-moved",
    """The rule that a number was recorded for has another number now. `rulewright check --fix` writes that
    number; `rulewright check --accept` records that the reference is right as it is.""",
)
ANOTHER = problem_type(
    "reference-means-another",
    """A number belongs to another rule than when it was recorded, and the recorded rule is gone, or two
    branches recorded different rules for it. Write the number of the rule that is meant, or accept this rule
    with `rulewright check --accept`.""",
)
LOST = problem_type(
    "reference-lost",
    """A number led to a rule when it was recorded, and no rule has it now, or only known.yml lists it. Write
    the number of the rule that is meant, or record with `rulewright check --accept` that none is meant, or
    that its text is left out on purpose.""",
)
RENAMED = problem_type(
    "name-outdated",
    """Texts use the former name of a step, a table, a term or a rule. `rulewright check --fix` writes the new
    name; `rulewright check --accept` records that the words are right as they are.""",
    Severity.WARNING,
)
CHANGED = problem_type(
    "reference-to-changed",
    """The words of a rule have changed since its references were accepted. Review the texts that refer to it;
    `rulewright check --accept` records that this was done.""",
    Severity.NOTE,
)

MOST_PLACES = 5
"""Maximum number of references to a changed rule in a note."""


class StaleReference(NamedTuple):
    """A reference whose rule is not the recorded one, or an outdated name."""

    kind: ProblemType
    reference: LocatedReference
    recorded: RecordedRule
    current: RuleEntry | None = None
    """The current rule of the record."""
    differs: str = ""
    """What differs, in words; of an outdated name the words to write."""
    doubt: str = ""
    """Why no other number can be proposed."""

    @property
    def slot(self) -> tuple[LockFolder, str]:
        """The lock and the number in it that the reference was compared with."""
        return self.reference.lock_folder, self.recorded.number

    @property
    def number(self) -> RuleNumber | None:
        """The number to write, if the recorded rule has another one now."""
        old, key = self.reference.number, self.recorded.key
        if not (self.current and old and self.kind is MOVED) or self.doubt:
            return None
        dialect, place = self.current.edition.dialect, self.current.number
        if dialect is not self.reference.target_outline.edition.dialect:
            return place
        target = dialect.parse_number(key)
        depth = len(target.labels) if target else len(old.labels)
        return number_rebasing.rebase_number(dialect, place, old, depth) if len(old.labels) > depth else place

    @property
    def suggested_text(self) -> str:
        """The number to write, as printed, or the words of a name."""
        if self.kind is RENAMED:
            return self.differs
        key = self.number.key if self.number else ""
        return self.current.display_number if self.current and self.current.key == key else key

    @property
    def location(self) -> SourceLocation:
        """Its place: that of the reference or, of a changed rule, that of the rule."""
        location = item_location(self.reference.target) if self.kind is CHANGED else None
        return location or self.reference.place


def is_reported(reference: LocatedReference) -> bool:
    """Return whether another problem reports that a reference leads nowhere."""
    return any(
        isinstance(resolved, FaultyReference)
        and resolved.match.start == reference.start
        and resolved.match.number is reference.number
        for resolved in reference.passage.resolved
    )


def stale_reference_problems(findings: Iterable[StaleReference], digests: RuleDigests) -> Iterator[Problem]:
    """Yield a problem for each reference, changed rule and outdated name."""
    groups: defaultdict[object, list[StaleReference]] = defaultdict(list)
    for finding in findings:
        if finding.kind is RENAMED:
            groups[finding.reference.lock_folder, finding.reference.name].append(finding)
        elif finding.kind is CHANGED:
            groups[finding.reference.target].append(finding)
        else:
            message = _message(finding, digests)
            yield finding.kind.problem(finding.location, message, finding.reference.name)
    for group in groups.values():
        yield (_renamed_problem if group[0].kind is RENAMED else _changed_problem)(group)


def _changed_problem(findings: Sequence[StaleReference]) -> Problem:
    target = findings[0].reference.target
    assert target
    count = f"{len(findings)} references to it were" if len(findings) > 1 else "a reference to it was"
    differs = next((f": {finding.differs}" for finding in findings if finding.differs), "")
    message = (
        f"{target.display_number} has changed since {count} accepted{differs}. "
        f"Review {join_locations(findings)}, then {_accept_command(findings[0])}"
    )
    return CHANGED.problem(findings[0].location, message, target.key)


def _accept_command(finding: StaleReference) -> str:
    target = finding.reference.target
    return f"`rulewright check --accept {target.edition.address}:{target.display_number}`" if target else ""


def _renamed_problem(findings: Sequence[StaleReference]) -> Problem:
    first = min(findings, key=lambda finding: finding.location)
    places = f", here and in {plural(len(findings) - 1, 'more place')}" if len(findings) > 1 else ""
    message = f"{quote_short(first.reference.name)} is called {quote_short(first.recorded.title)} now{places}"
    cure = "`rulewright check --fix` writes the new name"
    return RENAMED.problem(first.location, f"{message}; {cure}", first.reference.name)


def _message(finding: StaleReference, digests: RuleDigests) -> str:
    """Return which rule a reference meant, what became of it, and which rule has its number now."""
    reference, target, current = finding.reference, finding.reference.target, finding.current
    is_same_number = current and current.key == finding.recorded.key and current is not target
    number = "" if is_same_number else finding.recorded.key
    rule = f"{number} {finding.recorded.title}".strip() or "another rule"
    if current and current is target:
        cure = f"{_accept_command(finding)} records that its text is left out"
        return f"this meant {rule}, whose text is deleted; {cure}"
    fate, cure = "is gone", finding.doubt
    if current:
        is_other = current.edition is not reference.target_outline.edition
        fate = f"is now {finding.suggested_text or current.display_number}"
        fate += f" of {current.edition.short}" if is_other else ""
        if finding.suggested_text:
            cure = f"`rulewright check --fix` writes {finding.suggested_text}"
    name = reference.number.key if reference.number else reference.name
    taken = f"{name} is now {digests.title(target) or 'another rule'}" if target else ""
    verb = "may have meant" if finding.doubt else "meant"
    return "; ".join(filter(None, (f"this {verb} {rule}, which {fate}", taken, cure)))


def join_locations(findings: Iterable[StaleReference]) -> str:
    """Return the rules, pages and so on that have the references, the first of many: 1.1, 1.2b and faq.md."""
    return join_some([*dict.fromkeys(finding.reference.standing for finding in findings)], MOST_PLACES)
