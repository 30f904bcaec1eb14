"""Moves of numbers: the rules asked for, everything inside them, clashes, and how numbers are written.

Numbers of rules that a book does not have are moved as well where they lie in one that is: a reference to
12.5c(B) goes along with 12.5, whether the book lists 12.5c(B) or not. What an editor has written in one way,
12.5(a), [10.12]A, a chapter as `12.` or `62`, the end of a run (9.14b and c), is written in that way again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import ceil
from typing import NamedTuple

from rulewright.book.outline import Outline, RuleEntry, build_outline
from rulewright.citations.missing_number_messages import missing_rule_message
from rulewright.numbers import number_rebasing
from rulewright.numbers.numbering_scheme import NumberingScheme, RuleNumber
from rulewright.source.errors import UserError
from rulewright.source.problems import quote_short

MOST_TRIED = 10_000


class NumberStyle(NamedTuple):
    """One way to write whole numbers.

    `example`: after which of the book's examples; or `form`: what stands before and behind a chapter's label.
    `bracket`: the book's square bracket is there. `implied`: the chapter is left out.
    """

    example: int = 0
    form: tuple[str, str] | None = None
    bracket: bool = False
    implied: bool = False


USUAL = NumberStyle()


class NumberWriter:
    """Writes the numbers of a dialect."""

    def __init__(self, dialect: NumberingScheme) -> None:
        self.dialect = dialect

    def style(self, written: str, number: RuleNumber, chapter: str) -> NumberStyle | None:
        """The style of a number, None where it is shortened. `chapter`: that of the text around it."""
        whole = len(number.labels) == 1
        bare = written.strip("[]") if whole else written
        readings = [one for one in self.dialect.readings(bare, chapter) if one.labels == number.labels]
        if whole and (bare == number.labels[0] or any(reading.chapter for reading in readings)):
            before, _, after = written.partition(number.labels[0])
            return NumberStyle(form=(before, after))
        for one in readings:
            return NumberStyle(one.example, bracket="]" in written, implied=one.has_implied_chapter)
        return None

    def write(self, number: RuleNumber, style: NumberStyle = USUAL, chapter: str = "") -> str:
        """A number in a style, as far as it can be written so. `chapter` is that of the text."""
        if len(number.labels) == 1:
            before, after = style.form or ("", "")
            return f"{before}{number.labels[0]}{after}" if style.form else number.key
        implied = style.implied and chapter == number.labels[0] and number.shape == 0
        return self.dialect.write(number, style.example, style.bracket, implied)

    def rewrite_like(
        self, written: str, old: RuleNumber, new: RuleNumber, chapter: str, other: str
    ) -> str | None:
        """Write `new`, in the chapter `other`, as `old` is written; None where that is shortened."""
        if (style := self.style(written, old, chapter)) is None:
            return None
        if self.write(old, style, chapter) == written:
            return self.write(new, style, other)
        bare = self._substituted(written, old.labels, new.labels) if old.shape == new.shape else None
        return self.write(new, style, other) if bare is None or style.implied else bare

    def rename_like(
        self, written: str, old: RuleNumber, new: RuleNumber, chapter: str, other: str = ""
    ) -> str:
        """Write `new` the way that `old` is written, or as usual where that is shortened."""
        return self.rewrite_like(written, old, new, chapter, other) or self.write(new)

    def shorten_after(
        self, written: str, old: RuleNumber, new: RuleNumber, before: RuleNumber | None
    ) -> str | None:
        """Write the end of a new number behind a run's last one, now `before`; None where that cannot be."""
        for count in range(1, len(old.labels)):
            kept = len(new.labels) - count
            words = self._substituted(written, old.labels[-count:], new.labels[-count:])
            if words is not None:
                same = before is not None and len(new.labels) == len(old.labels) and new.shape == old.shape
                return words if same and before and new.labels[:kept] == before.labels[:kept] else None
        return None

    @staticmethod
    def _substituted(written: str, old: Sequence[str], new: Sequence[str]) -> str | None:
        """Words in which labels are replaced one by one; None where they hold other labels."""
        m = re.fullmatch(r"([\W_]*)" + r"([\W_]*)".join(map(re.escape, old)) + r"([\W_]*)", written)
        if not m or len(old) != len(new):
            return None
        return "".join(f"{sign}{label}" for sign, label in zip(m.groups(), [*new, ""], strict=True))


@dataclass(frozen=True, eq=False)
class RenumberPlan:
    """New numbers of an edition: `roots` are those that are asked for, by old key."""

    outline: Outline
    roots: Mapping[str, tuple[RuleNumber, RuleNumber]]
    _known: dict[str, RuleNumber | None] = field(default_factory=dict)

    def new_number(self, number: RuleNumber) -> RuleNumber:
        """The new number of a number; itself where it stays."""
        return self.moved_number(number) or number

    def moved_number(self, number: RuleNumber) -> RuleNumber | None:
        """The new number of one that is moved; None where it stays, or can be no number where it would go."""
        if number.key not in self._known:
            dialect, found = self.outline.edition.dialect, None
            around = (one.key for one in (number, *dialect.ancestors(number)) if one.key in self.roots)
            if root := next(around, ""):
                old, new = self.roots[root]
                depth = len(old.labels)
                if number.labels[:depth] == old.labels:
                    found = (
                        number_rebasing.rebase_number(dialect, new, number, depth)
                        if len(number.labels) > depth
                        else new
                    )
            self._known[number.key] = found
        return self._known[number.key]

    def new_display_number(self, entry: RuleEntry) -> str:
        """The number that a rule will have, as it will be printed."""
        new = self.new_number(entry.number)
        words = NumberWriter(self.outline.edition.dialect).rewrite_like(
            entry.display_number, entry.number, new, "", ""
        )
        return words or new.key

    @cached_property
    def entries(self) -> dict[str, RuleNumber]:
        return {
            key: new
            for key, entry in self.outline.entries.items()
            if (new := self.moved_number(entry.number))
        }

    @cached_property
    def unchanged_entries(self) -> set[str]:
        return set(self.outline.entries).difference(self.entries)

    @cached_property
    def numbers_after(self) -> set[str]:
        return {*self.unchanged_entries, *(new.key for new in self.entries.values())}

    @property
    def inverse(self) -> list[tuple[str, str]]:
        """The pairs that undo this."""
        return [(new.key, old.key) for old, new in self.roots.values()]


def plan_moves(outline: Outline, pairs: Sequence[tuple[str, str]]) -> RenumberPlan:
    """The moves that pairs of numbers, as someone writes them, ask for. Raises Refusal."""
    roots: dict[str, tuple[RuleNumber, RuleNumber]] = {}
    for old, new in pairs:
        entry, target = require_rule(outline, old), require_number(outline, new)
        if entry.key in roots:
            raise UserError(f"{entry.key} is to become {roots[entry.key][1].key} already")
        if entry.key == target.key:
            raise UserError(f"{entry.display_number} is {target.key} already")
        if (len(entry.number.labels) == 1) != (len(target.labels) == 1):
            levels = ("chapter", "rule in one") if len(entry.number.labels) == 1 else ("rule", "chapter")
            raise UserError(
                f"{entry.display_number} is a {levels[0]} and cannot become {target.key}, a {levels[1]}"
            )
        roots[entry.key] = entry.number, target
    for number, target in roots.values():
        around = {one.key for one in outline.edition.dialect.ancestors(number)}
        if target.key in roots and target.key in around:
            raise UserError(f"{number.key} lies in {target.key}, so the two cannot change places")
    moves = RenumberPlan(outline, roots)
    if clash := next(_clashes(moves), None):
        raise UserError(clash)
    return moves


def require_rule(outline: Outline, written: str) -> RuleEntry:
    """The rule of a number as someone writes it. Raises Refusal where there is none, with the nearest."""
    number = require_number(outline, written)
    if entry := outline.entries.get(number.key):
        return entry
    series = [
        build_outline(member) for member in outline.edition.with_series if member is not outline.edition
    ]
    raise UserError(missing_rule_message(number, [outline, *series]))


def require_number(outline: Outline, written: str) -> RuleNumber:
    """A number as someone writes it. Raises Refusal where it is none of the book's dialect."""
    if number := outline.edition.dialect.parse_number(written.strip(), outline.default_chapter):
        return number
    like = outline.edition.book.numbers[0]
    raise UserError(f"{quote_short(written)} is no number as this book writes them, like {like}")


def _clashes(moves: RenumberPlan) -> Iterator[str]:
    """The reasons why moves are impossible, each with a way round it."""
    yield from _homeless(moves)
    outline = moves.outline
    come: dict[str, str] = {}
    holds = {
        above.key: other
        for other in moves.unchanged_entries
        for above in outline.edition.dialect.ancestors(outline.entries[other].number)
        if above.key not in outline.entries
    }
    for old, new in moves.roots.values():
        for entry in outline.entries[old.key].iter_subtree():
            target = moves.entries.get(entry.key)
            if target is None and entry.number.labels[: len(old.labels)] == old.labels:
                like = ", ".join(outline.edition.book.numbers)
                yield f"{entry.display_number} can be no rule in {new.key}; this book writes {like}"
    for key, target in moves.entries.items():
        if target.key in moves.unchanged_entries:
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


def _homeless(moves: RenumberPlan) -> Iterator[str]:
    dialect = moves.outline.edition.dialect
    after, known = moves.numbers_after, moves.outline.edition.known
    # Rules of a book that does not list everything may lie in rules that it does not list.
    strays = known is None or known.lists != "everything"
    for old, new in moves.roots.values():
        above = dialect.parent(new)
        if above is None or above.key in after:
            continue
        if old.key in (above.key, *(number.key for number in dialect.ancestors(above))):
            yield f"{new.key} would lie in {above.key}, which is what is moved"
        near = next((number.key for number in dialect.ancestors(new) if number.key in after), None)
        if near is None or not strays:
            yield f"{new.key} would lie in {above.key}, and there is none; renumber into a rule that is there"


def _free(moves: RenumberPlan, number: RuleNumber) -> str:
    """The nearest number beside one that no rule has."""
    dialect = moves.outline.edition.dialect
    for count in range(start := int(number.ordinals[-1]) + 1, start + MOST_TRIED):
        beside = dialect.sibling(number, count)
        if beside is None:
            return ""
        if beside.key not in moves.numbers_after and beside.key not in moves.outline.entries:
            return f"{beside.key} is the next that is free; "
    return ""


def suffixed_number(outline: Outline, entry: RuleEntry) -> RuleNumber:
    """The number of a new rule right behind a rule and those that were put there before it: 5.1B.

    Raises Refusal where the book has no suffix for it.
    """
    dialect = outline.edition.dialect
    start, step = entry.number.ordinals[-1], dialect.distance_to_next(entry.number, with_suffix=True)
    if not step:
        words = "say in rulebook.yml what a number may have behind it, such as suffixes: A"
        raise UserError(f"this book declares no suffix, so that nothing stands beside {entry.key}; {words}")
    row = entry.parent.children if entry.parent else outline.chapters
    beside = [rule.number for rule in row if number_rebasing.are_siblings(rule.number, entry.number)]
    taken = [number for number in beside if start < number.ordinals[-1] < int(start) + 1]
    last = max(taken, key=lambda one: one.ordinals, default=entry.number)
    if taken and start % 1:
        raise UserError(
            f"{last.key} stands behind {entry.key}, so that nothing fits between; name {last.key}"
        )
    number = dialect.sibling(entry.number, last.ordinals[-1] + step)
    if number is None:
        raise UserError(f"no suffix of this book is left behind {entry.key}; declare more in rulebook.yml")
    return number


def plan_insertion(outline: Outline, number: RuleNumber) -> RenumberPlan:
    """The moves that make room for a number: it and all that follow it in its rule go up by one."""
    dialect = outline.edition.dialect
    above = dialect.parent(number)
    row: Iterable[RuleEntry] = outline.chapters if above is None else ()
    if above is not None and above.key in outline.entries:
        row = outline.entries[above.key].children
    beside = [entry.number for entry in row if number_rebasing.are_siblings(entry.number, number)]
    count, step = number.ordinals[-1], dialect.distance_to_next(number)
    counts = [number.ordinals[-1] for number in beside if step == 1 or number.ordinals[-1] < ceil(count)]
    roots = {}
    if number.key in outline.entries:
        several = int((max(counts, default=count) - count) / step) + 1
        every = [dialect.sibling(number, count + at * step) for at in range(several)]
        suffixed = (number for number in beside if number.ordinals[-1] > count and number.ordinals[-1] % 1)
        for old in (*every, *(suffixed if step == 1 else ())):
            new = old and dialect.sibling(old, old.ordinals[-1] + step)
            if old is None or new is None:
                behind = old.key if old else number.key
                message = (
                    f"no number of this book comes behind {behind}, so there is no room for {number.key}"
                )
                raise UserError(message)
            roots[old.key] = old, new
    moves = RenumberPlan(outline, roots)
    for target in moves.entries.values():
        if target.key in moves.unchanged_entries:
            raise UserError(f"{target.key} is there already, elsewhere than its number says; mend that first")
    return moves


def shifted(outline: Outline, entry: RuleEntry, target: RuleNumber) -> Sequence[tuple[str, str]]:
    """The pairs that put a rule in at a number: those behind go up by one, those behind its old place down.

    Raises Refusal where its old row or the new one is not a plain row of numbers.
    """
    old = _row(outline, entry.number)
    new = _row(outline, target)
    numbers = [rule.number for rule in new]
    if entry in new:
        if target.key not in {number.key for number in numbers}:
            raise UserError(
                f"{target.key} is no number of that row, so that nothing has to make room; leave --shift out"
            )
        order = [rule for rule in new if rule is not entry]
        order.insert(next(at for at, number in enumerate(numbers) if number.key == target.key), entry)
        pairs = list(zip(order, numbers, strict=True))
    else:
        at = next((at for at, number in enumerate(numbers) if number.key == target.key), len(numbers))
        step = outline.edition.dialect.distance_to_next(target)
        ups = [
            (rule, outline.edition.dialect.sibling(rule.number, rule.number.ordinals[-1] + step))
            for rule in new[at:]
        ]
        if any(number is None for _, number in ups):
            raise UserError(f"no number of this book is left behind {numbers[-1].key}")
        place = old.index(entry)
        downs = zip(old[place + 1 :], (rule.number for rule in old[place:]), strict=False)
        pairs = [(entry, target), *((rule, number) for rule, number in ups if number), *downs]
    return [(rule.key, number.key) for rule, number in pairs if rule.key != number.key]


def _row(outline: Outline, number: RuleNumber) -> list[RuleEntry]:
    """The rules of one form in the rule around a number."""
    above = outline.edition.dialect.parent(number)
    if above is not None and above.key not in outline.entries:
        raise UserError(f"{number.key} would lie in {above.key}, and there is none")
    row = outline.entries[above.key].children if above else outline.chapters
    return [rule for rule in row if number_rebasing.are_siblings(rule.number, number)]
