"""Diagrams and counters as they are drawn: shapes and positions. `templates/drawn/` writes them as SVG.

What does not exist is left out; `checks.diagram_checks` reports it.
"""

from __future__ import annotations

import re
from cmath import phase
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from math import degrees
from typing import TypeVar

from rulewright.book import drawing_shapes
from rulewright.book.drawing_shapes import ARROWS, HEXSIDES, TERRAIN, UNITS, WAYS, DrawingShape, find_shape
from rulewright.book.hex_grid import (
    ACROSS,
    MOST_DRAWN,
    MOST_HEXES,
    SIZE,
    Hex,
    HexArea,
    Point,
    hex_range,
    parse_hex,
)
from rulewright.files.located_text import LocatedText
from rulewright.schema.colours import BLACK, WHITE, colour, contrast, mix, to_hex
from rulewright.schema.diagram_model import Counter, CounterFace, DiagramSpec, SymbolSpec
from rulewright.schema.rulebook import Rulebook
from rulewright.sequence.step_attributes import capitalize_first

Places = Mapping[LocatedText, Sequence[LocatedText]]
T = TypeVar("T")

COUNTER = 44
"""Side of a counter in a hex, in units of a drawing."""
_MARGIN = 5.0
_SIDE_COLOURS = ("#1f5d2b", "#6a2c80", "#7a4a00", "#37474f")  # of sides without a colour of their own
_NEUTRAL = (239, 233, 214)
_NARROW, _WIDE = frozenset("fijlrtI .,:;'’!|()[]/-"), frozenset("mwMWQO@%&—")


@dataclass(frozen=True, slots=True)
class CounterDrawing:
    """A side of a counter, ready to be drawn."""

    face: CounterFace
    fill: str
    frame: int
    """Number of the edge that shows its side without colour, or 0."""
    unit: DrawingShape | SymbolSpec | None
    ink: str
    """The colour of its words."""
    words: str
    lines: tuple[str, ...]
    """Words in place of a unit symbol."""
    size: float
    """Their size of type."""
    value_size: float
    is_back: bool

    @property
    def level(self) -> float:
        """The height of its unit symbol or its words."""
        return -1.0 if self.face.top else -5.0 if self.face.values else 0.0


@dataclass(frozen=True, slots=True)
class DrawnLine:
    """A line as an SVG path, and the head of an arrow."""

    path: str
    shape: DrawingShape
    head: str = ""


@dataclass(frozen=True, slots=True)
class DiagramDrawing:
    """A diagram, ready to be drawn."""

    name: str
    words: str
    """Its text alternative."""
    box: tuple[float, float, float, float]
    ground: Sequence[tuple[str, DrawingShape, Point, str]]
    """Of each hex its path, terrain, centre and number."""
    terrains: Sequence[DrawingShape]
    lines: Sequence[DrawnLine]
    areas: Sequence[tuple[str, Sequence[str]]]
    labels: Sequence[tuple[str, float, float, float]]
    stacks: Sequence[tuple[Point, CounterDrawing]]
    arrows: Sequence[DrawnLine]


def counter_drawing(name: str, counter: Counter, book: Rulebook, back: bool = False) -> CounterDrawing:
    """Return a side of a counter, ready to be drawn."""
    face: CounterFace = counter
    if back and counter.back:  # a back has what it does not say from the front
        values = {part.name: getattr(counter.back, part.name) for part in fields(CounterFace)}
        face = replace(counter, **{name: value for name, value in values.items() if value})
    side = book.sides.get(counter.side) if counter.side else None
    frame = list(map(str, book.sides)).index(str(counter.side)) % 4 + 1 if side else 0
    base = colour(side.colour or _SIDE_COLOURS[frame - 1]) if side else None
    fill = colour(face.colour or "") or (mix(base, WHITE, 62) if base else _NEUTRAL)
    unit = face.unit and (book.symbols.get(face.unit) or find_shape(UNITS, face.unit, book))
    words = (counter.means or name, side and side.title, face.values, "turned over" if back else "")
    lines = tuple((face.words or "").split())
    return CounterDrawing(
        face,
        to_hex(fill),
        frame,
        unit or None,
        "#fff" if contrast(fill, WHITE) > contrast(fill, BLACK) else "#111",
        ", ".join(str(part) for part in words if part),
        lines,
        min((14.0, *(38 / width_of(line) for line in lines))),
        min(13.0, 38 / width_of(face.values)) if face.values else 0.0,
        back,
    )


def diagram_name(diagram: DiagramSpec) -> str:
    """Return the name of a diagram in its edition: its file and place there.

    It is an id of XML as well, which begins with a letter and contains letters, digits and a few signs.
    """
    place = diagram.area.place
    file = place.file.rpartition("/")[2].removesuffix(".yml")
    name = f"{file}-{place.line}-{place.column}"
    return "drawn-" + re.sub(r"[^A-Za-z0-9-]", lambda sign: f"_{ord(sign[0]):x}_", name)


def draw_diagram(diagram: DiagramSpec, book: Rulebook) -> DiagramDrawing | None:
    """Return a diagram, ready to be drawn; None if it is malformed or too large."""
    area = HexArea.parse(diagram.area, book)
    groups = [diagram.terrain, diagram.hexsides, diagram.ways, diagram.labels, diagram.areas, diagram.arrows]
    count = sum(len(places) for group in (*groups, diagram.units) for places in group.values())
    if area is None or area.count > MOST_HEXES or count > MOST_DRAWN:
        return None
    terrain: dict[Hex, DrawingShape] = {}
    for name, places in diagram.terrain.items():
        if shape := find_shape(TERRAIN, name, book):
            terrain |= dict.fromkeys(_hexes(places, area), shape)
    hexes = list(hex_range(area.first, area.last))
    open_ground = drawing_shapes.shapes()[TERRAIN]["open"]
    ground = [
        (_outline(area, hex), terrain.get(hex, open_ground), area.center(hex), area.number(hex))
        for hex in hexes
    ]
    xs, ys = zip(*(corner for hex in hexes for corner in area.corners(hex)), strict=True)
    left, top = min(xs) - _MARGIN, min(ys) - _MARGIN
    areas: dict[str, list[str]] = {}
    for name, places in diagram.areas.items():
        areas[str(name)] = [_outline(area, hex, SIZE - 3) for hex in _hexes(places, area)]
    stacks = [(hex, names) for place, names in diagram.units.items() for hex in _hexes([place], area)]
    return DiagramDrawing(
        name=diagram_name(diagram),
        words=" ".join(f"{sentence}." for sentence in _sentences(diagram, groups, book)),
        box=(left, top, max(xs) + _MARGIN - left, max(ys) + _MARGIN - top),
        ground=ground,
        terrains=list({shape.name: shape for _, shape, _, _ in ground if shape.markup}.values()),
        lines=[
            *_lines(HEXSIDES, diagram.hexsides, area.hexside, book),
            *_lines(WAYS, diagram.ways, area.way, book),
        ],
        areas=list(areas.items()),
        labels=list(_labels(diagram.labels, area)),
        stacks=[counter for hex, names in stacks for counter in _stack(area.center(hex), names, book)],
        arrows=list(_arrows(diagram.arrows, area, {hex for hex, _ in stacks}, book)),
    )


def _parsed(places: Iterable[str], parse: Callable[[str], T]) -> Iterator[T]:
    """Yield places as they are parsed, without those that have a fault."""
    for place in places:
        with suppress(ValueError):
            yield parse(place)


def _hexes(places: Iterable[str], area: HexArea) -> list[Hex]:
    """Return the hexes of several places, without duplicates."""
    return list(dict.fromkeys(hex for hexes in _parsed(places, area.hexes) for hex in hexes))


def _sentences(diagram: DiagramSpec, groups: Sequence[Places], book: Rulebook) -> Iterator[str]:
    """Yield the content of a diagram in words."""
    yield f"Hexes {_place_words(diagram.area)}"
    for group in groups:
        for name, places in group.items():
            yield f"{capitalize_first(name)}: {'; '.join(map(_place_words, places))}"
    for place, names in diagram.units.items():
        words = []
        for name in names:
            counter = drawing_shapes.find_counter(name, book)
            words.append(counter_drawing(name, counter, book).words if counter else name)
        yield f"In {place}: {'; '.join(words)}"


def _outline(area: HexArea, hex: Hex, size: float = SIZE) -> str:
    return f"{_path(area.corners(hex, size))}z"


def _lines(
    family: str, features: Places, parse: Callable[[str], list[Point]], book: Rulebook
) -> Iterator[DrawnLine]:
    """Yield the lines of features along hexsides or through hexes."""
    for name, places in features.items():
        path = "".join(map(_path, _parsed(places, parse)))
        shape = find_shape(family, name, book)
        if shape and path:
            yield DrawnLine(path, shape)


def _labels(labels: Places, area: HexArea) -> Iterator[tuple[str, float, float, float]]:
    """Yield words on the map, their place and angle: below the centre of a hex, or along several."""
    for words, places in labels.items():
        points = [complex(*area.center(hex)) for hex in _hexes(places, area)]
        if points:
            middle = sum(points) / len(points)
            turn = degrees(phase(points[-1] - points[0]))
            turn += 180 if turn < -90 else -180 if turn > 90 else 0
            below = ACROSS / 2 - 8 if len(points) == 1 else 0
            yield str(words), middle.real, middle.imag + below, turn


def _stack(center: Point, names: Sequence[str], book: Rulebook) -> Iterator[tuple[Point, CounterDrawing]]:
    """Yield the counters of a stack, each a little aside from the counter below."""
    found = ((name, drawing_shapes.find_counter(name, book)) for name in names)
    counters = [counter_drawing(name, counter, book) for name, counter in found if counter]
    for position, counter in enumerate(counters):
        offset = (len(counters) - 1 - 2 * position) * min(2.5, 10 / len(counters))
        yield (center[0] + offset, center[1] + offset), counter


def _arrows(arrows: Places, area: HexArea, stacked: Set[Hex], book: Rulebook) -> Iterator[DrawnLine]:
    """Yield the arrows, which end before the counters of their first and last hexes."""
    for name, places in arrows.items():
        if shape := find_shape(ARROWS, name, book):
            for hexes in _parsed(places, area.arrow):
                gaps = [(8.0, COUNTER / 2 - 2)[hex in stacked] for hex in (hexes[0], hexes[-1])]
                yield _arrow([complex(*area.center(hex)) for hex in hexes], shape, *gaps)


def _place_words(places: str) -> str:
    """Return the places of a diagram in words: between two hexes, from a hex to another."""
    if "/" in places:
        return f"between {places.replace('/', ' and ')}"
    first, *later_hexes = places.split()
    if later_hexes:
        between = "".join(f"by {hex} " for hex in later_hexes[:-1])
        return f"from {first} {between}to {later_hexes[-1]}"
    return places.replace("-", " to ") if parse_hex(places) is None else places


def width_of(words: str) -> float:
    """Estimate the width of words in ems, rather too wide than too narrow."""
    hundredths = 63 * len(words)
    for character in words:
        if character in _NARROW or character in _WIDE:
            hundredths += -25 if character in _NARROW else 37
        elif character.isupper():
            hundredths += 13
    return hundredths / 100


def _path(points: Sequence[Point]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)


def _arrow(points: list[complex], shape: DrawingShape, start: float, end: float) -> DrawnLine:
    """Return an arrow along points, which leaves gaps at the first and the last."""
    width = float(shape.svg_attributes.get("stroke-width", "4"))
    length, direction = width + 9, _direction(points[-2], points[-1])
    points[0] += start * _direction(points[0], points[1])
    tip = points[-1] - end * direction
    points[-1] = tip - (length - 2) * direction
    neck, half = tip - length * direction, (width / 2 + 5) * direction * 1j
    corners = [(point.real, point.imag) for point in (tip, neck - half, neck + half)]
    return DrawnLine(_path([(point.real, point.imag) for point in points]), shape, f"{_path(corners)}z")


def _direction(start: complex, end: complex) -> complex:
    return (end - start) / (abs(end - start) or 1)
