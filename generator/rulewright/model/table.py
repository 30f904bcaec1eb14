"""Types that `tables/*.yml` are read into: a table, its columns, rows, modifiers and notes.

A table's rows are found by a roll in one of three ways: each row says in `roll` for which rolls it holds; or
the cells of some columns do (`rolls down`), each such column covering every roll once; or the cells of a row
cover every roll once among themselves (`rolls across`), and the column found is the result.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rulewright.model.keys import key, many, table
from rulewright.model.rulebook import FORMERLY
from rulewright.source.text import Items, Keys, Node, Text

ROLL = "roll"
"""The key of a row that says for which rolls it holds."""

Row = Mapping[Text, Text]

COLUMNS = "The headings of its columns, from left to right; rows of heads, each by what it is called."


_SHIFT = re.compile(r"(?:[+−-]?\d+ ?)?(?:L|R|left|right|columns? (?:left|right))|[+−-]\d+ columns?|\d* ?[←→]")


@dataclass(frozen=True, slots=True)
class ColumnGroup:
    """Columns under one heading."""

    title: Text = key("The heading over the columns.", must=True)
    columns: tuple[Text, ...] = many("The columns below it, which stand side by side.", must=True)


@dataclass(frozen=True, slots=True)
class Modifier:
    """Modifier: an amount added to a roll before the table is read, or columns to shift."""

    value: Text = key(
        "`+1` or `-2`, to shift columns `1L` or `2R`; without a number where the amount is that of `of`.",
        must=True,
    )
    of: Text | None = key("What the amount is taken from: the attacker's rating.", prose=True)
    when: Text | None = key("When it applies.", prose=True)
    see: tuple[Text, ...] = many("The rules that govern it.", cites=True, lone=True)


@dataclass(frozen=True, slots=True)
class TableNote:
    """A note below a table."""

    text: Text = key("The note.", must=True, prose=True)
    mark: Text | None = key(
        "The sign that leads to it: 1, *, †. One that is no letter or number may end any cell."
    )
    at: Text | None = key("Where its sign stands: the heading of a column, or a row's first cell.")


@dataclass(frozen=True, slots=True)
class Grid:
    """Columns and rows, and the dice that find a row."""

    title: Text | None = key("What the book calls it.", prose=True)
    roll: Text | None = key("The dice that are rolled on it: 1d6, 2d6, 1d10-1 for 0 to 9, d%, d66, 2W6.")
    columns: tuple[Text, ...] = many(COLUMNS, or_named=True, apart=True)
    head_rows: Mapping[Text, tuple[Text, ...]] = table(
        "Rows of heads above the columns, by what each is called: odds by terrain, costs. `columns` may hold "
        "them too.",
        one="heads",
    )
    heads: Text | None = key("`both` where the heads of rows stand at their right side too.", words="heads")
    column_groups: tuple[ColumnGroup, ...] = many("Headings over several columns.")
    row_groups: tuple[Text, ...] = many("Columns whose cell holds for all rows that follow with the same.")
    merged: tuple[Text, ...] = many(
        "Columns in which cells side by side that say the same are one wide cell."
    )
    rolls_down: tuple[Text, ...] = many("Columns whose cells are rolls; each column covers every roll once.")
    rolls_across: tuple[Text, ...] = many("Columns whose cells are rolls; each row covers every roll once.")
    rows: tuple[Row, ...] = many(
        "A cell for each column, and in `roll` the rolls a row holds for; or the cells alone, in the order "
        "of the columns, the roll first.",
        must=True,
        or_listed=True,
        apart=True,
    )
    results: Mapping[Text, Text] = table(
        "The results its cells use, each with its meaning; # is any number.", one="result"
    )
    modifiers: tuple[Modifier, ...] = many("What is added to the roll.", one="modifier")

    @staticmethod
    def spelt_out(written: Mapping[Text, Node | None], around: Node | None = None) -> dict[Text, Node | None]:
        """The keys of a table in their long form: each row with its columns, and rows of heads apart from the
        names of the columns, which the first row of different heads gives.

        `around`: the columns of the first roll.
        """
        made = dict(written)
        by_row = "roll" in made and not ("rolls down" in made or "rolls across" in made)
        groups = made.get(Text("row groups"))
        own = groups.items if isinstance(groups, Items) else [groups] if groups else []
        named = made.get(Text("columns"))
        if isinstance(named, Keys):
            heads = [row for row in named.entries.values() if isinstance(row, Items)]
            differing = (row.items for row in heads if len({*row.items}) == len(row.items))
            names = next(differing, heads[0].items if heads else [])
            lead = [*own] if by_row else [*own, *named.entries][: len(own) + 1]
            made[Text("head rows")] = named
            made[Text("columns")] = Items(named.file, named.start, named.end, items=[*lead, *names])
        columns, rows = made.get(Text("columns"), around), made.get(Text("rows"))
        if isinstance(columns, Items) and isinstance(rows, Items):
            order = sorted(
                (str(one) for one in columns.items if isinstance(one, Text)), key=lambda name: name not in own
            )
            if by_row:
                order.insert(sum(name in own for name in order), ROLL)
            items: list[Node] = [_keyed(row, order) if isinstance(row, Items) else row for row in rows.items]
            made[Text("rows")] = Items(rows.file, rows.start, rows.end, items=items)
        then = made.get(Text("then"))
        if isinstance(then, Keys):
            entries = Grid.spelt_out(then.entries, columns)
            made[Text("then")] = Keys(then.file, then.start, then.end, entries=entries)
        return made


@dataclass(frozen=True, slots=True)
class SecondRoll(Grid):
    """A second roll that follows the first. It has the columns of the table unless it says others."""


@dataclass(frozen=True, slots=True)
class Table(Grid):
    """A file in `tables/`: one table of an edition."""

    title: Text = key("What the book calls it.", must=True, prose=True)
    number: Text | None = key("The number as printed.", apart="name")
    formerly: tuple[Text, ...] = many(FORMERLY, lone=True, apart="name")
    id: Text | None = key(
        "A short name, for steps and addresses, where the table has no number.", apart="name"
    )
    text: Text | None = key("What it is used for, and how.", prose=True)
    columns: tuple[Text, ...] = many(COLUMNS, must=True, or_named=True, apart=True)
    notes: tuple[TableNote, ...] = many("Notes below the table.", one="note")
    was: Text | None = key(
        "The number, id or title it had in the edition that this one follows, or `none`.", apart="name"
    )
    then: SecondRoll | None = key("A second roll that follows the first.", apart=True)


def _keyed(row: Items, columns: Sequence[str]) -> Keys:
    """A row that is a list of cells, each with its column; one too many has a name of no column."""
    names = [*columns, *(f"number {at}" for at in range(len(columns) + 1, len(row.items) + 1))]
    cells = zip(names, row.items, strict=False)
    entries: dict[Text, Node | None] = {
        Text.written(name, row.file, cell.start, cell.start): cell for name, cell in cells
    }
    return Keys(row.file, row.start, row.end, entries=entries)


def is_shift(value: str) -> bool:
    """Whether a modifier shifts columns and adds nothing to the roll: `1L`, `2 right`, `+1 column`, `→`."""
    return bool(_SHIFT.fullmatch(value))


def modifies_roll(grid: Grid) -> bool:
    """Whether a table has modifiers that change its roll."""
    return not all(is_shift(modifier.value) for modifier in grid.modifiers)


def signs_of(cell: str, notes: Sequence[TableNote]) -> tuple[int, tuple[int, ...]]:
    """Where the signs of notes at the end of a cell begin, and the places of those notes: A1* is A1.

    Signs that are letters or numbers could as well be part of the result, so they are not looked for.
    """
    marks = {str(note.mark): at for at, note in reversed(list(enumerate(notes))) if note.mark}
    signs = sorted((m for m in marks if not any(c.isalpha() or c.isdecimal() for c in m)), key=len)
    end, found = len(cell), list[int]()
    while sign := next((s for s in reversed(signs) if cell.endswith(s, 0, end)), ""):
        end = len(cell[: end - len(sign)].rstrip())
        found.insert(0, marks[sign])
    return (end, tuple(found)) if end else (len(cell), ())
