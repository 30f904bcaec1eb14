"""Types of all that is drawn from data: symbols in texts, counters, and diagrams of hexes.

What content may draw with, terrain, hexsides, ways, arrows and units, is in `templates/drawn/shapes.svg`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rulewright.model.figure_placement import FigurePlacement
from rulewright.model.yaml_fields import field_key, mapping_field
from rulewright.source.located_text import LocatedText


@dataclass(frozen=True, slots=True, eq=False)
class SymbolSpec:
    """A sign that stands in texts as `:its-name:`."""

    means: LocatedText | None = field_key(
        "What it says to readers who do not see it; its name where left out."
    )
    letters: LocatedText | None = field_key("Up to three letters in a box.", either=True)
    path: LocatedText | None = field_key("An SVG path on a square of 24 by 24.", either=True)
    file: LocatedText | None = field_key("A picture beside this file.", either=True)


@dataclass(frozen=True, slots=True, eq=False)
class CounterFace:
    """One side of a counter."""

    unit: LocatedText | None = field_key("Its unit symbol, such as infantry, or a symbol of the book.")
    size: LocatedText | None = field_key("The size above its unit symbol: I, II, III, X, XX, XXX.")
    words: LocatedText | None = field_key("Words in place of the unit symbol, as on a marker.")
    top: LocatedText | None = field_key("What stands above: its name or its formation.")
    left: LocatedText | None = field_key("What stands at the left of the unit symbol.")
    right: LocatedText | None = field_key("What stands at the right of the unit symbol.")
    values: LocatedText | None = field_key('The numbers at its foot: "6-7".')
    colour: LocatedText | None = field_key("Its own colour, as #rrggbb; that of its side where left out.")


@dataclass(frozen=True, slots=True, eq=False)
class Counter(CounterFace):
    """A counter of the game; in texts it is `:its-name:`. Its back is on sheets of counters."""

    means: LocatedText | None = field_key(
        "What it is, for readers who do not see it; its name where left out."
    )
    side: LocatedText | None = field_key("The side that it belongs to, by the name that steps use.")
    back: CounterFace | None = field_key("What is different on its back.")
    count: LocatedText | None = field_key("How many there are of it in the game; one where left out.")


@dataclass(frozen=True, slots=True, eq=False)
class HexMap:
    """How the hexes of the book's maps lie."""

    hexes: LocatedText | None = field_key(
        "`flat` where they have a flat side on top, `pointed` where a corner; flat where left out.",
        words="hexes",
    )
    shifted: LocatedText | None = field_key(
        "Which columns stand half a hex lower, of pointed hexes which rows further right: `odd` or `even`.",
        words="shifted",
    )


Places = Mapping[LocatedText, tuple[LocatedText, ...]]


@dataclass(frozen=True, slots=True, eq=False)
class DiagramSpec(FigurePlacement):
    """A piece of a map with what stands on it."""

    title: LocatedText | None = field_key("What is below it.", prose=True)
    area: LocatedText = field_key('The hexes, from corner to corner: "1307-1812".', must=True)
    terrain: Places = mapping_field('Hexes by their terrain: {forest: ["1409", "1610-1711"]}.', lone=True)
    hexsides: Places = mapping_field("What runs along hexsides: {river: [1510/1610]}.", lone=True)
    ways: Places = mapping_field('What runs through hexes: {road: ["1509 1510 1611"]}.', lone=True)
    labels: Places = mapping_field("Words on the map, and the hexes where they stand.", lone=True)
    units: Places = mapping_field("The counters in a hex, the lowest first.", lone=True)
    arrows: Places = mapping_field(
        'Arrows by what they mean, attack, move, retreat, fire or supply: {move: ["1410 1510"]}.', lone=True
    )
    areas: Places = mapping_field("Hexes that are marked, by what they are.", lone=True)
