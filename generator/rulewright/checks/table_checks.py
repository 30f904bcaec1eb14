"""Checks of tables: unique names, columns and rows, results, modifiers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rulewright.book.outline import Outline
from rulewright.book.related_outlines import with_series
from rulewright.book.table_entries import TableEntry, table_anchor
from rulewright.checks.check_visitor import Problems, Scope, check
from rulewright.files.located_text import LocatedText
from rulewright.files.problems import Severity, did_you_mean, nearest_option, problem_type, quote_short
from rulewright.references.reference_index import ReferenceIndex
from rulewright.schema.model_reader import MISSING_KEY
from rulewright.schema.table import (
    ROLL,
    Table,
    TableGrid,
    footnote_marks,
    match_results,
    modifier_fault,
    named_columns,
    result_cells,
)
from rulewright.sequence.sequence_step import SequenceStep

SAME_ID = problem_type(
    "duplicate-table", "Two tables have one number or one `id:`. Give one of them another."
)
NO_TABLE = problem_type(
    "table-not-found", "A player aid or a step names a table that its edition does not have."
)
NOT_HELD = replace(NO_TABLE, severity=Severity.WARNING)
"""Used if no table has a similar name: the table may exist in print only."""
SAME_COLUMN = problem_type("duplicate-column", "Two columns of a table have one heading. Tell them apart.")
NO_CELL = problem_type(
    "cell-missing", "A row of a table lacks the cell of a column. Write — where it is empty."
)
NO_COLUMN = problem_type(
    "column-unknown", "A table's row, group or note names a column that the table does not have."
)
NO_RESULT = problem_type(
    "result-not-defined",
    "A cell holds a result that the `results:` of its table do not list. In a result, # is any number.",
)
MODIFIER = problem_type(
    "modifier-malformed",
    "A modifier's value is no number with a sign, no sign and no shift, or nothing says when it applies.",
)


@check(Outline, SAME_ID, MISSING_KEY)
def check_table_names(outline: Outline, _: Scope) -> Problems:
    """Report tables without a name, and duplicate names."""
    first: dict[str, LocatedText] = {}
    for table in outline.edition.tables:
        name, anchor = table.number or table.id or table.title, table_anchor(table, outline)
        if not table.number and not table.id:
            message = "this table needs the key number, or id where the book gives it none"
            yield MISSING_KEY.problem(table.title, message, table.title.file.name)
        if (other := first.setdefault(anchor, name)) is not name:
            yield SAME_ID.problem(name, f"{quote_short(name)} is the table in {other.place} already", anchor)


@check(TableGrid, SAME_COLUMN, NO_COLUMN, NO_CELL)
def check_table_columns(grid: TableGrid, scope: Scope) -> Problems:
    """Report duplicate headings, rows with missing or extra cells, and unknown column names."""
    known: set[str] = set()
    for heading in grid.columns:
        if heading in known or heading == ROLL:
            taken = "there is a column" if heading in known else "every row has a key"
            message = f"{taken} {quote_short(heading)} already; choose another heading"
            yield SAME_COLUMN.problem(heading, message)
        known.add(heading)
    for name, key in named_columns(grid):
        if name not in known:
            message = f"{key} names {quote_short(name)}, which is no column"
            yield name.unknown_name_problem(NO_COLUMN, message, grid.columns)
    is_by_row = grid.roll is not None and not grid.rolls_down and not grid.rolls_across
    yield from _check_cells(grid, [*([ROLL] if is_by_row else []), *dict.fromkeys(grid.columns)])
    lead = sum(column in grid.row_groups for column in grid.columns) + (not is_by_row)
    expected = max(len(grid.columns) - lead, 0)
    for name, head_texts in grid.head_rows.items():
        if len(head_texts) != expected:
            message = f"the heads {quote_short(name)} are {len(head_texts)}, for {expected} columns"
            yield NO_CELL.problem(name, f"{message}; write — where one is empty")
    row_heads = {
        row[name] for row in grid.rows for name in (LocatedText(ROLL), *grid.columns[:1]) if name in row
    }
    for note in grid.notes if isinstance(grid, Table) else ():
        if note.at and note.at not in grid.columns and note.at not in row_heads:
            message = f"this note names {quote_short(note.at)}, which is no column and begins no row"
            yield note.at.unknown_name_problem(NO_COLUMN, message, [*grid.columns, *sorted(row_heads)])


def _check_cells(grid: TableGrid, expected: Sequence[str]) -> Problems:
    for row in grid.rows:
        unknown = [key for key in row if key not in expected]
        missing = [key for key in expected if key not in row]
        for key in unknown:
            hint = did_you_mean(key, missing or grid.columns)
            hint = "; say which dice with roll: above" if key == ROLL and not grid.roll else hint
            yield NO_COLUMN.problem(key, f"this table has no column {quote_short(key)}{hint}")
        first = next(iter(row), None)
        if first and len(missing) > len(unknown):
            names = " and ".join(map(quote_short, missing))
            yield NO_CELL.problem(first, f"this row has no {names}; write — where a cell is empty")


@check(TableGrid, MODIFIER)
def check_modifiers(grid: TableGrid, _: Scope) -> Problems:
    """Report malformed modifiers, and those that do not say when they apply."""
    for modifier in grid.modifiers:
        if fault := modifier_fault(modifier):
            yield MODIFIER.problem(modifier.value, fault)


@check(TableGrid, NO_RESULT)
def check_results(grid: TableGrid, scope: Scope) -> Problems:
    """Report cells with results that the table's list of results does not have."""
    assert isinstance(scope.source, TableEntry)
    table = scope.source.table
    known = [*grid.results] or ([*table.results] if grid.columns == table.columns else [])
    for cell in result_cells(grid) if known else ():
        until, _ = footnote_marks(cell, table.notes)
        offset = match_results(cell[:until], known)
        if offset < until:
            unknown = cell[offset:]
            nor = "" if any(map(str.isalnum, unknown)) else ", nor the sign of a note below it"
            message = f"{quote_short(unknown)} is no result of this table{nor}{did_you_mean(unknown, known)}"
            yield NO_RESULT.problem(cell.location_of(offset), message)


@check(SequenceStep, NO_TABLE)
def check_used_tables(step: SequenceStep, scope: Scope) -> Problems:
    """Report tables that steps use but neither the book nor its series has."""
    index, edition = scope.index, scope.edition
    outlines = with_series(scope.outline, index.outlines)
    for name in step.step.uses if scope.has_all_parts else ():
        # A rule, or a mark that leads to another book, is no table.
        if index.find_table(edition, name) or index.references(name) or any(o.find(name) for o in outlines):
            continue
        if name.location_of(0) in scope.project.stale_places:
            continue
        options = table_names(scope.outline, index)
        if edition.dialect.parse_number(name) or nearest_option(name, options, cutoff=0.8):
            yield name.unknown_name_problem(NO_TABLE, f"no table {quote_short(name)}", options, name)
        else:
            message = f"no table of this book is called {quote_short(name)}; make one in tables/, or a note"
            yield NOT_HELD.problem(name, message, name)


def table_names(outline: Outline, index: ReferenceIndex) -> list[str]:
    """Return the numbers, ids and titles of the tables of an edition and its series."""
    editions = outline.edition.with_series
    tables = [table for edition in editions for table in index.editions[edition.address].tables]
    return [str(name) for table in tables for name in (table.anchor, table.table.title)]
