"""The picture of the game turn, as boxes: what is played after what, and who acts in it.

Here is only where everything stands; a template draws it. Two player turns stand side by side, so that
one drawing is legible on a phone and large on a desk. The widths of words are estimated for a wider
typeface than the one that is meant, since that one may be missing.
"""

from __future__ import annotations

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
PAD = 7
MARK = 17
TITLE, BODY, SMALL = 14.5, 14.5, 12.0
LINE = 1.25
BRIEF = 30  # the most letters of facts that a box has room for

_NARROW, _WIDE = frozenset("fijlrtI .,:;'’!|()[]/-"), frozenset("mwMWQO@%&—")


@dataclass(frozen=True, slots=True)
class BoxLabel:
    """Words in a box: `x` is where they begin and `y` their baseline; `mark`, if any, stands before them."""

    words: str
    x: float
    y: float
    size: float
    mark: Actor | None = None


@dataclass(frozen=True, slots=True)
class DiagramBox:
    """A step as a box. `turn`: it is a whole player turn, with its phases in boxes below it.

    `actors`: who acts in it. `is_repeated`: it stands for the same step in the turn that is repeated, with
    the roles `reversed` or not. `optional`: it may be left out. `aria_text`: what else is to know of it, in
    words, which `notes` set in lines. `note_y`: the baseline of the words that say that a turn is a repeat.
    """

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
    is_repeated: bool = False
    reversed: bool = False
    optional: bool = False
    aria_text: str = ""
    notes: tuple[BoxLabel, ...] = ()
    note_y: float = 0

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
    """The game turn of an edition, or None where it has no sequence of play."""
    boxes: list[DiagramBox] = []
    arrows: list[Arrow] = []
    before: DiagramBox | None = None  # the box that the next arrow begins at
    top = 1.0
    for row in _rows(side_by_side(outline)):
        width = (WIDTH - 2 - GUTTER * (len(row) - 1)) / len(row)
        heads = []
        for at, step in enumerate(row):
            draw_box = _turn if step.is_turn else _phase
            heads.append(draw_box(step, 1 + at * (width + GUTTER), top, width, step.repeats_step is not None))
        heads = [replace(head, height=max(head.height for head in heads)) for head in heads]
        columns = [[head, *_below(head)] for head in heads]
        first, last = columns[0], columns[-1]
        if before:
            x = min(before, first[0], key=lambda box: box.width).middle
            arrows.append(Arrow(x, top - STEM + 2, x, top - 2))
        if len(row) > 1:
            level = first[0].y + first[0].height / 2
            arrows.append(Arrow(first[0].x + width + 3, level, last[0].x - 3, level))
        boxes += [box for column in columns for box in column]
        top = max(box.bottom for column in columns for box in column) + STEM
        # A shorter last column is lengthened to the row's end by its arrow.
        before = last[-1]
        if before.bottom + STEM < top:
            arrows.append(Arrow(before.middle, before.bottom + 2, before.middle, top - STEM))
    return TurnDiagram(WIDTH, round(top - STEM + 1), tuple(boxes), tuple(arrows)) if boxes else None


def _rows(steps: Sequence[SequenceStep]) -> Iterator[list[SequenceStep]]:
    """The steps in rows: two player turns in succession share one."""
    for is_turn, group in groupby(steps, key=lambda step: step.is_turn):
        together = list(group)
        if is_turn and len(together) == 2:
            yield together
        else:
            yield from ([step] for step in together)


def _below(head: DiagramBox) -> Iterator[DiagramBox]:
    """The phases of a player turn; those of the turn that it repeats, if it does."""
    step, top = head.step, head.bottom + GAP
    for phase in (step.inner) if head.turn else ():
        is_repeated = phase.origin is not None and not phase.has_differences
        box = _phase(phase, head.x, top, head.width, is_repeated)
        yield box
        top = box.bottom + GAP


def _turn(step: SequenceStep, x: float, y: float, width: float, is_repeated: bool) -> DiagramBox:
    lines = wrap_words(plain_text(step.step.title), width - 2 * PAD, TITLE)
    first = y + PAD + TITLE * 0.8
    labels = [BoxLabel(words, x + PAD, first + TITLE * LINE * at, TITLE) for at, words in enumerate(lines)]
    below = y + PAD + TITLE * LINE * len(lines)
    note = 0.0
    if is_repeated:
        note = below + SMALL
        below += SMALL * LINE + 2
    for role, side in player_sides(step):
        for at, words in enumerate(wrap_words(side.title, width - 3 * PAD - MARK, SMALL)):
            labels.append(
                BoxLabel(words, x + PAD + MARK, below + SMALL * 1.1, SMALL, role if at == 0 else None)
            )
            below += SMALL * 1.5
    height = below + PAD - y - 3
    box = DiagramBox(step, x, y, width, height, "turn", tuple(labels), turn=True, is_repeated=is_repeated)
    return replace(box, note_y=note, reversed=step.reverses_roles)


def _phase(step: SequenceStep, x: float, y: float, width: float, is_repeated: bool) -> DiagramBox:
    actors = actors_of_step(step)
    left = x + PAD + 5
    marks = tuple(BoxLabel("", left + at * (MARK + 4), 0, SMALL, actor) for at, actor in enumerate(actors))
    left += len(marks) * (MARK + 4) + 3
    lines = wrap_words(_called(step), x + width - PAD - left, BODY)
    height = max(BODY * LINE * len(lines), MARK) + 2 * PAD
    first = y + height / 2 - BODY * LINE * (len(lines) - 1) / 2 + BODY * 0.36
    labels = tuple(BoxLabel(words, left, first + BODY * LINE * at, BODY) for at, words in enumerate(lines))
    marks = tuple(BoxLabel("", mark.x, y + (height - MARK) / 2, SMALL, mark.mark) for mark in marks)
    said = "; ".join(_said(step))
    facts = said if len(said) <= BRIEF else ""
    lines = wrap_words(facts, x + width - PAD - left, SMALL) if facts else []
    below = y + height - PAD + SMALL
    notes = tuple(BoxLabel(words, left, below + SMALL * LINE * at, SMALL) for at, words in enumerate(lines))
    height += SMALL * LINE * len(lines)
    optional = bool(step.step.optional)
    return DiagramBox(
        step,
        x,
        y,
        width,
        height,
        actor_style(step),
        labels,
        actors,
        marks,
        is_repeated=is_repeated,
        reversed=is_repeated and any(turn.reverses_roles for turn in step.self_and_ancestors()),
        optional=optional,
        aria_text=said,
        notes=notes,
    )


_WAYS = {ANY_ORDER: "in any order", ONE_OF: "one of several", AT_ANY_TIME: "at any time"}


def _said(step: SequenceStep) -> Iterator[str]:
    if step.way != "steps":
        yield _WAYS[step.way]
    yield from (fact.text for fact in step_phrases(step))


def step_short_title(step: SequenceStep) -> str:
    """A step's title without the word for its kind, which a row of phases need not say."""
    title, kind = plain_text(step.step.title), step.step.kind
    short_title = title[: -len(kind) - 1]
    return short_title if short_title and title.lower() == f"{short_title} {kind}".lower() else title


def _called(step: SequenceStep) -> str:
    """A step's label and short title, and behind it the abbreviation, which people who play say instead."""
    label = f"{DIFFERENT} " if step.is_different else ""
    label += f"{step.step.label} " if step.step.label else ""
    return f"{label}{step_short_title(step)}" + (
        f" ({step.step.abbreviation})" if step.step.abbreviation else ""
    )


def width_of(words: str, size: float) -> float:
    """About how wide words are set, rather too wide than too narrow."""
    return sum(map(_hundredths, words)) * size / 100


def _hundredths(sign: str) -> int:
    """The width of a letter, in hundredths of its size."""
    return 38 if sign in _NARROW else 100 if sign in _WIDE else 76 if sign.isupper() else 63


def wrap_words(words: str, width: float, size: float) -> list[str]:
    """Wrap words to `width`; cut a word that is longer. Measures no letter more than twice."""
    most, space, hyphen = width / size * 100, _hundredths(" "), _hundredths("-")
    lines, filled = [""], 0
    for word in words.split():
        wide = sum(map(_hundredths, word))
        if not lines[-1] or filled + space + wide > most:
            lines += [""] if lines[-1] else []
            for piece in _cut(word, wide, most, hyphen):
                lines[-1], filled = piece, sum(map(_hundredths, piece))
                lines.append("")
            lines.pop()
        else:
            lines[-1] += f" {word}"
            filled += space + wide
    return lines


def _cut(word: str, wide: int, most: float, hyphen: int) -> Iterator[str]:
    """The pieces of a word, all but the last with a hyphen; it whole where it is no wider than `most`."""
    start, piece = 0, hyphen
    for at, sign in enumerate(word):
        letter = _hundredths(sign)
        if at > start and piece + letter > most:
            yield f"{word[start:at]}-"
            wide -= piece - hyphen
            start, piece = at, hyphen
        if at == start and (wide <= most or at == len(word) - 1):
            break
        piece += letter
    yield word[start:]
