"""Texts that an erratum may quote: those of a rule, a table, a step or a player aid, by part."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import chain

from rulewright.book import aid_plan
from rulewright.book.aid_plan import AidSheet
from rulewright.book.errata_targets import ErratumTarget, find_sheet, named_targets, steps_by_any_name
from rulewright.book.outline import Outline, RuleEntry
from rulewright.book.table_entries import TableEntry, find_table, reference_texts_of_table
from rulewright.files.located_text import LocatedText
from rulewright.files.problems import did_you_mean, quote_short
from rulewright.schema.erratum import Erratum
from rulewright.schema.rulebook import Rule
from rulewright.schema.step import StepAttributes
from rulewright.schema.table import ROLL, Row
from rulewright.schema.yaml_fields import reference_texts
from rulewright.sequence.sequence_step import SequenceStep

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


def find_target(
    erratum: Erratum,
    name: LocatedText | None,
    outline: Outline,
    tables: Sequence[TableEntry],
    sheets: Sequence[AidSheet],
) -> ErratumTarget | None:
    """Return what an erratum changes: its table, step or aid, or what `name` in its `rule:` names.

    Raises:
        UnknownTarget: the erratum names a table, step or aid that does not exist, or several steps.
    """
    if erratum.table:
        if table := find_table(tables, erratum.table):
            return table.cited_as
        names = [filter(None, (t.table.number, t.table.id, t.table.title)) for t in tables]
        raise _unknown("no table", erratum.table, chain.from_iterable(names))
    if erratum.aid:
        if sheet := find_sheet(erratum.aid, sheets):
            return sheet
        raise _unknown("no player aid", erratum.aid, [sheet.name for sheet in sheets])
    target = None if erratum.step or not name else next(named_targets(name, outline, tables), None)
    step_name = erratum.step or (name if isinstance(target, SequenceStep) else None)
    return _find_step(step_name, outline) if step_name else target


def _find_step(name: LocatedText, outline: Outline) -> SequenceStep:
    steps = steps_by_any_name(name, outline)
    if not steps:
        raise _unknown("no step", name, [step.step.title for step in outline.sequence.iter_steps()])
    if len(steps) > 1:
        places = ", ".join(step.anchor for step in steps[:6])
        raise UnknownTarget(f"{quote_short(name)} is {len(steps)} steps; name one by its address: {places}")
    return steps[0]


def quotable_texts(
    erratum: Erratum, target: ErratumTarget, outline: Outline, tables: Sequence[TableEntry]
) -> QuotableTexts:
    """Return the texts of its target that an erratum may quote.

    Raises:
        UnknownTarget: the erratum names a row, a column or a key that does not exist.
    """
    if isinstance(target, SequenceStep):
        return _quotable_step(erratum, target, outline)
    if isinstance(target, AidSheet):
        texts = [target.aid.title, *(text for text, _ in aid_plan.aid_texts(target))]
        return QuotableTexts(str(target), tuple(texts))
    table = next((table for table in tables if target in (table, table.entry)), None)
    rule = target.rule if isinstance(target, RuleEntry) else None
    if table and (erratum.table or erratum.row or erratum.column or not rule):
        return QuotableTexts(str(table), _unique(_table_texts(erratum, table)))
    assert isinstance(target, RuleEntry)
    part = str(erratum.part or "")
    texts = list(quotable_rule_texts(rule, part)) if rule else []
    if table and not part:
        texts += [text for text, _ in reference_texts_of_table(table)]
    if target.title and not rule and part in ("", "title"):
        texts.append(target.title)
    is_empty = rule and not rule.text
    return QuotableTexts(target.key, _unique(texts), rule if is_empty else None, bool(rule or table))


def _unknown(problem: str, name: LocatedText, names: Iterable[str]) -> UnknownTarget:
    return UnknownTarget(f"{problem} {quote_short(name)}{did_you_mean(name, dict.fromkeys(map(str, names)))}")


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


def _table_texts(erratum: Erratum, table: TableEntry) -> Iterator[LocatedText]:
    """Yield the texts of a table, or only the cells of a row, of a column or where they cross."""
    grids, row_name, column_name = list(table.grids()), erratum.row, erratum.column
    if not (row_name or column_name):
        yield from (text for text, _ in reference_texts_of_table(table))
        for grid in grids:
            yield from (modifier.value for modifier in grid.modifiers)
            yield from chain(grid.columns, *grid.head_rows.values(), *(row.values() for row in grid.rows))
        return
    columns = [column for grid in grids for column in (*grid.columns, ROLL)]
    if column_name and column_name not in columns:
        raise _unknown(f"{table} has no column", column_name, columns)
    rows: list[Row] = []
    row_names: list[str] = []
    for grid in grids:
        named_rows: list[Row] = []
        other_rows: list[Row] = []
        for row in grid.rows:
            names = [str(cell) for name, cell in row.items() if name in (ROLL, *grid.columns[:1])]
            row_names += names
            if row_name is None or row_name in names:
                named_rows.append(row)
            elif row_name in row.values():
                other_rows.append(row)
        rows += named_rows or other_rows
    if row_name and not rows:
        raise _unknown(f"{table} has no row", row_name, row_names)
    for row in rows:
        yield from (cell for name, cell in row.items() if column_name in (None, name))


def _quotable_step(erratum: Erratum, target: SequenceStep, outline: Outline) -> QuotableTexts:
    step, key, sequence = target.step, erratum.particular, outline.edition.sequence
    fields_by_key = {f.name.replace("_", " "): f.name for f in fields(StepAttributes)} | {"title": "title"}
    if key and key not in fields_by_key:
        raise _unknown("a step has no key", key, fields_by_key)
    if target is outline.sequence.root and sequence:
        return QuotableTexts("the sequence of play", tuple(text for text, _ in reference_texts(sequence)))
    reference_keys = {text.key for text, _ in reference_texts(step)}
    texts: list[LocatedText] = []
    for field_name in [fields_by_key[key]] if key else [f.name for f in fields(step)]:
        value = getattr(step, field_name)
        for text in value if isinstance(value, tuple) else (value,):
            is_quotable = isinstance(text, LocatedText) and text.key in reference_keys
            if is_quotable or (text and field_name in LABELS):
                texts.append(text)
    return QuotableTexts(target.path, tuple(texts))
