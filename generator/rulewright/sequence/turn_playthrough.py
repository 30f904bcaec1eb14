"""Turn playthrough: the steps of a game turn in the order in which players do them, with the sides that act."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from zlib import crc32

from rulewright.schema.step import Step
from rulewright.sequence.actors import Actor, actors_of_step, player_sides
from rulewright.sequence.sequence_step import SequenceOfPlay, SequenceStep
from rulewright.sequence.step_attributes import StepPhrase, capitalize_first, step_phrases
from rulewright.sequence.step_counts import Counts, parse_counts

ASKED = ("optional", "must", "condition", "unless")
"""The attributes that decide whether a step is done at all."""

_PLURAL = re.compile(
    r"(?<!s)(?<!u)(?<![sx]i)s$|(?:ish|ese|men|\b(?:dutch|french|people|swiss|zulus))$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True, eq=False)
class ActingPlayer:
    """A player who acts in a played step."""

    actor: Actor  # the role or the side
    side: Actor | None = None  # the side that has the role in this turn

    @property
    def is_plural(self) -> bool:
        """Whether the name takes a plural verb: Tidewardens, British; not League, Axis."""
        return _PLURAL.search((self.side or self.actor).title) is not None


@dataclass(frozen=True, slots=True, eq=False)
class PlayedStep:
    """A step as players reach it in the turn."""

    entry: SequenceStep
    players: tuple[ActingPlayer, ...]
    inner: tuple[PlayedStep, ...] = ()

    @property
    def step(self) -> Step:
        return self.entry.step

    @property
    def any_order(self) -> bool:
        return self.entry.way != "steps"

    @property
    def counts(self) -> Counts | None:
        """The game turns in which it is done."""
        return next(filter(None, map(parse_counts, self.step.in_turns)), None)

    @property
    def conditions(self) -> tuple[StepPhrase, ...]:
        """Phrases for the conditions that only the players can judge."""
        names = [name for name in ASKED if name != "condition" or not self.step.ends]
        phrases = step_phrases(self.entry, names)
        return tuple(phrase for phrase in phrases if phrase.key != "must" or phrase.values)

    @property
    def question(self) -> str:
        return capitalize_first("; ".join(condition.text for condition in self.conditions))

    @property
    def style(self) -> str:
        return self.players[0].actor.style if len(self.players) == 1 else "both"

    def walk(self) -> Iterator[PlayedStep]:
        yield self
        for inner in self.inner:
            yield from inner.walk()


@dataclass(frozen=True, slots=True, eq=False)
class TurnPlaythrough:
    """A turn from its first played step to its last."""

    stops: tuple[PlayedStep, ...]  # the outermost played steps
    is_whole: bool = True  # whether no step is missing because there are too many

    def every_stop(self) -> Iterator[PlayedStep]:
        return (inner for step in self.stops for inner in step.walk())

    @property
    def checksum(self) -> str:
        """A short checksum of the played steps, since URLs refer to them by position."""
        return f"{crc32(' '.join(stop.entry.anchor for stop in self.every_stop()).encode()):08x}"


def play_through(sequence: SequenceOfPlay) -> TurnPlaythrough:
    """Return the playthrough of the game turn of a sequence of play."""
    return TurnPlaythrough(tuple(map(_played, sequence.steps)), sequence.is_whole)


def _played(step: SequenceStep) -> PlayedStep:
    around = next((turn for turn in step.self_and_ancestors() if turn.phasing), None)
    pairs = {role.name: side for role, side in player_sides(around)} if around else {}
    players = (
        ActingPlayer(actor, side if (side := pairs.get(actor.name)) != actor else None)
        for actor in actors_of_step(step)
    )
    return PlayedStep(step, tuple(players), tuple(map(_played, step.inner)))
