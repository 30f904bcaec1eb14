"""Types of everything drawn from data: symbols in texts, counters, and diagrams of hexes.

The available terrain, hexsides, ways, arrows and units are in `templates/drawn/shapes.svg`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rulewright.files.located_text import LocatedText
from rulewright.schema.figure_placement import FigurePlacement
from rulewright.schema.yaml_fields import OptionalText, field_key, mapping_field

MAX_COPIES = 200
"""Maximum number of copies of a counter or a card."""


@dataclass(frozen=True, slots=True, eq=False)
class SymbolSpec:
    """Symbol that texts show for `:its-name:`."""

    means: OptionalText = field_key(
        "Its text for screen readers; its name if left out.", example="an Ember Point"
    )
    letters: OptionalText = field_key("Up to three letters in a box.", either=True, example="EP")
    path: OptionalText = field_key(
        "An SVG path on a square of 24 by 24.", either=True, example="M4 4h16v16H4z"
    )
    file: OptionalText = field_key("A picture beside this file.", either=True, example="ember.svg")


@dataclass(frozen=True, slots=True, eq=False)
class CounterFace:
    """One side of a counter."""

    unit: OptionalText = field_key(
        "Its unit symbol, such as infantry, or a symbol of the book.", example="infantry"
    )
    size: OptionalText = field_key("The size above its unit symbol: I, II, III, X, XX, XXX.", example="X")
    words: OptionalText = field_key("Words instead of the unit symbol, as on a marker.", example="DEPOT")
    top: OptionalText = field_key("Text above: its name or formation.", example="Mill")
    left: OptionalText = field_key("Text to the left of the unit symbol.", example='"6"')
    right: OptionalText = field_key("Text to the right of the unit symbol.", example='"2"')
    values: OptionalText = field_key('The numbers at its bottom: "6-7".', example="2-4")
    colour: OptionalText = field_key(
        "Its own colour, as #rrggbb; that of its side if left out.", colour=True, example='"#8a4b00"'
    )


@dataclass(frozen=True, slots=True, eq=False)
class Counter(CounterFace):
    """A counter of the game; in texts it is `:its-name:`. Its back is on sheets of counters."""

    means: OptionalText = field_key(
        "Its text for screen readers; its name if left out.", example="Mill Watch"
    )
    side: OptionalText = field_key("Its side, by the name that steps use.", example="league")
    back: CounterFace | None = field_key("The differences on its back.", example="{values: 1-4}")
    count: OptionalText = field_key(
        "Its count in the game; one if left out.", count=MAX_COPIES, example='"8"'
    )


@dataclass(frozen=True, slots=True, eq=False)
class HexMap:
    """Hex grid of the book's maps."""

    hexes: OptionalText = field_key(
        "`flat` if hexes have a side on top, `pointed` if a corner; flat if left out.",
        words="hexes",
        example="pointed",
    )
    shifted: OptionalText = field_key(
        "The columns shifted down by half a hex, or the rows of pointed hexes shifted right: `odd` "
        "or `even`.",
        words="shifted",
        example="even",
    )


Places = Mapping[LocatedText, tuple[LocatedText, ...]]


@dataclass(frozen=True, slots=True, eq=False)
class DiagramSpec(FigurePlacement):
    """Section of a map with everything on it."""

    title: OptionalText = field_key("The caption below it.", prose=True, example="A zone at the river")
    area: LocatedText = field_key(
        'The hexes, from corner to corner: "1307-1812".', must=True, example='"0506-0909"'
    )
    terrain: Places = mapping_field(
        'Hexes by their terrain: {forest: ["1409", "1610-1711"]}.', lone=True, example='{forest: ["0607"]}'
    )
    hexsides: Places = mapping_field(
        "Features along hexsides: {river: [1510/1610]}.", lone=True, example="{river: [0607/0608]}"
    )
    ways: Places = mapping_field(  # plain: ok
        'Features through hexes: {road: ["1509 1510 1611"]}.', lone=True, example='{road: ["0506 0507 0608"]}'
    )
    labels: Places = mapping_field(
        "Words on the map, each with its hexes.", lone=True, example='{Mill: ["0607"]}'
    )
    units: Places = mapping_field(
        "The counters in a hex, the lowest first.", lone=True, example='{"0506": mill-watch}'
    )
    arrows: Places = mapping_field(
        'Arrows by meaning, attack, move, retreat, fire or supply: {move: ["1410 1510"]}.',
        lone=True,
        example='{move: ["0506 0607"]}',
    )
    areas: Places = mapping_field("Highlighted hexes, by meaning.", lone=True, example='{reach: ["0607"]}')
