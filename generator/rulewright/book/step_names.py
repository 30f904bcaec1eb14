"""Names of steps, and the choice of a step among several of one name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rulewright.book.sequence import SequenceStep
from rulewright.text.text_document import plain_text

_IN_PARENTHESES = re.compile(r"\s*\(([^()]*)\)\s*\Z")


def spoken_title(step: SequenceStep) -> str:
    """A step's title as it is spoken of: without what stands in parentheses at its end."""
    return _IN_PARENTHESES.sub("", plain_text(step.step.title))


def abbreviation_of(step: SequenceStep) -> str | None:
    """Abbreviation of a step: its `abbreviation`, or one in parentheses at the end of its title."""
    m = _IN_PARENTHESES.search(plain_text(step.step.title))
    short = m[1] if m and " " not in m[1] and sum(map(str.isupper, m[1])) > 1 else None
    return step.step.abbreviation or short


def nearest_step(steps: Sequence[SequenceStep], context: Sequence[SequenceStep] = ()) -> SequenceStep | None:
    """The step that is meant among several of one name, seen from the innermost of the steps `here`.

    The nearest around has it; of the same phase of several player turns, each has its own, and elsewhere the
    first stands for all.
    """
    for outer in (*context, None):
        inside = [step for step in steps if outer is None or outer in self_and_parents(step)]
        if len(inside) > 1:
            inside = _drop_counterparts(inside)
        if inside:
            return inside[0] if len(inside) == 1 else None
    return None


def _drop_counterparts(steps: Sequence[SequenceStep]) -> list[SequenceStep]:
    """Steps without those that stand for another; one, where all are the same phase of different turns."""
    originals = dict.fromkeys(
        step.base_step if step.base_step and step.difference == "changed" else step for step in steps
    )
    places = [_turn_and_path(step) for step in originals]
    same = len({path for _, path in places}) == 1 and len({turn for turn, _ in places}) == len(places)
    return [*originals][:1] if same else [*originals]


def _turn_and_path(step: SequenceStep) -> tuple[SequenceStep | None, tuple[str, ...]]:
    """The player turn that a step lies in, and where in it."""
    path: list[str] = []
    outer: SequenceStep | None = step
    while outer and not outer.is_turn:
        path.append(outer.step.title)
        outer = outer.parent_in_play
    return outer, tuple(path)


def self_and_parents(step: SequenceStep) -> Iterator[SequenceStep]:
    """A step and those around it, the innermost first; of a change also what it stands for."""
    current: SequenceStep | None = step
    while current:
        yield current
        if current.difference and current.base_step and current.difference != "added":
            yield current.base_step
        current = current.parent
