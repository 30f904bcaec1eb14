"""Checks of drawings: symbols, counters and diagrams use known names only."""

from __future__ import annotations

import re
from collections.abc import Callable

from rulewright.book import drawing_shapes
from rulewright.book.hex_grid import MOST_DRAWN, MOST_HEXES, HexArea
from rulewright.book.resolved_branding import LOGOS
from rulewright.checks.check_visitor import Problems, Scope, check
from rulewright.checks.image_checks import NO_SYMBOL, NOT_FOUND, shared_file_fault
from rulewright.checks.step_checks import NO_SIDE
from rulewright.files.located_text import LocatedText
from rulewright.files.problems import problem_type, quote_short
from rulewright.schema.diagram_model import DiagramSpec
from rulewright.schema.rulebook import Rulebook
from rulewright.sequence.actors import ROLES

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

_FAMILIES = {
    "terrain": drawing_shapes.TERRAIN,
    "hexside": drawing_shapes.HEXSIDES,
    "way": drawing_shapes.WAYS,
    "arrow": drawing_shapes.ARROWS,
}
"""Shapes of a diagram by what they are called in messages."""

_PATH = re.compile(r"[MmLlHhVvCcSsQqTtAaZz0-9 ,.\n+eE-]{1,5000}")


def check_drawn_name(name: LocatedText, kind: str, book: Rulebook, about: str = "") -> Problems:
    """Report a name of something drawn, or of the player it belongs to, that the book does not have."""
    unknown, known = NO_SHAPE, list[str]()
    if kind in _FAMILIES:
        known = drawing_shapes.shape_names(_FAMILIES[kind], book)
        is_known = drawing_shapes.find_shape(_FAMILIES[kind], name, book) is not None
    elif kind == "unit symbol":
        known = [*book.symbols, *drawing_shapes.shape_names(drawing_shapes.UNITS, book)]
        shape = drawing_shapes.find_shape(drawing_shapes.UNITS, name, book)
        is_known = name in book.symbols or shape is not None
    elif kind == "sign":
        unknown, kind, known = NO_SYMBOL, "symbol", [*drawing_shapes.symbol_names(book)]
        is_known = drawing_shapes.inline_symbol(name, book) is not None
    elif kind in ("side", "actor"):
        unknown, known = NO_SIDE, [*book.sides]
        if kind == "actor":
            kind, known = "side or role", [*book.sides, *book.roles]
        is_known = name in known or (kind != "side" and name in ROLES)
    else:
        unknown, known = NO_COUNTER, [*book.counters, *(book.sides if kind == "counters" else ())]
        kind, is_known = "counter", name in known or drawing_shapes.find_counter(name, book) is not None
    if not is_known:
        yield name.unknown_name_problem(unknown, f"there is no {kind} {quote_short(name)}", known, about)


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


@check(Rulebook)
def check_counters(book: Rulebook, _: Scope) -> Problems:
    """Report unknown sides and unit symbols of counters."""
    for name, counter in book.counters.items():
        if counter.side:
            yield from check_drawn_name(counter.side, "side", book, name)
        for face in (counter, counter.back):
            if face and face.unit:
                yield from check_drawn_name(face.unit, "unit symbol", book, name)


@check(DiagramSpec, NO_COUNTER)
def check_diagram_names(diagram: DiagramSpec, scope: Scope) -> Problems:
    """Report unknown counters and shapes in diagrams."""
    for kind, names in (
        ("counter", [name for places in diagram.units.values() for name in places]),
        ("terrain", diagram.terrain),
        ("hexside", diagram.hexsides),
        ("way", diagram.ways),
        ("arrow", diagram.arrows),
    ):
        for name in names:
            yield from check_drawn_name(name, kind, scope.book)


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
