"""Types for `sequence.yml`: the sequence of play, its steps, differences and options.

A key with `said` is a step attribute that appears as a phrase beside the title.
"""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.model.yaml_fields import field_key, list_field
from rulewright.source.located_text import LocatedText

DO = "do"
"""The innermost kind of step in every book."""

FREE = "yes"
"""The value of a condition that always holds, for steps that are optional or required."""


@dataclass(frozen=True, slots=True, eq=False)
class Interval:
    """Interval in game turns at which a step recurs."""

    turns: LocatedText = field_key(
        ("The number of game turns from one time to the next."), must=True, count=999
    )
    start: LocatedText | None = field_key(
        "The game turn in which it occurs first; that of its interval if left out.",
        name="from",
        count=999,
    )


@dataclass(frozen=True, slots=True, eq=False, init=False, repr=False)
class StepAttributes:
    """Everything about a step except its kind and title."""

    label: LocatedText | None = field_key(
        'The label that the book prints before it: "A.", "2.".', apart="name"
    )
    id: LocatedText | None = field_key("A short name for this step, for `repeats` and URLs.", apart="name")
    abbreviation: LocatedText | None = field_key("The book's abbreviation for it.")
    see: tuple[LocatedText, ...] = list_field("The rules that govern the step.", cites=True, lone=True)
    by: tuple[LocatedText, ...] = list_field(
        "Who acts: phasing, non-phasing, both, either, a side, none, or `unspecified` if the book "
        "names nobody; "
        "several act in this order.",
        lone=True,
        apart=True,
    )
    phasing: LocatedText | None = field_key("The side that is phasing in this player turn.")
    repeats: LocatedText | None = field_key(
        "The id of the step that it repeats; `phasing` may differ.", names="step", apart="name"
    )
    may_occur: LocatedText | None = field_key(
        "The condition of an event that nobody chooses; `yes` if only chance decides.",
        prose=True,
        said="may occur if {}",
        free="does not occur",
    )
    optional: LocatedText | None = field_key(
        "The condition under which it is optional; `yes` if it always is.",
        prose=True,
        said="optional if {}",
        free="not optional",
    )
    must: LocatedText | None = field_key(
        "The condition under which it is required; `yes` if it always is.",
        prose=True,
        said="required if {}",
        free="not required",
    )
    every: LocatedText | Interval | None = field_key(
        "How often it occurs: `4 game turns` for every fourth; `{turns: 4, from: 1}` for 1, 5 and 9.",
        prose=True,
        said="every {}",
        or_keys=Interval,
    )
    when: LocatedText | None = field_key("The time or condition of the step.", prose=True, said="when {}")
    during: LocatedText | None = field_key(
        "When it takes place: during a sibling step, by title or id, or in words.",
        prose=True,
        said="during {}",
    )
    skip_when: LocatedText | None = field_key(
        "The condition under which it is skipped.", prose=True, said="skipped if {}"
    )
    second_time_when: LocatedText | None = field_key(
        "The condition that applies only from its second occurrence.",
        prose=True,
        said="only the second time if {}",
    )
    only: LocatedText | None = field_key(
        "The units or players that the step is limited to.", prose=True, said="only {}"
    )
    not_for: tuple[LocatedText, ...] = list_field(
        "The units or players that are excluded from it.", prose=True, lone=True, said="not for {}", join="or"
    )
    exempt: tuple[LocatedText, ...] = list_field(
        "Units or players that are exempt from it or its limits.",
        prose=True,
        lone=True,
        said="except {}",
    )
    limit: LocatedText | None = field_key("How much of it may be done.", prose=True, said="up to {}")
    moves: LocatedText | None = field_key(
        "How far units move in it: 1/4 MA, ×2 MA, one hex.", prose=True, said="moving {}"
    )
    cost: LocatedText | None = field_key("What it costs.", prose=True, said="pay {}")
    rolls: LocatedText | None = field_key("The dice it rolls.", prose=True, said="roll {}")
    uses: tuple[LocatedText, ...] = list_field(
        "The tables it uses.", prose=True, lone=True, said="{}", names="table"
    )
    kinds: tuple[LocatedText, ...] = list_field(
        "Its kinds: air, naval, artillery.", prose=True, lone=True, said="{}"
    )
    sets: tuple[LocatedText, ...] = list_field(
        "All statuses that it sets: In Supply, Out of Supply.",
        prose=True,
        lone=True,
        said="mark as {}",
        join="or",
    )
    lasts: LocatedText | None = field_key("How long its result lasts.", prose=True, said="for {}")
    places: tuple[LocatedText, ...] = list_field(
        "The markers it places.", prose=True, lone=True, said="place {}"
    )
    removes: tuple[LocatedText, ...] = list_field(
        "The markers it removes.", prose=True, lone=True, said="remove {}"
    )
    flips: tuple[LocatedText, ...] = list_field(
        "The markers it turns over.", prose=True, lone=True, said="flip {}"
    )
    swaps: tuple[LocatedText, ...] = list_field(
        "The two turns that change places in the order of play, by id or title.",
        lone=True,
        said="{} change places",
        names="step",
    )
    allows: tuple[LocatedText, ...] = list_field(
        "Activities that are allowed here in addition to the inner steps.",
        prose=True,
        lone=True,
        said="also {}",
    )
    never: tuple[LocatedText, ...] = list_field(
        "Activities that are not allowed here.", lone=True, said="no {}", join="or"
    )
    note: LocatedText | None = field_key("Any other information.", prose=True)
    activity: LocatedText | None = field_key(
        "The type of activity: `combat` marks a combat action of the acting player."
    )
    steps: tuple[Step, ...] = list_field("The inner steps, in this order.", apart=True)
    any_order: tuple[Step, ...] = list_field("The inner steps, in any order.", apart=True)
    narrative: LocatedText | None = field_key("A full description of the step.", prose=True)
    exceptions: tuple[TurnDifference, ...] = list_field(
        "The differences from the repeated step: steps added, dropped and changed.",
        name="except",
        apart=True,
    )


@dataclass(frozen=True, slots=True, eq=False)
class Step(StepAttributes):
    """One step of the sequence of play. Its kind is its first key: phase, segment, do …"""

    kind: LocatedText = field_key("The kind of step: the key of its title.", skip=True, apart=True)
    title: LocatedText = field_key("Its title.", one_of="steps", must=True, prose=True)
    was: LocatedText | None = field_key(
        "Its title, id or path in the edition that this one follows, or `none`.", apart="name"
    )


@dataclass(frozen=True, slots=True, eq=False)
class TurnDifference(StepAttributes):
    """Difference of a turn from the one that it repeats. Keys beside `change` replace those of the step.

    Steps are named by title or id.
    """

    kind: LocatedText | None = field_key("The kind of step, if different.", skip=True)
    title: LocatedText | None = field_key("Its title, if different.", one_of="steps", prose=True)
    add: Step | None = field_key("The step to add.", either=True)
    drop: LocatedText | None = field_key("The step to leave out.", either=True, names="step")
    change: LocatedText | None = field_key("The step to change.", either=True, names="step")
    before: LocatedText | None = field_key("The step that the added one comes before.", names="step")
    after: LocatedText | None = field_key("The step that the added one comes after.", names="step")


@dataclass(frozen=True, slots=True, eq=False)
class Sequence:
    """`sequence.yml`: the sequence of play."""

    title: LocatedText = field_key("The book's title for it.", must=True, prose=True)
    text: LocatedText | None = field_key("Text about the whole sequence.", prose=True)
    steps: tuple[Step, ...] = list_field("The steps of a game turn.", must=True, apart=True)
    exceptions: tuple[TurnDifference, ...] = list_field(
        "In a game without own steps, the differences from the series' sequence of play.",
        name="except",
        apart=True,
    )
