"""Differences in the words of two rules, steps, tables or aids, key by key of the model.

References are compared by the rules that they mean. Keys with the flag `apart` are not compared: they name an
item or its place, which the matching compares, or hold items that are compared by themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterator, Mapping, Sequence
from dataclasses import Field, fields, is_dataclass
from functools import cache
from typing import Any

from rulewright.book.outline import RuleEntry
from rulewright.compare.item_change import WordDifference
from rulewright.compare.matching import BARELY, EditionSide, MatchResult
from rulewright.compare.word_diff import (
    DiffWord,
    Meaning,
    diff_words,
    join_texts,
    mask_references,
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

Words = Sequence[DiffWord]

TextsByKey = list[tuple[str, Words]]
"""Names of keys, each with the words of its text; a key may have several texts."""

MAX_SIMILAR = 200
"""Maximum number of notes or rows among which a changed one is looked for."""

ALIKE = 0.5
"""Least similarity of two rows of a table that are the same."""

GONE = "gone"
"""Number of a rule that was deleted."""


@cache
def compared_keys(model: Any) -> list[Field[Any]]:
    """Return the keys of a type of the model that are compared, its title first."""
    keys = (key for key in fields(model) if "apart" not in key.metadata)
    return sorted(keys, key=lambda key: key.name != "title")


HISTORY_KEYS = {key.name for key in compared_keys(RuleHistoryKeys)}
"""Keys for what a rule replaces, and what replaces it."""


def reference_keys(
    old: EditionSide, new: EditionSide, matches: MatchResult[RuleEntry]
) -> tuple[Meaning, Meaning]:
    """Return the meanings of references in two editions: one key for one rule, with the labels below it."""

    def meaning_in(side: EditionSide, successor: Callable[[RuleEntry], RuleEntry | None]) -> Meaning:
        def meaning(reference: RuleReference) -> tuple[str, str]:
            target = reference.target
            deeper = "/".join(reference.number.labels[len(target.number.labels) :])
            if target.edition is not side.outline.edition:
                return f"{target.edition.address}:{target.key}+{deeper}", target.key
            if current := successor(target):
                return f"{current.key}+{deeper}", current.key
            return f"gone:{target.key}+{deeper}", GONE

        return meaning

    return meaning_in(old, matches.successor), meaning_in(new, lambda entry: entry)


def texts_by_key(item: Any, side: EditionSide, prefix: str = "", only: Container[str] = ()) -> TextsByKey:
    """Return the words of an item by its keys, or by those in `only`.

    A key that holds several parts has the singular of its name.
    """
    texts = TextsByKey()
    part: Any = item.own_keys if isinstance(item, SequenceStep) else item
    model: Any = type(part)
    for key in compared_keys(model) if part else ():
        if only and key.name not in only:
            continue
        value: Any = getattr(part, key.name)
        name = prefix + key.metadata.get("one", key.metadata.get("name", key.name))
        if not value or isinstance(value, LocatedText):
            texts.append((name, side.words(value or None)))
        elif is_dataclass(value):
            texts += texts_by_key(value, side, f"{name}: ")
        elif isinstance(value, Mapping):
            texts += ((f"{name} {label}", _joined_words(inner, side)) for label, inner in value.items())
        elif isinstance(value[0], LocatedText):
            texts.append((name, _joined_words(value, side)))
        else:
            for inner in value:
                texts += _texts_of_part(inner, name, side)
    return texts


def _texts_of_part(part: Any, name: str, side: EditionSide) -> TextsByKey:
    """Return the words of one of several parts, such as a note or a block."""
    if kind := getattr(part, "kind", None):
        return [(str(kind), side.words(text)) for text in all_texts_of(part) if text is not kind]
    if sort := getattr(part, "sort", None):
        return [(name, side.words(sort)), *texts_by_key(part, side, f"{sort} {name}, ")]
    return [(name, _joined_words(part, side))]


def _joined_words(value: Any, side: EditionSide) -> Words:
    return join_texts([side.words(text) for text in all_texts_of(value) if text], ", ")


def _pair_similar(
    result: MatchResult[int],
    old_texts: Sequence[tuple[str, ...]],
    new_texts: Sequence[tuple[str, ...]],
    minimum: float,
) -> None:
    """Pair the positions of texts that have no pair yet, the most similar first."""
    weighed: list[tuple[float, int, int]] = []
    for old, old_text in enumerate(old_texts[:MAX_SIMILAR]):
        for new, new_text in enumerate(new_texts[:MAX_SIMILAR]):
            if result.is_open(old, new) and (weight := similarity(old_text, new_text)) >= minimum:
                weighed.append((weight, old, new))
    result.take(weighed)


class FieldDiff:
    """Differences in the words of items of two editions, with the meanings of their references."""

    def __init__(self, old: EditionSide, new: EditionSide, meanings: tuple[Meaning, Meaning]) -> None:
        self.old, self.new, self.meanings = old, new, meanings

    def diff_values(
        self, name: str, old_texts: Sequence[Words], new_texts: Sequence[Words]
    ) -> Iterator[WordDifference]:
        """Yield the difference of a key that has one text or several in each edition."""
        old_meaning, new_meaning = self.meanings
        before = join_texts([references_as_rules(words, old_meaning) for words in old_texts], "\n")
        after = join_texts([references_as_rules(words, new_meaning) for words in new_texts], "\n")
        if not says_same(before, after):
            yield WordDifference(name, tuple(diff_words(before, after)))

    def diff_fields(self, old_texts: TextsByKey, new_texts: TextsByKey) -> Iterator[WordDifference]:
        """Yield differences by key: texts of rules are joined; of other keys, similar texts are compared."""
        by_name: dict[str, tuple[list[Words], list[Words]]] = {}
        for side, texts in ((1, new_texts), (0, old_texts)):
            for name, words in texts:
                by_name.setdefault(name, ([], []))[side].append(words)
        for name, (before, after) in by_name.items():
            if name == "text":
                yield from self.diff_values(name, before, after)
                continue
            pairs = MatchResult[int]({0: 0}, {0: 0})
            if not len(before) == len(after) == 1:
                pairs = MatchResult[int]()
                _pair_similar(pairs, [*map(mask_references, before)], [*map(mask_references, after)], BARELY)
            for position, words in enumerate(after):
                old_words = [before[pairs.new[position]]] if position in pairs.new else []
                yield from self.diff_values(name, old_words, [words])
            for position, words in enumerate(before):
                if position not in pairs.old:
                    yield from self.diff_values(name, [words], [])

    def steps(self, before: SequenceStep, after: SequenceStep, is_as_outer: bool) -> Iterator[WordDifference]:
        """Yield the differences of two steps. `is_as_outer`: another actor is that of the outer step."""
        hides_actors = is_as_outer or before.actors == after.actors  # whatever the book calls them
        pairs = (before, self.old), (after, self.new)
        yield from self.diff_fields(*(_acting_words(*pair, hides_actors) for pair in pairs))
        yield from self.diff_fields(*(texts_by_key(*pair) for pair in pairs))

    def tables(self, before: Table, after: Table) -> Iterator[WordDifference]:
        """Yield the differences of two tables, cell by cell, and that of their numbers if one has none."""
        if not (before.number and after.number):
            yield from self._diff_texts("number", [before.number], [after.number])
        yield from self._diff_grids("", before, after)
        if before.then or after.then:
            yield from self._diff_grids("then, ", before.then or TableGrid(), after.then or TableGrid())

    def _diff_texts(
        self, name: str, old_texts: Sequence[LocatedText | None], new_texts: Sequence[LocatedText | None]
    ) -> Iterator[WordDifference]:
        old_words, new_words = map(self.old.words, old_texts), map(self.new.words, new_texts)
        yield from self.diff_values(name, [*old_words], [*new_words])

    def _diff_grids(self, prefix: str, before: TableGrid, after: TableGrid) -> Iterator[WordDifference]:
        old_texts, new_texts = texts_by_key(before, self.old, prefix), texts_by_key(after, self.new, prefix)
        yield from self.diff_fields(old_texts, new_texts)
        deleted = [column for column in before.columns if column not in after.columns]
        added = [column for column in after.columns if column not in before.columns]
        # If one heading replaces another, it was renamed; the cells below it are compared.
        former_names: dict[LocatedText, LocatedText] = {}
        if len(deleted) == len(added) == 1:
            former_names[added[0]] = deleted[0]
            yield from self._diff_texts(f"{prefix}column", deleted, added)
        else:
            for heading in deleted:
                yield from self._diff_texts(f"{prefix}column", [heading], [])
            for heading in added:
                yield from self._diff_texts(f"{prefix}column", [], [heading])
        columns = [LocatedText(ROLL), *after.columns, *(() if former_names else deleted)]
        for old_row, new_row in self._pair_rows(before, after):
            name = f"{prefix}{_row_name(after, new_row) if new_row else _row_name(before, old_row)}"
            for column in columns:
                old_cell = old_row.get(former_names.get(column, column))
                yield from self._diff_texts(f"{name}, {column}", [old_cell], [new_row.get(column)])

    def _pair_rows(self, before: TableGrid, after: TableGrid) -> Iterator[tuple[Row, Row]]:
        """Yield pairs of rows in the new order: equal, with an equal roll or first cells, most similar."""
        keys: tuple[Callable[[Row], Hashable], ...] = (
            lambda row: tuple(row.items()),
            lambda row: row.get(LocatedText(ROLL)),
            lambda row: tuple(row.values())[:2],
        )
        pairs = MatchResult[int]()
        for key in keys:
            old_keys, new_keys = [*map(key, before.rows)], [*map(key, after.rows)]
            positions = range(len(old_keys)), range(len(new_keys))
            pairs.take_equal(*positions, old_keys.__getitem__, new_keys.__getitem__)
        if len(pairs.new) < len(after.rows):
            old_words = [_cell_words(row, self.old) for row in before.rows]
            new_words = [_cell_words(row, self.new) for row in after.rows]
            _pair_similar(pairs, old_words, new_words, ALIKE)
        for position, row in enumerate(after.rows):
            yield before.rows[pairs.new[position]] if position in pairs.new else {}, row
        yield from ((row, {}) for position, row in enumerate(before.rows) if position not in pairs.old)


def _cell_words(row: Row, side: EditionSide) -> tuple[str, ...]:
    return tuple(word for cell in row.values() for word in mask_references(side.words(cell)))


def _acting_words(step: SequenceStep, side: EditionSide, hides_actors: bool) -> TextsByKey:
    actors = " then ".join(find_actor(name, side.outline.edition.book).title for name in step.actors)
    order = "strict" if step.way == "steps" else step.way
    values = {"kind": str(step.step.kind), "by": "" if hides_actors else actors, "order": order}
    return [(name, tokenize(words)) for name, words in values.items()]


def _row_name(grid: TableGrid, row: Row) -> str:
    first_columns = grid.columns[: len(grid.row_groups) + 1]
    return row.get(LocatedText(ROLL)) or " › ".join(
        cell for column in first_columns if (cell := row.get(column))
    )
