"""The tables of an edition in their places: which rule each one is, and which steps use it.

A table with a number is the rule of that number, so a reference to 14.6c leads to it; one without has an
address on the page of the edition's tables.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from rulewright.book.library import Edition
from rulewright.book.outline import Entry, Outline
from rulewright.book.remarks import Remark
from rulewright.book.sequence import TOP, StepEntry, slug
from rulewright.book.sheet import Sheet
from rulewright.model.keys import texts_of
from rulewright.model.table import ROLL, Grid, Table
from rulewright.source.text import Text

_AMOUNT = re.compile(r"[\s\d.,/½¼¾⅓⅔×x%()+−–-]*")


@dataclass(eq=False, slots=True)
class TableEntry:
    """A table in its place. `entry`: the rule that has its number; `anchor`: its address on a page."""

    table: Table
    edition: Edition
    anchor: str
    entry: Entry | None = None

    @property
    def home(self) -> Entry | TableEntry:
        return self.entry or self

    @property
    def key(self) -> str:
        return self.anchor

    def grids(self) -> Iterator[Grid]:
        yield self.table
        if self.table.then:
            yield self.table.then

    @property
    def shown(self) -> str:
        return self.entry.shown if self.entry else self.anchor

    def __str__(self) -> str:
        return f"{self.shown} {self.table.title}" if self.entry else str(self.table.title)


Source = Entry | StepEntry | TableEntry | Sheet | Remark
"""Things that can cite a rule."""


def place_tables(outline: Outline) -> list[TableEntry]:
    """The tables of an edition in order of their files. A second one of the same name is left out."""
    placed: dict[str, TableEntry] = {}
    for table in outline.edition.tables:
        entry = outline.find(table.number) if table.number else None
        anchor = anchor_of(table, outline)
        if anchor not in placed:
            then = table.then and replace(table.then, columns=table.then.columns or table.columns)
            placed[anchor] = TableEntry(replace(table, then=then), outline.edition, anchor, entry)
            if entry and not (entry.rule and entry.rule.title):
                entry.title = table.title
    return list(placed.values())


def anchor_of(table: Table, outline: Outline) -> str:
    """The name of a table in addresses: its number, or its id."""
    entry = outline.find(table.number) if table.number else None
    name = slug(table.id or table.title.printed)
    return entry.key if entry else f"{name}-table" if name == TOP else name


def table_in(tables: Iterable[TableEntry], name: str) -> TableEntry | None:
    """The table that a file of the content folder holds."""
    return next((one for one in tables if one.table.title.file.name == name), None)


def table_named(tables: list[TableEntry], name: str) -> TableEntry | None:
    """The table of a number, an id or a title, as someone writes it."""
    wanted = bare(name)
    for one in tables:
        names = (one.anchor, one.table.number, one.table.id, one.table.title)
        if wanted in {bare(each) for each in names if each}:
            return one
    return None


def bare(name: str) -> str:
    """A name without what people leave out or add: Ramming, the Ramming Table."""
    words = " ".join(re.findall(r"[\w.]+", name.casefold()))
    return words.removeprefix("the ").removesuffix(" table")


def table_texts(one: TableEntry) -> Iterator[tuple[Text, bool]]:
    """The texts of a table in which references are found, and whether they hold nothing else."""
    yield from texts_of(one.table)
    for grid in one.grids():
        if grid is not one.table:
            yield from texts_of(grid)
        yield from ((meaning, False) for meaning in grid.results.values())
        for modifier in grid.modifiers:
            yield from texts_of(modifier)
        rolls = {ROLL, *grid.rolls_down, *grid.rolls_across}
        for row in grid.rows:
            for column, cell in row.items():
                if column not in rolls and not _AMOUNT.fullmatch(cell):
                    yield cell, False
