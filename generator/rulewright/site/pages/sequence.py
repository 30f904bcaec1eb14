"""The page with the sequence of play as an outline."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rulewright.book import roles
from rulewright.book.outline import Outline
from rulewright.site.artifacts import Page
from rulewright.site.context import Desk
from rulewright.site.pages import sections
from rulewright.site.pages.page import page


def pages(desk: Desk, outline: Outline, given: Mapping[str, Any]) -> Iterator[Page]:
    """The page of the sequence of play."""
    assert outline.edition.sequence
    path, place = f"{outline.edition.address}/sequence", outline.edition.sequence.title.place
    within = list(sections.of_sequence(desk, outline))
    yield page(desk, "sequence", path, place, within, **{**given, **acting(outline)})


def acting(outline: Outline) -> dict[str, Any]:
    """Everyone who acts in a turn, and those who fight, for the legend of the page."""
    return {"everyone": roles.everyone(outline), "fighters": roles.everyone(outline, combat=True)}
