"""The first stop of a new game, whose words the page has before any script.

The walker (`walk.js`) goes through the turn in the same way. A turn that begins with rounds, with a choice or
with players in an order has no such words: the script asks first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rulewright.render.pages.play_tree import PlayTree, is_phase
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
    """The stop at which a new game begins."""

    tree: PlayTree
    step: SequenceStep
    kind: str = ""
    """The name of its question in `PlayTree.questions`; empty for a step to do."""
    phasing: str = ""
    """Who is phasing; empty if nobody is."""
    actor: str = ""
    """The first of several who act one after another."""

    def enter(self, step: SequenceStep) -> FirstStop | None:
        """Return the stop at a step that is reached from this one; None if the script asks for it."""
        keys, asks = step.step, self.tree.questions(step)
        if arrival := [kind for kind in ("if", "unless") if kind in asks]:
            return replace(self, step=step, kind=arrival[0])
        orders = {IN_ORDER, OTHERS_IN_ORDER, *map(str, self.tree.book.orders)}
        is_choice = bool(step.ordered) and step.ordered[0].way == ONE_OF
        if is_choice or keys.for_each or step.rounds or "decides" in asks:
            return None
        if not orders.isdisjoint((*keys.phasing, *step.given_actors)):
            return None
        if keys.phasing:
            return replace(self, step=step, phasing=self.player(keys.phasing[0]), actor="")
        actor = self.actor
        if keys.by:
            actor = step.given_actors[0] if len(step.given_actors) > 1 else ""
        return replace(self, step=step, actor=actor)

    def is_due(self, step: SequenceStep) -> bool:
        """Return whether a step is done in the first turn, and in the first round of the steps around it."""
        counts = map(parse_counts, filter(None, (*step.step.in_turns, step.step.in_rounds)))
        sides = [value for value in step.step.in_turns if value in self.tree.book.sides]
        return all(side == self.phasing for side in sides) and all(c.includes(1) for c in counts if c)

    def player(self, word: str) -> str:
        """Return the player whom the word for a role or a place in the order names, or else the word."""
        acting, players = self.phasing or self.actor, self.tree.players
        if word in PLACES[: len(players)]:
            return players[PLACES.index(word)]
        if word == PHASING and self.phasing:
            return self.phasing
        if word == OTHER and acting in players and len(players) == 2:
            return players[1 - players.index(acting)]
        return word

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
    def head(self) -> list[SequenceStep]:
        """Return the steps around it, or else its turn."""
        steps = reversed([*self.step.self_and_ancestors()])
        shown = [step for step in steps if step in self.enclosing_steps or is_phase(step)]
        return shown or [next((step for step in self.step.ancestors() if step.is_turn), self.step)]

    @property
    def acting(self) -> list[tuple[Actor, Actor]]:
        """Return the players who act, in this order, each with his role."""
        words: Sequence[str] = (self.actor,) if self.actor else self.step.actors
        pairs = dict.fromkeys((self.player(word), word) for word in words)
        acting = [pair for pair in pairs if pair[0] != NOBODY] or pairs
        return [(self.tree.actor(name), self.tree.actor(role)) for name, role in acting]

    @property
    def buttons(self) -> tuple[str, str]:
        """Return the words of the button that does not lead on, if any, and of that which does."""
        if self.kind:
            _, no, yes = self.tree.questions(self.step)[self.kind]
            return no, f"{yes} ›"
        return self.tree.skipped(self.step) or "Skip", "Done"

    @property
    def interruptions(self) -> list[SequenceStep]:
        """Return the steps that may be done at any time there."""
        steps = [*self.step.self_and_ancestors()][bool(self.kind) :]
        return [inner for step in steps for inner in step.interruptions if self.is_due(inner)]

    @property
    def alternatives(self) -> list[SequenceStep]:
        """Return the steps that may be done first in its place."""
        inside = [*self.step.self_and_ancestors()]
        rows = [step.parent.ordered for step in inside if step.parent]
        found = [step for row in rows if row[0].way == ANY_ORDER for step in row if step not in inside]
        return list(filter(self.is_due, found))


def find_first_stop(tree: PlayTree) -> FirstStop | None:
    """Return the stop of a new game; None if the script asks first, or nothing is done in the first turn."""
    steps, root = tree.sequence.steps, tree.sequence.root
    stop = FirstStop(tree, root) if root else None
    while stop and (due := list(filter(stop.is_due, steps))):
        stop = stop.enter(due[0])
        if stop is None or stop.kind or not stop.step.ordered:
            return stop
        steps = stop.step.ordered
    return None
