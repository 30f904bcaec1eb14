"""What a page's content does to the graphics state, to paths and to text: ISO 32000-1, chapters 8 and 9.

A clip is told by its box, which is enough for what stands at an edge.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from math import hypot, sqrt

import pikepdf
from pikepdf import Array, Dictionary, Name, Object, Stream

from rulewright.model.paper import MM
from rulewright.print.preflight import images, marked
from rulewright.print.preflight.colour import Colour, Space, shading_colours, space_of
from rulewright.print.preflight.fonts import Font
from rulewright.print.preflight.geometry import Box, Matrix, Page, covered, number_of, real, times
from rulewright.print.preflight.outlines import Outline
from rulewright.print.preflight.paint import (
    FILLED,
    IDENTITY,
    INVISIBLE,
    STROKED,
    Letter,
    Painting,
    Shape,
    State,
    Text,
)
from rulewright.print.preflight.streams import Effort


class Fonts:
    """The fonts of a PDF and the inks of its images, each read once, however many pages use it.

    `effort`: how much all pages together may still ask for.
    """

    def __init__(self, effort: Effort) -> None:
        self.known: dict[tuple[int, int] | bytes, Font] = {}
        self.inks: images.Known = {}
        self.effort = effort

    def of(self, source: Dictionary) -> Font:
        key = source.objgen if source.is_indirect else source.unparse()
        if key not in self.known:
            self.known[key] = Font(source, self.effort)
        return self.known[key]


class Canvas(ABC):
    """A page, or a pattern's cell, that is being painted. Methods that take `given` are operators."""

    def __init__(self, page: Page, fonts: Fonts) -> None:
        self.base, self.media, self.fonts = page.matrix, page.media, fonts
        self.painting = Painting()
        self.state = State(page.matrix, page.media)
        self.stack: list[State] = []
        self.outline = Outline()
        self.text_matrix = self.line_matrix = IDENTITY
        self.tags = marked.Tags()
        self.resources = Dictionary()
        self.stream = 0

    @abstractmethod
    def pattern(self, name: Name, space: Space, values: Sequence[float]) -> tuple[Colour, ...]:
        """The colours of a pattern."""

    @abstractmethod
    def drawing(self, font: Font, code: int) -> None:
        """Draw a glyph of a Type 3 font."""

    def found(self, kind: str, name: object) -> Object | None:
        """A resource by its name."""
        listed = self.resources.get(f"/{kind}")
        return listed.get(name) if isinstance(listed, Dictionary) and isinstance(name, Name) else None

    # The graphics state.

    def save(self, given: Sequence[Object]) -> None:
        self.stack.append(self.state.copy())

    def restore(self, given: Sequence[Object]) -> None:
        if self.stack:
            self.state = self.stack.pop()

    def concatenate(self, given: Sequence[Object]) -> None:
        self.state.matrix = times(matrix_by(given), self.state.matrix)

    def line_width(self, given: Sequence[Object]) -> None:
        self.state.line = real(given[0])

    def dictionary(self, given: Sequence[Object]) -> None:
        """`gs`: what of a parameter dictionary matters here."""
        entries = self.found("ExtGState", given[0])
        if not isinstance(entries, Dictionary):
            return
        self.state.line = number_of(entries.get("/LW"), self.state.line)
        self.state.fill_alpha = number_of(entries.get("/ca"), self.state.fill_alpha)
        self.state.stroke_alpha = number_of(entries.get("/CA"), self.state.stroke_alpha)
        font = entries.get("/Font")
        if isinstance(font, Array) and len(font) == 2 and isinstance(font[0], Dictionary):
            self.state.font, self.state.size = self.fonts.of(font[0]), real(font[1])

    # Colours.

    def space(self, given: Sequence[Object], stroke: bool) -> None:
        space = space_of(given[0], self.resources)
        start = [1.0] * space.count if space.model == "spot" else [0.0] * space.count
        if space.model == "cmyk":
            start = [0.0, 0.0, 0.0, 1.0]
        self.set_colour(space, (space.colour(start),), stroke)

    def colour(self, given: Sequence[Object], stroke: bool) -> None:
        """`sc` and `scn`, with a pattern's name last where the space is one of patterns."""
        space = self.state.stroke_space if stroke else self.state.fill_space
        if given and isinstance(given[-1], Name):
            colours = self.pattern(given[-1], space, numbers(given[:-1]))
        else:
            colours = (space.colour(numbers(given)),)
        self.set_colour(space, colours, stroke)

    def set_colour(self, space: Space, colours: Iterable[Colour], stroke: bool) -> None:
        if stroke:
            self.state.stroke_space, self.state.stroke = space, tuple(colours)
        else:
            self.state.fill_space, self.state.fill = space, tuple(colours)

    # Paths.

    def paint(self, fill: bool, stroke: bool) -> None:
        """Paint the path, and then let it clip where `W` has said so."""
        state, parts = self.state, []
        if colours := (state.fills if fill else ()) + (state.strokes if stroke else ()):
            wider = state.line / 2 * _scale(state.matrix) if stroke else 0.0
            for a, b, c, d in self.outline.boxes(state.matrix):
                if part := state.clipped((a - wider, b - wider, c + wider, d + wider)):
                    parts.append(part)
            if parts:
                self.painting.shapes.append(Shape(colours, tuple(parts), _around(parts), self.tags.now))
        if self.outline.clips:
            boxes = list(self.outline.boxes(state.matrix))
            state.clip = state.clipped(_around(boxes)) if boxes else None
        self.outline.clear()

    def shade(self, given: Sequence[Object]) -> None:
        shading = self.found("Shading", given[0])
        clip = self.state.clip
        if isinstance(shading, Dictionary | Stream) and clip and self.state.fill_alpha > 0:
            colours = tuple(shading_colours(shading, self.resources))
            self.painting.shapes.append(Shape(colours, (clip,), clip, self.tags.now))

    # Text.

    def set_font(self, given: Sequence[Object]) -> None:
        font = self.found("Font", given[0])
        self.state.font = self.fonts.of(font) if isinstance(font, Dictionary) else None
        self.state.size = real(given[1])

    def begin(self, given: Sequence[Object]) -> None:
        self.text_matrix = self.line_matrix = IDENTITY

    def move(self, x: float, y: float) -> None:
        self.line_matrix = times((1.0, 0.0, 0.0, 1.0, x, y), self.line_matrix)
        self.text_matrix = self.line_matrix

    def place(self, given: Sequence[Object]) -> None:
        self.text_matrix = self.line_matrix = matrix_by(given)

    def show(self, pieces: Iterable[object]) -> None:
        """Show strings, with the numbers between them moving back what follows."""
        state, font = self.state, self.state.font
        if font is None:
            return
        letters: list[Letter] = []
        scale = times(self.text_matrix, state.matrix)
        for piece in pieces:
            if not isinstance(piece, pikepdf.String):
                self.advance(-number_of(piece, 0.0) / 1000 * state.size, font)
                continue
            shown = bytes(piece)
            self.fonts.effort.take(len(shown))
            for glyph in font.glyphs(shown):
                matrix = self.glyph_matrix()
                box = state.clipped(covered(matrix, glyph.box)) if glyph.box else None
                letters.append(Letter(glyph, box))
                if font.kind == "Type3":
                    self.drawing(font, glyph.code)
                extra = state.spacing + (state.word_spacing if glyph.space else 0.0)
                self.advance((-1000.0 if font.vertical else glyph.width) / 1000 * state.size + extra, font)
        boxes = [letter.box for letter in letters if letter.box]
        colours = (state.fills if state.mode in FILLED else ()) + (
            state.strokes if state.mode in STROKED else ()
        )
        visible = state.mode not in INVISIBLE and bool(colours)
        size = state.size * _height(scale) / MM["pt"]
        if letters:
            around = _around(boxes) if boxes else None
            text = Text(font, abs(size), colours, visible, tuple(letters), around, self.tags.now)
            self.painting.texts.append(text)

    def glyph_matrix(self) -> Matrix:
        """From thousandths of the size of type to millimetres."""
        state = self.state
        size = state.size / 1000
        own = (size * state.stretch, 0.0, 0.0, size, 0.0, state.rise)
        return times(own, times(self.text_matrix, state.matrix))

    def advance(self, by: float, font: Font) -> None:
        x, y = (0.0, by) if font.vertical else (by * self.state.stretch, 0.0)
        self.text_matrix = times((1.0, 0.0, 0.0, 1.0, x, y), self.text_matrix)

    def set_text(self, name: str, value: float) -> None:
        """Set an entry of the text state."""
        setattr(self.state, name, value)


def matrix_by(given: Iterable[Object]) -> Matrix:
    a, b, c, d, e, f = map(real, given)
    return a, b, c, d, e, f


def matrix_of(source: Object) -> Matrix:
    found = source.get("/Matrix")
    return matrix_by(found) if isinstance(found, Array) and len(found) == 6 else IDENTITY


def numbers(given: Iterable[Object]) -> list[float]:
    return [real(value) for value in given]


def _scale(matrix: Matrix) -> float:
    """How much larger a matrix makes things, both ways taken together."""
    a, b, c, d, _, _ = matrix
    return sqrt(abs(a * d - b * c))


def _height(matrix: Matrix) -> float:
    """How much higher a matrix makes what stands on a line, slanted or not."""
    a, b, c, d, _, _ = matrix
    base = hypot(a, b)
    return abs(a * d - b * c) / base if base else hypot(c, d)


def _around(boxes: Sequence[Box]) -> Box:
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)
