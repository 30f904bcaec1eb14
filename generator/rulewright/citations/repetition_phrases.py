"""Rows of steps as they are set out, and the words for what is as in the turn that is repeated.

Pages, sheets and outlines all take their groups and their words from here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import groupby

from rulewright.book.outline import RuleEntry
from rulewright.book.sequence import SequenceStep
from rulewright.citations.step_attributes import step_phrases
from rulewright.text.text_document import plain_text

DIFFERENT = "≠"
"""The sign of what a turn has otherwise than the one that it repeats."""

BRIEF = 24
"""The most letters of facts that a step has which stands in a line with others."""

IN_ONE_LINE = ("same", "either")

TOLD = "told/"
"""The anchor of a step's entry in the narrative that a rule shows begins with it."""

Group = tuple[str, list[SequenceStep]]
Part = str | SequenceStep


def group_steps(steps: Iterable[SequenceStep]) -> Iterator[Group]:
    """Rows that belong together, by how they are set out.

    `same`: each is as in the turn that is repeated; `either`: a title and its rules each, in one line, in any
    order; `any`: in any order; `steps`: one behind the other.
    """
    for (layout, _), group in groupby(steps, _sort):
        together = list(group)
        if layout == "any" and len(together) > 1 and all(map(_is_brief, together)):
            layout = "either"
        yield layout, together


def _sort(step: SequenceStep) -> tuple[str, SequenceStep | None]:
    if step.repeats_step and step.base_step:
        return "same", enclosing_turn(step.repeats_step)
    return "any" if step.any_order else "steps", None


def _is_brief(entry: SequenceStep) -> bool:
    """Whether a step has room beside others: a title, rules and few facts, of who acts around it."""
    step = entry.step
    more = (
        entry.displayed_steps
        or entry.difference
        or entry.repeats_step
        or step.note
        or step.narrative
        or step.label
    )
    return (
        not more
        and len(attributes_text(entry)) <= BRIEF
        and (entry.parent is None or entry.actors == entry.parent.actors)
    )


def attributes_text(step: SequenceStep) -> str:
    """All facts of a step in words."""
    return "; ".join(fact.text for fact in step_phrases(step))


def enclosing_turn(step: SequenceStep) -> SequenceStep:
    """The turn that a step lies in, or the outermost step around it."""
    while step.parent and not step.is_turn:
        step = step.parent
    return step


def repetition_phrase(step: SequenceStep) -> Iterator[Part]:
    """How a step goes as another: words, and the steps that they name, those left out behind `without`."""
    if not step.repeats_step:
        return
    if step.base_step:
        yield "as in the "
        yield enclosing_turn(step.repeats_step)
        return
    yield "as the "
    yield step.repeats_step
    if step.reverses_roles:
        yield " with the roles reversed"
    if step.dropped:
        yield ", without "
        yield from join_steps(step.dropped)
    if any(displayed.difference for displayed in step.iter_displayed() if displayed is not step):
        yield f"; {DIFFERENT} marks what is different"


def join_steps(steps: list[SequenceStep]) -> Iterator[Part]:
    """Steps in a sentence: a, b and c."""
    for position, step in enumerate(steps):
        if position:
            yield " and " if position == len(steps) - 1 else ", "
        yield step


def narrative_repetition(row: SequenceStep) -> Iterator[Part]:
    """How a step that is told in words goes as another, with what differs in it."""
    if row.is_turn or row.repeats_step:
        yield from repetition_phrase(row)
    elif row.base_step and row.base_step is not row and row.step.narrative is row.base_step.step.narrative:
        yield "as in the "
        yield enclosing_turn(row.base_step)
        if inner := [step for step in row.iter_displayed() if step.difference and step is not row]:
            yield ", with "
            yield from join_steps(inner)


def narrative_anchor(rule: RuleEntry | None, step: SequenceStep | None) -> str:
    """The anchor of the entry of a step, or of a step around it, in the narrative that a rule shows."""
    if rule and rule.rule and rule.rule.shows == "narrative":
        while step and not step.is_turn:
            if step.has_narrative:
                return f"{TOLD}{step.anchor}"
            step = step.parent
    return ""


def any_order_list(steps: Iterable[SequenceStep], displayed: Collection[SequenceStep] | None = None) -> bool:
    """Whether some of the steps that are shown stand in a list of their own, to be done in any order."""
    return any(
        layout == "any"
        or (layout == "steps" and any(any_order_list(step.displayed_steps, displayed) for step in group))
        for layout, group in group_steps(step for step in steps if displayed is None or step in displayed)
    )


def phrase_text(parts: Iterable[Part]) -> str:
    return "".join(part if isinstance(part, str) else plain_text(part.step.title) for part in parts)
