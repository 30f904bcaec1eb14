"""References entered in the locks: new ones, and those that an editor has read again."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field

from rulewright.citations.manuscript import Manuscript
from rulewright.citations.shelf import Shelf
from rulewright.compare.drift import Drift, Finding
from rulewright.compare.lock import Key, Lock, Meanings, Meant
from rulewright.compare.passages import Home, lock_of, references


@dataclass
class Recorded:
    """The locks as they are to be. `files`: those that differ, None for one that keeps nothing any more.

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
) -> Recorded:
    """The locks of some folders with what has been read. `files`: the locks as they are."""
    made = Recorded()
    kept: defaultdict[tuple[Home, Key], list[Meant]] = defaultdict(list)
    forgotten: set[tuple[Home, Key]] = set()
    for one in known.findings:
        at = one.reference.home, one.reference.key
        if one.reference.home in homes and one.may_stay and is_read(one):
            made.again.append(one)
            forgotten.add(at)
        else:
            made.left.append(one)
            kept[at] = list(one.kept)
    locks = _locks(shelf, manuscripts, known, homes, kept, forgotten)
    for home in homes:
        old, new = known.locks.get(home, Lock()), locks[home]
        made.new[home] = len(new.meant.keys() - old.meant.keys())
        made.gone[home] = len(old.meant.keys() - new.meant.keys())
        made.kept[home] = len(new.meant)
        data = new.written() if new.meant else None
        if data != files.get(lock_of(home)):
            made.files[lock_of(home)] = data
    return made


def _locks(
    shelf: Shelf,
    manuscripts: Sequence[Manuscript],
    known: Drift,
    homes: Collection[Home],
    kept: dict[tuple[Home, Key], list[Meant]],
    forgotten: Collection[tuple[Home, Key]],
) -> dict[Home, Lock]:
    """The locks of some folders, `kept` as they were, everything else as it is now."""
    meanings = Meanings(shelf)
    locks = {home: Lock() for home in homes}
    for (home, key), every in kept.items():
        if home in locks:
            locks[home].meant[key] = every
    for one in references(shelf, manuscripts):
        lock, at = locks.get(one.home), (one.home, one.key)
        if lock is None or at in kept:
            continue
        old = known.locks.get(one.home, Lock()).meant.get(one.key)
        if one.target:
            meant = meanings.meant(one.target, one.home, one.inside)
            lock.meant.setdefault(one.key, [])
            lock.meant[one.key].append(meant)
            lock.words[meant.own] = meanings.said(one.target)
        elif old and at not in forgotten:
            lock.meant[one.key] = old
    for home, lock in locks.items():
        lock.words.pop("-", None)
        was = known.locks.get(home, Lock()).words
        lock.words = {**was, **lock.words}
    return locks
