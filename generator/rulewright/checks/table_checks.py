"""Checks of tables: unique names, columns and rows, results, modifiers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from difflib import get_close_matches

from rulewright.book.outline import Outline
from rulewright.book.related_outlines import with_series
from rulewright.book.table_entries import TableEntry, bare_table_name, table_anchor
from rulewright.checks.number_checks import DUPLICATE
from rulewright.files.located_text import LocatedText
from rulewright.files.problems import (
    MOST_LETTERS,
    Problem,
    Severity,
    did_you_mean,
    problem_type,
    quote_short,
)
from rulewright.references.reference_index import ReferenceIndex
from rulewright.schema.model_reader import MISSING_KEY
from rulewright.schema.table import ROLL, Modifier, TableGrid, footnote_marks, is_shift

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

_VALUE = re.compile(r"[+−±-]\d*")
_NOTHING = {"—", "–", "-", "·", "*"}


def check_table_names(index: ReferenceIndex) -> Iterator[Problem]:
    """Report tables without a name, duplicate names, and the number of a rule with another title."""
    for outline in index.outlines.values():
        first: dict[str, LocatedText] = {}
        for table in outline.edition.tables:
            name, anchor = table.number or table.id or table.title, table_anchor(table, outline)
            if not table.number and not table.id:
                message = "this table needs the key number, or id where the book gives it none"
                yield MISSING_KEY.problem(table.title.place, message, table.title.file.name)
            if anchor in first:
                message = f"{quote_short(name)} is the table in {first[anchor].place} already"
                yield SAME_ID.problem(name.place, message, anchor)
            else:
                first[anchor] = name
                yield from _check_rule_title(table.title, table.number, outline)


def _check_rule_title(title: LocatedText, number: LocatedText | None, outline: Outline) -> Iterator[Problem]:
    entry = outline.find(number) if number else None
    text = entry.rule.title if entry and entry.rule else None
    if entry and number and text and bare_table_name(text) != bare_table_name(title):
        message = (
            f"{entry.key} is the rule {quote_short(text)} already, in {text.place}; give the two one title"
        )
        yield DUPLICATE.problem(number.place, message, entry.key)


def every_grid(index: ReferenceIndex) -> Iterator[tuple[TableEntry, TableGrid]]:
    """Yield all tables and their second rolls."""
    for references in index.editions.values():
        for table in references.tables:
            for grid in table.grids():
                yield table, grid


def check_table_columns(index: ReferenceIndex) -> Iterator[Problem]:
    """Report duplicate headings, rows with missing or extra cells, and unknown column names."""
    for table, grid in every_grid(index):
        seen: set[str] = set()
        for heading in grid.columns:
            if heading in seen or heading == ROLL:
                taken = "there is a column" if heading in seen else "every row has a key"
                message = f"{taken} {quote_short(heading)} already; choose another heading"
                yield SAME_COLUMN.problem(heading.place, message, table.key)
            seen.add(heading)
        for name, key in _column_names(grid):
            if name not in seen:
                message = f"{key} names {quote_short(name)}, which is no column"
                yield name.unknown_name_problem(NO_COLUMN, message, grid.columns, table.key)
        yield from _check_cells(table, grid)
        yield from _check_head_rows(table, grid)
        yield from _check_notes(table, grid)


def _column_names(grid: TableGrid) -> Iterator[tuple[LocatedText, str]]:
    yield from ((name, "row groups") for name in grid.row_groups)
    yield from ((name, "merged") for name in grid.merged)
    yield from ((name, "rolls down") for name in grid.rolls_down)
    yield from ((name, "rolls across") for name in grid.rolls_across)
    yield from ((name, "this group") for group in grid.column_groups for name in group.columns)


def _check_cells(table: TableEntry, grid: TableGrid) -> Iterator[Problem]:
    by_row = grid.roll is not None and not grid.rolls_down and not grid.rolls_across
    expected = [*([ROLL] if by_row else []), *dict.fromkeys(grid.columns)]
    for row in grid.rows:
        unknown = [key for key in row if key not in expected]
        missing = [key for key in expected if key not in row]
        for key in unknown:
            hint = did_you_mean(key, missing or grid.columns)
            hint = "; say which dice with roll: above" if key == ROLL and not grid.roll else hint
            yield NO_COLUMN.problem(
                key.place, f"this table has no column {quote_short(key)}{hint}", table.key
            )
        first = next(iter(row), None)
        if first and len(missing) > len(unknown):
            missing_names = " and ".join(map(quote_short, missing))
            yield NO_CELL.problem(
                first.place, f"this row has no {missing_names}; write — where a cell is empty", table.key
            )


def _check_head_rows(table: TableEntry, grid: TableGrid) -> Iterator[Problem]:
    by_row = grid.roll is not None and not grid.rolls_down and not grid.rolls_across
    lead = sum(column in grid.row_groups for column in grid.columns) + (0 if by_row else 1)
    for name, head_texts in grid.head_rows.items():
        if len(head_texts) != (expected := max(len(grid.columns) - lead, 0)):
            message = (
                f"the heads {quote_short(name)} are {len(head_texts)}, for {expected} columns; write — where "
                f"one is empty"
            )
            yield NO_CELL.problem(name.place, message, table.key)


def _check_notes(table: TableEntry, grid: TableGrid) -> Iterator[Problem]:
    names = (LocatedText(ROLL), *grid.columns[:1])
    row_heads = {row[name] for row in grid.rows for name in names if name in row}
    for note in table.table.notes if grid is table.table else ():
        if note.at and note.at not in grid.columns and note.at not in row_heads:
            message = f"this note names {quote_short(note.at)}, which is no column and begins no row"
            yield note.at.unknown_name_problem(
                NO_COLUMN, message, [*grid.columns, *sorted(row_heads)], table.key
            )


def check_modifiers(index: ReferenceIndex) -> Iterator[Problem]:
    """Report malformed modifiers, and those that do not say when they apply."""
    for table, grid in every_grid(index):
        for modifier in grid.modifiers:
            if fault := _modifier_fault(modifier):
                yield MODIFIER.problem(modifier.value.place, fault, table.key)


def _modifier_fault(modifier: Modifier) -> str:
    if not _VALUE.fullmatch(modifier.value) and not is_shift(modifier.value):
        usual = "write +1, -1, or a sign alone: +, -, ±; 1L or 2R for a shift of columns"
        return f"{quote_short(modifier.value)} is no modifier; {usual}"
    if not any(map(str.isdigit, modifier.value)) and not modifier.of:
        return f"{modifier.value} has no amount; write of: what it is taken from, or a number behind the sign"
    if not (modifier.of or modifier.when or modifier.see):
        return f"nothing says when {modifier.value} applies; add when:, of: or see:"
    return ""


def check_results(index: ReferenceIndex) -> Iterator[Problem]:
    """Report cells with results that the table's list of results does not have."""
    for table, grid in every_grid(index):
        known = [*grid.results] or ([*table.table.results] if grid.columns == table.table.columns else [])
        for cell in _result_cells(grid) if known else ():
            until, _ = footnote_marks(cell, table.table.notes)
            offset = _match_results(cell[:until], known)
            if offset < until:
                unknown = quote_short(cell[offset:])
                nor = "" if any(map(str.isalnum, cell[offset:])) else ", nor the sign of a note below it"
                message = f"{unknown} is no result of this table{nor}{did_you_mean(cell[offset:], known)}"
                yield NO_RESULT.problem(cell.location_of(offset), message, table.key)


def check_used_tables(index: ReferenceIndex) -> Iterator[Problem]:
    """Report tables that steps use but neither the book nor its series has."""
    for outline in index.outlines.values():
        outlines = with_series(outline, index.outlines)
        names = {
            bare_table_name(t.title): str(t.title) for outline in outlines for t in outline.edition.tables
        }
        for name in (name for step in outline.sequence.iter_steps() for name in step.step.uses):
            if index.find_table(outline.edition, name) or any(outline.find(name) for outline in outlines):
                continue
            if index.references(name):
                continue  # a rule, or a mark that leads to another book
            nearest = (
                get_close_matches(bare_table_name(name), names, n=1, cutoff=0.85)
                if len(name) <= MOST_LETTERS
                else []
            )
            if nearest:
                message = f"no table {quote_short(name)}; did you mean {quote_short(names[nearest[0]])}?"
                yield NO_TABLE.problem(name.place, message, name)
            elif outline.edition.dialect.parse_number(name):
                tables = (
                    table for outline in outlines for table in index.editions[outline.edition.address].tables
                )
                numbers = [table.key for table in tables if table.entry]
                yield name.unknown_name_problem(NO_TABLE, f"no table {quote_short(name)}", numbers, name)
            else:
                nearest = get_close_matches(bare_table_name(name)[:MOST_LETTERS], names, n=1, cutoff=0.5)
                hint = f"; the nearest is {quote_short(names[nearest[0]])}" if nearest else ""
                message = (
                    f"no table of this book is called {quote_short(name)}{hint}; make one in tables/, or "
                    f"a note"
                )
                yield NOT_HELD.problem(name.place, message, name)


def _result_cells(grid: TableGrid) -> Iterator[LocatedText]:
    """Yield the cells with results: all except those that select the row."""
    if grid.rolls_across:
        yield from grid.rolls_across
        return
    row_finders = {ROLL, *grid.rolls_down, *grid.row_groups}
    if not grid.roll:
        row_finders |= {column for column in grid.columns if column not in row_finders} - set(
            grid.columns[1:]
        )
    for row in grid.rows:
        yield from (
            cell for column, cell in row.items() if column in grid.columns and column not in row_finders
        )


def _match_results(cell: str, known: Sequence[str]) -> int:
    """Return the length of the part of a cell that consists of results and separators."""
    if cell.strip() in _NOTHING:
        return len(cell)
    patterns = [re.compile(re.escape(name).replace(r"\#", r"[\d½¼¾]+")) for name in known]
    patterns.append(re.compile(r"[\s,;/+&]+"))
    reached, furthest = {0}, 0
    for offset in range(len(cell)):
        if offset in reached:
            furthest = offset
            reached |= {m.end() for pattern in patterns if (m := pattern.match(cell, offset))}
    return len(cell) if len(cell) in reached else furthest
