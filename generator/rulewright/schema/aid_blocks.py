"""Types for blocks of a player aid that show pictures, tracks, counters and tables of activities."""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.files import limits
from rulewright.files.located_text import LocatedText
from rulewright.schema.figure_placement import FigurePlacement
from rulewright.schema.yaml_fields import OptionalText, Texts, field_key, list_field

DEEPEST, MAX_TURNS = 20, 20
"""Maximum number of levels to show, and of turns to tick off."""


@dataclass(frozen=True, slots=True)
class ChecklistBlock:
    """Sequence of play with a box to tick for each player, and room for game, turn and date."""

    of: OptionalText = field_key(
        "The step whose inner steps have boxes, by title or id; a game turn if left out.",
        names="step",
        example="first",
    )
    depth: OptionalText = field_key(
        "The number of levels with boxes; phases and segments if left out.", count=DEEPEST, example='"2"'
    )
    header: Texts = list_field(
        "Blank fields at its top: Game, Turn, Date.", lone=True, example="[Scenario, Date]"
    )
    turns: OptionalText = field_key(
        "The number of game turns, each a column of boxes; one if left out.", count=MAX_TURNS, example='"3"'
    )


@dataclass(frozen=True, slots=True)
class Activity:
    """Row of the matrix: an activity, and the steps that count as it."""

    title: LocatedText = field_key("The activity.", must=True, example="Attacks")
    steps: Texts = list_field(
        "The steps that count as it, by title or id.",
        must=True,
        lone=True,
        names="activity",
        example="Combat Segment",
    )


@dataclass(frozen=True, slots=True)
class MatrixBlock:
    """Matrix of activities by player and phase, derived from the sequence of play."""

    activities: tuple[Activity, ...] = list_field(
        "The rows; if left out, all activities of more than one phase, and all combat.",
        example="[{title: Attacks, steps: Combat Segment}]",
    )
    of: OptionalText = field_key(
        "The turn whose phases are the columns; the first player turn if left out.",
        names="step",
        example="league",
    )


@dataclass(frozen=True, slots=True)
class NarrativeBlock:
    """Narrative of the sequence of play."""

    of: Texts = list_field(
        "The steps to include, by title or id; the whole sequence if left out.",
        lone=True,
        names="step",
        example="first",
    )
    depth: OptionalText = field_key(
        "The number of levels of steps to include; all if left out.", count=DEEPEST, example='"2"'
    )


@dataclass(frozen=True, slots=True)
class ListBlock:
    """List that the rules do not contain: an order of stacking, a summary."""

    items: Texts = list_field("Its items.", must=True, prose=True, example="[Stack on top, Stack below]")
    numbered: OptionalText = field_key("`yes` to number the items.", words="yes", example="yes")
    see: Texts = list_field("The rules that govern it.", cites=True, lone=True, example='"5.0"')


@dataclass(frozen=True, slots=True)
class PictureBlock(FigurePlacement):
    """Picture, 15 mm per 100 pixels unless it has a `width`, and at most as wide as its column."""

    file: LocatedText = field_key(
        "The picture's file, beside this one.", must=True, names="picture", example="map.svg"
    )
    alt: LocatedText = field_key(
        "A text alternative that describes the picture.", must=True, example="The coast"
    )
    caption: OptionalText = field_key("The caption below it.", prose=True, example="The coast at low tide")


@dataclass(frozen=True, slots=True)
class TrackMark:
    """Text or counter in some boxes of a track."""

    at: Texts = list_field(  # plain: ok
        "The boxes, by number or name: 3, 5-8.", must=True, lone=True, example='"4"'
    )
    text: OptionalText = field_key(
        "A text: an event, or something in force from here on.",
        either=True,
        prose=True,
        example="Spring tide (16.5)",
    )
    counter: OptionalText = field_key(
        "A counter in the box.", either=True, names="counter", example="mill-watch"
    )


@dataclass(frozen=True, slots=True)
class TrackBlock:
    """Track of boxes for a counter: turns, points, holding boxes."""

    boxes: Texts = list_field(
        "The number of boxes (12), their numbers (0-20), or the name of each.",
        must=True,
        lone=True,
        example="0-30",
    )
    begins: OptionalText = field_key(
        "The date of its first box, for a turn track: 1943-07-10.", date=True, example="1943-07-10"
    )
    each: OptionalText = field_key(  # plain: ok
        "The duration of a box: a day, 3 days, a week, 2 months; a week if left out.", example="3 days"
    )
    across: OptionalText = field_key(
        "The number of boxes in a row; as many as fit a counter if left out.",
        count=limits.LIST.maximum,
        example='"8"',
    )
    marks: tuple[TrackMark, ...] = list_field(
        "The contents of its boxes.", example='[{at: "4", text: Spring tide}]'
    )


@dataclass(frozen=True, slots=True)
class CountersBlock:
    """Counters of the book to cut out, on separate pages, fronts and backs aligned."""

    of: Texts = list_field(
        "The counters, by name or by side; all of the book if left out.",
        lone=True,
        names="counters",
        example="league",
    )
    size: OptionalText = field_key("Their width: 5/8 in; 15 mm if left out.", example="5/8 in")
    gap: OptionalText = field_key(
        "The gap between them; 4 mm if left out, 0 for shared cuts.", example="4 mm"
    )
