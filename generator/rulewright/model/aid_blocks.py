"""Types of the blocks of a player aid that few aids have: `keys.type_of` imports them when one does."""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.model.keys import key, many
from rulewright.model.placed import Placed
from rulewright.source import bounds
from rulewright.source.text import Text

DEEPEST, MOST_TURNS = 20, 20
"""How many levels are shown, or turns ticked off, at most."""


@dataclass(frozen=True, slots=True)
class ChecklistBlock:
    """The sequence of play with a box to tick for each player, and room for game, turn and date."""

    of: Text | None = key(
        "The step whose inside is ticked off, by title or id; a game turn where left out.", names="step"
    )
    depth: Text | None = key(
        "How many levels of steps have a box; phases and segments where left out.", count=DEEPEST
    )
    header: tuple[Text, ...] = many("What there is room to write at its head: Game, Turn, Date.", lone=True)
    turns: Text | None = key(
        "How many game turns it has columns of boxes for; one where left out.", count=MOST_TURNS
    )


@dataclass(frozen=True, slots=True)
class Activity:
    """A line of the matrix: what may be done, and the steps that are such."""

    title: Text = key("What is done.", must=True)
    steps: tuple[Text, ...] = many(
        "The steps that count as it, by title or id, or the rules they cite.",
        must=True,
        lone=True,
        names="activity",
    )


@dataclass(frozen=True, slots=True)
class MatrixBlock:
    """Who may do what in which phase, worked out from the sequence of play."""

    activities: tuple[Activity, ...] = many(
        "The lines; where left out, everything that is done in more than one phase, and all combat."
    )
    of: Text | None = key(
        "The turn whose phases are the columns; the first player turn where left out.", names="step"
    )


@dataclass(frozen=True, slots=True)
class NarrativeBlock:
    """The sequence of play in words."""

    of: tuple[Text, ...] = many(
        "The steps that are told, by title or id; the whole sequence where left out.", lone=True, names="step"
    )
    depth: Text | None = key("How many levels of steps are told; all where left out.", count=DEEPEST)


@dataclass(frozen=True, slots=True)
class ListBlock:
    """A list that the rules do not hold as one: an order of stacking, a summary."""

    items: tuple[Text, ...] = many("Its entries.", must=True, prose=True)
    numbered: Text | None = key("`yes` where the order counts.", words="yes")
    see: tuple[Text, ...] = many("The rules that govern it.", cites=True, lone=True)


@dataclass(frozen=True, slots=True)
class PictureBlock(Placed):
    """A picture, 15 mm for 100 pixels where no `width` is said, and no wider than its column."""

    file: Text = key("The picture's file, beside this one.", must=True, names="picture")
    alt: Text = key("What the picture shows, for readers who do not see it.", must=True)
    caption: Text | None = key("What is below it.", prose=True)


@dataclass(frozen=True, slots=True)
class TrackMark:
    """A mark in some boxes of a track: words or a counter."""

    at: tuple[Text, ...] = many("The boxes, by number or name: 3, 5-8.", must=True, lone=True)
    text: Text | None = key("Words: an event, what holds from here on.", either=True, prose=True)
    counter: Text | None = key("A counter that lies there.", either=True, names="counter")


@dataclass(frozen=True, slots=True)
class TrackBlock:
    """A track of boxes, in which a counter lies: of turns, of points, of holding boxes."""

    boxes: tuple[Text, ...] = many(
        "How many boxes there are: 12, or 0-20 with the numbers that they bear; or the name of each.",
        must=True,
        lone=True,
    )
    begins: Text | None = key("The date of its first box, for a turn track: 1943-07-10.", date=True)
    each: Text | None = key("How long a box lasts: a day, 3 days, a week, 2 months. A week where left out.")
    across: Text | None = key(
        "How many boxes stand side by side; as many as hold a counter where left out.", count=bounds.LIST.most
    )
    marks: tuple[TrackMark, ...] = many("What stands in its boxes.")


@dataclass(frozen=True, slots=True)
class CountersBlock:
    """Counters of the book to cut out, on pages of their own, each back behind its front."""

    of: tuple[Text, ...] = many(
        "Which, by name or by side; all of the book where left out.", lone=True, names="counters"
    )
    size: Text | None = key("How wide they are: 15 mm where left out, 5/8 in.")
    gap: Text | None = key("How far they lie apart; they share their cuts where left out.")
