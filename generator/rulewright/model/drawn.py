"""Types of all that is drawn from data: symbols in texts, counters, and diagrams of hexes.

What content may draw with, terrain, hexsides, ways, arrows and units, is in `templates/drawn/shapes.svg`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rulewright.model.keys import key, table
from rulewright.model.placed import Placed
from rulewright.source.text import Text


@dataclass(frozen=True, slots=True, eq=False)
class Symbol:
    """A sign that stands in texts as `:its-name:`."""

    means: Text | None = key("What it says to readers who do not see it; its name where left out.")
    letters: Text | None = key("Up to three letters in a box.", either=True)
    path: Text | None = key("An SVG path on a square of 24 by 24.", either=True)
    file: Text | None = key("A picture beside this file.", either=True)


@dataclass(frozen=True, slots=True, eq=False)
class Face:
    """One side of a counter."""

    unit: Text | None = key("Its unit symbol, such as infantry, or a symbol of the book.")
    size: Text | None = key("The size above its unit symbol: I, II, III, X, XX, XXX.")
    words: Text | None = key("Words in place of the unit symbol, as on a marker.")
    top: Text | None = key("What stands above: its name or its formation.")
    left: Text | None = key("What stands at the left of the unit symbol.")
    right: Text | None = key("What stands at the right of the unit symbol.")
    values: Text | None = key('The numbers at its foot: "6-7".')
    colour: Text | None = key("Its own colour, as #rrggbb; that of its side where left out.")


@dataclass(frozen=True, slots=True, eq=False)
class Counter(Face):
    """A counter of the game; in texts it is `:its-name:`. Its back is on sheets of counters."""

    means: Text | None = key("What it is, for readers who do not see it; its name where left out.")
    side: Text | None = key("The side that it belongs to, by the name that steps use.")
    back: Face | None = key("What is different on its back.")
    count: Text | None = key("How many there are of it in the game; one where left out.")


@dataclass(frozen=True, slots=True, eq=False)
class HexMap:
    """How the hexes of the book's maps lie."""

    hexes: Text | None = key(
        "`flat` where they have a flat side on top, `pointed` where a corner; flat where left out.",
        words="hexes",
    )
    shifted: Text | None = key(
        "Which columns stand half a hex lower, of pointed hexes which rows further right: `odd` or `even`.",
        words="shifted",
    )


Places = Mapping[Text, tuple[Text, ...]]


@dataclass(frozen=True, slots=True, eq=False)
class Diagram(Placed):
    """A piece of a map with what stands on it."""

    title: Text | None = key("What is below it.", prose=True)
    area: Text = key('The hexes, from corner to corner: "1307-1812".', must=True)
    terrain: Places = table('Hexes by their terrain: {forest: ["1409", "1610-1711"]}.', lone=True)
    hexsides: Places = table("What runs along hexsides: {river: [1510/1610]}.", lone=True)
    ways: Places = table('What runs through hexes: {road: ["1509 1510 1611"]}.', lone=True)
    labels: Places = table("Words on the map, and the hexes where they stand.", lone=True)
    units: Places = table("The counters in a hex, the lowest first.", lone=True)
    arrows: Places = table(
        'Arrows by what they mean, attack, move, retreat, fire or supply: {move: ["1410 1510"]}.', lone=True
    )
    areas: Places = table("Hexes that are marked, by what they are.", lone=True)
