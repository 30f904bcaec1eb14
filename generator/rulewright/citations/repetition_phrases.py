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


def group_steps(rows: Iterable[SequenceStep]) -> Iterator[Group]:
    """Rows that belong together, by how they are set out.

    `same`: each is as in the turn that is repeated; `either`: a title and its rules each, in one line, in any
    order; `any`: in any order; `steps`: one behind the other.
    """
    for (sort, _), group in groupby(rows, _sort):
        together = list(group)
        if sort == "any" and len(together) > 1 and all(map(_is_brief, together)):
            sort = "either"
        yield sort, together


def _sort(row: SequenceStep) -> tuple[str, SequenceStep | None]:
    if row.repeats_step and row.base_step:
        return "same", enclosing_turn(row.repeats_step)
    return "any" if row.any_order else "steps", None


def _is_brief(row: SequenceStep) -> bool:
    """Whether a step has room beside others: a title, rules and few facts, of who acts around it."""
    step = row.step
    more = (
        row.displayed_steps or row.difference or row.repeats_step or step.note or step.narrative or step.label
    )
    return (
        not more
        and len(attributes_text(row)) <= BRIEF
        and (row.parent is None or row.actors == row.parent.actors)
    )


def attributes_text(row: SequenceStep) -> str:
    """All facts of a step in words."""
    return "; ".join(fact.text for fact in step_phrases(row))


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
    if any(row.difference for row in step.iter_displayed() if row is not step):
        yield f"; {DIFFERENT} marks what is different"


def join_steps(steps: list[SequenceStep]) -> Iterator[Part]:
    """Steps in a sentence: a, b and c."""
    for at, step in enumerate(steps):
        if at:
            yield " and " if at == len(steps) - 1 else ", "
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


def any_order_list(steps: Iterable[SequenceStep], shown: Collection[SequenceStep] | None = None) -> bool:
    """Whether some of the steps that are shown stand in a list of their own, to be done in any order."""
    return any(
        sort == "any"
        or (sort == "steps" and any(any_order_list(step.displayed_steps, shown) for step in group))
        for sort, group in group_steps(step for step in steps if shown is None or step in shown)
    )


def phrase_text(parts: Iterable[Part]) -> str:
    return "".join(part if isinstance(part, str) else plain_text(part.step.title) for part in parts)
