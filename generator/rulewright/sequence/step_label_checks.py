"""Checks of the printed labels of steps: each is new and higher than the previous one."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from rulewright.files.located_text import LocatedText
from rulewright.files.problems import Problem, problem_type, quote_short
from rulewright.numbering.label_types import parse_roman
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


def check_step_labels(sequence: SequenceOfPlay) -> Iterator[Problem]:
    """Report repeated and descending labels among siblings as played."""
    for siblings in (sequence.steps, *(step.inner for step in sequence.iter_played())):
        for before, entry in pairwise(step for step in siblings if step.step.label):
            # What is copied is reported where it is written.
            if not (before.origin and entry.origin) or before.difference or entry.difference:
                yield from _compare(before, entry)


def _compare(before: SequenceStep, entry: SequenceStep) -> Iterator[Problem]:
    """Report a label that does not follow the previous one; labels of different types are not compared."""
    first, second = before.step.label or LocatedText(), entry.step.label or LocatedText()
    title = quote_short(before.step.title)
    if _alphanumeric(first) == _alphanumeric(second):
        message = f"{title} before it has the label {quote_short(first)} as well"
        yield REPEATED.problem(second.place, message, entry.anchor)
        return
    first_ordinals, other = _ordinals(_alphanumeric(first)), _ordinals(_alphanumeric(second))
    sorts = first_ordinals.keys() & other.keys()
    if sorts and all(other[sort] < first_ordinals[sort] for sort in sorts):
        message = f"{quote_short(second)} is lower than {quote_short(first)}, the label of {title} before it"
        yield DISORDER.problem(second.place, message, entry.anchor)


def _alphanumeric(label: str) -> str:
    return "".join(filter(str.isalnum, label))


def _ordinals(label: str) -> dict[str, int]:
    """Return the ordinals of a label by possible type: I is a letter and a roman numeral."""
    case = "upper" if label.isupper() else "lower"
    ordinals: dict[str, int] = {}
    if label.isdecimal() and len(label) < 5:
        ordinals["number"] = int(label)
    elif label.isascii() and label.isalpha():
        if label == label[0] * len(label):
            ordinals[f"{case} letter"] = 26 * (len(label) - 1) + ord(label[0].lower()) - ord("a") + 1
        if value := parse_roman(label.lower()):
            ordinals[f"{case} roman"] = value
    return ordinals
