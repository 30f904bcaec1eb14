"""The page that says what changed since the edition that one follows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rulewright.book.outline import Outline
from rulewright.compare.editions import Difference, by_chapter, by_phase
from rulewright.site.artifacts import Page
from rulewright.site.context import Desk
from rulewright.site.pages.page import page


def pages(desk: Desk, outline: Outline, given: Mapping[str, Any]) -> Iterator[Page]:
    """The page with the changes since the edition that one follows."""
    difference: Difference = given["difference"]
    follows = outline.edition.file.follows
    place = follows.place if follows else None
    groups = {"chapters": by_chapter(difference), "phases": by_phase(difference, desk.shelf)}
    yield page(desk, "changes", difference.path, place, **{**given, **groups})
