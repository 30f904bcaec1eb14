"""Types that `tables/*.yml` are read into: a table, its columns, rows, modifiers and notes.

A table's rows are found by a roll in one of three ways: each row says in `roll` for which rolls it holds; or
the cells of some columns do (`rolls down`), each such column covering every roll once; or the cells of a row
cover every roll once among themselves (`rolls across`), and the column found is the result.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rulewright.model.rulebook import FORMERLY
from rulewright.model.yaml_fields import field_key, list_field, mapping_field
from rulewright.source.located_text import LocatedText, Node, YamlMapping, YamlSequence

ROLL = "roll"
"""The key of a row that says for which rolls it holds."""

Row = Mapping[LocatedText, LocatedText]

COLUMNS = "The headings of its columns, from left to right; rows of heads, each by what it is called."


_SHIFT = re.compile(r"(?:[+−-]?\d+ ?)?(?:L|R|left|right|columns? (?:left|right))|[+−-]\d+ columns?|\d* ?[←→]")


@dataclass(frozen=True, slots=True)
class ColumnGroup:
    """Columns under one heading."""

    title: LocatedText = field_key("The heading over the columns.", must=True)
    columns: tuple[LocatedText, ...] = list_field(
        "The columns below it, which stand side by side.", must=True
    )


@dataclass(frozen=True, slots=True)
class Modifier:
    """Modifier: an amount added to a roll before the table is read, or columns to shift."""

    value: LocatedText = field_key(
        "`+1` or `-2`, to shift columns `1L` or `2R`; without a number where the amount is that of `of`.",
        must=True,
    )
    of: LocatedText | None = field_key("What the amount is taken from: the attacker's rating.", prose=True)
    when: LocatedText | None = field_key("When it applies.", prose=True)
    see: tuple[LocatedText, ...] = list_field("The rules that govern it.", cites=True, lone=True)


@dataclass(frozen=True, slots=True)
class TableNote:
    """A note below a table."""

    text: LocatedText = field_key("The note.", must=True, prose=True)
    mark: LocatedText | None = field_key(
        "The sign that leads to it: 1, *, †. One that is no letter or number may end any cell."
    )
    at: LocatedText | None = field_key(
        "Where its sign stands: the heading of a column, or a row's first cell."
    )


@dataclass(frozen=True, slots=True)
class TableGrid:
    """Columns and rows, and the dice that find a row."""

    title: LocatedText | None = field_key("What the book calls it.", prose=True)
    roll: LocatedText | None = field_key(
        "The dice that are rolled on it: 1d6, 2d6, 1d10-1 for 0 to 9, d%, d66, 2W6."
    )
    columns: tuple[LocatedText, ...] = list_field(COLUMNS, or_named=True, apart=True)
    head_rows: Mapping[LocatedText, tuple[LocatedText, ...]] = mapping_field(
        "Rows of heads above the columns, by what each is called: odds by terrain, costs. `columns` may hold "
        "them too.",
        one="heads",
    )
    heads: LocatedText | None = field_key(
        "`both` where the heads of rows stand at their right side too.", words="heads"
    )
    column_groups: tuple[ColumnGroup, ...] = list_field("Headings over several columns.")
    row_groups: tuple[LocatedText, ...] = list_field(
        "Columns whose cell holds for all rows that follow with the same."
    )
    merged: tuple[LocatedText, ...] = list_field(
        "Columns in which cells side by side that say the same are one wide cell."
    )
    rolls_down: tuple[LocatedText, ...] = list_field(
        "Columns whose cells are rolls; each column covers every roll once."
    )
    rolls_across: tuple[LocatedText, ...] = list_field(
        "Columns whose cells are rolls; each row covers every roll once."
    )
    rows: tuple[Row, ...] = list_field(
        "A cell for each column, and in `roll` the rolls a row holds for; or the cells alone, in the order "
        "of the columns, the roll first.",
        must=True,
        or_listed=True,
        apart=True,
    )
    results: Mapping[LocatedText, LocatedText] = mapping_field(
        "The results its cells use, each with its meaning; # is any number.", one="result"
    )
    modifiers: tuple[Modifier, ...] = list_field("What is added to the roll.", one="modifier")

    @staticmethod
    def expand_shorthand(
        mapping: Mapping[LocatedText, Node | None], parent: Node | None = None
    ) -> dict[LocatedText, Node | None]:
        """Return the keys of a table in their long form: each row with its columns, and rows of heads
        apart from the names of the columns, which the first row of different heads gives.

        `around`: the columns of the first roll.
        """
        expanded = dict(mapping)
        by_row = "roll" in expanded and not ("rolls down" in expanded or "rolls across" in expanded)
        groups = expanded.get(LocatedText("row groups"))
        group_nodes = groups.items if isinstance(groups, YamlSequence) else [groups] if groups else []
        columns_node = expanded.get(LocatedText("columns"))
        if isinstance(columns_node, YamlMapping):
            column_lists = [
                column_node
                for column_node in columns_node.entries.values()
                if isinstance(column_node, YamlSequence)
            ]
            differing = (
                column_node.items
                for column_node in column_lists
                if len({*column_node.items}) == len(column_node.items)
            )
            names = next(differing, column_lists[0].items if column_lists else [])
            lead = [*group_nodes] if by_row else [*group_nodes, *columns_node.entries][: len(group_nodes) + 1]
            expanded[LocatedText("head rows")] = columns_node
            expanded[LocatedText("columns")] = YamlSequence(
                columns_node.file, columns_node.start, columns_node.end, items=[*lead, *names]
            )
        columns, rows_node = expanded.get(LocatedText("columns"), parent), expanded.get(LocatedText("rows"))
        if isinstance(columns, YamlSequence) and isinstance(rows_node, YamlSequence):
            order = sorted(
                (str(item) for item in columns.items if isinstance(item, LocatedText)),
                key=lambda name: name not in group_nodes,
            )
            if by_row:
                order.insert(sum(name in group_nodes for name in order), ROLL)
            items: list[Node] = [
                _keyed(row_node, order) if isinstance(row_node, YamlSequence) else row_node
                for row_node in rows_node.items
            ]
            expanded[LocatedText("rows")] = YamlSequence(
                rows_node.file, rows_node.start, rows_node.end, items=items
            )
        then_node = expanded.get(LocatedText("then"))
        if isinstance(then_node, YamlMapping):
            entries = TableGrid.expand_shorthand(then_node.entries, columns)
            expanded[LocatedText("then")] = YamlMapping(
                then_node.file, then_node.start, then_node.end, entries=entries
            )
        return expanded


@dataclass(frozen=True, slots=True)
class SecondRoll(TableGrid):
    """A second roll that follows the first. It has the columns of the table unless it says others."""


@dataclass(frozen=True, slots=True)
class Table(TableGrid):
    """A file in `tables/`: one table of an edition."""

    title: LocatedText = field_key("What the book calls it.", must=True, prose=True)
    number: LocatedText | None = field_key("The number as printed.", apart="name")
    formerly: tuple[LocatedText, ...] = list_field(FORMERLY, lone=True, apart="name")
    id: LocatedText | None = field_key(
        "A short name, for steps and addresses, where the table has no number.", apart="name"
    )
    text: LocatedText | None = field_key("What it is used for, and how.", prose=True)
    columns: tuple[LocatedText, ...] = list_field(COLUMNS, must=True, or_named=True, apart=True)
    notes: tuple[TableNote, ...] = list_field("Notes below the table.", one="note")
    was: LocatedText | None = field_key(
        "The number, id or title it had in the edition that this one follows, or `none`.", apart="name"
    )
    then: SecondRoll | None = field_key("A second roll that follows the first.", apart=True)


def _keyed(row_node: YamlSequence, columns: Sequence[str]) -> YamlMapping:
    """Return a row that is a list of cells, each with its column; one too many has a name of no column."""
    names = [*columns, *(f"number {number}" for number in range(len(columns) + 1, len(row_node.items) + 1))]
    cells = zip(names, row_node.items, strict=False)
    entries: dict[LocatedText, Node | None] = {
        LocatedText.from_source(name, row_node.file, cell.start, cell.start): cell for name, cell in cells
    }
    return YamlMapping(row_node.file, row_node.start, row_node.end, entries=entries)


def is_shift(value: str) -> bool:
    """Return whether a modifier shifts columns and adds nothing to the roll: `1L`, `2 right`, `+1
    column`, `→`.
    """
    return bool(_SHIFT.fullmatch(value))


def modifies_roll(grid: TableGrid) -> bool:
    """Return whether a table has modifiers that change its roll."""
    return not all(is_shift(modifier.value) for modifier in grid.modifiers)


def footnote_marks(cell: str, notes: Sequence[TableNote]) -> tuple[int, tuple[int, ...]]:
    """Return where the signs of notes at the end of a cell begin, and the places of those notes: A1* is A1.

    Signs that are letters or numbers could as well be part of the result, so they are not looked for.
    """
    marks = {str(note.mark): index for index, note in reversed(list(enumerate(notes))) if note.mark}
    signs = sorted((m for m in marks if not any(c.isalpha() or c.isdecimal() for c in m)), key=len)
    end, marks_in_cell = len(cell), list[int]()
    while sign := next((s for s in reversed(signs) if cell.endswith(s, 0, end)), ""):
        end = len(cell[: end - len(sign)].rstrip())
        marks_in_cell.insert(0, marks[sign])
    return (end, tuple(marks_in_cell)) if end else (len(cell), ())
