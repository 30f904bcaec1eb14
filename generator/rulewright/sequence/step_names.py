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
        if inside:
            turns, paths = zip(*map(_turn_and_path, inside), strict=True)
            are_counterparts = len(set(turns)) == len(inside) and len(set(paths)) == 1
            return inside[0] if are_counterparts else None
    return None


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
