"""Types that `sequence.yml` is read into: the sequence of play, its steps, and differences of repeated turns.

`yaml_fields.field_key` explains the arguments of each field. The first is the help for the key, in which "it"
is the step. A field with a `phrase` is a step attribute: pages show its phrase beside the title of the step.
A key that is a Python keyword has a field of another name: `start` for `from`, `exceptions` for `except`.
"""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.files.located_text import LocatedText
from rulewright.schema.yaml_fields import field_key, list_field

DO = "do"
"""The kind of the innermost steps, as in `- do: Roll the dice`. Books declare all other kinds."""

YES = "yes"
"""Value of a key that takes yes, no or a condition, such as `optional`, if there is no condition."""


@dataclass(frozen=True, slots=True, eq=False)
class Interval:
    """Interval between the game turns in which a step is done."""

    turns: LocatedText = field_key(
        "The number of game turns from one time that it is done to the next.", must=True, count=999
    )
    start: LocatedText | None = field_key(
        "The first game turn in which it is done; by default, the one whose number is `turns`.",
        name="from",
        count=999,
    )


@dataclass(frozen=True, slots=True, eq=False, init=False, repr=False)
class StepAttributes:
    """Keys that a step has beside its kind and its title; a difference of a repeated turn has them too.

    The phrases of a step are shown in the order of these fields.
    """

    # The step itself, who acts and which step it repeats

    label: LocatedText | None = field_key(
        'The label that the book prints before it: "A.", "2.".', apart="name"
    )
    id: LocatedText | None = field_key(
        "A short name for this step, for `repeats` and addresses.", apart="name"
    )
    abbreviation: LocatedText | None = field_key("Its abbreviation in the book.")
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

    # Conditions: whether and when it is done
    may_occur: LocatedText | None = field_key(
        "For an event that no player chooses: under which condition it may occur; `yes` if by chance alone.",
        prose=True,
        phrase="may occur if {}",
        phrase_for_no="does not occur",
    )
    optional: LocatedText | None = field_key(
        "The condition under which players may choose to do it; `yes` if they always may.",
        prose=True,
        phrase="optional if {}",
        phrase_for_no="not optional",
    )
    must: LocatedText | None = field_key(
        "The condition under which it must be done; `yes` if it always must.",
        prose=True,
        phrase="required if {}",
        phrase_for_no="not required",
    )
    every: LocatedText | Interval | None = field_key(
        "Its interval: `4 game turns` for every fourth; `{turns: 4, from: 1}` for game turns 1, 5 and 9.",
        prose=True,
        phrase="every {}",
        or_keys=Interval,
    )
    when: LocatedText | None = field_key(
        "When, or on what condition, it is done.", prose=True, phrase="when {}"
    )
    during: LocatedText | None = field_key(
        "When it takes place: the sibling step during which it is played, by title or id; or words.",
        prose=True,
        phrase="during {}",
    )
    skip_when: LocatedText | None = field_key(
        "The condition under which it is skipped.", prose=True, phrase="skipped if {}"
    )
    second_time_when: LocatedText | None = field_key(
        "The condition under which it applies only the second time.",
        prose=True,
        phrase="only the second time if {}",
    )

    # Scope and limits
    only: LocatedText | None = field_key(
        "The units or players that the step is limited to.", prose=True, phrase="only {}"
    )
    not_for: tuple[LocatedText, ...] = list_field(
        "The units or players that it does not apply to.",
        prose=True,
        lone=True,
        phrase="not for {}",
        join="or",
    )
    exempt: tuple[LocatedText, ...] = list_field(
        "The units or players that need not do it, or to whom its limits do not apply.",
        prose=True,
        lone=True,
        phrase="except {}",
    )
    limit: LocatedText | None = field_key(
        "How much of it may be done: one attack, 3 hexes.", prose=True, phrase="up to {}"
    )
    moves: LocatedText | None = field_key(
        "How far units move in it: 1/4 MA, ×2 MA, one hex.", prose=True, phrase="moving {}"
    )
    cost: LocatedText | None = field_key("What it costs.", prose=True, phrase="pay {}")

    # Dice, tables and results
    rolls: LocatedText | None = field_key("The dice it rolls.", prose=True, phrase="roll {}")
    uses: tuple[LocatedText, ...] = list_field(
        "The tables it uses.", prose=True, lone=True, phrase="{}", names="table"
    )
    kinds: tuple[LocatedText, ...] = list_field(
        "The variants of the activity: air, naval, artillery.", prose=True, lone=True, phrase="{}"
    )
    sets: tuple[LocatedText, ...] = list_field(
        "Every status that it may give to units: In Supply, Out of Supply.",
        prose=True,
        lone=True,
        phrase="mark as {}",
        join="or",
    )
    lasts: LocatedText | None = field_key("How long its result lasts.", prose=True, phrase="for {}")
    places: tuple[LocatedText, ...] = list_field(
        "The markers it places.", prose=True, lone=True, phrase="place {}"
    )
    removes: tuple[LocatedText, ...] = list_field(
        "The markers it removes.", prose=True, lone=True, phrase="remove {}"
    )
    flips: tuple[LocatedText, ...] = list_field(
        "The markers it turns over.", prose=True, lone=True, phrase="flip {}"
    )
    swaps: tuple[LocatedText, ...] = list_field(
        "The two turns that change places in the order of play, by id or title.",
        lone=True,
        phrase="{} change places",
        names="step",
    )

    # Activities and inner steps
    allows: tuple[LocatedText, ...] = list_field(
        "Activities that are allowed during it in addition to its inner steps.",
        prose=True,
        lone=True,
        phrase="also {}",
    )
    never: tuple[LocatedText, ...] = list_field(
        "Activities that are not allowed during it.", lone=True, phrase="no {}", join="or"
    )
    note: LocatedText | None = field_key("Anything else to know about it.", prose=True)
    activity: LocatedText | None = field_key(
        "The sort of activity: `combat` marks a combat action of the actors."
    )
    steps: tuple[Step, ...] = list_field("The inner steps, to be done in this order.", apart=True)
    any_order: tuple[Step, ...] = list_field("The inner steps, to be done in any order.", apart=True)
    narrative: LocatedText | None = field_key("A full description of what happens in it.", prose=True)
    exceptions: tuple[TurnDifference, ...] = list_field(
        "The differences from the step that it repeats: steps added, dropped and changed.",
        name="except",
        apart=True,
    )


@dataclass(frozen=True, slots=True, eq=False)
class Step(StepAttributes):
    """A step of the sequence of play. Its title is the value of the key for its kind: `phase: Combat`."""

    kind: LocatedText = field_key(
        "The kind of step: the key whose value is the title.", skip=True, apart=True
    )
    title: LocatedText = field_key("What is done.", one_of="steps", must=True, prose=True)
    was: LocatedText | None = field_key(
        "Its title, id or path in the edition that this one follows, or `none`.", apart="name"
    )


@dataclass(frozen=True, slots=True, eq=False)
class TurnDifference(StepAttributes):
    """A difference between a repeated turn and the turn that it repeats: one of `add`, `drop` and `change`.

    Keys in addition to `change` replace those keys of the changed step. Steps are named by title or id.
    """

    kind: LocatedText | None = field_key("The kind of the changed step, if it is another one.", skip=True)
    title: LocatedText | None = field_key(
        "The title of the changed step, if it is another one.", one_of="steps", prose=True
    )
    add: Step | None = field_key("The step that is added.", either=True)
    drop: LocatedText | None = field_key("The step that is dropped.", either=True, names="step")
    change: LocatedText | None = field_key("The step that is changed.", either=True, names="step")
    before: LocatedText | None = field_key("The step before which the added step is inserted.", names="step")
    after: LocatedText | None = field_key("The step after which the added step is inserted.", names="step")


@dataclass(frozen=True, slots=True, eq=False)
class PlaySequence:
    """The whole file `sequence.yml`: the sequence of play."""

    title: LocatedText = field_key("What the book calls it.", must=True, prose=True)
    text: LocatedText | None = field_key("Text on the whole sequence.", prose=True)
    steps: tuple[Step, ...] = list_field("The steps of a game turn.", must=True, apart=True)
    exceptions: tuple[TurnDifference, ...] = list_field(
        "For a game without `steps`: the differences from the sequence of play of its series.",
        name="except",
        apart=True,
    )
