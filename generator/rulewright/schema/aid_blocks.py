"""Types for blocks of a player aid that show pictures, tracks, counters and tables of activities."""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.files import limits
from rulewright.files.located_text import LocatedText
from rulewright.schema.figure_placement import FigurePlacement
from rulewright.schema.yaml_fields import field_key, list_field

DEEPEST, MAX_TURNS = 20, 20
"""Maximum number of levels to show, and of turns to tick off."""


@dataclass(frozen=True, slots=True)
class ChecklistBlock:
    """Sequence of play with a box to tick for each player, and room for game, turn and date."""

    of: LocatedText | None = field_key(
        "The step whose inner steps have boxes, by title or id; a game turn if left out.", names="step"
    )
    depth: LocatedText | None = field_key(
        "The number of levels with boxes; phases and segments if left out.", count=DEEPEST
    )
    header: tuple[LocatedText, ...] = list_field("Blank fields at its top: Game, Turn, Date.", lone=True)
    turns: LocatedText | None = field_key(
        "The number of game turns, each a column of boxes; one if left out.", count=MAX_TURNS
    )


@dataclass(frozen=True, slots=True)
class Activity:
    """Row of the matrix: an activity, and the steps that count as it."""

    title: LocatedText = field_key("The activity.", must=True)
    steps: tuple[LocatedText, ...] = list_field(
        "The steps that count as it, by title or id, or the rules they cite.",
        must=True,
        lone=True,
        names="activity",
    )


@dataclass(frozen=True, slots=True)
class MatrixBlock:
    """Matrix of activities by player and phase, derived from the sequence of play."""

    activities: tuple[Activity, ...] = list_field(
        "The rows; if left out, all activities of more than one phase, and all combat."
    )
    of: LocatedText | None = field_key(
        "The turn whose phases are the columns; the first player turn if left out.", names="step"
    )


@dataclass(frozen=True, slots=True)
class NarrativeBlock:
    """Narrative of the sequence of play."""

    of: tuple[LocatedText, ...] = list_field(
        "The steps to include, by title or id; the whole sequence if left out.", lone=True, names="step"
    )
    depth: LocatedText | None = field_key(
        "The number of levels of steps to include; all if left out.", count=DEEPEST
    )


@dataclass(frozen=True, slots=True)
class ListBlock:
    """List that the rules do not contain: an order of stacking, a summary."""

    items: tuple[LocatedText, ...] = list_field("Its items.", must=True, prose=True)
    numbered: LocatedText | None = field_key("`yes` to number the items.", words="yes")
    see: tuple[LocatedText, ...] = list_field("The rules that govern it.", cites=True, lone=True)


@dataclass(frozen=True, slots=True)
class PictureBlock(FigurePlacement):
    """Picture, 15 mm per 100 pixels unless it has a `width`, and at most as wide as its column."""

    file: LocatedText = field_key("The picture's file, beside this one.", must=True, names="picture")
    alt: LocatedText = field_key("A text alternative that describes the picture.", must=True)
    caption: LocatedText | None = field_key("The caption below it.", prose=True)


@dataclass(frozen=True, slots=True)
class TrackMark:
    """Text or counter in some boxes of a track."""

    at: tuple[LocatedText, ...] = list_field("The boxes, by number or name: 3, 5-8.", must=True, lone=True)
    text: LocatedText | None = field_key(
        ("A text: an event, or something in force from here on."), either=True, prose=True
    )
    counter: LocatedText | None = field_key("A counter in the box.", either=True, names="counter")


@dataclass(frozen=True, slots=True)
class TrackBlock:
    """Track of boxes for a counter: turns, points, holding boxes."""

    boxes: tuple[LocatedText, ...] = list_field(
        "The number of boxes (12), their numbers (0-20), or the name of each.",
        must=True,
        lone=True,
    )
    begins: LocatedText | None = field_key(
        "The date of its first box, for a turn track: 1943-07-10.", date=True
    )
    each: LocatedText | None = field_key(
        "The duration of a box: a day, 3 days, a week, 2 months. A week if left out."
    )
    across: LocatedText | None = field_key(
        "The number of boxes in a row; as many as fit a counter if left out.",
        count=limits.LIST.maximum,
    )
    marks: tuple[TrackMark, ...] = list_field("The contents of its boxes.")


@dataclass(frozen=True, slots=True)
class CountersBlock:
    """Counters of the book to cut out, on separate pages, fronts and backs aligned."""

    of: tuple[LocatedText, ...] = list_field(
        "The counters, by name or by side; all of the book if left out.", lone=True, names="counters"
    )
    size: LocatedText | None = field_key("Their width: 5/8 in; 15 mm if left out.")
    gap: LocatedText | None = field_key("The gap between them; they share their cuts if left out.")
