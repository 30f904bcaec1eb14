"""Changes put together for their readers: by chapter, and by the phase of play that they matter in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from rulewright.book.outline import Entry, Outline
from rulewright.book.sequence import StepEntry
from rulewright.citations.shelf import Shelf
from rulewright.compare.changes.change import RuleChange, StepChange
from rulewright.compare.changes.comparison import Difference
from rulewright.model.step_kinds import TURNS


@dataclass(frozen=True, slots=True)
class ChapterChanges:
    """A chapter, as it is now or, where it is gone, as it was, with the changes in it."""

    chapter: Entry
    changes: list[RuleChange] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class PhaseChanges:
    """A phase of play with the changes of its steps, and of the rules that its steps lead to.

    `phase` is None for the turns and the sequence as a whole.
    """

    phase: StepEntry | None
    steps: list[StepChange] = field(default_factory=list)
    rules: list[RuleChange] = field(default_factory=list)


def by_chapter(difference: Difference) -> list[ChapterChanges]:
    """What changed in each chapter, in the order of the newer edition."""
    groups: dict[Entry, ChapterChanges] = {}
    now = {change.old: change.new for change in difference.rules if change.old and change.new}
    for change in difference.rules:
        chapter = change.here.chapter
        chapter = chapter if change.new else now.get(chapter, chapter)
        if change.is_told and change.is_certain:
            groups.setdefault(chapter, ChapterChanges(chapter)).changes.append(change)
    return list(groups.values())


def by_phase(difference: Difference, shelf: Shelf, other: Shelf | None = None) -> list[PhaseChanges]:
    """What changed in each phase of play, and what of no single phase before that.

    A rule matters in every phase whose steps lead to it.
    """
    now = {change.old: change.new for change in difference.steps if change.old and change.new}
    groups: dict[StepEntry | None, PhaseChanges] = {None: PhaseChanges(None)}
    roots = (difference.old.root, difference.new.root)

    def group(step: StepEntry) -> PhaseChanges:
        phase = None if step in roots else phase_of(step)
        phase = now.get(phase, phase) if phase else None
        return groups.setdefault(phase, PhaseChanges(phase))

    for change in difference.steps:
        found = group(change.here)
        if change.is_told:
            found.steps.append(change)
    entered: set[tuple[StepEntry | None, Entry]] = set()
    sure = [change for change in difference.rules if change.is_told and change.is_certain]
    told = {change.new: change for change in sure if change.new}
    gone = {change.old: change for change in sure if change.old and not change.new}
    for outline, on, changes in ((difference.new, other or shelf, told), (difference.old, shelf, gone)):
        for step, entries in _led_to(outline, on):
            found = group(step)
            for entry in entries:
                if entry in changes and (found.phase, entry) not in entered:
                    entered.add((found.phase, entry))
                    found.rules.append(changes[entry])
    return [one for one in groups.values() if one.steps or one.rules]


def phase_of(step: StepEntry) -> StepEntry | None:
    """The phase that a step is part of: the outermost step around it that is no turn."""
    found: StepEntry | None = None
    at: StepEntry | None = step
    while at:
        if at.step.kind not in TURNS:
            found = at
        at = at.around
    return found


def _led_to(outline: Outline, shelf: Shelf) -> Iterator[tuple[StepEntry, Iterable[Entry]]]:
    """The rules that each step cites, with those inside them."""
    for citation in shelf.citations.get(outline.edition.address, ()):
        if not isinstance(citation.source, StepEntry):
            continue
        for resolved in citation.resolved:
            for entry in (resolved.target, *resolved.inside):
                if entry and entry.edition is outline.edition:
                    yield citation.source, list(entry.walk())
