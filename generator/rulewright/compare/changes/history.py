"""One rule through all editions: what it was in each one before."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rulewright.book.outline import Entry, Outline
from rulewright.compare.changes.change import ALONE, Kind, RuleChange
from rulewright.compare.changes.comparison import Difference


@dataclass(frozen=True, slots=True)
class Past:
    """What a rule was in an earlier edition: the change from there to the edition that follows it.

    `then`: what it was called there, None where it was not there yet.
    """

    edition: Outline
    then: Entry | None
    change: RuleChange


class Histories:
    """The past of every rule, from the differences between editions that follow each other."""

    def __init__(self, differences: Iterable[Difference]) -> None:
        self._old = {one.new.edition.address: one.old for one in differences}
        self._changes: Mapping[Entry, RuleChange] = {
            change.new: change for one in differences for change in one.rules if change.new
        }

    def of(self, entry: Entry) -> list[Past]:
        """What a rule was, the latest edition first; no longer ago than it can be followed.

        Of an edition that does not tell whether it had the rule, nothing is said.
        """
        past: list[Past] = []
        seen: set[str] = set()
        at: Entry | None = entry
        while at and (change := self._changes.get(at)) and at.edition.address not in seen:
            seen.add(at.edition.address)
            if Kind.ONLY in change.kinds:
                break
            was = change.old
            if was is None and Kind.SPLIT in change.kinds:
                was = change.others[0]
            past.append(Past(self._old[at.edition.address], was, change))
            at = None if set(change.kinds).intersection(ALONE) else was
        return past
