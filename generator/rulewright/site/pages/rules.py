"""Pages of the rules of an edition: its chapters, its rules in order of play, and its rule numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache, partial
from typing import Any

from rulewright.book.outline import Entry
from rulewright.book.sequence import TOP, StepEntry, is_heading
from rulewright.citations import addresses
from rulewright.citations.along import along
from rulewright.site import diagram
from rulewright.site.artifacts import Page, Section
from rulewright.site.context import Desk
from rulewright.site.pages import sections
from rulewright.site.pages.page import Given
from rulewright.site.pages.turn import acting
from rulewright.text.document import plain


def chapters(given: Given) -> Iterator[Page]:
    """A page for each chapter, with the picture of the turn for the one that shows it."""
    desk, outline = given.desk, given.outline
    turn, everyone = cache(partial(diagram.draw, outline)), cache(partial(acting, outline))

    def own(chapter: Entry) -> dict[str, Any]:
        known, unnamed = bare(desk, chapter)
        return {
            "chapter": chapter,
            "turn": turn(),
            "told": outline.told,
            **everyone(),
            "gone": list(addresses.gone(outline, chapter)),
            "bare": known,
            "unnamed": unnamed,
        }

    for chapter in outline.chapters:
        path, title, place = addresses.chapter_path(chapter), desk.name(chapter), chapter.printed.place
        within = partial(sections.of_chapter, desk, chapter)
        made = given.page("chapter", path, title, place, partial(own, chapter), within)
        made.number = chapter.shown
        yield made


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


def in_order(given: Given) -> Iterator[Page]:
    """The page on which the rules stand in order of play, each once."""
    desk, outline = given.desk, given.outline
    edition, laid = outline.edition, cache(partial(along, outline, desk.shelf))
    assert edition.sequence
    path, title, place = f"{edition.address}/in-order", "Rules in order of play", edition.sequence.title.place

    def within() -> Iterator[Section]:
        yield Section(TOP, title)
        for step in outline.every_step():
            if is_outer(step) and laid().count(step):
                yield Section(step.anchor, plain(step.step.title), step.level + 2)
        if laid().rest:
            yield Section("rest", "Other rules", 2, is_ours=True)

    own = lambda: {"laid": laid(), "is_outer": is_outer}  # noqa: E731
    yield given.page("in-order", path, title, place, own, within)


def is_outer(step: StepEntry) -> bool:
    """Whether it is a turn, or a phase that lies in none but turns."""
    around = step.around
    return is_heading(step) and (around is None or around.is_turn)


def numbers(given: Given) -> Iterator[Page]:
    """The page with all rule numbers."""
    outline = given.outline

    def own() -> dict[str, Any]:
        counts = Counter(entry.level for entry in outline.entries.values())
        names = enumerate(outline.edition.book.levels)
        return {"levels": [(str(name), counts[level]) for level, name in names if counts[level]]}

    yield given.page("numbers", f"{outline.edition.address}/numbers", "Rule numbers", None, own)
