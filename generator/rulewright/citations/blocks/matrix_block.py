"""Who may do what in which phase, worked out from the sequence of play.

The columns are the phases of a turn, the rows activities. An activity is what the sheet says is one, or else
every combat action and whatever is done in more than one phase.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from rulewright.book.actors import Actor, actors_of_step
from rulewright.book.outline import Outline
from rulewright.book.sequence import SequenceStep
from rulewright.book.table_entries import bare_table_name
from rulewright.citations.blocks.block_content import (
    NO_STEP,
    ActorSigns,
    BlockContent,
    BlockContext,
    step_suggestion,
)
from rulewright.citations.step_attributes import capitalize_first
from rulewright.model.aid import Block
from rulewright.model.aid_blocks import Activity, MatrixBlock
from rulewright.source.located_text import LocatedText
from rulewright.source.problems import Problem, quote_short
from rulewright.text.text_document import plain_text

_Placed = tuple[SequenceStep, SequenceStep]
"""A phase, and a step that lies in it or is it."""


@dataclass(frozen=True, slots=True)
class MatrixCell:
    """Who may do it in a phase, in their order. `is_forbidden`: the phase says that nobody may."""

    actors: tuple[Actor, ...] = ()
    is_forbidden: bool = False


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """An activity with a cell for each phase. `combat`: it is a combat action."""

    title: str
    cells: tuple[MatrixCell, ...]
    combat: bool = False


@dataclass(frozen=True, slots=True)
class Matrix:
    """The phases of `turn`, of the whole sequence where that is None, and the activities.

    `unknown_steps`: what the sheet names as an activity's step that no phase has, allows or forbids. `turns`:
    the turns that it holds for, where there are several in which phases are played.
    """

    turn: SequenceStep | None
    columns: tuple[SequenceStep, ...]
    rows: tuple[MatrixRow, ...]
    unknown_steps: tuple[LocatedText, ...] = ()
    turns: tuple[SequenceStep, ...] = ()

    def is_same(self, other: Matrix) -> bool:
        """Whether another turn has the same phases, in which the same players may do the same."""
        phases, other_phases = ([column.step.title for column in matrix.columns] for matrix in (self, other))
        return phases == other_phases and self.rows == other.rows


@dataclass(frozen=True, slots=True)
class _Done:
    """Steps that are the same activity, or allow it, each with the phase that it lies in."""

    title: str
    steps: tuple[_Placed, ...]
    names: tuple[str, ...] = ()
    combat: bool = False


@dataclass(frozen=True, slots=True)
class MatrixContent(BlockContent):
    """The phases of a turn, and what is done in them."""

    wide = plays = True

    matrix: Matrix = field(default=Matrix(None, (), ()))

    @classmethod
    def resolve(cls, block: Block, context: BlockContext) -> BlockContent:
        spec = block.matrix
        assert spec
        turn = (
            next(iter(context.steps_named(spec.of)), None)
            if spec.of
            else next(iter(_turns(context.sequence_outline)), None)
        )
        if spec.of and turn is None:
            return cls(block)
        matrix = build_matrix(spec, turn, context)
        return cls(
            block,
            displayed_steps=frozenset(step for column in matrix.columns for step in column.iter_subtree()),
            matrix=matrix,
        )

    @property
    def is_empty(self) -> bool:
        return not (self.matrix.columns and self.matrix.rows)

    def empty_message(self, outline: Outline) -> str:
        turn = self.matrix.turn
        subject = quote_short(turn.step.title) if turn else outline.edition.short
        if not self.matrix.columns:
            return f"{subject} has no phases"
        return f"nothing is done in two phases of {subject}; list the `activities:`"

    @property
    def words(self) -> Iterator[str]:
        return (activity.title for activity in self.matrix.rows)

    @property
    def signs(self) -> ActorSigns:
        cells = [cell for activity in self.matrix.rows for cell in activity.cells]
        return ActorSigns(
            tuple(actor for cell in cells for actor in cell.actors),
            never=any(cell.is_forbidden for cell in cells),
        )

    def problems(self, context: BlockContext) -> Iterator[Problem]:
        """Steps of activities that the turn does not have."""
        turn, columns = self.matrix.turn, self.matrix.columns
        for name in self.matrix.unknown_steps if columns else ():
            inside = (step for _, step in steps_of(turn, columns))
            subject = quote_short(turn.step.title) if turn else "the sequence of play"
            yield NO_STEP.problem(
                name.place, f"{subject} has no step {quote_short(name)}{step_suggestion(name, inside)}", name
            )


def build_matrix(block: MatrixBlock, turn: SequenceStep | None, context: BlockContext) -> Matrix:
    """The matrix of a turn, and of others that are like it."""
    matrix = _of_turn(block, turn, context)
    other_turns = [step for step in _turns(context.sequence_outline) if step is not turn]
    if turn is None or not other_turns:
        return matrix
    same = [other for other in other_turns if matrix.is_same(_of_turn(block, other, context))]
    return replace(matrix, turns=(turn, *same))


def _of_turn(block: MatrixBlock, turn: SequenceStep | None, context: BlockContext) -> Matrix:
    columns = turn.effective_steps if turn else context.sequence_outline.steps
    steps = steps_of(turn, columns)
    if block.activities:
        done = [_declared(activity, steps, context) for activity in block.activities]
    else:
        done = list(_worked_out(steps, context))
    forbidden = {_bare(word) for _, step in steps for word in _said(step, "never")}
    names = (name for activity in block.activities for name in activity.steps)
    unknown = (n for n in names if _bare(n) not in forbidden and not _meant(n, steps, context))
    return Matrix(
        turn, tuple(columns), tuple(_row(activity, columns, turn) for activity in done), tuple(unknown)
    )


def _turns(outline: Outline) -> list[SequenceStep]:
    turns = (step for step in outline.iter_steps() if step.is_turn and step.effective_steps)
    return [turn for turn in turns if not any(step.is_turn for step in turn.effective_steps)]


def steps_of(turn: SequenceStep | None, columns: Sequence[SequenceStep]) -> list[_Placed]:
    """Every step of the phases behind the phase that it lies in, itself included, in the order of play."""
    return [
        (phase, step)
        for phase in columns
        for step in (turn.iter_effective(phase) if turn else phase.iter_subtree())
    ]


def _meant(name: str, steps: Sequence[_Placed], context: BlockContext) -> list[_Placed]:
    """The steps that a line names: by title or id, by what they allow or, if there are none, by a rule."""
    compared_name = _bare(name)
    matches = [
        (phase, step)
        for phase, step in steps
        if name in _names(step) or compared_name in map(_bare, _said(step, "allows"))
    ]
    rule = context.sequence_outline.find(name, context.sequence_outline.default_chapter)
    if matches or rule is None:
        return matches
    return [(phase, step) for phase, step in steps if rule.key in context.cited_rule_keys(step)]


def _names(step: SequenceStep) -> tuple[LocatedText | None, ...]:
    """The title and the id of a step, and those of the step that it stands for."""
    names = (step.step.title, step.step.id)
    return (*names, *_names(step.base_step)) if step.difference == "changed" and step.base_step else names


def _said(step: SequenceStep, key: str) -> tuple[LocatedText, ...]:
    """Value of a key of a step; where it was changed and has none, the value before the change."""
    texts: tuple[LocatedText, ...] = getattr(step.step, key)
    return texts or (_said(step.base_step, key) if step.difference == "changed" and step.base_step else ())


def _declared(activity: Activity, steps: Sequence[_Placed], context: BlockContext) -> _Done:
    matches = [match for name in activity.steps for match in _meant(name, steps, context)]
    allowed = {_bare(name) for name in activity.steps}
    combat = any(
        step.is_combat and not allowed & set(map(_bare, _said(step, "allows"))) for _, step in matches
    )
    in_order = tuple(step for step in steps if step in matches)
    return _Done(plain_text(activity.title), in_order, tuple(map(str, activity.steps)), combat)


def _worked_out(steps: Sequence[_Placed], context: BlockContext) -> Iterator[_Done]:
    """Every combat action, and whatever is done or allowed in more than one phase.

    Steps are the same activity if they have one title. Those of several titles are if they cite one and the
    same rule, which then names the activity; a rule without a title cannot.
    """
    steps_by_name: dict[str, list[_Placed]] = {}
    titles: dict[str, str] = {}
    combat_names: set[str] = set()
    for phase, step in steps:
        titles_of_step = [plain_text(step.step.title)] if step is not phase or step.is_combat else []
        for title in (*titles_of_step, *(_short(word) for word in _said(step, "allows"))):
            steps_by_name.setdefault(_bare(title), []).append((phase, step))
            titles.setdefault(_bare(title), capitalize_first(title))
        if step.is_combat:
            combat_names.add(_bare(step.step.title))
    for rule, same in _by_rule(steps_by_name, context).items():
        entry = context.sequence_outline.entries.get(rule)
        if len(same) > 1 and entry and entry.title:
            titles[same[0]] = plain_text(entry.title)
            steps_by_name[same[0]] += [match for key in same[1:] for match in steps_by_name.pop(key)]
            combat_names |= {same[0]} if combat_names.intersection(same) else set()
    for key, matches in steps_by_name.items():
        if len({phase for phase, _ in matches}) > 1 or key in combat_names:
            yield _Done(titles[key], tuple(matches), combat=key in combat_names)


def _by_rule(steps_by_name: dict[str, list[_Placed]], context: BlockContext) -> dict[str, list[str]]:
    names_by_rule: dict[str, list[str]] = {}
    for key, steps in steps_by_name.items():
        rules = {
            rule
            for _, step in steps
            if _bare(step.step.title) == key
            for rule in context.cited_rule_keys(step)
        }
        if len(rules) == 1:
            names_by_rule.setdefault(rules.pop(), []).append(key)
    return names_by_rule


def _row(done: _Done, columns: Sequence[SequenceStep], turn: SequenceStep | None) -> MatrixRow:
    names = {_bare(name) for name in (done.title, *done.names)}
    cells = []
    for column in columns:
        steps = [step for phase, step in done.steps if phase is column]
        never = not names.isdisjoint(map(_bare, _said(column, "never")))
        allowed = [step for step in steps if names.isdisjoint(map(_bare, _never(step, column)))]
        actors = dict.fromkeys(actor for step in allowed for actor in actors_of_step(step, turn))
        cells.append(MatrixCell(() if never else tuple(actors), never))
    return MatrixRow(done.title, tuple(cells), done.combat)


def _never(step: SequenceStep, phase: SequenceStep) -> Iterator[LocatedText]:
    """Activities not allowed in a step, and in the steps around it up to its phase."""
    yield from _said(step, "never")
    if step is not phase and step.parent_in_play:
        yield from _never(step.parent_in_play, phase)


@lru_cache(4000)
def _bare(words: str) -> str:
    """Name of an activity, as it is compared: `Overruns`, `overruns (8.0)`."""
    return bare_table_name(_short(words))


def _short(words: str) -> str:
    return re.sub(r"\s*\([^()]*\)", "", plain_text(words)).strip()
