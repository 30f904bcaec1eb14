"""Checks of turns that repeat another turn with differences: each difference has one target."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulewright.files import limits
from rulewright.files.problems import Problem, problem_type, quote_short
from rulewright.schema.step import StepAttributes, TurnDifference, inner_steps_of
from rulewright.schema.yaml_fields import yaml_keys
from rulewright.sequence.sequence_step import DifferenceFault, SequenceOfPlay

NOT_FOUND = problem_type(
    "exception-not-found",
    "A difference of a repeated turn names a step that the repeated turn does not have.",
)
AMBIGUOUS = problem_type(
    "exception-ambiguous",
    "A difference of a repeated turn names a title that two steps have. Give the step that is meant an id.",
)
UNREACHED = problem_type(
    "step-unreachable",
    "No turn reaches a difference of a repeated turn: it is inside a dropped step, or the turn has its own "
    "steps and therefore repeats none.",
)
EMPTY = problem_type("turn-empty", "A turn drops every step of the turn that it repeats.")
TOO_LONG = problem_type(
    "turn-too-long",
    "The repeats of a sequence come to more steps than anyone can play, as where each repeats another twice.",
)
IDLE = problem_type(
    "exception-idle",
    "An entry under `except:` has no effect: the step repeats no other, a key is meaningless in its "
    "place, or a change changes nothing.",
)


def check_turn_differences(sequence: SequenceOfPlay) -> Iterator[Problem]:
    """Report differences with unknown or ambiguous targets or without effect, and empty turns."""
    for fault in sequence.difference_faults:
        yield _difference_problem(fault)
    for entry in sequence.iter_steps():
        yield from ineffective_keys(entry.own_keys.exceptions, entry.anchor)
        for difference in () if entry.own_keys.repeats else entry.own_keys.exceptions:
            message = f"{quote_short(entry.step.title)} repeats no step; say which one with `repeats:`"
            added = difference.add.title if difference.add else None
            name = added or difference.drop or difference.change or entry.step.title
            yield IDLE.problem(name, message, entry.anchor)
        is_here = entry.edition.has_written(entry.step.title)
        if entry.left_out and not entry.inner and entry.repeats_step and is_here:
            title, base = entry.step.title, entry.repeats_step.step.title
            message = f"{quote_short(title)} drops every step of {quote_short(base)}"
            yield EMPTY.problem(title, f"{message}; keep or add one, or delete the turn", entry.anchor)
    if not sequence.is_whole and sequence.root:
        maximum = f"{limits.LIST.maximum:,}"
        message = f"steps that repeat steps that repeat others come to more than {maximum}, or lie too deep"
        place = sequence.root.step.title.place
        yield TOO_LONG.problem(place, f"{message}; write out what is done", "sequence")


def _difference_problem(fault: DifferenceFault) -> Problem:
    name, entry = fault.given_name, fault.entry
    assert entry.repeats_step
    if fault.is_dropped:
        title = quote_short(fault.matches[0].step.title)
        message = f"no turn reaches {quote_short(name)}; {quote_short(entry.step.title)} drops {title}"
        return UNREACHED.problem(name, message, entry.anchor)
    if inner_steps_of(entry.own_keys):
        title = quote_short(entry.step.title)
        message = f"{title} has steps of its own, so that it repeats none and differs in none"
        return UNREACHED.problem(name, message, entry.anchor)
    if fault.matches:
        lines = " and ".join(str(step.step.title.place.line) for step in fault.matches[:2])
        message = (
            f"{len(fault.matches)} steps are called {quote_short(name)}, in lines {lines}; name it by "
            f"its `id:`"
        )
        return AMBIGUOUS.problem(name, message, entry.anchor)
    steps = (step for step in entry.iter_subtree() if step.origin)
    titles = [str(step.step.title) for step in (*steps, *entry.left_out)]
    message = f"{quote_short(entry.repeats_step.step.title)} has no step {quote_short(name)}"
    return name.unknown_name_problem(NOT_FOUND, message, titles, entry.anchor)


def ineffective_keys(exceptions: Iterable[TurnDifference], about: str) -> Iterator[Problem]:
    """Report keys without effect, and changes that change nothing."""
    for exception in exceptions:
        changed_keys = [
            name
            for name, f in yaml_keys(StepAttributes).items()
            if getattr(exception, f.name) not in (None, ())
        ]
        changed_keys += ["the title"] if exception.title else []
        if not exception.add and (neighbour := exception.before or exception.after):
            message = f"only an added step goes before or after another, {quote_short(neighbour)}; delete it"
            yield IDLE.problem(neighbour, message, about)
        if exception.before and exception.after:
            message = "a step is added before or after another; delete one of the two"
            yield IDLE.problem(exception.after, message, about)
        if exception.change and not changed_keys:
            message = f"nothing is different in {quote_short(exception.change)}; say what is, or delete this"
            yield IDLE.problem(exception.change, message, about)
        if changed_keys and (name := exception.add.title if exception.add else exception.drop):
            sort, cure = ("add", "it belongs inside the step") if exception.add else ("drop", "delete it")
            message = f"{changed_keys[0]} beside {sort} says nothing of {quote_short(name)}; {cure}"
            yield IDLE.problem(name, message, about)
