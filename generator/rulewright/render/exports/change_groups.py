"""Groups of the changes of an edition, for pages and exports: by kind and by chapter."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rulewright.book.outline import RuleEntry
from rulewright.compare.edition_diff import EditionDiff
from rulewright.compare.item_change import QUIET, ChangeKind, ItemChange, RuleChange


def by_kind(changes: Iterable[ItemChange[Any]]) -> Mapping[str, list[ItemChange[Any]]]:
    """Return changes by each of their kinds."""
    groups: dict[str, list[ItemChange[Any]]] = {kind: [] for kind in ChangeKind if kind not in QUIET}
    for change in changes:
        for kind in change.kinds:
            if kind in groups:
                groups[kind].append(change)
    return {str(kind): group for kind, group in groups.items() if group}


def by_chapter(difference: EditionDiff) -> Mapping[RuleEntry, list[RuleChange]]:
    """Return changes of rules by chapter, in the order of the newer edition."""
    groups: dict[RuleEntry, list[RuleChange]] = {}
    successors = {change.old: change.new for change in difference.rules if change.old and change.new}
    for change in difference.rules:
        chapter = change.present_item.chapter
        chapter = chapter if change.new else successors.get(chapter, chapter)
        if change.is_reported and change.is_certain:
            groups.setdefault(chapter, []).append(change)
    return groups
