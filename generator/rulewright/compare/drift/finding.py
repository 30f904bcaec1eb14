"""A reference that no longer means what it meant, and in which way."""

from __future__ import annotations

from typing import NamedTuple

from rulewright.book.outline import Entry
from rulewright.compare.drift.lock import Meant
from rulewright.compare.drift.meaning import Target
from rulewright.compare.drift.references import Reference
from rulewright.numbers import items
from rulewright.numbers.dialect import Number
from rulewright.source.problems import Kind, Place, Severity, kind

MOVED = kind(
    "reference-moved",
    """The rule that a reference meant when it was read is under another number now. `rulewright check --fix`
    writes that number; `rulewright accept` says that the reference is right as it is.""",
)
ANOTHER = kind(
    "reference-means-another",
    """The number of a reference belongs to another rule than when it was read, and what was meant is not to
    be found. Name the rule that is meant now, or say with `rulewright accept` that it is this one.""",
)
LOST = kind(
    "reference-lost",
    """A number led to a rule when it was read, and no rule has it any more, so that it is a mere number now.
    Name the rule that is meant, or say with `rulewright accept` that it is none.""",
)
CHANGED = kind(
    "reference-to-changed",
    """A rule says something else than when the references to it were last read. Read those again;
    `rulewright accept` records that it was done.""",
    Severity.NOTE,
)


class Finding(NamedTuple):
    """A reference that no longer means what it meant. `now`: where what was meant is today.

    `kept`: all that its lock keeps of it.
    """

    kind: Kind
    reference: Reference
    was: Meant
    now: Entry | None = None
    differs: str = ""
    kept: tuple[Meant, ...] = ()

    @property
    def may_stay(self) -> bool:
        """Whether it can be right as it is: it leads to a rule, or need not be a reference."""
        return self.reference.target is not None or not is_told(self.reference)

    @property
    def number(self) -> Number | None:
        """The number that the reference ought to have, where what was meant has moved."""
        old, key = self.reference.number, self.was.key
        if not (self.now and old and self.kind is MOVED):
            return None
        dialect = self.now.edition.dialect
        if dialect is not self.reference.into.edition.dialect:
            return self.now.number
        target = dialect.parse(key)
        depth = len(target.labels) if target else len(old.labels)
        place = self.now.number
        return items.inside(dialect, place, old, depth) if len(old.labels) > depth else place

    @property
    def heir(self) -> str:
        """The number that the reference ought to have, as that is printed."""
        key = self.number.key if self.number else ""
        return self.now.shown if self.now and self.now.key == key else key


def is_told(one: Reference) -> bool:
    """Whether it is told already that a reference leads nowhere."""
    return any(
        each.fault and each.found.start == one.start and each.number is one.number
        for each in one.passage.resolved
    )


def place_of(one: Finding) -> Place:
    """Where a finding is told: at the reference or, of a rule to be read again, at that."""
    target = one.reference.target
    return place_of_rule(target) if one.kind is CHANGED and target else one.reference.place


def place_of_rule(target: Target) -> Place:
    """Where a rule or a table begins."""
    if isinstance(target, Entry):
        return target.printed.place
    return target.table.title.place
