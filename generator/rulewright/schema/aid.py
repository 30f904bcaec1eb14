"""Types for `aids/*.yml`: a player aid, its paper and its blocks.

An aid is paper and blocks. A block shows a part of the edition, so an aid adds nothing to the rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rulewright.files import limits
from rulewright.files.located_text import LocatedText
from rulewright.schema.aid_blocks import (
    ChecklistBlock,
    CountersBlock,
    ListBlock,
    MatrixBlock,
    NarrativeBlock,
    PictureBlock,
    TrackBlock,
)
from rulewright.schema.diagram_model import MAX_COPIES, DiagramSpec
from rulewright.schema.yaml_fields import OptionalText, Texts, field_key, list_field, mapping_field

ALL = "all"
"""The value that selects every table of the edition."""

DEEPEST = 20
"""Maximum number of levels to show."""


@dataclass(frozen=True, slots=True)
class SequenceBlock:
    """The sequence of play in outline."""

    of: Texts = list_field(
        "The steps to show with their inner steps, by title or id; all if left out.",
        lone=True,
        names="step",
        example="Combat Phase",
    )
    depth: OptionalText = field_key(
        "The number of levels of steps to show; all if left out.", count=DEEPEST, example='"2"'
    )


@dataclass(frozen=True, slots=True)
class LegendBlock:
    """Legend of the actors' signs."""


@dataclass(frozen=True, slots=True)
class ErrataBlock:
    """Errata with their changes, and answered questions."""

    of: Texts = list_field(
        "Their subjects: rules, table, aid, counter, map; `answers` for questions; all if left out.",
        lone=True,
        words="remarks",
        example="rules",
    )


@dataclass(frozen=True, slots=True)
class TurnBlock:
    """The phases of a game turn as a strip, from left to right."""


@dataclass(frozen=True, slots=True)
class CardFace:
    """Face of a card. Without blocks its title is in the middle."""

    title: OptionalText = field_key("Its title.", prose=True, example="Weather")
    over: OptionalText = field_key(
        "A line above its title, such as its player.", prose=True, example="Both players"
    )
    of: OptionalText = field_key("The side or role whose colour it has.", names="actor", example="phasing")
    colour: OptionalText = field_key("A colour of its own, as #rrggbb.", colour=True, example='"#2f5d3a"')
    sign: OptionalText = field_key(
        "A symbol at its top, by name: infantry, die 6, a symbol of the book.", names="sign", example="ember"
    )
    see: Texts = list_field("The rules that govern it.", cites=True, lone=True, example='"4.6"')
    foot: OptionalText = field_key("A line at its bottom.", prose=True, example="Light before you move.")
    blocks: tuple[Block, ...] = list_field(
        "Its content: rules, steps, tables, a list, your own text.", example='[{rules: "4.6"}]'
    )


@dataclass(frozen=True, slots=True)
class Card(CardFace):
    """Card with its front, copies and back."""

    title: LocatedText = field_key("Its title.", must=True, prose=True, example="Weather")
    copies: OptionalText = field_key(
        "The number of copies; one if left out.", count=MAX_COPIES, example='"2"'
    )
    back: CardFace | None = field_key("Its back, if different from the others.", example="{title: Night}")


@dataclass(frozen=True, slots=True)
class CardsBlock:
    """Cards to cut out, on separate pages, fronts and backs aligned."""

    cards: tuple[Card, ...] = list_field(
        "The cards, in order.", must=True, example='[{title: Weather, see: "4.6"}]'
    )
    size: OptionalText = field_key(
        "Their size: poker, bridge, tarot, mini or 63 x 88 mm; 63 x 88 mm if left out.", example="63 x 88 mm"
    )
    gap: OptionalText = field_key(
        "The gap between them; if left out, 4 mm, or none for cards of one colour.", example="4 mm"
    )
    back: CardFace | None = field_key(
        "The back of all cards; none is printed if no card has one.", example="{title: Ember Coast}"
    )


@dataclass(frozen=True, slots=True)
class Block:
    """Part of an aid. `sort` is its key; a block without other keys may be just that word: `- legend`."""

    sort: LocatedText = field_key("The type of block, which is its key.", skip=True, sort=True, apart=True)
    sequence: SequenceBlock | None = field_key(
        "The sequence of play in outline.", either=True, example='{depth: "2"}'
    )
    checklist: ChecklistBlock | None = field_key("A checklist of steps.", either=True, example='{turns: "3"}')
    tables: Texts = list_field(
        "Tables, by number, id or title; `all` for all.",
        either=True,
        lone=True,
        names="table",
        example='["10.6", "12.10"]',
    )
    matrix: MatrixBlock | None = field_key(
        "The activities of each player by phase.", either=True, example="{of: league}"
    )
    narrative: NarrativeBlock | None = field_key(
        "The sequence of play in words.", either=True, example="{of: first}"
    )
    turn: TurnBlock | None = field_key("The game turn as a strip of phases.", either=True, example="{}")
    rules: Texts = list_field(
        "Rules in full, by number.", either=True, lone=True, cites=True, example='["4.2b", "4.10"]'
    )
    list: ListBlock | None = field_key(
        "A list: an order of stacking, a summary.",
        either=True,
        example="{items: [Stack on top, Stack below]}",
    )
    notes: OptionalText = field_key(
        "Your own text: paragraphs, **bold**, lists.",
        either=True,
        prose=True,
        example='"**Tip:** light before you move."',
    )
    legend: LegendBlock | None = field_key("The legend of the actors' signs.", either=True, example="{}")
    picture: PictureBlock | None = field_key(
        "A picture.", either=True, example="{file: map.svg, alt: The coast}"
    )
    diagram: DiagramSpec | None = field_key(
        "A piece of a map, drawn from data.", either=True, example='{area: "0506-0909"}'
    )
    results: Texts = list_field(
        "The results of tables with their meanings; the tables as in `tables`.",
        either=True,
        lone=True,
        names="table",
        example='"9.9"',
    )
    errata: ErrataBlock | None = field_key(
        "Errata with their changes, and answers.", either=True, example="{of: rules}"
    )
    track: TrackBlock | None = field_key(
        "A track of boxes: turns, points.", either=True, example="{boxes: 0-30}"
    )
    cards: CardsBlock | None = field_key(
        "Cards to cut out.", either=True, example="{size: 63 x 88 mm, cards: [{title: Weather}]}"
    )
    counters: CountersBlock | None = field_key(
        "Counters of the book to cut out.", either=True, example="{of: league}"
    )
    panel: OptionalText = field_key(
        "The panel of a folded sheet for the blocks after it.", either=True, example="front"
    )
    title: OptionalText = field_key("The heading above it.", prose=True, example="Modes")
    wide: OptionalText = field_key("`yes` to span all columns.", words="yes", example="yes")
    split: OptionalText = field_key("`yes` to allow a break between columns.", words="yes", example="yes")
    starts: OptionalText = field_key(
        "Where it begins: a new `column` or `page`.", words="starts", example="page"
    )


@dataclass(frozen=True, slots=True)
class SpotInk:
    """Spot ink, printed from a separate plate."""

    name: LocatedText = field_key(
        "The standard name of the ink: PANTONE 291 C.", must=True, example="PANTONE 291 C"
    )
    cmyk: Texts = list_field(
        "Percentages of cyan, magenta, yellow and black to show it on a screen.",
        must=True,
        example="[40, 10, 0, 0]",
    )


@dataclass(frozen=True, slots=True)
class Aid:
    """File in `aids/`: one player aid of an edition."""

    title: LocatedText = field_key("The heading at its top.", must=True, example="Player Aid")
    about: OptionalText = field_key(
        "Its purpose in a sentence, for its page.",
        prose=True,
        example="What a hex costs and what it is worth.",
    )
    paper: OptionalText = field_key(
        "letter, legal, tabloid, a3, a4, a5, optionally followed by landscape, or width x height: "
        "148 x 210 mm; letter if left out.",
        example="letter",
    )
    orientation: OptionalText = field_key(
        "portrait or landscape; if left out, portrait, or landscape if folded.",
        words="orientation",
        example="landscape",
    )
    sides: OptionalText = field_key(
        "The number of printed sides of the paper: 1 or 2.", count=2, example='"2"'
    )
    pages: OptionalText = field_key(
        "The number of pages; the number of sides if left out.", count=limits.PAGES.maximum, example='"4"'
    )
    columns: OptionalText = field_key(
        "The number of columns of a page or panel; one if left out.", count=8, example='"2"'
    )
    fold: OptionalText = field_key(
        "none, bi-fold, tri-fold, gate-fold or screen, which has four panels.",
        words="fold",
        example="bi-fold",
    )
    panels: Texts = list_field(
        "Names for the panels of a folded sheet from left to right, outside first.",
        example="[back, front, left, right]",
    )
    bleed: OptionalText = field_key(
        "How far the background extends beyond the trim: 3 mm, 1/8 in, 0.", example="3 mm"
    )
    ink: OptionalText = field_key("colour, or black for black only.", words="ink", example="black")
    inks: Mapping[LocatedText, SpotInk] = mapping_field(
        "Its spot inks, each by the side or role whose colour it prints.",
        example="{league: {name: PANTONE 291 C, cmyk: [40, 10, 0, 0]}}",
    )
    type: OptionalText = field_key(
        "The least size of its type, 9.5 to 14 pt; 10 pt if left out.", example="9.5 pt"
    )
    blocks: tuple[Block, ...] = list_field(
        "Its blocks, in this order.", must=True, one="block", example='[{tables: "12.10"}]'
    )
