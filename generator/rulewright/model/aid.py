"""Types that `aids/*.yml` are read into: a player aid, its paper and its blocks.

An aid is paper and blocks. A block shows a part of the edition, so an aid says nothing that the rules do not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rulewright.model.keys import key, many, table
from rulewright.source.text import Text

if TYPE_CHECKING:
    from rulewright.model.aid_blocks import (
        ChecklistBlock,
        CountersBlock,
        ListBlock,
        MatrixBlock,
        NarrativeBlock,
        PictureBlock,
        TrackBlock,
    )
    from rulewright.model.drawn import Diagram

ALL = "all"
"""The word for every table of the edition."""

DEEPEST, MOST_COPIES = 20, 200
"""How many levels are shown, or copies made of a card, at most."""


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
class LegendBlock:
    """The signs of who acts."""


@dataclass(frozen=True, slots=True)
class ErrataBlock:
    """Errata with what they change, and questions with their answers."""

    of: tuple[Text, ...] = many(
        "What they are of: rules, table, aid, counter, map; `answers` for questions. All where left out.",
        lone=True,
        words="remarks",
    )


@dataclass(frozen=True, slots=True)
class TurnBlock:
    """The phases of a game turn as a strip, from left to right."""


@dataclass(frozen=True, slots=True)
class CardFace:
    """A side of a card. Without blocks its title stands in its middle."""

    title: Text | None = key("Its title.", prose=True)
    over: Text | None = key("A line above its title: who plays it.", prose=True)
    of: Text | None = key("The side or the role whose colour it has.", names="actor")
    colour: Text | None = key("A colour of its own, as #rrggbb.", colour=True)
    sign: Text | None = key(
        "A sign at its head, by its name: infantry, die 6, a symbol of the book.", names="sign"
    )
    see: tuple[Text, ...] = many("The rules that govern it.", cites=True, lone=True)
    foot: Text | None = key("A line at its foot.", prose=True)
    blocks: tuple[Block, ...] = many("What it shows: rules, steps, tables, a list, words of your own.")


@dataclass(frozen=True, slots=True)
class Card(CardFace):
    """A card."""

    title: Text = key("Its title.", must=True, prose=True)
    copies: Text | None = key("How many of it are printed; one where left out.", count=MOST_COPIES)
    back: CardFace | None = key("Its back, where that is not the one of all.")


@dataclass(frozen=True, slots=True)
class CardsBlock:
    """Cards to cut out, on pages of their own, each back behind its front."""

    cards: tuple[Card, ...] = many("The cards, in order.", must=True)
    size: Text | None = key("How large they are: 63 x 88 mm (where left out), poker, bridge, tarot, mini.")
    gap: Text | None = key("How far they lie apart: 4 mm; they share their cuts where left out.")
    back: CardFace | None = key("The back of all; none is printed where no card has any.")


@dataclass(frozen=True, slots=True)
class Block:
    """One part of an aid. `sort` is its key; one without particulars is that word alone: `- legend`."""

    sort: Text = key("The key that says what the block shows.", skip=True, sort=True, apart=True)
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
    diagram: Diagram | None = key("A piece of a map, drawn from data.", either=True)
    results: tuple[Text, ...] = many(
        "The results of tables, each with its meaning; the tables as in `tables`.",
        either=True,
        lone=True,
        names="table",
    )
    errata: ErrataBlock | None = key("Errata with what they change, and answers.", either=True)
    track: TrackBlock | None = key("A track of boxes: turns, points.", either=True)
    cards: CardsBlock | None = key("Cards to cut out.", either=True)
    counters: CountersBlock | None = key("Counters of the book to cut out.", either=True)
    panel: Text | None = key("The panel of a folded sheet in which the blocks below it stand.", either=True)
    title: Text | None = key("The heading above it.", prose=True)
    wide: Text | None = key("`yes` where it stands across all columns.", words="yes")
    split: Text | None = key("`yes` where it may be split between columns.", words="yes")
    starts: Text | None = key("Where it begins: a new `column` or `page`.", words="starts")


@dataclass(frozen=True, slots=True)
class TypeSizes:
    """The limits between which the size of type may be chosen so that everything fits."""

    smallest: Text | None = key("The smallest size of text; 8 pt where left out.")
    largest: Text | None = key("The largest size of text; 14 pt where left out.")


@dataclass(frozen=True, slots=True)
class SpotInk:
    """An ink of its own, which a plate of its own prints."""

    name: Text = key("The ink as printers know it: PANTONE 291 C.", must=True)
    cmyk: tuple[Text, ...] = many(
        "Percentages of cyan, magenta, yellow and black that stand in for it on a screen.", must=True
    )


@dataclass(frozen=True, slots=True)
class Aid:
    """A file in `aids/`: one player aid of an edition."""

    title: Text = key("What stands at its head.", must=True)
    about: Text | None = key("What it is for, in a sentence, for its page.", prose=True)
    paper: Text | None = key(
        "letter, legal, tabloid, a3, a4, a5, with landscape behind it or without, or width x height: "
        "148 x 210 mm. Where left out, letter."
    )
    orientation: Text | None = key(
        "portrait or landscape; portrait where left out, landscape if folded.", words="orientation"
    )
    sides: Text | None = key("How many sides of the paper are printed: 1 or 2.")
    pages: Text | None = key("How many pages it must fill; as many as it has sides where left out.")
    columns: Text | None = key("How many columns a page or a panel has; one where left out.")
    fold: Text | None = key(
        "none, bi-fold, tri-fold, gate-fold or screen, which has four panels.", words="fold"
    )
    panels: tuple[Text, ...] = many(
        "The panels of a folded sheet from left to right, those of the outside first, by any names."
    )
    tab: Text | None = key(
        "A word on a tab at the edge of each page; those of an edition stand below one another."
    )
    bleed: Text | None = key("How far the ground reaches beyond the trim: 3 mm, 1/8 in, 0.")
    ink: Text | None = key("colour, or black for black alone.", words="ink")
    inks: Mapping[Text, SpotInk] = table(
        "The spot inks that it is printed with besides, each by the side or the role whose colour it is."
    )
    pdfx: Text | None = key("4 where the printer asks for PDF/X-4; it needs a profile.", words="pdfx")
    profile: Text | None = key("The ICC profile of the press, a file beside this one.")
    type: TypeSizes | None = key("Between which limits the size of type is chosen.")
    blocks: tuple[Block, ...] = many("What it shows, in this order.", must=True, one="block")
