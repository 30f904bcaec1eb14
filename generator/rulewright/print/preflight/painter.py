"""Reads the content of a page, with the forms, patterns and Type 3 glyphs in it, into what it paints."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import pikepdf
from pikepdf import Dictionary, Name, Object, Stream

from rulewright.print.preflight import images, marked, streams
from rulewright.print.preflight.canvas import Canvas, Fonts, matrix_of, numbers
from rulewright.print.preflight.colour import CMYK, GRAY, RGB, Colour, Space, shading_colours, space_of
from rulewright.print.preflight.fonts import Font
from rulewright.print.preflight.geometry import Page, covered, inherited, real, rectangle, times
from rulewright.print.preflight.outlines import Outline
from rulewright.print.preflight.paint import Painting, State
from rulewright.print.preflight.streams import TooMuch

DEEPEST = 16
"""How many forms may be drawn in one another before one is taken for a circle."""

MOST_FAULTS = 5
"""How many of a page's faults are told."""


def painted(page: Page, fonts: Fonts) -> Painting:
    """What a page paints, its printed annotations included."""
    painter = Painter(page, fonts)
    try:
        fonts.effort.take(100)
        painter.page()
    except TooMuch as error:
        painter.painting.faults.append(str(error))
    return painter.painting


class Painter(Canvas):
    """Reads the content of one page."""

    def __init__(self, page: Page, fonts: Fonts) -> None:
        super().__init__(page, fonts)
        self.sheet, self.source = page, page.source
        self.depth = 0
        self.drawn: list[tuple[int, int]] = []

    def page(self) -> None:
        resources = inherited(self.source, "/Resources")
        self.group(self.source)
        self.read(self.source, resources)
        for appearance, matrix in images.printed(self.source):
            self.tags = marked.Tags(annotation=True)
            self.state = State(self.base, self.media).moved(matrix)
            self.form(appearance)

    def read(self, content: Object, resources: object) -> None:
        """Read a content stream with its resources; what cannot be read of it is a fault of the page."""
        outer, self.resources = (
            self.resources,
            resources if isinstance(resources, Dictionary) else self.resources,
        )
        level, tags = len(self.stack), self.tags.depth
        try:
            instructions = streams.content(content, self.fonts.effort)
        except TooMuch:
            raise
        except Exception as error:  # whatever a damaged stream is read with
            self.painting.faults.append(" ".join(str(error).rpartition(": ")[2].split())[:120])
            instructions = []
        for instruction in instructions:
            if isinstance(instruction, pikepdf.ContentStreamInlineImage):
                self.picture(instruction.iimage.obj, None)
                continue
            try:
                operator = OPERATORS.get(str(instruction.operator))
                if operator is None:
                    continue
                operator(self, list(instruction.operands))
            except (TypeError, ValueError, IndexError, KeyError, ArithmeticError, AttributeError) as error:
                if len(self.painting.faults) < MOST_FAULTS:
                    said = " ".join(str(error).split())[:80]
                    self.painting.faults.append(f"an operator that makes no sense: {said}")
        if len(self.stack) > level:  # a stream that leaves states open does not pass them on
            self.state = self.stack[level]
            del self.stack[level:]
        self.tags.back_to(tags)
        self.resources = outer

    def pattern(self, name: Name, space: Space, values: Sequence[float]) -> tuple[Colour, ...]:
        """The colours of a pattern: those that its cell paints, or that its shading runs between."""
        pattern = self.found("Pattern", name)
        if isinstance(pattern, Dictionary) and pattern.get("/PatternType") == 2:
            shading = pattern.get("/Shading")
            return tuple(shading_colours(shading, self.resources)) if shading is not None else ()
        if not isinstance(pattern, Stream) or self.depth >= DEEPEST:
            return (Colour("unknown"),)
        if pattern.get("/PaintType") == 2 and space.base:
            return (space.base.colour(values),)
        inner = Painter(self.sheet, self.fonts)
        inner.tags, inner.resources = marked.Tags(annotation=True), self.resources
        box = rectangle(pattern.get("/BBox")) or (0.0, 0.0, 1.0, 1.0)
        matrix = times(matrix_of(pattern), self.base)
        inner.state, inner.depth = State(matrix, covered(matrix, box)), self.depth + 1
        inner.read(pattern, pattern.get("/Resources"))
        self.painting.faults += inner.painting.faults
        return tuple(dict.fromkeys(c for item in inner.painting.everything() for c in item.colours))

    # Forms and images.

    def draw(self, given: Sequence[Object]) -> None:
        """`Do`: an image or a form."""
        drawn = self.found("XObject", given[0])
        if not isinstance(drawn, Stream):
            return
        if drawn.get("/Subtype") == Name.Image:
            self.picture(drawn, self.fonts.inks)
        elif drawn.get("/Subtype") == Name.Form:
            self.form(drawn)

    def form(self, drawn: Stream) -> None:
        if self.depth >= DEEPEST or drawn.objgen in self.drawn:
            if len(self.painting.faults) < MOST_FAULTS:
                self.painting.faults.append("forms that are drawn in one another without end")
            return
        self.drawn.append(drawn.objgen)
        self.group(drawn)
        outer, stream, outline = self.state, self.stream, self.outline
        texts = self.text_matrix, self.line_matrix
        self.state = outer.moved(matrix_of(drawn))
        if box := rectangle(drawn.get("/BBox")):
            self.state.clip = self.state.clipped(covered(self.state.matrix, box))
        self.depth, self.stream, self.outline = self.depth + 1, drawn.objgen[0], Outline()
        before = len(self.painting.contents)
        self.read(drawn, drawn.get("/Resources"))
        if len(self.painting.contents) > before:
            self.painting.forms.append(drawn.objgen)
        self.state, self.stream, self.outline = outer, stream, outline
        self.text_matrix, self.line_matrix = texts
        self.depth -= 1
        self.drawn.pop()

    def group(self, source: Object) -> None:
        """Note the space of a transparency group."""
        group = source.get("/Group")
        if isinstance(group, Dictionary) and "/CS" in group:
            self.painting.blending.add(space_of(group["/CS"], self.resources).model)

    def picture(self, source: Object, known: images.Known | None) -> None:
        state = self.state
        box = state.clipped(covered(state.matrix, (0.0, 0.0, 1.0, 1.0)))
        if box is None or state.fill_alpha <= 0:
            return
        found = images.picture(source, state, box, self.tags.now, self.resources, known)
        if found:
            self.painting.pictures.append(found)

    def drawing(self, font: Font, code: int) -> None:
        """Draw a glyph of a Type 3 font, for the pictures in it and the colours of its own."""
        drawn = font.drawing(code)
        if drawn is None or self.depth >= DEEPEST:
            return
        outer, outline, texts = self.state, self.outline, (self.text_matrix, self.line_matrix)
        size = self.state.size
        own = (size * self.state.stretch, 0.0, 0.0, size, 0.0, self.state.rise)
        self.state = outer.moved(times(times(font.matrix, own), self.text_matrix))
        self.state.stroke = self.state.fill
        self.depth, self.outline = self.depth + 1, Outline()
        self.read(drawn, font.source.get("/Resources"))
        self.state, self.outline = outer, outline
        self.text_matrix, self.line_matrix = texts
        self.depth -= 1

    # Marked content.

    def open(self, given: Sequence[Object]) -> None:
        """`BMC` and `BDC`."""
        properties = given[1] if len(given) > 1 else None
        if isinstance(properties, Name):
            properties = self.found("Properties", properties)
        content = self.tags.open(given[0], properties)
        if content is not None:
            self.painting.contents.append((self.stream, content))


Operator = Callable[[Painter, Sequence[Object]], None]


def _path(move: Callable[..., None]) -> Operator:
    """An operator that builds the path, by the method of `Outline` that takes its numbers."""
    return lambda painter, given: move(painter.outline, *numbers(given))


def _paints(fill: bool, stroke: bool) -> Operator:
    return lambda painter, given: painter.paint(fill, stroke)


def _plain(space: Space, stroke: bool) -> Operator:
    """An operator that sets a device space and a colour in it at once."""
    return lambda painter, given: painter.set_colour(space, (space.colour(numbers(given)),), stroke)


def _sets(name: str, by: float = 1.0) -> Operator:
    return lambda painter, given: painter.set_text(name, real(given[0]) * by)


def _next_line(painter: Painter, given: Sequence[Object] = ()) -> None:
    painter.move(0.0, -painter.state.leading)


def _move_leading(painter: Painter, given: Sequence[Object]) -> None:
    painter.set_text("leading", -real(given[1]))
    painter.move(real(given[0]), real(given[1]))


def _quote(painter: Painter, given: Sequence[Object]) -> None:
    if len(given) == 3:
        painter.set_text("word_spacing", real(given[0]))
        painter.set_text("spacing", real(given[1]))
    _next_line(painter)
    painter.show(given[-1:])


OPERATORS: Mapping[str, Operator] = {
    "q": Painter.save, "Q": Painter.restore, "cm": Painter.concatenate, "w": Painter.line_width,
    "gs": Painter.dictionary,
    "CS": partial(Painter.space, stroke=True), "cs": partial(Painter.space, stroke=False),
    "SC": partial(Painter.colour, stroke=True), "SCN": partial(Painter.colour, stroke=True),
    "sc": partial(Painter.colour, stroke=False), "scn": partial(Painter.colour, stroke=False),
    "G": _plain(GRAY, True), "g": _plain(GRAY, False),
    "RG": _plain(RGB, True), "rg": _plain(RGB, False),
    "K": _plain(CMYK, True), "k": _plain(CMYK, False),
    "m": _path(Outline.move), "l": _path(Outline.points), "c": _path(Outline.points),
    "v": _path(Outline.points), "y": _path(Outline.points), "re": _path(Outline.rectangle),
    "W": _path(Outline.clip), "W*": _path(Outline.clip),
    "S": _paints(False, True), "s": _paints(False, True), "n": _paints(False, False),
    "f": _paints(True, False), "F": _paints(True, False), "f*": _paints(True, False),
    "B": _paints(True, True), "B*": _paints(True, True),
    "b": _paints(True, True), "b*": _paints(True, True),
    "sh": Painter.shade, "Do": Painter.draw,
    "BT": Painter.begin, "Tf": Painter.set_font, "Tm": Painter.place,
    "Td": lambda painter, given: painter.move(*numbers(given)), "TD": _move_leading, "T*": _next_line,
    "Tj": lambda painter, given: painter.show(given), "'": _quote, '"': _quote,
    "TJ": lambda painter, given: painter.show(given[0]),
    "Tc": _sets("spacing"), "Tw": _sets("word_spacing"), "Tz": _sets("stretch", 0.01),
    "TL": _sets("leading"), "Ts": _sets("rise"),
    "Tr": lambda painter, given: painter.set_text("mode", int(real(given[0]))),
    "BMC": Painter.open, "BDC": Painter.open, "EMC": lambda painter, given: painter.tags.close(),
}  # fmt: skip
