"""A rule, a step, a table or an aid in the other editions of its book.

    line of editions ──differences, one behind the other──► this is that ──or is not there──► what is near

Between editions that follow each other stands their difference, and what is several editions away is found
through those between. Editions that no `follows:` links are compared with their neighbours in time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rulewright.book.lineage import in_line
from rulewright.book.outline import Entry, Outline
from rulewright.book.tables import Source
from rulewright.citations.predecessor import followed
from rulewright.citations.shelf import Shelf
from rulewright.compare.change import Kind, RuleChange
from rulewright.compare.editions import Difference, compare
from rulewright.model.aid import Aid


@dataclass(frozen=True, slots=True)
class Past:
    """A rule in an earlier edition, and the change from there to the edition that follows it.

    `then`: what it was called there, None where it was not there yet.
    """

    edition: Outline
    then: Entry | None
    change: RuleChange


class Histories:
    """The past of every rule, from the differences between editions that follow each other."""

    def __init__(self, differences: Iterable[Difference]) -> None:
        self._old = {one.new.edition.address: one.old for one in differences}
        self._changes: Mapping[Entry, RuleChange] = {
            change.new: change for one in differences for change in one.rules if change.new
        }

    def of(self, entry: Entry) -> list[Past]:
        """Earlier states of a rule, the latest edition first, as far back as it can be followed.

        Of an edition that does not tell whether it had the rule, nothing is said.
        """
        past: list[Past] = []
        seen: set[str] = set()
        at: Entry | None = entry
        while at and (change := self._changes.get(at)) and at.edition.address not in seen:
            seen.add(at.edition.address)
            if Kind.ONLY in change.kinds:
                break
            past.append(Past(self._old[at.edition.address], change.origin, change))
            at = change.origin
        return past


NEWEST, OLD, TO_COME = "newest", "old", "to come"
"""Standing of an edition: the newest that is published, one before it, one that is not published yet."""


@dataclass(frozen=True, slots=True)
class Counterpart:
    """A rule, step, table or aid in another edition: `there`, or where it is not there the `near`est thing.

    `sure`: it is certainly not there, while of an edition that is known in part nobody can tell.
    """

    there: Source | None
    near: Source | None = None
    sure: bool = True


Absent = Mapping[Source | None, list[Source]]
"""Things that an edition lacks of another, in that one's order, by the thing nearest to their place."""

NOWHERE = Counterpart(None)


@dataclass(frozen=True, slots=True)
class Transition:
    """Step from one edition to the next or back: new things by old ones, and those that may be there too."""

    to: Mapping[Source, Source]
    unsure: frozenset[Source]


class Counterparts:
    """Counterparts in the editions of each book, worked out for the pairs that are asked for."""

    def __init__(self, shelf: Shelf, differences: Iterable[Difference]) -> None:
        self.shelf = shelf
        self._differences = {(_address(one.old), _address(one.new)): one for one in differences}
        self._transitions: dict[tuple[str, str], Transition] = {}
        self._found: dict[tuple[str, str], Mapping[Source, Counterpart]] = {}
        self._absent: dict[tuple[str, str], Absent] = {}
        self._sheets = {id(sheet.aid): sheet for sheets in shelf.sheets.values() for sheet in sheets}
        books: dict[str, list[Outline]] = {}
        for outline in shelf.outlines.values():
            books.setdefault(_book(outline), []).append(outline)
        self._lines = {
            book: [shelf.outlines[edition.address] for edition in in_line(one.edition for one in outlines)]
            for book, outlines in books.items()
        }

    def line(self, outline: Outline) -> Sequence[Outline]:
        """All editions of a book, the oldest first."""
        return self._lines[_book(outline)]

    def others(self, outline: Outline) -> list[Outline]:
        """The other editions of a book, the newest first."""
        return [one for one in reversed(self.line(outline)) if one is not outline]

    def newest(self, outline: Outline) -> Outline:
        """The newest edition of a book."""
        return self.shelf.outlines[self.shelf.newest[_book(outline)].address]

    def standing(self, outline: Outline) -> str:
        """Whether an edition is the `newest`, an `old` one, or `to come`."""
        line = self.line(outline)
        at, newest = line.index(outline), line.index(self.newest(outline))
        return NEWEST if at == newest else OLD if at < newest else TO_COME

    def of(self, source: Source, other: Outline) -> Counterpart:
        """Counterpart of a rule, step, table or aid in another edition of its book."""
        return self.all(self.shelf.outlines[source.edition.address], other).get(source, NOWHERE)

    def absent(self, outline: Outline, other: Outline) -> Absent:
        """Things that an edition lacks of another, by the thing nearest to their place."""
        pair = _address(other), _address(outline)
        if pair not in self._absent:
            found: dict[Source | None, list[Source]] = {}
            for source, one in self.all(other, outline).items():
                if one.there is None:
                    found.setdefault(one.near, []).append(source)
            self._absent[pair] = found
        return self._absent[pair]

    def all(self, outline: Outline, other: Outline) -> Mapping[Source, Counterpart]:
        """Counterparts of everything in an edition in another."""
        pair = _address(outline), _address(other)
        if pair not in self._found:
            self._found[pair] = self._matched(outline, other)
        return self._found[pair]

    def _matched(self, outline: Outline, other: Outline) -> dict[Source, Counterpart]:
        transitions = [self._transition(one, two) for one, two in pairwise(self._way(outline, other))]
        found: dict[Source, Counterpart] = {}
        # A chapter that is gone would stand behind the one before it.
        last: Source | None = next(iter(other.chapters), None)
        for entry in outline.in_order:
            there, sure = _through(entry, transitions)
            if there is None:
                above = found[entry.parent] if entry.parent else Counterpart(None, last)
                found[entry] = Counterpart(None, above.there or above.near, sure)
            else:
                found[entry] = Counterpart(there)
                last = there.chapter if isinstance(there, Entry) else last
        steps = [*([outline.root] if outline.root else []), *outline.every_step()]
        for step in steps:
            there, sure = _through(step, transitions)
            above = found.get(step.around, NOWHERE) if step.around else NOWHERE
            found[step] = Counterpart(there, None if there else above.there or above.near or other.root, sure)
        address = _address(outline)
        others: list[Source] = [*self.shelf.tables[address], *self.shelf.sheets[address]]
        for one in others:
            there, sure = _through(one, transitions)
            found[one] = Counterpart(there, None, sure)
        return found

    def _way(self, outline: Outline, other: Outline) -> list[Outline]:
        """The editions from one to another, both included: along what they follow, else by their line."""
        line = self.line(outline)
        old, new = sorted((outline, other), key=line.index)
        way = list(self._before(new))
        way = way[: way.index(old) + 1][::-1] if old in way else []
        way = way or list(line[line.index(old) : line.index(new) + 1])
        return way if way[0] is outline else way[::-1]

    def _before(self, outline: Outline) -> Iterator[Outline]:
        """An edition, and those that it follows, as far as they are here."""
        seen: list[Outline] = []
        at: Outline | None = outline
        while at and at not in seen:
            seen.append(at)
            yield at
            at = followed(at, self.shelf.outlines)

    def _transition(self, one: Outline, two: Outline) -> Transition:
        pair = _address(one), _address(two)
        if pair not in self._transitions:
            back = pair[::-1]
            if back in self._differences:
                difference = self._differences[back]
            else:
                difference = self._differences.get(pair) or compare(one, two, self.shelf)
                self._differences[pair] = difference
            self._transitions[pair] = self._read(difference, one is difference.old)
        return self._transitions[pair]

    def _read(self, difference: Difference, forwards: bool) -> Transition:
        """Transition from the older edition of a difference to the newer, or back."""
        to: dict[Source, Source] = {}
        unsure: list[Source] = []
        for change in difference.changes:
            ends = (change.old, change.heir) if forwards else (change.new, change.origin)
            here, there = (self._sheets.get(id(one)) if isinstance(one, Aid) else one for one in ends)
            if here and there:
                to[here] = there
            elif here and Kind.ONLY in change.kinds:
                unsure.append(here)
        return Transition(to, frozenset(unsure))


def _through(source: Source, transitions: Iterable[Transition]) -> tuple[Source | None, bool]:
    """Counterpart at the end of several transitions; where there is none, whether that is certain."""
    at = source
    for transition in transitions:
        if at not in transition.to:
            return None, at not in transition.unsure
        at = transition.to[at]
    return at, True


def _address(outline: Outline) -> str:
    return outline.edition.address


def _book(outline: Outline) -> str:
    return outline.edition.address.partition("/")[0]
