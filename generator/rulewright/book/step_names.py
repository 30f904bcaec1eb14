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


def nearest_step(steps: Sequence[SequenceStep], here: Sequence[SequenceStep] = ()) -> SequenceStep | None:
    """The step that is meant among several of one name, seen from the innermost of the steps `here`.

    The nearest around has it; of the same phase of several player turns, each has its own, and elsewhere the
    first stands for all.
    """
    for outer in (*here, None):
        inside = [step for step in steps if outer is None or outer in self_and_parents(step)]
        if len(inside) > 1:
            inside = _same(inside)
        if inside:
            return inside[0] if len(inside) == 1 else None
    return None


def _same(steps: Sequence[SequenceStep]) -> list[SequenceStep]:
    """Steps without those that stand for another; one, where all are the same phase of different turns."""
    own = dict.fromkeys(
        step.base_step if step.base_step and step.difference == "changed" else step for step in steps
    )
    places = [_in_turn(step) for step in own]
    same = len({path for _, path in places}) == 1 and len({turn for turn, _ in places}) == len(places)
    return [*own][:1] if same else [*own]


def _in_turn(step: SequenceStep) -> tuple[SequenceStep | None, tuple[str, ...]]:
    """The player turn that a step lies in, and where in it."""
    path: list[str] = []
    at: SequenceStep | None = step
    while at and not at.is_turn:
        path.append(at.step.title)
        at = at.parent_in_play
    return at, tuple(path)


def self_and_parents(step: SequenceStep) -> Iterator[SequenceStep]:
    """A step and those around it, the innermost first; of a change also what it stands for."""
    at: SequenceStep | None = step
    while at:
        yield at
        if at.difference and at.base_step and at.difference != "added":
            yield at.base_step
        at = at.parent
