"""Coverage of an edition: steps without a rule, and rules that no step of the sequence leads to.

A step has a rule where it cites one, or where a step around it or inside it does. A rule is reached
where a step cites it (`named`), where it lies inside or around such a rule (`near`: who is sent to 12.5
reads 12.5c and passes 12.0), or where the text of a reached rule cites it, or one around or inside it
(`through`). Player turns and the like are no steps of their own here: they only hold some.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rulewright.book.outline import Entry, Outline
from rulewright.book.sequence import StepEntry
from rulewright.book.tables import Source
from rulewright.citations.shelf import Shelf

Steps = tuple[StepEntry, ...]
Cited = dict[Source, set[Entry]]


@dataclass(frozen=True, slots=True)
class ChapterReach:
    """How many rules of a chapter are reached, and how; `missed`: the topmost of those that are not."""

    chapter: Entry
    rules: int
    named: int
    near: int
    through: int
    missed: tuple[Entry, ...]

    @property
    def unreached(self) -> int:
        return self.rules - self.named - self.near - self.through


@dataclass(frozen=True, slots=True)
class Coverage:
    """Steps by where their rule comes from, and chapters by how their rules are reached."""

    own: Steps
    around: Steps
    inside: Steps
    without: Steps
    chapters: tuple[ChapterReach, ...]

    @property
    def steps(self) -> int:
        return len(self.own) + len(self.around) + len(self.inside) + len(self.without)

    @property
    def rules(self) -> int:
        return sum(chapter.rules for chapter in self.chapters)

    @property
    def unreached(self) -> int:
        return sum(chapter.unreached for chapter in self.chapters)


def cover(outline: Outline, shelf: Shelf) -> Coverage:
    """The coverage of an edition."""
    cited = _cited(outline, shelf)
    named = {entry for source, entries in cited.items() if isinstance(source, StepEntry) for entry in entries}
    near = _beside(named) - named
    reached = named | near
    # Only what a reader is sent to read sends him on: a rule that is merely passed on the way does not.
    todo = {inner for entry in named for inner in entry.walk()}
    done: set[Entry] = set()
    while todo:
        done |= todo
        sent = {entry for source in todo for entry in cited.get(source, ())}
        reached |= sent | _beside(sent)
        todo = {inner for entry in sent for inner in entry.walk()} - done
    through = reached - named - near
    chapters = tuple(
        ChapterReach(
            chapter,
            rules=len(inside),
            named=len(inside & named),
            near=len(inside & near),
            through=len(inside & through),
            missed=tuple(_topmost(chapter, reached)),
        )
        for chapter in outline.chapters
        for inside in [set(chapter.walk())]
    )
    return Coverage(*_steps(outline, cited), chapters)


def _cited(outline: Outline, shelf: Shelf) -> Cited:
    """The rules of this edition that each of its steps and rules cites."""
    cited: Cited = {}
    for citation in shelf.citations.get(outline.edition.address, ()):
        for resolved in citation.resolved:
            entries = [e for e in (resolved.target, *resolved.inside) if e and e.edition is outline.edition]
            if entries and not resolved.fault:
                cited.setdefault(citation.source, set()).update(entries)
    return cited


def _beside(entries: Iterable[Entry]) -> set[Entry]:
    """Everything inside of some rules and around them, themselves included."""
    return {one for entry in entries for one in (*entry.walk(), *entry.around())}


def _topmost(entry: Entry, reached: set[Entry]) -> Iterator[Entry]:
    """The rules in `entry` that are not reached, without those inside another that is not."""
    if entry not in reached:
        yield entry
        return
    for child in entry.children:
        yield from _topmost(child, reached)


def _steps(outline: Outline, cited: Cited) -> tuple[Steps, Steps, Steps, Steps]:
    """The steps that cite a rule, those around which one does, those inside which one does, and the rest."""
    own, around, inside, without = [], [], [], []
    below = {inner for step in outline.every_step() if step in cited for inner in step.walk()}
    for step in outline.every_step():
        if step.is_turn:
            continue
        if step in cited:
            own.append(step)
        elif step in below:
            around.append(step)
        elif any(inner in cited for inner in step.walk()):
            inside.append(step)
        else:
            without.append(step)
    return tuple(own), tuple(around), tuple(inside), tuple(without)
