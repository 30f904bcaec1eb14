"""Types that `aids/*.yml` are read into: a player aid, its paper and its blocks.

An aid is paper and blocks. A block shows a part of the edition, so an aid says nothing that the rules do not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rulewright.model.yaml_fields import field_key, list_field, mapping_field
from rulewright.source.located_text import LocatedText

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
    from rulewright.model.diagram_model import DiagramSpec

ALL = "all"
"""The word for every table of the edition."""

DEEPEST, MOST_COPIES = 20, 200
"""How many levels are shown, or copies made of a card, at most."""


@dataclass(frozen=True, slots=True)
class SequenceBlock:
    """The sequence of play in outline."""

    of: tuple[LocatedText, ...] = list_field(
        "The steps to show with all inside them, by title or id; the whole where left out.",
        lone=True,
        names="step",
    )
    depth: LocatedText | None = field_key(
        "How many levels of steps are shown; all where left out.", count=DEEPEST
    )


@dataclass(frozen=True, slots=True)
class LegendBlock:
    """The signs of who acts."""


@dataclass(frozen=True, slots=True)
class ErrataBlock:
    """Errata with what they change, and questions with their answers."""

    of: tuple[LocatedText, ...] = list_field(
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

    title: LocatedText | None = field_key("Its title.", prose=True)
    over: LocatedText | None = field_key("A line above its title: who plays it.", prose=True)
    of: LocatedText | None = field_key("The side or the role whose colour it has.", names="actor")
    colour: LocatedText | None = field_key("A colour of its own, as #rrggbb.", colour=True)
    sign: LocatedText | None = field_key(
        "A sign at its head, by its name: infantry, die 6, a symbol of the book.", names="sign"
    )
    see: tuple[LocatedText, ...] = list_field("The rules that govern it.", cites=True, lone=True)
    foot: LocatedText | None = field_key("A line at its foot.", prose=True)
    blocks: tuple[Block, ...] = list_field("What it shows: rules, steps, tables, a list, words of your own.")


@dataclass(frozen=True, slots=True)
class Card(CardFace):
    """A card."""

    title: LocatedText = field_key("Its title.", must=True, prose=True)
    copies: LocatedText | None = field_key(
        "How many of it are printed; one where left out.", count=MOST_COPIES
    )
    back: CardFace | None = field_key("Its back, where that is not the one of all.")


@dataclass(frozen=True, slots=True)
class CardsBlock:
    """Cards to cut out, on pages of their own, each back behind its front."""

    cards: tuple[Card, ...] = list_field("The cards, in order.", must=True)
    size: LocatedText | None = field_key(
        "How large they are: 63 x 88 mm (where left out), poker, bridge, tarot, mini."
    )
    gap: LocatedText | None = field_key("How far they lie apart: 4 mm; they share their cuts where left out.")
    back: CardFace | None = field_key("The back of all; none is printed where no card has any.")


@dataclass(frozen=True, slots=True)
class Block:
    """One part of an aid. `sort` is its key; one without particulars is that word alone: `- legend`."""

    sort: LocatedText = field_key("The key that says what the block shows.", skip=True, sort=True, apart=True)
    sequence: SequenceBlock | None = field_key("The sequence of play in outline.", either=True)
    checklist: ChecklistBlock | None = field_key("A list of steps to tick off.", either=True)
    tables: tuple[LocatedText, ...] = list_field(
        "Tables, by number, id or title; `all` for all.", either=True, lone=True, names="table"
    )
    matrix: MatrixBlock | None = field_key("Who may do what in which phase.", either=True)
    narrative: NarrativeBlock | None = field_key("The sequence of play in words.", either=True)
    turn: TurnBlock | None = field_key("The game turn as a strip of phases.", either=True)
    rules: tuple[LocatedText, ...] = list_field(
        "Rules in full, by number.", either=True, lone=True, cites=True
    )
    list: ListBlock | None = field_key("A list: an order of stacking, a summary.", either=True)
    notes: LocatedText | None = field_key(
        "Words of your own. Paragraphs, **bold**, lists.", either=True, prose=True
    )
    legend: LegendBlock | None = field_key("The signs of who acts.", either=True)
    picture: PictureBlock | None = field_key("A picture.", either=True)
    diagram: DiagramSpec | None = field_key("A piece of a map, drawn from data.", either=True)
    results: tuple[LocatedText, ...] = list_field(
        "The results of tables, each with its meaning; the tables as in `tables`.",
        either=True,
        lone=True,
        names="table",
    )
    errata: ErrataBlock | None = field_key("Errata with what they change, and answers.", either=True)
    track: TrackBlock | None = field_key("A track of boxes: turns, points.", either=True)
    cards: CardsBlock | None = field_key("Cards to cut out.", either=True)
    counters: CountersBlock | None = field_key("Counters of the book to cut out.", either=True)
    panel: LocatedText | None = field_key(
        "The panel of a folded sheet in which the blocks below it stand.", either=True
    )
    title: LocatedText | None = field_key("The heading above it.", prose=True)
    wide: LocatedText | None = field_key("`yes` where it stands across all columns.", words="yes")
    split: LocatedText | None = field_key("`yes` where it may be split between columns.", words="yes")
    starts: LocatedText | None = field_key("Where it begins: a new `column` or `page`.", words="starts")


@dataclass(frozen=True, slots=True)
class TypeSizes:
    """The limits between which the size of type may be chosen so that everything fits."""

    smallest: LocatedText | None = field_key("The smallest size of text; 8 pt where left out.")
    largest: LocatedText | None = field_key("The largest size of text; 14 pt where left out.")


@dataclass(frozen=True, slots=True)
class SpotInk:
    """An ink of its own, which a plate of its own prints."""

    name: LocatedText = field_key("The ink as printers know it: PANTONE 291 C.", must=True)
    cmyk: tuple[LocatedText, ...] = list_field(
        "Percentages of cyan, magenta, yellow and black that stand in for it on a screen.", must=True
    )


@dataclass(frozen=True, slots=True)
class Aid:
    """A file in `aids/`: one player aid of an edition."""

    title: LocatedText = field_key("What stands at its head.", must=True)
    about: LocatedText | None = field_key("What it is for, in a sentence, for its page.", prose=True)
    paper: LocatedText | None = field_key(
        "letter, legal, tabloid, a3, a4, a5, with landscape behind it or without, or width x height: "
        "148 x 210 mm. Where left out, letter."
    )
    orientation: LocatedText | None = field_key(
        "portrait or landscape; portrait where left out, landscape if folded.", words="orientation"
    )
    sides: LocatedText | None = field_key("How many sides of the paper are printed: 1 or 2.")
    pages: LocatedText | None = field_key(
        "How many pages it must fill; as many as it has sides where left out."
    )
    columns: LocatedText | None = field_key("How many columns a page or a panel has; one where left out.")
    fold: LocatedText | None = field_key(
        "none, bi-fold, tri-fold, gate-fold or screen, which has four panels.", words="fold"
    )
    panels: tuple[LocatedText, ...] = list_field(
        "The panels of a folded sheet from left to right, those of the outside first, by any names."
    )
    tab: LocatedText | None = field_key(
        "A word on a tab at the edge of each page; those of an edition stand below one another."
    )
    bleed: LocatedText | None = field_key("How far the ground reaches beyond the trim: 3 mm, 1/8 in, 0.")
    ink: LocatedText | None = field_key("colour, or black for black alone.", words="ink")
    inks: Mapping[LocatedText, SpotInk] = mapping_field(
        "The spot inks that it is printed with besides, each by the side or the role whose colour it is."
    )
    type: TypeSizes | None = field_key("Between which limits the size of type is chosen.")
    blocks: tuple[Block, ...] = list_field("What it shows, in this order.", must=True, one="block")
