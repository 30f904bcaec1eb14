"""The texts that an erratum may quote: those of a rule, a table, a step or a player aid, by their parts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields

from rulewright.book import aid_plan
from rulewright.book.aid_plan import AidSheet
from rulewright.book.errata_targets import Thing, steps_by_any_name
from rulewright.book.outline import Outline, RuleEntry
from rulewright.book.table_entries import TableEntry, find_table, reference_texts_of_table
from rulewright.model.erratum import Erratum
from rulewright.model.rulebook import Rule
from rulewright.model.step import Step, StepAttributes
from rulewright.model.table import ROLL, Row, TableGrid
from rulewright.model.yaml_fields import reference_texts
from rulewright.source.located_text import LocatedText
from rulewright.source.problems import did_you_mean, quote_short

LABELS = ("label", "abbreviation")
"""Keys of a step beside its prose that an erratum may quote."""


class UnknownTarget(ValueError):
    """An erratum names something that is not there; the message says what, and the nearest."""


@dataclass(frozen=True, slots=True)
class QuotableTexts:
    """The texts that an erratum may quote, and what messages call what they belong to.

    `rule`: the rule that has no text of its own yet, if it has none. `known`: the words are here at all.
    """

    name: str
    texts: tuple[LocatedText, ...]
    rule: Rule | None = None
    known: bool = True


def quotable_texts(
    erratum: Erratum,
    things: Sequence[Thing],
    outline: Outline,
    tables: Sequence[TableEntry],
    sheets: Sequence[AidSheet],
) -> QuotableTexts:
    """Texts that an erratum may quote. Raises NoSuch where it names a thing that is not there."""
    if erratum.table:
        return _table(erratum, tables)
    if erratum.step:
        return _step(erratum, outline)
    if erratum.aid:
        return _aid(erratum, sheets)
    entry = next((rule for rule in things if isinstance(rule, RuleEntry)), None)
    if entry is None:
        return QuotableTexts(str(erratum.rule or "it"), (), known=False)
    table = next((table for table in tables if table.entry is entry), None)
    if table and (erratum.row or erratum.column or not entry.rule):
        return QuotableTexts(str(table), _once(_cells(erratum, table)))
    found = list(_of_rule(entry.rule, str(erratum.part or ""))) if entry.rule else []
    if not erratum.part:
        found += [text for text, _ in reference_texts_of_table(table)] if table else []
    empty = entry.rule if not (entry.rule and entry.rule.text) else None
    title = [entry.title] if entry.title and not entry.rule and erratum.part in (None, "title") else []
    return QuotableTexts(entry.key, _once(found + title), empty, bool(entry.rule or table))


def _once(texts: Iterable[LocatedText]) -> tuple[LocatedText, ...]:
    """Texts each once: two that say the same are two."""
    return tuple({text.key: text for text in texts}.values())


def _of_rule(rule: Rule, part: str) -> Iterator[LocatedText]:
    own = {"text": rule.text, "closing": rule.closing, "title": rule.title}
    yield from (text for name, text in own.items() if text and part in ("", name))
    if part in ("", "notes"):
        yield from (text for note in rule.notes for text, _ in reference_texts(note))
    if not part:
        yield from (figure.alt for figure in rule.figures)
        yield from (text for one in (*rule.figures, *rule.diagrams) for text, _ in reference_texts(one))


def _table(erratum: Erratum, tables: Sequence[TableEntry]) -> QuotableTexts:
    assert erratum.table
    found = find_table(list(tables), erratum.table)
    if found is None:
        names = [
            name
            for table in tables
            for name in (table.table.number, table.table.id, table.table.title)
            if name
        ]
        raise UnknownTarget(f"no table {quote_short(erratum.table)}{did_you_mean(erratum.table, names)}")
    return QuotableTexts(str(found), _once(_cells(erratum, found)))


def _cells(erratum: Erratum, one: TableEntry) -> Iterator[LocatedText]:
    """The texts of a table; of a row or a column, or where they meet, the cells alone."""
    if not (erratum.row or erratum.column):
        yield from (text for text, _ in reference_texts_of_table(one))
        for grid in one.grids():
            yield from (modifier.value for modifier in grid.modifiers)
            yield from (*grid.columns, *(head for row in grid.head_rows.values() for head in row))
            yield from (cell for row in grid.rows for cell in row.values())
        return
    columns = [column for grid in one.grids() for column in (*grid.columns, ROLL)]
    if erratum.column and erratum.column not in columns:
        near = did_you_mean(erratum.column, dict.fromkeys(map(str, columns)))
        raise UnknownTarget(f"{one} has no column {quote_short(erratum.column)}{near}")
    rows = [row for grid in one.grids() for row in _rows(grid, erratum.row)]
    if not rows:
        assert erratum.row
        firsts = [name for grid in one.grids() for row in grid.rows for name in _called(row, grid)]
        raise UnknownTarget(f"{one} has no row {quote_short(erratum.row)}{did_you_mean(erratum.row, firsts)}")
    for row in rows:
        yield from (cell for name, cell in row.items() if erratum.column in (None, name))


def _called(row: Row, grid: TableGrid) -> list[str]:
    names = (ROLL, *map(str, grid.columns[:1]))
    return [str(cell) for name, cell in row.items() if name in names]


def _rows(grid: TableGrid, name: LocatedText | None) -> list[Row]:
    if name is None:
        return list(grid.rows)
    return [row for row in grid.rows if name in _called(row, grid)] or [
        row for row in grid.rows if name in row.values()
    ]


def _step(erratum: Erratum, outline: Outline) -> QuotableTexts:
    assert erratum.step
    found = steps_by_any_name(erratum.step, outline)
    if not found:
        titles = dict.fromkeys(str(step.step.title) for step in outline.iter_steps())
        raise UnknownTarget(f"no step {quote_short(erratum.step)}{did_you_mean(erratum.step, titles)}")
    if len(found) > 1:
        places = ", ".join(step.anchor for step in found[:6])
        raise UnknownTarget(
            f"{quote_short(erratum.step)} is {len(found)} steps; name one by its address: {places}"
        )
    step, wanted = found[0].step, erratum.particular
    named = {f.name.replace("_", " "): f.name for f in fields(StepAttributes)} | {"title": "title"}
    if wanted and wanted not in named:
        raise UnknownTarget(f"a step has no key {quote_short(wanted)}{did_you_mean(wanted, named)}")
    if found[0] is outline.sequence_root and outline.edition.sequence:
        return QuotableTexts(
            "the sequence of play", tuple(t for t, _ in reference_texts(outline.edition.sequence))
        )
    return QuotableTexts(found[0].path, tuple(_of_step(step, named[wanted] if wanted else "")))


def _of_step(step: Step, name: str) -> Iterator[LocatedText]:
    own = {text.key for text, _ in reference_texts(step)}
    for f in fields(step):
        value = getattr(step, f.name)
        for text in value if isinstance(value, tuple) else (value,):
            if (
                isinstance(text, LocatedText)
                and name in ("", f.name)
                and (text.key in own or f.name in LABELS)
            ):
                yield text


def _aid(erratum: Erratum, sheets: Sequence[AidSheet]) -> QuotableTexts:
    assert erratum.aid
    found = next((sheet for sheet in sheets if erratum.aid in (sheet.name, sheet.aid.title)), None)
    if found is None:
        names = [sheet.name for sheet in sheets]
        raise UnknownTarget(f"no player aid {quote_short(erratum.aid)}{did_you_mean(erratum.aid, names)}")
    return QuotableTexts(str(found), (found.aid.title, *(text for text, _ in aid_plan.aid_texts(found))))
