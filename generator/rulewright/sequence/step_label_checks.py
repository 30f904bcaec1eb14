"""Checks of the printed labels of steps: each is new and higher than the previous one."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from rulewright.files.problems import Problem, problem_type, quote_short
from rulewright.numbering.label_types import label_types
from rulewright.sequence.sequence_step import SequenceOfPlay, SequenceStep

REPEATED = problem_type(
    "label-repeated",
    "A step has the same printed label as the step before it. Mend it, or excuse it where the book says so.",
)
DISORDER = problem_type(
    "label-out-of-order",
    "A step's printed label is lower than the one before it, as where letters begin again. Mend it, or "
    "excuse it where the book has it so.",
)


_TYPES = {sign: kind for sign, kind in label_types().items() if sign in ("1", "a", "A", "i", "I")}
"""Types of labels that are in an order."""


def check_step_labels(sequence: SequenceOfPlay) -> Iterator[Problem]:
    """Report repeated and descending labels among siblings as played."""
    for siblings in (sequence.steps, *(step.inner for step in sequence.iter_played())):
        for before, entry in pairwise(step for step in siblings if step.step.label):
            # What is copied is reported where it is written.
            if not (before.origin and entry.origin) or before.difference or entry.difference:
                yield from _compare(before, entry)


def _compare(before: SequenceStep, entry: SequenceStep) -> Iterator[Problem]:
    """Report a label that does not follow the previous one; labels of different types are not compared."""
    first, second = before.step.label, entry.step.label
    assert first
    assert second
    title = quote_short(before.step.title)
    if _alphanumeric(first) == _alphanumeric(second):
        message = f"{title} before it has the label {quote_short(first)} as well"
        yield REPEATED.problem(second, message, entry.anchor)
        return
    first_ordinals, other = _ordinals(_alphanumeric(first)), _ordinals(_alphanumeric(second))
    sorts = first_ordinals.keys() & other.keys()
    if sorts and all(other[sort] < first_ordinals[sort] for sort in sorts):
        message = f"{quote_short(second)} is lower than {quote_short(first)}, the label of {title} before it"
        yield DISORDER.problem(second, message, entry.anchor)


def _alphanumeric(label: str) -> str:
    return "".join(filter(str.isalnum, label))


def _ordinals(label: str) -> dict[str, int]:
    """Return the ordinals of a label by possible type: I is a letter and a roman numeral."""
    counts = {sign: kind.count(label) for sign, kind in _TYPES.items() if kind.capital == label.isupper()}
    return {sign: count for sign, count in counts.items() if count is not None}
