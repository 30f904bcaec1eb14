"""Block with a matrix of the phases of a turn and the activities that the players may do in them.

The columns are phases, the rows activities. The sheet may list the activities; otherwise they are derived
from the sequence of play: every combat action, and everything that is done in more than one phase.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rulewright.book.table_entries import bare_table_name
from rulewright.document.blocks.block_content import (
    NO_STEP,
    BlockContent,
    BlockContext,
    step_suggestion,
)
from rulewright.files.problems import Problem, quote_short
from rulewright.schema.aid import Block
from rulewright.schema.aid_blocks import Activity
from rulewright.schema.text_document import plain_text
from rulewright.sequence.actors import Actor, actors_of_step
from rulewright.sequence.sequence_step import SequenceStep, names_of
from rulewright.sequence.step_attributes import capitalize_first

_PhaseOfStep = Mapping[SequenceStep, SequenceStep]
"""The steps of a turn in the order of play, each with the phase that it is or is in."""


@dataclass(frozen=True, slots=True)
class MatrixCell:
    """The players who may do an activity in a phase."""

    actors: tuple[Actor, ...]
    is_forbidden: bool
    """Whether the phase says that nobody may."""


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """An activity with a cell for each phase."""

    title: str
    cells: tuple[MatrixCell, ...]
    combat: bool
    """Whether it is a combat action."""


@dataclass(frozen=True, slots=True)
class Matrix:
    """The phases of a turn and the activities."""

    columns: tuple[SequenceStep, ...]
    rows: tuple[MatrixRow, ...]
    turns: tuple[SequenceStep, ...] = ()
    """The turns with this matrix, if the sequence has several turns with phases."""


@dataclass(frozen=True, slots=True)
class MatrixContent(BlockContent):
    """The phases of each turn and the activities in them; turns that are alike share a matrix."""

    content_attributes = ("titles",)
    nothing = "nothing is done in two phases; list the `activities:`, or name a turn with phases"
    wide = plays = True

    matrices: tuple[Matrix, ...] = ()

    @classmethod
    def resolve(cls, block: Block, context: BlockContext) -> BlockContent:
        assert block.matrix
        sequence, of = context.sequence_outline.sequence, block.matrix.of
        turns = [step for step in sequence.iter_played() if step.is_turn and step.inner]
        outer = {turn.parent for turn in turns}
        turns = [turn for turn in turns if turn not in outer]
        matrices: dict[object, Matrix] = {}
        chosen: Sequence[SequenceStep | None] = context.steps_named(of)[:1] if of else ()
        for turn in chosen or turns or [None]:
            columns = tuple(turn.inner if turn else sequence.steps)
            rows = tuple(_rows(_phase_of_step(columns), block.matrix.activities))
            content = tuple(column.step.title for column in columns), rows
            matrix = matrices.get(content, Matrix(columns, rows))
            same_turns = (*matrix.turns, turn) if turn and len(turns) > 1 else ()
            matrices[content] = replace(matrix, turns=same_turns)
        with_rows = [matrix for matrix in matrices.values() if matrix.rows]
        return cls(block, matrices=tuple(with_rows or [*matrices.values()][:1]))

    @property
    def titles(self) -> list[str]:
        return list(dict.fromkeys(row.title for matrix in self.matrices for row in matrix.rows))

    @property
    def words(self) -> Iterator[str]:
        return iter(self.titles)

    def problems(self, context: BlockContext) -> Iterator[Problem]:
        """Yield the names of activities that no step has and no phase forbids."""
        steps = dict.fromkeys(step for matrix in self.matrices for step in _phase_of_step(matrix.columns))
        forbidden = {_comparison_key(word) for step in steps for word in step.step.never}
        for name in (name for activity in self.yaml_value.activities for name in activity.steps if steps):
            if not _steps_named(name, steps) and _comparison_key(name) not in forbidden:
                message = f"no phase has a step {quote_short(name)}{step_suggestion(name, steps)}"
                yield NO_STEP.problem(name, message, name)


def _phase_of_step(columns: Sequence[SequenceStep]) -> _PhaseOfStep:
    return {step: column for column in columns for step in column.iter_subtree()}


def _rows(phase_of_step: _PhaseOfStep, activities: Sequence[Activity]) -> Iterator[MatrixRow]:
    """Yield the rows of the listed activities or, if none is listed, of those of the sequence of play."""
    for activity in activities:
        steps = {step for name in activity.steps for step in _steps_named(name, phase_of_step)}
        yield _row(plain_text(activity.title), activity.steps, steps, phase_of_step)
    if not activities:
        for same_steps in _activities(phase_of_step):
            title = capitalize_first(plain_text(same_steps[0].step.title))
            yield _row(title, (), set(same_steps), phase_of_step)


def _steps_named(name: str, steps: Iterable[SequenceStep]) -> list[SequenceStep]:
    """Return the steps of a title or an id."""
    return [step for step in steps if name in names_of(step)]


def _activities(phase_of_step: _PhaseOfStep) -> Iterator[list[SequenceStep]]:
    """Yield the steps of one title that are combat actions, or are done in more than one phase."""
    by_title: dict[str, list[SequenceStep]] = {}
    for step, phase in phase_of_step.items():
        if step is not phase or step.is_combat:
            by_title.setdefault(_comparison_key(step.step.title), []).append(step)
    for steps in by_title.values():
        if any(step.is_combat for step in steps) or len({phase_of_step[step] for step in steps}) > 1:
            yield steps


def _row(
    title: str, other_names: Sequence[str], steps: set[SequenceStep], phase_of_step: _PhaseOfStep
) -> MatrixRow:
    names = {_comparison_key(name) for name in (title, *other_names)}
    forbidden = {
        step
        for step in phase_of_step
        for outer in step.self_and_ancestors()
        if not names.isdisjoint(map(_comparison_key, outer.step.never))
    }
    actors: dict[SequenceStep, list[Actor]] = {phase: [] for phase in phase_of_step.values()}
    for step, phase in phase_of_step.items():
        actors[phase] += actors_of_step(step) if step in steps - forbidden else ()
    cells = (MatrixCell(tuple(dict.fromkeys(row)), phase in forbidden) for phase, row in actors.items())
    return MatrixRow(title, tuple(cells), any(step.is_combat for step in steps))


def _comparison_key(words: str) -> str:
    """Return the name of an activity in a form to compare: equal for `Overruns` and `overruns (8.0)`."""
    return bare_table_name(re.sub(r"\s*\([^()]*\)", "", plain_text(words)).strip())
