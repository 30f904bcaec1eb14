"""The steps of a turn to tick off, with a box for each player.

Player turns that go through the same steps share their lines: each has a column of boxes, and a step that
one of them drops or adds has boxes only where it is played. Elsewhere, and where there is a single player
turn, a box stands for each player who acts, and one for all where nobody in particular does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
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
    def resolve(cls, block: Block, making: BlockContext) -> BlockContent:
        said = block.checklist
        assert said
        steps = making.steps((said.of,) if said.of else ())
        if said.of and not any(step.is_turn for step in steps):
            steps = tuple(inner for step in steps for inner in step.children)
        turns = whole_number(said.turns) or 1
        made = build_checklist(steps, making.outline.edition.book, whole_number(said.depth), turns)
        ticked = frozenset(tick.step for group in made.groups for tick in group.ticks)
        return cls(block, steps, ticked, checklist=made)

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
    rows = list(_rows(steps))
    sides = dict.fromkeys(str(turn.step.phasing) for group, _ in rows for turn in group)
    by_turn = len(sides) > 1 and "None" not in sides
    if by_turn:
        columns = tuple(find_actor(side, book) for side in sides)
    else:
        found = (
            actor for _, ticks in rows for tick in ticks for actor in actors_of_step(tick.step, tick.turn)
        )
        columns = sort_actors((actor for actor in found if actor.name not in _NOBODY), book)
    is_titled = any(tick.step.step.kind != DO for _, ticks in rows for tick in ticks)

    def is_shown(tick: _Line) -> bool:
        return (tick.step.step.kind != DO or not is_titled) if depth is None else tick.level < depth

    groups = [
        ChecklistGroup(group, tuple(_tick(line, by_turn, columns) for line in ticks if is_shown(line)))
        for group, ticks in rows
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
    loose: list[_Line] = []
    done = set[SequenceStep]()
    for step in steps:
        if not step.is_turn:
            loose += _lines(step)
            continue
        if loose:
            yield (), loose
            loose = []
        if any(inner.is_turn for inner in step.children):
            yield from _rows(step.children)
        elif step not in done:
            base = step.repetition_chain[-1]
            turns = tuple(turn for turn in steps if turn.is_turn and turn.repetition_chain[-1] is base)
            done.update(turns)
            yield turns, list(_shared({turn: turn.effective_steps for turn in turns}))
    if loose:
        yield (), loose


def _lines(step: SequenceStep, level: int = 0) -> Iterator[_Line]:
    """A step outside of player turns with all inside it."""
    yield _Line(step, level)
    for inner in step.children:
        yield from _lines(inner, level + 1)


def _shared(steps_of_turns: Mapping[SequenceStep, Sequence[SequenceStep]], level: int = 0) -> Iterator[_Line]:
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
        played = {
            turn: step for turn, steps in steps_of_turns.items() for step in steps if _base(step) is base
        }
        changed = (step for step in played.values() if step is not base)
        yield _Line(base, level, next(iter(played)), tuple(played), tuple(dict.fromkeys(changed)))
        yield from _shared({turn: turn.effective_steps_of(step) for turn, step in played.items()}, level + 1)


def _base(step: SequenceStep) -> SequenceStep:
    """Return the step itself, or the one that it changes."""
    return _base(step.base_step) if step.difference == "changed" and step.base_step else step


def _tick(line: _Line, by_turn: bool, columns: tuple[Actor, ...]) -> ChecklistLine:
    """A line with its boxes: `by_turn` for the sides in whose turns it is played, else for who acts."""
    names = {actor.name for actor in actors_of_step(line.step, line.turn)}
    if by_turn and line.played:
        names = {str(turn.step.phasing) for turn in line.played}
    boxes = tuple("both" in names or column.name in names for column in columns)
    labels = (step.step.label for step in (line.step, *line.changed))
    return ChecklistLine(line.step, line.turn, line.level, boxes, tuple(dict.fromkeys(filter(None, labels))))
