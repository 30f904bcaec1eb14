"""Checks of rolls: the dice are valid, and each roll has exactly one row."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from rulewright.book.table_entries import TableEntry
from rulewright.checks.check_visitor import Problems, Scope, check
from rulewright.files.located_text import LocatedText
from rulewright.files.problems import Problem, problem_type, quote_short
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


class RollCell(NamedTuple):
    """A cell with its rolls."""

    text: LocatedText
    ranges: Sequence[RollRange]

    def holds(self, roll: int) -> bool:
        return any(roll in part for part in self.ranges)


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


@check(TableGrid, NO_ROLL, NEVER, OVERLAP, GAP)
def check_rolls(grid: TableGrid, scope: Scope) -> Problems:
    """Report cells without rolls, and rows or columns in which a roll has no cell or several."""
    assert isinstance(scope.source, TableEntry)
    is_modified = modifies_roll(grid) or modifies_roll(scope.source.table)
    dice = parse_dice(grid.roll) if grid.roll else None
    for texts in roll_groups(grid) if dice else ():
        cells: list[RollCell] = []
        for text in filter(None, texts):
            if ranges := parse_roll_ranges(text):
                cells.append(RollCell(text, ranges))
            else:
                yield NO_ROLL.problem(text, f"{quote_short(text)} is no roll; write 7, 6-8, ..5 or 9..")
        if dice and len(cells) == len(texts):
            yield from _check_cells(cells, dice, is_modified)


def _check_cells(cells: Sequence[RollCell], dice: Dice, is_modified: bool) -> Problems:
    """Report the rolls with no cell or several in a row or column in which every cell holds rolls."""
    rolls: Sequence[int] = dice.rolls
    if is_modified and not dice.read_as_digits:
        rolls = _rolls_with_modifiers(cells, dice)
    used: set[int] = set()
    shared: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    missing: list[int] = []
    for roll in rolls:
        indexes = [index for index, cell in enumerate(cells) if cell.holds(roll)]
        used.update(indexes)
        for index in indexes[1:]:
            shared[index, indexes[0]].append(roll)
        if not indexes:
            missing.append(roll)
        elif missing:
            yield _missing_problem(missing, cells[indexes[0]].text)
            missing = []
    if missing and cells:
        holds_zero = any(cell.ranges[0].low == 0 for cell in cells)
        is_read_from_zero = missing == [dice.sides] and holds_zero
        cure = f"; for a die read as 0 to {dice.sides - 1} write roll: {dice.text}-1"
        yield _missing_problem(missing, cells[-1].text, cure if is_read_from_zero else "")
    for (index, first), shared_rolls in shared.items():
        place = f"{quote_short(cells[first].text)} in line {cells[first].text.place.line}"
        verb = "is" if len(shared_rolls) == 1 else "are"
        message = f"{_rolls_text(shared_rolls)} {verb} in {place} already"
        yield OVERLAP.problem(cells[index].text, message)
    for index, (text, _) in enumerate(cells):
        if index not in used and not is_modified:
            message = f"{dice.text} never shows {quote_short(text)}"
            yield NEVER.problem(text, f"{message}; its rolls are {dice.rolls[0]} to {dice.rolls[-1]}")


def _rolls_with_modifiers(cells: Sequence[RollCell], dice: Dice) -> Sequence[int]:
    """Return the rolls of the dice and all others between the rolls that the cells name."""
    known = [*dice.rolls]
    for _, ranges in cells:
        for part in ranges:
            known += [end for end in (part.low, part.high) if end is not None]
    first, last = dice.rolls[0] - MAX_MODIFIER, dice.rolls[-1] + MAX_MODIFIER
    return range(max(min(known), first), min(max(known), last) + 1)


def _missing_problem(rolls: Sequence[int], cell: LocatedText, cure: str = "") -> Problem:
    verb = "has" if len(rolls) == 1 else "have"
    return GAP.problem(cell, f"{_rolls_text(rolls)} {verb} no row{cure}")


def _rolls_text(rolls: Sequence[int]) -> str:
    return f"the roll{'s' if rolls[1:] else ''} {join_some([*map(str, rolls)], MAX_NAMED)}"
