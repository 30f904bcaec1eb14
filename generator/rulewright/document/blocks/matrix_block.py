"""Block with a matrix of the phases of a turn and the activities that the players may do in them.

The columns are phases, the rows activities. The sheet may list the activities; otherwise they are derived
from the sequence of play: every combat action, and everything that is done in more than one phase.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from rulewright.book.outline import Outline
from rulewright.book.table_entries import bare_table_name
from rulewright.document.blocks.block_content import (
    NO_STEP,
    ActorSigns,
    BlockContent,
    BlockContext,
    step_suggestion,
)
from rulewright.files.located_text import LocatedText
from rulewright.files.problems import Problem, quote_short
from rulewright.schema.aid import Block
from rulewright.schema.aid_blocks import Activity, MatrixBlock
from rulewright.schema.text_document import plain_text
from rulewright.sequence.actors import Actor, actors_of_step
from rulewright.sequence.sequence_step import SequenceStep, names_of
from rulewright.sequence.step_attributes import capitalize_first

_StepInPhase = tuple[SequenceStep, SequenceStep]
"""A phase, and either the phase itself or a step inside it."""


@dataclass(frozen=True, slots=True)
class MatrixCell:
    """The players who may do an activity in a phase."""

    actors: tuple[Actor, ...] = ()
    is_forbidden: bool = False  # whether the phase says that nobody may


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """An activity with a cell for each phase."""

    title: str
    cells: tuple[MatrixCell, ...]
    combat: bool = False  # whether it is a combat action


@dataclass(frozen=True, slots=True)
class Matrix:
    """The phases of a turn and the activities."""

    turn: SequenceStep | None  # None for the whole sequence of play
    columns: tuple[SequenceStep, ...]
    rows: tuple[MatrixRow, ...]
    unknown_steps: tuple[LocatedText, ...] = ()
    """Names in the `activities:` of the sheet that no phase has or forbids."""

    turns: tuple[SequenceStep, ...] = ()
    """The turns with this matrix, if the sequence has several turns with phases."""

    @property
    def phases(self) -> list[LocatedText | None]:
        return [column.step.title for column in self.columns]

    def is_same(self, other: Matrix) -> bool:
        """Return whether another turn has the same phases with the same activities of the same players."""
        return self.phases == other.phases and self.rows == other.rows


@dataclass(frozen=True, slots=True)
class _ActivitySteps:
    """The steps that are an activity."""

    title: str
    steps: tuple[_StepInPhase, ...]
    names: tuple[str, ...] = ()  # the names under which the sheet lists the steps
    combat: bool = False


@dataclass(frozen=True, slots=True)
class MatrixContent(BlockContent):
    """The phases of each turn and the activities in them; turns that are alike share a matrix."""

    wide = plays = True

    matrices: tuple[Matrix, ...] = ()

    @classmethod
    def resolve(cls, block: Block, context: BlockContext) -> BlockContent:
        spec = block.matrix
        assert spec
        matrices = tuple(build_matrices(spec, context))
        columns = (column for matrix in matrices for column in matrix.columns)
        displayed = frozenset(step for column in columns for step in column.iter_subtree())
        return cls(block, displayed_steps=displayed, matrices=matrices)

    @property
    def is_empty(self) -> bool:
        return not any(matrix.columns and matrix.rows for matrix in self.matrices)

    def empty_message(self, outline: Outline) -> str:
        turn = next((matrix.turn for matrix in self.matrices), None)
        subject = quote_short(turn.step.title) if turn else outline.edition.short
        if not any(matrix.columns for matrix in self.matrices):
            return f"{subject} has no phases"
        return f"nothing is done in two phases of {subject}; list the `activities:`"

    @property
    def words(self) -> Iterator[str]:
        titles = dict.fromkeys(row.title for matrix in self.matrices for row in matrix.rows)
        return iter(titles)

    @property
    def signs(self) -> ActorSigns:
        rows = [row for matrix in self.matrices for row in matrix.rows]
        cells = [cell for row in rows for cell in row.cells]
        actors = tuple(actor for cell in cells for actor in cell.actors)
        return ActorSigns(actors, never=any(cell.is_forbidden for cell in cells))

    def problems(self, context: BlockContext) -> Iterator[Problem]:
        """Yield the steps of activities that no turn has."""
        matrices = [matrix for matrix in self.matrices if matrix.columns]
        unknown = matrices[0].unknown_steps if matrices else ()
        for matrix in matrices:
            unknown = tuple(name for name in unknown if name in matrix.unknown_steps)
        for name in unknown:
            turn = matrices[0].turn
            inside = (step for matrix in matrices for _, step in steps_of(matrix.columns))
            subject = quote_short(turn.step.title) if turn else "the sequence of play"
            yield NO_STEP.problem(
                name.place, f"{subject} has no step {quote_short(name)}{step_suggestion(name, inside)}", name
            )


def build_matrices(block: MatrixBlock, context: BlockContext) -> list[Matrix]:
    """Return a matrix for all turns that are alike; if the block names a turn, only its matrix."""
    chosen = context.steps_named(block.of)[:1] if block.of else []
    turns = [step for step in context.sequence_outline.sequence.iter_played() if step.is_turn and step.inner]
    outer = {turn.parent for turn in turns}
    turns = [turn for turn in turns if turn not in outer]
    columns_of: list[SequenceStep | None] = [*dict.fromkeys([*chosen, *turns])]
    matrices: list[Matrix] = []
    for turn in columns_of or [None]:
        matrix = _matrix_of_turn(block, turn, context)
        place = next((place for place, other in enumerate(matrices) if other.is_same(matrix)), None)
        if place is not None:
            matrices[place] = replace(matrices[place], turns=(*matrices[place].turns, *matrix.turns))
        else:
            matrices.append(matrix)
    if len(turns) < 2:
        matrices = [replace(matrix, turns=()) for matrix in matrices]
    if block.of:
        return matrices[: len(chosen)]
    return [matrix for matrix in matrices if matrix.rows or matrix is matrices[0]]


def _matrix_of_turn(block: MatrixBlock, turn: SequenceStep | None, context: BlockContext) -> Matrix:
    columns = turn.inner if turn else context.sequence_outline.sequence.steps
    steps = steps_of(columns)
    if block.activities:
        done = [_listed_activity(activity, steps, context) for activity in block.activities]
    else:
        done = list(_derived_activities(steps, context))
    forbidden = {_comparison_key(word) for _, step in steps for word in step.step.never}
    names = (name for activity in block.activities for name in activity.steps)
    unknown = (
        n for n in names if _comparison_key(n) not in forbidden and not _steps_of_name(n, steps, context)
    )
    rows = tuple(_matrix_row(activity, columns) for activity in done)
    return Matrix(turn, tuple(columns), rows, tuple(unknown), (turn,) if turn else ())


def steps_of(columns: Sequence[SequenceStep]) -> list[_StepInPhase]:
    """Return the phases and all steps inside them, each with its phase, in the order of play."""
    return [(phase, step) for phase in columns for step in phase.iter_subtree()]


def _steps_of_name(name: str, steps: Sequence[_StepInPhase], context: BlockContext) -> list[_StepInPhase]:
    """Return the steps of a name: a title or an id, or else the number of a cited rule."""
    matches = [(phase, step) for phase, step in steps if name in names_of(step)]
    rule = context.sequence_outline.find(name, context.sequence_outline.default_chapter)
    if matches or rule is None:
        return matches
    return [(phase, step) for phase, step in steps if rule.key in context.cited_rule_keys(step)]


def _listed_activity(
    activity: Activity, steps: Sequence[_StepInPhase], context: BlockContext
) -> _ActivitySteps:
    matches = [match for name in activity.steps for match in _steps_of_name(name, steps, context)]
    combat = any(step.is_combat for _, step in matches)
    in_order = tuple(step for step in steps if step in matches)
    return _ActivitySteps(plain_text(activity.title), in_order, tuple(map(str, activity.steps)), combat)


def _derived_activities(steps: Sequence[_StepInPhase], context: BlockContext) -> Iterator[_ActivitySteps]:
    """Yield every combat action, and everything that is done in more than one phase.

    Steps with the same title are the same activity. Steps with different titles are the same activity if
    they all cite the same single rule with a title, which is then the title of the activity.
    """
    steps_by_name: dict[str, list[_StepInPhase]] = {}
    titles: dict[str, str] = {}
    combat_names: set[str] = set()
    for phase, step in steps:
        if step is not phase or step.is_combat:
            title = plain_text(step.step.title)
            steps_by_name.setdefault(_comparison_key(title), []).append((phase, step))
            titles.setdefault(_comparison_key(title), capitalize_first(title))
        if step.is_combat:
            combat_names.add(_comparison_key(step.step.title))
    for rule, same in _names_by_rule(steps_by_name, context).items():
        entry = context.sequence_outline.entries.get(rule)
        if len(same) > 1 and entry and entry.title:
            titles[same[0]] = plain_text(entry.title)
            steps_by_name[same[0]] += [match for key in same[1:] for match in steps_by_name.pop(key)]
            combat_names |= {same[0]} if combat_names.intersection(same) else set()
    for key, matches in steps_by_name.items():
        if len({phase for phase, _ in matches}) > 1 or key in combat_names:
            yield _ActivitySteps(titles[key], tuple(matches), combat=key in combat_names)


def _names_by_rule(
    steps_by_name: dict[str, list[_StepInPhase]], context: BlockContext
) -> dict[str, list[str]]:
    names_by_rule: dict[str, list[str]] = {}
    for key, steps in steps_by_name.items():
        rules = {
            rule
            for _, step in steps
            if _comparison_key(step.step.title) == key
            for rule in context.cited_rule_keys(step)
        }
        if len(rules) == 1:
            names_by_rule.setdefault(rules.pop(), []).append(key)
    return names_by_rule


def _matrix_row(done: _ActivitySteps, columns: Sequence[SequenceStep]) -> MatrixRow:
    names = {_comparison_key(name) for name in (done.title, *done.names)}
    cells = []
    for column in columns:
        steps = [step for phase, step in done.steps if phase is column]
        never = not names.isdisjoint(map(_comparison_key, column.step.never))
        allowed = [
            step
            for step in steps
            if names.isdisjoint(map(_comparison_key, _forbidden_activities(step, column)))
        ]
        actors = dict.fromkeys(actor for step in allowed for actor in actors_of_step(step))
        cells.append(MatrixCell(() if never else tuple(actors), never))
    return MatrixRow(done.title, tuple(cells), done.combat)


def _forbidden_activities(step: SequenceStep, phase: SequenceStep) -> Iterator[LocatedText]:
    """Yield the activities that are not allowed in a step or its ancestors up to the phase."""
    yield from step.step.never
    if step is not phase and step.parent:
        yield from _forbidden_activities(step.parent, phase)


@lru_cache(4000)
def _comparison_key(words: str) -> str:
    """Return the name of an activity in a form to compare: equal for `Overruns` and `overruns (8.0)`."""
    return bare_table_name(re.sub(r"\s*\([^()]*\)", "", plain_text(words)).strip())
