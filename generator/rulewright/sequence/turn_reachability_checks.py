"""Checks of the turn as played: every step is reached, and the turn ends."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.files import limits
from rulewright.files.located_text import LocatedText
from rulewright.files.problems import Problem, problem_type, quote_short
from rulewright.sequence.sequence_step import SequenceOfPlay, SequenceStep
from rulewright.sequence.turn_playthrough import TurnPlaythrough, play_through, turn_interval

UNREACHED = problem_type(
    "step-unreachable",
    "No turn reaches a step of the sequence: it is inside or beside a dropped step, or in a turn that has "
    "its own steps and therefore repeats none.",
)
EMPTY = problem_type("turn-empty", "A turn drops every step of the turn that it repeats.")
TOO_LONG = problem_type(
    "turn-too-long",
    "The repeats of a sequence come to more steps than anyone can play, as where each repeats another twice.",
)


def check_turn_reachability(sequence: SequenceOfPlay) -> Iterator[Problem]:
    """Report unreachable steps, empty turns, and turns that are too long to play."""
    playthrough = play_through(sequence)
    yield from _check_empty_turns(playthrough)
    if not playthrough.is_whole and sequence.root:
        title = sequence.root.step.title
        max_steps = f"{limits.LIST.maximum:,}"
        message = f"steps that repeat steps that repeat others come to more than {max_steps}, or lie too deep"
        yield TOO_LONG.problem(title.place, f"{message}; write out what is done", "sequence")
    elif not playthrough.loops:  # which have a problem of their own
        yield from _check_unreached(sequence, playthrough)


def _check_empty_turns(playthrough: TurnPlaythrough) -> Iterator[Problem]:
    """Report turns that drop all repeated steps; a turn with only a title may be filled later."""
    empty_turns = [stop.origin for stop in playthrough.every_stop() if stop.is_turn and not stop.inner]
    for turn in dict.fromkeys(empty_turns):
        if (
            turn.repeats_step
            and turn.differences
            and turn not in playthrough.loops
            and _is_written_here(turn)
        ):
            title, base = turn.step.title, turn.repeats_step.step.title
            message = f"{quote_short(title)} drops every step of {quote_short(base)}"
            yield EMPTY.problem(title.place, f"{message}; keep or add one, or delete the turn", turn.anchor)


def _check_unreached(sequence: SequenceOfPlay, playthrough: TurnPlaythrough) -> Iterator[Problem]:
    """Report the outermost steps that no turn reaches, and intervals of zero turns."""
    for entry in sequence.iter_steps():
        if not _is_written_here(entry):
            continue
        if entry.difference != "dropped" and entry not in playthrough.reached:
            if entry.parent is None or entry.parent in playthrough.reached:
                reason = _unreachable_reason(entry, playthrough)
                message = f"no turn reaches {quote_short(entry.step.title)}; {reason}"
                yield UNREACHED.problem(_written_name(entry).place, message, entry.anchor)
        elif isinstance(often := entry.step.every, LocatedText) and turn_interval(entry) == 0:
            message = (
                f"{quote_short(entry.step.title)} comes round after {quote_short(often)}, which is never"
            )
            yield UNREACHED.problem(often.place, f"{message}; say after how many", entry.anchor)


def _is_written_here(entry: SequenceStep) -> bool:
    """Return whether a step is written in the edition, not in its series."""
    return entry.edition.has_written(_written_name(entry))


def _written_name(entry: SequenceStep) -> LocatedText:
    """Return the name of a step as written; for a change the name of its target."""
    if entry.difference == "changed" and entry.parent and entry.base_step:
        names = (entry.base_step.step.title, entry.base_step.step.id)
        changes = (exception.change for exception in entry.parent.step.exceptions)
        return next((name for name in changes if name and name in names), entry.step.title)
    return entry.step.title


def _unreachable_reason(entry: SequenceStep, playthrough: TurnPlaythrough) -> str:
    turn, origin = entry.parent, entry.base_step
    if turn and any(not child.difference for child in turn.children) and entry.difference:
        return (
            f"{quote_short(turn.step.title)} has steps of its own, so that it repeats none and differs "
            f"in none"
        )
    if turn and origin and entry.difference == "added":
        position = "before" if entry.is_inserted_before else "behind"
        return (
            f"it stands {position} {quote_short(origin.step.title)}, which {quote_short(turn.step.title)} "
            f"does not come to"
        )
    if turn and origin:
        return f"{quote_short(turn.step.title)}, which changes it, leaves out what it lies in"
    return "every turn that could drops it"
