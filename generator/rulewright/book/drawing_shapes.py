"""Names of all that a book can draw: what every book can, from `templates/drawn/shapes.svg`, and its own.

A name is found as it is written, in small letters, with hyphens for spaces: `anti-tank`, `Die 6`, `die-6`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from xml.etree import ElementTree as Xml

from rulewright.model.diagram_model import Counter, SymbolSpec
from rulewright.model.rulebook import Rulebook
from rulewright.source.resources import TEMPLATES

_SVG = "http://www.w3.org/2000/svg"
TERRAIN, HEXSIDES, WAYS, ARROWS, UNITS, SIGNS = "terrain", "sides", "ways", "arrows", "units", "signs"


@dataclass(frozen=True, slots=True)
class DrawingShape:
    """A shape: its family, its name, its SVG, and what its `<g>` says, such as the ground of a hex."""

    family: str
    name: str
    markup: str
    svg_attributes: Mapping[str, str]

    @property
    def fill(self) -> str:
        return self.svg_attributes.get("data-fill", "none")

    @property
    def strokes(self) -> list[Mapping[str, str]]:
        """How a line is drawn: below, and the strokes above that."""
        above = Xml.fromstring(f"<g>{self.markup}</g>") if self.markup else ()
        return [self.svg_attributes, *(dict(one.attrib) for one in above)]


Drawn = DrawingShape | SymbolSpec | Counter


@cache
def shapes() -> Mapping[str, Mapping[str, DrawingShape]]:
    """The shapes of each family by all their names; the usual one comes first."""
    Xml.register_namespace("", _SVG)
    made: dict[str, dict[str, DrawingShape]] = {}
    for family in Xml.parse(TEMPLATES / "drawn" / "shapes.svg").getroot():
        named = made.setdefault(family.get("id", ""), {})
        others: list[tuple[str, DrawingShape]] = []
        for one in family:
            inner = (
                "".join(Xml.tostring(child, "unicode") for child in one)
                .replace(f' xmlns="{_SVG}"', "")
                .replace(" />", "/>")
            )
            said = {name: value for name, value in one.attrib.items() if name not in ("id", "data-also")}
            shape = DrawingShape(family.get("id", ""), one.get("id", ""), inner, said)
            named[_bare(shape.name)] = shape
            others += [(_bare(name), shape) for name in one.get("data-also", "").split("|") if name]
        for name, shape in others:
            named.setdefault(name, shape)
    return made


@dataclass(frozen=True, slots=True)
class _Own:
    """Symbols, counters and names of terrain of one book, by their bare names."""

    symbols: Mapping[str, SymbolSpec]
    counters: Mapping[str, Counter]
    terrain: Mapping[str, str]


@lru_cache(maxsize=64)
def _own(book: Rulebook) -> _Own:
    return _Own(
        {_bare(name): one for name, one in book.symbols.items()},
        {_bare(name): counter for name, counter in book.counters.items()},
        {_bare(name): _bare(what) for name, what in book.terrain.items()},
    )


def find_shape(family: str, name: str, book: Rulebook) -> DrawingShape | None:
    """The shape of a name, or of what a book says that it is drawn as."""
    found = shapes()[family]
    return found.get(_bare(name)) or found.get(_own(book).terrain.get(_bare(name), ""))


def shape_names(family: str, book: Rulebook) -> list[str]:
    """Names of the shapes of a family, the book's own among them."""
    own = [str(name) for name in book.terrain if family in (TERRAIN, HEXSIDES, WAYS)]
    return [*own, *shapes()[family]]


def find_counter(name: str, book: Rulebook) -> Counter | None:
    """Return the counter of a name."""
    return _own(book).counters.get(_bare(name))


def inline_symbol(name: str, book: Rulebook) -> Drawn | None:
    """Look up a `:name:` of a text: a symbol or a counter of the book, or any shape but an arrow."""
    own = _own(book).symbols.get(_bare(name))
    if own or (found := find_counter(name, book)):
        return own or found
    families = (SIGNS, UNITS, TERRAIN, HEXSIDES, WAYS)
    return next((one for family in families if (one := find_shape(family, name, book))), None)


def symbol_names(book: Rulebook) -> list[str]:
    """All that `:name:` can show, as it is written in a text."""
    shared = (
        name for family in (SIGNS, UNITS, TERRAIN, HEXSIDES, WAYS) for name in shape_names(family, book)
    )
    return [name.replace(" ", "-") for name in dict.fromkeys([*book.symbols, *book.counters, *shared])]


def _bare(name: str) -> str:
    return " ".join(name.casefold().replace("-", " ").split())
