"""Pages of the sequence of play of an edition: as an outline and in words."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from rulewright.book.outline import Outline
from rulewright.render.build_artifacts import SitePage
from rulewright.render.pages import page_sections
from rulewright.render.pages.page_builder import EditionPageContext
from rulewright.schema.text_document import plain_text
from rulewright.sequence import actors


def sequence_page(given: EditionPageContext) -> Iterator[SitePage]:
    """The page of the sequence of play."""
    outline = given.outline
    assert outline.edition.sequence
    path, name = f"{outline.edition.address}/sequence", outline.edition.sequence.title
    within = partial(page_sections.sequence_sections, outline)
    yield given.page("sequence", path, plain_text(name), name.place, partial(acting_legend, outline), within)


def acting_legend(outline: Outline) -> dict[str, Any]:
    """Everyone who acts in a turn, and those who fight, for the legend of the page."""
    return {
        "everyone": actors.all_actors(outline.sequence),
        "fighters": actors.all_actors(outline.sequence, combat=True),
    }


def narrative_page(given: EditionPageContext) -> Iterator[SitePage]:
    """The page with the steps that are told in words."""
    outline = given.outline
    assert outline.edition.sequence
    path, place = f"{outline.edition.address}/narrative", outline.edition.sequence.title.place
    told = outline.sequence.narrative_steps
    within = partial(page_sections.narrative_sections, outline, told)
    yield given.page("narrative", path, "Narrative", place, lambda: {"told": told}, within)
