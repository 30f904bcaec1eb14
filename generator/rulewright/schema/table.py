"""Types for `tables/*.yml`: a table, its columns, rows, modifiers and notes.

A roll selects a result in one of three ways: each row has its rolls in `roll`; or some columns contain rolls
(`rolls down`), each column with every roll once; or each row contains every roll once in its cells (`rolls
across`), and the column is the result.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rulewright.files.located_text import LocatedText, Node, YamlMapping, YamlSequence
from rulewright.schema.rulebook import FORMERLY
from rulewright.schema.yaml_fields import OptionalText, Texts, field_key, list_field, mapping_field

ROLL = "roll"
"""The key of a row for its rolls."""

Row = Mapping[LocatedText, LocatedText]

COLUMNS = "The headings of its columns, from left to right; or named rows of headings."


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
    at: OptionalText = field_key(
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
    heads: OptionalText = field_key(
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
            items: list[Node] = []
            for row_node in rows_node.items:
                if isinstance(row_node, YamlSequence):
                    items.append(_row_with_keys(row_node, order))
                else:
                    items.append(row_node)
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
    was: OptionalText = field_key(
        "Its number, id or title in the edition that this one follows, or `none`.",
        apart="name",
        example='"12.9"',
    )
    then: SecondRoll | None = field_key(
        "A second roll that follows the first.", apart=True, example="{title: Losses, roll: 1d6, rows: […]}"
    )


def _row_with_keys(row_node: YamlSequence, columns: Sequence[str]) -> YamlMapping:
    """Return a list of cells as a mapping of columns; excess cells get names that are no columns."""
    names = [*columns, *(f"number {number}" for number in range(len(columns) + 1, len(row_node.items) + 1))]
    cells = zip(names, row_node.items, strict=False)
    entries: dict[LocatedText, Node | None] = {
        LocatedText.from_source(name, row_node.file, cell.start, cell.start): cell for name, cell in cells
    }
    return YamlMapping(row_node.file, row_node.start, row_node.end, entries=entries)


def is_shift(value: str) -> bool:
    """Return whether a modifier shifts columns: `1L`, `2 right`, `+1 column`, `→`."""
    return bool(_SHIFT.fullmatch(value))


def modifies_roll(grid: TableGrid) -> bool:
    """Return whether a table has modifiers that change its roll."""
    return not all(is_shift(modifier.value) for modifier in grid.modifiers)


def _is_symbol(mark: str) -> bool:
    return not any(character.isalpha() or character.isdecimal() for character in mark)


def footnote_marks(cell: str, notes: Sequence[TableNote]) -> tuple[int, tuple[int, ...]]:
    """Return the end of a cell without its footnote marks, and the indexes of their notes: A1* is A1.

    Marks that are letters or numbers may be part of the result, so they are ignored.
    """
    marks = {str(note.mark): index for index, note in reversed(list(enumerate(notes))) if note.mark}
    signs = sorted(filter(_is_symbol, marks), key=len)
    end, marks_in_cell = len(cell), list[int]()
    while sign := next((s for s in reversed(signs) if cell.endswith(s, 0, end)), ""):
        end = len(cell[: end - len(sign)].rstrip())
        marks_in_cell.insert(0, marks[sign])
    return (end, tuple(marks_in_cell)) if end else (len(cell), ())
