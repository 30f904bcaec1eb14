"""Symbols and diagrams as SVG in a page."""

from __future__ import annotations

from typing import Any

from markupsafe import escape

from rulewright.book import drawing_shapes
from rulewright.book.library import Edition
from rulewright.book.resolved_branding import file_of
from rulewright.render.diagram_renderer import CounterDrawing, counter_drawing, draw_diagram
from rulewright.render.templating import environment
from rulewright.schema.diagram_model import Counter, DiagramSpec, SymbolSpec

LARGE_FAMILIES = (drawing_shapes.TERRAIN, drawing_shapes.HEXSIDES, drawing_shapes.WAYS)
"""Families of shapes that a sentence shows as high as a counter."""


def symbol_picture(name: str, edition: Edition) -> str:
    """Return the file of a symbol in the content folder; an empty string if it is drawn or is not there."""
    found = drawing_shapes.inline_symbol(name, edition.book)
    file = file_of(found.file) if isinstance(found, SymbolSpec) and found.file else ""
    return file if file in edition.shared else ""


def symbol_words(name: str, edition: Edition) -> str:
    """Return the words of a symbol for readers who do not see it."""
    found = drawing_shapes.inline_symbol(name, edition.book)
    if isinstance(found, Counter):
        return counter_drawing(name, found, edition.book).words
    return str(found.means or name) if isinstance(found, SymbolSpec) else name


def symbol_svg(name: str, edition: Edition, *, stands_alone: bool) -> str:
    """Return the SVG of a symbol; larger if it stands alone. A symbol without its file is its words."""
    found = drawing_shapes.inline_symbol(name, edition.book)
    assert found
    words = symbol_words(name, edition)
    if isinstance(found, SymbolSpec) and found.file:
        return str(escape(words))
    shape: CounterDrawing | drawing_shapes.Drawn = found
    if isinstance(found, Counter):
        shape = counter_drawing(name, found, edition.book)
    is_counter = isinstance(found, Counter)
    if stands_alone:
        style = f"height: {4.2 if is_counter else 3.2}em; vertical-align: middle"
    else:
        is_large = is_counter or getattr(found, "family", "") in LARGE_FAMILIES
        height = 1.9 if is_large else 1.25
        style = f"height: {height}em; vertical-align: {(1 - height) / 2 - 0.12}em"
    return str(_svg_macros().sign(shape, words, style))


def diagram_html(diagram: DiagramSpec, edition: Edition) -> str:
    """Return the SVG of a diagram with a legend of its areas; an empty string if nothing can be drawn."""
    drawing = draw_diagram(diagram, edition.book)
    if drawing is None:
        return ""
    html = f"{_svg_macros().diagram(drawing, 'max-width: 100%; height: auto', 1.25)}\n"
    if not drawing.areas:
        return html
    areas = "".join(
        f'<svg width="22" height="14" aria-hidden="true"><rect x="1" y="1" width="20" height="12" '
        f'fill="url(#{drawing.name}-area-{number})" stroke="currentColor" stroke-dasharray="5 3"/></svg> '
        f"{escape(name)} "
        for number, (name, _) in enumerate(drawing.areas, 1)
    )
    return f"{html}<p>{areas}</p>\n"


def _svg_macros() -> Any:
    return environment().get_template("drawn/drawing.svg").module
