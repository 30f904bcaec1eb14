"""Diagrams and counters as they are drawn: shapes and positions. `templates/drawn/` writes them as SVG.

What does not exist is left out; `checks.diagram_checks` reports it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from math import atan2, degrees, hypot

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
    parse_hex_range,
)
from rulewright.files.located_text import LocatedText
from rulewright.schema.colours import BLACK, WHITE, colour, contrast, mix, to_hex
from rulewright.schema.diagram_model import Counter, CounterFace, DiagramSpec, SymbolSpec
from rulewright.schema.rulebook import Rulebook
from rulewright.sequence.step_attributes import capitalize_first

Places = Mapping[LocatedText, Sequence[LocatedText]]

COUNTER = 44
"""Side of a counter in a hex, in units of a drawing."""
_MARGIN = 5.0
_AREA = re.compile(r"\barea['\"]?[ ]*:")
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
    if back:  # a back has what it does not say from the front
        parts = [part.name for part in fields(CounterFace)]
        face = CounterFace(
            **{part: getattr(counter.back, part, None) or getattr(counter, part) for part in parts}
        )
    sides = [str(side) for side in book.sides]
    frame = sides.index(counter.side) % 4 + 1 if counter.side in sides else 0
    side = book.sides.get(counter.side) if counter.side else None
    side_colour = (side.colour if side else None) or (_SIDE_COLOURS[frame - 1] if frame else None)
    base = colour(side_colour) if side_colour else None
    own = colour(face.colour) if face.colour else None
    fill = own or (mix(base, WHITE, 62) if base else _NEUTRAL)
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
    """Return the name of a diagram in its edition: its file, and the number of diagrams before it there.

    It is an id of XML as well, which begins with a letter and contains letters, digits and a few signs.
    """
    area = diagram.area
    file = area.file.name.rpartition("/")[2].removesuffix(".yml")
    number = len(_AREA.findall(area.file.text, 0, area.start))
    return "drawn-" + re.sub(r"[^A-Za-z0-9-]", lambda sign: f"_{ord(sign[0]):x}_", f"{file}-{number}")


def draw_diagram(diagram: DiagramSpec, book: Rulebook) -> DiagramDrawing | None:
    """Return a diagram, ready to be drawn; None if it is malformed or too large."""
    area = HexArea.parse(diagram.area, book)
    groups = [diagram.terrain, diagram.hexsides, diagram.ways, diagram.labels, diagram.areas, diagram.arrows]
    count = sum(len(places) for group in (*groups, diagram.units) for places in group.values())
    if area is None or area.count > MOST_HEXES or count > MOST_DRAWN:
        return None
    return _Map(diagram, area, book).drawing(groups)


class _Map:
    """A part of a map."""

    def __init__(self, diagram: DiagramSpec, area: HexArea, book: Rulebook) -> None:
        self.diagram, self.area, self.book = diagram, area, book

    def drawing(self, groups: Sequence[Places]) -> DiagramDrawing:
        area, diagram = self.area, self.diagram
        terrain: dict[Hex, DrawingShape] = {}
        for name, places in diagram.terrain.items():
            if shape := find_shape(TERRAIN, name, self.book):
                terrain |= dict.fromkeys(self.hexes(places), shape)
        ground = []
        for hex in hex_range(area.first, area.last):
            shape = terrain.get(hex, drawing_shapes.shapes()[TERRAIN]["open"])
            ground.append((self.outline(hex), shape, area.center(hex), area.number(hex)))
        corners = (corner for hex in hex_range(area.first, area.last) for corner in area.corners(hex))
        xs, ys = zip(*corners, strict=True)
        left, top = min(xs) - _MARGIN, min(ys) - _MARGIN
        units = ((self.hex_at(place), names) for place, names in diagram.units.items())
        stacks = [(stack_hex, names) for stack_hex, names in units if stack_hex]
        return DiagramDrawing(
            name=diagram_name(diagram),
            words=" ".join(f"{sentence}." for sentence in self.sentences(groups)),
            box=(left, top, max(xs) + _MARGIN - left, max(ys) + _MARGIN - top),
            ground=ground,
            terrains=list({shape.name: shape for _, shape, _, _ in ground if shape.markup}.values()),
            lines=[*self.lines(HEXSIDES, diagram.hexsides), *self.lines(WAYS, diagram.ways)],
            areas=[(str(name), self.area_paths(places)) for name, places in diagram.areas.items()],
            labels=list(self.labels()),
            stacks=[counter for stack_hex, names in stacks for counter in self.stack(stack_hex, names)],
            arrows=list(self.arrows({stack_hex for stack_hex, _ in stacks})),
        )

    def sentences(self, groups: Sequence[Places]) -> Iterator[str]:
        """Yield the content of the diagram in words."""
        yield f"Hexes {_place_words(self.diagram.area)}"
        for group in groups:
            for name, places in group.items():
                yield f"{capitalize_first(name)}: {'; '.join(map(_place_words, places))}"
        for place, names in self.diagram.units.items():
            words = []
            for name in names:
                counter = drawing_shapes.find_counter(name, self.book)
                words.append(counter_drawing(name, counter, self.book).words if counter else name)
            yield f"In {place}: {'; '.join(words)}"

    def outline(self, hex: Hex, size: float = SIZE) -> str:
        return f"{_path(self.area.corners(hex, size))}z"

    def area_paths(self, places: Sequence[LocatedText]) -> list[str]:
        return [self.outline(hex, SIZE - 3) for hex in self.hexes(places)]

    def hex_at(self, place: str) -> Hex | None:
        """Return the hex of a number if it is in the area."""
        hex = parse_hex(place)
        return hex if hex and hex in self.area else None

    def hexes(self, places: Sequence[LocatedText]) -> list[Hex]:
        """Return the hexes of several places, those in the area."""
        found: dict[Hex, None] = {}
        for ends in map(parse_hex_range, places):
            if ends and all(end in self.area for end in ends):
                found |= dict.fromkeys(hex_range(*ends))
        return list(found)

    def lines(self, family: str, features: Places) -> Iterator[DrawnLine]:
        """Yield the lines of features along hexsides or through hexes."""
        for name, places in features.items():
            points = map(self.hexside if family == HEXSIDES else self.way, places)
            path = "".join(_path(line) for line in points if len(line) > 1)
            shape = find_shape(family, name, self.book)
            if shape and path:
                yield DrawnLine(path, shape)

    def hexside(self, place: str) -> Sequence[Point]:
        """Return the ends of the side between two hexes."""
        hex, other = (parse_hex(part) for part in (*place.split("/"), "", "")[:2])
        if hex and other and self.area.are_beside(hex, other) and (hex in self.area or other in self.area):
            return self.area.side(hex, other)
        return ()

    def way(self, places: str) -> list[Point]:
        """Return the way through several hexes; if it leaves the area it ends at the edge of the area."""
        area, points = self.area, list[Point]()
        hexes = [parse_hex(place) for place in places.split()]
        for hex, before in zip(hexes, [*hexes[1:2], *hexes], strict=False):
            if hex and hex in area:
                points.append(area.center(hex))
            elif hex and before and before in area and area.are_beside(hex, before):
                (x1, y1), (x2, y2) = area.side(hex, before)
                points.append(((x1 + x2) / 2, (y1 + y2) / 2))
        return points

    def labels(self) -> Iterator[tuple[str, float, float, float]]:
        """Yield words on the map, their place and angle: below the centre of a hex, or along several."""
        for words, places in self.diagram.labels.items():
            points = list(map(self.area.center, self.hexes(places)))
            if points:
                (first_x, first_y), (last_x, last_y) = points[0], points[-1]
                turn = degrees(atan2(last_y - first_y, last_x - first_x))
                turn += 180 if turn < -90 else -180 if turn > 90 else 0
                x, y = (sum(part) / len(points) for part in zip(*points, strict=True))
                yield str(words), x, y if len(points) > 1 else y + ACROSS / 2 - 8, turn

    def stack(self, hex: Hex, names: Sequence[str]) -> Iterator[tuple[Point, CounterDrawing]]:
        """Yield the counters of a stack, each a little aside from the counter below."""
        x, y = self.area.center(hex)
        counters = [
            (name, found) for name in names if (found := drawing_shapes.find_counter(name, self.book))
        ]
        for position, (name, counter) in enumerate(counters):
            offset = (len(counters) - 1 - 2 * position) * min(2.5, 10 / len(counters))
            yield (x + offset, y + offset), counter_drawing(name, counter, self.book)

    def arrows(self, stacked: set[Hex]) -> Iterator[DrawnLine]:
        """Yield the arrows, which end before the counters of their first and last hexes."""
        for name, places in self.diagram.arrows.items():
            shape = find_shape(ARROWS, name, self.book)
            for place in places:
                hexes = list(filter(None, map(self.hex_at, place.split())))
                if shape and len(hexes) > 1:
                    start = COUNTER / 2 - 2 if hexes[0] in stacked else 8.0
                    end = COUNTER / 2 - 2 if hexes[-1] in stacked else 8.0
                    yield _arrow(list(map(self.area.center, hexes)), shape, start, end)


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
    hundredths = 0
    for character in words:
        if character in _NARROW or character in _WIDE:
            hundredths += 38 if character in _NARROW else 100
        else:
            hundredths += 76 if character.isupper() else 63
    return hundredths / 100


def _path(points: Sequence[Point]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)


def _arrow(points: list[Point], shape: DrawingShape, start: float, end: float) -> DrawnLine:
    """Return an arrow along points, which leaves gaps at the first and the last."""
    width = float(shape.svg_attributes.get("stroke-width", "4"))
    head = width + 9
    points[0] = _towards(points[0], points[1], start)
    tip = _towards(points[-1], points[-2], end)
    neck = _towards(tip, points[-2], head)
    points[-1] = _towards(tip, points[-2], head - 2)
    across, along = ((tip[1] - neck[1]) / head, (tip[0] - neck[0]) / head)
    half = width / 2 + 5
    wings = [(neck[0] + sign * across * half, neck[1] - sign * along * half) for sign in (1, -1)]
    return DrawnLine(_path(points), shape, f"{_path([tip, *wings])}z")


def _towards(start: Point, end: Point, length: float) -> Point:
    x, y = end[0] - start[0], end[1] - start[1]
    share = length / (hypot(x, y) or 1)
    return start[0] + x * share, start[1] + y * share
