"""Checks of the turn as it is played: that every step is come to, and that the turn comes to its end."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.book.outline import Outline
from rulewright.book.sequence import SequenceStep
from rulewright.citations.reference_index import ReferenceIndex
from rulewright.citations.reference_resolver import is_written_in
from rulewright.citations.turn_playthrough import TurnPlaythrough, play_through, turn_interval
from rulewright.source import limits
from rulewright.source.located_text import LocatedText
from rulewright.source.problems import Problem, problem_type, quote_short

UNREACHED = problem_type(
    "step-unreachable",
    "A step is in the sequence, but no turn comes to it: it stands in or beside a step that is left out, or "
    "in a turn that has steps of its own and so repeats none.",
)
EMPTY = problem_type(
    "turn-empty", "Nothing is done in a turn, since it drops all steps of the turn that it repeats."
)
TOO_LONG = problem_type(
    "turn-too-long",
    "The repeats of a sequence come to more steps than anyone can play, as where each repeats another twice.",
)


def check_turn_reachability(shelf: ReferenceIndex) -> Iterator[Problem]:
    """Steps that are never come to, turns with nothing left to do, and turns that are too long to play."""
    for outline in shelf.outlines.values():
        walked = play_through(outline)
        yield from _empty(outline, walked)
        if not walked.is_whole and outline.edition.sequence:
            title = outline.edition.sequence.title
            most = f"{limits.LIST.maximum:,}"
            message = f"steps that repeat steps that repeat others come to more than {most}, or lie too deep"
            yield TOO_LONG.problem(title.place, f"{message}; write out what is done", "sequence")
        elif not walked.loops:  # which have a problem of their own
            yield from _unreached(outline, walked)


def _empty(outline: Outline, walked: TurnPlaythrough) -> Iterator[Problem]:
    """Turns that drop all that they repeat. One that is only named yet may be filled later."""
    found = [stop.origin for stop in walked.every_stop() if stop.is_turn and not stop.inner]
    for turn in dict.fromkeys(found):
        if turn.repeats_step and turn.differences and turn not in walked.loops and _is_own(turn, outline):
            title, base = turn.step.title, turn.repeats_step.step.title
            message = f"nothing is done in {quote_short(title)}, which drops all of {quote_short(base)}"
            yield EMPTY.problem(title.place, f"{message}; leave it out, or add to it", turn.anchor)


def _unreached(outline: Outline, walked: TurnPlaythrough) -> Iterator[Problem]:
    """The outermost steps that no turn comes to, and those that come round after no turn at all."""
    for entry in outline.iter_steps():
        if not _is_own(entry, outline):
            continue
        if entry.difference != "dropped" and entry not in walked.reached:
            if entry.parent is None or entry.parent in walked.reached:
                message = f"no turn comes to {quote_short(entry.step.title)}; {_because(entry, walked)}"
                yield UNREACHED.problem(_written(entry).place, message, entry.anchor)
        elif isinstance(often := entry.step.every, LocatedText) and turn_interval(entry) == 0:
            message = (
                f"{quote_short(entry.step.title)} comes round after {quote_short(often)}, which is never"
            )
            yield UNREACHED.problem(often.place, f"{message}; say after how many", entry.anchor)


def _is_own(entry: SequenceStep, outline: Outline) -> bool:
    """Whether a step is written in the edition; what a game has from its series is told there."""
    return is_written_in(_written(entry), outline.edition)


def _written(entry: SequenceStep) -> LocatedText:
    """Where a step is written: a change under the name of what it changes."""
    if entry.difference == "changed" and entry.parent and entry.base_step:
        names = (entry.base_step.step.title, entry.base_step.step.id)
        changes = (exception.change for exception in entry.parent.step.exceptions)
        return next((name for name in changes if name and name in names), entry.step.title)
    return entry.step.title


def _because(entry: SequenceStep, walked: TurnPlaythrough) -> str:
    turn, origin = entry.parent, entry.base_step
    if turn and any(not child.difference for child in turn.children) and entry.difference:
        return (
            f"{quote_short(turn.step.title)} has steps of its own, so that it repeats none and differs "
            f"in none"
        )
    if turn and origin and entry.difference == "added":
        where = "before" if entry.is_inserted_before else "behind"
        return (
            f"it stands {where} {quote_short(origin.step.title)}, which {quote_short(turn.step.title)} "
            f"does not come to"
        )
    if turn and origin:
        return f"{quote_short(turn.step.title)}, which changes it, leaves out what it lies in"
    return "every turn that could drops it"
