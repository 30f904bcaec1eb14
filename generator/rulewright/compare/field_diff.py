"""Differences in what two rules, steps, tables or aids say, key by key, as the model has them.

References are compared by the rules that they mean. Every key of the model is compared, but those that say
`apart`: they name a thing or its place, which the matching compares, or hold things compared by themselves.
Names are compared besides where it is one edition at two times.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import Field, fields, is_dataclass, replace
from functools import cache
from itertools import islice
from typing import Any

from rulewright.book.outline import RuleEntry
from rulewright.compare.item_change import WordDifference
from rulewright.compare.matching import BARELY, EditionSide, MatchResult
from rulewright.compare.word_diff import (
    DiffWord,
    Meaning,
    diff_words,
    has_same_typography,
    join_texts,
    mask_references,
    most_similar,
    references_as_rules,
    says_same,
    similarity,
    tokenize,
)
from rulewright.files.located_text import LocatedText
from rulewright.references.reference_types import RuleReference
from rulewright.schema.rulebook import RuleHistoryKeys
from rulewright.schema.table import ROLL, Row, Table, TableGrid
from rulewright.schema.yaml_fields import all_texts_of
from rulewright.sequence.actors import find_actor
from rulewright.sequence.sequence_step import SequenceStep

Said = list[tuple[str, Sequence[DiffWord]]]
"""What a thing says, by its keys."""

MOST_LIKE = 200
"""Among so many notes or rows, one that changed is looked for."""

ALIKE = 0.5
"""Share of its words that has to have stayed in a row of a table that is the same."""

GONE = "gone"
"""Stands for the number of a rule that is not there any more."""


@cache
def compared_keys(model: Any, names: bool = False) -> list[Field[Any]]:
    """The keys of a type of the model that are compared, its title first; or those that are mere `names`."""
    found = (f for f in fields(model) if f.metadata.get("apart") == ("name" if names else None))
    return sorted(found, key=lambda f: f.name != "title")


STANDING = {f.name for f in compared_keys(RuleHistoryKeys)}
"""Keys that say how a rule stands to those that hold beside it or in its place."""


def reference_keys(
    old: EditionSide, new: EditionSide, made: MatchResult[RuleEntry]
) -> tuple[Meaning, Meaning]:
    """Meaning of references in two editions: one key for one rule, deeper numbers by their further labels."""

    def key(
        resolved: RuleReference, own: EditionSide, heir: Callable[[RuleEntry], RuleEntry | None]
    ) -> tuple[str, str]:
        target, number = resolved.target, resolved.number
        deeper = "/".join(number.labels[len(target.number.labels) :])
        if target.edition is not own.outline.edition:
            return f"{target.edition.address}:{target.key}+{deeper}", target.key
        if meant := heir(target):
            return f"{meant.key}+{deeper}", meant.key
        return f"gone:{target.key}+{deeper}", GONE

    return (
        lambda resolved: key(resolved, old, made.successor),
        lambda resolved: key(resolved, new, lambda entry: entry),
    )


def texts_by_key(
    thing: Any, side: EditionSide, where: str = "", only: Container[str] = (), names: bool = False
) -> Said:
    """Words of a thing by its keys, of `only` some; those of several parts by what one of them is called.

    `names`: its names and labels instead.
    """
    found = Said()
    part: Any = thing.own_keys if isinstance(thing, SequenceStep) else thing
    model: Any = type(part)
    for f in compared_keys(model, names) if part else ():
        if only and f.name not in only:
            continue
        value: Any = getattr(part, f.name)
        name = where + f.metadata.get("one", f.metadata.get("name", f.name))
        if not value or isinstance(value, LocatedText):
            found.append((name, side.words(value or None)))
        elif is_dataclass(value):
            found += texts_by_key(value, side, f"{name}: ")
        elif isinstance(value, Mapping):
            found += ((f"{name} {key}", _words(one, side)) for key, one in value.items())
        elif isinstance(value[0], LocatedText):
            found.append((name, _words(value, side)))
        else:
            for one in value:
                if kind := getattr(one, "kind", None):
                    found += [(str(kind), side.words(text)) for text in all_texts_of(one) if text is not kind]
                elif sort := getattr(one, "sort", None):
                    found += [(name, side.words(sort)), *texts_by_key(one, side, f"{sort} {name}, ")]
                else:
                    found.append((name, _words(one, side)))
    return found


def without_inherited(part: Any) -> Any:
    """A part of a file without what it has from other files: a game's rulebook without that of its series."""

    def is_here(value: Any) -> bool:
        return all(text.file.name == part.title.file.name for text in islice(all_texts_of(value), 1))

    made: dict[str, Any] = {}
    for f in fields(part):
        value = getattr(part, f.name)
        if isinstance(value, Mapping):
            made[f.name] = {key: one for key, one in value.items() if is_here(one)}
        elif isinstance(value, tuple):
            made[f.name] = tuple(filter(is_here, value))
        else:
            made[f.name] = value if value is None or is_here(value) else None
    return replace(part, **made)


def _words(value: Any, side: EditionSide) -> Sequence[DiffWord]:
    return join_texts([side.words(text) for text in all_texts_of(value) if text], ", ")


def _pairs(olds: Sequence[Sequence[DiffWord]], news: Sequence[Sequence[DiffWord]]) -> dict[int, int]:
    """Pairs of several texts, those most alike first: the old one's place by the new one's."""
    a, b = ([mask_references(words) for words in texts[:MOST_LIKE]] for texts in (olds, news))
    alike = ((similarity(one, other), at, to) for at, one in enumerate(a) for to, other in enumerate(b))
    found: dict[int, int] = {}
    for _, at, to in sorted((-much, at, to) for much, at, to in alike if much >= BARELY):
        if to not in found and at not in found.values():
            found[to] = at
    return found


class FieldDiff:
    """The words of two editions, `old` and `new`, with what their references mean."""

    def __init__(self, old: EditionSide, new: EditionSide, meant: tuple[Meaning, Meaning]) -> None:
        self.old, self.new, self.meant = old, new, meant

    def diff_values(
        self, name: str, olds: Sequence[Sequence[DiffWord]], news: Sequence[Sequence[DiffWord]]
    ) -> Iterator[WordDifference]:
        """Difference in something that both say, in one text or in several."""
        if not any(olds) and not any(news):
            return
        before, after = (
            join_texts([references_as_rules(words, meant) for words in texts], "\n")
            for texts, meant in zip((olds, news), self.meant, strict=True)
        )
        if not says_same(before, after):
            yield WordDifference(name, tuple(diff_words(before, after)))
        elif not has_same_typography(before, after):
            yield WordDifference(name, ())

    def diff_fields(self, olds: Said, news: Said) -> Iterator[WordDifference]:
        """Differences by keys: all text is taken together; of several the most alike are compared."""
        by_name: dict[str, tuple[list[Sequence[DiffWord]], list[Sequence[DiffWord]]]] = {}
        for at, side in ((1, news), (0, olds)):
            for name, words in side:
                by_name.setdefault(name, ([], []))[at].append(words)
        for name, (was, now) in by_name.items():
            if name == "text":
                yield from self.diff_values(name, was, now)
                continue
            pairs = {0: 0} if len(was) == len(now) == 1 else _pairs(was, now)
            for to, words in enumerate(now):
                yield from self.diff_values(name, [was[pairs[to]]] if to in pairs else [], [words])
            gone = set(range(len(was))).difference(pairs.values())
            for at in sorted(gone):
                yield from self.diff_values(name, [was[at]], [])

    def steps(self, was: SequenceStep, other: SequenceStep, as_around: bool) -> Iterator[WordDifference]:
        """Differences between two steps. `as_around`: who acts is another one only as in the step around."""
        same = as_around or was.actors == other.actors  # whatever the book calls him
        yield from self.diff_fields(*(_acting(*one, same) for one in ((was, self.old), (other, self.new))))
        yield from self.diff_fields(texts_by_key(was, self.old), texts_by_key(other, self.new))

    def tables(self, a: Table, b: Table) -> Iterator[WordDifference]:
        """Differences between two tables, cell by cell. A number is told where one of them has none."""
        numbers = (((table.number,) if table.number else ()) for table in (a, b))
        if not (a.number and b.number):
            yield from self._texts("number", *numbers)
        yield from self._grid("", a, b)
        if a.then or b.then:
            yield from self._grid("then, ", a.then or TableGrid(), b.then or TableGrid())

    def _texts(
        self, name: str, old: Sequence[LocatedText | None], new: Sequence[LocatedText | None]
    ) -> Iterator[WordDifference]:
        yield from self.diff_values(
            name, [self.old.words(one) for one in old], [self.new.words(one) for one in new]
        )

    def _grid(self, where: str, a: TableGrid, b: TableGrid) -> Iterator[WordDifference]:
        yield from self.diff_fields(texts_by_key(a, self.old, where), texts_by_key(b, self.new, where))
        gone = [column for column in a.columns if column not in b.columns]
        come = [column for column in b.columns if column not in a.columns]
        # One heading for one other is a heading that changed; the cells below it are compared.
        renamed = dict(zip(come, gone, strict=True)) if len(gone) == len(come) == 1 else {}
        apart = [*(([text], ()) for text in gone), *(((), [text]) for text in come)]
        for headings in [([old], [new]) for new, old in renamed.items()] or apart:
            yield from self._texts(f"{where}column", *headings)
        columns = [LocatedText(ROLL), *b.columns, *(() if renamed else gone)]
        for before, after in self._rows(a, b):
            name = f"{where}{_called(b, after) if after else _called(a, before)}"
            for column in columns:
                was, now = before.get(renamed.get(column, column)), after.get(column)
                yield from self._texts(f"{name}, {column}", [was], [now])

    def _rows(self, a: TableGrid, b: TableGrid) -> Iterator[tuple[Row, Row]]:
        """Rows side by side as in the new table: the same, of one roll, of first cells, most alike."""

        def cells(row: Row, side: EditionSide) -> tuple[str, ...]:
            return tuple(word for cell in row.values() for word in mask_references(side.words(cell)))

        was: dict[int, int] = {}
        left = dict(enumerate(a.rows))
        for key in (
            lambda row: tuple(row.items()),
            lambda row: row.get(LocatedText(ROLL)),
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
            if at not in was and 0 < len(left) <= MOST_LIKE:
                alike = {one: cells(old, self.old) for one, old in left.items()}
                if (best := most_similar(cells(row, self.new), alike, ALIKE)) is not None:
                    was[at] = best
                    del left[best]
        yield from ((a.rows[was[at]] if at in was else {}, row) for at, row in enumerate(b.rows))
        yield from ((row, {}) for row in left.values())


def _acting(step: SequenceStep, side: EditionSide, as_around: bool) -> Said:
    by = " then ".join(find_actor(name, side.outline.edition.book).title for name in step.actors)
    order = "strict" if step.way == "steps" else step.way
    found = {"kind": str(step.step.kind), "by": "" if as_around else by, "order": order}
    return [(name, tokenize(words)) for name, words in found.items()]


def _called(grid: TableGrid, row: Row) -> str:
    first = grid.columns[: len(grid.row_groups) + 1]
    return row.get(LocatedText(ROLL)) or " › ".join(cell for column in first if (cell := row.get(column)))
