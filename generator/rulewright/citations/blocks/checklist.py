"""The steps of a turn to tick off, with a box for each player.

Player turns that go through the same steps share their lines: each has a column of boxes, and a step that
one of them drops or adds has boxes only where it is played. Elsewhere, and where there is a single player
turn, a box stands for each player who acts, and one for all where nobody in particular does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from rulewright.book.outline import Outline
from rulewright.book.roles import Actor, acting, actor, in_order
from rulewright.book.sequence import StepEntry
from rulewright.citations.blocks.part import Making, Part, Signs, actors, whole_number
from rulewright.model.aid import Block
from rulewright.model.rulebook import Rulebook
from rulewright.model.step import DO
from rulewright.source.problems import shown
from rulewright.source.text import Text

_NOBODY = ("both", "none")


@dataclass(frozen=True, slots=True)
class Tick:
    """A step to tick off in `turn`. `level`: 0 for a phase; `boxes`: the columns that it has a box in.

    Without any box of its own there is one for all players. `labels`: what the book prints in front of it,
    which may be another label in each turn.
    """

    step: StepEntry
    turn: StepEntry | None
    level: int
    boxes: tuple[bool, ...]
    labels: tuple[Text, ...] = ()

    @property
    def once(self) -> bool:
        return not any(self.boxes)


@dataclass(frozen=True, slots=True)
class Group:
    """Lines under one heading: those of `turns`, or those outside of any turn."""

    turns: tuple[StepEntry, ...]
    ticks: tuple[Tick, ...]


@dataclass(frozen=True, slots=True)
class Checklist:
    """A checklist. `columns`: the players, each with a box for every one of `turns` game turns."""

    columns: tuple[Actor, ...]
    groups: tuple[Group, ...]
    turns: int = 1


@dataclass(frozen=True, slots=True)
class Shown(Part):
    """The lines of a checklist and the players that tick them off."""

    holds = ("checklist.groups",)
    wide = plays = True

    checklist: Checklist = field(kw_only=True)

    @classmethod
    def of(cls, block: Block, making: Making) -> Part:
        said = block.checklist
        assert said
        steps = making.steps((said.of,) if said.of else ())
        if said.of and not any(step.is_turn for step in steps):
            steps = tuple(inner for step in steps for inner in step.children)
        turns = whole_number(said.turns) or 1
        made = checklist(steps, making.outline.edition.book, whole_number(said.depth), turns)
        ticked = frozenset(tick.step for group in made.groups for tick in group.ticks)
        return cls(block, steps, ticked, checklist=made)

    @property
    def words(self) -> Iterator[str]:
        return iter(self.said.header)

    def why_empty(self, outline: Outline) -> str:
        return f"{shown(self.said.of or outline.edition.short)} has no steps inside"

    @property
    def signs(self) -> Signs:
        combat = (step for step in self.shown if step.combat)
        return Signs((*actors(self.shown), *self.checklist.columns), actors(combat))


def checklist(steps: Sequence[StepEntry], book: Rulebook, depth: int | None, turns: int = 1) -> Checklist:
    """The checklist of steps. `depth`: how many levels are shown; phases and segments where it is None."""
    rows = list(_rows(steps))
    sides = dict.fromkeys(str(turn.step.phasing) for group, _ in rows for turn in group)
    by_turn = len(sides) > 1 and "None" not in sides
    if by_turn:
        columns = tuple(actor(side, book) for side in sides)
    else:
        found = (one for _, ticks in rows for tick in ticks for one in acting(tick.step, tick.turn))
        columns = in_order((one for one in found if one.name not in _NOBODY), book)
    is_titled = any(tick.step.step.kind != DO for _, ticks in rows for tick in ticks)

    def is_shown(tick: _Line) -> bool:
        return (tick.step.step.kind != DO or not is_titled) if depth is None else tick.level < depth

    groups = [
        Group(group, tuple(_tick(line, by_turn, columns) for line in ticks if is_shown(line)))
        for group, ticks in rows
    ]
    return Checklist(columns, tuple(group for group in groups if group.ticks), turns)


@dataclass(frozen=True, slots=True)
class _Line:
    step: StepEntry
    level: int
    turn: StepEntry | None = None
    played: tuple[StepEntry, ...] = ()
    changed: tuple[StepEntry, ...] = ()


def _rows(steps: Sequence[StepEntry]) -> Iterator[tuple[tuple[StepEntry, ...], list[_Line]]]:
    """The lines by the player turns that go through them; those before, between and behind have none."""
    loose: list[_Line] = []
    done = set[StepEntry]()
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
            turns = tuple(one for one in steps if one.is_turn and one.chain[-1] is step.chain[-1])
            done.update(turns)
            yield turns, list(_shared({turn: turn.played for turn in turns}))
    if loose:
        yield (), loose


def _lines(step: StepEntry, level: int = 0) -> Iterator[_Line]:
    """A step outside of player turns with all inside it."""
    yield _Line(step, level)
    for inner in step.children:
        yield from _lines(inner, level + 1)


def _shared(rows: Mapping[StepEntry, Sequence[StepEntry]], level: int = 0) -> Iterator[_Line]:
    """Yield the lines that several turns share. `rows`: the steps of each turn as they are played in it."""
    bases = list[StepEntry]()
    for row in rows.values():
        end = len(bases)
        for step in map(_base, reversed(row)):
            if step in bases[:end]:
                end = bases.index(step)
            elif step not in bases:
                bases.insert(end, step)
    for base in bases:
        found = {turn: step for turn, row in rows.items() for step in row if _base(step) is base}
        changed = (step for step in found.values() if step is not base)
        yield _Line(base, level, next(iter(found)), tuple(found), tuple(dict.fromkeys(changed)))
        yield from _shared({turn: turn.inside(step) for turn, step in found.items()}, level + 1)


def _base(step: StepEntry) -> StepEntry:
    """Return the step itself, or the one that it changes."""
    return _base(step.origin) if step.difference == "changed" and step.origin else step


def _tick(line: _Line, by_turn: bool, columns: tuple[Actor, ...]) -> Tick:
    """A line with its boxes: `by_turn` for the sides in whose turns it is played, else for who acts."""
    names = {one.name for one in acting(line.step, line.turn)}
    if by_turn and line.played:
        names = {str(turn.step.phasing) for turn in line.played}
    boxes = tuple("both" in names or one.name in names for one in columns)
    labels = (step.step.label for step in (line.step, *line.changed))
    return Tick(line.step, line.turn, line.level, boxes, tuple(dict.fromkeys(filter(None, labels))))
