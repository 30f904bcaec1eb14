"""Ids of what nodes lead to, and the index that finds the object of an id."""

from __future__ import annotations

from typing import Literal, NamedTuple

from rulewright.book.errata_entries import ErrataEntry
from rulewright.book.outline import RuleEntry
from rulewright.book.table_entries import TableEntry
from rulewright.references.citable_items import Citable, ListItem
from rulewright.references.glossary import TermEntry
from rulewright.sequence.sequence_step import SequenceStep

TargetKind = Literal["rule", "step", "table", "item", "term", "erratum"]
Target = RuleEntry | SequenceStep | TableEntry | ListItem | TermEntry | ErrataEntry


class TargetId(NamedTuple):
    """Id of a rule or another target: the address of its edition, its kind, and its key or anchor there."""

    edition: str
    kind: TargetKind
    key: str


_KINDS: dict[type, TargetKind] = {
    RuleEntry: "rule",
    SequenceStep: "step",
    TableEntry: "table",
    ListItem: "item",
    ErrataEntry: "erratum",
}


class TargetIndex:
    """Objects that nodes lead to, by their ids."""

    def __init__(self) -> None:
        self._targets: dict[TargetId, Target | Citable] = {}

    def id_of(self, target: Target | Citable) -> TargetId:
        """Return the id of an object, by which it is found from then on."""
        key = target.key if isinstance(target, RuleEntry) else target.anchor
        target_id = TargetId(target.edition.address, _KINDS.get(type(target), "term"), key)
        self._targets.setdefault(target_id, target)
        return target_id

    def find(self, target: TargetId) -> Target:
        """Return the object of an id."""
        return self._targets[target]  # type: ignore[return-value]

    def rule(self, target: TargetId) -> RuleEntry:
        """Return the rule of an id."""
        return self._targets[target]  # type: ignore[return-value]

    def table(self, target: TargetId) -> TableEntry:
        """Return the table of an id."""
        return self._targets[target]  # type: ignore[return-value]

    def erratum(self, target: TargetId) -> ErrataEntry:
        """Return the erratum of an id."""
        return self._targets[target]  # type: ignore[return-value]
