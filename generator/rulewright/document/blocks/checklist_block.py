"""Block with the steps of a turn to tick off, with a box for each player.

Turns with the same steps share their lines: each side has a column of boxes, and a step that a turn drops or
adds has boxes only for the turns that play it. In all other cases there is a box for each player who acts, or
one box for all players. A step that is done in a known number of rounds has a row of boxes for each who acts;
an option of a choice has a circle; what may be done any number of times has no box.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from rulewright.document.blocks.block_content import BlockContent, BlockContext, whole_number
from rulewright.files.located_text import LocatedText
from rulewright.schema.aid import Block
from rulewright.schema.rulebook import Rulebook
from rulewright.schema.step import DO
from rulewright.sequence.actors import UNSPECIFIED, Actor, actors_of_step, find_actor, sort_actors
from rulewright.sequence.sequence_step import IN_ORDER, NOBODY, ONE_OF, OTHERS_IN_ORDER, SequenceStep
from rulewright.sequence.step_attributes import step_phrases

MOST_ROUNDS = 32
"""Largest number of rounds that have a box each."""


@dataclass(frozen=True, slots=True)
class ChecklistLine:
    """A step to tick off."""

    step: SequenceStep
    level: int
    """0 for a phase."""
    versions: Mapping[SequenceStep, SequenceStep]
    """The step in each turn that has it."""
    is_in_loop: bool
    boxes: tuple[bool, ...] = ()
    """For each column, whether it has a box; if none has, there is one box for all players."""

    @property
    def shape(self) -> str:
        """Return "box", "circle" for an option, or "" if there is nothing to tick."""
        step = self.step
        is_ticked = not self.is_in_loop and (not step.inner or (step.acting and not step.step.for_each))
        return "circle" if step.way == ONE_OF else "box" if is_ticked else ""

    @property
    def rows(self) -> tuple[Actor | None, ...]:
        """Return who has a row of boxes, one for each round; None for all."""
        step, rounds = self.step, self.step.rounds
        if self.is_in_loop or not rounds or not rounds.maximum or rounds.maximum > MOST_ROUNDS:
            return ()
        sides = _sides(step) if step.is_played_in_turns else ()
        return tuple(find_actor(side, step.edition.book) for side in sides) or (None,)

    @property
    def labels(self) -> list[LocatedText]:
        """Return the labels printed before the step, which may differ between turns."""
        return list(dict.fromkeys(step.step.label for step in self.versions.values() if step.step.label))

    @property
    def actors(self) -> tuple[Actor, ...]:
        """Return who acts; empty if others act in another turn."""
        acting = {actors_of_step(step) for step in self.versions.values()}
        return acting.pop() if len(acting) == 1 else ()

    @property
    def has_one_box(self) -> bool:
        return bool(self.shape) and not self.rows and not any(self.boxes)

    @property
    def is_usual(self) -> bool:
        """Return whether it is shown if the block has no depth."""
        steps = filter(None, (self.step, self.step.parent))
        return self.level == 0 or self.step.step.kind != DO or any(map(_is_loop_or_choice, steps))

    @property
    def words(self) -> str:
        """Words for the rounds and game turns in which it is done."""
        names = ("in_turns", "in_rounds", "for_each", "rounds")
        words = "; ".join(phrase.text for phrase in step_phrases(self.step, names))
        loop = "↻ " if self.step.rounds and self.step.rounds.until else ""
        return f"{loop}{words}{':' if self.step.step.for_each and self.step.inner else ''}"

    @property
    def ending(self) -> str:
        """Words for the step that it ends."""
        return "".join(phrase.text for phrase in step_phrases(self.step, ("ends",)))


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
    nothing = "there are no steps inside"
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
        return cls(block, steps, checklist=checklist)

    @property
    def words(self) -> Iterator[str]:
        return iter(self.yaml_value.header)


def build_checklist(
    steps: Sequence[SequenceStep], book: Rulebook, depth: int | None, turns: int = 1
) -> Checklist:
    """Return the checklist of steps.

    `depth` is the number of levels shown; if it is None, actions are shown only in turns without phases, as
    options and in loops.
    """
    sections = list(_sections(steps))
    sides = {turn: _sides(turn) for group, _ in sections for turn in group}
    all_sides = dict.fromkeys(side for names in sides.values() for side in names)
    by_turn = len(all_sides) > 1 and all(sides.values())
    together = {"both", IN_ORDER, OTHERS_IN_ORDER, *book.orders}
    no_column = {"either", NOBODY, UNSPECIFIED, *together}
    all_lines = [line for _, lines in sections for line in lines]
    actors = (actor for line in all_lines for actor in actors_of_step(line.step))
    columns = sort_actors((actor for actor in actors if actor.name not in no_column), book)
    if by_turn:
        columns = tuple(find_actor(side, book) for side in all_sides)
    groups: list[ChecklistGroup] = []
    for group, lines in sections:
        ticks: list[ChecklistLine] = []
        for line in lines:
            if line.is_usual if depth is None else line.level < depth:
                names = {actor.name for actor in actors_of_step(line.step)}
                if by_turn and group:
                    names = {side for turn in line.versions for side in sides[turn]}
                names = names.intersection(map(str, line.step.step.in_turns)) or names
                boxes = (column.name in names or not names.isdisjoint(together) for column in columns)
                ticks.append(replace(line, boxes=tuple(boxes)))
        if ticks:
            groups.append(ChecklistGroup(group if ticks[0].step not in group else (), tuple(ticks)))
    return Checklist(columns, tuple(groups), turns)


def _is_loop(step: SequenceStep) -> bool:
    return bool(step.step.rounds or step.step.for_each)


def _is_loop_or_choice(step: SequenceStep) -> bool:
    return _is_loop(step) or step.is_choice


def _sections(
    steps: Sequence[SequenceStep], *, is_in_loop: bool = False
) -> Iterator[tuple[tuple[SequenceStep, ...], list[ChecklistLine]]]:
    """Yield the lines by the turns that share them; lines outside turns have none."""
    finished = set[SequenceStep]()
    for step in steps:
        turns: tuple[SequenceStep, ...] = (step,) if step.is_turn else ()
        is_inner_in_loop = is_in_loop or _is_loop(step)
        if any(inner.is_turn for inner in step.inner):
            if _is_loop(step):
                yield (), [ChecklistLine(step, 0, {step: step}, is_in_loop)]
            yield from _sections(step.inner, is_in_loop=is_inner_in_loop)
        elif not step.is_turn or not step.inner:
            yield turns, list(_lines({step: [step]}, is_in_loop=is_in_loop))
        elif step not in finished:
            turns = tuple(turn for turn in steps if turn.is_turn and _root(turn) is _root(step))
            finished.update(turns)
            heading = (
                [ChecklistLine(step, 0, dict.fromkeys(turns, step), is_in_loop)] if _is_loop(step) else []
            )
            inner = {turn: turn.inner for turn in turns}
            yield turns, [*heading, *_lines(inner, is_in_loop=is_inner_in_loop)]


def _lines(
    steps_by_turn: Mapping[SequenceStep, Sequence[SequenceStep]], level: int = 0, *, is_in_loop: bool = False
) -> Iterator[ChecklistLine]:
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
        line = ChecklistLine(next(iter(versions.values())), level, versions, is_in_loop)
        yield line
        inner = {turn: step.inner for turn, step in versions.items()}
        yield from _lines(inner, level + 1, is_in_loop=is_in_loop or _is_loop_or_choice(line.step))


def _root(step: SequenceStep) -> SequenceStep:
    """Return the step as first written: the original of a repeat or copy."""
    while source := step.origin or (step.repeats_step if step.is_turn else None):
        step = source
    return step


def _sides(turn: SequenceStep) -> tuple[str, ...]:
    """Return the sides that act in a turn one after another."""
    book = turn.edition.book
    names: list[str] = []
    for name in turn.phasing or map(str, turn.step.by):
        names += map(str, book.sides) if book.sides and name in (IN_ORDER, *book.orders) else (name,)
    return tuple(dict.fromkeys(names))
