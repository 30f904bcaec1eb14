"""Types for `tables/*.yml`: a table, its columns, rows, modifiers and notes.

A roll selects a result in one of three ways: each row has its rolls in `roll`; or some columns contain rolls
(`rolls down`), each column with every roll once; or each row contains every roll once in its cells (`rolls
across`), and the column is the result.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rulewright.files.located_text import LocatedText, Node, YamlMapping, YamlSequence
from rulewright.files.problems import quote_short
from rulewright.schema.rulebook import FORMERLY
from rulewright.schema.yaml_fields import OptionalText, Texts, field_key, list_field, mapping_field

ROLL = "roll"
"""The key of a row for its rolls."""

Row = Mapping[LocatedText, LocatedText]

COLUMNS = "The headings of its columns, from left to right; or named rows of headings."


_MODIFIER_VALUE = re.compile(r"[+−±-]\d*")
_EMPTY_CELLS = {"—", "–", "-", "·", "*"}
_SHIFT = re.compile(r"(?:[+−-]?\d+ ?)?(?:L|R|left|right|columns? (?:left|right))|[+−-]\d+ columns?|\d* ?[←→]")


@dataclass(frozen=True, slots=True)
class ColumnGroup:
    """Columns under one heading."""

    title: LocatedText = field_key("The heading over the columns.", must=True, example="Movement Points")
    columns: Texts = list_field("The adjacent columns below it.", must=True, example="[Foot, Wheel]")


@dataclass(frozen=True, slots=True)
class Modifier:
    """Amount added to a roll before the table is read, or number of columns to shift."""

    value: LocatedText = field_key(
        "`+1` or `-2`, to shift columns `1L` or `2R`; without a number if the amount is that of `of`.",
        must=True,
        example='"+1"',
    )
    of: OptionalText = field_key(
        "The source of the amount: the attacker's rating.", prose=True, example="the attacker's air rating"
    )
    when: OptionalText = field_key("When it applies.", prose=True, example="in Rain")
    see: Texts = list_field("The rules that govern it.", cites=True, lone=True, example='"4.6"')


@dataclass(frozen=True, slots=True)
class TableNote:
    """A note below a table."""

    text: LocatedText = field_key("The note.", must=True, prose=True, example="Only at low tide (16.4).")
    mark: OptionalText = field_key(
        "Its footnote mark: 1, *, †. Marks that are no letters or numbers may end any cell.", example='"*"'
    )
    at: OptionalText = field_key(  # plain: ok
        "The place of its mark: the heading of a column, or the first cell of a row.", example="Stack"
    )


@dataclass(frozen=True, slots=True)
class TableGrid:
    """Columns and rows, and the dice that select a row."""

    title: OptionalText = field_key("The book's title for it.", prose=True, example="Attrition Table")
    roll: OptionalText = field_key(
        "The dice rolled on it: 1d6, 2d6, 1d10-1 for 0 to 9, d%, d66, 2W6.", example="2d6"
    )
    columns: Texts = list_field(COLUMNS, or_named=True, apart=True, example="[Foot, Wheel, Track]")
    head_rows: Mapping[LocatedText, tuple[LocatedText, ...]] = mapping_field(
        "Rows of headings above the columns, by name: odds by terrain, costs. `columns` may contain "
        "them too.",
        one="heads",
        example='{Odds: ["1:2", "1:1", "2:1"]}',
    )
    heads: OptionalText = field_key(  # plain: ok
        "`both` to repeat the headings of rows on the right.", words="heads", example="both"
    )
    column_groups: tuple[ColumnGroup, ...] = list_field(
        "Headings over several columns.", example="[{title: Movement Points, columns: [Foot, Wheel]}]"
    )
    row_groups: Texts = list_field(
        "Columns whose equal adjacent cells are merged vertically.", example="[Week]"
    )
    merged: Texts = list_field(
        "Columns whose equal adjacent cells are merged horizontally.", example="[Foot, Wheel]"
    )
    rolls_down: Texts = list_field(
        "Columns whose cells are rolls; each column covers every roll once.", example="[First week, Later]"
    )
    rolls_across: Texts = list_field(
        "Columns whose cells are rolls; each row covers every roll once.", example="[Failure, Success]"
    )
    rows: tuple[Row, ...] = list_field(
        "A cell for each column, and the rolls of the row in `roll`; or only the cells, in the order "
        "of the columns, the roll first.",
        must=True,
        or_listed=True,
        apart=True,
        example='[{roll: 2..4, Foot: A1, Wheel: "-"}]',
    )
    results: Mapping[LocatedText, LocatedText] = mapping_field(
        "The results in its cells with their meanings; # is any number.",
        one="result",
        example='{"A#": "The attacker loses # steps."}',
    )
    modifiers: tuple[Modifier, ...] = list_field(
        "The modifiers of its roll.", one="modifier", example='[{value: "+1", when: in Rain}]'
    )

    @staticmethod
    def expand_shorthand(
        mapping: Mapping[LocatedText, Node | None], parent: Node | None = None
    ) -> dict[LocatedText, Node | None]:
        """Return the keys of a table in their long form.

        Each row becomes a mapping of its columns. Rows of headings are separated from the names of the
        columns, which the first row of different headings provides. `parent`: the columns of the first roll.
        """
        expanded: dict[Any, Node | None] = dict(mapping)
        by_row = "roll" in expanded and not ("rolls down" in expanded or "rolls across" in expanded)
        groups = _items(expanded.get("row groups"))
        columns = expanded.get("columns")
        if isinstance(columns, YamlMapping):
            headings = [_items(row) for row in columns.entries.values() if isinstance(row, YamlSequence)]
            differing = (row for row in headings if len({*row}) == len(row))
            below = next(differing, headings[0] if headings else [])
            lead = [*groups] if by_row else [*groups, *columns.entries][: len(groups) + 1]
            expanded["head rows"] = columns
            columns = YamlSequence(columns.file, columns.start, columns.end, items=[*lead, *below])
            expanded["columns"] = columns
        columns, rows = columns or parent, expanded.get("rows")
        if isinstance(columns, YamlSequence) and isinstance(rows, YamlSequence):
            names = [str(item) for item in columns.items if isinstance(item, LocatedText)]
            order = sorted(names, key=lambda name: name not in groups)
            if by_row:
                order.insert(sum(name in groups for name in order), ROLL)
            items = [_row_with_keys(row, order) for row in rows.items]
            expanded["rows"] = YamlSequence(rows.file, rows.start, rows.end, items=items)
        then_node = expanded.get("then")
        if isinstance(then_node, YamlMapping):
            entries = TableGrid.expand_shorthand(then_node.entries, columns)
            expanded["then"] = YamlMapping(then_node.file, then_node.start, then_node.end, entries=entries)
        return expanded


@dataclass(frozen=True, slots=True)
class SecondRoll(TableGrid):
    """Second roll after the first. It has the columns of the table unless it declares others."""


@dataclass(frozen=True, slots=True)
class Table(TableGrid):
    """File in `tables/`: one table of an edition."""

    title: LocatedText = field_key(
        "The book's title for it.", must=True, prose=True, example="Attrition Table"
    )
    number: OptionalText = field_key("The number as printed.", apart="name", example='"12.10"')
    formerly: Texts = list_field(FORMERLY, lone=True, apart="name", example='"12.9"')
    id: OptionalText = field_key(
        "A short name for steps and URLs, if the table has no number.",
        apart="name",
        example="air-unit-movement",
    )
    text: OptionalText = field_key(
        "Its purpose and use.", prose=True, example="The phasing player rolls once (12.8)."
    )
    columns: Texts = list_field(COLUMNS, must=True, or_named=True, apart=True, example="[Foot, Wheel, Track]")
    notes: tuple[TableNote, ...] = list_field(
        "Notes below the table.", one="note", example='[{mark: "*", text: Only at low tide.}]'
    )
    was: OptionalText = field_key(  # plain: ok
        "Its number, id or title in the edition that this one follows, or `none`.",
        apart="name",
        example='"12.9"',
    )
    then: SecondRoll | None = field_key(  # plain: ok
        "A second roll that follows the first.", apart=True, example="{title: Losses, roll: 1d6, rows: […]}"
    )


def _items(node: Node | None) -> list[Node]:
    """Return the items of a list, or a single value as one."""
    return node.items if isinstance(node, YamlSequence) else [node] if node else []


def _row_with_keys(row: Node, columns: Sequence[str]) -> Node:
    """Return a list of cells as a mapping of columns; excess cells get names that are no columns."""
    if not isinstance(row, YamlSequence):
        return row
    entries: dict[LocatedText, Node | None] = {}
    for index, cell in enumerate(row.items):
        name = columns[index] if index < len(columns) else f"number {index + 1}"
        entries[LocatedText.from_source(name, row.file, cell.start, cell.start)] = cell
    return YamlMapping(row.file, row.start, row.end, entries=entries)


def is_shift(value: str) -> bool:
    """Return whether a modifier shifts columns: `1L`, `2 right`, `+1 column`, `→`."""
    return bool(_SHIFT.fullmatch(value))


def modifies_roll(grid: TableGrid) -> bool:
    """Return whether a table has modifiers that change its roll."""
    return not all(is_shift(modifier.value) for modifier in grid.modifiers)


def footnote_marks(cell: str, notes: Sequence[TableNote]) -> tuple[int, tuple[int, ...]]:
    """Return the end of a cell without its footnote marks, and the indexes of their notes: A1* is A1.

    Marks that are letters or numbers may be part of the result, so they are ignored.
    """
    indexes: dict[str, int] = {}
    for index, note in enumerate(notes):
        if note.mark and not re.search(r"[^\W_]", note.mark):
            indexes.setdefault(note.mark, index)
    end, found_indexes = len(cell), list[int]()
    while marks := [mark for mark in indexes if cell.endswith(mark, 0, end)]:
        mark = max(marks, key=len)
        end = len(cell[: end - len(mark)].rstrip())
        found_indexes.insert(0, indexes[mark])
    return (end, tuple(found_indexes)) if end else (len(cell), ())


def modifier_fault(modifier: Modifier) -> str:
    """Return the fault of a modifier, or an empty string."""
    if not _MODIFIER_VALUE.fullmatch(modifier.value) and not is_shift(modifier.value):
        usual = "write +1, -1, or a sign alone: +, -, ±; 1L or 2R for a shift of columns"
        return f"{quote_short(modifier.value)} is no modifier; {usual}"
    if not any(map(str.isdigit, modifier.value)) and not modifier.of:
        return f"{modifier.value} has no amount; write of: what it is taken from, or a number after the sign"
    if not (modifier.of or modifier.when or modifier.see):
        return f"nothing says when {modifier.value} applies; add when:, of: or see:"
    return ""


def match_results(cell: str, known: Sequence[str]) -> int:
    """Return the length of the part of a cell that consists of results and separators."""
    if cell.strip() in _EMPTY_CELLS:
        return len(cell)
    patterns = [re.compile(re.escape(name).replace(r"\#", r"[\d½¼¾]+")) for name in known]
    patterns.append(re.compile(r"[\s,;/+&]+"))
    reached, furthest = {0}, 0
    for offset in range(len(cell)):
        if offset in reached:
            furthest = offset
            reached |= {m.end() for pattern in patterns if (m := pattern.match(cell, offset))}
    return len(cell) if len(cell) in reached else furthest


def roll_groups(grid: TableGrid) -> Iterator[list[LocatedText]]:
    """Yield the cells that together must cover each roll once: of a column, a row or a row group."""
    if grid.rolls_across:
        for row in grid.rows:
            yield [row[name] for name in grid.rolls_across if name in row]
        return
    groups: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
    for index, row in enumerate(grid.rows):
        groups[tuple(row.get(LocatedText(name), "") for name in grid.row_groups)].append(index)
    for indices in groups.values():
        for name in grid.rolls_down or (LocatedText(ROLL),):
            yield [grid.rows[index][name] for index in indices if name in grid.rows[index]]


def result_cells(grid: TableGrid) -> Iterator[LocatedText]:
    """Yield the cells with results: all except those that select the row."""
    if grid.rolls_across:
        yield from grid.rolls_across
        return
    row_finders = {ROLL, *grid.rolls_down, *grid.row_groups}
    if not grid.roll:
        row_finders |= {column for column in grid.columns if column not in row_finders} - set(
            grid.columns[1:]
        )
    for row in grid.rows:
        yield from (
            cell for column, cell in row.items() if column in grid.columns and column not in row_finders
        )


def named_columns(grid: TableGrid) -> Iterator[tuple[LocatedText, str]]:
    """Yield the names of columns in other keys of a table, with the key."""
    yield from ((name, "row groups") for name in grid.row_groups)
    yield from ((name, "merged") for name in grid.merged)
    yield from ((name, "rolls down") for name in grid.rolls_down)
    yield from ((name, "rolls across") for name in grid.rolls_across)
    yield from ((name, "this group") for group in grid.column_groups for name in group.columns)
