"""Rules of a file as blocks of lines, which can be moved, added and removed.

The block of a rule begins with the comments directly above it and ends with the deeper indented comments
below it, which could become part of another rule's text. The gaps between rules, mostly empty lines, belong
to the rule around them and stay where they are if rules change places.
"""

from __future__ import annotations

import io
import re
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, field

from rulewright.edit.key_edits import inner_column
from rulewright.files.located_text import LocatedText, Node, YamlMapping, YamlSequence, get_value
from rulewright.files.text_edits import detect_line_ending
from rulewright.files.yaml_tree import load_yaml_tree
from rulewright.numbering.numbering_scheme import NumberingScheme, RuleNumber
from rulewright.schema.rulebook import Chapter

_COMMENT_LINE = re.compile(r"([ \t]*)#")


@dataclass(eq=False)
class RuleBlock:
    """Lines of a rule, of an entry of a list or of a file, with the blocks in it."""

    keys: YamlMapping
    source_number: LocatedText | None = None
    number: RuleNumber | None = None  # None for a file with a list
    column: int = 0
    rules_column: int = 0  # column of the blocks in it
    parent: RuleBlock | None = None
    # Lines before the first inner block, between two of them, and after the last.
    own_lines: list[list[str]] = field(default_factory=lambda: [[]])
    rules: list[RuleBlock] = field(default_factory=list)

    @property
    def key(self) -> str:
        return self.number.key if self.number else ""

    @property
    def ordinals(self) -> tuple[float, ...]:
        return self.number.ordinals if self.number else ()

    def lines(self) -> list[str]:
        lines = [*self.own_lines[0]]
        for rule, gap in zip(self.rules, self.own_lines[1:], strict=True):
            lines += [*rule.lines(), *gap]
        return lines

    def iter_blocks(self) -> Iterator[RuleBlock]:
        yield self
        for rule in self.rules:
            yield from rule.iter_blocks()

    def append(self, rule: RuleBlock) -> None:
        self.rules.append(rule)
        self.own_lines.append([])
        rule.parent = self

    def insert(self, index: int, rule: RuleBlock, gap: list[str]) -> None:
        """Insert a block; `gap` separates it at an end, elsewhere the gap of its new neighbours."""
        rule.indent(self.rules_column - rule.column)
        if not self.rules:
            return self.append(rule)
        if 0 < index < len(self.rules) and _is_blank(self.own_lines[index]):
            gap = self.own_lines[index]
        self.own_lines.insert(max(index, 1), [*gap])
        self.rules.insert(index, rule)
        rule.parent = self
        return None

    def remove(self) -> list[str]:
        """Take the block out of its parent; return the gap that goes with it."""
        assert self.parent
        siblings, gaps = self.parent.rules, self.parent.own_lines
        index = siblings.index(self)
        siblings.remove(self)
        before, after = gaps[index], gaps.pop(index + 1)
        if index < len(siblings) and _is_blank(after):
            return after
        if 0 < index == len(siblings) and _is_blank(before):
            gaps[index] = after
            return before
        gaps[index] = [*before, *after]
        return []

    def move_to_place(self, pending: Container[RuleBlock], gap: list[str]) -> None:
        """Move the block to its place among the rules of its parent that are not `pending` themselves."""
        assert self.parent
        siblings = self.parent.rules
        lower, higher = self._neighbours(pending)
        if self not in siblings:
            self.parent.insert(lower + 1 if lower >= 0 else higher, self, gap)
        elif not lower < siblings.index(self) < higher:
            siblings.remove(self)
            lower, higher = self._neighbours(pending)
            siblings.insert(lower + 1 if lower >= 0 else higher, self)

    def _neighbours(self, pending: Container[RuleBlock]) -> tuple[int, int]:
        """Return the index of the last sibling with a lower number, and of the first with a higher one."""
        assert self.parent
        assert self.number
        lower, higher = -1, len(self.parent.rules)
        for index, rule in enumerate(self.parent.rules):
            number = rule.number
            if rule is self or rule in pending or not number:
                continue
            is_chapter = number.family == self.number.family and len(number.labels) == 1
            if number.shape == self.number.shape or is_chapter:
                if number.ordinals < self.number.ordinals:
                    lower = index
                elif number.ordinals > self.number.ordinals:
                    higher = min(higher, index)
        return lower, higher

    def indent(self, count: int) -> None:
        """Indent all lines by more columns, or by fewer."""
        self.column += count
        self.rules_column += count
        for lines in self.own_lines:
            for index, line in enumerate(lines):
                if line.strip():
                    lines[index] = " " * count + line.removeprefix(" " * -count)
        for rule in self.rules:
            rule.indent(count)


def _is_blank(lines: Iterable[str]) -> bool:
    return not "".join(lines).strip()


def parse_tree(name: str, text: str) -> YamlMapping:
    """Parse a file that is known to be a valid mapping."""
    root, _ = load_yaml_tree(name, text.encode())
    assert isinstance(root, YamlMapping), f"{name} was read before"
    return root


def split_lines(text: str) -> list[str]:
    """Return the lines of a text with their line ends, which the last one gets too."""
    lines = io.StringIO(text, newline="").readlines()
    if lines and not lines[-1].endswith(("\n", "\r")):
        lines[-1] += detect_line_ending(text)
    return lines


def read_chapter(name: str, text: str, dialect: NumberingScheme) -> RuleBlock:
    """Return the block of a chapter."""
    root, lines = parse_tree(name, text), split_lines(text)
    source_number = get_value(root, "chapter")
    assert isinstance(source_number, LocatedText)
    number = dialect.parse_number(source_number)
    chapter = RuleBlock(root, source_number, number)
    if number:
        _read_inner_rules(chapter, dialect, number.labels[0], lines, 0, len(lines))
    return chapter


def read_list(name: str, text: str, dialect: NumberingScheme) -> RuleBlock:
    """Return the block of `known.yml` with a block for each entry."""
    file, lines = RuleBlock(parse_tree(name, text)), split_lines(text)
    items = get_value(file.keys, "known")
    entries = items.items if isinstance(items, YamlSequence) and not items.flow else []
    _read_blocks(file, entries, dialect, "", lines, 0, len(lines))
    file.rules_column = file.rules[0].column if file.rules else 0
    return file


def _read_inner_rules(
    block: RuleBlock, dialect: NumberingScheme, chapter: str, lines: list[str], first: int, last: int
) -> None:
    """Add the rules in a rule, unless it is written in braces."""
    items = Chapter.expand_shorthand(block.keys.entries).get(LocatedText("rules"))
    rules = items.items if isinstance(items, YamlSequence) and not block.keys.flow else []
    block.rules_column = inner_column(block.keys)
    _read_blocks(block, rules, dialect, chapter, lines, first, last)


def _read_blocks(
    block: RuleBlock,
    items: Iterable[Node],
    dialect: NumberingScheme,
    chapter: str,
    lines: list[str],
    first: int,
    last: int,
) -> None:
    """Divide the lines of a block among the numbered entries in it and its own."""
    for keys in items:
        source_number = get_value(keys, "number")
        number = dialect.parse_number(str(source_number), chapter) if source_number else None
        if isinstance(keys, YamlMapping) and isinstance(source_number, LocatedText) and number:
            start, end, column = find_lines(keys, lines, first)
            block.own_lines[-1] += lines[first:start]
            entry = RuleBlock(keys, source_number, number, column)
            _read_inner_rules(entry, dialect, chapter, lines, start, end)
            block.append(entry)
            first = end
    block.own_lines[-1] += lines[first:last]


def find_lines(keys: YamlMapping, lines: list[str], min_start: int) -> tuple[int, int, int]:
    """Return the lines of an entry with its comments, from the first to after the last, and its column."""
    text = keys.file.text
    offset = keys.start if keys.shorthand_key is not None else text.rfind("-", 0, keys.start)
    place = keys.file.location(offset)
    start, column = place.line - 1, place.column - 1
    while start > min_start and (comment := _COMMENT_LINE.match(lines[start - 1])):
        if len(comment[1]) > column:  # it belongs to the text above
            break
        start -= 1
    end = keys.file.location(len(text[: keys.end].rstrip()) - 1).line
    for position in range(end, len(lines)):
        comment = _COMMENT_LINE.match(lines[position])
        if comment and len(comment[1]) > column:
            end = position + 1
        elif lines[position].strip():
            break
    return start, end, column
