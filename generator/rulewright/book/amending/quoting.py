"""The texts that an erratum may quote: those of a rule, a table, a step or a player aid, by their parts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields

from rulewright.book import sheet
from rulewright.book.outline import Entry, Outline
from rulewright.book.sheet import Sheet
from rulewright.book.tables import TableEntry, table_named, table_texts
from rulewright.book.targets import Thing, steps_called
from rulewright.model.erratum import Erratum
from rulewright.model.keys import texts_of
from rulewright.model.rulebook import Rule
from rulewright.model.step import Particulars, Step
from rulewright.model.table import ROLL, Grid, Row
from rulewright.source.problems import did_you_mean, shown
from rulewright.source.text import Text

LABELS = ("label", "abbreviation")
"""Keys of a step beside its prose that an erratum may quote."""


class NoSuch(ValueError):
    """An erratum names something that is not there; the message says what, and the nearest."""


@dataclass(frozen=True, slots=True)
class Quotable:
    """The texts that an erratum may quote, and what messages call what they belong to.

    `rule`: the rule that has no text of its own yet, if it has none. `known`: the words are here at all.
    """

    name: str
    texts: tuple[Text, ...]
    rule: Rule | None = None
    known: bool = True


def quotable(
    erratum: Erratum,
    things: Sequence[Thing],
    outline: Outline,
    tables: Sequence[TableEntry],
    sheets: Sequence[Sheet],
) -> Quotable:
    """Texts that an erratum may quote. Raises NoSuch where it names a thing that is not there."""
    if erratum.table:
        return _table(erratum, tables)
    if erratum.step:
        return _step(erratum, outline)
    if erratum.aid:
        return _aid(erratum, sheets)
    entry = next((one for one in things if isinstance(one, Entry)), None)
    if entry is None:
        return Quotable(str(erratum.at or "it"), (), known=False)
    table = next((one for one in tables if one.entry is entry), None)
    if table and (erratum.row or erratum.column or not entry.rule):
        return Quotable(str(table), _once(_cells(erratum, table)))
    found = list(_of_rule(entry.rule, str(erratum.part or ""))) if entry.rule else []
    if not erratum.part:
        found += [text for text, _ in table_texts(table)] if table else []
    empty = entry.rule if not (entry.rule and entry.rule.text) else None
    title = [entry.title] if entry.title and not entry.rule and erratum.part in (None, "title") else []
    return Quotable(entry.key, _once(found + title), empty, bool(entry.rule or table))


def _once(texts: Iterable[Text]) -> tuple[Text, ...]:
    """Texts each once: two that say the same are two."""
    return tuple({text.key: text for text in texts}.values())


def _of_rule(rule: Rule, part: str) -> Iterator[Text]:
    own = {"text": rule.text, "closing": rule.closing, "title": rule.title}
    yield from (text for name, text in own.items() if text and part in ("", name))
    if part in ("", "notes"):
        yield from (text for note in rule.notes for text, _ in texts_of(note))
    if not part:
        yield from (figure.alt for figure in rule.figures)
        yield from (text for one in (*rule.figures, *rule.diagrams) for text, _ in texts_of(one))


def _table(erratum: Erratum, tables: Sequence[TableEntry]) -> Quotable:
    assert erratum.table
    found = table_named(list(tables), erratum.table)
    if found is None:
        names = [name for one in tables for name in (one.table.number, one.table.id, one.table.title) if name]
        raise NoSuch(f"no table {shown(erratum.table)}{did_you_mean(erratum.table, names)}")
    return Quotable(str(found), _once(_cells(erratum, found)))


def _cells(erratum: Erratum, one: TableEntry) -> Iterator[Text]:
    """The texts of a table; of a row or a column, or where they meet, the cells alone."""
    if not (erratum.row or erratum.column):
        yield from (text for text, _ in table_texts(one))
        for grid in one.grids():
            yield from (modifier.value for modifier in grid.modifiers)
            yield from (*grid.columns, *(head for row in grid.head_rows.values() for head in row))
            yield from (cell for row in grid.rows for cell in row.values())
        return
    columns = [column for grid in one.grids() for column in (*grid.columns, ROLL)]
    if erratum.column and erratum.column not in columns:
        near = did_you_mean(erratum.column, dict.fromkeys(map(str, columns)))
        raise NoSuch(f"{one} has no column {shown(erratum.column)}{near}")
    rows = [row for grid in one.grids() for row in _rows(grid, erratum.row)]
    if not rows:
        assert erratum.row
        firsts = [name for grid in one.grids() for row in grid.rows for name in _called(row, grid)]
        raise NoSuch(f"{one} has no row {shown(erratum.row)}{did_you_mean(erratum.row, firsts)}")
    for row in rows:
        yield from (cell for name, cell in row.items() if erratum.column in (None, name))


def _called(row: Row, grid: Grid) -> list[str]:
    names = (ROLL, *map(str, grid.columns[:1]))
    return [str(cell) for name, cell in row.items() if name in names]


def _rows(grid: Grid, name: Text | None) -> list[Row]:
    if name is None:
        return list(grid.rows)
    return [row for row in grid.rows if name in _called(row, grid)] or [
        row for row in grid.rows if name in row.values()
    ]


def _step(erratum: Erratum, outline: Outline) -> Quotable:
    assert erratum.step
    found = steps_called(erratum.step, outline)
    if not found:
        titles = dict.fromkeys(str(step.step.title) for step in outline.every_step())
        raise NoSuch(f"no step {shown(erratum.step)}{did_you_mean(erratum.step, titles)}")
    if len(found) > 1:
        places = ", ".join(step.anchor for step in found[:6])
        raise NoSuch(f"{shown(erratum.step)} is {len(found)} steps; name one by its address: {places}")
    step, wanted = found[0].step, erratum.particular
    named = {f.name.replace("_", " "): f.name for f in fields(Particulars)} | {"title": "title"}
    if wanted and wanted not in named:
        raise NoSuch(f"a step has no key {shown(wanted)}{did_you_mean(wanted, named)}")
    if found[0] is outline.root and outline.edition.sequence:
        return Quotable("the sequence of play", tuple(t for t, _ in texts_of(outline.edition.sequence)))
    return Quotable(found[0].path, tuple(_of_step(step, named[wanted] if wanted else "")))


def _of_step(step: Step, name: str) -> Iterator[Text]:
    own = {text.key for text, _ in texts_of(step)}
    for f in fields(step):
        value = getattr(step, f.name)
        for text in value if isinstance(value, tuple) else (value,):
            if isinstance(text, Text) and name in ("", f.name) and (text.key in own or f.name in LABELS):
                yield text


def _aid(erratum: Erratum, sheets: Sequence[Sheet]) -> Quotable:
    assert erratum.aid
    found = next((one for one in sheets if erratum.aid in (one.name, one.aid.title)), None)
    if found is None:
        names = [one.name for one in sheets]
        raise NoSuch(f"no player aid {shown(erratum.aid)}{did_you_mean(erratum.aid, names)}")
    return Quotable(str(found), (found.aid.title, *(text for text, _ in sheet.texts(found))))
