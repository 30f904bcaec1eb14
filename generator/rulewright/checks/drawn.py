"""Checks of what is drawn: symbols, counters and diagrams name only what is there."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from rulewright.book import shapes
from rulewright.book.hexes import MOST_DRAWN, MOST_HEXES, Area, corners_of, hex_of
from rulewright.book.library import Edition
from rulewright.book.looks import LOGOS, file_of
from rulewright.checks.pictures import NOT_FOUND, diagrams_in
from rulewright.checks.shades import malformed
from rulewright.checks.steps import NO_SIDE
from rulewright.citations.shelf import Shelf
from rulewright.model.aid import MOST_COPIES
from rulewright.model.drawn import Counter, Diagram, Face, Symbol
from rulewright.model.reader import COUNT
from rulewright.model.rulebook import Rulebook
from rulewright.source.amounts import counted
from rulewright.source.problems import Problem, did_you_mean, kind, shown
from rulewright.source.text import Text

MALFORMED = kind(
    "symbol-malformed", "A symbol has more than three letters, or its path is none that SVG draws."
)
NO_SHAPE = kind(
    "shape-unknown",
    "Terrain, a hexside, a way, an arrow or a unit symbol has a name that nothing is drawn for.",
)
NO_COUNTER = kind("counter-unknown", "A diagram names a counter that rulebook.yml does not have.")
NO_HEX = kind("hex-not-there", "A diagram names a hex that does not lie in its area, or that is none.")
LARGE = kind(
    "diagram-too-large",
    f"A diagram has more than {MOST_HEXES:,} hexes, or names more than {MOST_DRAWN} of them and of counters.",
)

_PATH = re.compile(r"[MmLlHhVvCcSsQqTtAaZz0-9 ,.\n+eE-]{1,5000}")


def books(shelf: Shelf) -> Iterator[Problem]:
    """Faults of the symbols, the counters and the names of terrain of each book."""
    for edition in shelf.of_each_book:
        for name, symbol in edition.book.symbols.items():
            yield from _symbol(name, symbol, edition)
        for name, counter in edition.book.counters.items():
            yield from _counter(name, counter, edition.book)
        for name, what in edition.book.terrain.items():
            families = (shapes.TERRAIN, shapes.HEXSIDES, shapes.WAYS)
            known = [one for family in families for one in shapes.shapes()[family]]
            if not any(shapes.shape(family, what, edition.book) for family in families):
                yield what.missing(NO_SHAPE, f"nothing is drawn as {shown(what)}", known, str(name))


def _symbol(name: Text, symbol: Symbol, edition: Edition) -> Iterator[Problem]:
    if symbol.letters and len(symbol.letters) > 3:
        message = f"{shown(symbol.letters)} has more than three letters"
        yield MALFORMED.at(symbol.letters.place, message, str(name))
    if symbol.path and not _PATH.fullmatch(symbol.path):
        yield MALFORMED.at(symbol.path.place, "this is no path that SVG draws", str(name))
    if symbol.file:
        path, beside = file_of(symbol.file), posixpath.dirname(symbol.file.file.name)
        if path not in edition.shared or not path.lower().endswith(LOGOS):
            others = [one for one in sorted(edition.shared) if one.lower().endswith(LOGOS)]
            near = did_you_mean(path, others).replace(f"{beside}/", "")
            yield NOT_FOUND.at(symbol.file.place, f"there is no picture {shown(path, 80)}{near}", str(name))


def _counter(name: Text, counter: Counter, book: Rulebook) -> Iterator[Problem]:
    if counter.side and counter.side not in book.sides:
        yield counter.side.missing(NO_SIDE, f"there is no side {shown(counter.side)}", book.sides, str(name))
    if counter.count and not counted(counter.count, MOST_COPIES):
        message = f"count cannot be {shown(counter.count)}; write a whole number from 1 to {MOST_COPIES}"
        yield COUNT.at(counter.count.place, message, str(name))
    faces: Sequence[Face | None] = (counter, counter.back)
    for face in filter(None, faces):
        if face.colour:
            yield from malformed(face.colour, str(name))
        if face.unit and face.unit not in book.symbols and not shapes.shape(shapes.UNITS, face.unit, book):
            known = [*book.symbols, *shapes.names(shapes.UNITS, book)]
            yield face.unit.missing(NO_SHAPE, f"there is no unit symbol {shown(face.unit)}", known, str(name))


def diagrams(shelf: Shelf) -> Iterator[Problem]:
    """Diagrams that name hexes, counters or shapes that are not there."""
    for one, edition, about in diagrams_in(shelf):
        yield from _diagram(one, edition.book, about)


def _diagram(one: Diagram, book: Rulebook, about: str) -> Iterator[Problem]:
    for name in (name for places in one.units.values() for name in places):
        if not shapes.counter(name, book):
            yield name.missing(NO_COUNTER, f"there is no counter {shown(name)}", list(book.counters), about)
    for family, named, what in (
        (shapes.TERRAIN, one.terrain, "terrain"),
        (shapes.HEXSIDES, one.hexsides, "hexside"),
        (shapes.WAYS, one.ways, "way"),
        (shapes.ARROWS, one.arrows, "arrow"),
    ):
        for name in named:
            if not shapes.shape(family, name, book):
                drawn = shapes.names(family, book)
                yield name.missing(NO_SHAPE, f"there is no {what} {shown(name)}", drawn, about)
    yield from _places(one, book, about)


def _places(one: Diagram, book: Rulebook, about: str) -> Iterator[Problem]:
    written, area = one.area, Area.of(one.area, book)
    if area is None:
        message = f'{shown(written)} is no area; write its corners, like "1307-1812"'
        yield NO_HEX.at(written.place, message, about)
        return
    if area.count > MOST_HEXES:
        message = (
            f"{shown(written)} has {area.count:,} hexes, and at most {MOST_HEXES:,} can be; it is not drawn"
        )
        yield LARGE.at(written.place, message, about)
        return
    named: Sequence[tuple[Mapping[Text, Sequence[Text]], Callable[[Text, Area], str]]] = (
        (one.terrain, _hexes),
        (one.hexsides, _side),
        (one.ways, _way),
        (one.labels, _hexes),
        (one.arrows, partial(_way, is_arrow=True)),
        (one.areas, _hexes),
    )
    places = [(place, fault) for group, fault in named for some in group.values() for place in some]
    units = [name for names in one.units.values() for name in names]
    if len(places) + len(units) > MOST_DRAWN:
        count = len(places) + len(units)
        message = f"this diagram names {count:,} hexes and counters, and at most {MOST_DRAWN} can be shown"
        yield LARGE.at([*(place for place, _ in places), *units][MOST_DRAWN].place, message, about)
    places += [(place, _hexes) for place in one.units]
    for place, fault_of in places[:MOST_DRAWN]:
        if fault := fault_of(place, area):
            yield NO_HEX.at(place.place, fault, about)


def _outside(lacking: Sequence[str], written: str) -> str:
    return f"hex {lacking[0]} does not lie in {written}" if lacking else ""


def _hexes(place: Text, area: Area) -> str:
    """Fault of a hex, or of the corners of an area."""
    ends = corners_of(place)
    lacking = [area.number(end) for end in ends or () if end not in area]
    return _outside(lacking, area.written) if ends else f"{shown(place)} is no hex"


def _side(place: Text, area: Area) -> str:
    """Fault of a hexside, which lies between two hexes, one at least in the area."""
    one, other = (hex_of(part) for part in (*place.split("/"), "", "")[:2])
    if one is None or other is None or place.count("/") != 1:
        return f"{shown(place)} is no hexside; write the hexes beside it, like 1510/1610"
    if not area.are_beside(one, other):
        return f"{area.number(one)} and {area.number(other)} have no side in common"
    return "" if one in area or other in area else _outside([area.number(one)], area.written)


def _way(place: Text, area: Area, is_arrow: bool = False) -> str:
    """Fault of what goes from hex to hex. A road may come from a hex beside the area, or go there."""
    run = [hex_of(part) for part in place.split()]
    if len(run) < 2 or None in run:
        return f"{shown(place)} goes from no hex to another; write those it goes through, like 1509 1510"
    for at, one in enumerate(run):
        if one and one not in area and (is_arrow or 0 < at < len(run) - 1):
            return _outside([area.number(one)], area.written)
    inside = [one in area for one in run]
    return "" if any(inside) else _outside([area.number(run[0])] if run[0] else [], area.written)
