"""Match the steps, tables, errata and player aids of two states of a book.

Pairs that an editor declares with `was:` come first, then items with an equal key, then similar ones.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from difflib import SequenceMatcher
from itertools import product
from typing import TypeVar

from rulewright.book.aid_plan import AidSheet
from rulewright.book.errata_entries import ErrataEntry
from rulewright.book.outline import RuleEntry
from rulewright.book.table_entries import TableEntry, bare_table_name, find_table
from rulewright.compare.matching import ALIKE_TITLES, EditionSide, MatchResult
from rulewright.compare.word_diff import (
    mask_references,
    similarity,
    tokenize,
)
from rulewright.files.located_text import LocatedText
from rulewright.references.previous_edition import (
    is_next_edition,
    steps_with_previous_name,
)
from rulewright.schema.rulebook import NEW
from rulewright.schema.step import DO
from rulewright.schema.text_document import plain_text
from rulewright.schema.yaml_fields import all_texts_of
from rulewright.sequence.sequence_step import SequenceStep

T = TypeVar("T")

MOST_STEPS = 60
"""Among at most so many steps of one place, those with similar titles are looked for."""


def _declared(
    old: EditionSide,
    new: EditionSide,
    items_of: Callable[[EditionSide], Iterable[T]],
    previous_name: Callable[[T], LocatedText | None],
    find: Callable[[LocatedText, EditionSide], T | None],
) -> MatchResult[T]:
    """Return the pairs that `was:` declares in an edition that follows the other."""
    result = MatchResult[T]()
    for item in items_of(new) if is_next_edition(new.outline, old.outline) else ():
        name = previous_name(item)
        if name == NEW:
            result.excluded.add(item)
        elif name and (counterpart := find(name, old)):
            result.take([(0, counterpart, item)])
    return result


def match_steps(old: EditionSide, new: EditionSide) -> MatchResult[SequenceStep]:
    """Match steps from the outermost inwards, then those left by their names, wherever they are."""

    def find(name: LocatedText, side: EditionSide) -> SequenceStep | None:
        steps = steps_with_previous_name(name, side.outline)
        return steps[0] if len(steps) == 1 else None

    def is_renamed(
        old: SequenceStep, new: SequenceStep, old_row: Sequence[SequenceStep], new_row: Sequence[SequenceStep]
    ) -> bool:
        """Return whether two steps share most of their inner steps, or have none and the same place."""
        if (old.step.kind, old.difference) != (new.step.kind, new.difference):
            return False
        if old.own_steps or new.own_steps:
            shared = Counter(map(step_match_key, old.own_steps)) & Counter(map(step_match_key, new.own_steps))
            return 2 * shared.total() > max(len(old.own_steps), len(new.own_steps))
        i, j = old_row.index(old), new_row.index(new)
        return old.step.kind != DO and (i == j or len(old_row) - i == len(new_row) - j)

    def match_row(old_row: Sequence[SequenceStep], new_row: Sequence[SequenceStep]) -> None:
        result.take_equal(old_row, new_row, step_match_key)
        old_left = [step for step in old_row if step not in result.old]
        new_left = [step for step in new_row if step not in result.new]
        if max(len(old_left), len(new_left)) <= MOST_STEPS:
            pairs = [*product(old_left, new_left)]
            weighed = [(title_similarity(*pair), *pair) for pair in pairs]
            result.take(pair for pair in weighed if pair[0] >= ALIKE_TITLES)
            result.take((0, *pair) for pair in pairs if is_renamed(*pair, old_row, new_row))
        for step in new_row:
            if step in result.new:
                match_row(result.new[step].own_steps, step.own_steps)

    result = _declared(old, new, lambda side: side.steps, lambda step: step.step.was, find)
    match_row(old.outline.sequence.steps, new.outline.sequence.steps)
    known = {*result.old}
    result.take_equal(old.steps, new.steps, step_match_key, unique=True)
    for step in [step for step in result.old if step not in known]:
        match_row(step.own_steps, result.old[step].own_steps)
    return result


def title_similarity(step: SequenceStep, other: SequenceStep) -> float:
    """Return the similarity of the titles of two steps without the words for their kinds, from 0 to 1."""
    a, b = _bare_title(step), _bare_title(other)
    if not a or not b or step.difference != other.difference:
        return 0.0
    shared = len(set(a) & set(b))
    words = (shared / len(set(a) | set(b)) + shared / min(len(set(a)), len(set(b)))) / 2
    if step.step.kind == other.step.kind:
        words = max(words, SequenceMatcher(None, " ".join(a), " ".join(b), autojunk=False).ratio())
    return words


def _bare_title(step: SequenceStep) -> list[str]:
    """Return the words of a step's title without those that every title of its kind has."""
    words = re.findall(r"\w+", plain_text(step.step.title).casefold())
    kinds = {*step.step.kind.casefold().split(), "and"}
    return [word for word in words if word not in kinds] or words


def step_match_key(step: SequenceStep) -> tuple[str, ...]:
    """Return the kind and the title of a step, and how it differs in its turn."""
    return str(step.step.kind), plain_text(step.step.title).casefold(), step.difference


def match_tables(
    old: EditionSide, new: EditionSide, rules: MatchResult[RuleEntry]
) -> MatchResult[TableEntry]:
    """Match tables: as declared, by their rules, by title, or by file."""
    tables = old.references.tables, new.references.tables

    def title(table: TableEntry) -> str:
        return bare_table_name(table.table.title)

    result = _declared(
        old,
        new,
        lambda side: side.references.tables,
        lambda table: table.table.was,
        lambda name, side: find_table(side.references.tables, name),
    )
    result.take_equal(*tables, lambda old: old.entry, lambda new: new.entry and rules.new.get(new.entry))
    result.take_equal(*tables, lambda table: (title(table), table.anchor), unique=True)
    result.take_equal(*tables, title, unique=True)
    result.take_equal(*tables, lambda table: table.table.title.file.name.rpartition("/")[2])
    return result


def match_errata(old: EditionSide, new: EditionSide) -> MatchResult[ErrataEntry]:
    """Match errata and questions: with equal words, with equal numbers, then the most similar."""
    result = MatchResult[ErrataEntry]()
    entries = old.references.errata_entries, new.references.errata_entries
    words: dict[ErrataEntry, tuple[str, ...]] = {}
    for entry in (*entries[0], *entries[1]):
        texts = map(mask_references, map(tokenize, all_texts_of(entry.source)))
        words[entry] = tuple(word for text in texts for word in text)

    def number(entry: ErrataEntry) -> Hashable:
        return entry.source.number and (entry.erratum is None, str(entry.source.number))

    result.take_equal(*entries, lambda entry: (entry.erratum is None, words[entry]))
    result.take_equal(*entries, number)
    pairs = ((similarity(words[first], words[second]), first, second) for first, second in product(*entries))
    result.take(
        pair for pair in pairs if pair[0] >= ALIKE_TITLES and bool(pair[1].erratum) == bool(pair[2].erratum)
    )
    return result


def match_sheets(old: EditionSide, new: EditionSide) -> MatchResult[AidSheet]:
    """Match player aids by file, then by title."""
    result = MatchResult[AidSheet]()
    sheets = old.references.aid_sheets, new.references.aid_sheets
    result.take_equal(*sheets, lambda sheet: sheet.name)
    result.take_equal(*sheets, lambda sheet: bare_table_name(sheet.aid.title))
    return result
