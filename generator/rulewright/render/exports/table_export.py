"""Tables as CSV, and as data for `book.json` and the dice on the web page."""

from __future__ import annotations

import csv as comma_separated
from collections.abc import Iterator, Mapping
from io import StringIO
from typing import Any

from rulewright.book.table_columns import display_columns, heading_of, roll_columns
from rulewright.book.table_entries import TableEntry
from rulewright.files.located_text import LocatedText
from rulewright.schema.dice import format_rolls, parse_dice, parse_roll_ranges
from rulewright.schema.problem_reports import to_dict
from rulewright.schema.table import TableGrid, is_shift
from rulewright.schema.text_document import plain_text

JsonObject = dict[str, Any]


def table_data(entry: TableEntry) -> JsonObject:
    """Return a table for JSON, its texts in plain words; rolls are pairs of ends, null for an open end."""
    table = entry.table
    data: JsonObject = {"address": entry.edition.address, "key": entry.anchor, "number": table.number}
    data |= {"title": plain_text(table.title), **_grid(table), **_words(table, "text")}
    if table.notes:
        data["notes"] = [to_dict(n, "mark at") | _words(n, "text") for n in table.notes]
    if table.then:
        data["then"] = _words(table.then, "title") | _grid(table.then)
    return data


def _words(source: object, stated: str) -> dict[str, str]:
    return {name: plain_text(text) for name, text in to_dict(source, "", stated).items()}


def _grid(grid: TableGrid) -> JsonObject:
    dice = parse_dice(grid.roll) if grid.roll else None
    data: JsonObject = {"roll": grid.roll}
    if dice:
        names = "count sides digits=read_as_digits plus=modifier"
        data["dice"] = to_dict(dice, names) | {"low": dice.rolls[0], "high": dice.rolls[-1]}
        data["rolls"] = "down" if grid.rolls_down else "across" if grid.rolls_across else "row"
    data["columns"] = display_columns(grid)
    if grid.column_groups:
        data["column_groups"] = [to_dict(group, "title columns") for group in grid.column_groups]
    data |= to_dict(grid, "", "row_groups head_rows")
    data["rows"] = [{column: plain_text(cell) for column, cell in _cells(grid, row)} for row in grid.rows]
    rolls = roll_columns(grid)
    if rolls:
        data["holds"] = []
        for row in grid.rows:
            ends: JsonObject = {}
            for name, cell in _cells(grid, row):
                if name in rolls:
                    ends[name] = [[rolled.low, rolled.high] for rolled in parse_roll_ranges(cell) or ()]
            data["holds"].append(ends)
    if grid.results:
        data["results"] = {name: plain_text(meaning) for name, meaning in grid.results.items()}
    if grid.modifiers:
        data["modifiers"] = []
        for modifier in grid.modifiers:
            shift = {"shift": True} if is_shift(modifier.value) else {}
            words = _words(modifier, "of when") | to_dict(modifier, "", "see")
            data["modifiers"].append({"value": modifier.value, **shift, **words})
    return data


def _cells(grid: TableGrid, row: Mapping[LocatedText, LocatedText]) -> Iterator[tuple[str, LocatedText]]:
    for column in display_columns(grid):
        if (cell := row.get(LocatedText(column))) is not None:
            yield column, cell


def table_csv(entry: TableEntry) -> str:
    """Return the rows as CSV; each row has all its cells. A second roll follows after an empty line."""
    out = StringIO()
    writer = comma_separated.writer(out, lineterminator="\r\n")
    for grid in entry.grids():
        if grid is not entry.table:
            writer.writerow([])
        if grid is not entry.table and grid.title:
            writer.writerow([plain_text(grid.title)])
        writer.writerows(_rows(grid))
    return out.getvalue()


def _rows(grid: TableGrid) -> Iterator[list[str]]:
    columns, rolls = display_columns(grid), roll_columns(grid)
    count = len(columns) - max(map(len, grid.head_rows.values()), default=len(columns))
    for name, headings in grid.head_rows.items():
        line = [*columns[: max(count - 1, 0)], str(name), *map(str, headings)]
        yield [*line, *[""] * len(columns)][: len(columns)]
    if not grid.head_rows:
        yield [heading_of(column, grid) for column in columns]
    for row in grid.rows:
        cells = dict(_cells(grid, row))
        words = {name: format_rolls(cells[name]) for name in rolls if name in cells}
        yield [words.get(name, plain_text(cells.get(name, ""))) for name in columns]
