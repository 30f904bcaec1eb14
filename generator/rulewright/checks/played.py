"""Checks of the turn as it is played: that every step is come to, and that the turn comes to its end."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.book.outline import Outline
from rulewright.book.sequence import StepEntry
from rulewright.citations.resolving import written_in
from rulewright.citations.shelf import Shelf
from rulewright.citations.turn import Walk, every, walk
from rulewright.source import bounds
from rulewright.source.problems import Problem, kind, shown
from rulewright.source.text import Text

UNREACHED = kind(
    "step-unreachable",
    "A step is in the sequence, but no turn comes to it: it stands in or beside a step that is left out, or "
    "in a turn that has steps of its own and so repeats none.",
)
EMPTY = kind("turn-empty", "Nothing is done in a turn, since it drops all steps of the turn that it repeats.")
TOO_LONG = kind(
    "turn-too-long",
    "The repeats of a sequence come to more steps than anyone can play, as where each repeats another twice.",
)


def played(shelf: Shelf) -> Iterator[Problem]:
    """Steps that are never come to, turns with nothing left to do, and turns that are too long to play."""
    for outline in shelf.outlines.values():
        walked = walk(outline)
        yield from _empty(outline, walked)
        if not walked.is_whole and outline.edition.sequence:
            title = outline.edition.sequence.title
            most = f"{bounds.LIST.most:,}"
            message = f"steps that repeat steps that repeat others come to more than {most}, or lie too deep"
            yield TOO_LONG.at(title.place, f"{message}; write out what is done", "sequence")
        elif not walked.loops:  # which have a problem of their own
            yield from _unreached(outline, walked)


def _empty(outline: Outline, walked: Walk) -> Iterator[Problem]:
    """Turns that drop all that they repeat. One that is only named yet may be filled later."""
    found = [stop.origin for stop in walked.every_stop() if stop.is_turn and not stop.inside]
    for turn in dict.fromkeys(found):
        if turn.repeated and turn.differences and turn not in walked.loops and _is_own(turn, outline):
            title, base = turn.step.title, turn.repeated.step.title
            message = f"nothing is done in {shown(title)}, which drops all of {shown(base)}"
            yield EMPTY.at(title.place, f"{message}; leave it out, or add to it", turn.anchor)


def _unreached(outline: Outline, walked: Walk) -> Iterator[Problem]:
    """The outermost steps that no turn comes to, and those that come round after no turn at all."""
    for entry in outline.every_step():
        if not _is_own(entry, outline):
            continue
        if entry.difference != "dropped" and entry not in walked.reached:
            if entry.parent is None or entry.parent in walked.reached:
                message = f"no turn comes to {shown(entry.step.title)}; {_because(entry, walked)}"
                yield UNREACHED.at(_written(entry).place, message, entry.anchor)
        elif isinstance(often := entry.step.every, Text) and every(entry) == 0:
            message = f"{shown(entry.step.title)} comes round after {shown(often)}, which is never"
            yield UNREACHED.at(often.place, f"{message}; say after how many", entry.anchor)


def _is_own(entry: StepEntry, outline: Outline) -> bool:
    """Whether a step is written in the edition; what a game has from its series is told there."""
    return written_in(_written(entry), outline.edition)


def _written(entry: StepEntry) -> Text:
    """Where a step is written: a change under the name of what it changes."""
    if entry.difference == "changed" and entry.parent and entry.origin:
        names = (entry.origin.step.title, entry.origin.step.id)
        changes = (one.change for one in entry.parent.step.exceptions)
        return next((name for name in changes if name and name in names), entry.step.title)
    return entry.step.title


def _because(entry: StepEntry, walked: Walk) -> str:
    turn, origin = entry.parent, entry.origin
    if turn and any(not child.difference for child in turn.children) and entry.difference:
        return f"{shown(turn.step.title)} has steps of its own, so that it repeats none and differs in none"
    if turn and origin and entry.difference == "added":
        where = "before" if entry.before else "behind"
        return (
            f"it stands {where} {shown(origin.step.title)}, which {shown(turn.step.title)} does not come to"
        )
    if turn and origin:
        return f"{shown(turn.step.title)}, which changes it, leaves out what it lies in"
    return "every turn that could drops it"
