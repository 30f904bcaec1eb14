"""Texts that an erratum may quote: those of a rule, a table, a step or a player aid, by part."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields

from rulewright.book import aid_plan
from rulewright.book.aid_plan import AidSheet
from rulewright.book.errata_targets import ErratumTarget, steps_by_any_name
from rulewright.book.outline import Outline, RuleEntry
from rulewright.book.table_entries import TableEntry, find_table, reference_texts_of_table
from rulewright.files.located_text import LocatedText
from rulewright.files.problems import did_you_mean, quote_short
from rulewright.schema.erratum import Erratum
from rulewright.schema.rulebook import Rule
from rulewright.schema.step import Step, StepAttributes
from rulewright.schema.table import ROLL, Row, TableGrid
from rulewright.schema.yaml_fields import reference_texts

LABELS = ("label", "abbreviation")
"""Keys of a step other than prose that an erratum may quote."""


class UnknownTarget(ValueError):
    """The target of an erratum does not exist; the message suggests the most similar name."""


@dataclass(frozen=True, slots=True)
class QuotableTexts:
    """Texts that an erratum may quote."""

    name: str
    """Name of the target in messages."""
    texts: tuple[LocatedText, ...]
    rule: Rule | None = None
    """Rule without text, to which an erratum may add one."""
    known: bool = True
    """The text of the target is transcribed."""


def quotable_texts(
    erratum: Erratum,
    targets: Sequence[ErratumTarget],
    outline: Outline,
    tables: Sequence[TableEntry],
    sheets: Sequence[AidSheet],
) -> QuotableTexts:
    """Return the texts that an erratum may quote.

    Raises:
        UnknownTarget: the erratum names a table, row, column, step or aid that does not exist.
    """
    if erratum.table:
        return _quotable_table(erratum, tables)
    if erratum.step:
        return _quotable_step(erratum, outline)
    if erratum.aid:
        return _quotable_aid(erratum, sheets)
    entry = next((rule for rule in targets if isinstance(rule, RuleEntry)), None)
    if entry is None:
        return QuotableTexts(next(map(str, erratum.rule), "it"), (), known=False)
    table = next((table for table in tables if table.entry is entry), None)
    if table and (erratum.row or erratum.column or not entry.rule):
        return QuotableTexts(str(table), _unique(_table_texts(erratum, table)))
    texts = list(quotable_rule_texts(entry.rule, str(erratum.part or ""))) if entry.rule else []
    if not erratum.part:
        texts += [text for text, _ in reference_texts_of_table(table)] if table else []
    empty = entry.rule if not (entry.rule and entry.rule.text) else None
    title = [entry.title] if entry.title and not entry.rule and erratum.part in (None, "title") else []
    return QuotableTexts(entry.key, _unique(texts + title), empty, bool(entry.rule or table))


def _unique(texts: Iterable[LocatedText]) -> tuple[LocatedText, ...]:
    """Remove duplicates; equal texts at different locations are not duplicates."""
    return tuple({text.key: text for text in texts}.values())


def quotable_rule_texts(rule: Rule, part: str) -> Iterator[LocatedText]:
    """Yield the texts of a rule, or of one part of it."""
    texts_by_part = {"text": rule.text, "closing": rule.closing, "title": rule.title}
    yield from (text for name, text in texts_by_part.items() if text and part in ("", name))
    if part in ("", "notes"):
        yield from (text for note in rule.notes for text, _ in reference_texts(note))
    if not part:
        yield from (figure.alt for figure in rule.figures)
        yield from (text for figure in (*rule.figures, *rule.diagrams) for text, _ in reference_texts(figure))


def _quotable_table(erratum: Erratum, tables: Sequence[TableEntry]) -> QuotableTexts:
    assert erratum.table
    table = find_table(list(tables), erratum.table)
    if table is None:
        names = [
            name
            for table in tables
            for name in (table.table.number, table.table.id, table.table.title)
            if name
        ]
        raise UnknownTarget(f"no table {quote_short(erratum.table)}{did_you_mean(erratum.table, names)}")
    return QuotableTexts(str(table), _unique(_table_texts(erratum, table)))


def _table_texts(erratum: Erratum, table: TableEntry) -> Iterator[LocatedText]:
    """Yield the texts of a table, or only the cells of a row, of a column or where they cross."""
    if not (erratum.row or erratum.column):
        yield from (text for text, _ in reference_texts_of_table(table))
        for grid in table.grids():
            yield from (modifier.value for modifier in grid.modifiers)
            yield from (*grid.columns, *(head for row in grid.head_rows.values() for head in row))
            yield from (cell for row in grid.rows for cell in row.values())
        return
    columns = [column for grid in table.grids() for column in (*grid.columns, ROLL)]
    if erratum.column and erratum.column not in columns:
        suggestion = did_you_mean(erratum.column, dict.fromkeys(map(str, columns)))
        raise UnknownTarget(f"{table} has no column {quote_short(erratum.column)}{suggestion}")
    rows = [row for grid in table.grids() for row in _find_rows(grid, erratum.row)]
    if not rows:
        assert erratum.row
        names: list[str] = []
        for grid in table.grids():
            names += [name for row in grid.rows for name in _row_names(row, grid)]
        raise UnknownTarget(
            f"{table} has no row {quote_short(erratum.row)}{did_you_mean(erratum.row, names)}"
        )
    for row in rows:
        yield from (cell for name, cell in row.items() if erratum.column in (None, name))


def _row_names(row: Row, grid: TableGrid) -> list[str]:
    names = (ROLL, *map(str, grid.columns[:1]))
    return [str(cell) for name, cell in row.items() if name in names]


def _find_rows(grid: TableGrid, name: LocatedText | None) -> list[Row]:
    if name is None:
        return list(grid.rows)
    return [row for row in grid.rows if name in _row_names(row, grid)] or [
        row for row in grid.rows if name in row.values()
    ]


def _quotable_step(erratum: Erratum, outline: Outline) -> QuotableTexts:
    assert erratum.step
    steps = steps_by_any_name(erratum.step, outline)
    if not steps:
        titles = dict.fromkeys(str(step.step.title) for step in outline.sequence.iter_steps())
        raise UnknownTarget(f"no step {quote_short(erratum.step)}{did_you_mean(erratum.step, titles)}")
    if len(steps) > 1:
        places = ", ".join(step.anchor for step in steps[:6])
        raise UnknownTarget(
            f"{quote_short(erratum.step)} is {len(steps)} steps; name one by its address: {places}"
        )
    step, key = steps[0].step, erratum.particular
    fields_by_key = {f.name.replace("_", " "): f.name for f in fields(StepAttributes)} | {"title": "title"}
    if key and key not in fields_by_key:
        raise UnknownTarget(f"a step has no key {quote_short(key)}{did_you_mean(key, fields_by_key)}")
    if steps[0] is outline.sequence.root and outline.edition.sequence:
        return QuotableTexts(
            "the sequence of play", tuple(t for t, _ in reference_texts(outline.edition.sequence))
        )
    return QuotableTexts(steps[0].path, tuple(_step_texts(step, fields_by_key[key] if key else "")))


def _step_texts(step: Step, name: str) -> Iterator[LocatedText]:
    reference_keys = {text.key for text, _ in reference_texts(step)}
    for f in fields(step):
        value = getattr(step, f.name)
        for text in value if isinstance(value, tuple) else (value,):
            if (
                isinstance(text, LocatedText)
                and name in ("", f.name)
                and (text.key in reference_keys or f.name in LABELS)
            ):
                yield text


def _quotable_aid(erratum: Erratum, sheets: Sequence[AidSheet]) -> QuotableTexts:
    assert erratum.aid
    sheet = next((sheet for sheet in sheets if erratum.aid in (sheet.name, sheet.aid.title)), None)
    if sheet is None:
        names = [sheet.name for sheet in sheets]
        raise UnknownTarget(f"no player aid {quote_short(erratum.aid)}{did_you_mean(erratum.aid, names)}")
    return QuotableTexts(str(sheet), (sheet.aid.title, *(text for text, _ in aid_plan.aid_texts(sheet))))
