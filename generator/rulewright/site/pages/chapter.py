"""The pages of the chapters of an edition.

A book that stands by itself is rendered anew only where an edit shows: see `marks`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from operator import attrgetter
from typing import Any

from rulewright.book.outline import Entry, Outline
from rulewright.book.tables import TableEntry
from rulewright.citations import addresses
from rulewright.model.rulebook import Standing
from rulewright.site import diagram
from rulewright.site.artifacts import Page
from rulewright.site.context import Desk
from rulewright.site.pages import sections
from rulewright.site.pages.page import page
from rulewright.source.store import key

_STANDING = attrgetter(*(field.name for field in fields(Standing)))


def pages(desk: Desk, outline: Outline, given: Mapping[str, Any]) -> Iterator[Page]:
    """A page for each chapter, with the picture of the turn for the one that shows it."""
    turn = diagram.draw(outline)
    told = [step for step in outline.every_step() if step.told]
    for chapter in outline.chapters:
        if last := given["last"].get(addresses.chapter_path(chapter)):
            yield last
            continue
        gone = list(addresses.gone(outline, chapter))
        known, unnamed = bare(desk, chapter)
        own = {"chapter": chapter, "turn": turn, "told": told, "gone": gone, "bare": known}
        own["unnamed"] = unnamed
        within = list(sections.of_chapter(desk, chapter))
        path, place = addresses.chapter_path(chapter), chapter.printed.place
        made = page(desk, "chapter", path, place, within, **{**given, **own})
        yield made._replace(number=chapter.shown)


def marks(desk: Desk, outline: Outline, beside: str) -> dict[str, str]:
    """The hash of all that each chapter's page and its previews show, by its address.

    `beside`: of what stands in other files than chapters. Of other chapters, a page shows numbers and titles,
    what has no text, what is retired; and which of their rules cite its own. Empty where more books or
    editions are at hand, of whose rules a page may show anything.
    """
    if not beside or len(desk.shelf.outlines) > 1 or desk.shelf.lent or outline.edition.base:
        return {}
    faces = [
        (one.key, one.printed, one.title, one.former, *(_STANDING(one.rule) if one.rule else ("listed",)))
        for one in outline.in_order
    ]
    face = key(beside, repr(faces), repr([(old, entry.key) for old, entry in outline.former.items()]))
    found = {}
    for chapter in outline.chapters:
        entries = list(chapter.walk())
        files = {one.printed.file.name: one.printed.file.text for one in entries}
        things: list[Entry | TableEntry] = [*entries, *filter(None, map(desk.tables.get, entries))]
        citing = [desk.shelf.cited_by.get(one, ()) for one in things]
        citers = repr([[(desk.name(one), desk.place(one)) for one in sources] for sources in citing])
        texts = (words for pair in sorted(files.items()) for words in pair)
        found[addresses.chapter_path(chapter)] = key(face, citers, *texts)
    return found


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
