"""The Matterhorn Protocol 1.1: every condition under which a PDF fails PDF/UA-1, and its judgement.

A condition that a program can judge is a function that yields what fails it. Those that only a human can
judge are listed with the rest, so that nobody takes silence for a pass.
"""

from __future__ import annotations

from itertools import islice

from rulewright.print.preflight import ua_annotations, ua_content, ua_document, ua_fonts, ua_programs, ua_tags
from rulewright.print.preflight.conditions import HUMAN, Condition
from rulewright.print.preflight.report import ABSENT, FAILED, PASSED, PERSON, UNTRIED, Checkpoint
from rulewright.print.preflight.structure_tree import Structure

CONDITIONS: dict[str, Condition] = {
    condition.number: condition
    for room in (ua_document, ua_content, ua_tags, ua_annotations, ua_fonts, ua_programs)
    for condition in room.CONDITIONS
}

MOST_TOLD = 3
"""Most faults of one condition that are told."""


def checkpoints(structure: Structure) -> list[Checkpoint]:
    """Every condition in the order of its number."""
    told = [judged(condition, structure) for condition in CONDITIONS.values()]
    told += [Checkpoint(number, words, PERSON) for number, words in HUMAN.items()]
    return sorted(told, key=lambda point: point.number)


def judged(condition: Condition, structure: Structure) -> Checkpoint:
    """Judge a PDF under one condition."""
    number, words = condition.number, condition.words
    try:
        if not condition.applies(structure):
            return Checkpoint(number, words, ABSENT)
        faults = list(islice(dict.fromkeys(condition.faults(structure)), MOST_TOLD + 1))
    except Exception as error:
        # A damaged entry or font, whatever the library that reads it says: it has not passed.
        return Checkpoint(number, words, UNTRIED, f"a damaged entry: {' '.join(str(error).split())[:80]}")
    if not faults:
        return Checkpoint(number, words, PASSED)
    more = " and more" if len(faults) > MOST_TOLD else ""
    return Checkpoint(number, words, FAILED, "; ".join(faults[:MOST_TOLD]) + more)
