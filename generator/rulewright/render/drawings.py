"""Symbols and diagrams as SVG: in a page, and as pictures with names for what is printed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from markupsafe import escape

from rulewright.book.drawing_shapes import HEXSIDES, TERRAIN, UNITS, WAYS, DrawingShape, inline_symbol
from rulewright.book.library import Edition
from rulewright.book.resolved_branding import file_of
from rulewright.render.diagram_renderer import CounterDrawing, counter_drawing, draw_diagram
from rulewright.render.templating import environment
from rulewright.schema.diagram_model import Counter, DiagramSpec, SymbolSpec

THINNEST, TYPE, COLUMN = 0.25, 6.0, 170.0
"""The thinnest line that is printed well, the smallest type of text with symbols, and the narrowest column of
a diagram, in points."""

_STROKE = re.compile(r'(?<=stroke-width=")[\d.]+(?=")')


@dataclass(frozen=True, slots=True)
class Symbol:
    """A symbol or a counter in a text."""

    shape: DrawingShape | SymbolSpec | CounterDrawing
    words: str
    file: str
    """Its file in the content folder; empty if it is drawn."""
    height: float
    """Its height in a sentence in ems."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A drawing as an SVG in the colours of paper."""

    name: str
    """The name of its file; without `data`, of a file of the content."""
    words: str
    """Its text alternative."""
    data: bytes
    height: float
    """The height of a symbol in ems, of a diagram in pixels."""


def find_symbol(name: str, edition: Edition) -> Symbol | None:
    """Return the symbol of a `:name:`; None if the book has no such symbol."""
    match inline_symbol(name, edition.book):
        case Counter() as counter:
            shape = counter_drawing(name, counter, edition.book)
            return Symbol(shape, shape.words, "", 1.9)
        case SymbolSpec() as own:
            return Symbol(own, str(own.means or name), file_of(own.file) if own.file else "", 1.25)
        case DrawingShape() as shared:
            return Symbol(shared, name, "", 1.9 if shared.family in (TERRAIN, HEXSIDES, WAYS) else 1.25)
    return None


def symbol_html(symbol: Symbol, stands_alone: bool) -> str:
    """Return the SVG of a symbol in a page; larger if it is alone."""
    if stands_alone:
        height, align = 4.2 if isinstance(symbol.shape, CounterDrawing) else 3.2, "middle"
    else:
        height, align = symbol.height, f"{(1 - symbol.height) / 2 - 0.12}em"
    return str(_macros().sign(symbol.shape, symbol.words, f"height: {height}em; vertical-align: {align}"))


def diagram_html(diagram: DiagramSpec, edition: Edition) -> str:
    """Return the SVG of a diagram with a legend of its areas; an empty string if nothing can be drawn."""
    drawing = draw_diagram(diagram, edition.book)
    if drawing is None:
        return ""
    areas = "".join(
        f'<svg width="22" height="14" aria-hidden="true"><rect x="1" y="1" width="20" height="12" '
        f'fill="url(#{drawing.name}-area-{number})" stroke="currentColor" stroke-dasharray="5 3"/></svg> '
        f"{escape(name)} "
        for number, (name, _) in enumerate(drawing.areas, 1)
    )
    html = f"{_macros().diagram(drawing, 'max-width: 100%; height: auto', 1.25)}\n"
    return f"{html}<p>{areas}</p>\n" if areas else html


def symbol_drawing(name: str, edition: Edition) -> Drawing | None:
    """Return the drawing of a `:name:`; None if the book has no such symbol, or not its file."""
    symbol = find_symbol(name, edition)
    if symbol is None or (symbol.file and symbol.file not in edition.shared):
        return None
    if symbol.file:
        return Drawing(symbol.file, symbol.words, b"", symbol.height)
    height = 1.9 if getattr(symbol.shape, "family", "") == UNITS else symbol.height
    svg = _thicken(str(_macros().sign(symbol.shape, symbol.words, file=True)), height * TYPE, side=3)
    return Drawing(f"drawn/{edition.address}/sign-{name}.svg", symbol.words, svg, height)


def unit_drawing(shape: DrawingShape, edition: Edition) -> Drawing:
    """Return the drawing of a unit symbol for a counter."""
    svg = str(_macros().sign(shape, shape.name, file=True)).encode()
    return Drawing(f"drawn/{edition.address}/unit-{shape.name}.svg", shape.name, svg, 0.0)


def diagram_drawing_of(diagram: DiagramSpec, edition: Edition) -> Drawing | None:
    """Return the drawing of a diagram; None if nothing can be drawn."""
    drawing = draw_diagram(diagram, edition.book)
    if drawing is None:
        return None
    svg = _thicken(str(_macros().diagram(drawing, file=True)), COLUMN, side=2)
    return Drawing(f"drawn/{edition.address}/{drawing.name}.svg", drawing.words, svg, drawing.box[3])


def _macros() -> Any:
    return environment().get_template("drawn/drawing.svg").module


def _thicken(svg: str, points: float, side: int) -> bytes:
    """Thicken thin lines for printing, where side 2 or 3 of the `viewBox` has a length in points."""
    box = svg.partition('viewBox="')[2].partition('"')[0].split()
    minimum = round(THINNEST * float(box[side]) / points + 0.005, 2)
    thick = _STROKE.sub(lambda width: str(max(float(width[0]), minimum)), svg)
    return thick.replace("<svg", f'<svg stroke-width="{minimum}"', 1).encode()
