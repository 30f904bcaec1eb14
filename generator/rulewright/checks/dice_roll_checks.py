"""Checks of rolls: the dice are valid, and each roll has exactly one row."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from rulewright.book.table_entries import TableEntry
from rulewright.checks.check_visitor import Problems, Scope, check
from rulewright.files.located_text import LocatedText, TextKey
from rulewright.files.problems import nearest_option, problem_type, quote_short
from rulewright.schema.dice import Dice, RollRange, parse_dice, parse_roll_ranges
from rulewright.schema.table import TableGrid, modifies_roll, roll_groups

NO_DICE = problem_type("dice-unknown", "A table's `roll:` is no dice. Dice are written 1d6, 2d6, 1d10, d66.")
NO_ROLL = problem_type("roll-malformed", 'A cell that must hold rolls holds none: 7, 6-8, "..5", "9..".')
GAP = problem_type("roll-gap", "A roll that the dice can show has no row in a table.")
OVERLAP = problem_type("roll-overlap", "A roll has more than one row in a table. Only one can hold.")
NEVER = problem_type("roll-impossible", "A row of a table is for rolls that its dice never show.")

_USUAL = ("1d6", "2d6", "3d6", "1d8", "1d10", "2d10", "1d12", "1d20", "1d100", "d%", "d66", "d666")

Cell = tuple[LocatedText, tuple[RollRange, ...]]


@check(TableGrid, NO_DICE, NO_ROLL, NEVER, OVERLAP, GAP)
def check_roll_coverage(grid: TableGrid, scope: Scope) -> Problems:
    """Report invalid dice and rolls, and rolls without a row, with two rows, or that are impossible."""
    if grid.roll is None:
        for name in (*grid.rolls_down, *grid.rolls_across)[:1]:
            message = "cells are rolls, but nothing says of which dice; add roll: 2d6 or what it is"
            yield NO_DICE.problem(name, message)
    elif (thrown := parse_dice(grid.roll)) is None:
        yield NO_DICE.problem(grid.roll, f"{quote_short(grid.roll)} is no dice{_dice_suggestion(grid.roll)}")
    else:
        assert isinstance(scope.source, TableEntry)
        is_modified = modifies_roll(grid) or modifies_roll(scope.source.table)
        for texts in roll_groups(grid):
            yield from _check_cells(thrown, texts, is_modified)


def _dice_suggestion(text: str) -> str:
    """Return a hint with the dice that are most similar to a word, or with examples."""
    if bare_dice := re.fullmatch(r"(\d*)\s*[dw]", text.strip(), re.IGNORECASE):
        return f"; write {bare_dice[1] or 1}d6, or how many sides they have"
    sides = "".join(c for c in text.lower() if c.isdigit() or c == "d")
    options = [*_USUAL, *([sides] if parse_dice(sides) else [])]
    nearest = nearest_option(text, options)
    return f"; did you mean {nearest}?" if nearest else "; write 1d6, 2d6 or d66"


def _check_cells(thrown: Dice, texts: Sequence[LocatedText], is_modified: bool) -> Problems:
    read: list[Cell] = []
    for text in texts:
        ranges = parse_roll_ranges(text) if text else ()
        if ranges:
            read.append((text, ranges))
        elif ranges is None:
            yield NO_ROLL.problem(text, f"{quote_short(text)} is no roll; write 7, 6-8, ..5 or 9..")
    if len(read) < len(texts):
        return  # what the others leave open may be meant by the faulty one
    holders: dict[int, list[LocatedText]] = {roll: [] for roll in _required_rolls(thrown, read, is_modified)}
    for text, ranges in read:
        held = [roll for roll in holders for part in ranges if roll in part]
        for roll in held:
            holders[roll].append(text)
        if not held and not is_modified:
            first, last = thrown.rolls[0], thrown.rolls[-1]
            message = f"{thrown.text} never shows {quote_short(text)}; its rolls are {first} to {last}"
            yield NEVER.problem(text, message)
    yield from _check_overlaps(holders)
    yield from _check_gaps(thrown, holders, read)


def _required_rolls(thrown: Dice, cells: Sequence[Cell], modified: bool) -> list[int]:
    """Return the totals that need a row: those of the dice, and with modifiers those of all rows."""
    if not modified or thrown.read_as_digits:
        return [*thrown.rolls]
    low, high = min([*_range_ends(cells), thrown.rolls[0]]), max([*_range_ends(cells), thrown.rolls[-1]])
    return [*range(max(low, thrown.rolls[0] - 100), min(high, thrown.rolls[-1] + 100) + 1)]


def _range_ends(cells: Sequence[Cell]) -> list[int]:
    parts = [part for _, ranges in cells for part in ranges]
    return [end for part in parts for end in (part.low, part.high) if end is not None]


def _check_overlaps(holders: Mapping[int, Sequence[LocatedText]]) -> Problems:
    """Report rolls that are in a cell and in an earlier one, once for each pair of cells."""
    shared: dict[tuple[TextKey, TextKey], tuple[LocatedText, LocatedText, list[int]]] = {}
    for roll, texts in holders.items():
        later = {text.key: text for text in texts[1:]}
        for text in later.values():
            pair = shared.setdefault((text.key, texts[0].key), (text, texts[0], []))
            pair[2].append(roll)
    for text, other, both in shared.values():
        other_cell = "this cell" if other.key == text.key else _cell_location(other, text)
        verb = "is" if len(both) == 1 else "are"
        yield OVERLAP.problem(text, f"{_rolls_text(both, holders)} {verb} in {other_cell} already")


def _cell_location(other: LocatedText, text: LocatedText) -> str:
    same = other.place.line == text.place.line
    return f"{quote_short(other)} beside it" if same else f"{quote_short(other)} in line {other.place.line}"


def _check_gaps(
    thrown: Dice, holders: Mapping[int, Sequence[LocatedText]], cells: Sequence[Cell]
) -> Problems:
    """Report rolls without a cell, each run at the cell that follows it, else at the last cell.

    If only the highest roll is missing and a cell holds for 0, the die may show 0 instead.
    """
    missing: list[int] = []
    for roll, texts in holders.items():
        if not texts:
            missing.append(roll)
        elif missing:
            yield GAP.problem(texts[0], _gap_message(missing, holders, cells))
            missing = []
    if missing and cells:
        message = _gap_message(missing, holders, cells)
        if thrown.count == 1 and min(_range_ends(cells), default=1) == 0 and missing == [thrown.sides]:
            message += f"; for a die read as 0 to {thrown.sides - 1} write roll: {thrown.text}-1"
        yield GAP.problem(cells[-1][0], message)


def _gap_message(missing: list[int], rolls: Iterable[int], cells: Sequence[Cell]) -> str:
    across = len(cells) > 1 and len({text.place.line for text, _ in cells}) == 1
    verb, noun = "has" if len(missing) == 1 else "have", "cell" if across else "row"
    return f"{_rolls_text(missing, rolls)} {verb} no {noun}"


def _rolls_text(some: Sequence[int], rolls: Iterable[int]) -> str:
    """Return rolls as a phrase: 7; 6 and 7; 5 to 9; 2, 5 to 7."""
    if len(some) < 3:
        return f"the roll{'s' if some[1:] else ''} {' and '.join(map(str, some))}"
    runs: list[list[int]] = []
    is_next = False
    for roll in rolls:
        if roll in some and is_next:
            runs[-1].append(roll)
        elif roll in some:
            runs.append([roll])
        is_next = roll in some
    phrases: list[str] = []
    for run in runs:
        phrases += [f"{run[0]} to {run[-1]}" if run[1:] else f"{run[0]}"]
    return f"the rolls {', '.join(phrases)}"
