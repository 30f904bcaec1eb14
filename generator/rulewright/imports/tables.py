"""Tables of a source as table files: heads, dice, cells."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, count, groupby

from rulewright.files.yaml_writer import InlineCollection, QuotedString, Value
from rulewright.imports import Entries
from rulewright.imports.blocks import Cell, Runs, SourceBlock, is_bold, plain
from rulewright.schema import dice
from rulewright.schema.problem_reports import plural
from rulewright.schema.table import ROLL

EMPTY = "—"
_ROLL_WORDS = re.compile(r"\b(?:rolls?|die|dice|dr|wurf|würfel\w*|dés?|tirada|dado|\d*d\d+)\b", re.IGNORECASE)
_DICE = re.compile(r"\b(\d{0,2}[dD]\d{1,3})\b")
_USUAL = ("1d6", "2d6", "1d10", "d66", "1d20", "3d6", "2d10", "1d8", "1d12", "1d100")
_MAX_LISTED, _MAX_TITLE = 5, 80
_MAX_SPAN = 100
"""Columns and rows of a table that cells may span."""


@dataclass(frozen=True, slots=True)
class TableDraft:
    """A table: the rows of its heads and of its body, all of the same length."""

    header_rows: Sequence[Sequence[str]]
    body: Sequence[Sequence[str]]

    def columns(self) -> list[str]:
        """Return a heading for each column, each different from the others."""
        rows = self.header_rows
        if rows and len({*rows[-1]}) == len(rows[-1]):
            rows = rows[-1:]  # the upper heads are groups of columns
        columns = [ROLL]
        for index in range(len(self.body[0])):
            words = " ".join(dict.fromkeys(row[index] for row in rows if row[index])) or EMPTY
            numbered = (f"{words} {number}" for number in count(2))
            columns.append(next(name for name in chain([words], numbered) if name not in columns))
        return columns[1:]

    def entries(self, address: Entries, title: str, text: str, context: str) -> tuple[Entries, str]:
        """Return the keys of the table's file, and what is wrong with its rolls.

        `address`: its number or id; `context`: words that may name the dice.
        """
        columns = self.columns()
        roll, fault = _detect_dice(columns, self.body, context)
        entries: Entries = {**address, "title": title}
        entries |= {"text": text} if text else {}
        entries |= {"roll": roll} if roll else {}
        entries["columns"] = columns[bool(roll) :]
        upper = self.header_rows[0] if len(self.header_rows) == 2 else [""] * len(columns)
        groups: list[Value] = []
        for name, pairs in groupby(zip(upper[1:], columns[1:], strict=True), lambda pair: pair[0]):
            inner = [column for _, column in pairs]
            group = InlineCollection({"title": name, "columns": inner})
            groups += [group] if name and inner != [name] else []
        entries |= {"column groups": groups} if groups else {}
        names = [ROLL if roll else columns[0], *columns[1:]]
        rows: list[Value] = []
        for row in self.body:
            cells: Entries = {}
            for name, cell in zip(names, row, strict=True):
                is_quoted = name == ROLL or re.fullmatch(r"[\d.,+−-]+", cell)
                cells[name] = QuotedString(cell) if is_quoted else cell or EMPTY
            rows.append(InlineCollection(cells))
        return {**entries, "rows": rows}, fault


def with_titles_above(blocks: Iterable[SourceBlock]) -> Iterator[tuple[SourceBlock, str]]:
    """Yield blocks, each with the heading or bold words above it that may be the title of a table."""
    above = ""
    for block in blocks:
        yield block, above
        words = plain(block.runs)
        if block.kind == "heading" or (words and is_bold(block.runs)):
            above = words if len(words) < _MAX_TITLE else ""
        elif block.kind == "table":
            above = ""


def draft_table(block: SourceBlock, words: Callable[[Runs], str]) -> TableDraft | None:
    """Return the words of a table in rows of the same length; None if it has no body."""
    rows = _expand_spans(block.rows, words)
    texts: list[list[str]] = []
    head_count = 0
    for row in rows:
        is_head = any(is_header for is_header, _ in row) and all(header or not text for header, text in row)
        head_count += is_head and head_count == len(texts)
        texts.append([text for _, text in row])
    return draft_rows(texts, min(max(1, head_count), len(rows) - 1))  # a table has a row below its heads


def _expand_spans(
    rows: Sequence[Sequence[Cell]], words: Callable[[Runs], str]
) -> list[list[tuple[bool, str]]]:
    """Return rows of the same length: whether a cell is a head, and its words, wherever it spans."""
    filled: dict[tuple[int, int], tuple[bool, str]] = {}
    for y, row in enumerate(rows):
        x = 0
        for cell in row:
            while (y, x) in filled:
                x += 1
            value = cell.is_header, words(cell.runs)
            for down in range(min(cell.rows, _MAX_SPAN, len(rows) - y)):
                for right in range(min(cell.columns, max(_MAX_SPAN - x, 1))):
                    filled[y + down, x + right] = value
    width = max((x for _, x in filled), default=-1) + 1
    grid = [[(False, "")] * width for _ in rows]
    for (y, x), value in filled.items():
        grid[y][x] = value
    return grid


def draft_rows(rows: list[list[str]], head_count: int = 1) -> TableDraft | None:
    """Return the table of rows of the same length; None if it has no body.

    A first row without a first cell is a second row of heads: its columns belong to the groups above it.
    """
    if head_count == 1 and len(rows) > 2 < len(rows[0]) and not rows[1][0] and all(rows[1][1:]):
        head_count = 2
        for index in range(1, len(rows[0])):
            rows[0][index] = rows[0][index] or rows[0][index - 1]
        rows[1][0] = rows[0][0]
    body = [row for row in rows[head_count:] if any(row)] or rows[head_count:][:1]
    return TableDraft(rows[:head_count], body) if body else None


def _detect_dice(columns: Sequence[str], body: Sequence[Sequence[str]], context: str) -> tuple[str, str]:
    """Return the dice of a table whose first column holds rolls, and which rolls it lacks or has twice."""
    cells = [dice.parse_roll_ranges(row[0]) for row in body]
    named_dice = _DICE.search(f"{columns[0]} {context}")
    is_roll = named_dice or _ROLL_WORDS.search(columns[0])
    if not is_roll or len(columns) < 2 or not all(cells):
        return "", ""
    ranges = [rolls for cell in cells for rolls in cell or ()]
    fault = ""
    for option in (named_dice[1].lower(),) if named_dice else _USUAL:
        thrown = dice.parse_dice(option)
        possible = thrown.rolls if thrown else ()
        is_inside = all(end is None or end in possible for rolls in ranges for end in (rolls.low, rolls.high))
        uses = Counter(roll for rolls in ranges for roll in possible if roll in rolls)
        wrong = [f"{plural(uses[roll], 'row')} for {roll}" for roll in possible if uses[roll] != 1]
        if is_inside and not wrong:
            return option, ""
        if is_inside and len(wrong) * 2 < len(possible):
            fault = fault or f": rolled with {option}, {', '.join(wrong[:_MAX_LISTED])}"
    return "", f"“{columns[0]}” looks like dice, but its rows do not hold for each roll once{fault}"
