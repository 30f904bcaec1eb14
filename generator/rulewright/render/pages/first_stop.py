"""The first halt of a new game, which the page that plays a turn shows before any script runs.

The walker (`walk.js`) goes through the turn in the same way; here the walk ends at the first halt, so that
nothing is answered or decided yet. The first screen shows only this halt.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

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
    IN_ORDER,
    NOBODY,
    ONE_OF,
    OTHER,
    OTHERS_IN_ORDER,
    PHASING,
    PLACES,
    SequenceOfPlay,
    SequenceStep,
)
from rulewright.sequence.step_attributes import capitalize_first
from rulewright.sequence.step_counts import Rounds, parse_counts

MAX_SIGNS = 16
"""Largest number of rounds with a sign for each."""
IDLE = 5000
"""Largest number of rounds in which nothing is done."""

_AFTER_NOUN = re.compile(r",| (?:of|in|that|with|from|for|to|up|who|which|on|at|by)\b")
_ENDS_IN_Y = re.compile(r"[^aeiou]y$")
_PLURAL = re.compile(
    r"(?<!s)(?<!u)(?<![sx]i)s$|(?:ish|ese|men|\b(?:dutch|french|people|swiss|zulus))$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class ActingPlayer:
    """A player who acts at a halt."""

    actor: Actor
    role: Actor
    """The role in which he acts; the same actor if he has none."""


@dataclass(frozen=True, slots=True)
class Count:
    """The round of a step in which the halt is."""

    step: SequenceStep
    number: int
    noun: str
    total: int = 0
    """0 if the number of rounds is open."""
    is_round: bool = False
    """Whether it counts `rounds` and not `for each`."""

    @property
    def words(self) -> str:
        return f"{self.noun} {self.number}" + (f" of {self.total}" if self.total else "")


@dataclass(frozen=True, slots=True)
class PathEntry:
    """A step around the halt, as the head shows it."""

    title: str
    count: str
    """The words for its round: "round 1 of 6"; empty if it has none."""


@dataclass(frozen=True, slots=True)
class StopQuestion:
    """Question of a halt, with the words for what goes on and what does not."""

    words: str
    no: str
    yes: str


@dataclass(frozen=True, slots=True)
class Situation:
    """State of the walk at a place of the turn."""

    phasing: str = ""
    """Who is phasing; empty if nobody is."""
    by: tuple[str, str] | None = None
    """Who acts, with his role, if several act one after another."""
    whose_go: str = ""
    """Who of several acts in the step or in one around it."""
    counts: tuple[Count, ...] = ()


@dataclass(frozen=True, slots=True)
class FirstStop:
    """The halt at which a new game begins: a question, a choice, or a step to do."""

    step: SequenceStep
    situation: Situation
    turn: FirstTurn
    asks: StopQuestion | None = None
    options: tuple[SequenceStep, ...] = ()
    """The options of a choice."""
    decides: str = ""
    """What is decided: the order of the players, who is phasing, or who has a role."""
    is_outside: bool = False
    """Whether the step has not begun or is over."""
    rules: tuple[RuleEntry, ...] = ()
    """The rules that it shows: its own, else those of the nearest step around it."""

    @property
    def step_and_ancestors(self) -> tuple[SequenceStep, ...]:
        return tuple(self.step.self_and_ancestors())

    @property
    def enclosing_steps(self) -> tuple[SequenceStep, ...]:
        """The steps around it up to its phase, innermost first."""
        steps = self.step_and_ancestors
        turn = next((place for place, step in enumerate(steps) if step.is_turn), len(steps))
        phases = (place + 1 for place, step in enumerate(steps) if step.is_block and not step.is_turn)
        return steps[1 : next(phases, max(turn, 1))]

    @property
    def focus(self) -> SequenceStep:
        """The step whose rules and tables are shown."""
        return (*self.options, self.step)[0]

    @property
    def path(self) -> list[PathEntry]:
        """The head: the steps around it, outermost first; if there are none, its turn."""
        counts = {count.step: count.words for count in self.situation.counts}
        entries = []
        for step in reversed(self.step_and_ancestors):
            is_phase = step is self.step and step.is_block and not step.is_turn
            if step in counts or step in self.enclosing_steps or is_phase:
                entries.append(PathEntry(plain_text(step.step.title), counts.get(step, "")))
        turn = next((step for step in self.step.ancestors() if step.is_turn), self.step)
        return entries or [PathEntry(plain_text(turn.step.title), "")]

    @property
    def progress(self) -> list[str]:
        """The classes of the signs above the path, one for each round or phase."""
        counts = [count for count in self.situation.counts if 0 < count.total <= MAX_SIGNS]
        if counts:
            position, styles = counts[-1].number - 1, [""] * counts[-1].total
        else:
            phase = (self.step, *self.enclosing_steps)[-1]
            siblings = phase.parent.inner if phase.parent else self.turn.sequence.steps
            position = siblings.index(phase)
            styles = [actor_style(step) * step.is_block for step in siblings]
        states = [*["done"] * position, "here", *[""] * len(styles)]
        return [f"{style} {state}".strip() for style, state in zip(styles, states, strict=False)]

    @property
    def acting(self) -> list[ActingPlayer]:
        """The players who act, in this order."""
        acting = dict(self.turn.acting(self.step, self.situation))
        names = [name for name in acting if name != NOBODY] or acting
        return [ActingPlayer(self.turn.actor(name), self.turn.actor(acting[name])) for name in names]

    @property
    def acting_words(self) -> str:
        names = [player.actor.title for player in self.acting]
        is_many = len(names) > 1 or is_plural(self.acting[0].actor)
        return f"{', then '.join(names)} {'act' if is_many else 'acts'}"

    @property
    def players(self) -> list[Actor]:
        """The players among whom it decides."""
        return [self.turn.actor(name) for name in self.turn.players if self.decides]

    @property
    def decides_order(self) -> bool:
        return self.decides in ("order", *self.turn.book.orders)

    @property
    def question(self) -> str:
        """The question that it asks; empty if there is none."""
        if self.asks or not self.decides:
            return self.asks.words if self.asks else ""
        title = self.turn.actor(self.decides).title
        if not self.decides_order:
            return "Whose turn is it?" if self.decides == PHASING else f"Who is the {title}?"
        if self.decides != "order":
            return f"{title}: who is first?"
        for step in self.turn.sequence.iter_played():
            if step.phasing in ((IN_ORDER,), (PLACES[0],)) and step.step.kind.endswith("turn"):
                return f"Who takes the first {step.step.kind}?"
        return "Who is first?"

    @property
    def done_label(self) -> str:
        """The words of the button that leads on."""
        names = [actor.title for actor in self.players]
        if names:
            order = f"{names[0]} first" if len(names) == 2 else ", ".join(names)
            return f"{order} ›" if self.decides_order else "Choose"
        title = plain_text(self.options[0].step.title) if self.options else ""
        return f"{self.asks.yes if self.asks else title} ›" if self.asks or title else "Done"

    @property
    def skip_label(self) -> str:
        """The words of the button that does not lead on; empty if there is none."""
        if self.asks or self.decides:
            return self.asks.no if self.asks else ""
        steps = (step for step in self.step_and_ancestors if step.step.optional and not step.step.for_each)
        skipped = [step for step in steps if step.inner and step.inner[0].way != ONE_OF]
        if skipped:
            title = plain_text(skipped[-1].step.title)
            return "Skip all" if skipped[-1] is self.step.parent else f"Skip {title}"
        return "" if self.options else "Skip"

    @property
    def interruptions(self) -> list[SequenceStep]:
        """The steps that may be done at any time there."""
        rows = [step.interruptions for step in self.step_and_ancestors[self.is_outside :]]
        return [step for row in rows for step in row if self.turn.is_due(step, self.situation)]

    @property
    def alternatives(self) -> list[SequenceStep]:
        """The steps that may be done first in its place."""
        alternatives = []
        for step in self.step_and_ancestors:
            if step.parent and step.way == ANY_ORDER:
                later = step.parent.ordered[step.parent.ordered.index(step) + 1 :]
                alternatives += [other for other in later if self.turn.is_due(other, self.situation)]
        return alternatives

    @property
    def narrative_step(self) -> SequenceStep | None:
        """The step whose narrative is shown, since the turn has just come to it."""
        steps = (self.focus, self.step, *self.enclosing_steps)
        return next((step for step in steps if step.step.narrative), None)


class FirstTurn:
    """The first turn of a game up to its first halt; each generator would go on after an answer."""

    def __init__(self, sequence: SequenceOfPlay, book: Rulebook) -> None:
        self.sequence = sequence
        self.book = book
        self.players = player_names(book)
        self.titles = actor_titles(book)
        self.rounds_left = IDLE

    def actor(self, name: str) -> Actor:
        return self.titles.get(name, Actor(name, name, "?", ""))

    def acting(self, step: SequenceStep, situation: Situation) -> list[tuple[str, str]]:
        """Return the players who act in a step, each with his role."""
        return [situation.by] if situation.by else self.players_named(step.actors, situation)

    def players_named(self, words: Iterable[str], situation: Situation) -> list[tuple[str, str]]:
        by_order = (IN_ORDER, OTHERS_IN_ORDER, *PLACES, *self.book.orders)
        names: list[tuple[str, str]] = []
        for word in words:
            players = self.players_of(word, situation)
            names += zip(players, players if word in by_order else [word] * len(players), strict=True)
        return names

    def players_of(self, word: str, situation: Situation) -> list[str]:
        """Return the players whom a word names; the word itself if it names nobody in particular."""
        players, acting = list(self.players), situation.phasing or situation.whose_go
        if word in players or not players:
            return [word]
        if word == IN_ORDER or word in self.book.orders:
            return players
        if word == OTHERS_IN_ORDER:
            place = players.index(acting) if acting in players else len(players)
            return players[place + 1 :] + players[:place]
        if word in PLACES:
            return players[PLACES.index(word) :][:1]
        if word == OTHER and acting and len(players) == 2:
            return [player for player in players if player != acting]
        return [situation.phasing if word == PHASING and situation.phasing else word]

    def is_due(self, step: SequenceStep, situation: Situation) -> bool:
        """Return whether a step is done in the first turn, and in this round of the steps around it."""
        for value in step.step.in_turns:
            if situation.phasing != value if value in self.book.sides else not _includes(value, 1):
                return False
        numbers = [count.number for count in situation.counts if count.is_round]
        return not step.step.in_rounds or _includes(step.step.in_rounds, [0, *numbers][-1])

    def iter_halts(
        self, step: SequenceStep, situation: Situation, *, is_option: bool = False
    ) -> Iterator[FirstStop]:
        if not self.is_due(step, situation):
            return
        keys = step.step
        if not keys.ends and not is_option:
            if keys.condition:
                yield FirstStop(
                    step,
                    situation,
                    self,
                    StopQuestion(_question_words(keys.condition), "No", "Yes"),
                    is_outside=True,
                )
            if keys.unless:
                yield FirstStop(
                    step,
                    situation,
                    self,
                    StopQuestion(_question_words(keys.unless), "Yes", "No"),
                    is_outside=True,
                )
        yield from self.iter_goes(step, situation)
        if keys.decides and len(self.players) > 1:
            yield FirstStop(step, situation, self, decides=str(keys.decides), is_outside=True)

    def iter_goes(self, step: SequenceStep, situation: Situation) -> Iterator[FirstStop]:
        """Go through a step: its rounds, each attack, one go for each who acts."""
        phasing = [player for word in step.step.phasing for player in self.players_of(word, situation)]
        by = self.players_named(step.given_actors, situation) if step.step.by else []
        own_go = replace(situation, by=None) if by else situation
        everyone = [replace(situation, phasing=player, by=None) for player in phasing] or [own_go]
        if len(by) > 1 and not phasing:
            everyone = [replace(situation, by=actor, whose_go=actor[0]) for actor in by]
        if step.rounds:
            yield from self.iter_rounds(step, step.rounds, everyone)
        for go in () if step.rounds else everyone:
            if step.step.for_each:
                loop = loop_words(plain_text(step.step.for_each))
                counts = (*go.counts, Count(step, 1, loop["one"]))
                yield FirstStop(step, replace(go, counts=counts), self, _first_go(loop))
            else:
                yield from self.iter_go(step, go)

    def iter_rounds(
        self, step: SequenceStep, rounds: Rounds, everyone: list[Situation]
    ) -> Iterator[FirstStop]:
        minimum, maximum, loop = rounds.minimum, rounds.maximum or IDLE, loop_words(rounds.singular)
        until, is_ended, has_pass = rounds.until.removeprefix("until "), False, False
        for inner in step.iter_subtree():
            is_ended = is_ended or (inner.ended_step is step and bool(inner.step.condition))
            is_pass = inner.way == ONE_OF and plain_text(inner.step.title).lower() == "pass"
            loop_around = next((outer for outer in inner.ancestors() if outer.rounds), None)
            has_pass = has_pass or (is_pass and loop_around is step)
        for number in range(1, maximum + 1):
            if self.rounds_left == 0:
                return
            self.rounds_left -= 1
            count = Count(step, number, loop["one"], maximum if maximum == minimum else 0, is_round=True)
            goes = [replace(go, counts=(*go.counts, count)) for go in everyone]
            if not minimum and number == 1:
                yield FirstStop(step, goes[0], self, _first_go(loop))
            for go in goes:
                if rounds.passing and not has_pass:
                    acting = go.by or ((go.phasing, go.phasing) if go.phasing else None)
                    place = replace(go, by=acting)
                    names = [f"{self.actor(name).title}: " for name, _ in self.acting(step, place)]
                    is_unit = rounds.passing == "done"
                    words = f"{''.join(names[:1])}{'another' if is_unit else 'acts'}?"
                    asks = StopQuestion(capitalize_first(words), "No more" if is_unit else "Pass", "Goes on")
                    yield FirstStop(step, place, self, asks)
                yield from self.iter_go(step, go)
                may_end = minimum == maximum or minimum <= number
                if until and not rounds.passing and not is_ended and may_end and number < maximum:
                    asks = StopQuestion(_question_words(until), "Yes, over", "Goes on")
                    yield FirstStop(step, go, self, asks)
            if minimum <= number < maximum and not until and not is_ended:
                asks = StopQuestion(
                    f"Another {loop['one']}?", f"No more {loop['more']}", f"Next {loop['one']}"
                )
                yield FirstStop(step, replace(goes[0], by=None), self, asks)

    def iter_go(self, step: SequenceStep, situation: Situation) -> Iterator[FirstStop]:
        """Go once through the inner steps."""
        row = step.ordered
        if not row:
            decides = str(step.step.decides or "") if len(self.players) > 1 else ""
            yield FirstStop(step, situation, self, decides=decides)
        elif row[0].way == ONE_OF:
            options = [option for option in row if self.is_due(option, situation)]
            if not options:
                return
            if len(options) > 1 or step.step.optional:
                yield FirstStop(step, situation, self, options=tuple(options))
            yield from self.iter_halts(options[0], situation, is_option=True)
        else:
            for inner in row:
                yield from self.iter_halts(inner, situation)


def find_first_stop(sequence: SequenceOfPlay, index: ReferenceIndex) -> FirstStop | None:
    """Return the halt of a new game; None if nothing is done in its first turn."""
    if not sequence.root:
        return None
    turn = FirstTurn(sequence, sequence.root.edition.book)
    halts = (halt for step in sequence.steps for halt in turn.iter_halts(step, Situation()))
    halt = next(halts, None)
    if not halt:
        return None
    for step in (halt.focus, halt.step, *halt.enclosing_steps):
        references = [reference for text in step.step.see for reference in index.references(text)]
        rules = [reference.target for reference in references if isinstance(reference, RuleReference)]
        if rules:
            return replace(halt, rules=tuple(dict.fromkeys(rules)))
    return halt


def _question_words(words: str) -> str:
    return f"{capitalize_first(plain_text(words))}?"


def _first_go(loop: dict[str, str]) -> StopQuestion:
    return StopQuestion(f"For each {loop['words']}", f"No {loop['more']}", f"First {loop['one']}")


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


def _includes(value: str, number: int) -> bool:
    counts = parse_counts(value)
    return counts is not None and counts.includes(number)
