"""Locks after references have been written anew: each keeps its meaning, by the new numbers.

What was true stays true. What an editor still had to read again he has to read again afterwards.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence

from rulewright.checks.examine import Examined
from rulewright.citations.manuscript import Manuscript
from rulewright.citations.shelf import Shelf
from rulewright.compare.drift import Finding
from rulewright.compare.lock import UNKNOWN, Key, Lock, Meanings, Reading, mark_of, renamed
from rulewright.compare.passages import Home, lock_of, references
from rulewright.edit.moves import Moves

Kept = tuple[Home, Key]
"""A reference, with the folder whose lock keeps it."""


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


def locks_after(
    before: Examined,
    after: Examined,
    key_of: Callable[[Home, Key, Sequence[Reading]], Key],
    number: Callable[[str, str], str],
    mended: Mapping[Kept, Finding],
) -> dict[str, Lock]:
    """The locks after a change, by folder: `key_of` a reference then, `number` of a cited rule then."""
    homes = before.drift.locks
    (was, _), (now, words) = (current(one.shelf, one.manuscripts, homes) for one in (before, after))
    locks: dict[str, Lock] = {}
    for home, lock in homes.items():
        made = locks[home] = Lock(words={**words, **lock.words})
        settled = {key: list(one.kept) for (at, key), one in mended.items() if at == home}
        for key, every in {**lock.meant, **settled}.items():
            new, finding = key_of(home, key, every), mended.get((home, key))
            true = was.get((home, key), ()) if not finding else () if finding.differs else every
            today = now.get((home, new), [])
            row = made.meant.setdefault(new, [])
            for one in every:
                moved = _renumbered(one, one.address(home), lock, made, number)
                same = (each for each in today if each.target == moved.target)
                row.append(next(same, today[0]) if one in true and today else moved)
    return locks


def _renumbered(
    meant: Reading, address: str, old: Lock, new: Lock, number: Callable[[str, str], str]
) -> Reading:
    """A reading by the new numbers, those too that its words cite."""
    own = meant.own
    if words := old.words.get(own):
        words = renamed(words, lambda key: number(address, key))
        own = mark_of(words)
        new.words[own] = words
    target = meant.target.removesuffix(meant.key) + number(address, meant.key)
    return Reading(target, f"{own}+{meant.more}" if meant.more else own, meant.title)


def differing(locks: Mapping[str, Lock], before: Examined) -> dict[str, bytes]:
    """The files of those locks that are not as they were."""
    files = {lock_of(home): lock.written() for home, lock in locks.items()}
    return {name: data for name, data in files.items() if data != before.library.locks[name]}


def renumbered_locks(
    before: Examined, after: Examined, moves: Moves, added: Collection[str] = ()
) -> dict[str, bytes]:
    """Rewrite the locks that differ after a renumbering. `added`: rules newly cited, which have been read."""
    ours, dialect = moves.outline.edition.address, moves.outline.edition.dialect

    def number(address: str, key: str) -> str:
        prefix = f"{ours}:" if address != ours else ""
        bare = key.removeprefix(prefix)
        known = dialect.parse(bare)
        if not key.startswith(prefix) or not known or known.key != bare:
            return key
        return prefix + moves.of(known).key

    def named(one: str) -> str:
        """A number as it is kept, with what stands in front of it."""
        front = "was " if one.startswith("was ") else one[: one.rfind(":") + 1]
        return front + number(ours, one.removeprefix(front))

    def key_of(home: Home, key: Key, every: Sequence[Reading]) -> Key:
        sort, _, name = key[0].partition(" ")
        source = f"{sort} {number(ours, name)}" if home == ours and sort in ("rule", "table") else key[0]
        leads = every[0].address(home) == ours
        return source, "–".join(map(named, key[1].split("–"))) if leads else key[1]

    locks = locks_after(before, after, key_of, number, {})
    if added and locks:
        now, _ = current(after.shelf, after.manuscripts, locks)
        for (home, key), every in now.items():
            if key[1] in added:
                locks[home].meant.setdefault(key, every)
    return differing(locks, before)
