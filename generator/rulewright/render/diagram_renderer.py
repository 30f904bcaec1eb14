"""Sketches of diagrams and counters: where everything in them stands. `templates/drawn/` draws them.

What cannot be drawn, since it is not there, is left out; `checks.drawn` tells it. A map is bounded, whatever
a book says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import islice
from math import atan2, degrees, hypot

from rulewright.book import drawing_shapes
from rulewright.book.drawing_shapes import DrawingShape
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
from rulewright.render.turn_diagram import width_of
from rulewright.schema.colours import BLACK, WHITE, colour, contrast, mix, to_hex
from rulewright.schema.diagram_model import Counter, CounterFace, DiagramSpec, SymbolSpec
from rulewright.schema.rulebook import Rulebook
from rulewright.sequence.step_attributes import capitalize_first

COUNTER = 44
"""Side of a counter in a hex, in units of a drawing."""
_MARGIN = 5.0
_AREA = re.compile(r"\barea['\"]?[ ]*:")
_USUAL = ("#1f5d2b", "#6a2c80", "#7a4a00", "#37474f")  # sides without a colour of their own
_NEUTRAL = (239, 233, 214)


@dataclass(frozen=True, slots=True)
class CounterDrawing:
    """A counter to draw. `frame`: edge that shows its side without colour, or 0; `ink`: of its words."""

    face: CounterFace
    fill: str
    frame: int
    unit: DrawingShape | SymbolSpec | None
    ink: str
    words: str
    lines: tuple[str, ...]
    is_back: bool

    @property
    def size(self) -> float:
        """The size of type of words in place of a unit symbol."""
        return min(14.0, *(38 / width_of(line, 1) for line in self.lines if line)) if self.lines else 0.0

    @property
    def level(self) -> float:
        """The height at which its unit symbol or its words stand."""
        return -1.0 if self.face.top else -5.0 if self.face.values else 0.0

    @property
    def value_size(self) -> float:
        values = self.face.values
        return min(13.0, 38 / width_of(values, 1)) if values else 0.0


@dataclass(frozen=True, slots=True)
class DrawnLine:
    """A line: an SVG path, how it is drawn, and the head of an arrow."""

    path: str
    shape: DrawingShape
    head: str = ""


@dataclass(frozen=True, slots=True)
class DiagramDrawing:
    """A drawing: its `name` for ids, `words` for who does not see it, its `box` as SVG has it."""

    name: str
    words: str
    box: tuple[float, float, float, float]
    ground: Sequence[tuple[str, DrawingShape, Point, str]] = ()
    terrains: Sequence[DrawingShape] = ()
    lines: Sequence[DrawnLine] = ()
    areas: Sequence[tuple[str, Sequence[str]]] = ()
    labels: Sequence[tuple[str, float, float, float]] = ()
    stacks: Sequence[tuple[Point, CounterDrawing]] = ()
    arrows: Sequence[DrawnLine] = ()


def counter_drawing(name: str, counter: Counter, book: Rulebook, back: bool = False) -> CounterDrawing:
    """Return a side of a counter, ready to be drawn."""
    face, owner = _back_of(counter) if back else counter, counter.side
    sides = [str(side) for side in book.sides]
    frame = sides.index(owner) % 4 + 1 if owner in sides else 0
    side = book.sides.get(owner) if owner else None
    own = colour(face.colour) if face.colour else None
    usual = (side.colour if side else None) or (_USUAL[frame - 1] if frame else None)
    base = colour(usual) if usual else None
    fill = own or (mix(base, WHITE, 62) if base else _NEUTRAL)
    ink = "#fff" if contrast(fill, WHITE) > contrast(fill, BLACK) else "#111"
    unit = face.unit and (
        book.symbols.get(face.unit) or drawing_shapes.find_shape(drawing_shapes.UNITS, face.unit, book)
    )
    said = (counter.means or name, side and side.title, face.values, "turned over" if back else "")
    words = ", ".join(str(one) for one in said if one)
    lines = tuple((face.words or "").split())
    return CounterDrawing(face, to_hex(fill), frame, unit or None, ink, words, lines, back)


def _back_of(counter: Counter) -> CounterFace:
    parts = (one.name for one in fields(CounterFace))
    return CounterFace(
        **{part: getattr(counter.back, part, None) or getattr(counter, part) for part in parts}
    )


def draw_diagram(diagram: DiagramSpec, book: Rulebook) -> DiagramDrawing | None:
    """The sketch of a diagram; None where nothing of it can be drawn."""
    area = HexArea.parse(diagram.area, book)
    return _Map(diagram, area, book).sketch() if area and area.count <= MOST_HEXES else None


def diagram_name(diagram: DiagramSpec) -> str:
    """A name that no other diagram of the edition has: its file, and how many may stand before it there.

    It is an id of XML as well, which begins with a letter and has no signs but these.
    """
    area = diagram.area
    file = area.file.name.rpartition("/")[2].removesuffix(".yml")
    above = len(_AREA.findall(area.file.text, 0, area.start))
    return "drawn-" + re.sub(r"[^A-Za-z0-9-]", lambda sign: f"_{ord(sign[0]):x}_", f"{file}-{above}")


def _sentences(diagram: DiagramSpec, book: Rulebook) -> Iterator[str]:
    yield f"Hexes {_told(diagram.area)}"
    for name, places in (*diagram.terrain.items(), *diagram.hexsides.items(), *diagram.ways.items()):
        yield f"{capitalize_first(name)}: {'; '.join(map(_told, places))}"
    for words, places in diagram.labels.items():
        yield f"{words} at {', '.join(map(_told, places))}"
    for place, names in diagram.units.items():
        found_all = [(name, drawing_shapes.find_counter(name, book)) for name in names]
        said = (counter_drawing(name, f, book).words if f else name for name, f in found_all)
        yield f"In {place}: " + "; ".join(said)
    for name, places in diagram.arrows.items():
        yield from (f"{capitalize_first(name)} {_told(place)}" for place in places)
    for name, places in diagram.areas.items():
        yield f"Marked as {name}: {', '.join(map(_told, places))}"


def _told(places: str) -> str:
    """Places of a diagram in words: between two hexes, from one to another."""
    if "/" in places:
        return f"between {places.replace('/', ' and ')}"
    first, *others = places.split()
    if others:
        return f"from {first} " + "".join(f"by {other} " for other in others[:-1]) + f"to {others[-1]}"
    return places.replace("-", " to ") if parse_hex(places) is None else places


def _path(points: Sequence[Point]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)


class _Map:
    """A piece of a map, as it is sketched."""

    def __init__(self, diagram: DiagramSpec, area: HexArea, book: Rulebook) -> None:
        self.diagram, self.area, self.book = diagram, area, book
        self.left = MOST_DRAWN

    def sketch(self) -> DiagramDrawing:
        area, diagram = self.area, self.diagram
        known = {one: terrain for terrain, hexes in self.terrains() for one in hexes}
        usual = drawing_shapes.shapes()[drawing_shapes.TERRAIN]["open"]
        hexes = list(hex_range(area.first, area.last))
        ground = [
            (f"{_path(area.corners(one))}z", known.get(one, usual), area.center(one), area.number(one))
            for one in hexes
        ]
        xs, ys = zip(*(corner for one in hexes for corner in area.corners(one)), strict=True)
        left, top = min(xs) - _MARGIN, min(ys) - _MARGIN
        stacks = list(self.stacks())
        held = {one for one, _ in stacks}
        return DiagramDrawing(
            diagram_name(diagram),
            " ".join(f"{one}." for one in _sentences(diagram, self.book)),
            (left, top, max(xs) + _MARGIN - left, max(ys) + _MARGIN - top),
            ground,
            list({terrain.name: terrain for _, terrain, _, _ in ground if terrain.markup}.values()),
            [
                *self.lines(drawing_shapes.HEXSIDES, diagram.hexsides),
                *self.lines(drawing_shapes.WAYS, diagram.ways),
            ],
            [
                (str(name), [f"{_path(area.corners(one, SIZE - 3))}z" for one in self.hexes(places)])
                for name, places in diagram.areas.items()
            ],
            list(self.labels()),
            [(at, made) for one, pieces in stacks for at, made in self.stacked(one, pieces)],
            list(self.arrows(held)),
        )

    def spent(self, places: Sequence[LocatedText]) -> Iterator[LocatedText]:
        for place in islice(places, self.left):
            self.left -= 1
            yield place

    def here(self, place: str) -> Hex | None:
        one = parse_hex(place)
        return one if one and one in self.area else None

    def hexes(self, places: Sequence[LocatedText]) -> list[Hex]:
        """The hexes of several places, those in the area."""
        found: dict[Hex, None] = {}
        for place in self.spent(places):
            ends = parse_hex_range(place)
            if ends and all(end in self.area for end in ends):
                found |= dict.fromkeys(hex_range(*ends))
        return list(found)

    def terrains(self) -> Iterator[tuple[DrawingShape, list[Hex]]]:
        for name, places in self.diagram.terrain.items():
            if found := drawing_shapes.find_shape(drawing_shapes.TERRAIN, name, self.book):
                yield found, self.hexes(places)

    def lines(self, family: str, named: Mapping[LocatedText, Sequence[LocatedText]]) -> Iterator[DrawnLine]:
        """Lines of a family, hexsides or ways, each of one shape in all its places."""
        points = self.side if family == drawing_shapes.HEXSIDES else self.through
        for name, places in named.items():
            found = drawing_shapes.find_shape(family, name, self.book)
            path = "".join(_path(run) for place in self.spent(places) if len(run := points(place)) > 1)
            if found and path:
                yield DrawnLine(path, found)

    def side(self, place: str) -> Sequence[Point]:
        one, other = (parse_hex(part) for part in (*place.split("/"), "", "")[:2])
        if one and other and self.area.are_beside(one, other) and (one in self.area or other in self.area):
            return self.area.side(one, other)
        return ()

    def through(self, places: str) -> list[Point]:
        """The way through several hexes; where it leaves the area it ends at its edge."""
        area, points = self.area, list[Point]()
        run = [parse_hex(one) for one in places.split()]
        for at, one in enumerate(run):
            beside = run[at - 1] if at else run[1] if len(run) > 1 else None
            if one and one in area:
                points.append(area.center(one))
            elif one and beside and beside in area and area.are_beside(one, beside):
                (x1, y1), (x2, y2) = area.side(one, beside)
                points.append(((x1 + x2) / 2, (y1 + y2) / 2))
        return points

    def labels(self) -> Iterator[tuple[str, float, float, float]]:
        """Words on the map: below the middle of one hex, or along several."""
        for words, places in self.diagram.labels.items():
            at = list(map(self.area.center, self.hexes(places)))
            if len(at) == 1:
                yield str(words), at[0][0], at[0][1] + ACROSS / 2 - 8, 0.0
            elif at:
                turn = degrees(atan2(at[-1][1] - at[0][1], at[-1][0] - at[0][0]))
                turn += 180 if turn < -90 else -180 if turn > 90 else 0
                x, y = (sum(part) / len(at) for part in zip(*at, strict=True))
                yield str(words), x, y, turn

    def stacks(self) -> Iterator[tuple[Hex, list[CounterDrawing]]]:
        for place, names in self.diagram.units.items():
            if at := self.here(place):
                found = ((name, drawing_shapes.find_counter(name, self.book)) for name in self.spent(names))
                yield at, [counter_drawing(name, counter, self.book) for name, counter in found if counter]

    def stacked(self, one: Hex, pieces: Sequence[CounterDrawing]) -> Iterator[tuple[Point, CounterDrawing]]:
        """The counters of a stack, each a little aside from the one below."""
        x, y = self.area.center(one)
        for at, made in enumerate(pieces):
            aside = (len(pieces) - 1 - 2 * at) * min(2.5, 10 / len(pieces))
            yield (x + aside, y + aside), made

    def arrows(self, held: set[Hex]) -> Iterator[DrawnLine]:
        for name, places in self.diagram.arrows.items():
            found = drawing_shapes.find_shape(drawing_shapes.ARROWS, name, self.book)
            for place in self.spent(places):
                run = list(filter(None, map(self.here, place.split())))
                if found and len(run) > 1:
                    ends = [COUNTER / 2 - 2 if one in held else 8.0 for one in (run[0], run[-1])]
                    yield _arrow(list(map(self.area.center, run)), found, *ends)


def _arrow(points: list[Point], shape: DrawingShape, start: float, end: float) -> DrawnLine:
    """An arrow along points, which begins and ends some way off the first and the last."""
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


def _towards(one: Point, other: Point, far: float) -> Point:
    x, y = other[0] - one[0], other[1] - one[1]
    share = far / (hypot(x, y) or 1)
    return one[0] + x * share, one[1] + y * share
