"""Which number becomes which: what is asked for, everything inside of it, and why it cannot be.

Numbers of rules that a book does not have are moved as well where they lie in one that is: a reference to
12.5c(B) goes along with 12.5, whether the book lists 12.5c(B) or not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from rulewright.book.outline import Entry, Outline, arrange
from rulewright.citations.resolving import missing
from rulewright.edit.spelling import Speller
from rulewright.numbers import items
from rulewright.numbers.dialect import Number
from rulewright.source.problems import shown
from rulewright.source.refusal import Refusal

MOST_TRIED = 10_000


@dataclass(frozen=True, eq=False)
class Moves:
    """What becomes of the numbers of an edition: `roots` are those that are asked for, by old key."""

    outline: Outline
    roots: Mapping[str, tuple[Number, Number]]
    _known: dict[str, Number | None] = field(default_factory=dict)

    def of(self, number: Number) -> Number:
        """What becomes of a number; itself where it stays."""
        return self.moved(number) or number

    def moved(self, number: Number) -> Number | None:
        """The new number of one that is moved; None where it stays, or can be no number where it would go."""
        if number.key not in self._known:
            self._known[number.key] = self._moved(number)
        return self._known[number.key]

    def _moved(self, number: Number) -> Number | None:
        dialect = self.outline.edition.dialect
        for above in (number, *dialect.ancestors(number)):
            if above.key in self.roots:
                old, new = self.roots[above.key]
                depth = len(old.labels)
                if number.labels[:depth] != old.labels:
                    return None
                return items.inside(dialect, new, number, depth) if len(number.labels) > depth else new
        return None

    def shown(self, entry: Entry) -> str:
        """The number that a rule will have, as it will be printed."""
        new = self.of(entry.number)
        words = Speller(self.outline.edition.dialect).rewritten(entry.shown, entry.number, new, "", "")
        return words or new.key

    @cached_property
    def entries(self) -> dict[str, Number]:
        """The new number of each rule that is moved, by its old key."""
        return {key: new for key, entry in self.outline.entries.items() if (new := self.moved(entry.number))}

    @cached_property
    def staying(self) -> set[str]:
        """The keys of the rules that are not moved."""
        return set(self.outline.entries).difference(self.entries)

    @property
    def back(self) -> list[tuple[str, str]]:
        """The pairs that undo this."""
        return [(new.key, old.key) for old, new in self.roots.values()]


def planned(outline: Outline, pairs: Sequence[tuple[str, str]]) -> Moves:
    """The moves that pairs of numbers, as someone writes them, ask for. Raises Refusal."""
    roots: dict[str, tuple[Number, Number]] = {}
    for old, new in pairs:
        entry, target = found(outline, old), number_of(outline, new)
        if entry.key in roots:
            raise Refusal(f"{entry.key} is to become {roots[entry.key][1].key} already")
        if entry.key == target.key:
            raise Refusal(f"{entry.shown} is {target.key} already")
        if (len(entry.number.labels) == 1) != (len(target.labels) == 1):
            levels = ("chapter", "rule in one") if len(entry.number.labels) == 1 else ("rule", "chapter")
            raise Refusal(f"{entry.shown} is a {levels[0]} and cannot become {target.key}, a {levels[1]}")
        roots[entry.key] = entry.number, target
    for number, target in roots.values():
        around = {one.key for one in outline.edition.dialect.ancestors(number)}
        if target.key in roots and target.key in around:
            raise Refusal(f"{number.key} lies in {target.key}, so the two cannot change places")
    moves = Moves(outline, roots)
    if clash := next(_clashes(moves), None):
        raise Refusal(clash)
    return moves


def found(outline: Outline, written: str) -> Entry:
    """The rule of a number as someone writes it. Raises Refusal where there is none, with the nearest."""
    number = number_of(outline, written)
    if entry := outline.entries.get(number.key):
        return entry
    series = [arrange(one) for one in outline.edition.around if one is not outline.edition]
    raise Refusal(missing(number, [outline, *series]))


def number_of(outline: Outline, written: str) -> Number:
    """A number as someone writes it. Raises Refusal where it is none of the book's dialect."""
    if number := outline.edition.dialect.parse(written.strip(), outline.home):
        return number
    like = outline.edition.book.numbers[0]
    raise Refusal(f"{shown(written)} is no number as this book writes them, like {like}")


def _clashes(moves: Moves) -> Iterator[str]:
    """What stands in the way, said so that the way round it is plain."""
    yield from _homeless(moves)
    outline = moves.outline
    come: dict[str, str] = {}
    holds = {
        above.key: other
        for other in moves.staying
        for above in outline.edition.dialect.ancestors(outline.entries[other].number)
        if above.key not in outline.entries
    }
    for old, new in moves.roots.values():
        for entry in outline.entries[old.key].walk():
            target = moves.entries.get(entry.key)
            if target is None and entry.number.labels[: len(old.labels)] == old.labels:
                yield f"{entry.shown} can be no rule in {new.key}; this book writes {_like(outline)}"
    for key, target in moves.entries.items():
        if target.key in moves.staying:
            taken = outline.entries[target.key]
            address = outline.edition.address
            yield (
                f"{target.key} is there already{f' ({taken.title})' if taken.title else ''}; "
                f"{_free(moves, target)}`rulewright insert {address} {target.key}` makes room"
            )
        if target.key in holds:
            other = holds[target.key]
            yield f"{other} is there already and would come to lie in {target.key}; renumber it first"
        if target.key in come:
            yield f"{come[target.key]} and {key} cannot both become {target.key}"
        come[target.key] = key


def _homeless(moves: Moves) -> Iterator[str]:
    """Numbers that would lie in no rule."""
    dialect = moves.outline.edition.dialect
    after = {*moves.staying, *(new.key for new in moves.entries.values())}
    for old, new in moves.roots.values():
        above = dialect.parent(new)
        if above is None or above.key in after:
            continue
        if old.key in (above.key, *(one.key for one in dialect.ancestors(above))):
            yield f"{new.key} would lie in {above.key}, which is what is moved"
        near = next((one.key for one in dialect.ancestors(new) if one.key in after), None)
        if near is None or not _has_strays(moves.outline):
            yield f"{new.key} would lie in {above.key}, and there is none; renumber into a rule that is there"


def _has_strays(outline: Outline) -> bool:
    """Whether rules of a book lie in rules that it does not list."""
    known = outline.edition.known
    return known is None or known.lists != "everything"


def _like(outline: Outline) -> str:
    return ", ".join(outline.edition.book.numbers)


def _free(moves: Moves, number: Number) -> str:
    """The nearest number beside one that no rule has."""
    dialect = moves.outline.edition.dialect
    after = {*moves.staying, *(new.key for new in moves.entries.values())}
    for count in range(number.ordinals[-1] + 1, number.ordinals[-1] + MOST_TRIED):
        beside = dialect.sibling(number, count)
        if beside is None:
            return ""
        if beside.key not in after and beside.key not in moves.outline.entries:
            return f"{beside.key} is the next that is free; "
    return ""


def room_for(outline: Outline, number: Number) -> Moves:
    """The moves that make room for a number: it and all that follow it in its rule go up by one."""
    dialect = outline.edition.dialect
    above = dialect.parent(number)
    row: Iterable[Entry] = outline.chapters if above is None else ()
    if above is not None and above.key in outline.entries:
        row = outline.entries[above.key].children
    counts = [entry.number.ordinals[-1] for entry in row if items.beside(entry.number, number)]
    roots = {}
    if number.key in outline.entries:
        for count in range(number.ordinals[-1], max(counts, default=number.ordinals[-1]) + 1):
            old, new = dialect.sibling(number, count), dialect.sibling(number, count + 1)
            if old is None or new is None:
                last = dialect.sibling(number, count)
                raise Refusal(
                    f"no number of this book comes behind {last.key if last else number.key}, "
                    f"so there is no room for {number.key}"
                )
            roots[old.key] = old, new
    moves = Moves(outline, roots)
    if clash := next(_clashes_inside(moves), None):
        raise Refusal(clash)
    return moves


def _clashes_inside(moves: Moves) -> Iterator[str]:
    """Numbers that would be taken twice by making room."""
    for target in moves.entries.values():
        if target.key in moves.staying:
            yield f"{target.key} is there already, elsewhere than its number says; mend that first"
