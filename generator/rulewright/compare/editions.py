"""Two editions compared in all that they hold, and their changes by chapter and by phase of play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from rulewright.book.library import Edition
from rulewright.book.outline import Entry, Outline
from rulewright.book.sequence import StepEntry
from rulewright.book.tables import TableEntry
from rulewright.citations.predecessor import followed
from rulewright.citations.shelf import Shelf
from rulewright.compare import aids, tables
from rulewright.compare.aids import AidChange
from rulewright.compare.change import Change, Kind, RuleChange, StepChange
from rulewright.compare.errata import ErratumChange, errata
from rulewright.compare.matching import Side, match
from rulewright.compare.rules import Rules
from rulewright.compare.steps import Steps
from rulewright.compare.tables import TableChange
from rulewright.model.step_kinds import TURNS

PATH = "changes"
"""Address of the page of changes, below that of its edition."""


NEW_PLACE = {Kind.MOVED, Kind.RENUMBERED}
BARS = {Kind.ADDED, Kind.SPLIT, Kind.MERGED, Kind.MOVED, Kind.RETITLED, Kind.REWORDED}
"""Kinds of change for which a rule has a change bar."""

NEW_TABLE = {Kind.ADDED, Kind.RETITLED, Kind.CHANGED}
"""Kinds of change for which a table has a change bar; a new place is told at its rule."""


@dataclass(frozen=True, eq=False)
class Difference:
    """Difference of two editions, both as amended: a change for each rule, step, table and aid in either.

    `errata`: what became of those of the older edition.
    """

    old: Outline
    new: Outline
    rules: list[RuleChange] = field(default_factory=list)
    steps: list[StepChange] = field(default_factory=list)
    tables: list[TableChange] = field(default_factory=list)
    aids: list[AidChange] = field(default_factory=list)
    errata: list[ErratumChange] = field(default_factory=list)

    @property
    def told(self) -> bool:
        """Whether there is anything to tell."""
        return bool(self.errata) or any(change.is_told for change in self.changes)

    @property
    def by_sort(self) -> Mapping[str, list[Change[Any]]]:
        """All changes but those of errata, by the sort of thing that they are of."""
        return {"rules": self.rules, "steps": self.steps, "tables": self.tables, "aids": self.aids}

    @property
    def changes(self) -> list[Change[Any]]:
        """All changes but those of errata."""
        return [change for changes in self.by_sort.values() for change in changes]

    @property
    def only(self) -> list[tuple[Edition, Edition, list[Entry]]]:
        """The rules of each edition of which nothing can be said, since of the other only a part is here."""
        editions = self.old.edition, self.new.edition
        only = [change.here for change in self.rules if Kind.ONLY in change.kinds]
        rows = (
            (one, other, [entry for entry in only if entry.edition is one])
            for one, other in (editions, editions[::-1])
        )
        return [row for row in rows if row[2]]

    @property
    def path(self) -> str:
        """The address of its page: that of an edition with the one it follows is plain `ocs/4.3/changes`."""
        return f"{self.new.edition.address}/{PATH}"


def compare(old: Outline, new: Outline, shelf: Shelf, other: Shelf | None = None) -> Difference:
    """Compare two editions on a shelf; `other` is the new one's where it has its own."""
    sides = Side(old, shelf), Side(new, other or shelf)
    rules = Rules(*sides, match(*sides))
    made = Difference(
        old, new, rules.changes(), Steps(rules).changes(), tables.changes(*sides, rules), aids.changes(rules)
    )
    return replace(made, errata=errata(rules, made.changes))


def successive(shelf: Shelf) -> Iterator[Difference]:
    """Differences of each edition from the one it follows."""
    for outline in shelf.outlines.values():
        if old := followed(outline, shelf.outlines):
            yield compare(old, outline, shelf)


def changed(outline: Outline, shelf: Shelf) -> Mapping[Entry, RuleChange]:
    """The rules of an edition that have a change bar; none where it follows no edition that is here.

    One that was merely renumbered has none, nor has one of which the edition before does not tell.
    """
    old = followed(outline, shelf.outlines)
    return with_bars(compare(old, outline, shelf)) if old else {}


def with_bars(difference: Difference) -> Mapping[Entry, RuleChange]:
    """The rules of the newer edition that have a change bar: new words, or another place."""
    return {
        change.new: change
        for change in difference.rules
        if change.new
        and BARS.intersection(change.kinds)
        and not (change.along and NEW_PLACE.issuperset(change.kinds))
    }


def tables_with_bars(difference: Difference) -> Iterator[Entry | TableEntry]:
    """The tables of the newer edition that have a change bar, by the rules that they are."""
    for change in difference.tables:
        if change.new and NEW_TABLE.intersection(change.kinds):
            yield change.new.home


def counts(changes: Iterable[RuleChange | StepChange | TableChange | AidChange]) -> dict[str, int]:
    """Count the changes of each kind that are worth a line."""
    return dict(Counter(str(kind) for change in changes if change.is_told for kind in change.kinds))


@dataclass(frozen=True, slots=True)
class PhaseChanges:
    """Changes of the steps of a phase, None for the whole sequence, and of rules that they lead to."""

    phase: StepEntry | None
    steps: list[StepChange] = field(default_factory=list)
    rules: list[RuleChange] = field(default_factory=list)


def by_chapter(difference: Difference) -> Mapping[Entry, list[RuleChange]]:
    """Changes of rules by chapter, in the order of the newer edition."""
    groups: dict[Entry, list[RuleChange]] = {}
    now = {change.old: change.new for change in difference.rules if change.old and change.new}
    for change in difference.rules:
        chapter = change.here.chapter
        chapter = chapter if change.new else now.get(chapter, chapter)
        if change.is_told and change.is_certain:
            groups.setdefault(chapter, []).append(change)
    return groups


def by_phase(difference: Difference, shelf: Shelf, other: Shelf | None = None) -> list[PhaseChanges]:
    """Changes by phase of play, those of no single one first; a rule matters where a step leads to it."""
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
        found, at = (found if at.step.kind in TURNS else at), at.around
    return found


def _led_to(outline: Outline, shelf: Shelf) -> Iterator[tuple[StepEntry, Iterable[Entry]]]:
    """The rules that each step cites, with those inside them."""
    for citation in shelf.citations.get(outline.edition.address, ()):
        for resolved in citation.resolved if isinstance(citation.source, StepEntry) else ():
            for entry in (resolved.target, *resolved.inside):
                if isinstance(citation.source, StepEntry) and entry and entry.edition is outline.edition:
                    yield citation.source, list(entry.walk())
