"""Rules whose numbers have moved, put where their new numbers belong: in chapters and among known numbers.

An entry that stands right already stays, so that moving one rule never rearranges others.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, MutableMapping, Sequence

from rulewright.book.outline import Entry
from rulewright.edit.moves import Moves
from rulewright.edit.rows import (
    Row,
    formers,
    gap_behind,
    put_first,
    put_in,
    reordered,
    rows_in,
    rules_in,
    taken_out,
    tree_of,
    with_former,
    without_former,
)
from rulewright.numbers.dialect import Number
from rulewright.source.edits import applied
from rulewright.source.refusal import Refusal
from rulewright.source.text import Items, Keys, Text


class Placing:
    """The files of an edition, their numbers moved, while their entries are put in order."""

    def __init__(self, texts: MutableMapping[str, str], moves: Moves) -> None:
        edition = moves.outline.edition
        self.texts, self.moves, self.dialect = texts, moves, edition.dialect
        self.chapters = [chapter.number.file.name for chapter in edition.chapters]
        self.list = edition.known.known[0].number.file.name if edition.known else ""
        self._rows: dict[str, tuple[str, list[Row]]] = {}
        self._left: defaultdict[str, list[str]] = defaultdict(list)
        """By the rule around a list, what parted entries that were taken out of it from the next."""

    def rows(self, name: str) -> list[Row]:
        """The numbered entries of a file as it is now."""
        text = self.texts[name]
        if name not in self._rows or self._rows[name][0] != text:
            root = tree_of(name, text)
            found = rows_in(listed(root), self.dialect) if name == self.list else rules_in(root, self.dialect)
            self._rows[name] = text, list(found)
        return self._rows[name][1]

    def rule(self, key: str) -> Row | None:
        """The transcribed rule of a number."""
        found = (row for name in self.chapters for row in self.rows(name) if row.number.key == key)
        return next(found, None)

    def place(self) -> None:
        """Put each rule that has moved where its new number belongs. Raises Refusal where it has no place.

        The lowest comes first. Where those stand that are still to come says nothing.
        """
        roots = sorted(self.moves.roots.values(), key=lambda pair: pair[1].ordinals)
        moved = [new for old, new in roots if old.key in self.moves.outline.entries]
        texts = {old.key: self.moves.outline.entries.get(old.key) for old, _ in roots}
        for old, new in roots:
            entry = texts[old.key]
            if entry and len(new.labels) > 1 and any(inner.rule for inner in entry.walk()):
                self._place_rule(new, {other.key for other in moved[moved.index(new) :]})
        if self.list and moved:
            self._place_listed(moved)

    def _place_rule(self, new: Number, waiting: set[str]) -> None:
        """Put a rule where it belongs among those that do not wait for their own place."""
        row = self.rule(new.key)
        if row is None or row.row is None or row.inside is None:
            return
        above = next(filter(None, (self.rule(n.key) for n in self.dialect.ancestors(new))), None)
        if above is None:
            message = "is not transcribed, so that there is no place for the text; transcribe it first"
            parent = self.dialect.parent(new)
            raise Refusal(f"{parent.key if parent else new.key} {message}")
        if above is row.inside:
            others = [one for one in self._siblings(row) if one.number.key not in waiting]
            before, behind = _neighbours(others, new)
            if not (before and before.at > row.at) and not (behind and behind.at < row.at):
                return
            order = [at for at in range(len(row.row.items)) if at != row.at]
            at = order.index(before.at) + 1 if before else order.index(behind.at) if behind else len(order)
            order.insert(at, row.at)
            self.texts[row.keys.file.name] = reordered(row.row, order)
            return
        edit, words, gap, column = taken_out(row)
        self._left[row.inside.number.key].append(gap)
        source, target = row.keys.file.name, above.keys.file.name
        rules = [one for one in self.rows(target) if one.inside is above]
        if rules and rules[0].row:
            before, behind = _neighbours([one for one in rules if one.number.key not in waiting], new)
            end = len(rules[0].row.items)
            at = before.at + 1 if before else behind.at if behind else end
            leaves = (one.at for one in rules if one.at in (at - 1, at) and one.number.key in waiting)
            left = self._left[above.number.key]
            own = gap_behind(rules[0].row, next(leaves, end)) or (left.pop(0) if left else gap)
            into = put_in(rules[0].row, at, words, own, column)
        else:
            into = put_first(above, words, column)
        if source == target:
            self.texts[source] = applied(self.texts[source], (edit, into))
        else:
            self.texts[source] = applied(self.texts[source], [edit])
            self.texts[target] = applied(self.texts[target], [into])

    def _siblings(self, row: Row) -> Iterator[Row]:
        return (one for one in self.rows(row.keys.file.name) if one.row is row.row)

    def _place_listed(self, moved: Sequence[Number]) -> None:
        """Put the rows of numbers, each with those inside it, where they belong among known numbers."""
        rows = self.rows(self.list)
        home = {row.at: self._root(row.number, moved) for row in rows}
        kept = [row for row in rows if home[row.at] is None]
        for new in moved:
            ours = [row for row in rows if home[row.at] is new]
            at = sum(row.at < ours[0].at for row in kept) if ours else 0
            if not ours or not self._is_right(kept, at, new):
                at = self.place_for(kept, new)
            kept[at:at] = ours
        order, items = [row.at for row in kept], rows[0].row if rows else None
        if items and order != sorted(order) and len(order) == len(items.items):
            self.texts[self.list] = reordered(items, order)

    def _root(self, number: Number, moved: Sequence[Number]) -> Number | None:
        """Which of several numbers one is or lies in, the innermost."""
        around = (one for one in moved if self._lies_in(number, one))
        return max(around, key=lambda one: len(one.labels), default=None)

    def _lies_in(self, number: Number, other: Number) -> bool:
        return number.key == other.key or any(n.key == other.key for n in self.dialect.ancestors(number))

    def _ranks(self, others: Sequence[Row], new: Number) -> dict[int, bool]:
        """By place, whether a row is lower than a number, for those that can be compared with it."""
        return {
            at: row.number.ordinals < new.ordinals
            for at, row in enumerate(others)
            if row.number.shape == new.shape or len(row.number.labels) == 1
        }

    def _is_right(self, others: Sequence[Row], at: int, new: Number) -> bool:
        """Whether a number may stand in front of one of other rows: behind a lower, before a higher one."""
        ranks = self._ranks(others, new)
        before = [lower for place, lower in ranks.items() if place < at][-1:]
        behind = [lower for place, lower in ranks.items() if place >= at][:1]
        return all(before) and not any(behind)

    def place_for(self, others: Sequence[Row], new: Number) -> int:
        """In front of which of other rows a number belongs."""
        lower = [at for at, is_lower in self._ranks(others, new).items() if is_lower]
        return lower[-1] + 1 if lower else 0

    def remember(self, entry: Entry, new: Number) -> None:
        """Enter the number that a rule had as its last former one; where it returns to that, take it back."""
        row = self.home_of(entry, new)
        if row is None:
            return
        chapter = new.labels[0]
        had = [number for text in formers(row.keys) if (number := self.dialect.parse(text, chapter))]
        if had and had[-1].key == new.key:
            edit = without_former(row.keys)
        else:
            edit = with_former(row.keys, row.written, entry.shown)
        name = row.keys.file.name
        if edit:
            self.texts[name] = applied(self.texts[name], [edit])

    def home_of(self, entry: Entry, new: Number) -> Row | None:
        """Where a rule is written down: with its text, else in the list, else in its table."""
        if entry.rule:
            return self.rule(new.key)
        if entry.listed:
            return next((row for row in self.rows(self.list) if row.number.key == new.key), None)
        for table in self.moves.outline.edition.tables:
            if table.number is entry.printed:
                root = tree_of(table.number.file.name, self.texts[table.number.file.name])
                written = next(value for key, value in root.entries.items() if key == "number")
                return Row(root, written, new) if isinstance(written, Text) else None
        return None


def listed(root: Keys) -> Items | None:
    """The list of known numbers in its file."""
    found = next((value for key, value in root.entries.items() if key == "known"), None)
    return found if isinstance(found, Items) else None


def _neighbours(row: Sequence[Row], new: Number) -> tuple[Row | None, Row | None]:
    """The last entry of a list with a lower number and the first with a higher one, of the same form.

    One whose parent is not transcribed stands among those that are as deep as the parent.
    """
    alike = [one for one in row if one.number.shape == new.shape]
    lower = [one for one in alike if one.number.ordinals < new.ordinals]
    higher = [one for one in alike if one.number.ordinals > new.ordinals]
    return (lower[-1] if lower else None), (higher[0] if higher else None)
