"""Builder of the cells of a table: header lines with spans, rows in groups, and footnotes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby, takewhile, zip_longest

from rulewright.book.table_columns import display_columns, heading_of, roll_columns
from rulewright.document.nodes import BodyCellNode, HeaderCellNode, Line, RowNode
from rulewright.files.located_text import LocatedText
from rulewright.schema.amended_text import AmendedText
from rulewright.schema.dice import format_rolls
from rulewright.schema.table import ROLL, ColumnGroup, Row, TableGrid, TableNote, footnote_marks


class GridBuilder:
    """Builder of the cells of a roll. `line`: returns the nodes of a text, or of what is before an offset."""

    def __init__(
        self, grid: TableGrid, notes: Sequence[TableNote], line: Callable[[LocatedText, int | None], Line]
    ) -> None:
        self.grid, self.notes, self.line = grid, notes, line
        self.columns, self.rolls = display_columns(grid), roll_columns(grid)
        self.groups = [column for column in self.columns if column in grid.row_groups]
        self.merged = {str(column) for column in grid.merged}.difference(self.rolls, self.groups)
        plain_columns = (name for name in self.columns if name not in (*self.groups, *self.rolls))
        self.head = ROLL if ROLL in self.rolls else next(plain_columns, None)
        """The column with the headers of the rows."""
        group_keys = list(map(LocatedText, self.groups))
        self.group_values = [list(map(row.get, group_keys)) for row in grid.rows]
        self.marks: dict[str, tuple[int, ...]] = {}
        """The indexes of the notes of each heading."""
        for index, note in enumerate(notes):
            if note.at and note.mark:
                self.marks[note.at] = (*self.marks.get(note.at, ()), index)

    # Headings

    def headings(self) -> tuple[tuple[HeaderCellNode, ...], ...]:
        """Return the header lines: one for each row of headings, and one for headings of several columns."""
        grid, names = self.grid, self.columns
        texts = {str(name): name for name in grid.columns}
        words = {name: texts.get(name) or heading_of(name, grid) for name in names}
        group_of = {str(name): group for group in grid.column_groups for name in group.columns}
        if grid.head_rows:
            count = max(1, len(names) - max(map(len, grid.head_rows.values())))
            return tuple(map(tuple, self._head_lines(names[:count], names[count:], group_of)))
        top: list[HeaderCellNode] = []
        below: list[HeaderCellNode] = []
        row_span = 2 if group_of else 1
        for group, members in groupby(names, group_of.get):
            columns = list(members)
            if group:
                top.append(self._heading(group.title, column_span=len(columns)))
                below += [self._heading(words[name], name) for name in columns]
            else:
                top += [self._heading(words[name], name, row_span=row_span) for name in columns]
        if grid.heads:
            top.append(self._heading(words[names[0]], row_span=row_span, of_row=True))
        return (tuple(top), tuple(below)) if group_of else (tuple(top),)

    def _head_lines(
        self, lead: Sequence[str], columns: Sequence[str], group_of: Mapping[str, ColumnGroup]
    ) -> Iterator[list[HeaderCellNode]]:
        """Yield a line for each row of headings, with its name above the headers of the rows.

        Headings of several columns come first. `lead`: the columns of the headers of the rows.
        """
        rows, last = self.grid.head_rows, [self._heading("")] if self.grid.heads else []
        if group_of:
            line = [self._heading("", column_span=len(lead))]
            for group, members in groupby(columns, group_of.get):
                line.append(self._heading(group.title if group else "", column_span=len(list(members))))
            yield [*line, *last]
        for index, (name, texts) in enumerate(rows.items()):
            is_first, name_cell = index == 0, self._heading(name, of_row=True)
            line = [self._heading(column, column, row_span=len(rows)) for column in lead[:-1] if is_first]
            line.append(name_cell)
            for text, column in zip_longest(texts[: len(columns)], columns, fillvalue=""):
                line.append(self._heading(text, column if is_first else ""))
            yield [*line, name_cell] if self.grid.heads else line

    def _heading(
        self,
        words: LocatedText | str,
        column: str = "",
        *,
        column_span: int = 1,
        row_span: int = 1,
        of_row: bool = False,
    ) -> HeaderCellNode:
        """Return a heading. `column`: the one whose notes it has; `of_row`: it is above row headers."""
        return HeaderCellNode(
            inline=self.line(words, None) if isinstance(words, AmendedText) else (str(words),),
            is_builtin=not isinstance(words, LocatedText),
            scope="row" if of_row else "colgroup" if column_span > 1 else "col",
            column_span=column_span,
            row_span=row_span,
            notes=self.marks.get(column, ()),
        )

    # Rows

    def bodies(self) -> tuple[tuple[RowNode, ...], ...]:
        """Return the rows, those of each outermost group together."""
        bodies: list[list[RowNode]] = []
        for index, row in enumerate(self.grid.rows):
            cells = self._cells(index, row)
            if not bodies or (self.groups and any(cell.column == self.groups[0] for cell in cells)):
                bodies.append([])
            bodies[-1].append(RowNode(index, cells))
        return tuple(map(tuple, bodies))

    def _cells(self, index: int, row: Row) -> tuple[BodyCellNode, ...]:
        cells: list[BodyCellNode] = []
        last_column, last_text = "", ""
        for column in self.columns:
            text = row.get(LocatedText(column))
            if text is not None:
                if {last_column, column} <= self.merged and cells and last_text == text:
                    cells[-1] = replace(cells[-1], column_span=cells[-1].column_span + 1)
                elif row_span := self._row_span(index, column):
                    cells.append(self._cell(text, column, row_span))
                    last_text = text
            last_column = column
        if self.grid.heads:
            head_cells = [cell for cell in cells if cell.column == self.head]
            cells += [replace(cell, repeats_row_header=True, scope="") for cell in head_cells]
        return tuple(cells)

    def _row_span(self, index: int, column: str) -> int:
        """Return the number of rows of a cell, or 0 if it is covered by the cell above."""
        if column not in self.groups:
            return 1
        depth = self.groups.index(column) + 1
        values = self.group_values[index][:depth]
        if index and self.group_values[index - 1][:depth] == values:
            return 0
        return sum(1 for _ in takewhile(lambda other: other[:depth] == values, self.group_values[index:]))

    def _cell(self, text: LocatedText, column: str, row_span: int) -> BodyCellNode:
        scope = "row" if column == self.head and not self.grid.rolls_down else ""
        if column in self.groups:
            scope = "rowgroup" if row_span > 1 and column == self.groups[0] else "row"
        rolls = format_rolls(text) if column in self.rolls else ""
        is_amended = isinstance(text, AmendedText)
        has_marks = column not in self.rolls and not is_amended
        end, notes = footnote_marks(text, self.notes) if has_marks else (None, ())
        return BodyCellNode(
            inline=(rolls,) if rolls and not is_amended else self.line(text, end),
            column=column,
            scope=scope,
            column_span=1,
            row_span=row_span,
            notes=notes + (self.marks.get(text, ()) if column == self.head else ()),
            has_rolls=bool(rolls),
            is_first=column == self.columns[0],
            is_amended=is_amended,
            repeats_row_header=False,
        )
