"""Turn playthrough: the game turn expanded into all steps in the order in which players do them.

If a turn repeats another, it has copies of the steps of that turn, with differences applied and with its own
players. If several players do a step one after another, each has a copy of its inner steps.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import partial
from itertools import takewhile
from typing import Any
from zlib import crc32

from rulewright.files import limits
from rulewright.files.filenames import unique_name
from rulewright.files.safe_integers import parse_int
from rulewright.schema.step import Interval, Step, StepAttributes
from rulewright.schema.step_kinds import KINDS
from rulewright.sequence.actors import Actor, actors_of_step, player_sides
from rulewright.sequence.sequence_step import SequenceOfPlay, SequenceStep, effective_step
from rulewright.sequence.step_attributes import (
    ASKED,
    StepPhrase,
    capitalize_first,
    hosting_step,
    named_step,
    step_phrases,
)

_INTERVAL = re.compile(r"(\d+)(?:st|nd|rd|th)?\s+(.*\S)")
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
    """The step, a changed one with the attributes of the step that it changes."""

    origin: SequenceStep  # the step as it is in the sequence
    anchor: str  # its anchor on the page of the playthrough
    level: int
    players: tuple[ActingPlayer, ...]
    turn: SequenceStep | None = None  # the player turn
    any_order: bool = False
    is_player_round: bool = False
    """Whether it is the part of one of several players in a step."""

    inner: tuple[PlayedStep, ...] = ()

    @property
    def step(self) -> Step:
        return self.entry.step

    @property
    def is_turn(self) -> bool:
        return self.origin.is_turn and not self.is_player_round

    @property
    def interval(self) -> int | None:
        """Interval in game turns; None if it is missing or not a number of game turns."""
        return turn_interval(self.entry) or None

    @property
    def start(self) -> int | None:
        interval = self.step.every
        return (
            parse_int(interval.start) if isinstance(interval, Interval) and interval.start else self.interval
        )

    @property
    def conditions(self) -> tuple[StepPhrase, ...]:
        """Phrases for the conditions that only the players can judge."""
        if self.is_player_round:
            return ()
        phrases = step_phrases(self.entry, [key for key in ASKED if key != "every" or not self.interval])
        return tuple(phrase for phrase in phrases if phrase.key != "must" or phrase.values)

    @property
    def is_done_by_default(self) -> bool:
        """Whether it is done unless a condition excludes it."""
        return {condition.key for condition in self.conditions} == {"skip_when"}

    @property
    def interval_text(self) -> str:
        return capitalize_first("".join(phrase.text for phrase in step_phrases(self.entry, ("every",))))

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
    reached: frozenset[SequenceStep]  # the steps of the sequence that are played
    loops: tuple[SequenceStep, ...] = ()
    """Steps that repeat one of their ancestors, which would never end; their inner steps are skipped."""

    is_whole: bool = True  # whether no step is missing because there are too many

    def every_stop(self) -> Iterator[PlayedStep]:
        return (inner for step in self.stops for inner in step.walk())

    def swapped_turns(self, sequence: SequenceOfPlay) -> dict[PlayedStep, tuple[PlayedStep, PlayedStep]]:
        """Return the pairs of turns that are swapped, by the step that swaps them; of several the nearest."""
        known: dict[SequenceStep, list[tuple[PlayedStep, ...]]] = {}
        paths = [path for step in self.stops for path in _paths(step)]
        for path in paths:
            origin = path[-1].origin
            for step in {origin, origin.base_step} if origin.difference == "changed" else {origin}:
                if step and not path[-1].is_player_round:
                    known.setdefault(step, []).append(path)
        swapped = {}
        for path in paths:
            played = path[-1]
            names = () if played.is_player_round else played.step.swaps
            steps = [named_step(played.origin, name, sequence) for name in names]
            nearest = [max(known[step], key=partial(_common_length, path)) for step in steps if step in known]
            if (
                len(nearest) == len(steps) == 2
                and nearest[0][:-1] == nearest[1][:-1]
                and nearest[0] != nearest[1]
            ):
                swapped[played] = nearest[0][-1], nearest[1][-1]
        return swapped

    @property
    def checksum(self) -> str:
        """A short checksum of the played steps, since URLs refer to them by position."""
        return f"{crc32(' '.join(step.anchor for step in self.every_stop()).encode()):08x}"


def play_through(sequence: SequenceOfPlay) -> TurnPlaythrough:
    """Return the playthrough of the game turn of a sequence of play."""
    builder = _PlaythroughBuilder(sequence)
    steps = builder.played_steps([step for step in sequence.steps if not step.difference], _Position())
    return TurnPlaythrough(
        steps,
        frozenset(builder.reached),
        tuple(builder.loops),
        builder.count <= limits.LIST.maximum,
    )


def _paths(step: PlayedStep, ancestors: tuple[PlayedStep, ...] = ()) -> Iterator[tuple[PlayedStep, ...]]:
    """Yield the path, outermost step first, of a played step and of all its descendants."""
    path = (*ancestors, step)
    yield path
    for inner in step.inner:
        yield from _paths(inner, path)


def _common_length(path: Sequence[PlayedStep], other: Sequence[PlayedStep]) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] is pair[1], zip(path, other, strict=False)))


def turn_interval(entry: SequenceStep) -> int | None:
    """Return the interval in game turns; None if it is missing or not a number of game turns."""
    interval = entry.step.every
    if isinstance(interval, Interval):
        return parse_int(interval.turns)
    match = _INTERVAL.fullmatch(interval or "")
    outermost = entry.edition.book.steps or KINDS
    known = ("turn", KINDS[0], KINDS[0].replace(" ", "-"), str(outermost[0]))
    return parse_int(match[1]) if match and match[2].lower().removesuffix("s") in known else None


@dataclass(frozen=True, slots=True)
class _Position:
    """A position in the playthrough."""

    anchor: str = ""
    level: int = 0
    turn: SequenceStep | None = None
    repeating: tuple[SequenceStep, ...] = ()
    """The ancestors that repeat other steps, outermost first."""

    ancestors: frozenset[SequenceStep] = frozenset()
    """The ancestors and the steps that they repeat."""

    single_player: ActingPlayer | None = None  # the player of an enclosing player round


@dataclass(slots=True)
class _PlaythroughBuilder:
    """State of the expansion of one game turn."""

    sequence: SequenceOfPlay
    hosted: set[SequenceStep] = field(default_factory=set)
    """The steps that are played during another."""

    reached: set[SequenceStep] = field(default_factory=set)
    loops: list[SequenceStep] = field(default_factory=list)
    count: int = 0  # number of played steps so far

    def played_steps(self, steps: Sequence[SequenceStep], position: _Position) -> tuple[PlayedStep, ...]:
        """Return consecutive steps as played steps, with inner steps and with steps played during them."""
        taken: set[str] = set()
        played = []
        guests = self.guests_by_host(steps)
        hosted = {guest for guests_of_host in guests.values() for guest in guests_of_host}
        self.hosted |= hosted
        for step in steps:
            if self.count > limits.LIST.maximum:
                break
            if step not in hosted:
                name = unique_name(step.anchor.rpartition("/")[2], taken)
                taken.add(name)
                played.append(self.played_step(step, name, position, guests.get(step, ())))
        return tuple(played)

    def guests_by_host(self, steps: Sequence[SequenceStep]) -> dict[SequenceStep, list[SequenceStep]]:
        """Return the steps that are played during another of the steps, by that step."""
        hosts = {step: hosting_step(step, self.sequence) for step in steps}
        steps_by_base: dict[SequenceStep | None, SequenceStep] = {}
        for step in steps:
            base = step.base_step if step.difference == "changed" else step
            steps_by_base[base] = step
        guests: dict[SequenceStep, list[SequenceStep]] = {}
        for step, during in hosts.items():
            host = steps_by_base.get(during) if during else None
            if host and host is not step and not hosts[host]:
                guests.setdefault(host, []).append(step)
        return guests

    def played_step(
        self, step: SequenceStep, name: str, position: _Position, guests: Sequence[SequenceStep] = ()
    ) -> PlayedStep:
        self.count += 1
        self.reached.add(step)
        turn = step if step.step.phasing else position.turn
        anchor = f"{position.anchor}/{name}" if position.anchor else name
        players = (position.single_player,) if position.single_player else tuple(_players(step, turn))
        inner = replace(
            position,
            anchor=anchor,
            level=position.level + 1,
            turn=turn,
            ancestors=position.ancestors | {step},
        )
        steps, inner = self.inner_steps(step, inner)
        steps = [*steps, *guests]
        if len(players) > 1 and not step.is_turn and _have_same_actors(step, steps):
            inside = tuple(self.player_rounds(step, steps, players, inner))
        else:
            inside = self.played_steps(steps, inner)
        any_order = step in self.hosted or (step.base_step or step).any_order
        entry = _with_inherited_attributes(step)
        return PlayedStep(entry, step, anchor, position.level, players, turn, any_order, inner=inside)

    def player_rounds(
        self,
        step: SequenceStep,
        steps: Sequence[SequenceStep],
        players: Iterable[ActingPlayer],
        position: _Position,
    ) -> Iterator[PlayedStep]:
        """Yield a played step for each of several players who do a step one after another."""
        taken: set[str] = set()
        for player in players:
            self.count += 1
            name = unique_name(player.actor.name, taken)
            taken.add(name)
            anchor = f"{position.anchor}/{name}"
            inner = replace(position, anchor=anchor, level=position.level + 1, single_player=player)
            inside = self.played_steps(steps, inner)
            yield PlayedStep(
                step,
                step,
                anchor,
                position.level,
                (player,),
                position.turn,
                is_player_round=True,
                inner=inside,
            )

    def inner_steps(self, step: SequenceStep, position: _Position) -> tuple[list[SequenceStep], _Position]:
        """Return the inner steps of a step with all repeats applied, and the position of these steps."""
        children = [child for child in step.children if not child.difference]
        if children:
            return self.with_differences(children, position.repeating), position
        if step.difference == "changed" and step.base_step:
            return self.inner_steps(step.base_step, position)
        if step.repeats_step is None:
            return [], position
        if step.repeats_step in position.ancestors:
            self.loops.append(step)
            return [], position
        if len(position.repeating) == limits.NESTING.maximum:
            self.count = limits.LIST.maximum + 1
            return [], position
        inner = replace(
            position,
            repeating=(*position.repeating, step),
            ancestors=position.ancestors | {step, step.repeats_step},
        )
        steps, inner = self.inner_steps(step.repeats_step, inner)
        last = [difference for difference in step.differences if difference.base_step is None]
        return steps + self.with_differences(last, position.repeating), inner

    def with_differences(
        self, steps: list[SequenceStep], repeating: Sequence[SequenceStep]
    ) -> list[SequenceStep]:
        """Return the steps with the differences of repeating steps applied, innermost first."""
        for context in reversed(repeating):
            if context.differences:
                steps = [replacement for step in steps for replacement in context.replacements_for(step)]
        return steps


def _have_same_actors(step: SequenceStep, steps: Iterable[SequenceStep]) -> bool:
    """Return whether all inner steps have the actors of the step, so that each player can do all of them."""
    return all(inner.actors == step.actors and _have_same_actors(step, inner.children) for inner in steps)


def _players(step: SequenceStep, turn: SequenceStep | None) -> Iterator[ActingPlayer]:
    pairs = {role.name: side for role, side in player_sides(turn)} if turn else {}
    for actor in actors_of_step(step, turn):
        side = pairs.get(actor.name)
        yield ActingPlayer(actor, side if side != actor else None)


def _with_inherited_attributes(step: SequenceStep) -> SequenceStep:
    """Return a step, a changed one with the attributes of the step that it changes."""
    if step.difference != "changed":
        return step
    effective = effective_step(step)
    no: Any = {
        f.name: None for f in fields(StepAttributes) if getattr(effective, f.name) == ""
    }  # nothing to ask
    return replace(step, step=replace(effective, **no))
