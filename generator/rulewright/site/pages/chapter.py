"""The pages of the chapters of an edition."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rulewright.book.outline import Outline
from rulewright.citations import addresses
from rulewright.site import diagram
from rulewright.site.artifacts import Page
from rulewright.site.context import Desk
from rulewright.site.pages import sections
from rulewright.site.pages.page import page


def pages(desk: Desk, outline: Outline, given: Mapping[str, Any]) -> Iterator[Page]:
    """A page for each chapter, with the picture of the turn for the one that shows it."""
    turn = diagram.draw(outline)
    told = [step for step in outline.every_step() if step.told]
    for chapter in outline.chapters:
        gone = list(addresses.gone(outline, chapter))
        own = {"chapter": chapter, "turn": turn, "told": told, "gone": gone}
        within = list(sections.of_chapter(desk, chapter))
        path, place = addresses.chapter_path(chapter), chapter.printed.place
        yield page(desk, "chapter", path, place, within, **{**given, **own})
