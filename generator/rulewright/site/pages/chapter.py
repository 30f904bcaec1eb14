"""The pages of the chapters of an edition."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rulewright.book.outline import Entry, Outline
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
        own = {"chapter": chapter, "turn": turn, "told": told, "gone": gone, "bare": bare(desk, chapter)}
        within = list(sections.of_chapter(desk, chapter))
        path, place = addresses.chapter_path(chapter), chapter.printed.place
        made = page(desk, "chapter", path, place, within, **{**given, **own})
        yield made._replace(number=chapter.shown)


def bare(desk: Desk, chapter: Entry) -> dict[Entry, str]:
    """The numbers that have nothing but titles in them, each with what its number shares with the one above.

    That is left out where the rest still is a number to the eye: `a` below 12.7, but 12.71 below it.
    """
    found: dict[Entry, str] = {}
    for entry in reversed(list(chapter.walk())):
        if entry.rule or entry in desk.tables or not all(child in found for child in entry.children):
            continue
        above = str(entry.parent.printed) if entry.parent else ""
        rest = entry.printed.removeprefix(above)
        found[entry] = above if rest != entry.printed and not rest[:1].isdigit() else ""
    return found
