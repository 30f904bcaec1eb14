"""Groups of the changes of an edition, for pages and exports: by kind, by chapter and by phase of play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from rulewright.book.outline import Outline, RuleEntry
from rulewright.compare.edition_diff import EditionDiff
from rulewright.compare.item_change import QUIET, ChangeKind, ItemChange, RuleChange, StepChange
from rulewright.references.reference_index import ReferenceIndex
from rulewright.references.reference_types import cited_rules
from rulewright.sequence.sequence_step import SequenceStep

SAME, BY_NAME = "as they were", "by number and title"
"""Sorts of what did not change: all that it says is known in both editions, or no more than its name."""


def summarize_changes(changes: Iterable[ItemChange[Any]]) -> Mapping[str, list[ItemChange[Any]]]:
    """Changes by each of their kinds, in words, also along with others; and those that stayed the same."""
    by_kind: dict[str, list[ItemChange[Any]]] = {}
    for change in changes:
        kinds = [_TALLIED.get((kind, bool(change.old), bool(change.new)), str(kind)) for kind in change.kinds]
        if change.old and change.new and {*change.kinds} <= {*QUIET, ChangeKind.MOVED, ChangeKind.RENUMBERED}:
            kinds.append(SAME if change.is_comparable and ChangeKind.UNREAD not in change.kinds else BY_NAME)
        for kind in kinds:
            by_kind.setdefault(kind, []).append(change)
    return {kind: by_kind[kind] for kind in _ORDER if kind in by_kind}


_TALLIED = {
    (ChangeKind.ADDED, False, True): "new",
    (ChangeKind.REMOVED, True, False): "gone",
    (ChangeKind.SPLIT, False, True): "split off another",
    (ChangeKind.MERGED, True, False): "now in another",
    (ChangeKind.RENUMBERED, True, True): "under another number",
    (ChangeKind.MOVED, True, True): "in another place",
}
_ORDER = [
    *_TALLIED.values(),
    ChangeKind.RETIRED,
    ChangeKind.RETITLED,
    ChangeKind.REWORDED,
    ChangeKind.CHANGED,
]
_ORDER += [SAME, BY_NAME]


def counts(changes: Iterable[ItemChange[Any]]) -> dict[str, int]:
    """Count the changes of each kind that are worth a line."""
    return dict(Counter(str(kind) for change in changes if change.is_reported for kind in change.kinds))


@dataclass(frozen=True, slots=True)
class PhaseChanges:
    """Changes of the steps of a phase, None for the whole sequence, and of rules that they lead to."""

    phase: SequenceStep | None
    steps: list[StepChange] = field(default_factory=list)
    rules: list[RuleChange] = field(default_factory=list)


def by_chapter(difference: EditionDiff) -> Mapping[RuleEntry, list[RuleChange]]:
    """Changes of rules by chapter, in the order of the newer edition."""
    groups: dict[RuleEntry, list[RuleChange]] = {}
    successors = {change.old: change.new for change in difference.rules if change.old and change.new}
    for change in difference.rules:
        chapter = change.present_item.chapter
        chapter = chapter if change.new else successors.get(chapter, chapter)
        if change.is_reported and change.is_certain:
            groups.setdefault(chapter, []).append(change)
    return groups


def by_phase(difference: EditionDiff, index: ReferenceIndex) -> list[PhaseChanges]:
    """Changes by phase of play, those of no single one first; a rule matters where a step leads to it."""
    now = {change.old: change.new for change in difference.steps if change.old and change.new}
    groups: dict[SequenceStep | None, PhaseChanges] = {None: PhaseChanges(None)}
    roots = (difference.old.sequence.root, difference.new.sequence.root)

    def group(step: SequenceStep) -> PhaseChanges:
        phase = None if step in roots else phase_of(step)
        phase = now.get(phase, phase) if phase else None
        return groups.setdefault(phase, PhaseChanges(phase))

    for change in difference.steps:
        phase_changes = group(change.present_item)
        if change.is_reported:
            phase_changes.steps.append(change)
    entered: set[tuple[SequenceStep | None, RuleEntry]] = set()
    certain = [change for change in difference.rules if change.is_reported and change.is_certain]
    present = {change.new: change for change in certain if change.new}
    removed = {change.old: change for change in certain if change.old and not change.new}
    for outline, changes in ((difference.new, present), (difference.old, removed)):
        for step, entries in _led_to(outline, index):
            phase_changes = group(step)
            for entry in entries:
                if entry in changes and (phase_changes.phase, entry) not in entered:
                    entered.add((phase_changes.phase, entry))
                    phase_changes.rules.append(changes[entry])
    return [group for group in groups.values() if group.steps or group.rules]


def phase_of(step: SequenceStep) -> SequenceStep | None:
    """The phase that a step is part of: the outermost step around it that is no turn."""
    phase: SequenceStep | None = None
    outer: SequenceStep | None = step
    while outer:
        phase, outer = (phase if outer.is_turn else outer), outer.parent.original if outer.parent else None
    return phase


def _led_to(outline: Outline, index: ReferenceIndex) -> Iterator[tuple[SequenceStep, Iterable[RuleEntry]]]:
    for citation in index.editions[outline.edition.address].citations:
        if isinstance(citation.source, SequenceStep):
            for entry in cited_rules(citation.resolved):
                if entry.edition is outline.edition:
                    yield citation.source, list(entry.iter_subtree())
