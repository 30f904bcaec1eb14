"""Shapes that a book can draw: those of `templates/drawn/shapes.svg` and its own.

Names ignore case and may have hyphens for spaces: `anti-tank`, `Die 6`, `die-6`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TypeVar
from xml.etree import ElementTree as Xml

from rulewright.files.located_text import LocatedText
from rulewright.files.resources import TEMPLATES
from rulewright.schema.diagram_model import Counter, SymbolSpec
from rulewright.schema.rulebook import Rulebook

_SVG = "http://www.w3.org/2000/svg"
TERRAIN, HEXSIDES, WAYS, ARROWS, UNITS, SIGNS = "terrain", "sides", "ways", "arrows", "units", "signs"


@dataclass(frozen=True, slots=True)
class DrawingShape:
    """Shape of a family."""

    family: str
    name: str
    markup: str
    svg_attributes: Mapping[str, str]
    """Attributes of its `<g>`, such as the fill of a hex."""

    @property
    def fill(self) -> str:
        return self.svg_attributes.get("data-fill", "none")

    @property
    def strokes(self) -> list[Mapping[str, str]]:
        """Return the attributes of the strokes of a line, bottom first."""
        above = Xml.fromstring(f"<g>{self.markup}</g>") if self.markup else ()
        return [self.svg_attributes, *(stroke.attrib for stroke in above)]


T = TypeVar("T")
Drawn = DrawingShape | SymbolSpec | Counter


@cache
def shapes() -> Mapping[str, Mapping[str, DrawingShape]]:
    """Return the shapes of each family by all their names; the usual name comes first."""
    # Without the namespace, names of tags are those of the file.
    svg = (TEMPLATES / "drawn" / "shapes.svg").read_text("utf-8").replace(f' xmlns="{_SVG}"', "")
    families: dict[str, dict[str, DrawingShape]] = {}
    for family in Xml.fromstring(svg):
        family_shapes = families.setdefault(family.get("id", ""), {})
        aliases: list[tuple[str, DrawingShape]] = []
        for element in family:
            inner = "".join(Xml.tostring(child, "unicode") for child in element).replace(" />", "/>")
            attributes = {
                name: value for name, value in element.attrib.items() if name not in ("id", "data-also")
            }
            shape = DrawingShape(family.get("id", ""), element.get("id", ""), inner, attributes)
            family_shapes[_normalize(shape.name)] = shape
            aliases += [(_normalize(name), shape) for name in element.get("data-also", "").split("|") if name]
        for name, shape in aliases:
            family_shapes.setdefault(name, shape)
    return families


def find_shape(family: str, name: str, book: Rulebook) -> DrawingShape | None:
    """Return the shape of a name, or the shape that a book declares for that name."""
    family_shapes = shapes()[family]
    return family_shapes.get(_normalize(name)) or family_shapes.get(
        _normalize(_find(book.terrain, name) or "")
    )


def shape_names(family: str, book: Rulebook) -> list[str]:
    """Return the names of the shapes of a family, those of the book first."""
    terrain_names = [str(name) for name in book.terrain if family in (TERRAIN, HEXSIDES, WAYS)]
    return [*terrain_names, *shapes()[family]]


def find_counter(name: str, book: Rulebook) -> Counter | None:
    """Return the counter of a name."""
    return _find(book.counters, name)


def inline_symbol(name: str, book: Rulebook) -> Drawn | None:
    """Return the symbol for a `:name:` in a text: a symbol or counter of the book, or a shape other than an
    arrow.
    """
    symbol = _find(book.symbols, name) or find_counter(name, book)
    families = (SIGNS, UNITS, TERRAIN, HEXSIDES, WAYS)
    return symbol or next((shape for family in families if (shape := find_shape(family, name, book))), None)


def symbol_names(book: Rulebook) -> list[str]:
    """Return all names that `:name:` can show, as written in texts."""
    shared = (
        name for family in (SIGNS, UNITS, TERRAIN, HEXSIDES, WAYS) for name in shape_names(family, book)
    )
    return [name.replace(" ", "-") for name in dict.fromkeys([*book.symbols, *book.counters, *shared])]


def _find(values: Mapping[LocatedText, T], name: str) -> T | None:
    """Return the value with a name."""
    key = _normalize(name)
    return next((value for other, value in values.items() if _normalize(other) == key), None)


@lru_cache(maxsize=4096)
def _normalize(name: str) -> str:
    return " ".join(name.casefold().replace("-", " ").split())
