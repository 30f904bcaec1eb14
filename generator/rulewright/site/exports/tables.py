"""A table as people and programs pass it on: CSV, JSON, plain text, Markdown.

The JSON is also what the dice on the web page work from.
"""

from __future__ import annotations

import csv as comma_separated
from collections.abc import Callable, Iterator, Mapping
from io import StringIO
from typing import Any

from rulewright.book.spans import columns_of, heading_of, roll_columns
from rulewright.book.tables import TableEntry
from rulewright.citations.facts import sentence
from rulewright.citations.prose import plain
from rulewright.model.dice import dice, printed, ranges
from rulewright.model.reports import as_json
from rulewright.model.table import Grid, Modifier, TableNote, is_shift
from rulewright.source.text import Text


def data(one: TableEntry) -> dict[str, Any]:
    """All there is to a table, its texts in plain words; rolls are pairs of ends, null where one is open."""
    table = one.table
    made: dict[str, Any] = {"address": one.edition.address, "key": one.anchor, "number": table.number}
    made |= {"title": plain(table.title), **_grid(table)}
    if table.text:
        made["text"] = plain(table.text)
    if table.notes:
        made["notes"] = [
            {"mark": n.mark, "at": n.at, **({"kind": n.kind} if n.kind else {}), "text": plain(n.text)}
            for n in table.notes
        ]
    if table.then:
        title = {"title": plain(table.then.title)} if table.then.title else {}
        made["then"] = {**title, **_grid(table.then)}
    return made


def _grid(grid: Grid) -> dict[str, Any]:
    thrown = dice(grid.roll) if grid.roll else None
    made: dict[str, Any] = {"roll": grid.roll}
    if thrown:
        made["dice"] = {"count": thrown.count, "sides": thrown.sides, "digits": thrown.read_as_digits}
        made["dice"] |= {"plus": thrown.plus, "low": thrown.rolls[0], "high": thrown.rolls[-1]}
        made["rolls"] = "down" if grid.rolls_down else "across" if grid.rolls_across else "row"
    made["columns"] = columns_of(grid)
    if grid.column_groups:
        made["column_groups"] = [{"title": g.title, "columns": g.columns} for g in grid.column_groups]
    if grid.row_groups:
        made["row_groups"] = grid.row_groups
    made["rows"] = [{column: plain(cell) for column, cell in _cells(grid, row)} for row in grid.rows]
    rolls = roll_columns(grid)
    if rolls:
        made["holds"] = [{c: _ends(cell) for c, cell in _cells(grid, row) if c in rolls} for row in grid.rows]
    if grid.results:
        made["results"] = {name: plain(meaning) for name, meaning in grid.results.items()}
    if grid.modifiers:
        made["modifiers"] = [_modifier(modifier) for modifier in grid.modifiers]
    return made


def _cells(grid: Grid, row: Mapping[Text, Text]) -> Iterator[tuple[str, Text]]:
    for column in columns_of(grid):
        if (cell := row.get(Text(column))) is not None:
            yield column, cell


def _ends(cell: Text) -> list[list[int | None]]:
    return [[one.low, one.high] for one in ranges(cell) or ()]


def _modifier(modifier: Modifier) -> dict[str, Any]:
    made: dict[str, Any] = {"value": modifier.value}
    made |= {"shift": True} if is_shift(modifier.value) else {}
    made |= {"of": plain(modifier.of)} if modifier.of else {}
    made |= {"when": plain(modifier.when)} if modifier.when else {}
    return made | ({"see": modifier.see} if modifier.see else {})


def json(one: TableEntry) -> str:
    """The table as JSON."""
    return as_json(data(one))


def csv(one: TableEntry) -> str:
    """The rows as CSV, every cell of a group of rows repeated. A second roll follows below an empty line."""
    out = StringIO()
    writer = comma_separated.writer(out, lineterminator="\r\n")
    for at, grid in enumerate(one.grids()):
        if at:
            writer.writerow([])
        if at and grid.title:
            writer.writerow([plain(grid.title)])
        writer.writerows(_rows(grid))
    return out.getvalue()


def _rows(grid: Grid) -> Iterator[list[str]]:
    columns, rolls = columns_of(grid), roll_columns(grid)
    yield [heading_of(column, grid) for column in columns]
    for row in grid.rows:
        cells = dict(_cells(grid, row))
        yield [_shown(cells.get(name), name in rolls) for name in columns]


def _shown(cell: Text | None, is_roll: bool) -> str:
    return "" if cell is None else printed(cell) if is_roll else plain(cell)


def text(one: TableEntry) -> str:
    """The table as plain text, its columns under each other."""
    parts = [_title(one)]
    if one.table.text:
        parts.append(plain(one.table.text))
    for grid in one.grids():
        if grid is not one.table:
            parts.append(f"Then: {plain(grid.title)}" if grid.title else "Then")
        rows = [*_rows(grid)]
        widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
        lines = [
            "  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip() for row in rows
        ]
        lines.insert(1, "  ".join("-" * width for width in widths))
        parts += ["\n".join(lines), *_below(grid, "  ")]
    parts += [_note(note) for note in one.table.notes]
    return "\n\n".join(part for part in parts if part) + "\n"


def markdown(one: TableEntry) -> str:
    """The table as Markdown."""
    parts = [f"## {_title(one)}"]
    if one.table.text:
        parts.append(plain(one.table.text))
    for grid in one.grids():
        if grid is not one.table:
            parts.append(f"### Then: {plain(grid.title)}" if grid.title else "### Then")
        rows = [[cell.replace("\\", "\\\\").replace("|", "\\|") for cell in row] for row in _rows(grid)]
        lines = [f"| {' | '.join(row)} |" for row in rows]
        lines.insert(1, f"|{' --- |' * len(rows[0])}")
        parts += ["\n".join(lines), *_below(grid, "- ")]
    parts += [_note(note) for note in one.table.notes]
    return "\n\n".join(part for part in parts if part) + "\n"


def _title(one: TableEntry) -> str:
    title = plain(one.table.title)
    roll = f" ({one.table.roll})" if one.table.roll else ""
    return f"{one.table.number} {title}{roll}" if one.table.number else f"{title}{roll}"


def _below(grid: Grid, bullet: str) -> Iterator[str]:
    """The modifiers and the meanings of results."""
    yield "\n".join(f"{bullet}{name}: {plain(meaning)}" for name, meaning in grid.results.items())
    yield "\n".join(f"{bullet}{said(modifier)}" for modifier in grid.modifiers)


def said(modifier: Modifier) -> str:
    """A modifier in one line: +1 for the side using Advantage (14.6d)."""
    parts = [plain(part) for part in (modifier.of, modifier.when) if part]
    see = f" ({', '.join(modifier.see)})" if modifier.see else ""
    return f"{modifier.value} {', '.join(parts)}{see}"


def _note(note: TableNote) -> str:
    kind = f"{sentence(note.kind)}:" if note.kind else ""
    return " ".join(filter(None, (note.mark, kind, plain(note.text))))


FORMATS: Mapping[str, Callable[[TableEntry], str]] = {
    "text": text,
    "markdown": markdown,
    "csv": csv,
    "json": json,
}
"""The formats of a table, by the name that `--format` takes."""
