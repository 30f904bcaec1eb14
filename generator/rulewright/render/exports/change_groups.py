"""Groups of the changes of an edition, for pages and exports: by kind and by chapter."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rulewright.book.outline import RuleEntry
from rulewright.compare.edition_diff import EditionDiff
from rulewright.compare.item_change import QUIET, ChangeKind, ItemChange, RuleChange

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
