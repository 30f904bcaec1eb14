"""The page of a game that says what is different from its series, in the order of the series."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from rulewright.book.outline import Entry, Outline
from rulewright.book.sequence import TOP, StepEntry
from rulewright.citations import addresses
from rulewright.citations.overrides import Override
from rulewright.site.artifacts import Page, Section
from rulewright.site.context import Desk
from rulewright.site.pages.page import page


@dataclass(frozen=True, slots=True)
class Overridden:
    """A chapter of the series with the rules in it that the game replaces, adds to or voids."""

    chapter: Entry
    rules: tuple[tuple[Entry, tuple[Override, ...]], ...]


@dataclass(frozen=True, slots=True)
class Played:
    """How a game's sequence of play differs from that of its series: steps of the game, and those left out.

    A changed step comes with the one of the series that it stands for.
    """

    added: list[StepEntry] = field(default_factory=list)
    changed: list[tuple[StepEntry, StepEntry]] = field(default_factory=list)
    dropped: list[StepEntry] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.added or self.changed or self.dropped)


def pages(desk: Desk, outline: Outline, given: Mapping[str, Any]) -> Iterator[Page]:
    """The page with the differences of a game from its series."""
    edition = outline.edition
    chapters = list(overridden(desk, outline))
    involved = {one.by for chapter in chapters for _, ones in chapter.rules for one in ones}
    own = [chapter for chapter in outline.chapters if not involved.intersection(chapter.walk())]
    sections = [Section(TOP, _title(outline), 1)]
    for one in chapters:
        words = " · ".join(desk.name(base) for base, _ in one.rules)
        sections.append(Section(f"rules/{one.chapter.key}", desk.name(one.chapter), 2, words))
    if given["played"]:
        sections.append(Section("play", "Sequence of play", 2))
    where = edition.file.extends.place if edition.file.extends else None
    made = {"overridden": chapters, "own": own, **given}
    yield page(desk, "series", addresses.series_path(edition), where, sections, **made)


def _title(outline: Outline) -> str:
    base = outline.edition.base
    return f"Differences from {base.short}" if base else ""


def overridden(desk: Desk, outline: Outline) -> Iterator[Overridden]:
    """The chapters of the series, the nearest first, in which the game does something."""
    for series in desk.shelf.around(outline)[1:]:
        for chapter in series.chapters:
            rules = []
            for base in chapter.walk():
                ones = tuple(o for o in desk.overrides.of.get(base, ()) if o.by.edition is outline.edition)
                if ones:
                    rules.append((base, ones))
            if rules:
                yield Overridden(chapter, tuple(rules))


def differing(desk: Desk, outline: Outline) -> Played:
    """The steps that a game adds to the sequence of play of its series, changes there and drops."""
    derived, base = outline.edition.derived, outline.edition.base
    played = Played()
    if derived is None or base is None:
        return played
    for step in outline.every_step():
        if step.step in derived.added:
            played.added.append(step)
        elif step.step in derived.changed:
            played.changed.append((step, desk.theirs[derived.origin[step.step]]))
    played.dropped.extend(desk.theirs[step] for _, step in derived.dropped)
    return played
