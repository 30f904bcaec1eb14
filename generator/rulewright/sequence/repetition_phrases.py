"""Groups of steps by layout, and phrases for steps that repeat another step or turn.

Pages, aids and outlines use the same groups and phrases.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from rulewright.schema.step import inner_steps_of
from rulewright.sequence.sequence_step import ANY_ORDER, AT_ANY_TIME, ONE_OF, SequenceStep
from rulewright.sequence.step_attributes import step_phrases

DIFFERENT = "≠"
"""Mark of a difference between a turn and the turn that it repeats."""

BRIEF = 24
"""Maximum length of the attribute phrases of a step that shares a line with others."""

_LAYOUTS = {"steps": "steps", ANY_ORDER: "any", ONE_OF: "one", AT_ANY_TIME: "between"}

Group = tuple[str, list[SequenceStep]]
Part = str | SequenceStep


def group_steps(steps: Iterable[SequenceStep]) -> Iterator[Group]:
    """Yield consecutive steps that belong together, with their layout.

    `same`: the steps are as in the repeated turn; `either`: steps in any order on one line, each with a title
    and rules; `any`: in any order; `one`: of which one is done; `between`: that may be done at any time;
    `steps`: in sequence.
    """
    for name, group in groupby(steps, lambda step: "same" if step.is_same else _LAYOUTS[step.way]):
        together = list(group)
        is_line = name == "any" and len(together) > 1 and all(map(_is_brief, together))
        yield "either" if is_line else name, together


def _is_brief(entry: SequenceStep) -> bool:
    """Return whether a step fits on a line with others: it has a title, rules and few attributes only."""
    step = entry.step
    is_long = (
        entry.displayed_steps
        or entry.is_different
        or entry.repeats_step
        or step.note
        or step.narrative
        or step.label
        or len("; ".join(phrase.text for phrase in step_phrases(entry))) > BRIEF
    )
    return not is_long and (entry.parent is None or entry.actors == entry.parent.actors)


def repetition_phrase(step: SequenceStep) -> Iterator[Part]:
    """Yield the phrase for a step that repeats another, as words and steps."""
    base = step.repeats_step
    if step.is_same and step.copied_turn:
        yield "as in the "
        yield step.copied_turn
    if not base or step.is_same or inner_steps_of(step.own_keys):
        return
    if base.step.title == step.step.title:
        yield "as above"
    else:
        yield "as the "
        yield base
    if step.reverses_roles:
        yield " with the roles reversed"
    if step.left_out:
        yield ", without "
        yield from join_steps(step.left_out)
    if any(inner.has_differences for inner in step.inner):
        yield f"; {DIFFERENT} marks what is different"


def join_steps(steps: Sequence[SequenceStep]) -> Iterator[Part]:
    """Yield steps with the words between them: a, b and c."""
    for position, step in enumerate(steps):
        if position:
            yield " and " if position == len(steps) - 1 else ", "
        yield step


def narrative_repetition(step: SequenceStep) -> Iterator[Part]:
    """Yield the phrase for a step in the narrative that repeats another."""
    turn = step.copied_turn
    if step.repeats_step or not step.origin:
        yield from repetition_phrase(step)
    elif turn and step.step.narrative is step.origin.step.narrative:
        yield "as in the "
        yield turn


def ways_with_signs(steps: Iterable[SequenceStep]) -> frozenset[str]:
    """Return the ways, other than in sequence, in which displayed steps are listed."""
    displayed = (inner for step in steps for inner in step.iter_displayed())
    return frozenset(step.way for step in displayed if not step.is_same) - {"steps"}
