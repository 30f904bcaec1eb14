"""Checks of drawings: symbols, counters and diagrams use known names only."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from rulewright.book import drawing_shapes
from rulewright.book.hex_grid import MOST_DRAWN, MOST_HEXES, HexArea, parse_hex, parse_hex_range
from rulewright.book.library import Edition
from rulewright.book.related_outlines import one_edition_per_book
from rulewright.book.resolved_branding import LOGOS, file_of
from rulewright.checks.image_checks import NOT_FOUND, diagrams_in
from rulewright.checks.player_colour_checks import colour_problem
from rulewright.checks.step_checks import NO_SIDE
from rulewright.files.located_text import LocatedText
from rulewright.files.problems import Problem, did_you_mean, problem_type, quote_short
from rulewright.files.safe_integers import parse_count
from rulewright.references.reference_index import ReferenceIndex
from rulewright.schema.aid import MAX_COPIES
from rulewright.schema.diagram_model import Counter, CounterFace, DiagramSpec, SymbolSpec
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


def check_drawing_specs(index: ReferenceIndex) -> Iterator[Problem]:
    """Report faults of the symbols, counters and terrain names of each book."""
    for edition in one_edition_per_book(index.outlines):
        for name, symbol in edition.book.symbols.items():
            yield from _check_symbol(name, symbol, edition)
        for name, counter in edition.book.counters.items():
            yield from _check_counter(name, counter, edition.book)
        for name, shape_name in edition.book.terrain.items():
            families = (drawing_shapes.TERRAIN, drawing_shapes.HEXSIDES, drawing_shapes.WAYS)
            known = [shape for family in families for shape in drawing_shapes.shapes()[family]]
            if not any(drawing_shapes.find_shape(family, shape_name, edition.book) for family in families):
                yield shape_name.unknown_name_problem(
                    NO_SHAPE, f"nothing is drawn as {quote_short(shape_name)}", known, str(name)
                )


def _check_symbol(name: LocatedText, symbol: SymbolSpec, edition: Edition) -> Iterator[Problem]:
    if symbol.letters and len(symbol.letters) > 3:
        message = f"{quote_short(symbol.letters)} has more than three letters"
        yield MALFORMED.problem(symbol.letters.place, message, str(name))
    if symbol.path and not _PATH.fullmatch(symbol.path):
        yield MALFORMED.problem(symbol.path.place, "this is no path that SVG draws", str(name))
    if symbol.file:
        path, folder = file_of(symbol.file), posixpath.dirname(symbol.file.file.name)
        if path not in edition.shared or not path.lower().endswith(LOGOS):
            pictures = [file for file in sorted(edition.shared) if file.lower().endswith(LOGOS)]
            suggestion = did_you_mean(path, pictures).replace(f"{folder}/", "")
            yield NOT_FOUND.problem(
                symbol.file.place, f"there is no picture {quote_short(path, 80)}{suggestion}", str(name)
            )


def _check_counter(name: LocatedText, counter: Counter, book: Rulebook) -> Iterator[Problem]:
    if counter.side and counter.side not in book.sides:
        yield counter.side.unknown_name_problem(
            NO_SIDE, f"there is no side {quote_short(counter.side)}", book.sides, str(name)
        )
    if counter.count and not parse_count(counter.count, MAX_COPIES):
        message = f"count cannot be {quote_short(counter.count)}; write a whole number from 1 to {MAX_COPIES}"
        yield COUNT.problem(counter.count.place, message, str(name))
    faces: Sequence[CounterFace | None] = (counter, counter.back)
    for face in filter(None, faces):
        if face.colour:
            yield from colour_problem(face.colour, str(name))
        if (
            face.unit
            and face.unit not in book.symbols
            and not drawing_shapes.find_shape(drawing_shapes.UNITS, face.unit, book)
        ):
            known = [*book.symbols, *drawing_shapes.shape_names(drawing_shapes.UNITS, book)]
            yield face.unit.unknown_name_problem(
                NO_SHAPE, f"there is no unit symbol {quote_short(face.unit)}", known, str(name)
            )


def check_diagrams(index: ReferenceIndex) -> Iterator[Problem]:
    """Report unknown hexes, counters and shapes in diagrams."""
    for diagram, edition, about in diagrams_in(index):
        yield from _check_diagram(diagram, edition.book, about)


def _check_diagram(diagram: DiagramSpec, book: Rulebook, about: str) -> Iterator[Problem]:
    for name in (name for places in diagram.units.values() for name in places):
        if not drawing_shapes.find_counter(name, book):
            yield name.unknown_name_problem(
                NO_COUNTER, f"there is no counter {quote_short(name)}", list(book.counters), about
            )
    for family, named_shapes, noun in (
        (drawing_shapes.TERRAIN, diagram.terrain, "terrain"),
        (drawing_shapes.HEXSIDES, diagram.hexsides, "hexside"),
        (drawing_shapes.WAYS, diagram.ways, "way"),
        (drawing_shapes.ARROWS, diagram.arrows, "arrow"),
    ):
        for name in named_shapes:
            if not drawing_shapes.find_shape(family, name, book):
                drawn = drawing_shapes.shape_names(family, book)
                yield name.unknown_name_problem(
                    NO_SHAPE, f"there is no {noun} {quote_short(name)}", drawn, about
                )
    yield from _check_hexes(diagram, book, about)


def _check_hexes(diagram: DiagramSpec, book: Rulebook, about: str) -> Iterator[Problem]:
    corners, area = diagram.area, HexArea.parse(diagram.area, book)
    if area is None:
        message = f'{quote_short(corners)} is no area; write its corners, like "1307-1812"'
        yield NO_HEX.problem(corners.place, message, about)
        return
    if area.count > MOST_HEXES:
        message = (
            f"{quote_short(corners)} has {area.count:,} hexes, and at most {MOST_HEXES:,} can be; it is "
            f"not drawn"
        )
        yield LARGE.problem(corners.place, message, about)
        return
    checked_groups: Sequence[
        tuple[Mapping[LocatedText, Sequence[LocatedText]], Callable[[LocatedText, HexArea], str]]
    ] = (
        (diagram.terrain, _hex_fault),
        (diagram.hexsides, _hexside_fault),
        (diagram.ways, _way_fault),
        (diagram.labels, _hex_fault),
        (diagram.arrows, partial(_way_fault, is_arrow=True)),
        (diagram.areas, _hex_fault),
    )
    places: list[tuple[LocatedText, Callable[[LocatedText, HexArea], str]]] = []
    for group, fault_of in checked_groups:
        for group_places in group.values():
            places += [(place, fault_of) for place in group_places]
    units = [name for names in diagram.units.values() for name in names]
    if len(places) + len(units) > MOST_DRAWN:
        count = len(places) + len(units)
        message = f"this diagram names {count:,} hexes and counters, and at most {MOST_DRAWN} can be shown"
        yield LARGE.problem([*(place for place, _ in places), *units][MOST_DRAWN].place, message, about)
    places += [(place, _hex_fault) for place in diagram.units]
    for place, fault_of in places[:MOST_DRAWN]:
        if fault := fault_of(place, area):
            yield NO_HEX.problem(place.place, fault, about)


def _outside_message(lacking: Sequence[str], area_text: str) -> str:
    return f"hex {lacking[0]} does not lie in {area_text}" if lacking else ""


def _hex_fault(place: LocatedText, area: HexArea) -> str:
    """Return the fault of a hex or of the corners of an area, or an empty string."""
    ends = parse_hex_range(place)
    lacking = [area.number(end) for end in ends or () if end not in area]
    return _outside_message(lacking, area.sample_number) if ends else f"{quote_short(place)} is no hex"


def _hexside_fault(place: LocatedText, area: HexArea) -> str:
    """Return the fault of a hexside between two hexes, at least one of them in the area."""
    hex, other = (parse_hex(part) for part in (*place.split("/"), "", "")[:2])
    if hex is None or other is None or place.count("/") != 1:
        return f"{quote_short(place)} is no hexside; write the hexes beside it, like 1510/1610"
    if not area.are_beside(hex, other):
        return f"{area.number(hex)} and {area.number(other)} have no side in common"
    return "" if hex in area or other in area else _outside_message([area.number(hex)], area.sample_number)


def _way_fault(place: LocatedText, area: HexArea, is_arrow: bool = False) -> str:
    """Return the fault of a path from hex to hex; the ends of a road or river may be outside the area."""
    run = [parse_hex(part) for part in place.split()]
    if len(run) < 2 or None in run:
        return (
            f"{quote_short(place)} goes from no hex to another; write those it goes through, like 1509 1510"
        )
    for index, hex in enumerate(run):
        if hex and hex not in area and (is_arrow or 0 < index < len(run) - 1):
            return _outside_message([area.number(hex)], area.sample_number)
    inside = [hex in area for hex in run]
    return (
        "" if any(inside) else _outside_message([area.number(run[0])] if run[0] else [], area.sample_number)
    )
