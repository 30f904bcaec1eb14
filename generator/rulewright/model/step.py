"""Types that `sequence.yml` is read into: the sequence of play, its steps, differences and options.

A key with `said` is a fact: something that a step says beside its title.
"""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.model.yaml_fields import field_key, list_field
from rulewright.source.located_text import LocatedText

DO = "do"
"""The innermost kind of step, in every book."""

FREE = "yes"
"""The condition of a step that is optional, or must be done, without any."""


@dataclass(frozen=True, slots=True, eq=False)
class Interval:
    """How often a step comes round, counted in game turns."""

    turns: LocatedText = field_key("After how many game turns it comes round.", must=True, count=999)
    start: LocatedText | None = field_key(
        "The game turn in which it comes round first; after as many turns where left out.",
        name="from",
        count=999,
    )


@dataclass(frozen=True, slots=True, eq=False, init=False, repr=False)
class StepAttributes:
    """Everything that a step says beside its kind and its title."""

    label: LocatedText | None = field_key(
        'The label that the book prints in front of it: "A.", "2.".', apart="name"
    )
    id: LocatedText | None = field_key(
        "A short name for this step, for `repeats` and addresses.", apart="name"
    )
    abbreviation: LocatedText | None = field_key("What the book shortens its name to.")
    see: tuple[LocatedText, ...] = list_field("The rules that govern the step.", cites=True, lone=True)
    by: tuple[LocatedText, ...] = list_field(
        "Who acts: phasing, non-phasing, both, either, a side, none, or `unspecified` where nobody is named; "
        "several act in this order.",
        lone=True,
        apart=True,
    )
    phasing: LocatedText | None = field_key("The side that is phasing in this player turn.")
    repeats: LocatedText | None = field_key(
        "The id of the step that is gone through again; `phasing` may differ.", names="step", apart="name"
    )
    may_occur: LocatedText | None = field_key(
        "On what condition an event comes about that is nobody's choice; `yes` where chance alone decides.",
        prose=True,
        said="may occur if {}",
        free="does not occur",
    )
    optional: LocatedText | None = field_key(
        "On what condition it may be done or left out; `yes` where that is free.",
        prose=True,
        said="optional if {}",
        free="not optional",
    )
    must: LocatedText | None = field_key(
        "On what condition it must be done; `yes` where it always must.",
        prose=True,
        said="required if {}",
        free="not required",
    )
    every: LocatedText | Interval | None = field_key(
        "How often it comes round: `4 game turns` for every fourth; `{turns: 4, from: 1}` for 1, 5 and 9.",
        prose=True,
        said="every {}",
        or_keys=Interval,
    )
    when: LocatedText | None = field_key(
        "When, or on what condition, it is done.", prose=True, said="when {}"
    )
    during: LocatedText | None = field_key(
        "The time it takes place in: a step beside it, by title or id, in which it is played; or words.",
        prose=True,
        said="during {}",
    )
    skip_when: LocatedText | None = field_key(
        "On what condition it is passed over.", prose=True, said="skipped if {}"
    )
    second_time_when: LocatedText | None = field_key(
        "On what condition it holds only when it comes about for the second time.",
        prose=True,
        said="only the second time if {}",
    )
    only: LocatedText | None = field_key(
        "The units or players that the step is limited to.", prose=True, said="only {}"
    )
    not_for: tuple[LocatedText, ...] = list_field(
        "The units or players that are left out of it.", prose=True, lone=True, said="not for {}", join="or"
    )
    exempt: tuple[LocatedText, ...] = list_field(
        "Those that need not do it, or to whom its limits do not apply.",
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
        "Which kinds of it there are here: air, naval, artillery.", prose=True, lone=True, said="{}"
    )
    sets: tuple[LocatedText, ...] = list_field(
        "The status it gives, each that there is: In Supply, Out of Supply.",
        prose=True,
        lone=True,
        said="mark as {}",
        join="or",
    )
    lasts: LocatedText | None = field_key("How long holds what it settles.", prose=True, said="for {}")
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
        "Activities that are allowed here beside the steps inside.", prose=True, lone=True, said="also {}"
    )
    never: tuple[LocatedText, ...] = list_field(
        "Activities that are not allowed here.", lone=True, said="no {}", join="or"
    )
    note: LocatedText | None = field_key("Anything else to know here.", prose=True)
    activity: LocatedText | None = field_key(
        "The sort of activity: `combat` marks a combat action of whoever acts."
    )
    steps: tuple[Step, ...] = list_field("The steps inside, to be done in this order.", apart=True)
    any_order: tuple[Step, ...] = list_field("The steps inside, to be done in any order.", apart=True)
    narrative: LocatedText | None = field_key("What happens in this step, told in full.", prose=True)
    exceptions: tuple[TurnDifference, ...] = list_field(
        "What is different from the step that is repeated: steps added, dropped and changed.",
        name="except",
        apart=True,
    )


@dataclass(frozen=True, slots=True, eq=False)
class Step(StepAttributes):
    """One step of the sequence of play. Its kind is its first key: phase, segment, do …"""

    kind: LocatedText = field_key(
        "The kind of step, which is the key that its title stands under.", skip=True, apart=True
    )
    title: LocatedText = field_key("What is done.", one_of="steps", must=True, prose=True)
    was: LocatedText | None = field_key(
        "The title, id or address it had in the edition that this one follows, or `none`.", apart="name"
    )


@dataclass(frozen=True, slots=True, eq=False)
class TurnDifference(StepAttributes):
    """Something in which a turn differs from the one that it repeats. Keys beside `change` replace its keys.

    Steps are named by their titles, or by their ids.
    """

    kind: LocatedText | None = field_key("The kind of step, where it is another one.", skip=True)
    title: LocatedText | None = field_key("Its title, where it is another one.", one_of="steps", prose=True)
    add: Step | None = field_key("The step that is added.", either=True)
    drop: LocatedText | None = field_key("The step that is left out.", either=True, names="step")
    change: LocatedText | None = field_key(
        "The step that is gone through in another way.", either=True, names="step"
    )
    before: LocatedText | None = field_key("The step in front of which the added one comes.", names="step")
    after: LocatedText | None = field_key("The step behind which the added one comes.", names="step")


@dataclass(frozen=True, slots=True, eq=False)
class Sequence:
    """`sequence.yml`: the sequence of play."""

    title: LocatedText = field_key("What the book calls it.", must=True, prose=True)
    text: LocatedText | None = field_key("What holds for the whole sequence.", prose=True)
    steps: tuple[Step, ...] = list_field("The steps of a game turn.", must=True, apart=True)
    exceptions: tuple[TurnDifference, ...] = list_field(
        "In a game without steps of its own, what is different from the series' sequence of play.",
        name="except",
        apart=True,
    )
