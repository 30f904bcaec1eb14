"""Names of steps, and the choice between steps of the same name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rulewright.schema.text_document import plain_text
from rulewright.sequence.sequence_step import SequenceStep

_IN_PARENTHESES = re.compile(r"\s*\(([^()]*)\)\s*\Z")


def spoken_title(step: SequenceStep) -> str:
    """Return the title of a step without parentheses at its end."""
    return _IN_PARENTHESES.sub("", plain_text(step.step.title))


def abbreviation_of(step: SequenceStep) -> str | None:
    """Return the abbreviation of a step: the declared one, or one in parentheses at the end of its title."""
    m = _IN_PARENTHESES.search(plain_text(step.step.title))
    short = m[1] if m and " " not in m[1] and sum(map(str.isupper, m[1])) > 1 else None
    return step.step.abbreviation or short


def nearest_step(steps: Sequence[SequenceStep], context: Sequence[SequenceStep] = ()) -> SequenceStep | None:
    """Return which of several steps with the same name is meant in a context of steps, innermost first.

    A step inside the innermost possible context wins. If each player turn has its own phase of that name, the
    first represents all of them.
    """
    for outer in (*context, None):
        inside = [step for step in steps if outer is None or outer in self_and_parents(step)]
        if len(inside) > 1:
            inside = _drop_counterparts(inside)
        if inside:
            return inside[0] if len(inside) == 1 else None
    return None


def _drop_counterparts(steps: Sequence[SequenceStep]) -> list[SequenceStep]:
    """Replace copies by what they are copies of; if all are the same phase of different turns, return the
    first.
    """
    originals: dict[SequenceStep, None] = {}
    for step in steps:
        while step.origin:
            step = step.origin
        originals[step] = None
    places = [_turn_and_path(step) for step in originals]
    same = len({path for _, path in places}) == 1 and len({turn for turn, _ in places}) == len(places)
    return [*originals][:1] if same else [*originals]


def _turn_and_path(step: SequenceStep) -> tuple[SequenceStep | None, tuple[str, ...]]:
    """Return the player turn of a step, and its path in the turn."""
    path: list[str] = []
    outer: SequenceStep | None = step
    while outer and not outer.is_turn:
        path.append(outer.step.title)
        outer = outer.parent
    return outer, tuple(path)


def self_and_parents(entry: SequenceStep) -> Iterator[SequenceStep]:
    """Yield a step and its ancestors, innermost first, each followed by the steps that it is a copy of."""
    for step in entry.self_and_ancestors():
        origin: SequenceStep | None = step
        while origin:
            yield origin
            origin = origin.origin
