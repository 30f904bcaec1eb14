"""The alarm: references whose rule is no longer what it was when they were read."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from generator.citations import Shelf
from generator.drift.fates import Fates, Past
from generator.drift.finding import ANOTHER, CHANGED, LOST, MOVED, Finding, is_told
from generator.drift.lock import UNKNOWN, Key, Lock, Meant, merged, read
from generator.drift.meaning import Meanings
from generator.drift.references import Home, Reference, lock_of, references, silent
from generator.drift.telling import told
from generator.library import Library
from generator.manuscript import Manuscript
from generator.outline import Entry, Outline
from generator.problems import Problem


@dataclass
class Drift:
    """What the locks of a project say of its references.

    `new`: how many references each lock does not know yet; `problems` are told by place.
    """

    locks: Mapping[Home, Lock] = field(default_factory=dict)
    findings: Sequence[Finding] = ()
    new: Counter[Home] = field(default_factory=Counter)
    problems: Sequence[Problem] = ()


def drift(shelf: Shelf, manuscripts: Sequence[Manuscript], library: Library) -> Drift:
    """What has become of what references meant. Where no lock is kept there is nothing to tell."""
    made = Drift()
    problems: list[Problem] = []
    locks: dict[Home, Lock] = {}
    for home in ("", *shelf.newest, *shelf.outlines):
        name = lock_of(home)
        if name in library.locks:
            locks[home], faults = read(name, library.locks[name])
            problems += faults
    if locks:
        looked = _Looking(shelf, manuscripts, library, locks)
        made = Drift(locks, looked.findings, looked.new, [*problems, *told(looked.findings, looked.meanings)])
    return made


class _Looking:
    """One look at all references that locks keep."""

    def __init__(
        self, shelf: Shelf, manuscripts: Sequence[Manuscript], library: Library, locks: Mapping[Home, Lock]
    ) -> None:
        self.shelf, self.locks = shelf, locks
        self.meanings = Meanings(shelf)
        self.doubtful = {"/".join(name.split("/")[1:3]) for name in library.faulty}
        self.doubtful |= {name.split("/")[1] for name in library.faulty if name.endswith("/rulebook.yml")}
        self.new: Counter[Home] = Counter()
        self.words = merged(lock.words for lock in locks.values())
        pending = self._pending(manuscripts)
        self.findings = list(self._findings(pending))

    def _pending(self, manuscripts: Sequence[Manuscript]) -> list[tuple[Reference, list[Meant]]]:
        """The references that are not plainly true, with what they meant."""
        pending: list[tuple[Reference, list[Meant]]] = []
        met: defaultdict[Home, set[Key]] = defaultdict(set)
        unknown: defaultdict[Home, list[Reference]] = defaultdict(list)

        def look(one: Reference, meant: list[Meant]) -> None:
            true = one.target and self.meanings.meant(one.target, one.home, one.inside) in meant
            if not true and not self._is_doubtful(one.into):
                pending.append((one, meant))

        for one in references(self.shelf, manuscripts):
            if (lock := self.locks.get(one.home)) is None:
                continue
            if one.target:
                met[one.home].add(one.key)
            if one.key in lock.meant:
                look(one, lock.meant[one.key])
            else:
                unknown[one.home].append(one)
        for home, rows in unknown.items():
            meant = self.locks[home].meant
            was = sources_before(meant.keys(), met[home] | {one.key for one in rows})
            for one in rows:
                before = was.get(one.source, one.source), one.named
                if before in meant:
                    look(one, meant[before])
                else:
                    self.new[home] += one.target is not None
        wanted = {home: lock.meant.keys() - met[home] for home, lock in self.locks.items()}
        if any(wanted.values()):
            seen = {(id(one.passage.text), one.start) for one, _ in pending}
            for one in silent(wanted, self.shelf, manuscripts):
                if (id(one.passage.text), one.start) not in seen:
                    look(one, self.locks[one.home].meant[one.key])
        return pending

    def _is_doubtful(self, outline: Outline) -> bool:
        """Whether rules of an edition may be missing because a file cannot be read."""
        address = outline.edition.address
        return address in self.doubtful or address.partition("/")[0] in self.doubtful

    def _findings(self, pending: Sequence[tuple[Reference, list[Meant]]]) -> Iterator[Finding]:
        by_edition: defaultdict[str, list[tuple[Reference, list[Meant]]]] = defaultdict(list)
        for one, meant in pending:
            by_edition[one.into.edition.address].append((one, meant))
        for address, rows in by_edition.items():
            outline = self.shelf.outlines[address]
            pasts = {_past(was) for _, meant in rows for was in meant} | self._kept(address)
            fates = Fates(outline, pasts, self.words, self.meanings)
            for one, meant in rows:
                found = [self._finding(one, was, fates) for was in meant]
                if all(found):
                    first = min(filter(None, found), key=lambda each: _ORDER.index(each.kind))
                    yield first._replace(kept=tuple(meant))

    def _kept(self, address: str) -> set[Past]:
        """All that is remembered of an edition's rules."""
        return {
            _past(was)
            for home, lock in self.locks.items()
            for every in lock.meant.values()
            for was in every
            if was.address(home) == address
        }

    def _finding(self, one: Reference, was: Meant, fates: Fates) -> Finding | None:
        """What has become of one thing that a reference meant; None where it means it still."""
        target = one.target
        if target is not None and not isinstance(target, Entry):
            return self._of_table(one, was)
        fate = fates.of(_past(was))
        if target is None:
            known = was.title or was.own != UNKNOWN
            if fate.heir and known:
                return Finding(MOVED, one, was, fate.heir, fate.differs)
            return Finding(LOST, one, was) if not is_told(one) else None
        if fate.heir is None:
            return Finding(ANOTHER, one, was)
        if fate.heir is not target:
            return Finding(MOVED, one, was, fate.heir, fate.differs)
        if one.shows:
            return None
        now = self.meanings.meant(target, one.home, one.inside)
        more = "" if now.more == was.more or was.own == UNKNOWN else "what lies in it is not what it was"
        differs = ", ".join(filter(None, [fate.differs, more]))
        return Finding(CHANGED, one, was, target, differs) if differs else None

    def _of_table(self, one: Reference, was: Meant) -> Finding | None:
        """The same of a table without a number, which is always found by its name."""
        assert one.target is not None
        now = self.meanings.meant(one.target, one.home)
        return None if now.mark == was.mark else Finding(CHANGED, one, was, None, "its words are others now")


def sources_before(kept: Collection[Key], met: Collection[Key]) -> dict[str, str]:
    """What each source is called in a lock that is called otherwise today: one that names the same numbers.

    A rule whose own number was changed and a step with a new title are such.
    """
    old, new = _by_source(kept), _by_source(met)
    gone = {source: named for source, named in old.items() if source not in new}
    by_number: defaultdict[str, list[str]] = defaultdict(list)
    for source, named in gone.items():
        for number in named:
            by_number[number].append(source)
    found: dict[str, str] = {}
    for source, named in new.items():
        if source in old:
            continue
        shared = Counter(one for number in named for one in by_number[number] if _sort(one) == _sort(source))
        for other, count in shared.most_common(1):
            if 2 * count > max(len(named), len(gone[other])) and other not in found.values():
                found[source] = other
    return found


def _by_source(keys: Collection[Key]) -> dict[str, set[str]]:
    found: defaultdict[str, set[str]] = defaultdict(set)
    for source, named in keys:
        found[source].add(named)
    return dict(found)


def _sort(source: str) -> str:
    return source.partition(" ")[0]


_ORDER = (CHANGED, MOVED, LOST, ANOTHER)


def _past(was: Meant) -> Past:
    return Past(was.key, was.title, was.own)
