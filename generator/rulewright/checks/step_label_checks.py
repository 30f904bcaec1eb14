"""Checks of the labels printed in front of steps: that each is new and higher than the one before it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from rulewright.book.outline import Outline
from rulewright.book.sequence import SequenceStep
from rulewright.citations.reference_index import ReferenceIndex
from rulewright.numbers.label_types import parse_roman
from rulewright.source.located_text import LocatedText
from rulewright.source.problems import Problem, problem_type, quote_short

REPEATED = problem_type(
    "label-repeated",
    "A step has the same printed label as the step before it. Mend it, or excuse it where the book says so.",
)
DISORDER = problem_type(
    "label-out-of-order",
    "A step's printed label is lower than the one before it, as where letters begin again. Mend it, or "
    "excuse it where the book has it so.",
)


def check_step_labels(shelf: ReferenceIndex) -> Iterator[Problem]:
    """Labels that are repeated, and labels that fall back, in each row of steps as it is played."""
    for outline in shelf.outlines.values():
        for row in _rows(outline):
            labelled = [entry for entry in row if entry.step.label]
            for before, entry in pairwise(labelled):
                # What both turns have is reported in the turn that is repeated.
                if row is outline.steps or _is_own(row, before, entry):
                    yield from _compared(before, entry)


def _rows(outline: Outline) -> Iterator[Sequence[SequenceStep]]:
    """Steps that are played one behind the other; those of a turn with differences as they are there."""
    yield outline.steps
    for entry in outline.iter_steps():
        if not entry.differences:
            yield entry.children
        elif entry.repeats_step:
            yield from (
                entry.merge_differences(around)
                for around in entry.repeats_step.iter_subtree()
                if around.children
            )


def _is_own(row: Sequence[SequenceStep], *pair: SequenceStep) -> bool:
    """Whether two steps follow each other in this row alone, because of something that differs in it."""
    is_changed = any(step.difference for step in pair)
    around = pair[0].parent
    return is_changed or around is None or around.children is row or not _follow(around.children, *pair)


def _follow(row: Iterable[SequenceStep], before: SequenceStep, entry: SequenceStep) -> bool:
    labelled = [step for step in row if step.step.label]
    return (before, entry) in pairwise(labelled)


def _compared(before: SequenceStep, entry: SequenceStep) -> Iterator[Problem]:
    """Fault of a label behind another. Labels of two sorts, as 3 and B, cannot be compared."""
    first, second = before.step.label or LocatedText(), entry.step.label or LocatedText()
    title = quote_short(before.step.title)
    if _bare(first) == _bare(second):
        message = f"{title} before it has the label {quote_short(first)} as well"
        yield REPEATED.problem(second.place, message, entry.anchor)
        return
    one, other = _counts(_bare(first)), _counts(_bare(second))
    sorts = one.keys() & other.keys()
    if sorts and all(other[sort] < one[sort] for sort in sorts):
        message = f"{quote_short(second)} is lower than {quote_short(first)}, the label of {title} before it"
        yield DISORDER.problem(second.place, message, entry.anchor)


def _bare(label: str) -> str:
    return "".join(filter(str.isalnum, label))


def _counts(bare: str) -> dict[str, int]:
    """Ordinals of a label, by each sort that it may be: I is a letter and a roman numeral."""
    case = "upper" if bare.isupper() else "lower"
    counts: dict[str, int] = {}
    if bare.isdecimal() and len(bare) < 5:
        counts["number"] = int(bare)
    elif bare.isascii() and bare.isalpha():
        if bare == bare[0] * len(bare):
            counts[f"{case} letter"] = 26 * (len(bare) - 1) + ord(bare[0].lower()) - ord("a") + 1
        if value := parse_roman(bare.lower()):
            counts[f"{case} roman"] = value
    return counts
