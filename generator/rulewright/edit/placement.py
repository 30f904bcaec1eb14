"""Put rules where their numbers belong, in chapters and among known numbers; enter new and retired ones.

An entry that stands right already stays, so that moving one rule never rearranges others.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import MutableMapping, Sequence
from dataclasses import dataclass

from rulewright.book.outline import Entry, Outline
from rulewright.book.sequence import slug
from rulewright.edit.list_entries import (
    ListEntry,
    formers,
    gap_behind,
    put_first,
    put_in,
    reordered,
    rows_in,
    rules_in,
    spans,
    taken_out,
    tree_of,
    with_former,
    with_keys,
    without_former,
)
from rulewright.edit.moves import USUAL, Moves, Speller, Style
from rulewright.model.keys import names_of
from rulewright.model.rulebook import Chapter
from rulewright.model.short import head_written
from rulewright.numbers import items
from rulewright.numbers.dialect import Number
from rulewright.source import writing
from rulewright.source.edits import Edit, applied
from rulewright.source.refusal import Refusal
from rulewright.source.text import Text, value_at


class Placement:
    """The files of an edition, their numbers moved, while their entries are put in order."""

    def __init__(self, texts: MutableMapping[str, str], moves: Moves) -> None:
        edition = moves.outline.edition
        self.texts, self.moves, self.dialect = texts, moves, edition.dialect
        self.chapters = [chapter.number.file.name for chapter in edition.chapters]
        self.list = edition.known.known[0].number.file.name if edition.known else ""
        self._rows: dict[str, tuple[str, list[ListEntry]]] = {}
        self._left: defaultdict[str, list[str]] = defaultdict(list)
        """By the rule around a list, what parted entries that were taken out of it from the next."""

    def change(self, name: str, *edits: Edit) -> None:
        self.texts[name] = applied(self.texts[name], edits)

    def rows(self, name: str) -> list[ListEntry]:
        """The numbered entries of a file as it is now."""
        text = self.texts[name]
        if name not in self._rows or self._rows[name][0] != text:
            root = tree_of(name, text)
            known = value_at(root, "known")
            found = rows_in(known, self.dialect) if name == self.list else rules_in(root, self.dialect)
            self._rows[name] = text, list(found)
        return self._rows[name][1]

    def rule(self, key: str) -> ListEntry | None:
        found = (row for name in self.chapters for row in self.rows(name) if row.number.key == key)
        return next(found, None)

    def place(self) -> None:
        """Put each rule that has moved where its number belongs, the lowest first. Raises Refusal."""
        entries = self.moves.outline.entries
        roots = sorted(self.moves.roots.values(), key=lambda pair: pair[1].ordinals)
        roots = [pair for pair in roots if pair[0].key in entries]
        moved = [new for _, new in roots]
        for at, (old, new) in enumerate(roots):
            if len(new.labels) > 1 and any(inner.rule for inner in entries[old.key].walk()):
                self._place_rule(new, {other.key for other in moved[at:]})
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
        source, target = row.keys.file.name, above.keys.file.name
        rules = [one for one in self.rows(target) if one.inside is above]
        before, behind = _neighbours([one for one in rules if one.number.key not in waiting], new)
        end = len(rules[0].row.items) if rules and rules[0].row else 0
        at = before.at + 1 if before else behind.at if behind else end
        if above is row.inside:
            if (before and before.at > row.at) or (behind and behind.at < row.at):
                order = [*range(at), row.at, *range(at, end)]
                del order[row.at + (row.at >= at)]
                self.texts[source] = reordered(row.row, order)
            return
        edit, words, gap, column = taken_out(row)
        self._left[row.inside.number.key].append(gap)
        if rules and rules[0].row:
            leaves = (one.at for one in rules if one.at in (at - 1, at) and one.number.key in waiting)
            left = self._left[above.number.key]
            own = gap_behind(rules[0].row, next(leaves, end)) or (left.pop(0) if left else gap)
            into = [put_in(rules[0].row, at, words, own, column)]
        else:
            into = put_first(above, words, column)
        for name in dict.fromkeys((source, target)):
            self.change(name, *([edit] if name == source else []), *(into if name == target else []))

    def _place_listed(self, moved: Sequence[Number]) -> None:
        """Put the rows of numbers, each with those inside it, where they belong among known numbers."""
        rows = self.rows(self.list)
        home = {row.at: self._root(row.number, moved) for row in rows}
        kept = [row for row in rows if home[row.at] is None]
        for new in moved:
            ours = [row for row in rows if home[row.at] is new]
            at = sum(row.at < ours[0].at for row in kept) if ours else 0
            ranks = self._ranks(kept, new)
            before = [lower for place, lower in ranks.items() if place < at][-1:]
            behind = [lower for place, lower in ranks.items() if place >= at][:1]
            if not ours or not all(before) or any(behind):  # behind a higher or before a lower one
                at = self.place_for(kept, new)
            kept[at:at] = ours
        order, items = [row.at for row in kept], rows[0].row if rows else None
        if items and order != sorted(order) and len(order) == len(items.items):
            self.texts[self.list] = reordered(items, order)

    def _root(self, number: Number, moved: Sequence[Number]) -> Number | None:
        """Which of several numbers one is or lies in, the innermost."""
        around = {number.key, *(one.key for one in self.dialect.ancestors(number))}
        return max((one for one in moved if one.key in around), key=lambda one: len(one.labels), default=None)

    def _ranks(self, others: Sequence[ListEntry], new: Number) -> dict[int, bool]:
        """By place, whether a row is lower than a number, for those that can be compared with it."""
        return {
            at: row.number.ordinals < new.ordinals
            for at, row in enumerate(others)
            if row.number.shape == new.shape
            or (row.number.family == new.family and len(row.number.labels) == 1)
        }

    def place_for(self, others: Sequence[ListEntry], new: Number) -> int:
        """The index of the row that a number belongs in front of."""
        lower = [at for at, is_lower in self._ranks(others, new).items() if is_lower]
        return lower[-1] + 1 if lower else 0

    def remember(self, entry: Entry, new: Number) -> None:
        """Enter the number that a rule had as its last former one; where it returns to that, take it back."""
        row = self.home_of(entry, new)
        if row is None:
            return
        chapter = new.labels[0]
        had = [number for text in formers(row.keys) if (number := self.dialect.parse(text, chapter))]
        back = bool(had) and had[-1].key == new.key
        edits = without_former(row.keys) if back else with_former(row.keys, row.written, entry.shown)
        self.change(row.keys.file.name, *edits)

    def home_of(self, entry: Entry, new: Number) -> ListEntry | None:
        """Find the entry that a rule is written in: with its text, else in the list, else in its table."""
        if entry.rule:
            return self.rule(new.key)
        if entry.listed:
            return next((row for row in self.rows(self.list) if row.number.key == new.key), None)
        if not any(table.number is entry.printed for table in self.moves.outline.edition.tables):
            return None
        name = entry.printed.file.name
        root = tree_of(name, self.texts[name])
        written = value_at(root, "number")
        return ListEntry(root, written, new) if isinstance(written, Text) else None


def _neighbours(row: Sequence[ListEntry], new: Number) -> tuple[ListEntry | None, ListEntry | None]:
    """The last entry of a list with a lower number and the first with a higher one, of the same form."""
    alike = [one for one in row if one.number.shape == new.shape]
    lower = [one for one in alike if one.number.ordinals < new.ordinals]
    higher = [one for one in alike if one.number.ordinals > new.ordinals]
    return (lower[-1] if lower else None), (higher[0] if higher else None)


_PLAIN = re.compile(r"[A-Za-z][\w' ()/-]*[\w)]")


def check_room(outline: Outline, number: Number) -> None:
    """Raise Refusal where a new rule of a number would lie in none, or in no file."""
    above = outline.edition.dialect.parent(number)
    listed = outline.edition.known is not None
    if above is None:
        return
    parent = outline.entries.get(above.key)
    if parent is None:
        raise Refusal(f"{number.key} would lie in {above.key}, and there is none; insert {above.key} first")
    if not (parent.rule or listed):
        raise Refusal(f"{parent.key} is not transcribed, and there is no known.yml to list {number.key} in")


@dataclass(frozen=True)
class Addition:
    """A new rule: its number, the style in which that is printed, and its title."""

    number: Number
    title: str | None
    speller: Speller
    style: Style

    def entry(self, chapter: str, *, flow: bool, key: str = "number") -> str:
        """An entry of a list, its dash in the first column; its number may leave the chapter out."""
        keys = [f'{key}: "{self.speller.write(self.number, self.style, chapter)}"']
        keys += [f"title: {scalar(self.title)}"] if self.title else []
        return f"- {{{', '.join(keys)}}}" if flow else "- " + "\n  ".join(keys)

    def head(self, chapter: str) -> str:
        number = self.speller.write(self.number, self.style, chapter)
        head, more = head_written(number, self.title, names_of(Chapter))
        below = "".join(f"\n  {key}: {scalar(value)}" for key, value in more.items())
        return f"{writing.scalar(head)}:{below}"

    def __str__(self) -> str:
        number = self.speller.write(self.number, self.style._replace(bracket=False))
        return f"{number} {self.title}" if self.title else number


def addition(outline: Outline, number: Number, written: str, title: str | None) -> Addition:
    """A new rule whose number is printed as the nearest beside it is; where there is none, as `written`."""
    dialect = outline.edition.dialect
    above, speller = dialect.parent(number), Speller(dialect)
    row = outline.entries[above.key].children if above and above.key in outline.entries else outline.chapters
    beside = [one for one in row if items.beside(one.number, number)]
    beside.sort(key=lambda one: abs(one.number.ordinals[-1] - number.ordinals[-1]))
    forms = [(str(one.printed), one.number, number.labels[0]) for one in beside]
    styles = (speller.style(*form) for form in (*forms, (written.strip(), number, outline.home)))
    return Addition(number, title, speller, next(filter(None, styles), USUAL))


def enter(placing: Placement, new: Addition) -> None:
    """Add an empty rule: to its rule's file where that is transcribed, and to the list of known numbers."""
    above = placing.dialect.parent(new.number)
    if above is None:
        _chapter(placing, new)
    elif parent := placing.rule(above.key):
        rules = [row for row in placing.rows(parent.keys.file.name) if row.inside is parent]
        before, behind = _neighbours(rules, new.number)
        at = rules.index(before) + 1 if before else rules.index(behind) if behind else len(rules)
        chapter = new.number.labels[0]
        if rules:
            _put(placing, rules, at, new, chapter)
        else:
            placing.change(parent.keys.file.name, *put_first(parent, new.head(chapter), 0))
    rows = placing.rows(placing.list) if placing.list else []
    # A rule that is in its file needs no list, unless that lists those beside it.
    beside = any(items.beside(row.number, new.number) for row in rows)
    if rows and (beside or above is None or not placing.rule(new.number.key)):
        _put(placing, rows, placing.place_for(rows, new.number), new)


def _chapter(placing: Placement, new: Addition) -> None:
    """Make the file of a new chapter, unless the book merely lists its chapters."""
    outline = placing.moves.outline
    if placing.list and any(not chapter.transcribed for chapter in outline.chapters):
        return
    label = "-".join(
        [outline.edition.dialect.chapter_name(new.number), *([slug(new.title)] if new.title else [])]
    )
    name = f"content/{outline.edition.address}/rules/{label}.yml"
    if name in placing.texts:
        raise Refusal(f"{name} is there already; rename it first")
    keys = new.entry("", flow=False, key="chapter").removeprefix("- ").replace("\n  ", "\n")
    placing.texts[name] = f"{keys}\n"


def _put(placing: Placement, rows: Sequence[ListEntry], at: int, new: Addition, chapter: str = "") -> None:
    """Put a new entry in front of one of the rows of a list, written as that is written."""
    beside = rows[min(at, len(rows) - 1)]
    items = beside.row
    assert items
    places = spans(items)
    place = rows[at].at if at < len(rows) else rows[-1].at + 1
    words = new.head(chapter) if beside.keys.head else new.entry(chapter, flow=beside.keys.flow)
    if not items.flow:
        gap = gap_behind(items, place - 1) if place else ""
        edit = put_in(items, place, words, "" if gap.strip() else gap, 0)
    elif place < len(places):
        edit = Edit(places[place][0], places[place][0], f"{words.removeprefix('- ')}, ")
    else:
        edit = Edit(places[-1][1], places[-1][1], f", {words.removeprefix('- ')}")
    placing.change(beside.keys.file.name, edit)


def scalar(words: str) -> str:
    """Words as a value in YAML."""
    return words if _PLAIN.fullmatch(words) else json.dumps(words, ensure_ascii=False)


def retire(placing: Placement, entry: Entry, instead: Sequence[Entry]) -> None:
    """Mark a rule as retired, and name which rules hold in its place. Raises Refusal."""
    row = placing.home_of(entry, entry.number)
    if row is None or not (entry.rule or entry.listed):
        raise Refusal(
            f"{entry.shown} is neither transcribed nor listed, so nothing can say that it is retired"
        )
    more = {"retired": '"yes"'}
    if instead:
        numbers = ", ".join(f'"{one.shown}"' for one in instead)
        more["replaced by"] = f"[{numbers}]" if len(instead) > 1 else numbers
    placing.change(row.keys.file.name, *with_keys(row.keys, row.written, more))
