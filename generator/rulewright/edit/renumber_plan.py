"""Plan a renumbering: new numbers of rules and their descendants, conflicts, and ways to write numbers.

A number inside a moved rule moves too, even if the book does not list it: 12.5c(B) follows 12.5. A new number
is written like the old one: 12.5(a), [10.12]A, a chapter as `12.` or `62`, the last number of a list (9.14b
and c).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from math import ceil
from typing import NamedTuple

from rulewright.book.lock_file import RecordedRule
from rulewright.book.outline import Outline, RuleEntry, build_outline
from rulewright.files.errors import UserError
from rulewright.files.problems import quote_short
from rulewright.numbering import number_rebasing
from rulewright.numbering.numbering_scheme import NumberingScheme, RuleNumber
from rulewright.references.missing_number_messages import missing_rule_message
from rulewright.references.reference_inventory import LockFolder


class NumberStyle(NamedTuple):
    """Way to write complete numbers."""

    example: int = 0  # index of the book's numbering example that it follows
    chapter_affixes: tuple[str, str] | None = None  # text before and after the label of a chapter
    bracket: bool = False  # whether the square brackets of the book are written
    implied: bool = False  # whether the chapter is omitted


USUAL = NumberStyle()


class NumberWriter:
    """Writer of numbers in a numbering scheme."""

    def __init__(self, dialect: NumberingScheme) -> None:
        self.dialect = dialect

    def style(self, number_text: str, number: RuleNumber, chapter: str) -> NumberStyle | None:
        """Return how a number is written in a text of a chapter, or None if it is shortened."""
        is_chapter = len(number.labels) == 1
        plain_text = number_text.strip("[]") if is_chapter else number_text
        readings = [
            reading
            for reading in self.dialect.readings(plain_text, chapter)
            if reading.labels == number.labels
        ]
        if is_chapter and (plain_text == number.labels[0] or any(reading.chapter for reading in readings)):
            before, _, after = number_text.partition(number.labels[0])
            return NumberStyle(chapter_affixes=(before, after))
        for reading in readings:
            return NumberStyle(
                reading.example, bracket="]" in number_text, implied=reading.has_implied_chapter
            )
        return None

    def write(self, number: RuleNumber, style: NumberStyle = USUAL, chapter: str = "") -> str:
        """Write a number in a style, as far as possible, in a text of a chapter."""
        if len(number.labels) == 1:
            return number.labels[0].join(style.chapter_affixes) if style.chapter_affixes else number.key
        implied = style.implied and chapter == number.labels[0] and number.shape == 0
        return self.dialect.write(number, style.example, style.bracket, implied)

    def rewrite_like(
        self, number_text: str, old: RuleNumber, new: RuleNumber, chapter: str, new_chapter: str
    ) -> str | None:
        """Write `new` like `old`, in a text of `new_chapter`; return None if `old` is shortened."""
        if (style := self.style(number_text, old, chapter)) is None:
            return None
        return self.write(new, style, new_chapter)

    def rename_like(
        self, number_text: str, old: RuleNumber, new: RuleNumber, chapter: str, new_chapter: str = ""
    ) -> str:
        """Write `new` like `old`, or in the default style if `old` is shortened."""
        return self.rewrite_like(number_text, old, new, chapter, new_chapter) or self.write(new)

    @staticmethod
    def replace_last_labels(number_text: str, old: RuleNumber, new: RuleNumber) -> str:
        """Replace the last labels in a shortened number; return an empty string if it has others."""
        for count in range(1, len(old.labels)):
            labels = ["", *map(re.escape, old.labels[-count:]), ""]
            match = re.fullmatch(r"([\W_]*)".join(labels), number_text)
            if match and len(new.labels) > count:
                new_labels = [*new.labels[-count:], ""]
                return "".join(sign + label for sign, label in zip(match.groups(), new_labels, strict=True))
        return ""


@dataclass(frozen=True, eq=False)
class RenumberPlan:
    """New numbers of the rules of an edition."""

    outline: Outline
    # Old and new numbers of the rules to move, without their descendants, by old key.
    roots: Mapping[str, tuple[RuleNumber, RuleNumber]]
    inserted: str = ""  # number of a new rule
    _cache: dict[str, RuleNumber | None] = field(default_factory=dict)

    def new_number(self, number: RuleNumber) -> RuleNumber:
        """Return the new number, or the same one if it does not move."""
        return self.moved_number(number) or number

    def moved_number(self, number: RuleNumber) -> RuleNumber | None:
        """Return the new number; None if the number does not move or is not valid in its new rule."""
        if number.key not in self._cache:
            dialect, moved = self.outline.edition.dialect, None
            keys = (ancestor.key for ancestor in (number, *dialect.ancestors(number)))
            if root := next((key for key in keys if key in self.roots), ""):
                old, new = self.roots[root]
                depth = len(old.labels)
                if number.labels[:depth] == old.labels:
                    moved = new
                    if len(number.labels) > depth:
                        moved = number_rebasing.rebase_number(dialect, new, number, depth)
            self._cache[number.key] = moved
        return self._cache[number.key]

    def recorded_number(self, folder: LockFolder, record: RecordedRule) -> str:
        """Return the new number of a record in the lock of a folder."""
        edition = self.outline.edition
        number = edition.dialect.parse_number(record.key)
        if record.address(folder) != edition.address or not number or number.key != record.key:
            return record.number
        return record.number.removesuffix(record.key) + self.new_number(number).key

    def new_display_number(self, entry: RuleEntry) -> str:
        """Return the new number of a rule as it will be printed."""
        new, writer = self.new_number(entry.number), NumberWriter(self.outline.edition.dialect)
        return writer.rename_like(entry.display_number, entry.number, new, "")

    @cached_property
    def entries(self) -> dict[str, RuleNumber]:
        """New numbers of all moved rules by old key."""
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
        moved = (new.key for new in self.entries.values())
        return {self.inserted, *self.unchanged_entries, *moved}

    def frees_number(self, key: str) -> bool:
        """Return whether the number of a moved rule, or of a rule in it, belongs to no rule any more."""
        return any(rule.key not in self.numbers_after for rule in self.outline.entries[key].iter_subtree())


def plan_moves(outline: Outline, pairs: Sequence[tuple[str, str]]) -> RenumberPlan:
    """Plan the moves of rules from pairs of old and new numbers. Raises UserError."""
    roots: dict[str, tuple[RuleNumber, RuleNumber]] = {}
    for old, new in pairs:
        entry, target = require_rule(outline, old), require_number(outline, new)
        if entry.key in roots:
            raise UserError(f"{entry.key} is already to become {roots[entry.key][1].key}")
        if entry.key == target.key:
            raise UserError(f"{entry.display_number} is already {target.key}")
        if (len(entry.number.labels) == 1) != (len(target.labels) == 1):
            is_chapter = len(target.labels) == 1
            raise UserError(
                f"{entry.display_number} is a {'rule' if is_chapter else 'chapter'} and cannot become "
                f"{target.key}, a {'chapter' if is_chapter else 'rule in a chapter'}"
            )
        roots[entry.key] = entry.number, target
    for number, target in roots.values():
        ancestors = {ancestor.key for ancestor in outline.edition.dialect.ancestors(number)}
        if target.key in roots and target.key in ancestors:
            raise UserError(f"{number.key} is in {target.key}, so they cannot be exchanged")
    moves = RenumberPlan(outline, roots)
    if clash := next(_clashes(moves), None):
        raise UserError(clash)
    return moves


def require_rule(outline: Outline, number_text: str) -> RuleEntry:
    """Return the rule with a number. Raises UserError, naming the nearest rule, if there is none."""
    number = require_number(outline, number_text)
    if entry := outline.entries.get(number.key):
        return entry
    series = [
        build_outline(member) for member in outline.edition.with_series if member is not outline.edition
    ]
    raise UserError(missing_rule_message(number, [outline, *series]))


def require_number(outline: Outline, number_text: str) -> RuleNumber:
    """Parse a number. Raises UserError if the book has no such numbers."""
    if number := outline.edition.dialect.parse_number(number_text.strip(), outline.default_chapter):
        return number
    example = outline.edition.book.numbers[0]
    raise UserError(f"{quote_short(number_text)} is no number as this book writes them, like {example}")


def _clashes(moves: RenumberPlan) -> Iterator[str]:
    """Yield the conflicts of a plan, with cures."""
    yield from _missing_parents(moves)
    outline = moves.outline
    old_keys: dict[str, str] = {}
    for old, new in moves.roots.values():
        for entry in outline.entries[old.key].iter_subtree():
            target = moves.entries.get(entry.key)
            if target is None and entry.number.labels[: len(old.labels)] == old.labels:
                examples = ", ".join(outline.edition.book.numbers)
                yield f"{entry.display_number} cannot be a rule in {new.key}; this book writes {examples}"
    for key, target in moves.entries.items():
        if target.key in moves.unchanged_entries:
            title = outline.entries[target.key].title
            yield (
                f"{target.key} already exists{f' ({title})' if title else ''}; "
                f"`rulewright insert {outline.edition.address} {target.key}` makes room"
            )
        if target.key in old_keys:
            yield f"{old_keys[target.key]} and {key} cannot both become {target.key}"
        old_keys[target.key] = key


def _missing_parents(moves: RenumberPlan) -> Iterator[str]:
    dialect, after = moves.outline.edition.dialect, moves.numbers_after
    known = moves.outline.edition.known
    # A book that does not list everything may have rules in unlisted rules.
    may_be_unlisted = known is None or known.lists != "everything"
    for old, new in moves.roots.values():
        above = [number.key for number in dialect.ancestors(new)]
        is_unlisted = may_be_unlisted and old.key not in above and not after.isdisjoint(above)
        if not above or above[0] in after or is_unlisted:
            continue
        yield f"{new.key} would be in {above[0]}, which does not exist; renumber into an existing rule"


def plan_insertion(outline: Outline, number: RuleNumber) -> RenumberPlan:
    """Plan the moves that free a number: its rule and all later siblings move up by one."""
    dialect = outline.edition.dialect
    step = dialect.distance_to_next(number)
    later = [rule.number for rule in siblings(outline, number) if rule.number.ordinals >= number.ordinals]
    if step != 1:  # among rules with a suffix
        later = [other for other in later if other.ordinals[-1] < ceil(number.ordinals[-1])]
    roots = {}
    if number.key in outline.entries:
        last = max((other.ordinals[-1] for other in later), default=0)
        # Texts may cite numbers between them that the book does not list.
        count = int((last - number.ordinals[-1]) / step) + 1
        numbers = [dialect.sibling(number, number.ordinals[-1] + index * step) for index in range(count)]
        for old in (*numbers, *(other for other in later if step == 1 and other.ordinals[-1] % 1)):
            new = old and dialect.sibling(old, old.ordinals[-1] + step)
            if old is None or new is None:
                raise UserError(
                    f"this book has no number after {later[-1].key} for {number.key} to be inserted"
                )
            roots[old.key] = old, new
    moves = RenumberPlan(outline, roots, number.key)
    for key in (number.key, *(target.key for target in moves.entries.values())):
        if key in moves.unchanged_entries:
            raise UserError(f"{key} already exists, out of place; move it to its place first")
    return moves


def plan_shift(outline: Outline, entry: RuleEntry, target: RuleNumber) -> Sequence[tuple[str, str]]:
    """Return the pairs of numbers that insert a rule at a number and close the gap that it leaves.

    Raises:
        UserError: There is no rule to make room, or no number is left.
    """
    rules = siblings(outline, target)
    if entry not in rules:
        moved_up = plan_insertion(outline, target).roots.values()
        pairs = [(old.key, new.key) for old, new in moved_up if old.key in outline.entries]
        return [(entry.key, target.key), *pairs, *pairs_without(outline, entry)]
    numbers = [rule.key for rule in rules]
    if target.key not in numbers:
        raise UserError(f"{target.key} is free, so no rule has to make room; omit --shift")
    order = [number for number in numbers if number != entry.key]
    order.insert(numbers.index(target.key), entry.key)
    return [pair for pair in zip(order, numbers, strict=True) if pair[0] != pair[1]]


def pairs_without(outline: Outline, entry: RuleEntry) -> list[tuple[str, str]]:
    """Return the pairs of numbers that close the gap which a rule leaves among its siblings."""
    rules = siblings(outline, entry.number)
    return [(rule.key, previous.key) for previous, rule in pairwise(rules[rules.index(entry) :])]


def siblings(outline: Outline, number: RuleNumber) -> list[RuleEntry]:
    """Return the rules of the same form in the parent of a number."""
    parent = outline.edition.dialect.parent(number)
    rules = outline.chapters
    if parent is not None:
        rules = outline.entries[parent.key].children if parent.key in outline.entries else []
    return [rule for rule in rules if number_rebasing.are_siblings(rule.number, number)]
