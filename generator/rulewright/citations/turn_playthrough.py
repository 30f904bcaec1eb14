"""The turn as it is played: every stop in the order in which players come to it, repeats gone through.

Where the sequence says that a turn repeats another, here are that one's steps again, with what differs in
their places and with the players who act in them now. Where several act one behind the other, each has his
round. So nothing is left to look up: who walks from stop to stop has played the turn.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import partial
from itertools import takewhile
from typing import Any
from zlib import crc32

from rulewright.book.actors import Actor, actors_of_step, player_sides
from rulewright.book.outline import Outline
from rulewright.book.sequence import SequenceStep, effective_step
from rulewright.citations.step_attributes import (
    ASKED,
    StepPhrase,
    capitalize_first,
    hosting_step,
    named_step,
    step_phrases,
)
from rulewright.model.step import Interval, Step, StepAttributes
from rulewright.model.step_kinds import KINDS
from rulewright.source import limits
from rulewright.source.filenames import unique_name
from rulewright.source.lazy_regex import Regex
from rulewright.source.safe_integers import parse_int

_EVERY = Regex(r"(\d+)(?:st|nd|rd|th)?\s+(.*\S)")
_MANY = Regex(
    r"(?<!s)(?<!u)(?<![sx]i)s$|(?:ish|ese|men|\b(?:dutch|french|people|swiss|zulus))$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True, eq=False)
class ActingPlayer:
    """Who acts at a stop: a role or a side; `side` is who has the role in the turn that is played."""

    actor: Actor
    side: Actor | None = None

    @property
    def is_plural(self) -> bool:
        """Whether one says that they act, not that it acts: Tidewardens, British; not League, Axis."""
        return _MANY.search((self.side or self.actor).title) is not None


@dataclass(frozen=True, slots=True, eq=False)
class PlayedStep:
    """A step as it is come to. `anchor` is its address on the page that plays the turn.

    `entry` is the step, that of a changed one with what it kept; `origin` the step as the sequence has it;
    `turn` the player turn that is played. `is_player_round`: it is what one of several players does of a
    step.
    """

    entry: SequenceStep
    origin: SequenceStep
    anchor: str
    level: int
    players: tuple[ActingPlayer, ...]
    turn: SequenceStep | None = None
    any_order: bool = False
    is_player_round: bool = False
    inner: tuple[PlayedStep, ...] = ()

    @property
    def step(self) -> Step:
        return self.entry.step

    @property
    def is_turn(self) -> bool:
        return self.origin.is_turn and not self.is_player_round

    @property
    def interval(self) -> int | None:
        """Interval in game turns; None where it is no number of such turns."""
        return turn_interval(self.entry) or None

    @property
    def start(self) -> int | None:
        interval = self.step.every
        return (
            parse_int(interval.start) if isinstance(interval, Interval) and interval.start else self.interval
        )

    @property
    def conditions(self) -> tuple[StepPhrase, ...]:
        """Conditions that only the players can judge."""
        if self.is_player_round:
            return ()
        phrases = step_phrases(self.entry, [key for key in ASKED if key != "every" or not self.interval])
        return tuple(phrase for phrase in phrases if phrase.key != "must" or phrase.values)

    @property
    def is_done_by_default(self) -> bool:
        """Whether it is done unless something that is said rules it out."""
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
    """A turn from its first stop to its last. `reached` are the steps of the sequence that it comes to.

    `loops`: steps that repeat what they lie in, where the walk would never end; it passes them by.
    `is_whole`: no stop is left out because there are too many.
    """

    stops: tuple[PlayedStep, ...]
    reached: frozenset[SequenceStep]
    loops: tuple[SequenceStep, ...] = ()
    is_whole: bool = True

    def every_stop(self) -> Iterator[PlayedStep]:
        return (inner for step in self.stops for inner in step.walk())

    def swapped_turns(self, outline: Outline) -> dict[PlayedStep, tuple[PlayedStep, PlayedStep]]:
        """The stops that change places, by the one at which they do; of several the nearest."""
        known: dict[SequenceStep, list[tuple[PlayedStep, ...]]] = {}
        paths = [path for step in self.stops for path in _ways(step)]
        for path in paths:
            origin = path[-1].origin
            for step in {origin, origin.base_step} if origin.difference == "changed" else {origin}:
                if step and not path[-1].is_player_round:
                    known.setdefault(step, []).append(path)
        swapped = {}
        for path in paths:
            played = path[-1]
            names = () if played.is_player_round else played.step.swaps
            steps = [named_step(played.origin, name, outline) for name in names]
            nearest = [max(known[step], key=partial(_shared, path)) for step in steps if step in known]
            if (
                len(nearest) == len(steps) == 2
                and nearest[0][:-1] == nearest[1][:-1]
                and nearest[0] != nearest[1]
            ):
                swapped[played] = nearest[0][-1], nearest[1][-1]
        return swapped

    @property
    def checksum(self) -> str:
        """A short checksum of the stops, since an address names them by position."""
        return f"{crc32(' '.join(step.anchor for step in self.every_stop()).encode()):08x}"


def play_through(outline: Outline) -> TurnPlaythrough:
    """The turn of an edition as it is played."""
    playthrough = _Going(outline)
    steps = playthrough.stops([step for step in outline.steps if not step.difference], _Where())
    return TurnPlaythrough(
        steps,
        frozenset(playthrough.reached),
        tuple(playthrough.loops),
        playthrough.count <= limits.LIST.maximum,
    )


def _ways(step: PlayedStep, ancestors: tuple[PlayedStep, ...] = ()) -> Iterator[tuple[PlayedStep, ...]]:
    """Each stop in a stop, itself first, behind all that it lies in."""
    path = (*ancestors, step)
    yield path
    for inner in step.inner:
        yield from _ways(inner, path)


def _shared(path: Sequence[PlayedStep], other: Sequence[PlayedStep]) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] is pair[1], zip(path, other, strict=False)))


def turn_interval(entry: SequenceStep) -> int | None:
    """Interval in game turns; None where it is no number of such turns."""
    interval = entry.step.every
    if isinstance(interval, Interval):
        return parse_int(interval.turns)
    match = _EVERY.fullmatch(interval or "")
    outermost = entry.edition.book.steps or KINDS
    known = ("turn", KINDS[0], KINDS[0].replace(" ", "-"), str(outermost[0]))
    return parse_int(match[1]) if match and match[2].lower().removesuffix("s") in known else None


@dataclass(frozen=True, slots=True)
class _Where:
    """Where one is: `repeating` are the steps that repeat others, outermost first."""

    anchor: str = ""
    level: int = 0
    turn: SequenceStep | None = None
    repeating: tuple[SequenceStep, ...] = ()
    around: frozenset[SequenceStep] = frozenset()
    alone: ActingPlayer | None = None


@dataclass(slots=True)
class _Going:
    """One walk, and what it has come to so far."""

    outline: Outline
    hosted: set[SequenceStep] = field(default_factory=set)
    reached: set[SequenceStep] = field(default_factory=set)
    loops: list[SequenceStep] = field(default_factory=list)
    count: int = 0

    def stops(self, steps: Sequence[SequenceStep], position: _Where) -> tuple[PlayedStep, ...]:
        """Some steps that follow each other, each with all inside it, and with those played in it."""
        taken: set[str] = set()
        played = []
        guests = self.guests(steps)
        hosted = {guest for guests_of_host in guests.values() for guest in guests_of_host}
        self.hosted |= hosted
        for step in steps:
            if self.count > limits.LIST.maximum:
                break
            if step not in hosted:
                name = unique_name(step.anchor.rpartition("/")[2], taken)
                taken.add(name)
                played.append(self.stop(step, name, position, guests.get(step, ())))
        return tuple(played)

    def guests(self, steps: Sequence[SequenceStep]) -> dict[SequenceStep, list[SequenceStep]]:
        """Steps that are played in another of a row, by that one, which is in none itself."""
        hosts = {step: hosting_step(step, self.outline) for step in steps}
        steps_by_base = {step.base_step if step.difference == "changed" else step: step for step in steps}
        guests: dict[SequenceStep, list[SequenceStep]] = {}
        for step, during in hosts.items():
            host = steps_by_base.get(during) if during else None
            if host and host is not step and not hosts[host]:
                guests.setdefault(host, []).append(step)
        return guests

    def stop(
        self, step: SequenceStep, name: str, position: _Where, guests: Sequence[SequenceStep] = ()
    ) -> PlayedStep:
        self.count += 1
        self.reached.add(step)
        turn = step if step.step.phasing else position.turn
        anchor = f"{position.anchor}/{name}" if position.anchor else name
        players = (position.alone,) if position.alone else tuple(_players(step, turn))
        inner = replace(
            position, anchor=anchor, level=position.level + 1, turn=turn, around=position.around | {step}
        )
        steps, inner = self.inside(step, inner)
        steps = [*steps, *guests]
        if len(players) > 1 and not step.is_turn and _together(step, steps):
            inside = tuple(self.rounds(step, steps, players, inner))
        else:
            inside = self.stops(steps, inner)
        any_order = step in self.hosted or (step.base_step or step).any_order
        entry = _shown(step)
        return PlayedStep(entry, step, anchor, position.level, players, turn, any_order, inner=inside)

    def rounds(
        self,
        step: SequenceStep,
        steps: Sequence[SequenceStep],
        players: Iterable[ActingPlayer],
        position: _Where,
    ) -> Iterator[PlayedStep]:
        """Stops of a step that several players do, one after another in their order."""
        taken: set[str] = set()
        for player in players:
            self.count += 1
            name = unique_name(player.actor.name, taken)
            taken.add(name)
            anchor = f"{position.anchor}/{name}"
            inner = replace(position, anchor=anchor, level=position.level + 1, alone=player)
            inside = self.stops(steps, inner)
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

    def inside(self, step: SequenceStep, position: _Where) -> tuple[list[SequenceStep], _Where]:
        """The steps inside a step, all repeats in force applied, and where one is among them."""
        children = [child for child in step.children if not child.difference]
        if children:
            return self.row(children, position.repeating), position
        if step.difference == "changed" and step.base_step:
            return self.inside(step.base_step, position)
        if step.repeats_step is None:
            return [], position
        if step.repeats_step in position.around:
            self.loops.append(step)
            return [], position
        if len(position.repeating) == limits.NESTING.maximum:
            self.count = limits.LIST.maximum + 1
            return [], position
        inner = replace(
            position,
            repeating=(*position.repeating, step),
            around=position.around | {step, step.repeats_step},
        )
        steps, inner = self.inside(step.repeats_step, inner)
        last = [difference for difference in step.differences if difference.base_step is None]
        return steps + self.row(last, position.repeating), inner

    def row(self, steps: list[SequenceStep], repeating: Sequence[SequenceStep]) -> list[SequenceStep]:
        """Steps with the differences of those that repeat them, innermost first, in their places."""
        for context in reversed(repeating):
            if context.differences:
                steps = [replacement for step in steps for replacement in context.replacements_for(step)]
        return steps


def _together(step: SequenceStep, steps: Iterable[SequenceStep]) -> bool:
    """Whether all inside a step is done by those who act in it: then each does all of it in his round."""
    return all(inner.actors == step.actors and _together(step, inner.children) for inner in steps)


def _players(step: SequenceStep, turn: SequenceStep | None) -> Iterator[ActingPlayer]:
    pairs = {role.name: side for role, side in player_sides(turn)} if turn else {}
    for actor in actors_of_step(step, turn):
        side = pairs.get(actor.name)
        yield ActingPlayer(actor, side if side != actor else None)


def _shown(step: SequenceStep) -> SequenceStep:
    """A step with all that it says: a changed one with what it keeps of the one that it stands for."""
    if step.difference != "changed":
        return step
    effective = effective_step(step)
    no: Any = {
        f.name: None for f in fields(StepAttributes) if getattr(effective, f.name) == ""
    }  # nothing to ask
    return replace(step, step=replace(effective, **no))
