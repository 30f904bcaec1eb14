"""Block with the steps of a turn to tick off, with a box for each player.

Turns with the same steps share their lines: each side has a column of boxes, and a step that a turn drops or adds
has boxes only for the turns that play it. In all other cases there is a box for each player who acts, or one box
for all players. A step that is done in a known number of rounds has a row of boxes for each who acts; an option of
a choice has a circle; what may be done any number of times has no box.
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
from rulewright.sequence.actors import Actor, actors_of_step, find_actor, player_names, sort_actors
from rulewright.sequence.sequence_step import IN_ORDER, NOBODY, ONE_OF, OTHERS_IN_ORDER, SequenceStep
from rulewright.sequence.step_attributes import step_phrases

_EVERYBODY = ("both", NOBODY, IN_ORDER, OTHERS_IN_ORDER)
_SHOWN_WORDS = ("in_turns", "in_rounds", "for_each", "rounds")
MOST_ROUNDS = 32
"""Largest number of rounds that have a box each."""


@dataclass(frozen=True, slots=True)
class RoundBoxes:
    """A row of boxes, one for each round."""

    actor: Actor | None
    """Who acts; None for all."""
    least: int
    most: int
    """The rounds from `least` on may be left out."""


@dataclass(frozen=True, slots=True)
class ChecklistLine:
    """A step to tick off."""

    step: SequenceStep
    level: int  # 0 for a phase
    shape: str
    """"box", "circle" for an option, or "" if there is nothing to tick."""
    boxes: tuple[bool, ...]
    """For each column, whether it has a box; if none has, there is one box for all players."""
    rounds: tuple[RoundBoxes, ...] = ()
    words: str = ""
    """How often and when it is done."""
    ending: str = ""
    """What it ends."""
    labels: tuple[LocatedText, ...] = ()
    """The labels printed before the step, which may differ between turns."""
    letter: str = ""
    """The letter of a step that is done for each of several things, if it has no label."""

    @property
    def has_one_box(self) -> bool:
        return bool(self.shape) and not self.rounds and not any(self.boxes)


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
            steps = tuple(inner for step in steps for inner in step.inner)
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

    `depth` is the number of levels shown; if it is None, actions are shown only if there is nothing else, or if they
    are options or parts of a loop.
    """
    parts = list(_parts(steps))
    every_line = [line for _, lines in parts for line in lines]
    sides_by_turn = {turn: _sides(turn, book) for group, _ in parts for turn in group}
    sides = dict.fromkeys(side for names in sides_by_turn.values() for side in names)
    by_turn = len(sides) > 1 and all(sides_by_turn.values())
    if by_turn:
        columns = tuple(find_actor(side, book) for side in sides)
    else:
        actors = (actor for line in every_line for actor in actors_of_step(line.step))
        columns = sort_actors((actor for actor in actors if actor.name not in _EVERYBODY), book)
    is_titled = any(line.step.step.kind != DO for line in every_line)
    groups: list[ChecklistGroup] = []
    for group, lines in parts:
        shown = [
            line
            for line in lines
            if (line.is_usual or not is_titled if depth is None else line.level < depth)
        ]
        shown_steps = {line.step for line in shown}
        ticks: list[ChecklistLine] = []
        for line in shown:
            names = {actor.name for actor in actors_of_step(line.step)}
            if by_turn and line.played_in:
                names = {side for turn in line.played_in for side in sides_by_turn[turn]}
            everybody = not names.isdisjoint({"both", IN_ORDER, OTHERS_IN_ORDER, *book.orders})
            boxes = tuple(everybody or column.name in names for column in columns)
            has_lines = not shown_steps.isdisjoint(line.step.inner)
            ticks.append(_checklist_line(line, boxes, has_lines, book))
        heading = group if not (len(shown) == 1 and shown[0].step in group) else ()
        if ticks:
            groups.append(ChecklistGroup(heading, tuple(ticks)))
    return Checklist(columns, tuple(groups), turns)


@dataclass(frozen=True, slots=True)
class _Line:
    """A line before its boxes are known."""

    step: SequenceStep
    level: int
    played_in: tuple[SequenceStep, ...] = ()
    """The turns that play the step."""
    versions: tuple[SequenceStep, ...] = ()
    """The step in each of these turns."""
    is_in_loop: bool = False

    @property
    def is_usual(self) -> bool:
        """Whether it has a line if the block has no depth."""
        parent = self.step.parent
        if self.step.step.kind != DO or parent is None or parent.step.for_each or parent.is_choice:
            return True
        return parent.is_turn and all(sibling.step.kind == DO for sibling in parent.inner)


def _parts(steps: Sequence[SequenceStep]) -> Iterator[tuple[tuple[SequenceStep, ...], list[_Line]]]:
    """Yield the lines by the turns that share them; lines outside these turns have none."""
    outside_lines: list[_Line] = []
    done = set[SequenceStep]()
    for step in steps:
        if not step.is_turn:
            outside_lines += _lines({step: [step]}, is_turn=False)
            continue
        contains_turns = any(inner.is_turn for inner in step.inner)
        if contains_turns and (step.step.rounds or step.step.for_each):
            outside_lines.append(_Line(step, 0))
        if outside_lines:
            yield (), outside_lines
            outside_lines = []
        if contains_turns:
            yield from _parts(step.inner)
        elif step not in done:
            turns = tuple(turn for turn in steps if turn.is_turn and _root(turn) is _root(step))
            done.update(turns)
            lines = list(_lines({turn: turn.inner for turn in turns}))
            if not lines:
                for turn in turns:
                    yield (turn,), [_Line(turn, 0, (turn,), (turn,))]
                continue
            if step.step.rounds or step.step.for_each:
                lines.insert(0, _Line(step, 0, turns, turns))
            yield turns, lines
    if outside_lines:
        yield (), outside_lines


def _lines(
    steps_by_turn: Mapping[SequenceStep, Sequence[SequenceStep]],
    level: int = 0,
    *,
    is_turn: bool = True,
    is_in_loop: bool = False,
) -> Iterator[_Line]:
    """Yield the lines that several turns share, by the inner steps of each turn."""
    roots: list[SequenceStep] = []
    for steps in steps_by_turn.values():
        end = len(roots)
        for root in map(_root, reversed(steps)):
            if root in roots[:end]:
                end = roots.index(root)
            elif root not in roots:
                roots.insert(end, root)
    for root in roots:
        versions = {
            turn: step for turn, steps in steps_by_turn.items() for step in steps if _root(step) is root
        }
        step = next(iter(versions.values()))
        yield _Line(step, level, tuple(versions) if is_turn else (), tuple(versions.values()), is_in_loop)
        yield from _lines(
            {turn: step.inner for turn, step in versions.items()},
            level + 1,
            is_turn=is_turn,
            is_in_loop=is_in_loop or bool(step.step.rounds or step.step.for_each or step.is_choice),
        )


def _root(step: SequenceStep) -> SequenceStep:
    """Return the step as it is first written: what a turn repeats, or a copy is made of."""
    while source := step.origin or (step.repeats_step if step.is_turn else None):
        step = source
    return step


def _sides(turn: SequenceStep, book: Rulebook) -> tuple[str, ...]:
    """Return the sides that are phasing in a turn, one after another."""
    names: list[str] = []
    for name in turn.phasing:
        names += player_names(book) if book.sides and name in (IN_ORDER, *book.orders) else (name,)
    return tuple(dict.fromkeys(names))


def _checklist_line(line: _Line, boxes: tuple[bool, ...], has_lines: bool, book: Rulebook) -> ChecklistLine:
    step = line.step
    rounds = step.rounds
    shape = "circle" if step.way == ONE_OF else "box"
    if step.way != ONE_OF and (line.is_in_loop or step.step.for_each or (has_lines and not step.acting)):
        shape = ""
    rows: tuple[RoundBoxes, ...] = ()
    if rounds and rounds.most and rounds.most <= MOST_ROUNDS and not line.is_in_loop:
        sides = _sides(step, book) or tuple(str(name) for name in step.step.by)
        actors = [find_actor(side, book) for side in sides] if step.is_played_in_turns else [None]
        rows = tuple(RoundBoxes(actor, rounds.least, rounds.most) for actor in actors)
    words = "; ".join(phrase.text for phrase in step_phrases(step, _SHOWN_WORDS))
    if rounds and rounds.until:
        words = f"↻ {words.removeprefix('again ')}"
    labels = dict.fromkeys(version.step.label for version in (step, *line.versions) if version.step.label)
    letter = ""
    if step.parent and step.parent.step.for_each and not labels and step.way != ONE_OF:
        place = step.parent.inner.index(step)
        letter = f"{chr(ord('a') + place)}." if place < 26 else ""
    return ChecklistLine(
        step,
        line.level,
        shape,
        boxes,
        rows,
        f"{words}:" if step.step.for_each and has_lines else words,
        "".join(phrase.text for phrase in step_phrases(step, ("ends",))),
        tuple(labels),
        letter,
    )
