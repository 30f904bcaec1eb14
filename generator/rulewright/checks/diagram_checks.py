"""Checks of drawings: symbols, counters and diagrams use known names only."""

from __future__ import annotations

import re
from collections.abc import Callable

from rulewright.book import drawing_shapes
from rulewright.book.hex_grid import MOST_DRAWN, MOST_HEXES, HexArea
from rulewright.book.resolved_branding import LOGOS
from rulewright.checks.check_visitor import Problems, Scope, check
from rulewright.checks.image_checks import NOT_FOUND, shared_file_fault
from rulewright.checks.player_colour_checks import colour_problem
from rulewright.checks.step_checks import NO_SIDE
from rulewright.files.located_text import LocatedText
from rulewright.files.problems import problem_type, quote_short
from rulewright.files.safe_integers import parse_count
from rulewright.schema.aid import MAX_COPIES
from rulewright.schema.diagram_model import CounterFace, DiagramSpec
from rulewright.schema.model_reader import COUNT
from rulewright.schema.rulebook import Rulebook

MALFORMED = problem_type(
    "symbol-malformed", "A symbol has more than three letters, or its path is none that SVG draws."
)
NO_SHAPE = problem_type(
    "shape-unknown",
    "Terrain, a hexside, a way, an arrow or a unit symbol has a name that nothing is drawn for.",
)
NO_COUNTER = problem_type("counter-unknown", "A diagram names a counter that rulebook.yml does not have.")
NO_HEX = problem_type("hex-not-there", "A diagram names a hex that is outside its area, or is not a hex.")
LARGE = problem_type(
    "diagram-too-large",
    f"A diagram has more than {MOST_HEXES:,} hexes, or names more than {MOST_DRAWN} of them and of counters.",
)

_PATH = re.compile(r"[MmLlHhVvCcSsQqTtAaZz0-9 ,.\n+eE-]{1,5000}")


@check(Rulebook, NO_SHAPE)
def check_terrain_names(book: Rulebook, _: Scope) -> Problems:
    """Report terrain of a book that nothing is drawn for."""
    families = (drawing_shapes.TERRAIN, drawing_shapes.HEXSIDES, drawing_shapes.WAYS)
    for name, shape in book.terrain.items():
        if not any(drawing_shapes.find_shape(family, shape, book) for family in families):
            known = [drawn for family in families for drawn in drawing_shapes.shapes()[family]]
            message = f"nothing is drawn as {quote_short(shape)}"
            yield shape.unknown_name_problem(NO_SHAPE, message, known, name)


@check(Rulebook, MALFORMED)
def check_symbols(book: Rulebook, scope: Scope) -> Problems:
    """Report faults of the symbols of a book."""
    for name, symbol in book.symbols.items():
        if symbol.letters and len(symbol.letters) > 3:
            message = f"{quote_short(symbol.letters)} has more than three letters"
            yield MALFORMED.problem(symbol.letters, message, name)
        if symbol.path and not _PATH.fullmatch(symbol.path):
            yield MALFORMED.problem(symbol.path, "this is no path that SVG draws", name)
        if symbol.file and (fault := shared_file_fault(symbol.file, LOGOS, scope.edition)):
            yield NOT_FOUND.problem(symbol.file, fault, name)


@check(Rulebook, COUNT)
def check_counters(book: Rulebook, _: Scope) -> Problems:
    """Report unknown sides, colours and unit symbols of counters, and their number."""
    for name, counter in book.counters.items():
        if counter.side and counter.side not in book.sides:
            message = f"there is no side {quote_short(counter.side)}"
            yield counter.side.unknown_name_problem(NO_SIDE, message, book.sides, name)
        if counter.count and not parse_count(counter.count, MAX_COPIES):
            message = (
                f"count cannot be {quote_short(counter.count)}; write a whole number from 1 to {MAX_COPIES}"
            )
            yield COUNT.problem(counter.count, message, name)
        faces: tuple[CounterFace | None, ...] = (counter, counter.back)
        for face in filter(None, faces):
            if face.colour:
                yield from colour_problem(face.colour, name)
            shape = face.unit and drawing_shapes.find_shape(drawing_shapes.UNITS, face.unit, book)
            if face.unit and face.unit not in book.symbols and not shape:
                known = [*book.symbols, *drawing_shapes.shape_names(drawing_shapes.UNITS, book)]
                message = f"there is no unit symbol {quote_short(face.unit)}"
                yield face.unit.unknown_name_problem(NO_SHAPE, message, known, name)


@check(DiagramSpec, NO_COUNTER)
def check_diagram_names(diagram: DiagramSpec, scope: Scope) -> Problems:
    """Report unknown counters and shapes in diagrams."""
    book = scope.book
    for name in (name for places in diagram.units.values() for name in places):
        if not drawing_shapes.find_counter(name, book):
            message = f"there is no counter {quote_short(name)}"
            yield name.unknown_name_problem(NO_COUNTER, message, book.counters)
    for family, named_shapes, noun in (
        (drawing_shapes.TERRAIN, diagram.terrain, "terrain"),
        (drawing_shapes.HEXSIDES, diagram.hexsides, "hexside"),
        (drawing_shapes.WAYS, diagram.ways, "way"),
        (drawing_shapes.ARROWS, diagram.arrows, "arrow"),
    ):
        for name in named_shapes:
            if not drawing_shapes.find_shape(family, name, book):
                message = f"there is no {noun} {quote_short(name)}"
                yield name.unknown_name_problem(NO_SHAPE, message, drawing_shapes.shape_names(family, book))


@check(DiagramSpec, NO_HEX, LARGE)
def check_hexes(diagram: DiagramSpec, scope: Scope) -> Problems:
    """Report areas, hexes and hexsides that are not there, and diagrams that are too large."""
    corners, area = diagram.area, HexArea.parse(diagram.area, scope.book)
    if area is None:
        yield NO_HEX.problem(
            corners, f'{quote_short(corners)} is no area; write its corners, like "1307-1812"'
        )
        return
    if area.count > MOST_HEXES:
        many = f"{quote_short(corners)} has {area.count:,} hexes, and at most {MOST_HEXES:,} can be"
        yield LARGE.problem(corners, f"{many}; it is not drawn")
        return
    checked: list[tuple[LocatedText, Callable[[LocatedText], object]]] = []
    for group, parse in (
        (diagram.terrain, area.hexes),
        (diagram.labels, area.hexes),
        (diagram.areas, area.hexes),
        (diagram.hexsides, area.hexside),
        (diagram.ways, area.way),
        (diagram.arrows, area.arrow),
    ):
        checked += [(place, parse) for places in group.values() for place in places]
    names = [*(place for place, _ in checked), *(name for names in diagram.units.values() for name in names)]
    if len(names) > MOST_DRAWN:
        message = (
            f"this diagram names {len(names):,} hexes and counters, and at most {MOST_DRAWN} can be shown"
        )
        yield LARGE.problem(names[MOST_DRAWN], message)
    checked += [(place, area.hexes) for place in diagram.units]
    for place, find_places in checked[:MOST_DRAWN]:
        try:
            find_places(place)
        except ValueError as fault:
            yield NO_HEX.problem(place, str(fault))
