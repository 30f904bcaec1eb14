"""The steps of a turn to tick off, with a box for each player.

Player turns that go through the same steps share their lines: each has a column of boxes, and a step that
one of them drops or adds has boxes only where it is played. Elsewhere, and where there is a single player
turn, a box stands for each player who acts, and one for all where nobody in particular does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from rulewright.book.actors import Actor, actors_of_step, find_actor, sort_actors
from rulewright.book.outline import Outline
from rulewright.book.sequence import SequenceStep
from rulewright.citations.blocks.block_content import (
    ActorSigns,
    BlockContent,
    BlockContext,
    actors_of_steps,
    whole_number,
)
from rulewright.model.aid import Block
from rulewright.model.rulebook import Rulebook
from rulewright.model.step import DO
from rulewright.source.located_text import LocatedText
from rulewright.source.problems import quote_short

_NOBODY = ("both", "none")


@dataclass(frozen=True, slots=True)
class ChecklistLine:
    """A step to tick off in `turn`. `level`: 0 for a phase; `boxes`: the columns that it has a box in.

    Without any box of its own there is one for all players. `labels`: what the book prints in front of it,
    which may be another label in each turn.
    """

    step: SequenceStep
    turn: SequenceStep | None
    level: int
    boxes: tuple[bool, ...]
    labels: tuple[LocatedText, ...] = ()

    @property
    def has_one_box(self) -> bool:
        return not any(self.boxes)


@dataclass(frozen=True, slots=True)
class ChecklistGroup:
    """Lines under one heading: those of `turns`, or those outside of any turn."""

    turns: tuple[SequenceStep, ...]
    ticks: tuple[ChecklistLine, ...]


@dataclass(frozen=True, slots=True)
class Checklist:
    """A checklist. `columns`: the players, each with a box for every one of `turns` game turns."""

    columns: tuple[Actor, ...]
    groups: tuple[ChecklistGroup, ...]
    turns: int = 1


@dataclass(frozen=True, slots=True)
class ChecklistContent(BlockContent):
    """The lines of a checklist and the players that tick them off."""

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
    """The checklist of steps. `depth`: how many levels are shown; phases and segments where it is None."""
    line_groups = list(_rows(steps))
    sides = dict.fromkeys(str(turn.step.phasing) for group, _ in line_groups for turn in group)
    by_turn = len(sides) > 1 and "None" not in sides
    if by_turn:
        columns = tuple(find_actor(side, book) for side in sides)
    else:
        actors = (
            actor
            for _, ticks in line_groups
            for tick in ticks
            for actor in actors_of_step(tick.step, tick.turn)
        )
        columns = sort_actors((actor for actor in actors if actor.name not in _NOBODY), book)
    is_titled = any(tick.step.step.kind != DO for _, ticks in line_groups for tick in ticks)

    def is_shown(tick: _Line) -> bool:
        return (tick.step.step.kind != DO or not is_titled) if depth is None else tick.level < depth

    groups = [
        ChecklistGroup(group, tuple(_tick(line, by_turn, columns) for line in ticks if is_shown(line)))
        for group, ticks in line_groups
    ]
    return Checklist(columns, tuple(group for group in groups if group.ticks), turns)


@dataclass(frozen=True, slots=True)
class _Line:
    step: SequenceStep
    level: int
    turn: SequenceStep | None = None
    played: tuple[SequenceStep, ...] = ()
    changed: tuple[SequenceStep, ...] = ()


def _rows(steps: Sequence[SequenceStep]) -> Iterator[tuple[tuple[SequenceStep, ...], list[_Line]]]:
    """The lines by the player turns that go through them; those before, between and behind have none."""
    outside_lines: list[_Line] = []
    for step in steps:
        if not step.is_turn:
            outside_lines += _lines(step)
            continue
        if outside_lines:
            yield (), outside_lines
            outside_lines = []
        if any(inner.is_turn for inner in step.children):
            yield from _rows(step.children)
        elif not (step.repeats_step and step.repeats_step in steps):
            turns = (step, *(other for other in steps if other.repeats_step is step))
            yield turns, list(_shared(step, turns, step, 0))
    if outside_lines:
        yield (), outside_lines


def _lines(step: SequenceStep, level: int = 0, turn: SequenceStep | None = None) -> Iterator[_Line]:
    """A step with all inside it: outside of player turns, or one that only one of the turns has."""
    yield _Line(step, level, turn, (turn,) if turn else ())
    for inner in turn.effective_steps_of(step) if turn else step.children:
        yield from _lines(inner, level + 1, turn)


def _shared(
    turn: SequenceStep, turns: tuple[SequenceStep, ...], parent: SequenceStep, level: int
) -> Iterator[_Line]:
    """The steps inside a step of a turn, as that turn and those which repeat it go through them."""
    for step in turn.effective_steps_of(parent):
        differences = [
            (other, difference)
            for other in turns
            for difference in other.differences
            if difference.base_step is step
        ]
        added = [(other, step) for other, step in differences if step.difference == "added"]
        dropping_turns = {other for other, step in differences if step.difference == "dropped"}
        for other, added_step in added:
            if added_step.is_inserted_before:
                yield from _lines(added_step, level, other)
        played = tuple(other for other in turns if other not in dropping_turns)
        changed = [(other, step) for other, step in differences if step.difference == "changed"]
        yield _Line(step, level, turn, played, tuple(step for _, step in changed))
        anew = {other: step for other, step in changed if step.children}
        still = tuple(other for other in played if other not in anew)
        yield from _shared(turn, still, step, level + 1)
        for other, changed_step in anew.items():
            for inner in other.effective_steps_of(changed_step):
                yield from _lines(inner, level + 1, other)
        for other, added_step in added:
            if not added_step.is_inserted_before:
                yield from _lines(added_step, level, other)
    if parent is turn:
        for other in turns:
            for difference in other.differences:
                if difference.base_step is None:
                    yield from _lines(difference, level, other)


def _tick(line: _Line, by_turn: bool, columns: tuple[Actor, ...]) -> ChecklistLine:
    """A line with its boxes: `by_turn` for the sides in whose turns it is played, else for who acts."""
    names = {actor.name for actor in actors_of_step(line.step, line.turn)}
    if by_turn and line.played:
        names = {str(turn.step.phasing) for turn in line.played}
    boxes = tuple("both" in names or column.name in names for column in columns)
    labels = (step.step.label for step in (line.step, *line.changed))
    return ChecklistLine(line.step, line.turn, line.level, boxes, tuple(dict.fromkeys(filter(None, labels))))
