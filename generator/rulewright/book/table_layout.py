"""Layout of a table: header lines with spans, rows in groups, and footnotes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, zip_longest

from rulewright.files.located_text import LocatedText
from rulewright.schema.dice import format_rolls, parse_dice
from rulewright.schema.table import (
    ROLL,
    ColumnGroup,
    Row,
    TableGrid,
    TableNote,
    footnote_marks,
    modifies_roll,
)


@dataclass(frozen=True, slots=True)
class HeaderCell:
    """Header over one or several columns."""

    words: LocatedText | str
    column_span: int = 1
    row_span: int = 1
    """Number of header lines that it covers."""
    notes: tuple[int, ...] = ()
    of_row: bool = False
    """It repeats the header of the rows."""

    @property
    def scope(self) -> str:
        return "row" if self.of_row else "colgroup" if self.column_span > 1 else "col"

    @property
    def is_builtin(self) -> bool:
        """Return whether its words are those of the program, so that the site translates them."""
        return not isinstance(self.words, LocatedText)


@dataclass(frozen=True, slots=True)
class BodyCell:
    """Cell of a row."""

    text: LocatedText
    column: str
    scope: str = ""
    row_span: int = 1
    rolls: str = ""
    """Formatted rolls, if it is a cell of rolls."""
    notes: tuple[int, ...] = ()
    column_span: int = 1
    text_end: int | None = None
    """Offset at which footnote marks begin."""
    repeats_row_header: bool = False
    """It repeats the header of its row on the other side."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """Row of the body."""

    index: int
    """Index in the table from 0."""
    cells: tuple[BodyCell, ...]
    """Without cells that are covered by a cell above."""


@dataclass(frozen=True, slots=True)
class TableLayout:
    """Header lines of a table, and a body for each outermost row group."""

    headings: tuple[tuple[HeaderCell, ...], ...]
    bodies: tuple[tuple[TableRow, ...], ...]
    first: str


def display_columns(grid: TableGrid) -> list[str]:
    """Return the displayed columns; the roll comes first, after the row groups."""
    columns = [str(column) for column in dict.fromkeys(grid.columns)]
    if grid.roll and not grid.rolls_down and not grid.rolls_across:
        groups = [column for column in columns if column in grid.row_groups]
        return [*groups, ROLL, *(column for column in columns if column not in groups)]
    return columns


def roll_columns(grid: TableGrid) -> list[str]:
    """Return the columns whose cells are rolls."""
    if grid.roll is None:
        return []
    return [str(name) for name in (grid.rolls_down or grid.rolls_across)] or [ROLL]


def heading_of(column: str, grid: TableGrid) -> str:
    """Return the heading of a column; the heading of the rolls names the dice."""
    if column != ROLL:
        return column
    thrown = parse_dice(grid.roll) if grid.roll else None
    return "Modified roll" if modifies_roll(grid) else "Dice" if thrown and thrown.count > 1 else "Die"


def layout_table(grid: TableGrid, notes: Sequence[TableNote] = ()) -> TableLayout:
    """Lay out a table with the notes below it."""
    columns = display_columns(grid)
    signs: dict[str, tuple[int, ...]] = {}
    for index, note in enumerate(notes):
        if note.at and note.mark:
            signs[note.at] = (*signs.get(note.at, ()), index)
    outer = next((column for column in columns if column in grid.row_groups), None)
    bodies: list[list[TableRow]] = []
    for row in _table_rows(grid, columns, signs, notes):
        if not bodies or any(cell.column == outer for cell in row.cells):
            bodies.append([])
        bodies[-1].append(row)
    return TableLayout(_header_lines(grid, columns, signs), tuple(map(tuple, bodies)), columns[0])


def _header_lines(
    grid: TableGrid, columns: list[str], signs: dict[str, tuple[int, ...]]
) -> tuple[tuple[HeaderCell, ...], ...]:
    """Return one header line, or two if columns have group headings."""
    columns_by_name = {str(column): column for column in grid.columns}
    words = {name: columns_by_name.get(name) or heading_of(name, grid) for name in columns}
    group_of = {str(name): group for group in grid.column_groups for name in group.columns}
    if grid.head_rows:
        return tuple(map(tuple, _head_row_lines(grid, columns, signs, group_of)))
    both = (HeaderCell(words[columns[0]], row_span=2 if group_of else 1, of_row=True),) if grid.heads else ()
    if not group_of:
        return ((*(HeaderCell(words[name], notes=signs.get(name, ())) for name in columns), *both),)
    top: list[HeaderCell] = []
    below: list[HeaderCell] = []
    for group, names in groupby(columns, group_of.get):
        cells = [HeaderCell(words[name], notes=signs.get(name, ())) for name in names]
        if group is None:
            top += [replace(cell, row_span=2) for cell in cells]
        else:
            top.append(HeaderCell(group.title, len(cells)))
            below += cells
    return (*top, *both), tuple(below)


def _head_row_lines(
    grid: TableGrid,
    columns: list[str],
    signs: dict[str, tuple[int, ...]],
    group_of: Mapping[str, ColumnGroup],
) -> Iterator[list[HeaderCell]]:
    """Yield a header line for each row of heads, with its name above the row headers; column groups come
    first.
    """
    count = max(1, len(columns) - max(map(len, grid.head_rows.values())))
    lead, below = columns[:count], columns[count:]
    if group_of:
        groups = groupby(below, group_of.get)
        line = [HeaderCell("", count)]
        for group, names in groups:
            line.append(HeaderCell(group.title if group else "", len(list(names))))
        yield [*line, *([HeaderCell("")] if grid.heads else [])]
    for index, (name, head_texts) in enumerate(grid.head_rows.items()):
        line = [
            HeaderCell(column, row_span=len(grid.head_rows), notes=signs.get(column, ()))
            for column in lead[:-1]
        ]
        name_cell = HeaderCell(name, of_row=True)
        words = zip_longest(head_texts[: len(below)], below, fillvalue="")
        own_signs = {} if index else signs
        yield [
            *(() if index else line),
            name_cell,
            *(HeaderCell(head, notes=own_signs.get(column, ())) for head, column in words),
            *([name_cell] if grid.heads else []),
        ]


def _table_rows(
    grid: TableGrid, columns: list[str], signs: dict[str, tuple[int, ...]], notes: Sequence[TableNote]
) -> list[TableRow]:
    rolls = roll_columns(grid)
    merged = {str(column) for column in grid.merged}.difference(rolls, grid.row_groups)
    groups = [column for column in columns if column in grid.row_groups]
    head = ROLL if ROLL in rolls else next((c for c in columns if c not in groups and c not in rolls), None)

    def group_values(row: Row) -> list[LocatedText | None]:
        return [row.get(LocatedText(column)) for column in groups]

    keys = list(map(group_values, grid.rows))  # rows are merged while these begin with the same values
    lines: list[TableRow] = []
    for index, row in enumerate(grid.rows):
        cells: list[BodyCell] = []
        last = ""
        for column in columns:
            text = row.get(LocatedText(column))
            before, last = last, column
            if text is None:
                continue
            if {before, column} <= merged and cells and cells[-1].text == text:
                cells[-1] = replace(cells[-1], column_span=cells[-1].column_span + 1)
                continue
            row_span, scope = 1, "row" if column == head and not grid.rolls_down else ""
            if column in groups:
                depth = groups.index(column) + 1
                key = keys[index][:depth]
                if index and keys[index - 1][:depth] == key:
                    continue
                while index + row_span < len(keys) and keys[index + row_span][:depth] == key:
                    row_span += 1
                scope = "rowgroup" if row_span > 1 and depth == 1 else "row"
            is_roll = column in rolls
            rolls_text = format_rolls(text) if is_roll else ""
            end, cell_notes = (len(text), ()) if is_roll else footnote_marks(text, notes)
            cell_notes += signs.get(text, ()) if column == head else ()
            cells.append(BodyCell(text, column, scope, row_span, rolls_text, cell_notes, text_end=end))
        if grid.heads:
            head_cells = [cell for cell in cells if cell.column == head]
            cells += [replace(cell, repeats_row_header=True, scope="") for cell in head_cells]
        lines.append(TableRow(index, tuple(cells)))
    return lines
