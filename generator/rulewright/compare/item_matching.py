"""Matching of steps, tables, aids, errata and questions: which one of one edition is which of another.

An editor's `was:` comes first. Steps are matched from the outermost inwards, those of one place by name and
then by how alike their titles are; tables by the rules that they belong to; aids by their files. What is left
is matched by its title, tables at last by their files. Errata and questions are matched by what they say.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from difflib import SequenceMatcher
from typing import TypeVar

from rulewright.book.aid_plan import AidSheet
from rulewright.book.errata_entries import ErrataEntry
from rulewright.book.outline import RuleEntry
from rulewright.book.table_entries import TableEntry, bare_table_name, find_table
from rulewright.compare.rule_matching import EditionSide, MatchResult
from rulewright.compare.word_diff import mask_references, most_similar, tokenize
from rulewright.files.located_text import LocatedText
from rulewright.references.previous_edition import is_next_edition, steps_with_previous_name
from rulewright.schema.rulebook import NEW
from rulewright.schema.text_document import plain_text
from rulewright.schema.yaml_fields import all_texts_of
from rulewright.sequence.sequence_step import SequenceStep

ALIKE = 0.6
"""How alike the titles of two steps are that may be one, and the words of two errata."""

MOST_STEPS = 60
"""Among so many steps of one place those of like titles are looked for."""

T = TypeVar("T", SequenceStep, TableEntry)


def _declared(
    sides: Sequence[EditionSide],
    every: Sequence[Sequence[T]],
    was: Callable[[T], LocatedText | None],
    named: Callable[[LocatedText, int], T | None],
) -> MatchResult[T]:
    """The pairs that an editor states with `was:`, in the edition that follows the other."""
    made = MatchResult[T]()
    for newer, older in ((1, 0), (0, 1)):
        if is_next_edition(sides[newer].outline, sides[older].outline):
            for step in every[newer]:
                name = was(step)
                if name == NEW:
                    made.excluded.add(step)
                elif name and (found := named(name, older)):
                    _pair(made, *((found, step) if newer else (step, found)))
    return made


def _pair(made: MatchResult[T], one: T, other: T) -> bool:
    free = made.is_open(one, other) and not {one, other} & made.excluded
    if free:
        made.pair(one, other)
    return free


class _Steps:
    def __init__(self, old: EditionSide, new: EditionSide) -> None:
        def named(name: LocatedText, at: int) -> SequenceStep | None:
            found = steps_with_previous_name(name, (old, new)[at].outline)
            return found[0] if len(found) == 1 else None

        every = [list(side.outline.sequence.iter_steps()) for side in (old, new)]
        self.made = _declared((old, new), every, lambda one: one.step.was, named)
        self.rows(old.outline.sequence.steps, new.outline.sequence.steps)
        # Steps of one name that are left in other places, where there is one of each.
        by_name, news_by_name = map(_by_name, self.left(*every))
        for name, news in news_by_name.items():
            olds = by_name.get(name, [])
            if len(olds) == len(news) == 1 and _pair(self.made, olds[0], news[0]):
                self.rows(olds[0].own_steps, news[0].own_steps)

    def rows(self, olds: Sequence[SequenceStep], news: Sequence[SequenceStep]) -> None:
        """Match the steps of one place: those of one name, then those whose titles are most alike."""
        waiting = _by_name(old for old in olds if old not in self.made.old)
        for other in news:
            if (same := waiting.get(step_match_key(other))) and _pair(self.made, same[0], other):
                same.pop(0)
        left = self.left(olds, news)
        if max(map(len, left)) <= MOST_STEPS:
            pairs = [
                (-alike, at, to, step, other)
                for at, step in enumerate(left[0])
                for to, other in enumerate(left[1])
                if (alike := title_similarity(step, other)) >= ALIKE
            ]
            for *_, one, other in sorted(pairs, key=lambda pair: pair[:3]):
                _pair(self.made, one, other)
        for other in news:
            if was := self.made.new.get(other):
                self.rows(was.own_steps, other.own_steps)

    def left(
        self, olds: Sequence[SequenceStep], news: Sequence[SequenceStep]
    ) -> tuple[list[SequenceStep], ...]:
        made = self.made
        return [old for old in olds if old not in made.old], [new for new in news if new not in made.new]


def match_steps(old: EditionSide, new: EditionSide) -> MatchResult[SequenceStep]:
    """The steps of two editions matched."""
    return _Steps(old, new).made


def title_similarity(one: SequenceStep, other: SequenceStep) -> float:
    """How alike the titles of two steps are, without the words for their kinds: 1 where they are the same."""
    a, b = _bare(one), _bare(other)
    if not a or not b or one.difference != other.difference:
        return 0.0
    shared = len(set(a) & set(b))
    words = (shared / len(set(a) | set(b)) + shared / min(len(set(a)), len(set(b)))) / 2
    if one.step.kind == other.step.kind:
        words = max(words, SequenceMatcher(None, " ".join(a), " ".join(b), autojunk=False).ratio())
    return words


def _bare(step: SequenceStep) -> list[str]:
    """The words of a step's title without those that every title of its kind has."""
    words = re.findall(r"\w+", plain_text(step.step.title).casefold())
    kinds = set(step.step.kind.casefold().split())
    return [word for word in words if word not in kinds and word != "and"] or words


def step_match_key(step: SequenceStep) -> tuple[str, ...]:
    """Kind and title of a step, and how it differs in its turn: the same for steps of one name."""
    return str(step.step.kind), plain_text(step.step.title).casefold(), step.difference


def _by_name(steps: Iterable[SequenceStep]) -> dict[tuple[str, ...], list[SequenceStep]]:
    found: dict[tuple[str, ...], list[SequenceStep]] = {}
    for step in steps:
        found.setdefault(step_match_key(step), []).append(step)
    return found


def match_tables(
    old: EditionSide, new: EditionSide, rules: MatchResult[RuleEntry]
) -> MatchResult[TableEntry]:
    """The tables of two editions matched: as an editor says, by rule, by title, or by file."""

    def named(name: LocatedText, at: int) -> TableEntry | None:
        return find_table(every[at], name)

    every = (old.tables, new.tables)
    made = _declared((old, new), every, lambda one: one.table.was, named)
    for table in new.tables:
        left = [table for table in old.tables if table not in made.old]
        home = rules.new.get(table.entry) if table.entry else None
        of_rule = [table for table in left if home and table.entry is home]
        titled = [
            one for one in left if bare_table_name(one.table.title) == bare_table_name(table.table.title)
        ]
        titled = [one for one in titled if one.anchor == table.anchor] or titled
        for found in (of_rule, titled):
            if len(found) == 1:
                _pair(made, found[0], table)
    files = {_file_of(table): table for table in old.tables if table not in made.old}
    for table in new.tables:
        if one := files.get(_file_of(table)):
            _pair(made, one, table)
    return made


def _file_of(table: TableEntry) -> str:
    return table.table.title.file.name.rpartition("/")[2]


def match_remarks(old: EditionSide, new: EditionSide) -> MatchResult[ErrataEntry]:
    """Errata and questions matched: those that say the same, those of one number, those most alike."""
    made = MatchResult[ErrataEntry]()

    def words(one: ErrataEntry) -> tuple[str, ...]:
        return tuple(word for text in all_texts_of(one.source) for word in mask_references(tokenize(text)))

    said = {
        entry: (entry.erratum is None, *words(entry)) for entry in (*old.errata_entries, *new.errata_entries)
    }
    for sort in (said.get, lambda one: one.source.number and (one.erratum is None, str(one.source.number))):
        waiting: dict[object, list[ErrataEntry]] = {}
        for one in old.errata_entries:
            if one not in made.old and (name := sort(one)):
                waiting.setdefault(name, []).append(one)
        for other in new.errata_entries:
            if other not in made.new and (same := waiting.get(sort(other))):
                made.pair(same.pop(0), other)
    for other in new.errata_entries:
        left = {
            entry: words(entry)
            for entry in old.errata_entries
            if entry not in made.old and said[entry][0] == said[other][0]
        }
        if other not in made.new and (found := most_similar(words(other), left, ALIKE)):
            made.pair(found, other)
    return made


def match_sheets(old: EditionSide, new: EditionSide) -> MatchResult[AidSheet]:
    """The player aids of two editions matched: each by its file, or by its title."""
    made = MatchResult[AidSheet]()
    olds, news = ({sheet.name: sheet for sheet in side.sheets} for side in (old, new))
    for name, sheet in news.items():
        titled = [
            old
            for old in olds.values()
            if old not in made.old
            and old.name not in news
            and bare_table_name(old.aid.title) == bare_table_name(sheet.aid.title)
        ]
        if was := olds.get(name) or next(iter(titled), None):
            made.pair(was, sheet)
    return made
