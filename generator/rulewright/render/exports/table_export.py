"""A table as people and programs pass it on: CSV, JSON, plain text, Markdown.

The JSON is also what the dice on the web page work from.
"""

from __future__ import annotations

import csv as comma_separated
from collections.abc import Callable, Iterable, Iterator, Mapping
from io import StringIO
from typing import Any

from rulewright.book.table_entries import TableEntry
from rulewright.book.table_layout import display_columns, heading_of, roll_columns
from rulewright.files.located_text import LocatedText
from rulewright.schema.dice import format_rolls, parse_dice, parse_roll_ranges
from rulewright.schema.problem_reports import to_dict, to_json_text
from rulewright.schema.table import Modifier, TableGrid, is_shift
from rulewright.schema.text_document import plain_text

JsonObject = dict[str, Any]

_IN_CELL = str.maketrans({"\\": "\\\\", "|": "\\|"})
"""Signs that Markdown would take for the end of a cell."""


def table_data(one: TableEntry) -> JsonObject:
    """All there is to a table, its texts in plain words; rolls are pairs of ends, null where one is open."""
    table = one.table
    made: JsonObject = {"address": one.edition.address, "key": one.anchor, "number": table.number}
    made |= {"title": plain_text(table.title), **_grid(table), **_words(table, "text")}
    if table.notes:
        made["notes"] = [to_dict(n, "mark at") | _words(n, "text") for n in table.notes]
    if table.then:
        made["then"] = _words(table.then, "title") | _grid(table.then)
    return made


def _words(thing: object, stated: str) -> dict[str, str]:
    return {name: plain_text(text) for name, text in to_dict(thing, "", stated).items()}


def _grid(grid: TableGrid) -> JsonObject:
    thrown = parse_dice(grid.roll) if grid.roll else None
    made: JsonObject = {"roll": grid.roll}
    if thrown:
        made["dice"] = {
            "count": thrown.count,
            "sides": thrown.sides,
            "digits": thrown.read_as_digits,
            "plus": thrown.modifier,
            "low": thrown.rolls[0],
            "high": thrown.rolls[-1],
        }
        made["rolls"] = "down" if grid.rolls_down else "across" if grid.rolls_across else "row"
    made["columns"] = display_columns(grid)
    if grid.column_groups:
        made["column_groups"] = [to_dict(group, "title columns") for group in grid.column_groups]
    made |= to_dict(grid, "", "row_groups head_rows")
    made["rows"] = [{column: plain_text(cell) for column, cell in _cells(grid, row)} for row in grid.rows]
    rolls = roll_columns(grid)
    if rolls:
        made["holds"] = [{c: _ends(cell) for c, cell in _cells(grid, row) if c in rolls} for row in grid.rows]
    if grid.results:
        made["results"] = {name: plain_text(meaning) for name, meaning in grid.results.items()}
    if grid.modifiers:
        made["modifiers"] = [_modifier(modifier) for modifier in grid.modifiers]
    return made


def _cells(grid: TableGrid, row: Mapping[LocatedText, LocatedText]) -> Iterator[tuple[str, LocatedText]]:
    for column in display_columns(grid):
        if (cell := row.get(LocatedText(column))) is not None:
            yield column, cell


def _ends(cell: LocatedText) -> list[list[int | None]]:
    return [[one.low, one.high] for one in parse_roll_ranges(cell) or ()]


def _modifier(modifier: Modifier) -> JsonObject:
    shift = {"shift": True} if is_shift(modifier.value) else {}
    return {"value": modifier.value, **shift, **_words(modifier, "of when"), **to_dict(modifier, "", "see")}


def table_to_json(one: TableEntry) -> str:
    """The table as JSON."""
    return to_json_text(table_data(one))


def table_csv(one: TableEntry) -> str:
    """The rows as CSV, every cell of a group of rows repeated. A second roll follows below an empty line."""
    out = StringIO()
    writer = comma_separated.writer(out, lineterminator="\r\n")
    for at, grid in enumerate(one.grids()):
        if at:
            writer.writerow([])
        if at and grid.title:
            writer.writerow([plain_text(grid.title)])
        writer.writerows(_rows(grid))
    return out.getvalue()


def _rows(grid: TableGrid) -> Iterator[list[str]]:
    columns, rolls = display_columns(grid), roll_columns(grid)
    count = len(columns) - max(map(len, grid.head_rows.values()), default=len(columns))
    for name, heads in grid.head_rows.items():
        line = [*columns[: max(count - 1, 0)], str(name), *map(str, heads)]
        yield [*line, *[""] * len(columns)][: len(columns)]
    if not grid.head_rows:
        yield [heading_of(column, grid) for column in columns]
    for row in grid.rows:
        cells = dict(_cells(grid, row))
        yield [_shown(cells.get(name), name in rolls) for name in columns]


def _shown(cell: LocatedText | None, is_roll: bool) -> str:
    return "" if cell is None else format_rolls(cell) if is_roll else plain_text(cell)


def table_text(one: TableEntry) -> str:
    """The table as plain text, its columns under each other."""

    def drawn(rows: list[list[str]]) -> Iterator[str]:
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        for row in (rows[0], ["-" * width for width in widths], *rows[1:]):
            yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()

    return _told(one, "", "", "  ", drawn)


def table_markdown(one: TableEntry) -> str:
    """The table as Markdown."""

    def drawn(rows: list[list[str]]) -> Iterator[str]:
        for row in (rows[0], ["---"] * len(rows[0]), *rows[1:]):
            yield f"| {' | '.join(cell.translate(_IN_CELL) for cell in row)} |"

    return _told(one, "## ", "### ", "- ", drawn)


def _told(
    one: TableEntry, title: str, then: str, bullet: str, drawn: Callable[[list[list[str]]], Iterable[str]]
) -> str:
    """The table in words. `title`, `then`, `bullet`: signs in front of these; `drawn` sets its rows."""
    parts = [title + _title(one), plain_text(one.table.text) if one.table.text else ""]
    for grid in one.grids():
        if grid is not one.table:
            parts.append(f"{then}Then: {plain_text(grid.title)}" if grid.title else f"{then}Then")
        groups = (f"{bullet}{group.title}: {', '.join(group.columns)}" for group in grid.column_groups)
        parts += "\n".join(groups), "\n".join(drawn([*_rows(grid)]))
        parts.append(
            "\n".join(f"{bullet}{name}: {plain_text(meaning)}" for name, meaning in grid.results.items())
        )
        parts.append("\n".join(f"{bullet}{modifier_text(modifier)}" for modifier in grid.modifiers))
    parts += (" ".join(filter(None, (note.mark, plain_text(note.text)))) for note in one.table.notes)
    return "\n\n".join(filter(None, parts)) + "\n"


def _title(one: TableEntry) -> str:
    title = plain_text(one.table.title)
    roll = f" ({one.table.roll})" if one.table.roll else ""
    return f"{one.table.number} {title}{roll}" if one.table.number else f"{title}{roll}"


def modifier_text(modifier: Modifier) -> str:
    """A modifier in one line: +1 for the side using Advantage (14.6d)."""
    parts = [plain_text(part) for part in (modifier.of, modifier.when) if part]
    see = f" ({', '.join(modifier.see)})" if modifier.see else ""
    return f"{modifier.value} {', '.join(parts)}{see}"


FORMATS: Mapping[str, Callable[[TableEntry], str]] = {
    "text": table_text,
    "markdown": table_markdown,
    "csv": table_csv,
    "json": table_to_json,
}
"""The formats of a table, by the name that `--format` takes."""
