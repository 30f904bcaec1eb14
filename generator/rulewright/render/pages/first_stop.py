"""The first stop of a new game, whose words the page has before any script.

The walker (`walk.js`) goes through the turn in the same way. Nothing is answered or decided at the first
stop, so that on each level the first step that is due leads to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from rulewright.render.pages.play_tree import PlayTree, is_phase
from rulewright.schema.text_document import plain_text
from rulewright.sequence.actors import Actor
from rulewright.sequence.sequence_step import (
    ANY_ORDER,
    IN_ORDER,
    NOBODY,
    ONE_OF,
    OTHER,
    OTHERS_IN_ORDER,
    PHASING,
    PLACES,
    SequenceStep,
)
from rulewright.sequence.step_counts import parse_counts


@dataclass(frozen=True, slots=True)
class FirstStop:
    """The stop at which a new game begins, and each step on the way there with who acts in it."""

    tree: PlayTree
    step: SequenceStep
    kind: str = ""
    """The name of its question in `PlayTree.questions`; empty for a choice or a step to do."""
    options: tuple[SequenceStep, ...] = ()
    """The options of a choice."""
    phasing: str = ""
    """Who is phasing; empty if nobody is."""
    actor: tuple[str, str] | None = None
    """Whose go it is, and the word for his role, if several act one after another."""
    round: int = 1
    """The round of the nearest step around it with rounds."""
    rounds: Mapping[SequenceStep, str] = field(default_factory=dict)
    """The rounds of the steps around it in words: "round 1 of 6"."""

    # The way to the stop

    def first_of(self, steps: Iterable[SequenceStep]) -> FirstStop | None:
        stops = (self.in_step(step) for step in steps if self.is_due(step))
        return next(filter(None, stops), None)

    def in_step(self, step: SequenceStep, *, is_option: bool = False) -> FirstStop | None:
        asks, rounds = self.tree.questions(step), step.rounds
        arrival = [kind for kind in ("if", "unless") if kind in asks and not is_option]
        if arrival:
            return replace(self, step=step, kind=arrival[0])
        stop = self.first_go(step)
        if step.step.for_each or (rounds and not rounds.minimum):
            return replace(stop, kind="first")
        if "pass" in asks:
            return replace(stop, kind="pass")
        if found := stop.inside():
            return found
        kinds = [kind for kind in ("decides", "until", "next") if kind in asks]
        return replace(stop, kind=kinds[0]) if kinds else None

    def inside(self) -> FirstStop | None:
        row = self.step.ordered
        if not row:
            return None if "decides" in self.tree.questions(self.step) else self
        if row[0].way != ONE_OF:
            return self.first_of(row)
        options = tuple(filter(self.is_due, row))
        if len(options) > 1 or (options and self.step.step.optional):
            return replace(self, options=options)
        return self.in_step(options[0], is_option=True) if options else None

    def first_go(self, step: SequenceStep) -> FirstStop:
        """Return the first of the goes of all who do a step, in its first round."""
        phasing, actors = self.players_named(step.step.phasing), self.players_named(step.given_actors)
        stop = replace(self, step=step)
        if noun := self.tree.noun(step):
            number, total = 1, ""
            if step.rounds and step.rounds.minimum == step.rounds.maximum:
                number, total = _first_round(step), f" of {step.rounds.maximum}"
            stop = replace(stop, round=number, rounds={**self.rounds, step: f"{noun} {number}{total}"})
        if phasing:
            return replace(stop, phasing=phasing[0][0], actor=None)
        return replace(stop, actor=actors[0] if len(actors) > 1 else None) if step.step.by else stop

    def is_due(self, step: SequenceStep) -> bool:
        """Return whether a step is done in the first turn, and in the round of the steps around it."""
        for value in step.step.in_turns:
            is_side = value in self.tree.book.sides
            if self.phasing != value if is_side else not _includes(value, 1):
                return False
        return not step.step.in_rounds or _includes(step.step.in_rounds, self.round)

    def players_named(self, words: Iterable[str]) -> list[tuple[str, str]]:
        """Return the players whom words name, each with the word for his role, or for an order himself."""
        players = self.tree.players
        acting = self.phasing or (self.actor[0] if self.actor else "")
        place = players.index(acting) if acting in players else len(players)
        opponents = players[place + 1 :] + players[:place]
        by_order = dict.fromkeys((IN_ORDER, *self.tree.book.orders), players)
        by_order |= {name: players[place:][:1] for place, name in enumerate(PLACES)}
        by_order[OTHERS_IN_ORDER] = opponents
        by_role: dict[str, tuple[str, ...]] = {PHASING: (self.phasing,)} if self.phasing else {}
        by_role |= {OTHER: opponents} if acting and len(players) == 2 else {}
        pairs: list[tuple[str, str]] = []
        for word in words:
            if word in by_order and word not in players:
                pairs += [(player, player) for player in by_order[word]]
            else:
                pairs += [(player, word) for player in by_role.get(word, (word,))]
        return pairs

    # What it shows

    @property
    def path(self) -> list[SequenceStep]:
        """Return the steps from its phase to it; outside of phases those below the turn."""
        path = [self.step]
        while path[0].parent and not is_phase(path[0]) and not path[0].parent.is_turn:
            path.insert(0, path[0].parent)
        return path

    @property
    def enclosing_steps(self) -> list[SequenceStep]:
        """Return the steps around it up to its phase, innermost first."""
        return self.path[-2::-1]

    @property
    def head(self) -> list[tuple[str, str]]:
        """Return the titles of the steps around it, each with its round; or else that of its turn."""
        steps = reversed([*self.step.self_and_ancestors()])
        shown = [
            step for step in steps if step in self.rounds or step in self.enclosing_steps or is_phase(step)
        ]
        turn = next((step for step in self.step.ancestors() if step.is_turn), self.step)
        return [(plain_text(step.step.title), self.rounds.get(step, "")) for step in shown or [turn]]

    @property
    def focus(self) -> SequenceStep:
        """Return the step whose rules and tables are shown."""
        return (*self.options, self.step)[0]

    @property
    def acting(self) -> list[tuple[Actor, Actor]]:
        """Return the players who act, in this order, each with his role."""
        pairs = [self.actor] if self.actor else self.players_named(self.step.actors)
        pairs = [pair for pair in pairs if pair[0] != NOBODY] or pairs
        return [(self.tree.actor(name), self.tree.actor(role)) for name, role in dict.fromkeys(pairs)]

    @property
    def buttons(self) -> tuple[str, str]:
        """Return the words of the button that does not lead on, if any, and of that which does."""
        if self.kind:
            _, no, yes = self.tree.questions(self.step)[self.kind]
            return no, f"{yes} ›"
        skip = self.tree.skipped(self.step)
        if self.options:
            return skip, f"{plain_text(self.options[0].step.title)} ›"
        return skip or "Skip", "Done"

    @property
    def players(self) -> list[Actor]:
        """Return the players among whom it decides."""
        return [self.tree.actor(name) for name in self.tree.players if self.kind == "decides"]

    @property
    def interruptions(self) -> list[SequenceStep]:
        """Return the steps that may be done at any time there."""
        steps = [*self.step.self_and_ancestors()][self.kind in ("if", "unless") :]
        return [inner for step in steps for inner in step.interruptions if self.is_due(inner)]

    @property
    def alternatives(self) -> list[SequenceStep]:
        """Return the steps that may be done first in its place."""
        rows = [step.parent.ordered for step in self.step.self_and_ancestors() if step.parent]
        inside = {*self.step.self_and_ancestors()}
        found = [step for row in rows if row[0].way == ANY_ORDER for step in row if step not in inside]
        return list(filter(self.is_due, found))


def find_first_stop(tree: PlayTree) -> FirstStop | None:
    """Return the stop of a new game; None if nothing is done in its first turn."""
    root = tree.sequence.root
    return FirstStop(tree, root).first_of(tree.sequence.steps) if root else None


def _first_round(step: SequenceStep) -> int:
    """Return the first round in which one of the inner steps is done."""
    values = (inner.step.in_rounds or "from 1" for inner in step.ordered)
    return min((numbers.first for numbers in map(parse_counts, values) if numbers), default=1)


def _includes(value: str, number: int) -> bool:
    counts = parse_counts(value)
    return counts is not None and counts.includes(number)
