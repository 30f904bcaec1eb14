"""Put rules where their numbers belong, in chapters and among known numbers; enter new and retired ones.

An entry that stands right already stays, so that moving one rule never rearranges others.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import MutableMapping, Sequence
from dataclasses import dataclass

from rulewright.book.outline import Outline, RuleEntry
from rulewright.book.sequence import title_slug
from rulewright.edit.renumber_plan import USUAL, NumberStyle, NumberWriter, RenumberPlan
from rulewright.edit.yaml_list_edits import (
    ListEntry,
    add_former_number,
    add_keys,
    entries_of_list,
    former_numbers_of,
    gap_after,
    insert_entry,
    insert_first_entry,
    parse_tree,
    remove_entry,
    remove_former_number,
    reorder_entries,
    rules_in,
    spans,
)
from rulewright.model.rulebook import Chapter
from rulewright.model.shorthand import write_shorthand_key
from rulewright.model.yaml_fields import own_and_inherited_keys
from rulewright.numbers import number_rebasing
from rulewright.numbers.numbering_scheme import RuleNumber
from rulewright.source import yaml_writer
from rulewright.source.errors import UserError
from rulewright.source.located_text import LocatedText, get_value
from rulewright.source.text_edits import Replacement, apply_edits


class RulePlacement:
    """The files of an edition, their numbers moved, while their entries are put in order."""

    def __init__(self, texts: MutableMapping[str, str], moves: RenumberPlan) -> None:
        edition = moves.outline.edition
        self.texts, self.moves, self.dialect = texts, moves, edition.dialect
        self.chapters = [chapter.number.file.name for chapter in edition.chapters]
        self.list = edition.known.known[0].number.file.name if edition.known else ""
        self._rows: dict[str, tuple[str, list[ListEntry]]] = {}
        self._left: defaultdict[str, list[str]] = defaultdict(list)
        """By the rule around a list, what parted entries that were taken out of it from the next."""

    def change(self, name: str, *edits: Replacement) -> None:
        self.texts[name] = apply_edits(self.texts[name], edits)

    def file_entries(self, name: str) -> list[ListEntry]:
        """The numbered entries of a file as it is now."""
        text = self.texts[name]
        if name not in self._rows or self._rows[name][0] != text:
            root = parse_tree(name, text)
            known = get_value(root, "known")
            found = (
                entries_of_list(known, self.dialect) if name == self.list else rules_in(root, self.dialect)
            )
            self._rows[name] = text, list(found)
        return self._rows[name][1]

    def rule(self, key: str) -> ListEntry | None:
        found = (row for name in self.chapters for row in self.file_entries(name) if row.number.key == key)
        return next(found, None)

    def place_moved_rules(self) -> None:
        """Put each rule that has moved where its number belongs, the lowest first. Raises Refusal."""
        entries = self.moves.outline.entries
        roots = sorted(self.moves.roots.values(), key=lambda pair: pair[1].ordinals)
        roots = [pair for pair in roots if pair[0].key in entries]
        moved = [new for _, new in roots]
        for at, (old, new) in enumerate(roots):
            if len(new.labels) > 1 and any(inner.rule for inner in entries[old.key].iter_subtree()):
                self._place_rule(new, {other.key for other in moved[at:]})
        if self.list and moved:
            self._place_listed(moved)

    def _place_rule(self, new: RuleNumber, waiting: set[str]) -> None:
        """Put a rule where it belongs among those that do not wait for their own place."""
        row = self.rule(new.key)
        if row is None or row.row is None or row.inside is None:
            return
        above = next(filter(None, (self.rule(n.key) for n in self.dialect.ancestors(new))), None)
        if above is None:
            message = "is not transcribed, so that there is no place for the text; transcribe it first"
            parent = self.dialect.parent(new)
            raise UserError(f"{parent.key if parent else new.key} {message}")
        source, target = row.keys.file.name, above.keys.file.name
        rules = [one for one in self.file_entries(target) if one.inside is above]
        before, behind = _neighbours([rule for rule in rules if rule.number.key not in waiting], new)
        end = len(rules[0].row.items) if rules and rules[0].row else 0
        at = before.index + 1 if before else behind.index if behind else end
        if above is row.inside:
            if (before and before.index > row.index) or (behind and behind.index < row.index):
                order = [*range(at), row.index, *range(at, end)]
                del order[row.index + (row.index >= at)]
                self.texts[source] = reorder_entries(row.row, order)
            return
        edit, words, gap, column = remove_entry(row)
        self._left[row.inside.number.key].append(gap)
        if rules and rules[0].row:
            leaves = (
                rule.index for rule in rules if rule.index in (at - 1, at) and rule.number.key in waiting
            )
            left = self._left[above.number.key]
            own = gap_after(rules[0].row, next(leaves, end)) or (left.pop(0) if left else gap)
            into = [insert_entry(rules[0].row, at, words, own, column)]
        else:
            into = insert_first_entry(above, words, column)
        for name in dict.fromkeys((source, target)):
            self.change(name, *([edit] if name == source else []), *(into if name == target else []))

    def _place_listed(self, moved: Sequence[RuleNumber]) -> None:
        """Put the rows of numbers, each with those inside it, where they belong among known numbers."""
        rows = self.file_entries(self.list)
        home = {row.index: self._root(row.number, moved) for row in rows}
        kept = [row for row in rows if home[row.index] is None]
        for new in moved:
            ours = [row for row in rows if home[row.index] is new]
            at = sum(row.index < ours[0].index for row in kept) if ours else 0
            ranks = self._ranks(kept, new)
            before = [lower for place, lower in ranks.items() if place < at][-1:]
            behind = [lower for place, lower in ranks.items() if place >= at][:1]
            if not ours or not all(before) or any(behind):  # behind a higher or before a lower one
                at = self.place_for(kept, new)
            kept[at:at] = ours
        order, items = [row.index for row in kept], rows[0].row if rows else None
        if items and order != sorted(order) and len(order) == len(items.items):
            self.texts[self.list] = reorder_entries(items, order)

    def _root(self, number: RuleNumber, moved: Sequence[RuleNumber]) -> RuleNumber | None:
        """Which of several numbers one is or lies in, the innermost."""
        around = {number.key, *(one.key for one in self.dialect.ancestors(number))}
        return max(
            (number for number in moved if number.key in around),
            key=lambda one: len(one.labels),
            default=None,
        )

    def _ranks(self, others: Sequence[ListEntry], new: RuleNumber) -> dict[int, bool]:
        """By place, whether a row is lower than a number, for those that can be compared with it."""
        return {
            at: row.number.ordinals < new.ordinals
            for at, row in enumerate(others)
            if row.number.shape == new.shape
            or (row.number.family == new.family and len(row.number.labels) == 1)
        }

    def place_for(self, others: Sequence[ListEntry], new: RuleNumber) -> int:
        """The index of the row that a number belongs in front of."""
        lower = [at for at, is_lower in self._ranks(others, new).items() if is_lower]
        return lower[-1] + 1 if lower else 0

    def record_former_number(self, entry: RuleEntry, new: RuleNumber) -> None:
        """Enter the number that a rule had as its last former one; where it returns to that, take it back."""
        row = self.entry_file_of(entry, new)
        if row is None:
            return
        chapter = new.labels[0]
        had = [
            number
            for text in former_numbers_of(row.keys)
            if (number := self.dialect.parse_number(text, chapter))
        ]
        back = bool(had) and had[-1].key == new.key
        edits = (
            remove_former_number(row.keys)
            if back
            else add_former_number(row.keys, row.source_number, entry.display_number)
        )
        self.change(row.keys.file.name, *edits)

    def entry_file_of(self, entry: RuleEntry, new: RuleNumber) -> ListEntry | None:
        """Find the entry that a rule is written in: with its text, else in the list, else in its table."""
        if entry.rule:
            return self.rule(new.key)
        if entry.listed_rule:
            return next((row for row in self.file_entries(self.list) if row.number.key == new.key), None)
        if not any(table.number is entry.printed for table in self.moves.outline.edition.tables):
            return None
        name = entry.printed.file.name
        root = parse_tree(name, self.texts[name])
        written = get_value(root, "number")
        return ListEntry(root, written, new) if isinstance(written, LocatedText) else None


def _neighbours(row: Sequence[ListEntry], new: RuleNumber) -> tuple[ListEntry | None, ListEntry | None]:
    """The last entry of a list with a lower number and the first with a higher one, of the same form."""
    alike = [one for one in row if one.number.shape == new.shape]
    lower = [one for one in alike if one.number.ordinals < new.ordinals]
    higher = [one for one in alike if one.number.ordinals > new.ordinals]
    return (lower[-1] if lower else None), (higher[0] if higher else None)


_PLAIN = re.compile(r"[A-Za-z][\w' ()/-]*[\w)]")


def check_room(outline: Outline, number: RuleNumber) -> None:
    """Raise Refusal where a new rule of a number would lie in none, or in no file."""
    above = outline.edition.dialect.parent(number)
    listed = outline.edition.known is not None
    if above is None:
        return
    parent = outline.entries.get(above.key)
    if parent is None:
        raise UserError(f"{number.key} would lie in {above.key}, and there is none; insert {above.key} first")
    if not (parent.rule or listed):
        raise UserError(f"{parent.key} is not transcribed, and there is no known.yml to list {number.key} in")


@dataclass(frozen=True)
class Addition:
    """A new rule: its number, the style in which that is printed, and its title."""

    number: RuleNumber
    title: str | None
    speller: NumberWriter
    style: NumberStyle

    def entry(self, chapter: str, *, flow: bool, key: str = "number") -> str:
        """An entry of a list, its dash in the first column; its number may leave the chapter out."""
        keys = [f'{key}: "{self.speller.write(self.number, self.style, chapter)}"']
        keys += [f"title: {quote_scalar(self.title)}"] if self.title else []
        return f"- {{{', '.join(keys)}}}" if flow else "- " + "\n  ".join(keys)

    def head(self, chapter: str) -> str:
        number = self.speller.write(self.number, self.style, chapter)
        head, more = write_shorthand_key(number, self.title, own_and_inherited_keys(Chapter))
        below = "".join(f"\n  {key}: {quote_scalar(value)}" for key, value in more.items())
        return f"{yaml_writer.yaml_scalar(head)}:{below}"

    def __str__(self) -> str:
        number = self.speller.write(self.number, self.style._replace(bracket=False))
        return f"{number} {self.title}" if self.title else number


def new_rule(outline: Outline, number: RuleNumber, written: str, title: str | None) -> Addition:
    """A new rule whose number is printed as the nearest beside it is; where there is none, as `written`."""
    dialect = outline.edition.dialect
    above, speller = dialect.parent(number), NumberWriter(dialect)
    row = outline.entries[above.key].children if above and above.key in outline.entries else outline.chapters
    beside = [rule for rule in row if number_rebasing.are_siblings(rule.number, number)]
    beside.sort(key=lambda one: abs(one.number.ordinals[-1] - number.ordinals[-1]))
    forms = [(str(rule.printed), rule.number, number.labels[0]) for rule in beside]
    styles = (speller.style(*form) for form in (*forms, (written.strip(), number, outline.default_chapter)))
    return Addition(number, title, speller, next(filter(None, styles), USUAL))


def add_empty_rule(placing: RulePlacement, new: Addition) -> None:
    """Add an empty rule: to its rule's file where that is transcribed, and to the list of known numbers."""
    above = placing.dialect.parent(new.number)
    if above is None:
        _chapter(placing, new)
    elif parent := placing.rule(above.key):
        rules = [row for row in placing.file_entries(parent.keys.file.name) if row.inside is parent]
        before, behind = _neighbours(rules, new.number)
        at = rules.index(before) + 1 if before else rules.index(behind) if behind else len(rules)
        chapter = new.number.labels[0]
        if rules:
            _put(placing, rules, at, new, chapter)
        else:
            placing.change(parent.keys.file.name, *insert_first_entry(parent, new.head(chapter), 0))
    rows = placing.file_entries(placing.list) if placing.list else []
    # A rule that is in its file needs no list, unless that lists those beside it.
    beside = any(number_rebasing.are_siblings(row.number, new.number) for row in rows)
    if rows and (beside or above is None or not placing.rule(new.number.key)):
        _put(placing, rows, placing.place_for(rows, new.number), new)


def _chapter(placing: RulePlacement, new: Addition) -> None:
    """Make the file of a new chapter, unless the book merely lists its chapters."""
    outline = placing.moves.outline
    if placing.list and any(not chapter.is_transcribed for chapter in outline.chapters):
        return
    label = "-".join(
        [outline.edition.dialect.chapter_name(new.number), *([title_slug(new.title)] if new.title else [])]
    )
    name = f"content/{outline.edition.address}/rules/{label}.yml"
    if name in placing.texts:
        raise UserError(f"{name} is there already; rename it first")
    keys = new.entry("", flow=False, key="chapter").removeprefix("- ").replace("\n  ", "\n")
    placing.texts[name] = f"{keys}\n"


def _put(
    placing: RulePlacement, rows: Sequence[ListEntry], at: int, new: Addition, chapter: str = ""
) -> None:
    """Put a new entry in front of one of the rows of a list, written as that is written."""
    beside = rows[min(at, len(rows) - 1)]
    items = beside.row
    assert items
    places = spans(items)
    place = rows[at].index if at < len(rows) else rows[-1].index + 1
    words = new.head(chapter) if beside.keys.shorthand_key else new.entry(chapter, flow=beside.keys.flow)
    if not items.flow:
        gap = gap_after(items, place - 1) if place else ""
        edit = insert_entry(items, place, words, "" if gap.strip() else gap, 0)
    elif place < len(places):
        edit = Replacement(places[place][0], places[place][0], f"{words.removeprefix('- ')}, ")
    else:
        edit = Replacement(places[-1][1], places[-1][1], f", {words.removeprefix('- ')}")
    placing.change(beside.keys.file.name, edit)


def quote_scalar(words: str) -> str:
    """Words as a value in YAML."""
    return words if _PLAIN.fullmatch(words) else json.dumps(words, ensure_ascii=False)


def retire_rule(placing: RulePlacement, entry: RuleEntry, instead: Sequence[RuleEntry]) -> None:
    """Mark a rule as retired, and name which rules hold in its place. Raises Refusal."""
    row = placing.entry_file_of(entry, entry.number)
    if row is None or not (entry.rule or entry.listed_rule):
        raise UserError(
            f"{entry.display_number} is neither transcribed nor listed, so nothing can say that it is retired"
        )
    more = {"retired": '"yes"'}
    if instead:
        numbers = ", ".join(f'"{rule.display_number}"' for rule in instead)
        more["replaced by"] = f"[{numbers}]" if len(instead) > 1 else numbers
    placing.change(row.keys.file.name, *add_keys(row.keys, row.source_number, more))
