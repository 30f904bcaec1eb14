"""Sequence of play: a tree of steps as they are played.

A step that repeats another has copies of that step's inner steps, with its differences applied. Each copy has
its `origin`, and the differences are marked, so that a reader of the tree needs neither the kinds of steps
nor the keys `repeats` and `except`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

from rulewright.files.located_text import LocatedText
from rulewright.schema.rulebook import Rulebook
from rulewright.schema.step import (
    DO,
    PlaySequence,
    Step,
    given_keys,
    inner_steps_of,
)
from rulewright.sequence.derived_sequence import DerivedSequence
from rulewright.sequence.step_counts import Rounds, parse_rounds

PATH = " › "
TOP = "top"
"""Anchor of the heading of a page."""

PHASING, OTHER, NOBODY = "phasing", "non-phasing", "none"
IN_ORDER, OTHERS_IN_ORDER = "in order", "others in order"
PLACES = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
"""Names for the places in the order that is decided in play."""

ANY_ORDER, ONE_OF, AT_ANY_TIME = "any order", "one of", "at any time"
GAME = "game"
"""Value of `ends` for the whole game."""

_NAMES = {"label", "id", "abbreviation"}


class SequenceEdition(Protocol):
    """Edition of a sequence of play, as far as the steps need it."""

    @property
    def address(self) -> str: ...
    @property
    def short(self) -> str: ...
    @property
    def book(self) -> Rulebook: ...
    @property
    def sequence(self) -> PlaySequence | None: ...
    @property
    def derived(self) -> DerivedSequence | None: ...
    @property
    def base(self) -> SequenceEdition | None: ...
    @property
    def with_series(self) -> Iterator[SequenceEdition]: ...
    def has_written(self, text: str) -> bool: ...


@dataclass(eq=False, slots=True, repr=False)
class SequenceStep:
    """Step of the sequence of play."""

    step: Step
    """The keys in force: with those of the step that it repeats, or of the step that it is a copy of."""
    own_keys: Step
    """The keys that are written for this step only; for a changed one, the changed keys."""
    edition: SequenceEdition
    anchor: str
    """Anchor on the page of the sequence."""
    parent: SequenceStep | None = None
    way: str = "steps"
    """The key of the parent that holds it: "steps", "any order", "one of" or "at any time"."""
    inner: list[SequenceStep] = field(default_factory=list)
    """All inner steps, in the order of play; copies, if it repeats another."""
    repeats_step: SequenceStep | None = None
    """The step that it repeats."""
    origin: SequenceStep | None = None
    """The step that it is a copy of."""
    difference: str = ""
    """In a step that repeats another: "added", "dropped" or "changed"."""
    left_out: list[SequenceStep] = field(default_factory=list)
    """The copies that its differences take out, also those inside its inner steps."""
    actors: tuple[str, ...] = ()
    """Who acts; empty if nobody says, or if the inner steps disagree."""
    given_actors: tuple[str, ...] = ()
    """Who acts by this step or one around it."""
    is_turn: bool = False
    """It names who is phasing, or has such steps."""
    is_block: bool = False
    """It is set off from other steps: an outermost step, or one of the phases of a turn."""

    @property
    def name_in_anchor(self) -> str:
        return self.anchor.rpartition("/")[2]

    @property
    def level(self) -> int:
        return self.parent.level + 1 if self.parent else 0

    @property
    def ordered(self) -> list[SequenceStep]:
        """Return the inner steps except those that may be done at any time."""
        return [step for step in self.inner if step.way != AT_ANY_TIME]

    @property
    def interruptions(self) -> list[SequenceStep]:
        """Return the inner steps that may be done at any time."""
        return [step for step in self.inner if step.way == AT_ANY_TIME]

    @property
    def is_choice(self) -> bool:
        """Return whether one of its inner steps is done."""
        return any(step.way == ONE_OF for step in self.inner)

    @property
    def phasing(self) -> tuple[str, ...]:
        """Return who is phasing in this step, one after another, if it says so."""
        names = tuple(map(str, self.step.phasing))
        return () if names == (PHASING,) else names

    @property
    def phasing_around(self) -> tuple[str, ...]:
        """Return who is phasing in this step or the nearest step around it that says so."""
        return self.phasing or (self.parent.phasing_around if self.parent else ())

    @property
    def acting(self) -> tuple[str, ...]:
        """Return whom its mark names: who is phasing in it, or else who acts."""
        return self.phasing or self.given_actors or self.actors

    @property
    def actors_change(self) -> bool:
        """Return whether other players act than in the step around it."""
        if self.parent is None:
            return True
        return self.acting != ((PHASING,) if self.parent.phasing else self.parent.actors)

    @property
    def is_played_in_turns(self) -> bool:
        """Return whether several players do it one after another."""
        names = (*self.phasing, *map(str, self.step.by))
        is_by_order = not {IN_ORDER, OTHERS_IN_ORDER, *self.edition.book.orders}.isdisjoint(names)
        return is_by_order or len(self.phasing) > 1 or len(self.step.by) > 1

    @property
    def rounds(self) -> Rounds | None:
        return parse_rounds(self.step.rounds)

    @property
    def path(self) -> str:
        """Return its path for messages, without turns: Movement Phase › Movement Segment › Overruns."""
        above = self.parent.path if self.parent and not self.parent.is_turn else ""
        return f"{above}{PATH}{self.step.title}" if above else str(self.step.title)

    @property
    def reverses_roles(self) -> bool:
        """Return whether it repeats the turn of the other of two sides."""
        book, phasing = self.edition.book, tuple(map(str, self.own_keys.phasing))
        repeated = self.repeats_step.phasing if self.repeats_step else phasing
        has_two_players = len(book.sides) == 2 or (not book.sides and book.players == "2")
        return has_two_players and len(phasing) == len(repeated) == 1 and phasing != repeated

    @property
    def is_combat(self) -> bool:
        return self.step.activity == "combat"

    @property
    def is_different(self) -> bool:
        """Return whether it has the mark of a difference: a new step, or a change of more than its names."""
        return self.difference == "added" or (
            self.difference == "changed" and not given_keys(self.own_keys).keys() <= _NAMES
        )

    @property
    def has_differences(self) -> bool:
        """Return whether it or a step in it has the mark of a difference; what is dropped has none."""
        return any(step.is_different for step in self.iter_subtree())

    @property
    def copied_turn(self) -> SequenceStep | None:
        """Return the step whose inner steps this one and those around it are copies of."""
        step = self
        while step.origin and step.parent:
            step = step.parent
        return step.repeats_step if step is not self else None

    @property
    def is_same(self) -> bool:
        """Return whether it is shown by name only, since it is as in the turn that is repeated."""
        if not self.origin or not self.parent or self.has_differences:
            return False
        if self.parent.origin:
            return self.parent.has_differences and bool(self.inner) and is_heading(self)
        return self.is_block

    @property
    def has_narrative(self) -> bool:
        """Return whether it is part of the narrative: it has narrative text, or is a turn with such steps."""
        return bool(self.step.narrative) or (
            self.is_turn and any(step.has_narrative for step in self.displayed_steps)
        )

    @property
    def shows_inner_steps(self) -> bool:
        """Return whether its inner steps are displayed; the line of a step that is as another is enough."""
        is_as_another = (
            self.repeats_step and not inner_steps_of(self.own_keys) and not self.own_keys.exceptions
        )
        return not self.is_same and (self.has_differences or not is_as_another)

    @property
    def displayed_steps(self) -> list[SequenceStep]:
        """Return the inner steps as displayed."""
        return self.inner if self.shows_inner_steps else []

    @property
    def is_displayed(self) -> bool:
        """Return whether it has a place on the page of the sequence."""
        return self.parent is None or (self.parent.shows_inner_steps and self.parent.is_displayed)

    @property
    def page_anchor(self) -> str:
        """Return its anchor on the page of the sequence: for a copy without a place there, its original's."""
        has_place = self.is_displayed and self.difference != "dropped"
        return self.anchor if has_place else self.original.anchor

    @property
    def lists_options(self) -> bool:
        """Return whether its line lists the options, since none of them has more than a title."""
        return self.is_choice and all(step.is_bare for step in self.ordered)

    @property
    def is_bare(self) -> bool:
        """Return whether a step has nothing but a title."""
        has_own_actors = self.parent and self.given_actors != self.parent.given_actors
        is_more = self.inner or self.difference or has_own_actors
        return not is_more and given_keys(self.step).keys() <= {"id", "by"}

    @property
    def ended_step(self) -> SequenceStep | None:
        """Return the step around it that is over when it is done; None if it ends none, or the game."""
        ends = "" if self.step.ends == GAME else self.step.ends
        for outer in self.ancestors():
            if ends in names_of(outer) or (outer.repeats_step and ends in names_of(outer.repeats_step)):
                return outer
        return None

    @property
    def original(self) -> SequenceStep:
        """Return the displayed step that it is a copy of."""
        step = self.origin or self
        while step.origin and step.is_plain_copy:
            step = step.origin
        return step

    def ancestors(self) -> Iterator[SequenceStep]:
        if self.parent:
            yield from self.parent.self_and_ancestors()

    def self_and_ancestors(self) -> Iterator[SequenceStep]:
        yield self
        yield from self.ancestors()

    def iter_subtree(self) -> Iterator[SequenceStep]:
        yield self
        for step in self.inner:
            yield from step.iter_subtree()

    @property
    def owner(self) -> SequenceStep | None:
        """Return the nearest step around it that is written: no unchanged copy."""
        return next((step for step in self.ancestors() if not step.is_plain_copy), None)

    @property
    def is_plain_copy(self) -> bool:
        """Return whether it is a copy without a difference of its own."""
        return self.origin is not None and not self.difference

    @property
    def own_steps(self) -> list[SequenceStep]:
        """Return the inner steps that are written: no copies, but the differences in them."""
        steps: list[SequenceStep] = []
        for step in (*self.inner, *self.left_out):
            steps += step.own_steps if step.is_plain_copy else [step]
        return steps

    def iter_written(self) -> Iterator[SequenceStep]:
        """Yield the step and the steps inside it that are written here: no copies, but all differences."""
        yield self
        for step in self.own_steps:
            yield from step.iter_written()

    def iter_displayed(self) -> Iterator[SequenceStep]:
        """Yield the step and all steps displayed inside it."""
        yield self
        for step in self.displayed_steps:
            yield from step.iter_displayed()


@dataclass(frozen=True, slots=True)
class DifferenceFault:
    """Difference whose name matches no repeated step or several."""

    entry: SequenceStep
    given_name: LocatedText
    matches: tuple[SequenceStep, ...]
    is_dropped: bool = False
    """Whether it is inside a dropped step."""


def is_heading(step: SequenceStep) -> bool:
    """Return whether a step has a heading: a turn, phase or segment, but no action."""
    return step.step.kind != DO and (step.parent is None or is_heading(step.parent))


@dataclass(frozen=True, repr=False)
class SequenceOfPlay:
    """The sequence of play of an edition; without steps if the edition has none."""

    root: SequenceStep | None = None
    """The sequence as a whole, to which its title and text belong; `steps` holds its inner steps."""
    steps: list[SequenceStep] = field(default_factory=list)
    """The outermost steps, in the order of play."""
    difference_faults: list[DifferenceFault] = field(default_factory=list)
    """Faults of the differences of steps that repeat another."""
    loops: dict[SequenceStep, SequenceStep] = field(default_factory=dict)
    """Steps that repeat a step that leads back to them, with that step; they have no copies."""
    is_whole: bool = True
    """Whether no copy is missing because there are too many."""

    def iter_steps(self) -> Iterator[SequenceStep]:
        """Yield the steps that are written, differences among them."""
        return (inner for step in self.steps for inner in step.iter_written())

    def iter_played(self) -> Iterator[SequenceStep]:
        """Yield every step in the order of play."""
        return (inner for step in self.steps for inner in step.iter_subtree())

    def iter_displayed(self) -> Iterator[SequenceStep]:
        """Yield all steps as displayed."""
        return (inner for step in self.steps for inner in step.iter_displayed())

    @cached_property
    def narrative_steps(self) -> list[SequenceStep]:
        """Return the steps of the narrative, as displayed."""
        return [step for step in self.iter_displayed() if step.has_narrative]

    def steps_named(self, name: str) -> list[SequenceStep]:
        # A changed or dropped step has the title of the step that it replaces.
        steps = [step for step in self.iter_steps() if step.difference in ("", "added")]
        with_id = [step for step in steps if step.step.id == name]
        return with_id or [step for step in steps if name in (step.step.title, step.step.title.printed)]


def names_of(step: SequenceStep) -> set[str]:
    """Return the title and the id of a step, and those of the steps that it is a copy of."""
    names = {str(step.step.title), str(step.step.title.printed), str(step.step.id or step.step.title)}
    return names | (names_of(step.origin) if step.origin else set())


def title_slug(title: str, max_words: int = 6) -> str:
    """Return the first words of a title in lower case, joined with hyphens."""
    words = re.findall(r"[^\W_]+", re.sub(r"['’]|\([^()]*\)", "", title.lower()))
    return "-".join(words[:max_words]) or DO
