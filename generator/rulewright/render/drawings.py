"""Drawings as pictures with names, for what is printed or packed: signs in texts, and diagrams."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from rulewright.book import drawing_shapes
from rulewright.book.library import Edition
from rulewright.book.resolved_branding import file_of
from rulewright.render.diagram_renderer import counter_drawing, draw_diagram
from rulewright.render.templating import environment
from rulewright.schema.diagram_model import Counter, DiagramSpec, SymbolSpec

THINNEST, TYPE, COLUMN = 0.25, 6.0, 170.0
"""The thinnest line that is printed well, the smallest type that signs stand in with such lines, and the
narrowest column of a diagram that has them, in points."""

_STROKE = re.compile(r'(?<=stroke-width=")[\d.]+(?=")')


@dataclass(frozen=True, slots=True)
class Drawing:
    """A drawing as an SVG in the colours of paper, with `words` for who does not see it.

    `height`: of a sign in a sentence in ems, of a diagram in pixels. Without `data` its name is that of a
    file of the content.
    """

    name: str
    words: str
    data: bytes
    height: float


def symbol_drawing(name: str, edition: Edition) -> Drawing | None:
    """The drawing of `:name:`; None where the book has no such sign."""
    found = drawing_shapes.inline_symbol(name, edition.book)
    if found is None:
        return None
    if isinstance(found, SymbolSpec) and found.file:
        file = file_of(found.file)
        return Drawing(file, str(found.means or name), b"", 1.25) if file in edition.shared else None
    drawn = counter_drawing(name, found, edition.book) if isinstance(found, Counter) else found
    words = drawn.means or name if isinstance(drawn, SymbolSpec) else getattr(drawn, "words", name)
    height = (
        1.25 if isinstance(found, SymbolSpec) or getattr(found, "family", "") == drawing_shapes.SIGNS else 1.9
    )
    parts: Any = environment().get_template("drawn/drawing.svg").module
    svg = _thick(str(parts.sign(drawn, words, file=True)), height * TYPE, side=3)
    return Drawing(f"drawn/{edition.address}/sign-{name}.svg", str(words), svg, height)


def of_face(name: str, counter: Counter, edition: Edition, back: bool) -> Drawing:
    """The drawing of a side of a counter to cut out, which has no edge."""
    drawn = counter_drawing(name, counter, edition.book, back)
    parts: Any = environment().get_template("drawn/drawing.svg").module
    svg = _thick(str(parts.cut_out(drawn, drawn.words)), 1.9 * TYPE, side=3)
    file = f"drawn/{edition.address}/cut-{name}{'-back' if back else ''}.svg"
    return Drawing(file, drawn.words, svg, 1.9)


def diagram_drawing_of(diagram: DiagramSpec, edition: Edition) -> Drawing | None:
    """The drawing of a diagram; None where nothing of it can be drawn."""
    made = draw_diagram(diagram, edition.book)
    if made is None:
        return None
    parts: Any = environment().get_template("drawn/drawing.svg").module
    return Drawing(
        f"drawn/{edition.address}/{made.name}.svg",
        made.words,
        _thick(str(parts.diagram(made, file=True)), COLUMN, side=2),
        made.box[3],
    )


def _thick(svg: str, points: float, side: int) -> bytes:
    """Thicken thin lines for printing, where side 2 or 3 of the `viewBox` is so many points long."""
    box = svg.partition('viewBox="')[2].partition('"')[0].split()
    least = round(THINNEST * float(box[side]) / points + 0.005, 2)
    made = _STROKE.sub(lambda width: str(max(float(width[0]), least)), svg)
    return made.replace("<svg", f'<svg stroke-width="{least}"', 1).encode()
