"""Changes of the tables of two editions, cell by cell, and of their player aids, block by block."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import fields, is_dataclass

from rulewright.book.tables import TableEntry, bare, table_named
from rulewright.citations.predecessor import follows
from rulewright.compare.change import Change, Kind, WordDifference, kinds_of
from rulewright.compare.matching import Side
from rulewright.compare.rule_changes import Rules
from rulewright.compare.word_changes import Word, masked, most_alike
from rulewright.model.aid import Aid, Block
from rulewright.model.rulebook import NEW
from rulewright.model.table import ROLL, Grid, Row
from rulewright.source.text import Text

TableChange = Change[TableEntry]

_APART = ("number", "formerly", "id", "was", "columns", "rows", "modifiers", "notes", "then")
"""Keys of a table that are its name, and those that are compared entry by entry."""

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


def table_changes(old: Side, new: Side, rules: Rules) -> list[TableChange]:
    """Every table of the new edition, then those that are gone."""
    made = match(old, new, rules)
    added = Kind.ADDED if rules.is_sure(new) else Kind.ONLY
    removed = Kind.REMOVED if rules.is_sure(old) else Kind.ONLY
    row: list[TableChange] = []
    for table in new.tables:
        if not (was := made.get(table)):
            row.append(Change(None, table, (added,)))
            continue
        parts, kinds = tuple(_parts(was, table, rules)), list[Kind]()
        if was.entry and table.entry and was.entry.key != table.entry.key:
            kinds.append(Kind.RENUMBERED if table.entry in rules.in_place else Kind.MOVED)
        row.append(Change(was, table, (*kinds, *kinds_of(parts)), parts))
    kept = set(made.values())
    return [*row, *(Change(one, None, (removed,)) for one in old.tables if one not in kept)]


def _parts(was: TableEntry, table: TableEntry, rules: Rules) -> Iterator[WordDifference]:
    a, b = was.table, table.table
    if not (a.number and b.number):
        yield from rules.differing("number", [a.number], [b.number])
    yield from _grid("", a, b, rules)
    if a.then or b.then:
        yield from _grid("then, ", a.then or Grid(), b.then or Grid(), rules)
    olds, news = (
        [[text for text in (one.mark, one.at, one.text) if text] for one in table.notes] for table in (a, b)
    )
    yield from listed("note", olds, news, rules)


def _grid(where: str, a: Grid, b: Grid, rules: Rules) -> Iterator[WordDifference]:
    """Differences in columns and rows, the dice and what is added to them."""
    yield from _keys(where, a, b, rules, _APART)
    gone = [column for column in a.columns if column not in b.columns]
    come = [column for column in b.columns if column not in a.columns]
    # One heading for one other is a heading that changed; the cells below it are compared.
    renamed = dict(zip(come, gone, strict=True)) if len(gone) == len(come) == 1 else {}
    apart = [*(([one], ()) for one in gone), *(((), [one]) for one in come)]
    for headings in [([old], [new]) for new, old in renamed.items()] or apart:
        yield from rules.differing(f"{where}column", *headings)
    for row in dict.fromkeys([*b.head_rows, *a.head_rows]):
        heads = (" | ".join(grid.head_rows.get(row, ())) for grid in (a, b))
        was, now = (Text.written(one, row.file, row.start, row.end) if one else None for one in heads)
        yield from rules.differing(f"{where}heads {row}", [was], [now])
    columns = [Text(ROLL), *b.columns, *(() if renamed else gone)]
    for before, after in _rows(a, b, rules):
        name = f"{where}{_called(b, after) if after else _called(a, before)}"
        for column in columns:
            was, now = before.get(renamed.get(column, column)), after.get(column)
            yield from rules.differing(f"{name}, {column}", [was], [now])
    for result in dict.fromkeys([*b.results, *a.results]):
        yield from rules.differing(
            f"{where}result {result}", [a.results.get(result)], [b.results.get(result)]
        )
    olds, news = (
        [[text for text in (one.value, one.of, one.when, *one.see) if text] for one in grid.modifiers]
        for grid in (a, b)
    )
    yield from listed(f"{where}modifier", olds, news, rules)


def _rows(a: Grid, b: Grid, rules: Rules) -> Iterator[tuple[Row, Row]]:
    """Rows side by side, in the order of the new table: the same, of one roll, of first cells, most alike."""

    def cells(row: Row, side: Side) -> tuple[str, ...]:
        return tuple(word for cell in row.values() for word in masked(side.words(cell)))

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
            alike = {one: cells(old, rules.old) for one, old in left.items()}
            if (best := most_alike(cells(row, rules.new), alike, ALIKE)) is not None:
                was[at] = best
                del left[best]
    yield from ((a.rows[was[at]] if at in was else {}, row) for at, row in enumerate(b.rows))
    yield from ((row, {}) for row in left.values())


def _called(grid: Grid, row: Row) -> str:
    """Name of a row: its roll, else the cells that it begins with."""
    first = grid.columns[: len(grid.row_groups) + 1]
    return row.get(Text(ROLL)) or " › ".join(cell for column in first if (cell := row.get(column)))


def listed(
    name: str, olds: Sequence[Sequence[Text]], news: Sequence[Sequence[Text]], rules: Rules
) -> Iterator[WordDifference]:
    """Differences between two lists: each entry beside the one most like it; one that is left is gone."""

    def keys(words: Sequence[Sequence[Word]]) -> list[str]:
        return [word.key for row in words for word in row]

    left = [[rules.old.words(text) for text in one] for one in olds]
    for new in ([rules.new.words(text) for text in one] for one in news):
        best = most_alike(keys(new), dict(enumerate(map(keys, left[:MOST_ROWS]))), ALIKE)
        yield from rules.part(name, left.pop(best) if best is not None else [], new, " ")
    for old in left:
        yield from rules.part(name, old, [], " ")


AidChange = Change[Aid]
Said = tuple[str, list[Text]]


def aid_changes(rules: Rules) -> list[AidChange]:
    """Every aid of the new edition, then those that are gone. One is known by its file, or by its title."""
    left = {_file(aid): aid for aid in rules.old.outline.edition.aids}
    row: list[AidChange] = []
    news = {_file(aid): aid for aid in rules.new.outline.edition.aids}
    for name, aid in news.items():
        titled = [one for one, old in left.items() if bare(old.title) == bare(aid.title) and one not in news]
        was = left.pop(name if name in left else titled[0] if titled else "", None)
        parts = tuple(_aid_parts(was, aid, rules)) if was else ()
        row.append(Change(was, aid, tuple(kinds_of(parts)) if was else (Kind.ADDED,), parts))
    return [*row, *(Change(aid, None, (Kind.REMOVED,)) for aid in left.values())]


def _file(aid: Aid) -> str:
    """The name of an aid's file, which is the same in every edition."""
    return aid.title.file.name.rpartition("/")[2]


def _aid_parts(was: Aid, aid: Aid, rules: Rules) -> Iterator[WordDifference]:
    yield from _keys("", was, aid, rules)
    left, names = list(was.blocks), set(map(_name, aid.blocks))
    for at, block in enumerate(aid.blocks, 1):
        same = [one for one in left if _name(one) == _name(block)]
        sort = [one for one in left if one.sort == block.sort and _name(one) not in names]
        before = next(iter(same or sort), None)
        if before:
            left.remove(before)
        else:
            yield from rules.differing(f"block {at}", [], [block.sort], ", ")
        yield from _keys(f"block {at}, ", before, block, rules)
    for block in left:
        yield from rules.differing("block", [block.sort], [], ", ")


def _name(block: Block) -> tuple[str, ...]:
    return (str(block.sort), *(str(text) for _, texts in _values(block) for text in texts[:1]))


def _keys(
    where: str, old: object, new: object, rules: Rules, but: Container[str] = ("blocks", "sort")
) -> Iterator[WordDifference]:
    """Differences in the keys of two parts, of which one may not be there, `but` for some."""
    before, after = (dict(_values(part, but)) if part else {} for part in (old, new))
    for key in {**after, **before}:
        yield from rules.differing(f"{where}{key}", before.get(key, []), after.get(key, []), ", ")


def _values(part: object, but: Container[str] = ("blocks", "sort")) -> list[Said]:
    """Texts of a part by its keys, with those of the parts in it, `but` for some keys."""
    found: list[Said] = []
    assert is_dataclass(part)
    for f in fields(part):
        value, name = getattr(part, f.name), f.name.replace("_", " ")
        rows = value if isinstance(value, tuple) else () if value is None else (value,)
        if f.name in but:
            continue
        if all(isinstance(one, Text) for one in rows):
            found.append((name, list(rows)))
        for at, one in enumerate(rows, 1):
            if is_dataclass(one):
                where = f"{name} {at}" if isinstance(value, tuple) else name
                found += [(f"{where}: {key}", inner) for key, inner in _values(one)]
    return found
