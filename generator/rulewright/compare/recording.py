"""References entered in the locks: new ones, and those that an editor has read again."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

from rulewright.citations.manuscript import Manuscript
from rulewright.citations.shelf import Shelf
from rulewright.compare.drift import Drift, Finding
from rulewright.compare.lock import UNKNOWN, Key, Lock, Meanings, Reading
from rulewright.compare.passages import Home, lock_of, references

Kept = tuple[Home, Key]
"""A reference, with the folder whose lock keeps it."""


@dataclass
class Recording:
    """Locks to be written. `files`: those that differ, None for one that keeps nothing any more.

    `new` and `gone`: how many references came and went, by folder; `again`: those that were read
    again; `left`: those that are still to be read; `kept`: how many each lock keeps.
    """

    files: dict[str, bytes | None] = field(default_factory=dict)
    new: Counter[Home] = field(default_factory=Counter)
    gone: Counter[Home] = field(default_factory=Counter)
    kept: Counter[Home] = field(default_factory=Counter)
    again: list[Finding] = field(default_factory=list)
    left: list[Finding] = field(default_factory=list)


def record(
    shelf: Shelf,
    manuscripts: Sequence[Manuscript],
    known: Drift,
    files: dict[str, bytes],
    homes: Collection[Home],
    is_read: Callable[[Finding], bool],
) -> Recording:
    """Record the references of some folders that have been read. `files`: the locks as they are."""
    made = Recording()
    kept: dict[Kept, list[Reading]] = {}
    forgotten: set[Kept] = set()
    for one in known.findings:
        at = one.reference.home, one.reference.key
        if one.reference.home in homes and one.may_stay and is_read(one):
            made.again.append(one)
            forgotten.add(at)
        else:
            made.left.append(one)
            kept[at] = list(one.kept)
    found, words = current(shelf, manuscripts, homes)
    locks = {home: Lock(words={**known.locks.get(home, Lock()).words, **words}) for home in homes}
    for (home, key), every in kept.items():
        if home in locks:
            locks[home].meant[key] = every
    for (home, key), meant in found.items():
        was = known.locks.get(home, Lock()).meant.get(key, [])
        if (home, key) not in kept and (meant or (was and (home, key) not in forgotten)):
            locks[home].meant[key] = meant or was
    for home in homes:
        old, new = known.locks.get(home, Lock()), locks[home]
        made.new[home] = len(new.meant.keys() - old.meant.keys())
        made.gone[home] = len(old.meant.keys() - new.meant.keys())
        made.kept[home] = len(new.meant)
        data = new.written() if new.meant else None
        if data != files.get(lock_of(home)):
            made.files[lock_of(home)] = data
    return made


def current(
    shelf: Shelf, manuscripts: Sequence[Manuscript], homes: Collection[Home]
) -> tuple[Mapping[Kept, list[Reading]], dict[str, str]]:
    """Targets of every reference of some folders, none of a lost one, and the words of all cited rules."""
    meanings, words = Meanings(shelf), dict[str, str]()
    found: defaultdict[Kept, list[Reading]] = defaultdict(list)
    for one in references(shelf, manuscripts):
        if one.home not in homes:
            continue
        every = found[one.home, one.key]
        if one.target:
            meant = meanings.meant(one.target, one.home, one.inside)
            every.append(meant)
            if meant.own != UNKNOWN:
                words[meant.own] = meanings.said(one.target)
    return found, words
