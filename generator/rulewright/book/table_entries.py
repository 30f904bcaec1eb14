"""Tables of an edition, with their rule numbers and anchors.

A table with a number is the rule of that number, so that a reference to 14.6c leads to it. Other tables have
an anchor on the page of tables.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from rulewright.book.aid_plan import AidSheet
from rulewright.book.errata_entries import ErrataEntry
from rulewright.book.library import Edition
from rulewright.book.outline import Outline, RuleEntry
from rulewright.files.located_text import LocatedText
from rulewright.schema.table import ROLL, Table, TableGrid
from rulewright.schema.yaml_fields import reference_texts
from rulewright.sequence.sequence_step import TOP, SequenceStep, title_slug

_AMOUNT = re.compile(r"[\s\d.,/½¼¾⅓⅔×x%()+−–-]*")


@dataclass(eq=False, slots=True)
class TableEntry:
    """Table of an edition."""

    table: Table
    edition: Edition
    anchor: str
    """Anchor on its page."""
    entry: RuleEntry | None = None
    """Rule with the number of the table."""

    @property
    def cited_as(self) -> RuleEntry | TableEntry:
        return self.entry or self

    @property
    def key(self) -> str:
        return self.anchor

    def grids(self) -> Iterator[TableGrid]:
        yield self.table
        if self.table.then:
            yield self.table.then

    @property
    def display_number(self) -> str:
        return self.entry.display_number if self.entry else self.anchor

    def __str__(self) -> str:
        return f"{self.display_number} {self.table.title}" if self.entry else str(self.table.title)


Source = RuleEntry | SequenceStep | TableEntry | AidSheet | ErrataEntry
"""Possible source of a citation."""


def build_table_entries(outline: Outline) -> list[TableEntry]:
    """Return the tables of an edition in order of their files; duplicate names are left out."""
    placed: dict[str, TableEntry] = {}
    for table in outline.edition.tables:
        entry = outline.find(table.number) if table.number else None
        anchor = table_anchor(table, outline)
        if anchor not in placed:
            second_roll = table.then and replace(table.then, columns=table.then.columns or table.columns)
            placed[anchor] = TableEntry(replace(table, then=second_roll), outline.edition, anchor, entry)
            if entry and not (entry.rule and entry.rule.title):
                entry.title = table.title
    return list(placed.values())


def table_anchor(table: Table, outline: Outline) -> str:
    """Return the anchor of a table: its number, or its id."""
    entry = outline.find(table.number) if table.number else None
    name = title_slug(table.id or table.title.printed)
    return entry.key if entry else f"{name}-table" if name == TOP else name


def table_of_file(tables: Iterable[TableEntry], name: str) -> TableEntry | None:
    """Return the table in a file of the content folder."""
    return next((table for table in tables if table.table.title.file.name == name), None)


def find_table(tables: Sequence[TableEntry], name: str) -> TableEntry | None:
    """Return the table with a number, an id or a title as written by an author."""
    bare_name = bare_table_name(name)
    for table in tables:
        names = (table.anchor, table.table.number, table.table.id, table.table.title)
        if bare_name in {bare_table_name(name) for name in names if name}:
            return table
    return None


def bare_table_name(name: str) -> str:
    """Return a name without optional words, such as Ramming for "the Ramming Table"."""
    words = " ".join(re.findall(r"[\w.]+", name.casefold()))
    return words.removeprefix("the ").removesuffix(" table")


def reference_texts_of_table(table: TableEntry) -> Iterator[tuple[LocatedText, bool]]:
    """Yield the texts of a table that may hold references, and whether they hold nothing else."""
    yield from reference_texts(table.table)
    for grid in table.grids():
        if grid is not table.table:
            yield from reference_texts(grid)
        yield from ((meaning, False) for meaning in grid.results.values())
        for modifier in grid.modifiers:
            yield from reference_texts(modifier)
        rolls = {ROLL, *grid.rolls_down, *grid.rolls_across}
        for row in grid.rows:
            for column, cell in row.items():
                if column not in rolls and not _AMOUNT.fullmatch(cell):
                    yield cell, False
