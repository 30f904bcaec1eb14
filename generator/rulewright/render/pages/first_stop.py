"""The first stop of a new game, which the page that plays a turn shows before any script runs.

The walker (`walk.js`) shows the same when it starts. Here only this stop is found: the first step that is
done in the first turn, with the words of its head, its buttons and its question.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rulewright.book.outline import RuleEntry
from rulewright.references.reference_index import ReferenceIndex
from rulewright.references.reference_types import RuleReference
from rulewright.schema.rulebook import Rulebook
from rulewright.schema.text_document import plain_text
from rulewright.sequence.actors import (
    Actor,
    actor_style,
    find_actor,
    known_actors,
    number_of_players,
    player_names,
)
from rulewright.sequence.sequence_step import (
    ANY_ORDER,
    AT_ANY_TIME,
    IN_ORDER,
    ONE_OF,
    OTHER,
    PHASING,
    PLACES,
    SequenceOfPlay,
    SequenceStep,
)
from rulewright.sequence.step_counts import parse_counts

MAX_SIGNS = 16
"""Largest number of rounds with a sign for each."""

_AFTER_NOUN = re.compile(r",| (?:of|in|that|with|from|for|to|up|who|which|on|at|by)\b")
_ENDS_IN_Y = re.compile(r"[^aeiou]y$")
_PLURAL = re.compile(
    r"(?<!s)(?<!u)(?<![sx]i)s$|(?:ish|ese|men|\b(?:dutch|french|people|swiss|zulus))$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class ActingPlayer:
    """A player who acts at a stop."""

    actor: Actor
    role: Actor
    """The role in which he acts; the same actor if he has none."""

    @property
    def verb(self) -> str:
        return "act" if is_plural(self.actor) else "acts"


@dataclass(frozen=True, slots=True)
class PlayerOption:
    """A player who may be chosen."""

    actor: Actor
    next_actor: Actor | None = None
    """The player after him, if only two play."""


@dataclass(frozen=True, slots=True)
class PathEntry:
    """A step around the stop, as the head shows it."""

    title: str
    count: str
    """The words for its round: "round 1 of 6"; empty if it has none."""


@dataclass(frozen=True, slots=True)
class FirstStop:
    """The stop at which a new game begins."""

    step: SequenceStep
    sequence: SequenceOfPlay
    rules: tuple[RuleEntry, ...]
    """The rules that it shows: its own, else those of the nearest step around it."""

    @property
    def book(self) -> Rulebook:
        return self.step.edition.book

    @property
    def step_and_ancestors(self) -> tuple[SequenceStep, ...]:
        return tuple(self.step.self_and_ancestors())

    @property
    def enclosing_steps(self) -> tuple[SequenceStep, ...]:
        """The steps around it up to its phase, innermost first."""
        outer = [step for step in self.step_and_ancestors[1:] if not step.is_turn]
        phase = next((index for index, step in enumerate(outer) if step.is_block), len(outer))
        return () if self.step.is_block else tuple(outer[: phase + 1])

    @property
    def path(self) -> list[PathEntry]:
        """The head: the steps around it, outermost first; if there are none, its turn."""
        entries = []
        for step in reversed(self.step_and_ancestors):
            count = _first_count(step)
            if count or step in self.enclosing_steps or (step is self.step and step.is_block):
                entries.append(PathEntry(plain_text(step.step.title), count))
        turn = next((step for step in self.step_and_ancestors[1:] if step.is_turn), self.step)
        return entries or [PathEntry(plain_text(turn.step.title), "")]

    @property
    def progress(self) -> list[str]:
        """The classes of the signs above the path, one for each round or phase."""
        rounds = next(filter(None, (step.rounds for step in self.step_and_ancestors)), None)
        if rounds and rounds.minimum == rounds.maximum and rounds.maximum <= MAX_SIGNS and not rounds.until:
            return ["here", *[""] * (rounds.maximum - 1)]
        phase = self.enclosing_steps[-1] if self.enclosing_steps else self.step
        siblings = phase.parent.inner if phase.parent else self.sequence.steps
        classes = []
        for step in siblings:
            style = actor_style(step) if step.is_block else ""
            classes.append(f"{style} here" if step is phase else style)
        return classes

    @property
    def acting(self) -> ActingPlayer | None:
        """The player who acts first."""
        return next(_acting_players(self.step), None)

    @property
    def options(self) -> list[SequenceStep]:
        return [step for step in self.step.ordered if step.way == ONE_OF and _is_done(step, 1)]

    @property
    def decides_order(self) -> bool:
        return self.step.step.decides == "order" or self.step.step.decides in self.book.orders

    @property
    def players(self) -> list[PlayerOption]:
        """The players among whom it decides."""
        if not self.step.step.decides or self.step.inner:
            return []
        actors = [actor_titles(self.book)[name] for name in player_names(self.book)]
        if len(actors) == 2 and self.step.step.decides == "order":
            return [PlayerOption(actors[0], actors[1]), PlayerOption(actors[1], actors[0])]
        return [PlayerOption(actor) for actor in actors]

    @property
    def question(self) -> str:
        """The question who is first; empty if it does not decide the order."""
        if not self.players or not self.decides_order:
            return ""
        if self.step.step.decides != "order":
            return f"{actor_titles(self.book)[str(self.step.step.decides)].title}: who is first?"
        for step in self.sequence.iter_played():
            if step.phasing in ((IN_ORDER,), (PLACES[0],)) and step.step.kind.endswith("turn"):
                return f"Who takes the first {step.step.kind}?"
        return "Who is first?"

    @property
    def done_label(self) -> str:
        """The words of the button that leads on."""
        names = [option.actor.title for option in self.players]
        if names:
            order = f"{names[0]} first" if len(names) == 2 else ", ".join(names)
            return f"{order} ›" if self.decides_order else "Choose"
        return f"{plain_text(self.options[0].step.title)} ›" if self.options else "Done"

    @property
    def skip_label(self) -> str:
        """The words of the button that leaves it out; empty if that is not possible."""
        for step in self.step_and_ancestors:
            if step.rounds and step.rounds.passing:
                return "No more" if step.rounds.passing == "done" else "Pass"
            if step.step.for_each:
                return f"No {loop_words(plain_text(step.step.for_each))['more']}"
        return "" if self.options or self.players else "Skip"

    @property
    def interruptions(self) -> list[SequenceStep]:
        """The steps that may be done at any time there."""
        rows = (step.interruptions for step in self.step_and_ancestors)
        return [step for row in rows for step in row if _is_done(step, 1)]

    @property
    def alternatives(self) -> list[SequenceStep]:
        """The steps that may be done first in its place."""
        path = self.step_and_ancestors
        rows = (step.parent.ordered for step in path if step.parent and step.way == ANY_ORDER)
        return [step for row in rows for step in row if step not in path and _is_done(step, 1)]

    @property
    def narrative_step(self) -> SequenceStep | None:
        """The step whose narrative is shown, since the turn has just come to it."""
        return next((step for step in (self.step, *self.enclosing_steps) if step.step.narrative), None)


def find_first_stop(sequence: SequenceOfPlay, index: ReferenceIndex) -> FirstStop | None:
    """Return the stop of a new game; None if nothing is done in its first turn."""
    step = _first_step(sequence.steps)
    if not step:
        return None
    candidates = (above for above in step.self_and_ancestors() if above.step.see and not above.is_turn)
    references = (
        reference for text in next(candidates, step).step.see for reference in index.references(text)
    )
    rules = dict.fromkeys(
        reference.target for reference in references if isinstance(reference, RuleReference)
    )
    return FirstStop(step, sequence, tuple(rules))


def actor_titles(book: Rulebook) -> dict[str, Actor]:
    """Return everyone who can act in a game, by the name that the steps use."""
    actors = {name: find_actor(name, book) for name in known_actors(book)}
    players = number_of_players(book)
    if players and not book.sides:
        for number in range(1, players[1] + 1):
            name = f"player-{number}"
            actors[name] = Actor(name, f"Player {number}", str(number), "both", is_builtin=True)
    return actors


def is_plural(actor: Actor) -> bool:
    """Return whether a name takes a plural verb: Tidewardens, British; not League, Axis."""
    return _PLURAL.search(actor.title) is not None


def loop_words(words: str) -> dict[str, str]:
    """Return the words for the rounds of a loop: for each card of the deck; next card; no more cards."""
    noun = _AFTER_NOUN.split(words)[0] or words
    if noun.endswith("die"):
        plural = f"{noun[:-1]}ce"
    elif _ENDS_IN_Y.search(noun):
        plural = f"{noun[:-1]}ies"
    else:
        plural = f"{noun}es" if noun.endswith(("s", "x", "ch", "sh")) else f"{noun}s"
    return {"words": words, "one": noun, "more": plural}


def _first_step(
    steps: Iterable[SequenceStep], number: int = 1, question_step: SequenceStep | None = None
) -> SequenceStep | None:
    """Return the step at which the first turn halts.

    `number`: the round around them; `question_step`: the step around them whose question comes first.
    """
    for step in steps:
        if step.way == AT_ANY_TIME or not _is_done(step, number):
            continue
        rounds = step.rounds
        is_conditional = bool((step.step.condition and not step.step.ends) or step.step.unless)
        may_be_none = bool(rounds and (rounds.passing or not rounds.minimum))
        questions = is_conditional + bool(step.step.for_each) + may_be_none
        is_own_screen = is_conditional and step.is_block and step.ordered
        if is_own_screen or questions > 1 or (question_step and questions):
            return question_step or step
        if step.is_choice or not step.ordered:
            return step
        outer = question_step or (step if questions else None)
        for inner_number in range(1, (rounds.maximum or 1) + 1) if rounds else [number]:
            found = _first_step(step.inner, inner_number, outer)
            if found:
                return found
    return None


def _is_done(step: SequenceStep, number: int) -> bool:
    """Return whether a step is done in the first turn, and in this round of the steps around it."""
    for value in step.step.in_turns:
        is_side = value in step.edition.book.sides
        if value != _first_phasing(step) if is_side else not _includes(value, 1):
            return False
    return not step.step.in_rounds or _includes(step.step.in_rounds, number)


def _includes(value: str, number: int) -> bool:
    counts = parse_counts(value)
    return counts is not None and counts.includes(number)


def _first_count(step: SequenceStep) -> str:
    """Return the words for the first round of a step: round 1 of 6; attack 1."""
    if step.rounds:
        noun, maximum = step.rounds.singular, step.rounds.maximum
        return f"{noun} 1 of {maximum}" if step.rounds.minimum == maximum else f"{noun} 1"
    return f"{loop_words(plain_text(step.step.for_each))['one']} 1" if step.step.for_each else ""


def _first_phasing(step: SequenceStep) -> str:
    return next((_player(name, step.edition.book) for name in step.phasing_around), "")


def _player(name: str, book: Rulebook) -> str:
    """Return the player whom a name of the order means before anything is decided."""
    players = player_names(book)
    if name in players or not players:
        return name
    if name == IN_ORDER or name in book.orders:
        return players[0]
    place = PLACES.index(name) if name in PLACES else len(players)
    return players[place] if place < len(players) else name


def _acting_players(step: SequenceStep) -> Iterator[ActingPlayer]:
    book, phasing, titles = step.edition.book, _first_phasing(step), actor_titles(step.edition.book)
    others = [side for side in map(str, book.sides) if side != phasing]
    for name in step.actors:
        actor = phasing if name == PHASING and phasing else _player(name, book)
        if name == OTHER and phasing and len(others) == 1:
            actor = others[0]
        role = name if name in (PHASING, OTHER) or name in book.roles else actor
        if actor in titles and role in titles:  # not a name that the book does not declare
            yield ActingPlayer(titles[actor], titles[role])
