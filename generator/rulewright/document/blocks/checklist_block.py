"""Block with the steps of a turn to tick off, with a box for each player.

Player turns with the same steps share their lines: each turn has a column of boxes, and a step that a turn
drops or adds has boxes only for the turns that play it. In all other cases there is a box for each player who
acts, or one box for all players if the step names no player.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from rulewright.book.outline import Outline
from rulewright.document.blocks.block_content import (
    ActorSigns,
    BlockContent,
    BlockContext,
    actors_of_steps,
    whole_number,
)
from rulewright.files.located_text import LocatedText
from rulewright.files.problems import quote_short
from rulewright.schema.aid import Block
from rulewright.schema.rulebook import Rulebook
from rulewright.schema.step import DO
from rulewright.sequence.actors import Actor, actors_of_step, find_actor, sort_actors
from rulewright.sequence.sequence_step import SequenceStep

_NOBODY = ("both", "none")


@dataclass(frozen=True, slots=True)
class ChecklistLine:
    """A step to tick off."""

    step: SequenceStep
    turn: SequenceStep | None
    level: int  # 0 for a phase
    boxes: tuple[bool, ...]
    """For each column, whether it has a box; if none has, there is one box for all players."""

    labels: tuple[LocatedText, ...] = ()
    """The labels printed before the step, which may differ between turns."""

    @property
    def has_one_box(self) -> bool:
        return not any(self.boxes)


@dataclass(frozen=True, slots=True)
class ChecklistGroup:
    """Lines under one heading."""

    turns: tuple[SequenceStep, ...]
    """The turns that share the lines; none for lines outside all turns."""

    ticks: tuple[ChecklistLine, ...]


@dataclass(frozen=True, slots=True)
class Checklist:
    """A checklist with columns of boxes."""

    columns: tuple[Actor, ...]  # the players
    groups: tuple[ChecklistGroup, ...]
    turns: int = 1  # number of game turns, with a box for each in every column


@dataclass(frozen=True, slots=True)
class ChecklistContent(BlockContent):
    """The lines of a checklist and the players who tick them off."""

    content_attributes = ("checklist.groups",)
    wide = plays = True

    checklist: Checklist = field(kw_only=True)

    @classmethod
    def resolve(cls, block: Block, context: BlockContext) -> BlockContent:
        spec = block.checklist
        assert spec
        steps = context.steps((spec.of,) if spec.of else ())
        if spec.of and not any(step.is_turn for step in steps):
            steps = tuple(inner for step in steps for inner in step.children)
        turns = whole_number(spec.turns) or 1
        checklist = build_checklist(steps, context.outline.edition.book, whole_number(spec.depth), turns)
        ticked = frozenset(tick.step for group in checklist.groups for tick in group.ticks)
        return cls(block, steps, ticked, checklist=checklist)

    @property
    def words(self) -> Iterator[str]:
        return iter(self.yaml_value.header)

    def empty_message(self, outline: Outline) -> str:
        return f"{quote_short(self.yaml_value.of or outline.edition.short)} has no steps inside"

    @property
    def signs(self) -> ActorSigns:
        combat = (step for step in self.displayed_steps if step.is_combat)
        return ActorSigns(
            (*actors_of_steps(self.displayed_steps), *self.checklist.columns), actors_of_steps(combat)
        )


def build_checklist(
    steps: Sequence[SequenceStep], book: Rulebook, depth: int | None, turns: int = 1
) -> Checklist:
    """Return the checklist of steps.

    `depth` is the number of levels shown; if it is None, actions are shown only if there is nothing else.
    """
    line_groups = list(_line_groups(steps))
    every_line = [line for _, lines in line_groups for line in lines]
    sides = dict.fromkeys(str(turn.step.phasing) for group, _ in line_groups for turn in group)
    by_turn = len(sides) > 1 and "None" not in sides
    if by_turn:
        columns = tuple(find_actor(side, book) for side in sides)
    else:
        actors = (actor for line in every_line for actor in actors_of_step(line.step, line.turn))
        columns = sort_actors((actor for actor in actors if actor.name not in _NOBODY), book)
    is_titled = any(line.step.step.kind != DO for line in every_line)

    def is_shown(line: _Line) -> bool:
        return (line.step.step.kind != DO or not is_titled) if depth is None else line.level < depth

    groups = []
    for group, lines in line_groups:
        ticks = tuple(_checklist_line(line, by_turn, columns) for line in lines if is_shown(line))
        if ticks:
            groups.append(ChecklistGroup(group, ticks))
    return Checklist(columns, tuple(groups), turns)


@dataclass(frozen=True, slots=True)
class _Line:
    """A line before its boxes are known."""

    step: SequenceStep
    level: int
    turn: SequenceStep | None = None
    played_in: tuple[SequenceStep, ...] = ()  # the player turns that play the step
    changed: tuple[SequenceStep, ...] = ()  # the step as other turns change it


def _line_groups(steps: Sequence[SequenceStep]) -> Iterator[tuple[tuple[SequenceStep, ...], list[_Line]]]:
    """Yield the lines by the player turns that share them; lines outside these turns have none."""
    outside_lines: list[_Line] = []
    done = set[SequenceStep]()
    for step in steps:
        if not step.is_turn:
            outside_lines += _lines(step)
            continue
        if outside_lines:
            yield (), outside_lines
            outside_lines = []
        if any(inner.is_turn for inner in step.children):
            yield from _line_groups(step.children)
        elif step not in done:
            base = step.repetition_chain[-1]
            turns = tuple(turn for turn in steps if turn.is_turn and turn.repetition_chain[-1] is base)
            done.update(turns)
            yield turns, list(_shared_lines({turn: turn.effective_steps for turn in turns}))
    if outside_lines:
        yield (), outside_lines


def _lines(step: SequenceStep, level: int = 0) -> Iterator[_Line]:
    """Yield the lines of a step outside player turns and of its inner steps."""
    yield _Line(step, level)
    for inner in step.children:
        yield from _lines(inner, level + 1)


def _shared_lines(
    steps_of_turns: Mapping[SequenceStep, Sequence[SequenceStep]], level: int = 0
) -> Iterator[_Line]:
    """Yield the lines that several turns share. `steps_of_turns`: the effective steps of each turn."""
    base_steps = list[SequenceStep]()
    for steps in steps_of_turns.values():
        end = len(base_steps)
        for step in map(_base, reversed(steps)):
            if step in base_steps[:end]:
                end = base_steps.index(step)
            elif step not in base_steps:
                base_steps.insert(end, step)
    for base in base_steps:
        step_by_turn = {
            turn: step for turn, steps in steps_of_turns.items() for step in steps if _base(step) is base
        }
        changed = (step for step in step_by_turn.values() if step is not base)
        turns = tuple(step_by_turn)
        yield _Line(base, level, turns[0], turns, tuple(dict.fromkeys(changed)))
        yield from _shared_lines(
            {turn: turn.effective_steps_of(step) for turn, step in step_by_turn.items()}, level + 1
        )


def _base(step: SequenceStep) -> SequenceStep:
    """Return the step itself, or the one that it changes."""
    return _base(step.base_step) if step.difference == "changed" and step.base_step else step


def _checklist_line(line: _Line, by_turn: bool, columns: tuple[Actor, ...]) -> ChecklistLine:
    """Return a line with its boxes: if `by_turn`, for the sides whose turns play it, else for its actors."""
    names = {actor.name for actor in actors_of_step(line.step, line.turn)}
    if by_turn and line.played_in:
        names = {str(turn.step.phasing) for turn in line.played_in}
    boxes = tuple("both" in names or column.name in names for column in columns)
    labels = (step.step.label for step in (line.step, *line.changed))
    return ChecklistLine(line.step, line.turn, line.level, boxes, tuple(dict.fromkeys(filter(None, labels))))
