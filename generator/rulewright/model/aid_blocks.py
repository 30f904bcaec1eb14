"""Types of the blocks of a player aid that few aids have: `keys.type_of` imports them when one does."""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.model.figure_placement import FigurePlacement
from rulewright.model.yaml_fields import field_key, list_field
from rulewright.source import limits
from rulewright.source.located_text import LocatedText

DEEPEST, MOST_TURNS = 20, 20
"""How many levels are shown, or turns ticked off, at most."""


@dataclass(frozen=True, slots=True)
class ChecklistBlock:
    """The sequence of play with a box to tick for each player, and room for game, turn and date."""

    of: LocatedText | None = field_key(
        "The step whose inside is ticked off, by title or id; a game turn where left out.", names="step"
    )
    depth: LocatedText | None = field_key(
        "How many levels of steps have a box; phases and segments where left out.", count=DEEPEST
    )
    header: tuple[LocatedText, ...] = list_field(
        "What there is room to write at its head: Game, Turn, Date.", lone=True
    )
    turns: LocatedText | None = field_key(
        "How many game turns it has columns of boxes for; one where left out.", count=MOST_TURNS
    )


@dataclass(frozen=True, slots=True)
class Activity:
    """A line of the matrix: what may be done, and the steps that are such."""

    title: LocatedText = field_key("What is done.", must=True)
    steps: tuple[LocatedText, ...] = list_field(
        "The steps that count as it, by title or id, or the rules they cite.",
        must=True,
        lone=True,
        names="activity",
    )


@dataclass(frozen=True, slots=True)
class MatrixBlock:
    """Who may do what in which phase, worked out from the sequence of play."""

    activities: tuple[Activity, ...] = list_field(
        "The lines; where left out, everything that is done in more than one phase, and all combat."
    )
    of: LocatedText | None = field_key(
        "The turn whose phases are the columns; the first player turn where left out.", names="step"
    )


@dataclass(frozen=True, slots=True)
class NarrativeBlock:
    """The sequence of play in words."""

    of: tuple[LocatedText, ...] = list_field(
        "The steps that are told, by title or id; the whole sequence where left out.", lone=True, names="step"
    )
    depth: LocatedText | None = field_key(
        "How many levels of steps are told; all where left out.", count=DEEPEST
    )


@dataclass(frozen=True, slots=True)
class ListBlock:
    """A list that the rules do not hold as one: an order of stacking, a summary."""

    items: tuple[LocatedText, ...] = list_field("Its entries.", must=True, prose=True)
    numbered: LocatedText | None = field_key("`yes` where the order counts.", words="yes")
    see: tuple[LocatedText, ...] = list_field("The rules that govern it.", cites=True, lone=True)


@dataclass(frozen=True, slots=True)
class PictureBlock(FigurePlacement):
    """A picture, 15 mm for 100 pixels where no `width` is said, and no wider than its column."""

    file: LocatedText = field_key("The picture's file, beside this one.", must=True, names="picture")
    alt: LocatedText = field_key("What the picture shows, for readers who do not see it.", must=True)
    caption: LocatedText | None = field_key("What is below it.", prose=True)


@dataclass(frozen=True, slots=True)
class TrackMark:
    """A mark in some boxes of a track: words or a counter."""

    at: tuple[LocatedText, ...] = list_field("The boxes, by number or name: 3, 5-8.", must=True, lone=True)
    text: LocatedText | None = field_key("Words: an event, what holds from here on.", either=True, prose=True)
    counter: LocatedText | None = field_key("A counter that lies there.", either=True, names="counter")


@dataclass(frozen=True, slots=True)
class TrackBlock:
    """A track of boxes, in which a counter lies: of turns, of points, of holding boxes."""

    boxes: tuple[LocatedText, ...] = list_field(
        "How many boxes there are: 12, or 0-20 with the numbers that they bear; or the name of each.",
        must=True,
        lone=True,
    )
    begins: LocatedText | None = field_key(
        "The date of its first box, for a turn track: 1943-07-10.", date=True
    )
    each: LocatedText | None = field_key(
        "How long a box lasts: a day, 3 days, a week, 2 months. A week where left out."
    )
    across: LocatedText | None = field_key(
        "How many boxes stand side by side; as many as hold a counter where left out.",
        count=limits.LIST.maximum,
    )
    marks: tuple[TrackMark, ...] = list_field("What stands in its boxes.")


@dataclass(frozen=True, slots=True)
class CountersBlock:
    """Counters of the book to cut out, on pages of their own, each back behind its front."""

    of: tuple[LocatedText, ...] = list_field(
        "Which, by name or by side; all of the book where left out.", lone=True, names="counters"
    )
    size: LocatedText | None = field_key("How wide they are: 15 mm where left out, 5/8 in.")
    gap: LocatedText | None = field_key("How far they lie apart; they share their cuts where left out.")
