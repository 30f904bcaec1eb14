"""The tree of steps as the walker (`walk.js`) reads it, with its questions in words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rulewright.schema.problem_reports import to_dict
from rulewright.schema.rulebook import Rulebook
from rulewright.schema.text_document import plain_text
from rulewright.sequence.actors import Actor, find_actor, known_actors, number_of_players, player_names
from rulewright.sequence.sequence_step import (
    GAME,
    ONE_OF,
    OTHER,
    PHASING,
    SequenceOfPlay,
    SequenceStep,
)
from rulewright.sequence.step_attributes import capitalize_first
from rulewright.sequence.step_counts import parse_counts

Question = tuple[str, str, str]
"""The question, the button that does not lead on, and the button that does."""

_AFTER_NOUN = re.compile(r",| (?:of|in|that|with|from|for|to|up|who|which|on|at|by)\b")


@dataclass(frozen=True, slots=True)
class PlayTree:
    """The steps of a sequence of play, as the walker reads them."""

    sequence: SequenceOfPlay
    book: Rulebook

    @property
    def largest_table(self) -> list[str]:
        """Return the names of as many players as can play."""
        _, maximum = number_of_players(self.book) or (0, 0)
        return list(map(str, self.book.sides)) or [f"player-{number}" for number in range(1, maximum + 1)]

    def actor(self, name: str) -> Actor:
        _, is_player, number = name.partition("player-")
        if is_player and number.isdigit() and not self.book.sides:
            return Actor(f"Player {number}", number, "both", name)
        return find_actor(name, self.book)

    def noun(self, step: SequenceStep) -> str:
        """Return the word for a round of a step: attack, impulse; empty if it is done once."""
        if step.step.for_each:
            words = plain_text(step.step.for_each)
            return _AFTER_NOUN.split(words)[0] or words
        return step.rounds.singular if step.rounds else ""

    def questions(self, step: SequenceStep) -> dict[str, Question]:
        """Return the questions that a step may ask, by kind."""
        keys, asks = step.step, dict[str, Question]()
        if keys.condition and keys.ends:
            ended = plain_text(step.ended_step.step.title) if step.ended_step else "the game"
            asks["ends"] = _question(keys.condition), f"Yes: {ended} ends", "No"
        elif keys.condition:
            asks["if"] = _question(keys.condition), "No", "Yes"
        if keys.unless and not keys.ends:
            asks["unless"] = _question(keys.unless), "Yes", "No"
        if keys.decides and len(player_names(self.book)) > 1:
            asks["decides"] = self.decision(step), "", ""
        return asks | self.round_questions(step)

    def round_questions(self, step: SequenceStep) -> dict[str, Question]:
        """Return the questions of a step that is done again and again."""
        rounds, noun = step.rounds, self.noun(step)
        first = f"For each {plain_text(step.step.for_each or noun)}", f"No {noun}", f"First {noun}"
        following = f"Another {noun}?", "No more", f"Next {noun}"
        if step.step.for_each:
            return {"first": first, "next": following}
        if not rounds:
            return {}
        asks = {} if rounds.minimum else {"first": first}
        if rounds.passing and not _has_pass(step):
            question = ("Another?", "No more") if rounds.passing == "done" else ("Acts or passes?", "Pass")
            asks["pass"] = *question, "Goes on"
        elif not rounds.passing and not any(
            inner.ended_step is step and inner.step.condition for inner in step.iter_subtree()
        ):
            if rounds.until:
                asks["until"] = _question(rounds.until.removeprefix("until ")), "Yes, over", "Goes on"
            elif rounds.minimum != rounds.maximum:
                asks["next"] = following
        return asks

    def decision(self, step: SequenceStep) -> str:
        """Return the question for what a step decides."""
        decides = str(step.step.decides)
        if decides in (PHASING, "order"):
            return "Whose turn is it?" if decides == PHASING else "Who is first?"
        title = self.actor(decides).title
        return f"{title}: who is first?" if decides in self.book.orders else f"Who is the {title}?"

    def to_json(self, dice: Mapping[SequenceStep, str]) -> dict[str, Any]:
        """Return the tree for the walker. `dice`: keys of the rolls of each step."""
        actors = map(self.actor, (*known_actors(self.book), *self.largest_table))
        return {
            "sides": list(self.book.sides),
            "players": number_of_players(self.book) or (0, 0),
            "orders": list(self.book.orders),
            "roles": [name for name in self.book.roles if name not in (PHASING, OTHER)],
            "names": {actor.name: to_dict(actor, "title mark style") for actor in actors},
            "steps": [self._node(step, dice) for step in self.sequence.steps],
        }

    def _node(self, step: SequenceStep, dice: Mapping[SequenceStep, str]) -> dict[str, Any]:
        keys, rounds = step.step, step.rounds
        node: dict[str, Any] = {
            **to_dict(step, "id=anchor how=way turn=is_turn acts=actors isFight=is_combat"),
            **to_dict(keys, "kind phasing decides"),
            "title": plain_text(keys.title),
            "phase": step.is_block and not step.is_turn,
            "by": step.given_actors if keys.by else (),
            "asks": self.questions(step),
            "optional": bool(keys.optional),
            "ends": keys.ends and (step.ended_step.anchor if step.ended_step else GAME),
            "inTurns": [_number_set(value, step) for value in keys.in_turns],
            "inRounds": keys.in_rounds and _number_set(keys.in_rounds, step),
            "dice": dice[step],
            "noun": self.noun(step),
            "each": bool(keys.for_each),
            "steps": [self._node(inner, dice) for inner in step.inner],
        }
        if rounds:
            node["rounds"] = to_dict(rounds, "minimum maximum passing")
        return {key: value for key, value in node.items() if value or key in ("id", "title")}


def _has_pass(step: SequenceStep) -> bool:
    """Return whether a step with rounds has an option to pass."""
    for inner in step.iter_subtree():
        if inner.way == ONE_OF and plain_text(inner.step.title).lower() == "pass":
            return next(outer for outer in inner.ancestors() if outer.rounds) is step
    return False


def _question(words: str) -> str:
    return f"{capitalize_first(plain_text(words))}?"


def _number_set(value: str, step: SequenceStep) -> dict[str, Any]:
    """Return the game turns or rounds in which a step is done, or the side in whose turns."""
    numbers = None if value in step.edition.book.sides else parse_counts(value)
    if numbers is None:
        return {"side": str(value)}
    if numbers.numbers:
        return {"numbers": numbers.numbers}
    return {"first": numbers.first, "last": numbers.last, "every": numbers.interval}
