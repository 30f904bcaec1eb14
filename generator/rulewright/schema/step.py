"""Types that `sequence.yml` is read into: the sequence of play, its steps, and differences of repeated turns.

`yaml_fields.field_key` explains the arguments of each field. The first is the help for the key, in which "it"
is the step. A field with a `phrase` is a step attribute: pages show its phrase beside the title of the step.
A key that is a Python keyword has a field of another name: `condition` for `if`, `exceptions` for `except`.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from rulewright.files.located_text import LocatedText
from rulewright.schema.yaml_fields import OptionalText, Texts, field_key, list_field

DO = "do"
"""The kind of the innermost steps, as in `- do: Roll the dice`. Any other word is a kind of the book."""

YES = "yes"
"""Value of a key that takes yes, no or a condition, such as `optional`, if there is no condition."""


@dataclass(frozen=True, slots=True, eq=False, init=False, repr=False)
class StepAttributes:
    """Keys that a step has beside its kind and its title; a difference of a repeated turn has them too.

    The phrases of a step are shown in the order of these fields.
    """

    # The step itself, who acts and which step it repeats

    label: OptionalText = field_key(
        'The label that the book prints before it: "A.", "2.".', apart="name", example="A."
    )
    id: OptionalText = field_key(
        "A short name for this step, for `repeats` and addresses.", apart="name", example="first"
    )
    abbreviation: OptionalText = field_key("Its abbreviation in the book.", example="MPh")
    see: Texts = list_field("The rules that govern the step.", cites=True, lone=True, example='"12.5"')
    by: Texts = list_field(
        "Who acts: phasing, non-phasing, both, either, a side or a role; `in order`, `others in order`, "
        "`first` or an order of the rulebook; none, or `unspecified` if the book names nobody. Several act "
        "in this order.",
        lone=True,
        apart=True,
        example="non-phasing",
    )
    phasing: Texts = list_field(
        "Whose turn it is: a side, `first`, a role or `in order`; for several, it is done once for each.",
        lone=True,
        example="first",
    )
    repeats: OptionalText = field_key(
        "The id of the step that it repeats; its own keys replace those of that step.",
        names="id",
        apart="name",
        example="first",
    )

    # Conditions: whether and when it is done
    optional: OptionalText = field_key(
        "The condition under which players may choose to do it; `yes` if they always may.",
        prose=True,
        phrase="optional if {}",
        phrase_for_no="not optional",
        example="the weather is not Storm",
    )
    must: OptionalText = field_key(
        "The condition under which it must be done; `yes` if it always must.",
        prose=True,
        phrase="required if {}",
        phrase_for_no="not required",
        example="the result says so",
    )
    condition: OptionalText = field_key(
        "The condition under which it is done; with `ends`, under which it ends that step.",
        name="if",
        prose=True,
        phrase="if {}",
        example="the result has an X",
    )
    in_turns: Texts = list_field(
        "The game turns in which it is done: `1`; `3, 7`; `from 4`; `4 to 6`; `every 4`; `every 4 from 1`; "
        "or the side in whose turn it is done.",
        lone=True,
        phrase="{}",
        example="every 4",
    )
    in_rounds: OptionalText = field_key(
        "The rounds of the step around it in which it is done: `1`; `3, 7`; `from 2`; `every 8`.",
        phrase="{}",
        example="from 2",
    )
    when: OptionalText = field_key(
        "The moment at which it is done.", prose=True, phrase="when {}", example="at the end of the phase"
    )
    for_each: OptionalText = field_key(
        "What it is done for again and again, or not at all: attack.",
        prose=True,
        phrase="for each {}",
        example="attack",
    )
    rounds: OptionalText = field_key(
        "How often it is done: `6`; `32 impulses`; `1 to 5`; `up to 3 actions`; `until all pass`; `1 to 5, "
        "until it rains`. Several who act take turns in each round.",
        phrase="{}",
        example="until all pass",
    )
    unless: OptionalText = field_key(
        "The condition under which it is skipped.",
        prose=True,
        phrase="unless {}",
        example="no air unit is Tired",
    )

    # Scope and limits
    only: OptionalText = field_key(
        "The units or players that the step is limited to.",
        prose=True,
        phrase="only {}",
        example="combat units",
    )
    not_for: Texts = list_field(
        "The units or players that it does not apply to.",
        prose=True,
        lone=True,
        phrase="not for {}",
        join="or",
        example="units in an EZOC",
    )
    limit: OptionalText = field_key(
        "How much of it may be done: one attack, 3 hexes.",
        prose=True,
        phrase="at most {}",
        example="one attack",
    )
    moves: OptionalText = field_key(
        "How far units move in it: 1/4 MA, ×2 MA, one hex.", prose=True, phrase="moving {}", example="1/2 MA"
    )
    cost: OptionalText = field_key("What it costs.", prose=True, phrase="pay {}", example="1 EP each")

    # Dice, tables and results
    rolls: OptionalText = field_key("The dice it rolls.", prose=True, phrase="roll {}", example="2d6")
    uses: Texts = list_field(
        "The tables it uses.",
        prose=True,
        lone=True,
        phrase="{}",
        names="table",
        example="Combat Results Table",
    )
    lasts: OptionalText = field_key(
        "How long its result lasts.", prose=True, phrase="for {}", example="the whole game turn"
    )
    places: Texts = list_field(
        "The markers it places.", prose=True, lone=True, phrase="place {}", example="Fired markers"
    )
    removes: Texts = list_field(
        "The markers it removes.", prose=True, lone=True, phrase="remove {}", example="Reserve markers"
    )
    flips: Texts = list_field(
        "The markers it turns over.", prose=True, lone=True, phrase="flip {}", example="Tired air units"
    )
    decides: OptionalText = field_key(
        "What is decided in it: `order` (of the players), an order of the rulebook, `phasing` (whose turn it "
        "is), or a role (who has it).",
        phrase="{}",
        example="order",
    )
    never: Texts = list_field(
        "Activities that are not allowed during it.",
        lone=True,
        phrase="no {}",
        join="or",
        example="[attack, construction]",
    )
    ends: OptionalText = field_key(
        "What is over when it is done: `game`, or a step around it, by title or id.",
        phrase="{}",
        names="step",
        example="game",
    )

    # Inner steps
    note: OptionalText = field_key(
        "Anything else to know about it.", prose=True, example="The higher total chooses."
    )
    activity: OptionalText = field_key(
        "The sort of activity: `combat` marks a combat action of the actors.", example="combat"
    )
    steps: tuple[Step, ...] = list_field(
        "The inner steps, to be done in this order.", apart=True, example="[{do: Roll the dice}]"
    )
    any_order: tuple[Step, ...] = list_field(
        "The inner steps, to be done in any order.", apart=True, example="[{do: Move}, {do: Build}]"
    )
    one_of: tuple[Step, ...] = list_field(
        "The inner steps, of which one is done.", apart=True, example="[{do: Attack}, {do: Pass}]"
    )
    at_any_time: tuple[Step, ...] = list_field(
        "Inner steps that may be done at any time during it, and any number of times.",
        apart=True,
        example="[{do: Play a card}]",
    )
    narrative: OptionalText = field_key(
        "A full description of what happens in it.",
        prose=True,
        example="For each attack go through these steps once.",
    )
    exceptions: tuple[TurnDifference, ...] = list_field(
        "The differences from the step that it repeats: steps added, dropped and changed.",
        name="except",
        apart=True,
        example="[{drop: Supply Phase}]",
    )


COMMON_KEYS = (
    "see", "steps", "optional", "by", "id", "phasing", "activity", "rolls", "uses", "limit", "rounds",
    "one of", "any order", "for each", "if", "unless", "repeats", "except", "decides", "ends", "at any time",
    "note",
)  # fmt: skip
"""The keys that most steps use, the most common first; an editor proposes them before all others."""

INSIDE = {"steps": "steps", "any order": "any_order", "one of": "one_of", "at any time": "at_any_time"}
"""The keys that hold inner steps, each with its field; a step has at most one of the first three."""


def given_keys(step: StepAttributes) -> dict[str, Any]:
    """Return the fields of a step that have a value."""
    values = {f.name: getattr(step, f.name) for f in fields(StepAttributes)}
    return {name: value for name, value in values.items() if value not in (None, ())}


def inner_steps_of(step: StepAttributes) -> tuple[Step, ...]:
    """Return the inner steps of a step as written."""
    return (*step.steps, *step.any_order, *step.one_of, *step.at_any_time)


@dataclass(frozen=True, slots=True, eq=False)
class Step(StepAttributes):
    """A step of the sequence of play. Its title is the value of the key for its kind: `phase: Combat`."""

    kind: LocatedText = field_key(
        "The kind of step: the key whose value is the title.", skip=True, apart=True
    )
    title: LocatedText = field_key(
        "What is done.", by_kind=True, must=True, prose=True, example="do: Roll the dice"
    )
    was: OptionalText = field_key(  # plain: ok
        "Its title, id or path in the edition that this one follows, or `none`.",
        apart="name",
        example="Reinforcement Phase",
    )


@dataclass(frozen=True, slots=True, eq=False)
class TurnDifference(StepAttributes):
    """A difference between a repeated turn and the turn that it repeats: one of `add`, `drop` and `change`.

    Keys in addition to `change` replace those keys of the changed step. Steps are named by title or id.
    """

    kind: OptionalText = field_key("The kind of the changed step, if it is another one.", skip=True)
    title: OptionalText = field_key(
        "The title of the changed step, if it is another one.",
        by_kind=True,
        prose=True,
        example="phase: Rally Phase",
    )
    add: Step | None = field_key("The step that is added.", either=True, example="{phase: Rally Phase}")
    drop: OptionalText = field_key(
        "The step that is dropped.", either=True, names="step", example="Supply Phase"
    )
    change: OptionalText = field_key(
        "The step that is changed.", either=True, names="step", example="Combat Phase"
    )
    before: OptionalText = field_key(
        "The step before which the added step is inserted.", names="step", example="Rally Phase"
    )
    after: OptionalText = field_key(
        "The step after which the added step is inserted.", names="step", example="Supply Phase"
    )


@dataclass(frozen=True, slots=True, eq=False)
class PlaySequence:
    """The whole file `sequence.yml`: the sequence of play."""

    title: LocatedText = field_key(
        "What the book calls it.", must=True, prose=True, example="Sequence of Play"
    )
    text: OptionalText = field_key(
        "Text on the whole sequence.", prose=True, example="Each game turn is a week."
    )
    steps: tuple[Step, ...] = list_field(
        "The steps of a game turn.", must=True, apart=True, example="[{phase: Supply}]"
    )
    exceptions: tuple[TurnDifference, ...] = list_field(
        "For a game without `steps`: the differences from the sequence of play of its series.",
        name="except",
        apart=True,
        example="[{drop: Supply Phase}]",
    )
