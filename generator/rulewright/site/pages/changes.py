"""Pages that say what changed since the edition that one follows, and since each other one before it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rulewright.book.outline import Outline
from rulewright.compare.change import RuleChange
from rulewright.compare.edition_changes import BY_NAME, SAME, by_chapter, by_phase, tallied
from rulewright.site.artifacts import Page
from rulewright.site.context import Desk
from rulewright.site.pages.page import page


def pages(desk: Desk, outline: Outline, given: Mapping[str, Any]) -> Iterator[Page]:
    """A page for each edition before this one, the nearest first. They lead to one another."""
    follows = outline.edition.file.follows
    place = follows.place if follows else None
    compared = desk.counterparts.compared(outline)
    pairs = [(one.edition, found) for one, found in compared.items() if found]
    for difference in compared[outline]:
        groups = {"chapters": by_chapter(difference), "phases": by_phase(difference, desk.shelf)}
        tallies = {sort: tallied(changes) for sort, changes in difference.by_sort.items()}
        shown = {"difference": difference, "tallies": tallies, "pairs": pairs, "quiet": (SAME, BY_NAME)}
        shown["renumbered"] = [one for one in difference.rules if is_renumbered(one)]
        yield page(desk, "changes", difference.path, place, **{**given, **groups, **shown})


def is_renumbered(change: RuleChange) -> bool:
    """Whether a rule has another number, for whatever reason."""
    return bool(change.old and change.new and change.old.key != change.new.key)
