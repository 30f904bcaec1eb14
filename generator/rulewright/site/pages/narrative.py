"""The page with the sequence of play in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rulewright.book.outline import Outline
from rulewright.site.artifacts import Page
from rulewright.site.context import Desk
from rulewright.site.pages import sections
from rulewright.site.pages.page import page


def pages(desk: Desk, outline: Outline, given: Mapping[str, Any]) -> Iterator[Page]:
    """The page with the steps that are told in words."""
    assert outline.edition.sequence
    path, place = f"{outline.edition.address}/narrative", outline.edition.sequence.title.place
    told = [step for step in outline.every_step() if step.told]
    within = list(sections.of_narrative(outline, told))
    yield page(desk, "narrative", path, place, within, **{**given, "told": told})
