"""Checks of rolls: the dice are valid, and each roll has exactly one row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rulewright.book.table_entries import TableEntry
from rulewright.checks.check_visitor import Problems, Scope, check
from rulewright.files.located_text import LocatedText
from rulewright.files.problems import problem_type, quote_short
from rulewright.schema.dice import Dice, RollRange, parse_dice, parse_roll_ranges
from rulewright.schema.problem_reports import join_some
from rulewright.schema.table import TableGrid, modifies_roll, roll_groups

NO_DICE = problem_type("dice-unknown", "A table's `roll:` is no dice. Dice are written 1d6, 2d6, 1d10, d66.")
NO_ROLL = problem_type("roll-malformed", 'A cell that must hold rolls holds none: 7, 6-8, "..5", "9..".')
GAP = problem_type("roll-gap", "A roll that the dice can show has no row in a table.")
OVERLAP = problem_type("roll-overlap", "A roll has more than one row in a table. Only one can hold.")
NEVER = problem_type("roll-impossible", "A row of a table is for rolls that its dice never show.")

MAX_NAMED = 6
"""Maximum number of rolls that a message names."""

MAX_MODIFIER = 100
"""How far beyond the dice the rolls of a table with modifiers may reach."""


@dataclass(frozen=True, slots=True)
class RollRow:
    """A row or column of cells, each with its rolls, and the cells that hold for each roll of the dice."""

    dice: Dice
    cells: Sequence[tuple[LocatedText, Sequence[RollRange]]]
    cells_by_roll: dict[int, list[LocatedText]]


@check(TableGrid, NO_DICE)
def check_dice(grid: TableGrid, _: Scope) -> Problems:
    """Report unknown dice, and rolls of which no dice are named."""
    if grid.roll is None:
        for name in (*grid.rolls_down, *grid.rolls_across)[:1]:
            message = "cells are rolls, but nothing says of which dice; add roll: 2d6 or what it is"
            yield NO_DICE.problem(name, message)
    elif parse_dice(grid.roll) is None:
        message = f"{quote_short(grid.roll)} is no dice; write 1d6, 2d6 or d66"
        yield NO_DICE.problem(grid.roll, message)


@check(TableGrid, NO_ROLL)
def check_roll_cells(grid: TableGrid, _: Scope) -> Problems:
    """Report cells that must hold rolls and hold none."""
    for texts in roll_groups(grid) if grid.roll and parse_dice(grid.roll) else ():
        for text in texts:
            if text and parse_roll_ranges(text) is None:
                yield NO_ROLL.problem(text, f"{quote_short(text)} is no roll; write 7, 6-8, ..5 or 9..")


def _roll_rows(grid: TableGrid, scope: Scope) -> Iterator[RollRow]:
    """Yield the rows and columns in which every cell holds rolls."""
    dice = parse_dice(grid.roll) if grid.roll else None
    for texts in roll_groups(grid) if dice else ():
        ranges = [parse_roll_ranges(text) if text else None for text in texts]
        cells = [(text, parts) for text, parts in zip(texts, ranges, strict=True) if parts]
        if dice and len(cells) == len(texts):
            rolls = [*dice.rolls]
            if _is_modified(grid, scope) and not dice.read_as_digits:
                ends = [end for _, parts in cells for part in parts for end in (part.low, part.high)]
                known = [*rolls, *(end for end in ends if end is not None)]
                first, last = rolls[0] - MAX_MODIFIER, rolls[-1] + MAX_MODIFIER
                rolls = [*range(max(min(known), first), min(max(known), last) + 1)]
            row = RollRow(dice, cells, {roll: [] for roll in rolls})
            for text, parts in cells:
                for roll in rolls:
                    if any(roll in part for part in parts):
                        row.cells_by_roll[roll].append(text)
            yield row


def _is_modified(grid: TableGrid, scope: Scope) -> bool:
    assert isinstance(scope.source, TableEntry)
    return modifies_roll(grid) or modifies_roll(scope.source.table)


@check(TableGrid, NEVER)
def check_impossible_rolls(grid: TableGrid, scope: Scope) -> Problems:
    """Report cells of rolls that the dice never show."""
    for row in _roll_rows(grid, scope) if not _is_modified(grid, scope) else ():
        held = {text.key for texts in row.cells_by_roll.values() for text in texts}
        for text, _ in row.cells:
            if text.key not in held:
                first, last = row.dice.rolls[0], row.dice.rolls[-1]
                message = f"{row.dice.text} never shows {quote_short(text)}; its rolls are {first} to {last}"
                yield NEVER.problem(text, message)


@check(TableGrid, OVERLAP)
def check_overlapping_rolls(grid: TableGrid, scope: Scope) -> Problems:
    """Report rolls that are in a cell and in an earlier one, once for each pair of cells."""
    for row in _roll_rows(grid, scope):
        shared: dict[tuple[int, int], list[int]] = {}
        cells = [text for text, _ in row.cells]
        for roll, texts in row.cells_by_roll.items():
            for text in texts[1:]:
                shared.setdefault((cells.index(text), cells.index(texts[0])), []).append(roll)
        for (cell, first), rolls in shared.items():
            place = f"{quote_short(cells[first])} in line {cells[first].place.line}"
            message = f"{_rolls_text(rolls)} {'is' if len(rolls) == 1 else 'are'} in {place} already"
            yield OVERLAP.problem(cells[cell], message)


@check(TableGrid, GAP)
def check_missing_rolls(grid: TableGrid, scope: Scope) -> Problems:
    """Report rolls without a cell, each run at the cell that follows it, else at the last cell."""
    for row in _roll_rows(grid, scope):
        missing: list[int] = []
        for roll, texts in (*row.cells_by_roll.items(), (None, [cell for cell, _ in row.cells[-1:]])):
            if missing and texts:
                message = f"{_rolls_text(missing)} {'has' if len(missing) == 1 else 'have'} no row"
                holds_zero = any(part.low == 0 for _, parts in row.cells for part in parts)
                if roll is None and missing == [row.dice.sides] and holds_zero:
                    message += f"; for a die read as 0 to {row.dice.sides - 1} write roll: {row.dice.text}-1"
                yield GAP.problem(texts[0], message)
                missing = []
            elif roll is not None and not texts:
                missing.append(roll)


def _rolls_text(rolls: Sequence[int]) -> str:
    return f"the roll{'s' if rolls[1:] else ''} {join_some([*map(str, rolls)], MAX_NAMED)}"
