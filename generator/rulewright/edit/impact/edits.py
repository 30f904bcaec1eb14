"""Edits: each edition compared with what it was, and what became of everything in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeVar

from rulewright.book.library import Edition
from rulewright.book.sheet import Sheet
from rulewright.book.tables import Source
from rulewright.compare.change import Change, Kind, Part
from rulewright.compare.editions import Difference, compare
from rulewright.edit.impact.snapshot import Snapshot, place_of

T = TypeVar("T")

REREAD = {Kind.REWORDED, Kind.SPLIT, Kind.MERGED, Kind.CHANGED}
"""Kinds of change for which all that cites a rule or a table is to be read again."""


@dataclass(frozen=True, eq=False)
class Edits:
    """Differences of each edition that is in both contents; the editions that are new, and that are gone.

    `compared` has all there is, `differences` leaves out what is only so because a file cannot be read.
    `unread`: the addresses of editions that cannot be read any more.
    """

    compared: tuple[Difference, ...]
    differences: tuple[Difference, ...]
    new: tuple[Edition, ...] = ()
    gone: tuple[Edition, ...] = ()
    unread: tuple[str, ...] = ()

    @cached_property
    def heirs(self) -> Mapping[object, object]:
        """Rules, steps, tables and aids of today by those that they were.

        A rule that was merged into another has that one for heir.
        """
        return {
            change.old: change.heir
            for one in self.compared
            for change in one.changes
            if change.old and change.heir
        }

    @cached_property
    def reworded(self) -> Mapping[Source, Change[Any]]:
        """The rules and tables that say something else now. A table that is a rule stands for that rule."""
        found: dict[Source, Change[Any]] = {}
        for one in self.differences:
            found |= {c.new: c for c in one.rules if c.new and REREAD.intersection(c.kinds)}
            found |= {c.new.home: c for c in one.tables if c.new and REREAD.intersection(c.kinds)}
        return found

    @cached_property
    def touched(self) -> set[object]:
        """Rules, steps and so on whose words were edited, and so read. A sheet is known by its aid."""
        changes = (change for one in self.differences for change in one.changes)
        read = (change.new for change in changes if change.parts or change.old is None)
        return {getattr(thing, "home", thing) for thing in read if thing}

    def has_touched(self, source: Source | str) -> bool:
        """Whether an editor has been at a rule, a step and so on."""
        return (source.aid if isinstance(source, Sheet) else source) in self.touched

    def hides(self, address: str) -> bool:
        """Whether a page belongs to an edition that cannot be read, so that it may be there again."""
        return f"{address}/".startswith(tuple(f"{one}/" for one in self.unread))


def edits(before: Snapshot, after: Snapshot) -> Edits:
    """Find the edits between two snapshots of one content."""
    old, new = before.desk.shelf, after.desk.shelf
    compared = [
        compare(old.outlines[address], outline, old, new)
        for address, outline in new.outlines.items()
        if address in old.outlines
    ]
    missing = [one.edition for address, one in old.outlines.items() if address not in new.outlines]
    unread = [one for one in missing if after.has_files(one.address)]
    return Edits(
        tuple(compared),
        tuple(_readable(one, before.faulty, after.faulty) for one in compared),
        tuple(one.edition for address, one in new.outlines.items() if address not in old.outlines),
        tuple(edition for edition in missing if edition not in unread),
        tuple(edition.address for edition in unread),
    )


def _readable(one: Difference, before: Set[str], after: Set[str]) -> Difference:
    """A difference without what is only there because a file could or cannot be read."""
    if not before and not after:
        return one

    def keep(changes: Sequence[Change[T]]) -> list[Change[T]]:
        left = (c for c in changes if not (_is_lost(c.old, c.new, after) or _is_lost(c.new, c.old, before)))
        return [_legible(change, before | after) for change in left]

    return Difference(one.old, one.new, keep(one.rules), keep(one.steps), keep(one.tables), keep(one.aids))


def _is_lost(here: object, there: object, faulty: Set[str]) -> bool:
    """Whether a thing, or its text, may be missing on the other side since its file is faulty there."""
    place = place_of(here)
    return bool(place and place.file in faulty and (there is None or not getattr(there, "rule", True)))


def _legible(change: Change[T], faulty: Set[str]) -> Change[T]:
    """A change without parts in which nothing differs but that what they cite cannot be read."""

    def only_cites(part: Part) -> bool:
        words = {sign: [w for p in part.pieces if p.sign == sign for w in p.words] for sign in "-+"}
        was, now = ([word.words.partition(", now ")[0] for word in words[sign]] for sign in "-+")
        cited = [place_of(word.to.target) for word in (*words["-"], *words["+"]) if word.to]
        return bool(cited) and was == now and all(place and place.file in faulty for place in cited)

    parts = tuple(part for part in change.parts if not only_cites(part))
    if parts == change.parts:
        return change
    words = set() if parts else {Kind.REWORDED, Kind.CHANGED}
    return replace(change, parts=parts, kinds=tuple(kind for kind in change.kinds if kind not in words))
