"""The pages of the chapters of an edition.

A book that stands by itself is rendered anew only where an edit shows: see `marks`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from operator import attrgetter
from typing import Any

from rulewright.book.outline import Entry, Outline
from rulewright.citations import addresses
from rulewright.model.rulebook import Standing
from rulewright.site import diagram
from rulewright.site.artifacts import Page
from rulewright.site.context import Desk
from rulewright.site.pages import sections
from rulewright.site.pages.page import page

_STANDING = attrgetter(*(field.name for field in fields(Standing)))


def pages(desk: Desk, outline: Outline, given: Mapping[str, Any]) -> Iterator[Page]:
    """A page for each chapter, with the picture of the turn for the one that shows it."""
    turn = diagram.draw(outline)
    told = [step for step in outline.every_step() if step.told]
    for chapter in outline.chapters:
        gone = list(addresses.gone(outline, chapter))
        known, unnamed = bare(desk, chapter)
        own = {"chapter": chapter, "turn": turn, "told": told, "gone": gone, "bare": known}
        own["unnamed"] = unnamed
        within = list(sections.of_chapter(desk, chapter))
        path, place = addresses.chapter_path(chapter), chapter.printed.place
        made = page(desk, "chapter", path, place, within, **{**given, **own})
        yield made._replace(number=chapter.shown)


def bare(desk: Desk, chapter: Entry) -> tuple[set[Entry], set[Entry]]:
    """The rules of which only numbers and titles are known, and those of them that the page need not name.

    A number without a title is not named where the rule that it lies in is known by its number only, too.
    """
    known: set[Entry] = set()
    untitled: set[Entry] = set()
    for entry in reversed(list(chapter.walk())):
        if entry.rule or entry in desk.tables or not known.issuperset(entry.children):
            continue
        known.add(entry)
        told = entry in desk.shelf.shown_at or entry in desk.overrides.of or desk.absent(entry)
        if not (entry.title or entry.retired or told) and untitled.issuperset(entry.children):
            untitled.add(entry)
    return known, {entry for entry in untitled if entry.parent in known}
