"""Two editions compared in all that they hold, their changes by chapter and by phase, and their errata.

Editions are compared as amended. So an erratum that the next edition has taken in is no change of its rule,
and is told here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import groupby
from types import MappingProxyType
from typing import Any

from rulewright.book.library import Edition
from rulewright.book.outline import Entry, Outline
from rulewright.book.remarks import Remark
from rulewright.book.sequence import StepEntry
from rulewright.book.tables import TableEntry, table_texts
from rulewright.citations.corpus import texts_in
from rulewright.citations.predecessor import followed, follows
from rulewright.citations.shelf import Shelf
from rulewright.compare.change import QUIET, Change, Kind, RuleChange, StepChange
from rulewright.compare.matching import Side, match
from rulewright.compare.rule_changes import Rules
from rulewright.compare.step_changes import Steps
from rulewright.compare.table_changes import AidChange, TableChange, aid_changes, table_changes
from rulewright.compare.word_changes import Word, difference, meaning, words_of
from rulewright.model.amended import COME, GONE, KEPT, Amended
from rulewright.model.erratum import Erratum
from rulewright.model.keys import texts_of
from rulewright.model.step_kinds import TURNS
from rulewright.source.text import Text

PATH = "changes"
"""Address of the page of changes, below that of its edition."""


NEW_PLACE = {Kind.MOVED, Kind.RENUMBERED}
BARS = {Kind.ADDED, Kind.SPLIT, Kind.MERGED, Kind.MOVED, Kind.RETITLED, Kind.RETIRED, Kind.REWORDED}
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
        """The address of its page: `changes` with the edition that is followed, else `changes/3.0`."""
        path = f"{self.new.edition.address}/{PATH}"
        name = self.old.edition.address.partition("/")[2]
        return path if follows(self.new, self.old) else f"{path}/{name}"


def compare(old: Outline, new: Outline, shelf: Shelf, other: Shelf | None = None) -> Difference:
    """Compare two editions on a shelf; `other` is the new one's where it has its own."""
    return compare_sides(Side(old, shelf), Side(new, other or shelf))


def compare_sides(old: Side, new: Side, sure: Mapping[Entry, Entry] = MappingProxyType({})) -> Difference:
    """Compare two editions whose words may be known. `sure`: rules of the old one that are one of the new."""
    rules = Rules(old, new, match(old, new, sure))
    made = Difference(
        old.outline,
        new.outline,
        rules.changes(),
        Steps(rules).changes(),
        table_changes(old, new, rules),
        aid_changes(rules),
    )
    return replace(made, errata=errata(rules, made.changes))


def successive(shelf: Shelf) -> Iterator[Difference]:
    """Differences of each edition from the one it follows."""
    sides: dict[str, Side] = {}
    for outline in shelf.outlines.values():
        if old := followed(outline, shelf.outlines):
            before, now = (sides.setdefault(one.edition.address, Side(one, shelf)) for one in (old, outline))
            yield compare_sides(before, now)


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


SAME, BY_NAME = "as they were", "by number and title"
"""Sorts of what did not change: all that it says is known in both editions, or no more than its name."""


def tallied(changes: Iterable[Change[Any]]) -> Mapping[str, list[Change[Any]]]:
    """Changes by what happened, in words, each as often as something happened to it.

    What came or went with another, or moved with it, is counted too, and so is what did not change.
    """
    found: dict[str, list[Change[Any]]] = {}
    for change in changes:
        kinds = [_TALLIED.get((kind, bool(change.old), bool(change.new)), str(kind)) for kind in change.kinds]
        if change.old and change.new and set(change.kinds) <= {*QUIET, *NEW_PLACE}:
            kinds.append(SAME if change.known and Kind.UNREAD not in change.kinds else BY_NAME)
        for kind in kinds:
            found.setdefault(kind, []).append(change)
    return {kind: found[kind] for kind in _ORDER if kind in found}


_TALLIED = {
    (Kind.ADDED, False, True): "new",
    (Kind.REMOVED, True, False): "gone",
    (Kind.SPLIT, False, True): "split off another",
    (Kind.MERGED, True, False): "now in another",
    (Kind.RENUMBERED, True, True): "under another number",
    (Kind.MOVED, True, True): "in another place",
}
_ORDER = [*_TALLIED.values(), Kind.RETIRED, Kind.RETITLED, Kind.REWORDED, Kind.CHANGED, SAME, BY_NAME]


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


AROUND = 3
"""How many words before and behind those of an erratum are looked for with them."""


class Fate(StrEnum):
    """Whether the newer edition says what an erratum does."""

    TAKEN_IN = "taken in"
    NOT_TAKEN_IN = "not taken in"  # the newer edition says what the older one printed
    OTHERWISE = "said otherwise"


@dataclass(frozen=True, slots=True)
class ErratumChange:
    """An erratum of the older edition, its fate in the newer one, and the rule, step or table there."""

    remark: Remark
    fate: Fate
    thing: Entry | StepEntry | TableEntry


def errata(rules: Rules, changes: Iterable[Change[Any]]) -> list[ErratumChange]:
    """Fates of the errata that amend the older edition, but of rules that are gone or unknown."""
    old, new = rules.old, rules.new
    if not old.outline.edition.applied or old.outline.edition.address == new.outline.edition.address:
        return []
    heirs = {change.old: change.heir for change in changes}
    remarks = {one.erratum: one for one in old.shelf.remarks[old.outline.edition.address] if one.erratum}
    found: dict[Remark, ErratumChange] = {}
    for source, texts, chapter in texts_in(old.outline, old.tables):
        thing = heirs.get(source)
        for text, _ in texts if isinstance(thing, Entry | StepEntry | TableEntry) else ():
            if isinstance(text, Amended) and isinstance(thing, Entry | StepEntry | TableEntry):
                says = [_keys(meaning(new.words(one), rules.meant[1])) for one in _says(thing, new)]
                for erratum in text.errata if any(says) else ():
                    if fate := _fate(text, erratum, chapter, says, rules):
                        found.setdefault(remarks[erratum], ErratumChange(remarks[erratum], fate, thing))
    return [found[one] for one in remarks.values() if one in found]


def _says(thing: Entry | StepEntry | TableEntry, side: Side) -> Iterator[Text]:
    part = thing.step if isinstance(thing, StepEntry) else getattr(thing, "rule", None)
    table = None if isinstance(thing, StepEntry) else side.shelf.homes.get(thing)
    return (text for text, _ in (*(texts_of(part) if part else ()), *(table_texts(table) if table else ())))


def _fate(
    text: Amended, erratum: Erratum, chapter: str, says: Sequence[Sequence[str]], rules: Rules
) -> Fate | None:
    """Fate of an erratum in one of the texts that it amends; None where its words cannot tell."""
    side = rules.old
    runs_without = (
        run._replace(sign=KEPT, erratum=None) if run.erratum is erratum else run
        for run in text.runs
        if run.erratum is not erratum or run.sign == GONE
    )
    without = Amended.of(text.printed, runs_without)
    resolved = side.shelf.resolve(without, side.outline, chapter)
    was, now = (meaning(words, rules.meant[0]) for words in (words_of(without, resolved), side.words(text)))
    pieces = difference(was, now)
    stretches: Mapping[str, list[list[str]]] = {GONE: [], COME: []}
    runs = [list(run) for _, run in groupby(pieces, lambda piece: bool(piece.sign))]
    for at, run in enumerate(runs):
        if not run[0].sign:
            continue
        before = _keys(runs[at - 1][-1].words)[-AROUND:] if at else []
        behind = _keys(runs[at + 1][0].words)[:AROUND] if at + 1 < len(runs) else []
        for sign, found in stretches.items():
            own = [key for piece in run if piece.sign == sign for key in _keys(piece.words)]
            found.append([*before, *own, *behind])
    if not stretches[COME]:
        return None
    if all(_holds(says, stretch) for stretch in stretches[COME]):
        return Fate.TAKEN_IN
    return Fate.NOT_TAKEN_IN if all(_holds(says, one) for one in stretches[GONE]) else Fate.OTHERWISE


def _keys(words: Iterable[Word]) -> list[str]:
    return [word.key.casefold() for word in words]


def _holds(says: Iterable[Sequence[str]], stretch: Sequence[str]) -> bool:
    """Whether words stand in one of several texts, one behind another."""
    length = len(stretch)
    return any(list(one[at : at + length]) == stretch for one in says for at in range(len(one) - length + 1))
