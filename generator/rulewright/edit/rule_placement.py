"""Place rules in the order of their numbers, in chapters and in known.yml; add new rules and retire rules.

A rule in a correct place stays there, so moving one rule never rearranges others.
"""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping, Sequence
from typing import NamedTuple

from rulewright.book.outline import Outline, RuleEntry
from rulewright.edit.key_edits import add_keys, former_numbers, set_former_numbers, to_text_key
from rulewright.edit.renumber_plan import USUAL, NumberStyle, NumberWriter, RenumberPlan, siblings
from rulewright.edit.rule_blocks import RuleBlock, parse_tree, read_chapter, read_list, split_lines
from rulewright.files.errors import UserError
from rulewright.files.located_text import LocatedText, get_value
from rulewright.files.text_edits import Replacement, apply_edits, detect_line_ending
from rulewright.files.yaml_writer import yaml_scalar
from rulewright.numbering import number_rebasing
from rulewright.numbering.numbering_scheme import RuleNumber
from rulewright.schema.rulebook import Chapter
from rulewright.schema.shorthand import write_shorthand_key
from rulewright.schema.yaml_fields import own_and_inherited_keys
from rulewright.sequence.sequence_step import title_slug


class RulePlacement:
    """Files of an edition with new numbers, whose rules are put in order."""

    def __init__(self, texts: MutableMapping[str, str], moves: RenumberPlan) -> None:
        edition = moves.outline.edition
        self.texts, self.moves, self.dialect = texts, moves, edition.dialect
        self.chapters = [chapter.number.file.name for chapter in edition.chapters]
        self.list_file = edition.known.known[0].number.file.name if edition.known else ""
        self._files: dict[str, RuleBlock] = {}
        """Blocks of unchanged files."""

    def change(self, name: str, *edits: Replacement) -> None:
        self.texts[name] = apply_edits(self.texts[name], edits)
        self._files.pop(name, None)

    def _blocks(self, names: Sequence[str]) -> dict[str, RuleBlock]:
        """Return the blocks of some files by the keys of their numbers."""
        blocks: dict[str, RuleBlock] = {}
        for name in names:
            if name not in self._files:
                read = read_list if name == self.list_file else read_chapter
                self._files[name] = read(name, self.texts[name], self.dialect)
            for block in self._files[name].iter_blocks():
                blocks.setdefault(block.key, block)
        return blocks

    @property
    def rules(self) -> dict[str, RuleBlock]:
        """Blocks of the rules in chapters."""
        return self._blocks(self.chapters)

    @property
    def listed_rules(self) -> dict[str, RuleBlock]:
        """Blocks of the entries of known.yml; the key of the file itself is empty."""
        return self._blocks([self.list_file] if self.list_file else [])

    def _write_blocks(self, names: Sequence[str]) -> None:
        for name in names:
            lines = self._files.pop(name).lines()
            if lines != split_lines(self.texts[name]):
                self.texts[name] = "".join(lines)

    def parent_of(self, number: RuleNumber, blocks: Mapping[str, RuleBlock]) -> RuleBlock | None:
        """Return the block of the nearest rule around a number, or that of a list file."""
        ancestors = (ancestor.key for ancestor in self.dialect.ancestors(number))
        return next((blocks[key] for key in ("", *ancestors) if key in blocks), None)

    def _make_room(self, parent: RuleBlock) -> None:
        """Make sure that rules can be inserted into a rule."""
        if parent.keys.flow:
            raise UserError(f"{parent.key} is written in braces; write its keys on separate lines first")
        if not parent.rules:
            self.change(parent.keys.file.name, *to_text_key(parent.keys))

    def place_moved_rules(self) -> None:
        """Move each renumbered rule, and its entry in known.yml, to its place. Raises UserError."""
        entries = self.moves.outline.entries
        for old, new in self.moves.roots.values():
            if len(new.labels) > 1 and old.key in entries and entries[old.key].rule:
                parent = self.parent_of(new, self.rules)
                if parent is None:
                    number = self.dialect.parent(new) or new
                    raise UserError(
                        f"{number.key} is not transcribed, so the text has no place; transcribe it first"
                    )
                self._make_room(parent)
        self._place(self.rules)
        self._write_blocks(self.chapters)
        if self.list_file:
            self._place(self.listed_rules)
            self._write_blocks([self.list_file])

    def _place(self, blocks: Mapping[str, RuleBlock]) -> None:
        """Move the blocks of renumbered rules to their places, the lowest first."""
        roots = {new.key for _, new in self.moves.roots.values()}
        moved = {new.key for new in self.moves.entries.values()}
        pending: dict[RuleBlock, list[str]] = {}
        for key, block in sorted(blocks.items(), key=lambda item: item[1].ordinals):
            if block.parent and (key in roots or (key in moved and block.parent.key not in moved)):
                pending[block] = []
        for block in pending:
            parent = self.parent_of(block.number, blocks) if block.number else None
            if parent and block.parent is not parent:
                pending[block] = block.remove()
                block.parent = parent
        for block in [*pending]:
            gap = pending.pop(block)
            block.move_to_place(pending, gap)

    def record_former_number(self, entry: RuleEntry, new: RuleNumber) -> None:
        """Add the current number of a rule to its former numbers, or remove it if the rule returns to it."""
        block = self._find_block(entry, new)
        if block is None or block.source_number is None:
            return
        numbers = former_numbers(block.keys)
        last = self.dialect.parse_number(numbers[-1], new.labels[0]) if numbers else None
        numbers = numbers[:-1] if last and last.key == new.key else [*numbers, entry.display_number]
        self.change(block.keys.file.name, *set_former_numbers(block.keys, block.source_number, numbers))

    def _find_block(self, entry: RuleEntry, number: RuleNumber) -> RuleBlock | None:
        """Find the block of a rule: in its chapter, in the list or, for a table's number, its table."""
        if entry.rule:
            return self.rules.get(number.key)
        if entry.listed_rule:
            return self.listed_rules.get(number.key)
        if not any(table.number is entry.printed for table in self.moves.outline.edition.tables):
            return None
        name = entry.printed.file.name
        root = parse_tree(name, self.texts[name])
        source_number = get_value(root, "number")
        return RuleBlock(root, source_number if isinstance(source_number, LocatedText) else None)

    def remove_rule(self, entry: RuleEntry) -> None:
        """Delete a rule with the rules inside it. Raises UserError if its number is that of a table."""
        if block := self.rules.get(entry.key):
            block.remove()
        elif entry.rule or not entry.listed_rule:
            raise UserError(f"{entry.display_number} is the number of a table; delete the table")
        self._write_blocks(self.chapters)
        for rule in entry.iter_subtree():
            if (block := self.listed_rules.get(rule.key)) and block.parent:
                block.remove()
                self._write_blocks([self.list_file])

    def insert(self, number: RuleNumber, lines: Sequence[str], *, is_listed: bool) -> None:
        """Insert a new rule into the rule around it, or into known.yml."""
        if not is_listed and (parent := self.parent_of(number, self.rules)):
            self._make_room(parent)
        parent = self.parent_of(number, self.listed_rules if is_listed else self.rules)
        assert parent
        name = parent.keys.file.name
        line_end = detect_line_ending(self.texts[name])
        block = RuleBlock(parent.keys, None, number, parent=parent)
        block.own_lines = [[f"{line}{line_end}" for line in lines]]
        block.move_to_place((), [])
        self._write_blocks([name])

    def retire(self, entry: RuleEntry, replacements: Sequence[RuleEntry]) -> None:
        """Mark a rule as retired and name its replacements. Raises UserError."""
        block = self._find_block(entry, entry.number)
        if block is None or block.source_number is None or not (entry.rule or entry.listed_rule):
            raise UserError(
                f"{entry.display_number} is neither transcribed nor listed, so it cannot be marked as retired"
            )
        new_keys = {"retired": '"yes"'}
        if replacements:
            numbers = ", ".join(f'"{rule.display_number}"' for rule in replacements)
            new_keys["replaced by"] = f"[{numbers}]" if len(replacements) > 1 else numbers
        self.change(block.keys.file.name, *add_keys(block.keys, block.source_number, new_keys))


def check_room(outline: Outline, number: RuleNumber) -> None:
    """Raise UserError if there is no parent or no file for a new rule."""
    parent_number = outline.edition.dialect.parent(number)
    if parent_number is None:
        return
    parent = outline.entries.get(parent_number.key)
    if parent is None:
        key = parent_number.key
        raise UserError(f"{number.key} would be in {key}, which does not exist; insert {key} first")


class NewRule(NamedTuple):
    """A rule to insert, with the style of its number."""

    number: RuleNumber
    title: str | None
    writer: NumberWriter
    style: NumberStyle

    def keys(self, key: str) -> list[str]:
        """Write the rule as keys, the first of which is its number."""
        title = [f"title: {yaml_scalar(self.title, flow=True)}"] if self.title else []
        return [f'{key}: "{self.writer.write(self.number, self.style)}"', *title]

    def shorthand_keys(self) -> list[str]:
        """Write the rule as a key of its chapter, with the keys below it that do not fit into it."""
        number = self.writer.write(self.number, self.style, self.number.labels[0])
        key, other_keys = write_shorthand_key(number, self.title, own_and_inherited_keys(Chapter))
        lines = (f"  {name}: {yaml_scalar(value)}" for name, value in other_keys.items())
        return [f"{yaml_scalar(key)}:", *lines]

    def __str__(self) -> str:
        number = self.writer.write(self.number, self.style._replace(bracket=False))
        return f"{number} {self.title}" if self.title else number


def new_rule(outline: Outline, number: RuleNumber, number_text: str, title: str | None) -> NewRule:
    """Return a new rule; its number is written like the nearest sibling's or else like `number_text`."""
    writer = NumberWriter(outline.edition.dialect)
    rules = siblings(outline, number)
    rules.sort(key=lambda rule: abs(rule.number.ordinals[-1] - number.ordinals[-1]))
    examples = [(str(rule.printed), rule.number, number.labels[0]) for rule in rules]
    examples.append((number_text.strip(), number, outline.default_chapter))
    styles = (writer.style(*example) for example in examples)
    return NewRule(number, title, writer, next(filter(None, styles), USUAL))


def add_empty_rule(placement: RulePlacement, new: NewRule) -> None:
    """Add a rule without text to its parent if that is transcribed, and to known.yml if necessary."""
    number, parent = new.number, placement.dialect.parent(new.number)
    is_transcribed = parent is not None and parent.key in placement.rules
    if is_transcribed:
        placement.insert(number, new.shorthand_keys(), is_listed=False)
    elif parent is None:
        _add_chapter_file(placement, new)
    # A transcribed rule is listed only if its siblings are.
    listed = [block.number for block in placement.listed_rules.values() if block.number]
    lists_siblings = any(number_rebasing.are_siblings(other, number) for other in listed)
    if listed and (lists_siblings or not is_transcribed):
        placement.insert(number, [f"- {{{', '.join(new.keys('number'))}}}"], is_listed=True)
    elif parent and not is_transcribed:
        name = placement.list_file or "known.yml"
        raise UserError(f"{parent.key} is not transcribed; list {number.key} in {name}, on separate lines")


def _add_chapter_file(placement: RulePlacement, new: NewRule) -> None:
    """Create the file of a new chapter, unless the book only lists its chapters."""
    outline = placement.moves.outline
    edition = outline.edition
    if placement.list_file and not all(chapter.is_transcribed for chapter in outline.chapters):
        return
    slug = f"-{title_slug(new.title)}" if new.title else ""
    name = f"content/{edition.address}/rules/{edition.dialect.chapter_name(new.number)}{slug}.yml"
    if name in placement.texts:
        raise UserError(f"{name} already exists; rename it first")
    placement.texts[name] = "".join(f"{line}\n" for line in new.keys("chapter"))
