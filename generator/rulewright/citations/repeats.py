"""Rows of steps as they are set out, and the words for what is as in the turn that is repeated.

Pages, sheets and outlines all take their groups and their words from here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import groupby

from rulewright.book.outline import Entry
from rulewright.book.sequence import StepEntry
from rulewright.citations.facts import facts
from rulewright.text.document import plain

DIFFERENT = "≠"
"""The sign of what a turn has otherwise than the one that it repeats."""

BRIEF = 24
"""The most letters of facts that a step has which stands in a line with others."""

IN_ONE_LINE = ("same", "either")

TOLD = "told/"
"""The anchor of a step's entry in the narrative that a rule shows begins with it."""

Group = tuple[str, list[StepEntry]]
Part = str | StepEntry


def groups(rows: Iterable[StepEntry]) -> Iterator[Group]:
    """Rows that belong together, by how they are set out.

    `same`: each is as in the turn that is repeated; `either`: a title and its rules each, in one line, in any
    order; `any`: in any order; `steps`: one behind the other.
    """
    for (sort, _), group in groupby(rows, _sort):
        together = list(group)
        if sort == "any" and len(together) > 1 and all(map(_is_brief, together)):
            sort = "either"
        yield sort, together


def _sort(row: StepEntry) -> tuple[str, StepEntry | None]:
    if row.repeated and row.origin:
        return "same", turn_of(row.repeated)
    return "any" if row.any_order else "steps", None


def _is_brief(row: StepEntry) -> bool:
    """Whether a step has room beside others: a title, rules and few facts, of who acts around it."""
    step = row.step
    more = row.rows or row.difference or row.repeated or step.note or step.narrative or step.label
    return not more and len(said(row)) <= BRIEF and (row.parent is None or row.by == row.parent.by)


def said(row: StepEntry) -> str:
    """All facts of a step in words."""
    return "; ".join(fact.plain for fact in facts(row))


def turn_of(step: StepEntry) -> StepEntry:
    """The turn that a step lies in, or the outermost step around it."""
    while step.parent and not step.is_turn:
        step = step.parent
    return step


def alike(step: StepEntry) -> Iterator[Part]:
    """How a step goes as another: words, and the steps that they name, those left out behind `without`."""
    if not step.repeated:
        return
    if step.origin:
        yield "as in the "
        yield turn_of(step.repeated)
        return
    yield "as the "
    yield step.repeated
    if step.reverses:
        yield " with the roles reversed"
    if step.dropped:
        yield ", without "
        yield from listed(step.dropped)
    if any(row.difference for row in step.seen() if row is not step):
        yield f"; {DIFFERENT} marks what is different"


def listed(steps: list[StepEntry]) -> Iterator[Part]:
    """Steps in a sentence: a, b and c."""
    for at, step in enumerate(steps):
        if at:
            yield " and " if at == len(steps) - 1 else ", "
        yield step


def told_as(row: StepEntry) -> Iterator[Part]:
    """How a step that is told in words goes as another, with what differs in it."""
    if row.is_turn or row.repeated:
        yield from alike(row)
    elif row.origin and row.origin is not row and row.step.narrative is row.origin.step.narrative:
        yield "as in the "
        yield turn_of(row.origin)
        if inner := [one for one in row.seen() if one.difference and one is not row]:
            yield ", with "
            yield from listed(inner)


def told_in(rule: Entry | None, step: StepEntry | None) -> str:
    """The anchor of the entry of a step, or of a step around it, in the narrative that a rule shows."""
    if rule and rule.rule and rule.rule.shows == "narrative":
        while step and not step.is_turn:
            if step.told:
                return f"{TOLD}{step.anchor}"
            step = step.parent
    return ""


def in_any_order(steps: Iterable[StepEntry], shown: Collection[StepEntry] | None = None) -> bool:
    """Whether some of the steps that are shown stand in a list of their own, to be done in any order."""
    return any(
        sort == "any" or (sort == "steps" and any(in_any_order(one.rows, shown) for one in group))
        for sort, group in groups(one for one in steps if shown is None or one in shown)
    )


def in_words(parts: Iterable[Part]) -> str:
    return "".join(part if isinstance(part, str) else plain(part.step.title) for part in parts)
