"""Place rules in the order of their numbers, in chapters and in known.yml; add new rules and retire rules.

An entry in a correct place stays there, so moving one rule never rearranges others.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import MutableMapping, Sequence
from dataclasses import dataclass

from rulewright.book.outline import Outline, RuleEntry
from rulewright.edit.renumber_plan import USUAL, NumberStyle, NumberWriter, RenumberPlan
from rulewright.edit.yaml_list_edits import (
    ListEntry,
    add_former_number,
    add_keys,
    entry_spans,
    former_numbers_of,
    gap_after,
    insert_entry,
    insert_first_entry,
    iter_list_entries,
    iter_rules,
    parse_tree,
    remove_entry,
    remove_former_number,
    reorder_entries,
)
from rulewright.files import yaml_writer
from rulewright.files.errors import UserError
from rulewright.files.located_text import LocatedText, get_value
from rulewright.files.text_edits import Replacement, apply_edits
from rulewright.numbering import number_rebasing
from rulewright.numbering.numbering_scheme import RuleNumber
from rulewright.schema.rulebook import Chapter
from rulewright.schema.shorthand import write_shorthand_key
from rulewright.schema.yaml_fields import own_and_inherited_keys
from rulewright.sequence.sequence_step import title_slug


class RulePlacement:
    """Files of an edition with new numbers, whose entries are put in order."""

    def __init__(self, texts: MutableMapping[str, str], moves: RenumberPlan) -> None:
        edition = moves.outline.edition
        self.texts, self.moves, self.dialect = texts, moves, edition.dialect
        self.chapters = [chapter.number.file.name for chapter in edition.chapters]
        self.list_file = edition.known.known[0].number.file.name if edition.known else ""
        self._entries: dict[str, tuple[str, list[ListEntry]]] = {}
        self._gaps: defaultdict[str, list[str]] = defaultdict(list)
        """Gaps after removed entries, by the key of their parent."""

    def change(self, name: str, *edits: Replacement) -> None:
        self.texts[name] = apply_edits(self.texts[name], edits)

    def file_entries(self, name: str) -> list[ListEntry]:
        """Return the numbered entries of a file in its current state."""
        text = self.texts[name]
        if name not in self._entries or self._entries[name][0] != text:
            root = parse_tree(name, text)
            if name == self.list_file:
                entries = iter_list_entries(get_value(root, "known"), self.dialect)
            else:
                entries = iter_rules(root, self.dialect)
            self._entries[name] = text, list(entries)
        return self._entries[name][1]

    def rule(self, key: str) -> ListEntry | None:
        entries = (entry for name in self.chapters for entry in self.file_entries(name))
        return next((entry for entry in entries if entry.number.key == key), None)

    def place_moved_rules(self) -> None:
        """Move each renumbered rule to its place, the lowest first. Raises UserError."""
        entries = self.moves.outline.entries
        roots = sorted(self.moves.roots.values(), key=lambda pair: pair[1].ordinals)
        roots = [pair for pair in roots if pair[0].key in entries]
        moved = [new for _, new in roots]
        for index, (old, new) in enumerate(roots):
            if len(new.labels) > 1 and any(rule.rule for rule in entries[old.key].iter_subtree()):
                self._place_rule(new, {number.key for number in moved[index:]})
        if self.list_file and moved:
            self._place_listed_rules(moved)

    def _place_rule(self, new: RuleNumber, unplaced: set[str]) -> None:
        """Move a rule to its place among the rules that are placed already."""
        entry = self.rule(new.key)
        if entry is None or entry.items is None or entry.parent is None:
            return
        ancestors = (self.rule(ancestor.key) for ancestor in self.dialect.ancestors(new))
        new_parent = next(filter(None, ancestors), None)
        if new_parent is None:
            number = self.dialect.parent(new) or new
            raise UserError(f"{number.key} is not transcribed, so the text has no place; transcribe it first")
        source, target = entry.keys.file.name, new_parent.keys.file.name
        rules = [rule for rule in self.file_entries(target) if rule.parent is new_parent]
        before, after = _neighbours([rule for rule in rules if rule.number.key not in unplaced], new)
        end = len(rules[0].items.items) if rules and rules[0].items else 0
        index = before.index + 1 if before else after.index if after else end
        if new_parent is entry.parent:
            if (before and before.index > entry.index) or (after and after.index < entry.index):
                order = [*range(index), entry.index, *range(index, end)]
                del order[entry.index + (entry.index >= index)]
                self.texts[source] = reorder_entries(entry.items, order)
            return
        edit, words, gap, column = remove_entry(entry)
        self._gaps[entry.parent.number.key].append(gap)
        if rules and rules[0].items:
            neighbours = (rule for rule in rules if rule.index in (index - 1, index))
            # A neighbour that still has to move leaves its gap.
            leaving = (rule.index for rule in neighbours if rule.number.key in unplaced)
            saved_gaps = self._gaps[new_parent.number.key]
            target_gap = gap_after(rules[0].items, next(leaving, end))
            if not target_gap:
                target_gap = saved_gaps.pop(0) if saved_gaps else gap
            insertions = [insert_entry(rules[0].items, index, words, target_gap, column)]
        else:
            insertions = insert_first_entry(new_parent, words, column)
        for name in dict.fromkeys((source, target)):
            self.change(name, *([edit] if name == source else []), *(insertions if name == target else []))

    def _place_listed_rules(self, moved: Sequence[RuleNumber]) -> None:
        """Move the entries of moved numbers, and of numbers in them, to their places in known.yml."""
        entries = self.file_entries(self.list_file)
        roots = {entry.index: self._innermost_ancestor(entry.number, moved) for entry in entries}
        ordered = [entry for entry in entries if roots[entry.index] is None]
        for new in moved:
            moved_entries = [entry for entry in entries if roots[entry.index] is new]
            index = sum(entry.index < moved_entries[0].index for entry in ordered) if moved_entries else 0
            ranks = self._ranks(ordered, new)
            before = [is_lower for position, is_lower in ranks.items() if position < index][-1:]
            after = [is_lower for position, is_lower in ranks.items() if position >= index][:1]
            if not moved_entries or not all(before) or any(after):  # after a higher or before a lower number
                index = self.insertion_index(ordered, new)
            ordered[index:index] = moved_entries
        order, items = [entry.index for entry in ordered], entries[0].items if entries else None
        if items and order != sorted(order) and len(order) == len(items.items):
            self.texts[self.list_file] = reorder_entries(items, order)

    def _innermost_ancestor(self, number: RuleNumber, moved: Sequence[RuleNumber]) -> RuleNumber | None:
        """Return the innermost of the moved numbers that is or contains a number."""
        keys = {number.key, *(ancestor.key for ancestor in self.dialect.ancestors(number))}
        return max(
            (number for number in moved if number.key in keys),
            key=lambda number: len(number.labels),
            default=None,
        )

    def _ranks(self, entries: Sequence[ListEntry], new: RuleNumber) -> dict[int, bool]:
        """Return whether each comparable entry is lower than a number, by index."""
        return {
            index: entry.number.ordinals < new.ordinals
            for index, entry in enumerate(entries)
            if entry.number.shape == new.shape
            or (entry.number.family == new.family and len(entry.number.labels) == 1)
        }

    def insertion_index(self, entries: Sequence[ListEntry], new: RuleNumber) -> int:
        """Return the index at which an entry with a number belongs."""
        lower = [index for index, is_lower in self._ranks(entries, new).items() if is_lower]
        return lower[-1] + 1 if lower else 0

    def record_former_number(self, entry: RuleEntry, new: RuleNumber) -> None:
        """Add the current number of a rule to its former numbers, or remove it if the rule returns to it."""
        list_entry = self.find_list_entry(entry, new)
        if list_entry is None:
            return
        chapter = new.labels[0]
        former_numbers = [
            number
            for text in former_numbers_of(list_entry.keys)
            if (number := self.dialect.parse_number(text, chapter))
        ]
        if former_numbers and former_numbers[-1].key == new.key:
            edits = remove_former_number(list_entry.keys)
        else:
            edits = add_former_number(list_entry.keys, list_entry.source_number, entry.display_number)
        self.change(list_entry.keys.file.name, *edits)

    def remove_rule(self, entry: RuleEntry) -> None:
        """Delete a rule with the rules inside it. Raises UserError if a number in it is that of a table."""
        keys = {rule.key for rule in entry.iter_subtree()}
        if list_entry := self.rule(entry.key):
            self.change(list_entry.keys.file.name, remove_entry(list_entry)[0])
        elif entry.rule or not entry.listed_rule:
            raise UserError(f"{entry.display_number} is the number of a table; delete the table")
        for key in sorted(keys) if self.list_file else ():
            listed = [listed for listed in self.file_entries(self.list_file) if listed.number.key == key]
            if listed:
                self.change(self.list_file, remove_entry(listed[0])[0])

    def find_list_entry(self, entry: RuleEntry, new: RuleNumber) -> ListEntry | None:
        """Find the entry of a rule: in its chapter, in the list or, for a table's number, in its table."""
        if entry.rule:
            return self.rule(new.key)
        if entry.listed_rule:
            entries = self.file_entries(self.list_file)
            return next((candidate for candidate in entries if candidate.number.key == new.key), None)
        if not any(table.number is entry.printed for table in self.moves.outline.edition.tables):
            return None
        name = entry.printed.file.name
        root = parse_tree(name, self.texts[name])
        source_number = get_value(root, "number")
        return ListEntry(root, source_number, new) if isinstance(source_number, LocatedText) else None


def _neighbours(entries: Sequence[ListEntry], new: RuleNumber) -> tuple[ListEntry | None, ListEntry | None]:
    """Return the last entry with a lower number and the first with a higher one, of the same form."""
    comparable = [entry for entry in entries if entry.number.shape == new.shape]
    lower = [entry for entry in comparable if entry.number.ordinals < new.ordinals]
    higher = [entry for entry in comparable if entry.number.ordinals > new.ordinals]
    return (lower[-1] if lower else None), (higher[0] if higher else None)


_PLAIN_SCALAR = re.compile(r"[A-Za-z][\w' ()/-]*[\w)]")


def check_room(outline: Outline, number: RuleNumber) -> None:
    """Raise UserError if there is no parent or no file for a new rule."""
    parent_number = outline.edition.dialect.parent(number)
    if parent_number is None:
        return
    parent = outline.entries.get(parent_number.key)
    if parent is None:
        key = parent_number.key
        raise UserError(f"{number.key} would be in {key}, which does not exist; insert {key} first")
    if not parent.rule and outline.edition.known is None:
        raise UserError(f"{parent.key} is not transcribed, and there is no known.yml to list {number.key} in")


@dataclass(frozen=True)
class NewRule:
    """A rule to insert, with the style of its number."""

    number: RuleNumber
    title: str | None
    writer: NumberWriter
    style: NumberStyle

    def entry(self, chapter: str, *, flow: bool, key: str = "number") -> str:
        """Write the rule as a list item, its number in a text of a chapter."""
        keys = [f'{key}: "{self.writer.write(self.number, self.style, chapter)}"']
        keys += [f"title: {quote_scalar(self.title)}"] if self.title else []
        return f"- {{{', '.join(keys)}}}" if flow else "- " + "\n  ".join(keys)

    def shorthand_entry(self, chapter: str) -> str:
        """Write the rule as a shorthand key with the keys that do not fit into it."""
        number = self.writer.write(self.number, self.style, chapter)
        shorthand_key, other_keys = write_shorthand_key(number, self.title, own_and_inherited_keys(Chapter))
        lines = "".join(f"\n  {key}: {quote_scalar(value)}" for key, value in other_keys.items())
        return f"{yaml_writer.yaml_scalar(shorthand_key)}:{lines}"

    def __str__(self) -> str:
        number = self.writer.write(self.number, self.style._replace(bracket=False))
        return f"{number} {self.title}" if self.title else number


def new_rule(outline: Outline, number: RuleNumber, number_text: str, title: str | None) -> NewRule:
    """Return a new rule; its number is written like the nearest sibling's or else like `number_text`."""
    dialect = outline.edition.dialect
    parent, writer = dialect.parent(number), NumberWriter(dialect)
    rules = outline.chapters
    if parent and parent.key in outline.entries:
        rules = outline.entries[parent.key].children
    siblings = [rule for rule in rules if number_rebasing.are_siblings(rule.number, number)]
    siblings.sort(key=lambda rule: abs(rule.number.ordinals[-1] - number.ordinals[-1]))
    examples = [(str(rule.printed), rule.number, number.labels[0]) for rule in siblings]
    examples.append((number_text.strip(), number, outline.default_chapter))
    styles = (writer.style(*example) for example in examples)
    return NewRule(number, title, writer, next(filter(None, styles), USUAL))


def add_empty_rule(placement: RulePlacement, new: NewRule) -> None:
    """Add a rule without text to its parent if that is transcribed, and to known.yml if necessary."""
    parent_number = placement.dialect.parent(new.number)
    if parent_number is None:
        _add_chapter_file(placement, new)
    elif parent := placement.rule(parent_number.key):
        rules = [entry for entry in placement.file_entries(parent.keys.file.name) if entry.parent is parent]
        before, after = _neighbours(rules, new.number)
        index = rules.index(before) + 1 if before else rules.index(after) if after else len(rules)
        chapter = new.number.labels[0]
        if rules:
            _insert_rule(placement, rules, index, new, chapter)
        else:
            placement.change(
                parent.keys.file.name, *insert_first_entry(parent, new.shorthand_entry(chapter), 0)
            )
    listed_entries = placement.file_entries(placement.list_file) if placement.list_file else []
    # A transcribed rule is listed only if its siblings are.
    lists_siblings = any(number_rebasing.are_siblings(entry.number, new.number) for entry in listed_entries)
    if listed_entries and (lists_siblings or parent_number is None or not placement.rule(new.number.key)):
        _insert_rule(placement, listed_entries, placement.insertion_index(listed_entries, new.number), new)


def _add_chapter_file(placement: RulePlacement, new: NewRule) -> None:
    """Create the file of a new chapter, unless the book only lists its chapters."""
    outline = placement.moves.outline
    if placement.list_file and any(not chapter.is_transcribed for chapter in outline.chapters):
        return
    slug = f"-{title_slug(new.title)}" if new.title else ""
    chapter_name = outline.edition.dialect.chapter_name(new.number)
    name = f"content/{outline.edition.address}/rules/{chapter_name}{slug}.yml"
    if name in placement.texts:
        raise UserError(f"{name} already exists; rename it first")
    keys = new.entry("", flow=False, key="chapter").removeprefix("- ").replace("\n  ", "\n")
    placement.texts[name] = f"{keys}\n"


def _insert_rule(
    placement: RulePlacement, entries: Sequence[ListEntry], index: int, new: NewRule, chapter: str = ""
) -> None:
    """Insert a rule before the entry at an index, written like that entry."""
    neighbour = entries[min(index, len(entries) - 1)]
    items = neighbour.items
    assert items
    spans = entry_spans(items)
    item_index = entries[index].index if index < len(entries) else entries[-1].index + 1
    if neighbour.keys.shorthand_key:
        words = new.shorthand_entry(chapter)
    else:
        words = new.entry(chapter, flow=neighbour.keys.flow)
    if not items.flow:
        gap = gap_after(items, item_index - 1) if item_index else ""
        edit = insert_entry(items, item_index, words, "" if gap.strip() else gap, 0)
    elif item_index < len(spans):
        edit = Replacement(spans[item_index][0], spans[item_index][0], f"{words.removeprefix('- ')}, ")
    else:
        edit = Replacement(spans[-1][1], spans[-1][1], f", {words.removeprefix('- ')}")
    placement.change(neighbour.keys.file.name, edit)


def quote_scalar(words: str) -> str:
    """Return words as a YAML scalar, quoted unless they are plain."""
    return words if _PLAIN_SCALAR.fullmatch(words) else json.dumps(words, ensure_ascii=False)


def retire_rule(placement: RulePlacement, entry: RuleEntry, replacements: Sequence[RuleEntry]) -> None:
    """Mark a rule as retired and name its replacements. Raises UserError."""
    list_entry = placement.find_list_entry(entry, entry.number)
    if list_entry is None or not (entry.rule or entry.listed_rule):
        raise UserError(
            f"{entry.display_number} is neither transcribed nor listed, so it cannot be marked as retired"
        )
    new_keys = {"retired": '"yes"'}
    if replacements:
        numbers = ", ".join(f'"{rule.display_number}"' for rule in replacements)
        new_keys["replaced by"] = f"[{numbers}]" if len(replacements) > 1 else numbers
    edits = add_keys(list_entry.keys, list_entry.source_number, new_keys)
    placement.change(list_entry.keys.file.name, *edits)
