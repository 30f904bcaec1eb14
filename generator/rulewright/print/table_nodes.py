"""Tables of the content as nodes for Typst: headings and rows with their spans, results, modifiers, notes.

A table is {"tab": "14.6c", "title": [...], "grids": [grid, ...], "text": [block, ...], "notes": [...],
"columns": 7}, a grid {"roll": "2d6", "letters": [3, 12], "head": [[cell, ...], ...], "rows": [[cell, ...],
...], "begins": [4], "results": [...], "modifiers": [...]}. `letters`: how many each column has in its
longest cell, so that a template can share out the width; `begins`: the rows with which groups of rows
begin, but the first. A cell has words, what it spans, and says if it heads a row.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from rulewright.book.spans import Cell, columns_of, heading_of, lay_out
from rulewright.book.tables import TableEntry
from rulewright.model.table import Grid, Modifier, Table, TableNote
from rulewright.print.word_nodes import Node, TemplateData, Words
from rulewright.source.text import Text
from rulewright.text.document import plain

_LAST = re.compile(r" / ([^\W\d_]+)\d+")

KINDS_OF_NOTE = {
    "design": "Design note",
    "play": "Play note",
    "example": "Example",
    "important": "Important",
    "exception": "Exception",
}
"""Names of the kinds of note beside a rule."""


def table(one: TableEntry, words: Words) -> TemplateData:
    """A table with all that stands below it."""
    own = one.table
    grids = [
        {"tab": "then", "title": words.title(grid.title or own.title), **_grid(grid, own.notes, words)}
        if grid is not own
        else _grid(grid, own.notes, words)
        for grid in one.grids()
    ]
    return {
        "tab": words.name(own.number),
        "title": words.title(own.title),
        "grids": grids,
        "text": words.blocks(own.text) if own.text else [],
        "notes": [{"mark": words.name(one.mark), "body": words.blocks(one.text)} for one in own.notes],
        "columns": max(len(grid["letters"]) for grid in grids),
    }


def _grid(grid: Grid, notes: tuple[TableNote, ...], words: Words) -> TemplateData:
    # Headings that a second roll has too have their signs once.
    own = notes if isinstance(grid, Table) else tuple(replace(note, at=None) for note in notes)
    layout = lay_out(grid, own)
    marks = [words.name(note.mark) for note in notes]
    head = [
        [
            {
                "words": words.title(one.words) if isinstance(one.words, Text) else [words.said(one.words)],
                **_spans(one.across, one.down, [marks[at] for at in one.notes]),
            }
            for one in line
        ]
        for line in layout.headings
    ]
    columns = columns_of(grid)
    letters = {name: max(map(len, heading_of(name, grid).split()), default=0) for name in columns}
    if grid.head_rows:
        lead = max(0, len(columns) - max(map(len, grid.head_rows.values())) - 1)
        letters[columns[lead]] = max(map(len, grid.head_rows))
    cells = [cell for body in layout.bodies for line in body for cell in line.cells]
    for cell in (cell for cell in cells if cell.across == 1):
        letters[cell.column] = max(letters[cell.column], len(cell.rolls or plain(cell.text)))
    stacked = bool(grid.results) and any(" / " in cell.text for cell in cells)
    losses = _losses([str(cell.text) for cell in cells if not cell.scope]) if stacked else {}
    return {
        "roll": words.name(grid.roll),
        "head": head,
        "rows": [
            [_cell(cell, marks, words, losses) for cell in line.cells]
            for body in layout.bodies
            for line in body
        ],
        "begins": [body[0].at for body in layout.bodies[1:]],
        "letters": [*letters.values(), *([letters[layout.first]] if grid.heads else [])],
        "results": [[words.name(name), words.inline(means)] for name, means in grid.results.items()],
        "stacked": stacked,
        "modifiers": [_modifier(one, words) for one in grid.modifiers],
    }


def _losses(results: list[str]) -> dict[str, float]:
    """How much the side that is told last loses by each result, as a share of the most; a bit less where the
    other loses too. What it loses is what stands first behind a stroke most often: D in `A1 / D1 R1`."""
    first = Counter(m[1] for one in results if (m := _LAST.search(one)))
    code = first.most_common(1)[0][0] if first else ""
    weights: dict[str, float] = {}
    for one in results:
        first_side, _, last = one.rpartition(" / ")
        lost = re.search(rf"(?<![^\W\d_]){re.escape(code)}(\d+)", last) if code else None
        weights[one] = 2 * int(lost[1]) - bool(first_side) if lost else 0
    most = max(weights.values(), default=0) or 1
    return {one: round(weight / most, 2) for one, weight in weights.items() if weight > 0}


def _cell(cell: Cell, marks: list[str], words: Words, losses: Mapping[str, float]) -> TemplateData:
    said: list[Node] = [words.said(cell.rolls)] if cell.rolls else words.inline(cell.text, cell.until)
    spans = _spans(cell.across, cell.down, [marks[at] for at in cell.notes])
    loss = {} if cell.scope or cell.text not in losses else {"loss": losses[cell.text]}
    heads = {"heads": cell.scope} if cell.scope else {}
    return {"words": said, **heads, "again": cell.again, **loss, **spans}


def _spans(across: int, down: int, signs: list[str]) -> TemplateData:
    return {
        **({"across": across} if across > 1 else {}),
        **({"down": down} if down > 1 else {}),
        **({"signs": signs} if signs else {}),
    }


def _modifier(one: Modifier, words: Words) -> TemplateData:
    said = [words.inline(text) for text in (one.of, one.when) if text]
    return {
        "value": words.name(one.value).replace("-", "−"),
        "words": [node for at, nodes in enumerate(said) for node in ([", "] if at else []) + nodes],
        "see": words.see(one.see),
    }
