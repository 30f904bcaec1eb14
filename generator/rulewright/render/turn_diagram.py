"""Diagram of the game turn: boxes for its steps in the order of play, with who acts in them.

This module only places the boxes; a template draws them. Two player turns share a row, so that a drawing is
legible on a phone and large on a desk. The widths of words are estimated for a wide typeface, since the
site's own may be missing.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from rulewright.book.outline import Outline
from rulewright.document.blocks.sequence_blocks import side_by_side
from rulewright.schema.text_document import plain_text
from rulewright.sequence.actors import Actor, actor_style, actors_of_step, player_sides
from rulewright.sequence.repetition_phrases import DIFFERENT
from rulewright.sequence.sequence_step import ANY_ORDER, AT_ANY_TIME, ONE_OF, SequenceStep
from rulewright.sequence.step_attributes import step_phrases

WIDTH = 360
"""Units across; a phone shows about one pixel for each."""

GUTTER = 26  # between two player turns
STEM = 20  # between two boxes that an arrow joins
GAP = 6  # between two phases
PADDING = 7
MARK = 17
BODY, SMALL = 14.5, 12.0
LINE = 1.25
MAX_NOTE = 30  # characters of facts that a box has room for

_NARROW, _WIDE = frozenset("fijlrtI .,:;'’!|()[]/-"), frozenset("mwMWQO@%&—")
_WAYS = {ANY_ORDER: ["in any order"], ONE_OF: ["one of several"], AT_ANY_TIME: ["at any time"]}


@dataclass(frozen=True, slots=True)
class BoxLabel:
    """Words in a box, at the left end of their baseline, with the mark before them if they have one."""

    words: str
    x: float
    y: float
    size: float
    mark: Actor | None = None


@dataclass(frozen=True, slots=True)
class DiagramBox:
    """A step as a box."""

    step: SequenceStep
    x: float
    y: float
    width: float
    height: float
    style: str
    labels: tuple[BoxLabel, ...]
    actors: tuple[Actor, ...] = ()
    marks: tuple[BoxLabel, ...] = ()
    turn: bool = False
    """It is a player turn, with its phases in boxes below it."""
    is_repeated: bool = False
    """It is as in the turn that is repeated."""
    reversed: bool = False
    """The roles are reversed there."""
    optional: bool = False
    aria_text: str = ""
    """Its facts in words; `notes` has them in lines if there is room."""
    notes: tuple[BoxLabel, ...] = ()
    note_y: float = 0
    """The baseline of the words that say that a turn is repeated."""

    @property
    def middle(self) -> float:
        return self.x + self.width / 2

    @property
    def bottom(self) -> float:
        return self.y + self.height


@dataclass(frozen=True, slots=True)
class Arrow:
    """From one box to the next: down or to the right."""

    x1: float
    y1: float
    x2: float
    y2: float


@dataclass(frozen=True, slots=True)
class TurnDiagram:
    """A drawing of `width` by `height` units."""

    width: int
    height: int
    boxes: tuple[DiagramBox, ...]
    arrows: tuple[Arrow, ...]


def draw_turn_diagram(outline: Outline) -> TurnDiagram | None:
    """Draw the game turn of an edition; None if it has no sequence of play."""
    boxes: list[DiagramBox] = []
    arrows: list[Arrow] = []
    previous: DiagramBox | None = None
    top = 1.0
    for row in _rows(side_by_side(outline)):
        columns = _columns(row, top)
        first, last = columns[0], columns[-1]
        if previous:
            x = min(previous, first[0], key=lambda box: box.width).middle
            arrows.append(Arrow(x, top - STEM + 2, x, top - 2))
        if len(row) > 1:
            middle = first[0].y + first[0].height / 2
            arrows.append(Arrow(first[0].x + first[0].width + 3, middle, last[0].x - 3, middle))
        boxes += [box for column in columns for box in column]
        top = max(column[-1].bottom for column in columns) + STEM
        previous = last[-1]
        if previous.bottom + STEM < top:  # an arrow leads from the shorter column to the end of the row
            arrows.append(Arrow(previous.middle, previous.bottom + 2, previous.middle, top - STEM))
    return TurnDiagram(WIDTH, round(top - STEM + 1), tuple(boxes), tuple(arrows)) if boxes else None


def _rows(steps: Sequence[SequenceStep]) -> Iterator[list[SequenceStep]]:
    """Yield the steps of each row: two player turns in succession share one."""
    for is_turn, group in groupby(steps, key=lambda step: step.is_turn):
        together = list(group)
        pair = is_turn and len(together) == 2
        yield from [together] if pair else ([step] for step in together)


def _columns(row: Sequence[SequenceStep], top: float) -> list[list[DiagramBox]]:
    """Return the boxes of a row: each step and, below a player turn, its phases."""
    width = (WIDTH - 2 - GUTTER * (len(row) - 1)) / len(row)
    columns = []
    for position, step in enumerate(row):
        draw_box = _turn_box if step.is_turn else _phase_box
        columns.append(
            [draw_box(step, 1 + position * (width + GUTTER), top, width, step.repeats_step is not None)]
        )
    height = max(box.height for (box,) in columns)
    for column in columns:
        column[0] = replace(column[0], height=height)
        for phase in column[0].step.inner if column[0].turn else ():
            is_repeated = phase.origin is not None and not phase.has_differences
            column.append(_phase_box(phase, column[0].x, column[-1].bottom + GAP, width, is_repeated))
    return columns


def _turn_box(step: SequenceStep, x: float, y: float, width: float, is_repeated: bool) -> DiagramBox:
    lines = wrap_words(plain_text(step.step.title), width - 2 * PADDING, BODY)
    labels = _lines(lines, x + PADDING, y + PADDING + BODY * 0.8, BODY)
    bottom = y + PADDING + BODY * LINE * len(lines)
    note_y = bottom + SMALL if is_repeated else 0.0
    bottom += SMALL * LINE + 2 if is_repeated else 0.0
    for role, side in player_sides(step):
        for number, words in enumerate(wrap_words(side.title, width - 3 * PADDING - MARK, SMALL)):
            mark = role if number == 0 else None
            labels.append(BoxLabel(words, x + PADDING + MARK, bottom + SMALL * 1.1, SMALL, mark))
            bottom += SMALL * 1.5
    height = bottom + PADDING - y - 3
    box = DiagramBox(step, x, y, width, height, "turn", tuple(labels), turn=True, is_repeated=is_repeated)
    return replace(box, note_y=note_y, reversed=step.reverses_roles)


def _phase_box(step: SequenceStep, x: float, y: float, width: float, is_repeated: bool) -> DiagramBox:
    actors, left = actors_of_step(step), x + PADDING + 5
    words_left = left + len(actors) * (MARK + 4) + 3
    room = x + width - PADDING - words_left
    lines = wrap_words(_title(step), room, BODY)
    height = max(BODY * LINE * len(lines), MARK) + 2 * PADDING
    marks = [
        BoxLabel("", left + number * (MARK + 4), y + (height - MARK) / 2, SMALL, actor)
        for number, actor in enumerate(actors)
    ]
    facts = "; ".join([*_WAYS.get(step.way, ()), *(fact.text for fact in step_phrases(step))])
    notes = wrap_words(facts, room, SMALL) if 0 < len(facts) <= MAX_NOTE else []
    baseline = y + height / 2 - BODY * LINE * (len(lines) - 1) / 2 + BODY * 0.36
    return DiagramBox(
        step,
        x,
        y,
        width,
        height + SMALL * LINE * len(notes),
        actor_style(step),
        tuple(_lines(lines, words_left, baseline, BODY)),
        actors,
        tuple(marks),
        is_repeated=is_repeated,
        reversed=is_repeated and any(turn.reverses_roles for turn in step.self_and_ancestors()),
        optional=bool(step.step.optional),
        aria_text=facts,
        notes=tuple(_lines(notes, words_left, y + height - PADDING + SMALL, SMALL)),
    )


def _lines(lines: Sequence[str], x: float, y: float, size: float) -> list[BoxLabel]:
    return [BoxLabel(words, x, y + size * LINE * number, size) for number, words in enumerate(lines)]


def step_short_title(step: SequenceStep) -> str:
    """Return the title of a step without the word for its kind, which a row of phases need not say."""
    title, kind = plain_text(step.step.title), step.step.kind
    short_title = title[: -len(kind) - 1]
    return short_title if short_title and title.lower() == f"{short_title} {kind}".lower() else title


def _title(step: SequenceStep) -> str:
    """Return the label, the short title and the abbreviation of a step, which players say instead."""
    difference = DIFFERENT if step.is_different else ""
    abbreviation = f"({step.step.abbreviation})" if step.step.abbreviation else ""
    parts = (difference, step.step.label, step_short_title(step), abbreviation)
    return " ".join(filter(None, parts))


def width_of(words: str, size: float) -> float:
    """Estimate the width of words, rather too wide than too narrow."""
    hundredths = 0
    for character in words:
        if character in _NARROW or character in _WIDE:
            hundredths += 38 if character in _NARROW else 100
        else:
            hundredths += 76 if character.isupper() else 63
    return hundredths * size / 100


def wrap_words(words: str, width: float, size: float) -> list[str]:
    """Wrap words to a width by the average width of their characters; cut a word that is longer."""
    return textwrap.wrap(words, max(1, int(width * len(words) / width_of(words, size)))) if words else [""]
