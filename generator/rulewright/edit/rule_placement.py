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
            entries = (
                entries_of_list(known, self.dialect) if name == self.list else rules_in(root, self.dialect)
            )
            self._rows[name] = text, list(entries)
        return self._rows[name][1]

    def rule(self, key: str) -> ListEntry | None:
        entries = (
            entry for name in self.chapters for entry in self.file_entries(name) if entry.number.key == key
        )
        return next(entries, None)

    def place_moved_rules(self) -> None:
        """Put each rule that has moved where its number belongs, the lowest first. Raises Refusal."""
        entries = self.moves.outline.entries
        roots = sorted(self.moves.roots.values(), key=lambda pair: pair[1].ordinals)
        roots = [pair for pair in roots if pair[0].key in entries]
        moved = [new for _, new in roots]
        for index, (old, new) in enumerate(roots):
            if len(new.labels) > 1 and any(inner.rule for inner in entries[old.key].iter_subtree()):
                self._place_rule(new, {other.key for other in moved[index:]})
        if self.list and moved:
            self._place_listed(moved)

    def _place_rule(self, new: RuleNumber, waiting: set[str]) -> None:
        """Put a rule where it belongs among those that do not wait for their own place."""
        entry = self.rule(new.key)
        if entry is None or entry.row is None or entry.inside is None:
            return
        above = next(filter(None, (self.rule(n.key) for n in self.dialect.ancestors(new))), None)
        if above is None:
            message = "is not transcribed, so that there is no place for the text; transcribe it first"
            parent = self.dialect.parent(new)
            raise UserError(f"{parent.key if parent else new.key} {message}")
        source, target = entry.keys.file.name, above.keys.file.name
        rules = [rule for rule in self.file_entries(target) if rule.inside is above]
        before, after = _neighbours([rule for rule in rules if rule.number.key not in waiting], new)
        end = len(rules[0].row.items) if rules and rules[0].row else 0
        index = before.index + 1 if before else after.index if after else end
        if above is entry.inside:
            if (before and before.index > entry.index) or (after and after.index < entry.index):
                order = [*range(index), entry.index, *range(index, end)]
                del order[entry.index + (entry.index >= index)]
                self.texts[source] = reorder_entries(entry.row, order)
            return
        edit, words, gap, column = remove_entry(entry)
        self._left[entry.inside.number.key].append(gap)
        if rules and rules[0].row:
            leaves = (
                rule.index
                for rule in rules
                if rule.index in (index - 1, index) and rule.number.key in waiting
            )
            saved_gaps = self._left[above.number.key]
            target_gap = gap_after(rules[0].row, next(leaves, end)) or (
                saved_gaps.pop(0) if saved_gaps else gap
            )
            insertions = [insert_entry(rules[0].row, index, words, target_gap, column)]
        else:
            insertions = insert_first_entry(above, words, column)
        for name in dict.fromkeys((source, target)):
            self.change(name, *([edit] if name == source else []), *(insertions if name == target else []))

    def _place_listed(self, moved: Sequence[RuleNumber]) -> None:
        """Put the rows of numbers, each with those inside it, where they belong among known numbers."""
        entries = self.file_entries(self.list)
        roots = {entry.index: self._root(entry.number, moved) for entry in entries}
        ordered = [entry for entry in entries if roots[entry.index] is None]
        for new in moved:
            moved_entries = [entry for entry in entries if roots[entry.index] is new]
            index = sum(entry.index < moved_entries[0].index for entry in ordered) if moved_entries else 0
            ranks = self._ranks(ordered, new)
            before = [lower for place, lower in ranks.items() if place < index][-1:]
            after = [lower for place, lower in ranks.items() if place >= index][:1]
            if not moved_entries or not all(before) or any(after):  # behind a higher or before a lower one
                index = self.place_for(ordered, new)
            ordered[index:index] = moved_entries
        order, items = [entry.index for entry in ordered], entries[0].row if entries else None
        if items and order != sorted(order) and len(order) == len(items.items):
            self.texts[self.list] = reorder_entries(items, order)

    def _root(self, number: RuleNumber, moved: Sequence[RuleNumber]) -> RuleNumber | None:
        """Which of several numbers one is or lies in, the innermost."""
        keys = {number.key, *(ancestor.key for ancestor in self.dialect.ancestors(number))}
        return max(
            (number for number in moved if number.key in keys),
            key=lambda number: len(number.labels),
            default=None,
        )

    def _ranks(self, entries: Sequence[ListEntry], new: RuleNumber) -> dict[int, bool]:
        """By place, whether a row is lower than a number, for those that can be compared with it."""
        return {
            index: entry.number.ordinals < new.ordinals
            for index, entry in enumerate(entries)
            if entry.number.shape == new.shape
            or (entry.number.family == new.family and len(entry.number.labels) == 1)
        }

    def place_for(self, entries: Sequence[ListEntry], new: RuleNumber) -> int:
        """The index of the row that a number belongs in front of."""
        lower = [index for index, is_lower in self._ranks(entries, new).items() if is_lower]
        return lower[-1] + 1 if lower else 0

    def record_former_number(self, entry: RuleEntry, new: RuleNumber) -> None:
        """Enter the number that a rule had as its last former one; where it returns to that, take it back."""
        list_entry = self.entry_file_of(entry, new)
        if list_entry is None:
            return
        chapter = new.labels[0]
        former_numbers = [
            number
            for text in former_numbers_of(list_entry.keys)
            if (number := self.dialect.parse_number(text, chapter))
        ]
        is_back = bool(former_numbers) and former_numbers[-1].key == new.key
        edits = (
            remove_former_number(list_entry.keys)
            if is_back
            else add_former_number(list_entry.keys, list_entry.source_number, entry.display_number)
        )
        self.change(list_entry.keys.file.name, *edits)

    def entry_file_of(self, entry: RuleEntry, new: RuleNumber) -> ListEntry | None:
        """Find the entry that a rule is written in: with its text, else in the list, else in its table."""
        if entry.rule:
            return self.rule(new.key)
        if entry.listed_rule:
            return next(
                (
                    list_entry
                    for list_entry in self.file_entries(self.list)
                    if list_entry.number.key == new.key
                ),
                None,
            )
        if not any(table.number is entry.printed for table in self.moves.outline.edition.tables):
            return None
        name = entry.printed.file.name
        root = parse_tree(name, self.texts[name])
        source_number = get_value(root, "number")
        return ListEntry(root, source_number, new) if isinstance(source_number, LocatedText) else None


def _neighbours(entries: Sequence[ListEntry], new: RuleNumber) -> tuple[ListEntry | None, ListEntry | None]:
    """The last entry of a list with a lower number and the first with a higher one, of the same form."""
    comparable = [entry for entry in entries if entry.number.shape == new.shape]
    lower = [entry for entry in comparable if entry.number.ordinals < new.ordinals]
    higher = [entry for entry in comparable if entry.number.ordinals > new.ordinals]
    return (lower[-1] if lower else None), (higher[0] if higher else None)


_PLAIN = re.compile(r"[A-Za-z][\w' ()/-]*[\w)]")


def check_room(outline: Outline, number: RuleNumber) -> None:
    """Raise Refusal where a new rule of a number would lie in none, or in no file."""
    above = outline.edition.dialect.parent(number)
    has_list = outline.edition.known is not None
    if above is None:
        return
    parent = outline.entries.get(above.key)
    if parent is None:
        raise UserError(f"{number.key} would lie in {above.key}, and there is none; insert {above.key} first")
    if not (parent.rule or has_list):
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


def new_rule(outline: Outline, number: RuleNumber, number_text: str, title: str | None) -> Addition:
    """A new rule whose number is printed as the nearest beside it is; where there is none, as `written`."""
    dialect = outline.edition.dialect
    above, writer = dialect.parent(number), NumberWriter(dialect)
    rules = (
        outline.entries[above.key].children if above and above.key in outline.entries else outline.chapters
    )
    siblings = [rule for rule in rules if number_rebasing.are_siblings(rule.number, number)]
    siblings.sort(key=lambda rule: abs(rule.number.ordinals[-1] - number.ordinals[-1]))
    forms = [(str(rule.printed), rule.number, number.labels[0]) for rule in siblings]
    styles = (
        writer.style(*form) for form in (*forms, (number_text.strip(), number, outline.default_chapter))
    )
    return Addition(number, title, writer, next(filter(None, styles), USUAL))


def add_empty_rule(placement: RulePlacement, new: Addition) -> None:
    """Add an empty rule: to its rule's file where that is transcribed, and to the list of known numbers."""
    above = placement.dialect.parent(new.number)
    if above is None:
        _chapter(placement, new)
    elif parent := placement.rule(above.key):
        rules = [entry for entry in placement.file_entries(parent.keys.file.name) if entry.inside is parent]
        before, after = _neighbours(rules, new.number)
        index = rules.index(before) + 1 if before else rules.index(after) if after else len(rules)
        chapter = new.number.labels[0]
        if rules:
            _put(placement, rules, index, new, chapter)
        else:
            placement.change(parent.keys.file.name, *insert_first_entry(parent, new.head(chapter), 0))
    listed_entries = placement.file_entries(placement.list) if placement.list else []
    # A rule that is in its file needs no list, unless that lists those beside it.
    lists_siblings = any(number_rebasing.are_siblings(entry.number, new.number) for entry in listed_entries)
    if listed_entries and (lists_siblings or above is None or not placement.rule(new.number.key)):
        _put(placement, listed_entries, placement.place_for(listed_entries, new.number), new)


def _chapter(placement: RulePlacement, new: Addition) -> None:
    """Make the file of a new chapter, unless the book merely lists its chapters."""
    outline = placement.moves.outline
    if placement.list and any(not chapter.is_transcribed for chapter in outline.chapters):
        return
    label = "-".join(
        [outline.edition.dialect.chapter_name(new.number), *([title_slug(new.title)] if new.title else [])]
    )
    name = f"content/{outline.edition.address}/rules/{label}.yml"
    if name in placement.texts:
        raise UserError(f"{name} is there already; rename it first")
    keys = new.entry("", flow=False, key="chapter").removeprefix("- ").replace("\n  ", "\n")
    placement.texts[name] = f"{keys}\n"


def _put(
    placement: RulePlacement, entries: Sequence[ListEntry], index: int, new: Addition, chapter: str = ""
) -> None:
    """Put a new entry in front of one of the rows of a list, written as that is written."""
    neighbour = entries[min(index, len(entries) - 1)]
    items = neighbour.row
    assert items
    places = spans(items)
    place = entries[index].index if index < len(entries) else entries[-1].index + 1
    words = (
        new.head(chapter) if neighbour.keys.shorthand_key else new.entry(chapter, flow=neighbour.keys.flow)
    )
    if not items.flow:
        gap = gap_after(items, place - 1) if place else ""
        edit = insert_entry(items, place, words, "" if gap.strip() else gap, 0)
    elif place < len(places):
        edit = Replacement(places[place][0], places[place][0], f"{words.removeprefix('- ')}, ")
    else:
        edit = Replacement(places[-1][1], places[-1][1], f", {words.removeprefix('- ')}")
    placement.change(neighbour.keys.file.name, edit)


def quote_scalar(words: str) -> str:
    """Words as a value in YAML."""
    return words if _PLAIN.fullmatch(words) else json.dumps(words, ensure_ascii=False)


def retire_rule(placement: RulePlacement, entry: RuleEntry, replacements: Sequence[RuleEntry]) -> None:
    """Mark a rule as retired, and name which rules hold in its place. Raises Refusal."""
    list_entry = placement.entry_file_of(entry, entry.number)
    if list_entry is None or not (entry.rule or entry.listed_rule):
        raise UserError(
            f"{entry.display_number} is neither transcribed nor listed, so nothing can say that it is retired"
        )
    new_keys = {"retired": '"yes"'}
    if replacements:
        numbers = ", ".join(f'"{rule.display_number}"' for rule in replacements)
        new_keys["replaced by"] = f"[{numbers}]" if len(replacements) > 1 else numbers
    placement.change(
        list_entry.keys.file.name, *add_keys(list_entry.keys, list_entry.source_number, new_keys)
    )
