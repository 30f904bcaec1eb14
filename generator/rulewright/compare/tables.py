"""Changes of the tables of two editions: rows and columns matched, the cells compared one by one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.book.tables import TableEntry, bare, table_named
from rulewright.citations.predecessor import follows
from rulewright.compare.change import Change, Kind, Part, kinds_of
from rulewright.compare.matching import Side
from rulewright.compare.rules import Rules
from rulewright.compare.words import Word, masked, most_alike
from rulewright.model.rulebook import NEW
from rulewright.model.table import ROLL, Grid, Modifier, Row
from rulewright.source.text import Text

TableChange = Change[TableEntry]

ALIKE = 0.5
"""Share of its words that has to have stayed in a row that is the same."""

MOST_ROWS = 200
"""Among so many rows, a row that changed is looked for."""


def match(old: Side, new: Side, rules: Rules) -> dict[TableEntry, TableEntry]:
    """Tables of the new edition with those that they were: as an editor says, by rule, or by title."""
    made: dict[TableEntry, TableEntry] = {}
    left = list(old.tables)

    def pair(table: TableEntry, was: TableEntry | None) -> None:
        if was in left and table not in made:
            left.remove(was)
            made[table] = was

    is_next, is_back = follows(new.outline, old.outline), follows(old.outline, new.outline)
    for table in new.tables if is_next else ():
        pair(table, table_named(left, table.table.was) if table.table.was else None)
    for was in old.tables if is_back else ():
        if was.table.was and (heir := table_named(new.tables, was.table.was)):
            pair(heir, was)
    barred = {t for t in new.tables if is_next and t.table.was == NEW}
    barred |= {t for t in old.tables if is_back and t.table.was == NEW}
    for table in new.tables:
        home = rules.made.new.get(table.entry) if table.entry else None
        of_rule = [one for one in left if home and one.entry is home]
        titled = [one for one in left if bare(one.table.title) == bare(table.table.title)]
        for found in (of_rule, titled):
            if len(found) == 1 and table not in barred and found[0] not in barred:
                pair(table, found[0])
    return made


def changes(old: Side, new: Side, rules: Rules) -> list[TableChange]:
    """Every table of the new edition, then those that are gone."""
    made = match(old, new, rules)
    kept = set(made.values())
    row: list[TableChange] = []
    for table in new.tables:
        if was := made.get(table):
            row.append(_both(was, table, rules))
        else:
            row.append(Change(None, table, (Kind.ADDED if rules.is_sure(new) else Kind.ONLY,)))
    gone = (one for one in old.tables if one not in kept)
    return [*row, *(Change(one, None, (Kind.REMOVED if rules.is_sure(old) else Kind.ONLY,)) for one in gone)]


def _both(was: TableEntry, table: TableEntry, rules: Rules) -> TableChange:
    parts = list(_parts(was, table, rules))
    kinds = []
    if was.entry and table.entry and was.entry.key != table.entry.key:
        kinds.append(Kind.RENUMBERED if table.entry in rules.in_place else Kind.MOVED)
    return Change(was, table, (*kinds, *kinds_of(parts)), tuple(parts))


def _parts(was: TableEntry, table: TableEntry, rules: Rules) -> Iterator[Part]:
    a, b = was.table, table.table
    yield from _text("title", a.title, b.title, rules)
    yield from _text("text", a.text, b.text, rules)
    yield from _grid("", a, b, rules)
    if a.then or b.then:
        yield from _text("then", a.then.title if a.then else None, b.then.title if b.then else None, rules)
        yield from _grid("then, ", a.then or Grid(), b.then or Grid(), rules)
    yield from listed("note", [[note.text] for note in a.notes], [[note.text] for note in b.notes], rules)


def _text(name: str, old: Text | None, new: Text | None, rules: Rules) -> Iterator[Part]:
    yield from rules.differing(name, [old], [new])


def _grid(where: str, a: Grid, b: Grid, rules: Rules) -> Iterator[Part]:
    """Differences in columns and rows, the dice and what is added to them."""
    yield from _text(f"{where}roll", a.roll, b.roll, rules)
    gone = [column for column in a.columns if column not in b.columns]
    come = [column for column in b.columns if column not in a.columns]
    # One heading for one other is a heading that changed; the cells below it are compared.
    renamed = dict(zip(come, gone, strict=True)) if len(gone) == len(come) == 1 else {}
    for new, old in renamed.items():
        yield from _text(f"{where}column", old, new, rules)
    for column in () if renamed else gone:
        yield from _text(f"{where}column", column, None, rules)
    for column in () if renamed else come:
        yield from _text(f"{where}column", None, column, rules)
    for row in dict.fromkeys([*b.head_rows, *a.head_rows]):
        heads = (" | ".join(grid.head_rows.get(row, ())) for grid in (a, b))
        was, now = (Text.written(one, row.file, row.start, row.end) if one else None for one in heads)
        yield from _text(f"{where}heads {row}", was, now, rules)
    columns = [Text(ROLL), *b.columns, *(() if renamed else gone)]
    for before, after in _rows(a, b, rules):
        name = f"{where}{_called(b, after) if after else _called(a, before)}"
        for column in columns:
            was, now = before.get(renamed.get(column, column)), after.get(column)
            yield from _text(f"{name}, {column}", was, now, rules)
    for result in dict.fromkeys([*b.results, *a.results]):
        yield from _text(f"{where}result {result}", a.results.get(result), b.results.get(result), rules)
    olds, news = ([_modifier(one) for one in grid.modifiers] for grid in (a, b))
    yield from listed(f"{where}modifier", olds, news, rules)


def _rows(a: Grid, b: Grid, rules: Rules) -> Iterator[tuple[Row, Row]]:
    """The rows of two tables side by side, in the order of the new one, then those that are gone.

    Rows that are the same come first, then those of one roll, of the same first cells, and those most alike.
    """
    was: dict[int, int] = {}
    left = dict(enumerate(a.rows))

    for key in (
        lambda row: tuple(row.items()),
        lambda row: row.get(Text(ROLL)),
        lambda row: tuple(row.values())[:2],
    ):
        waiting: dict[object, list[int]] = {}
        for at, row in left.items():
            waiting.setdefault(key(row), []).append(at)
        for at, row in enumerate(b.rows):
            if at not in was and key(row) and (same := waiting.get(key(row))):
                was[at] = same.pop(0)
                del left[was[at]]
    for at, row in enumerate(b.rows):
        if at not in was and 0 < len(left) <= MOST_ROWS:
            alike = {one: _cells(old, rules.old) for one, old in left.items()}
            if (best := most_alike(_cells(row, rules.new), alike, ALIKE)) is not None:
                was[at] = best
                del left[best]
    yield from ((a.rows[was[at]] if at in was else {}, row) for at, row in enumerate(b.rows))
    yield from ((row, {}) for row in left.values())


def _cells(row: Row, side: Side) -> tuple[str, ...]:
    return tuple(word for cell in row.values() for word in masked(side.words(cell)))


def _called(grid: Grid, row: Row) -> str:
    """Name of a row: its roll, else the cells that it begins with."""
    first = grid.columns[: len(grid.row_groups) + 1]
    return row.get(Text(ROLL)) or " › ".join(cell for column in first if (cell := row.get(column)))


def _modifier(modifier: Modifier) -> list[Text]:
    return [text for text in (modifier.value, modifier.of, modifier.when, *modifier.see) if text]


def listed(
    name: str, olds: Sequence[Sequence[Text]], news: Sequence[Sequence[Text]], rules: Rules
) -> Iterator[Part]:
    """Differences between two lists: each entry beside the one most like it; one that is left is gone."""
    left = [[rules.old.words(text) for text in one] for one in olds]
    for new in ([rules.new.words(text) for text in one] for one in news):
        best = most_alike(_keys(new), dict(enumerate(map(_keys, left[:MOST_ROWS]))), ALIKE)
        yield from rules.part(name, left.pop(best) if best is not None else [], new, " ")
    for old in left:
        yield from rules.part(name, old, [], " ")


def _keys(words: Sequence[Sequence[Word]]) -> list[str]:
    return [word.key for row in words for word in row]
