"""The page that says what changed since the edition that one follows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulewright.compare.changes.comparison import Difference
from rulewright.compare.changes.groups import by_chapter, by_phase
from rulewright.site.artifacts import Page
from rulewright.site.context import Desk
from rulewright.site.pages.page import page


def changes_page(desk: Desk, difference: Difference, given: Mapping[str, Any]) -> Page:
    """The page of a difference; `given` is what all pages of the newer edition are given."""
    follows = difference.new.edition.file.follows
    place = follows.place if follows else None
    groups = {"chapters": by_chapter(difference), "phases": by_phase(difference, desk.shelf)}
    return page(desk, "changes", difference.path, place, **{**given, **groups})
