# A dataclass's fields are made by `key` and `many`, one for each field.
# ruff: noqa: RUF009
"""Types that `aids/*.yml` are read into: a player aid, its paper and its blocks.

An aid is paper and blocks. A block shows a part of the edition, so an aid says nothing that the rules do not.
"""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.model.drawn import Placed
from rulewright.model.keys import key, many
from rulewright.source.text import Text

ALL = "all"
"""The word for every table of the edition."""

DEEPEST, MOST_TURNS = 20, 20
"""How many levels are shown, or turns ticked off, at most."""


@dataclass(frozen=True, slots=True)
class SequenceBlock:
    """The sequence of play in outline."""

    of: tuple[Text, ...] = many(
        "The steps to show with all inside them, by title or id; the whole where left out.",
        lone=True,
        names="step",
    )
    depth: Text | None = key("How many levels of steps are shown; all where left out.", count=DEEPEST)


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
    numbered: Text | None = key("`yes` where the order counts.")
    see: tuple[Text, ...] = many("The rules that govern it.", cites=True, lone=True)


@dataclass(frozen=True, slots=True)
class PictureBlock(Placed):
    """A picture, as wide as its column where nothing else is said."""

    file: Text = key("The picture's file, beside this one.", must=True, names="picture")
    alt: Text = key("What the picture shows, for readers who do not see it.", must=True)
    caption: Text | None = key("What is below it.", prose=True)


@dataclass(frozen=True, slots=True)
class LegendBlock:
    """The signs of who acts."""


@dataclass(frozen=True, slots=True)
class TurnBlock:
    """The phases of a game turn as a strip, from left to right."""


@dataclass(frozen=True, slots=True)
class Block:
    """One part of an aid. `sort` is its key; one without particulars is that word alone: `- legend`."""

    sort: Text = key("The key that says what the block shows.", skip=True, sort=True)
    sequence: SequenceBlock | None = key("The sequence of play in outline.", either=True)
    checklist: ChecklistBlock | None = key("A list of steps to tick off.", either=True)
    tables: tuple[Text, ...] = many(
        "Tables, by number, id or title; `all` for all.", either=True, lone=True, names="table"
    )
    matrix: MatrixBlock | None = key("Who may do what in which phase.", either=True)
    narrative: NarrativeBlock | None = key("The sequence of play in words.", either=True)
    turn: TurnBlock | None = key("The game turn as a strip of phases.", either=True)
    rules: tuple[Text, ...] = many("Rules in full, by number.", either=True, lone=True, cites=True)
    list: ListBlock | None = key("A list: an order of stacking, a summary.", either=True)
    notes: Text | None = key("Words of your own. Paragraphs, **bold**, lists.", either=True, prose=True)
    legend: LegendBlock | None = key("The signs of who acts.", either=True)
    picture: PictureBlock | None = key("A picture.", either=True)
    panel: Text | None = key("The panel of a folded sheet in which the blocks below it stand.", either=True)
    title: Text | None = key("The heading above it.", prose=True)
    wide: Text | None = key("`yes` where it stands across all columns.", words="yes")
    split: Text | None = key("`yes` where it may be split between columns.", words="yes")
    starts: Text | None = key("Where it begins: a new `column` or `page`.", words="starts")


@dataclass(frozen=True, slots=True)
class TypeSizes:
    """The limits between which the size of type may be chosen so that everything fits."""

    smallest: Text | None = key("The smallest size of text; 7.5 pt where left out.")
    largest: Text | None = key("The largest size of text; 10.5 pt where left out.")


@dataclass(frozen=True, slots=True)
class Aid:
    """A file in `aids/`: one player aid of an edition."""

    title: Text = key("What stands at its head.", must=True)
    about: Text | None = key("What it is for, in a sentence, for its page.", prose=True)
    paper: Text | None = key(
        "letter, legal, tabloid, a3, a4, a5, or width x height: 148 x 210 mm. Where left out, letter."
    )
    orientation: Text | None = key(
        "portrait or landscape; portrait where left out, landscape if folded.", words="orientation"
    )
    sides: Text | None = key("How many sides of the paper are printed: 1 or 2.")
    pages: Text | None = key("How many pages it must fill; as many as it has sides where left out.")
    columns: Text | None = key("How many columns a page or a panel has; one where left out.")
    fold: Text | None = key("none, bi-fold or tri-fold.", words="fold")
    panels: tuple[Text, ...] = many(
        "The panels of a folded sheet from left to right, those of the outside first, by any names."
    )
    bleed: Text | None = key("How far the ground reaches beyond the trim: 3 mm, 1/8 in, 0.")
    ink: Text | None = key("colour, or black for black alone.", words="ink")
    type: TypeSizes | None = key("Between which limits the size of type is chosen.")
    blocks: tuple[Block, ...] = many("What it shows, in this order.", must=True)
