"""Checks of the differences of a turn that repeats another: that each names one step of that one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulewright.book.sequence import DifferenceFault
from rulewright.citations.reference_index import ReferenceIndex
from rulewright.model.step import StepAttributes, TurnDifference
from rulewright.model.yaml_fields import yaml_keys
from rulewright.source.located_text import LocatedText
from rulewright.source.problems import Problem, problem_type, quote_short

NOT_FOUND = problem_type(
    "exception-not-found",
    "A difference of a repeated turn names a step that the repeated turn does not have.",
)
AMBIGUOUS = problem_type(
    "exception-ambiguous",
    "A difference of a repeated turn names a title that two steps have. Give the step that is meant an id.",
)
IDLE = problem_type(
    "exception-idle",
    "Something under `except:` makes no difference: the step repeats none, a key stands where it means "
    "nothing, or a change changes nothing.",
)


def check_turn_differences(shelf: ReferenceIndex) -> Iterator[Problem]:
    """Differences that name no step or several, and those that make no difference."""
    for outline in shelf.outlines.values():
        for fault in outline.difference_faults:
            yield _fault(fault)
        for entry in outline.iter_steps():
            yield from ineffective_keys(entry.step.exceptions, entry.anchor)


def _fault(fault: DifferenceFault) -> Problem:
    name, entry = fault.given_name, fault.entry
    if name is None:
        message = f"{quote_short(entry.step.title)} repeats no step; say which one with `repeats:`"
        return IDLE.problem(_first(fault).place, message, entry.anchor)
    assert entry.repeats_step
    if fault.matches:
        lines = " and ".join(str(step.step.title.place.line) for step in fault.matches[:2])
        message = (
            f"{len(fault.matches)} steps are called {quote_short(name)}, in lines {lines}; name it by "
            f"its `id:`"
        )
        return AMBIGUOUS.problem(name.place, message, entry.anchor)
    titles = [str(step.step.title) for step in fault.candidates]
    where = f"{quote_short(entry.repeats_step.step.title)} has no step {quote_short(name)}"
    return name.unknown_name_problem(NOT_FOUND, where, titles, entry.anchor)


def _first(fault: DifferenceFault) -> LocatedText:
    one = fault.difference
    return one.add.title if one.add else one.drop or one.change or fault.entry.step.title


def ineffective_keys(exceptions: Iterable[TurnDifference], about: str) -> Iterator[Problem]:
    """Keys that mean nothing where they stand, and changes without any."""
    for one in exceptions:
        said = [
            name for name, f in yaml_keys(StepAttributes).items() if getattr(one, f.name) not in (None, ())
        ]
        said += ["the title"] if one.title else []
        if not one.add and (beside := one.before or one.after):
            message = (
                f"only what is added stands before or behind a step, here {quote_short(beside)}; delete it"
            )
            yield IDLE.problem(beside.place, message, about)
        if one.before and one.after:
            message = "a step is added before or behind another; delete one of the two"
            yield IDLE.problem(one.after.place, message, about)
        if one.change and not said:
            message = f"nothing is different in {quote_short(one.change)}; say what is, or delete this"
            yield IDLE.problem(one.change.place, message, about)
        if said and (name := one.add.title if one.add else one.drop):
            sort, mend = ("add", "it belongs inside the step") if one.add else ("drop", "delete it")
            message = f"{said[0]} beside {sort} says nothing of {quote_short(name)}; {mend}"
            yield IDLE.problem(name.place, message, about)
