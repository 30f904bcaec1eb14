"""Ids of what nodes lead to, and the index that finds the object of an id."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

from rulewright.book.errata_entries import ErrataEntry
from rulewright.book.outline import RuleEntry
from rulewright.book.table_entries import TableEntry
from rulewright.document.text_names import TextNames
from rulewright.references.citable_items import Citable, ListItem, list_items_of
from rulewright.references.glossary import TermEntry
from rulewright.references.reference_index import ReferenceIndex
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


def target_id(target: Target | Citable) -> TargetId:
    """Return the id of an object."""
    key = target.key if isinstance(target, RuleEntry) else target.anchor
    return TargetId(target.edition.address, _KINDS.get(type(target), "term"), key)


class TargetIndex:
    """Objects by their ids. Those of an edition and a kind are indexed when the first is looked up."""

    def __init__(self, index: ReferenceIndex, names: TextNames) -> None:
        self.index, self.names = index, names
        self._targets_by_id: dict[TargetId, Target] = {}

    def find(self, target: TargetId) -> Target:
        """Return the object of an id."""
        if target not in self._targets_by_id:
            for candidate in self._targets(target.edition, target.kind):
                self._targets_by_id.setdefault(target_id(candidate), candidate)
        return self._targets_by_id[target]

    def rule(self, target: TargetId) -> RuleEntry:
        """Return the rule of an id."""
        return self.index.outlines[target.edition].entries[target.key]

    def table(self, target: TargetId) -> TableEntry:
        """Return the table of an id."""
        candidate = self.find(target)
        assert isinstance(candidate, TableEntry)
        return candidate

    def _targets(self, edition: str, kind: TargetKind) -> Iterable[Target]:
        outline = self.index.outlines[edition]
        match kind:
            case "rule":
                return outline.entries.values()
            case "step":
                sequence = outline.sequence
                roots = [sequence.root] if sequence.root else []
                return (*roots, *sequence.iter_steps(), *sequence.iter_displayed())
            case "table":
                return self.index.editions[edition].tables
            case "item":
                return (item for entry in outline.entries.values() for item in list_items_of(entry))
            case "term":
                return self.names.glossaries[edition].terms
            case "erratum":
                return self.index.editions[edition].errata_entries
