"""Columns of a table as they are displayed, and their headings."""

from __future__ import annotations

from rulewright.schema.dice import parse_dice
from rulewright.schema.table import ROLL, TableGrid, modifies_roll


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
