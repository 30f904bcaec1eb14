"""Heirs: what the rules that a text cites, which was written for another edition, are in an edition of today.

A rule is followed as pages follow it from edition to edition, through `was:` and through its words, never by
its number alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

from rulewright.book.outline import Entry, Outline
from rulewright.citations.predecessor import earlier
from rulewright.citations.resolving import NOT_FOUND, Resolved, range_end
from rulewright.citations.retirement import TO_RETIRED, outdated
from rulewright.citations.shelf import Shelf
from rulewright.compare.change import Kind as Changed
from rulewright.compare.drift import CHANGED, LOST, MOVED
from rulewright.compare.edition_changes import Difference
from rulewright.compare.history import Counterpart, Counterparts, counterpart
from rulewright.compare.matching import Side
from rulewright.numbers import items
from rulewright.numbers.dialect import Number
from rulewright.source.problems import Kind, Problem, Severity

UNKNOWN = replace(LOST, severity=Severity.NOTE)
"""The same for a rule of which too little is known to tell."""

REWORDED = {Changed.REWORDED, Changed.RETITLED, Changed.SPLIT, Changed.MERGED, Changed.CHANGED}


class Heir(NamedTuple):
    """A citation in an edition of today. `number`: the one that means the same rule there, if any.

    `target`: the rule that it leads to. `told`: what is to be told, worst first.
    """

    one: Resolved
    number: Number | None = None
    target: Entry | None = None
    told: tuple[tuple[Kind, str], ...] = ()


class Heirs:
    """What each rule of an edition, or of the series that it extends, is in another edition of its book."""

    def __init__(self, shelf: Shelf, old: Outline, new: Outline, among: Counterparts | None = None) -> None:
        self.shelf, self.old, self.new = shelf, old, new
        self._counterparts = among or Counterparts(shelf, ())
        self._reworded: dict[Entry, bool] = {}

    @cached_property
    def since(self) -> str:
        return f"edition {self.old.edition.file.edition}"

    def of(self, entry: Entry) -> Counterpart:
        return counterpart(entry, self.new, self._counterparts)

    def moved(self) -> Iterator[tuple[Entry, Entry | None]]:
        """The rules of the old edition that have another number, and those that are certainly gone."""
        for entry in self.old.in_order:
            found = self.of(entry)
            if isinstance(found.there, Entry) and found.there.key != entry.key:
                yield entry, found.there
            elif found.there is None and found.sure:
                yield entry, None

    def all_of(self, resolved: Iterable[Resolved]) -> Iterator[Heir]:
        """What becomes of the citations of a text, in order."""
        first: Entry | None = None
        for one in resolved:
            heir = self._heir(one)
            if one.found.through and first and heir.target:
                heir = self._as_range(heir, first, heir.target)
            first = heir.target
            yield heir

    def _heir(self, one: Resolved) -> Heir:
        target, number = one.target, one.number
        if one.found.book or one.away:
            return Heir(one)  # it says by itself what it is of
        if one.fault or not target or not number:
            today = self.new.entries.get(number.key) if number else None
            also = f"; {today.shown} is a rule of edition {self.new.edition.file.edition}" if today else ""
            said = f"{one.message}, in {self.since}{also}"
            return Heir(one, told=((one.fault, said),) if one.fault else ())
        found = self.of(target)
        there, near, sure = found.there, found.near, found.sure
        called = f"{number.key} of {self.since}"
        if not isinstance(there, Entry):
            left = f"; the nearest is {near.shown}" if isinstance(near, Entry) else ""
            said = f"{called} is gone{left}" if sure else f"of {called} nothing is known today"
            return Heir(one, told=((LOST if sure else UNKNOWN, said),))
        difference = self._difference(target, there)
        if difference and target in difference.of_rules.merged:
            return Heir(one, told=((LOST, f"{called} is part of {there.shown} now; name what is meant"),))
        depth, now = len(target.number.labels), there.number
        goal = items.inside(there.edition.dialect, now, number, depth) if len(number.labels) > depth else now
        told = [(TO_RETIRED, said) for _, said in outdated([one._replace(target=there)])]
        if goal is None:
            return Heir(one, told=((LOST, f"{called} can be no number in {there.shown}, which it lay in"),))
        if goal.key != number.key:
            told.append((MOVED, f"{called} is {goal.key} now"))
        if difference and self._is_reworded(there, difference):
            told.append((CHANGED, f"{goal.key} reads otherwise than in {self.since}"))
        return Heir(one, goal, there, tuple(told))

    def _as_range(self, heir: Heir, first: Entry, last: Entry) -> Heir:
        """The end of a range, which may hold other rules now."""
        if heir.number is None or first.edition is not last.edition:
            return heir
        outline = self.shelf.outlines[last.edition.address]
        now = range_end(heir.one.found, heir.number, first, last, outline)
        held = [there for entry in heir.one.inside if (there := self.of(entry).there)]
        if now.fault:
            return heir._replace(told=(*heir.told, (now.fault, now.message)))
        if come := [entry.shown for entry in now.inside if entry not in held]:
            heir = heir._replace(
                told=(*heir.told, (CHANGED, f"the range holds {', '.join(come)} as well now"))
            )
        if gone := [there.key for there in held if isinstance(there, Entry) and there not in now.inside]:
            heir = heir._replace(told=(*heir.told, (CHANGED, f"the range holds {', '.join(gone)} no longer")))
        return heir

    def _difference(self, was: Entry, there: Entry) -> Difference | None:
        old, new = (self.shelf.outlines[one.edition.address] for one in (was, there))
        if old is new:
            return None
        return self._counterparts.apart(Side(old, self.shelf), Side(new, self.shelf))

    def _is_reworded(self, entry: Entry, difference: Difference) -> bool:
        """Whether a rule, its table or an untitled rule in it says something else."""
        if entry not in self._reworded:
            kinds = {*difference.of_rule(entry).kinds}
            if table := self.shelf.homes.get(entry):
                kinds.update(difference.of_table(table).kinds)
            inside = (one for one in entry.children if not one.title)
            found = bool(kinds & REWORDED) or any(self._is_reworded(one, difference) for one in inside)
            self._reworded[entry] = found
        return self._reworded[entry]


def recalled(problems: Iterable[Problem], shelf: Shelf) -> Iterator[Problem]:
    """Problems, those of a number that no rule has with what it was in an earlier edition."""
    among = Counterparts(shelf, ())
    for problem in problems:
        said = ""
        if problem.code == NOT_FOUND.code:
            book, _, key = problem.about.rpartition(":")
            outline = shelf.named(book or "/".join(problem.place.file.split("/")[1:3]))
            said = recall(key, outline, shelf, among) if outline else ""
        yield replace(problem, message=said) if said else problem


def recall(key: str, outline: Outline, shelf: Shelf, among: Counterparts | None = None) -> str:
    """Says that no rule of an edition has a number, and what became of the one that had it; else nothing."""
    was: Outline | None = next((one for one in earlier(outline, shelf.outlines) if key in one.entries), None)
    if was is None:
        return ""
    heirs = Heirs(shelf, was, outline, among)
    found = heirs.of(was.entries[key])
    if isinstance(found.there, Entry):
        return f"no rule {key}; {key} of {heirs.since} is {found.there.shown} now"
    return f"no rule {key}; {key} of {heirs.since} is gone" if found.sure else ""
