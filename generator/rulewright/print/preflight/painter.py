"""Reads the content of a page, with the forms, patterns and Type 3 glyphs in it, into what it paints.

The operators are those of ISO 32000-1, chapters 8 and 9. A clip is told by its box, which is enough for what
stands at an edge.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from math import hypot, sqrt

import pikepdf
from pikepdf import Array, Dictionary, Name, Object, Stream

from rulewright.model.paper import MM
from rulewright.print.preflight import images, streams
from rulewright.print.preflight.colour import CMYK, GRAY, RGB, Colour, Space, shading_colours, space_of
from rulewright.print.preflight.fonts import Font
from rulewright.print.preflight.geometry import (
    Box,
    Matrix,
    PdfPage,
    covered,
    inherited,
    number_of,
    real,
    rectangle,
    times,
)
from rulewright.print.preflight.paint import (
    FILLED,
    IDENTITY,
    INVISIBLE,
    STROKED,
    Letter,
    OpenTags,
    Painting,
    Path,
    Shape,
    State,
    Text,
)
from rulewright.print.preflight.streams import Effort, TooMuch

DEEPEST = 16
"""Most forms that may be drawn in one another before a circle is assumed."""

MOST_FAULTS = 5
"""Most faults of a page that are told."""


class SharedResources:
    """The fonts of a PDF and the inks of its images, each read once, however many pages use it.

    `effort`: how much all pages together may still ask for.
    """

    def __init__(self, effort: Effort) -> None:
        self.fonts: dict[tuple[int, int] | bytes, Font] = {}
        self.inks: images.Known = {}
        self.effort = effort

    def font(self, source: Dictionary) -> Font:
        key = source.objgen if source.is_indirect else source.unparse()
        if key not in self.fonts:
            self.fonts[key] = Font(source, self.effort)
        return self.fonts[key]


def painted(page: PdfPage, shared: SharedResources) -> Painting:
    """Account of all that a page paints, its printed annotations included."""
    painter = Painter(page, shared)
    try:
        shared.effort.take(100)
        painter.page()
    except TooMuch as error:
        painter.painting.faults.append(str(error))
    return painter.painting


class Painter:
    """The reader of one page, or of a pattern's cell. Methods that take `given` are operators."""

    def __init__(self, page: PdfPage, shared: SharedResources) -> None:
        self.sheet, self.source = page, page.source
        self.base, self.media, self.shared = page.matrix, page.media, shared
        self.painting = Painting()
        self.state = State(page.matrix, page.media)
        self.stack: list[State] = []
        self.path = Path()
        self.text_matrix = self.line_matrix = IDENTITY
        self.tags = OpenTags()
        self.resources = Dictionary()
        self.stream = 0
        self.depth = 0
        self.drawn: list[tuple[int, int]] = []

    def page(self) -> None:
        resources = inherited(self.source, "/Resources")
        self.group(self.source)
        self.read(self.source, resources)
        for appearance, matrix in images.printed(self.source):
            self.tags = OpenTags(annotation=True)
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
            instructions = streams.content(content, self.shared.effort)
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
        """Apply `gs`: the entries of a parameter dictionary that matter here."""
        entries = self.found("ExtGState", given[0])
        if not isinstance(entries, Dictionary):
            return
        self.state.line = number_of(entries.get("/LW"), self.state.line)
        self.state.fill_alpha = number_of(entries.get("/ca"), self.state.fill_alpha)
        self.state.stroke_alpha = number_of(entries.get("/CA"), self.state.stroke_alpha)
        font = entries.get("/Font")
        if isinstance(font, Array) and len(font) == 2 and isinstance(font[0], Dictionary):
            self.state.font, self.state.size = self.shared.font(font[0]), real(font[1])

    # Colours.

    def space(self, given: Sequence[Object], stroke: bool) -> None:
        space = space_of(given[0], self.resources)
        start = [1.0] * space.count if space.model == "spot" else [0.0] * space.count
        if space.model == "cmyk":
            start = [0.0, 0.0, 0.0, 1.0]
        self.set_colour(space, (space.colour(start),), stroke)

    def colour(self, given: Sequence[Object], stroke: bool) -> None:
        """Apply `sc` and `scn`, with a pattern's name last where the space is one of patterns."""
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
        inner = Painter(self.sheet, self.shared)
        inner.tags, inner.resources = OpenTags(annotation=True), self.resources
        box = rectangle(pattern.get("/BBox")) or (0.0, 0.0, 1.0, 1.0)
        matrix = times(_own_matrix(pattern), self.base)
        inner.state, inner.depth = State(matrix, covered(matrix, box)), self.depth + 1
        inner.read(pattern, pattern.get("/Resources"))
        self.painting.faults += inner.painting.faults
        return tuple(dict.fromkeys(c for item in inner.painting.everything() for c in item.colours))

    # Paths.

    def paint(self, fill: bool, stroke: bool) -> None:
        """Paint the path, and then let it clip where `W` has said so."""
        state, parts = self.state, []
        if colours := (state.fills if fill else ()) + (state.strokes if stroke else ()):
            wider = state.line / 2 * _scale(state.matrix) if stroke else 0.0
            for a, b, c, d in self.path.boxes(state.matrix):
                if part := state.clipped((a - wider, b - wider, c + wider, d + wider)):
                    parts.append(part)
            if parts:
                self.painting.shapes.append(Shape(colours, tuple(parts), _around(parts), self.tags.now))
        if self.path.clips:
            boxes = list(self.path.boxes(state.matrix))
            state.clip = state.clipped(_around(boxes)) if boxes else None
        self.path.clear()

    def shade(self, given: Sequence[Object]) -> None:
        shading = self.found("Shading", given[0])
        clip = self.state.clip
        if isinstance(shading, Dictionary | Stream) and clip and self.state.fill_alpha > 0:
            colours = tuple(shading_colours(shading, self.resources))
            self.painting.shapes.append(Shape(colours, (clip,), clip, self.tags.now))

    # Text.

    def set_font(self, given: Sequence[Object]) -> None:
        font = self.found("Font", given[0])
        self.state.font = self.shared.font(font) if isinstance(font, Dictionary) else None
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
            self.shared.effort.take(len(shown))
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

    # Forms and images.

    def draw(self, given: Sequence[Object]) -> None:
        """Apply `Do`: draw an image or a form."""
        drawn = self.found("XObject", given[0])
        if not isinstance(drawn, Stream):
            return
        if drawn.get("/Subtype") == Name.Image:
            self.picture(drawn, self.shared.inks)
        elif drawn.get("/Subtype") == Name.Form:
            self.form(drawn)

    def form(self, drawn: Stream) -> None:
        if self.depth >= DEEPEST or drawn.objgen in self.drawn:
            if len(self.painting.faults) < MOST_FAULTS:
                self.painting.faults.append("forms that are drawn in one another without end")
            return
        self.drawn.append(drawn.objgen)
        self.group(drawn)
        outer, stream, path = self.state, self.stream, self.path
        texts = self.text_matrix, self.line_matrix
        self.state = outer.moved(_own_matrix(drawn))
        if box := rectangle(drawn.get("/BBox")):
            self.state.clip = self.state.clipped(covered(self.state.matrix, box))
        self.depth, self.stream, self.path = self.depth + 1, drawn.objgen[0], Path()
        before = len(self.painting.contents)
        self.read(drawn, drawn.get("/Resources"))
        if len(self.painting.contents) > before:
            self.painting.forms.append(drawn.objgen)
        self.state, self.stream, self.path = outer, stream, path
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
        outer, path, texts = self.state, self.path, (self.text_matrix, self.line_matrix)
        size = self.state.size
        own = (size * self.state.stretch, 0.0, 0.0, size, 0.0, self.state.rise)
        self.state = outer.moved(times(times(font.matrix, own), self.text_matrix))
        self.state.stroke = self.state.fill
        self.depth, self.path = self.depth + 1, Path()
        self.read(drawn, font.source.get("/Resources"))
        self.state, self.path = outer, path
        self.text_matrix, self.line_matrix = texts
        self.depth -= 1

    # Marked content.

    def open(self, given: Sequence[Object]) -> None:
        """Apply `BMC` and `BDC`: open marked content."""
        properties = given[1] if len(given) > 1 else None
        if isinstance(properties, Name):
            properties = self.found("Properties", properties)
        content = self.tags.open(given[0], properties)
        if content is not None:
            self.painting.contents.append((self.stream, content))


def matrix_by(given: Iterable[Object]) -> Matrix:
    a, b, c, d, e, f = map(real, given)
    return a, b, c, d, e, f


def _own_matrix(source: Object) -> Matrix:
    """The matrix of a form or a pattern. Raises ValueError for a damaged number in it."""
    found = source.get("/Matrix")
    return matrix_by(found) if isinstance(found, Array) and len(found) == 6 else IDENTITY


def numbers(given: Iterable[Object]) -> list[float]:
    return [real(value) for value in given]


def _scale(matrix: Matrix) -> float:
    """Factor by which a matrix enlarges things, both ways taken together."""
    a, b, c, d, _, _ = matrix
    return sqrt(abs(a * d - b * c))


def _height(matrix: Matrix) -> float:
    """Factor by which a matrix heightens letters on a line, slanted or not."""
    a, b, c, d, _, _ = matrix
    base = hypot(a, b)
    return abs(a * d - b * c) / base if base else hypot(c, d)


def _around(boxes: Sequence[Box]) -> Box:
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


Operator = Callable[[Painter, Sequence[Object]], None]


def _path(move: Callable[..., None]) -> Operator:
    """An operator that builds the path, by the method of `Path` that takes its numbers."""
    return lambda painter, given: move(painter.path, *numbers(given))


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
    "m": _path(Path.move), "l": _path(Path.points), "c": _path(Path.points),
    "v": _path(Path.points), "y": _path(Path.points), "re": _path(Path.rectangle),
    "W": _path(Path.clip), "W*": _path(Path.clip),
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
