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

from rulewright.book.table_entries import TableEntry
from rulewright.book.table_layout import BodyCell, display_columns, heading_of, layout_table
from rulewright.files.located_text import LocatedText
from rulewright.print.text_nodes import Node, TemplateData, TextNodes, joined_nodes
from rulewright.schema.table import Modifier, Table, TableGrid, TableNote, is_shift
from rulewright.schema.text_document import plain_text

_LAST = re.compile(r" / ([^\W\d_]+)\d+")

KINDS_OF_NOTE = {
    "design": "Design note",
    "play": "Play note",
    "example": "Example",
    "important": "Important",
    "exception": "Exception",
}
"""Names of the kinds of note beside a rule."""


def table_node(one: TableEntry, words: TextNodes) -> TemplateData:
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
        "notes": [{"mark": words.name(note.mark), "body": words.blocks(note.text)} for note in own.notes],
        "columns": max(len(grid["letters"]) for grid in grids),
    }


def _grid(grid: TableGrid, notes: tuple[TableNote, ...], words: TextNodes) -> TemplateData:
    # Headings that a second roll has too have their signs once.
    own = notes if isinstance(grid, Table) else tuple(replace(note, at=None) for note in notes)
    layout = layout_table(grid, own)
    marks = [words.name(note.mark) for note in notes]
    head = [
        [
            {
                "words": words.title(one.words)
                if isinstance(one.words, LocatedText)
                else [words.break_words(one.words)],
                **_spans(one.column_span, one.row_span, [marks[note] for note in one.notes]),
            }
            for one in line
        ]
        for line in layout.headings
    ]
    columns = display_columns(grid)
    letters = {name: max(map(len, heading_of(name, grid).split()), default=0) for name in columns}
    if grid.head_rows:
        lead = max(0, len(columns) - max(map(len, grid.head_rows.values())) - 1)
        letters[columns[lead]] = max(map(len, grid.head_rows))
    cells = [cell for body in layout.bodies for line in body for cell in line.cells]
    for cell in (cell for cell in cells if cell.column_span == 1):
        letters[cell.column] = max(letters[cell.column], len(cell.rolls or plain_text(cell.text)))
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
        "begins": [body[0].index for body in layout.bodies[1:]],
        "letters": [*letters.values(), *([letters[layout.first]] if grid.heads else [])],
        "results": [[words.name(name), words.inline(means)] for name, means in grid.results.items()],
        "stacked": stacked,
        "modifiers": [_modifier(modifier, words) for modifier in grid.modifiers],
    }


def _losses(results: list[str]) -> dict[str, float]:
    """How much the side that is told last loses by each result, as a share of the most; a bit less where the
    other loses too. What it loses is what stands first behind a stroke most often: D in `A1 / D1 R1`."""
    first = Counter(m[1] for result in results if (m := _LAST.search(result)))
    code = first.most_common(1)[0][0] if first else ""
    weights: dict[str, float] = {}
    for one in results:
        first_side, _, last = one.rpartition(" / ")
        lost = re.search(rf"(?<![^\W\d_]){re.escape(code)}(\d+)", last) if code else None
        weights[one] = 2 * int(lost[1]) - bool(first_side) if lost else 0
    most = max(weights.values(), default=0) or 1
    return {one: round(weight / most, 2) for one, weight in weights.items() if weight > 0}


def _cell(cell: BodyCell, marks: list[str], words: TextNodes, losses: Mapping[str, float]) -> TemplateData:
    said: list[Node] = (
        [words.break_words(cell.rolls)] if cell.rolls else words.inline(cell.text, cell.text_end)
    )
    spans = _spans(cell.column_span, cell.row_span, [marks[note] for note in cell.notes])
    loss = {} if cell.scope or cell.text not in losses else {"loss": losses[cell.text]}
    heads = {"heads": cell.scope} if cell.scope else {}
    return {"words": said, **heads, "again": cell.repeats_row_header, **loss, **spans}


def _spans(across: int, down: int, signs: list[str]) -> TemplateData:
    return {
        **({"across": across} if across > 1 else {}),
        **({"down": down} if down > 1 else {}),
        **({"signs": signs} if signs else {}),
    }


def _modifier(one: Modifier, words: TextNodes) -> TemplateData:
    return {
        "value": words.name(one.value).replace("-", "−"),
        "words": joined_nodes(words.inline(text) for text in (one.of, one.when) if text),
        "see": words.see(one.see),
        "shift": is_shift(one.value),
    }
