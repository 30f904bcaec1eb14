"""The content of a PDF's pages: with which colours, in which state and under which tag each thing is painted.

Every operator that paints is given a mark with a number in a copy of the PDF. Where the thing stands and how
large it is, PDFium tells of the copy; the mark says which state belongs to it. Colours are left out of the
copy: PDFium needs none to measure, and nothing that hides in one can keep it busy.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from math import hypot, inf
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, Object, Pdf, Stream

from rulewright.print.operators import operators
from rulewright.print.preflight.colour import BLACK, CMYK, GRAY, RGB, Colour, Space, shading_colours, space_of
from rulewright.print.preflight.fonts import PdfFont
from rulewright.print.preflight.geometry import Matrix, matrix_of, number_of, times
from rulewright.print.preflight.images import Raster, raster_of
from rulewright.print.preflight.streams import Effort, TooMuch, content

NUMBER = "RwNumber"
_MARKED = b" /RwItem<</RwNumber %d>>BDC%s EMC"
_EVERYWHERE = b" -1000000 -1000000 2000000 2000000 re f"
"""What stands for a shading in the copy: it fills its clip."""

_NAME = re.compile(rb"/[^\0\t\n\f\r ()<>\[\]{}/%]+")
_ID = re.compile(rb"/MCID\s+(\d{1,9})")

SHOWS = frozenset(("Tj", "TJ", "'", '"'))
FILLS = frozenset(("f", "F", "f*", "B", "B*", "b", "b*"))
STROKES = frozenset(("S", "s", "B", "B*", "b", "b*"))
_OTHERS = frozenset(("Do", "sh", "BI"))
PAINTS = SHOWS | FILLS | STROKES | _OTHERS
_DEVICE = {"g": GRAY, "rg": RGB, "k": CMYK}
_COLOURS = frozenset(("sc", "scn", "cs", "g", "rg", "k", "SC", "SCN", "CS", "G", "RG", "K"))
_DEEPEST = 24

IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Tag:
    """The marked content that something stands in: an artifact, content with an id, neither or both."""

    artifact: bool = False
    content: int | None = None

    def within(self, outer: Tag) -> Tag:
        """This tag in that in which its form is drawn."""
        return Tag(self.artifact or outer.artifact, outer.content if self.content is None else self.content)


@dataclass(frozen=True, slots=True)
class State:
    """The graphics state, as far as PDFium does not tell it. None is what holds where the form is drawn."""

    fill: tuple[Colour, ...] | None = None
    stroke: tuple[Colour, ...] | None = None
    fill_space: Space = GRAY
    stroke_space: Space = GRAY
    fill_alpha: float | None = None
    stroke_alpha: float | None = None
    over: bool | None = None
    over_stroke: bool | None = None
    blended: bool | None = None
    font: PdfFont | None = None
    matrix: Matrix = IDENTITY

    def within(self, outer: State) -> State:
        """This state in that in which its form is drawn."""
        if outer is PAGE:
            return self
        own = {
            name: getattr(outer, name)
            for name in ("fill", "stroke", "fill_alpha", "stroke_alpha", "over", "over_stroke", "font")
            if getattr(self, name) is None
        }
        return replace(self, **own, blended=self.blended or outer.blended)


PAGE = State()
"""The state in which a page begins."""


@dataclass(frozen=True, slots=True)
class Use:
    """One use of an operator that paints. `lacking`: how many glyphs its text lacks; `picture`: what it draws
    where that is a picture."""

    word: str
    state: State
    tag: Tag = Tag()
    lacking: int = 0
    picture: Raster | None = None
    coloured: tuple[Colour, ...] = ()
    """The colours that a shading brings along."""

    @property
    def colours(self) -> tuple[Colour, ...]:
        """The colours that it leaves on the paper; none where it is wholly transparent."""
        if self.coloured:
            return self.coloured
        if self.picture is not None and not self.picture.mask:
            return self.picture.colours
        found: list[Colour] = []
        if self.word not in STROKES or self.word in FILLS:
            found += (self.state.fill or (BLACK,)) if self.state.fill_alpha != 0 else ()
        if self.word in STROKES:
            found += (self.state.stroke or (BLACK,)) if self.state.stroke_alpha != 0 else ()
        return tuple(found)

    @property
    def transparent(self) -> bool:
        """Whether what lies below it is seen through it."""
        alphas = (self.state.fill_alpha, self.state.stroke_alpha)
        masked = self.picture is not None and self.picture.masked
        return bool(self.state.blended) or masked or any(a is not None and a < 1 for a in alphas)

    @property
    def overprinted(self) -> bool:
        """Whether it is printed over what lies below it instead of cutting that out."""
        return bool(self.state.over_stroke if self.word in ("S", "s") else self.state.over)


@dataclass(slots=True)
class _Known:
    """What is known of a form, a pattern or a font that was gone through: what drawing it once costs."""

    cost: int
    colours: tuple[Colour, ...] = ()
    pixels: float = inf
    """The fewest pixels for each unit of length that a picture in it has."""


class Contents:
    """The contents of a PDF, read once and rewritten for PDFium."""

    def __init__(self, pdf: Pdf, effort: Effort) -> None:
        self.pdf, self.effort = pdf, effort
        self.uses: list[Use] = []
        self.blending: set[str] = set()
        self.known: dict[object, _Known | None] = {}
        self.fonts: dict[object, PdfFont] = {}
        self.rasters: dict[object, Raster | None] = {}

    def rewrite(self, page: Dictionary, resources: Object | None) -> str:
        """Rewrite the content of a page; what of it could not be read, in words."""
        self.blending = set()
        self._group(page)
        fault, made = "", b""
        try:
            made, cost = self._walk(page, resources, 0)
            self.effort.take(cost)
        except Exception as error:  # whatever damaged content is read with
            fault, made = str(error).rpartition(": ")[2] or type(error).__name__, b""
        page.Contents = self.pdf.make_stream(made)
        if "/Group" in page:
            del page["/Group"]
        return fault

    def _group(self, of: Object) -> None:
        group = of.get("/Group")
        if isinstance(group, Dictionary):
            self.blending.add(space_of(group.get("/CS")).model)

    def _once(self, key: object, stream: Stream, resources: Object | None, depth: int) -> _Known:
        """What is known of a stream that is drawn. Raises TooMuch for one that draws itself."""
        if key not in self.known:
            self.known[key] = None
            before = len(self.uses)
            own = stream.get("/Resources", resources)
            made, cost = self._walk(stream, own, depth + 1)
            colours = (colour for use in self.uses[before:] for colour in use.colours)
            stream.write(made)
            finest = min(map(_pixels, self.uses[before:]), default=inf)
            self.known[key] = _Known(cost, tuple(dict.fromkeys(colours)), finest)
        found = self.known[key]
        if found is None:
            raise TooMuch("it draws itself again")
        return found

    def _walk(self, source: Object, resources: Object | None, depth: int) -> tuple[bytes, int]:
        """Content with its marks, and what drawing it costs."""
        if depth > _DEEPEST:
            raise TooMuch("its forms stand too deep in each other")
        made, cost, last = list[bytes](), 0, 0
        state, stack, tag, tags = PAGE, list[State](), Tag(), list[Tag]()
        data = content(source, self.effort)
        for found, begin, at, end in operators(data):
            word = found.decode("latin-1")
            cost += 1
            if word in PAINTS:
                use, more = self._use(word, data, begin, at, end, state, resources, depth)
                cost += more
                made.append(data[last:begin])
                if use is not None:
                    if tag.artifact or tag.content is not None:
                        use = replace(use, tag=tag)
                    drawn = _EVERYWHERE if word == "sh" else data[begin:end]
                    made.append(_MARKED % (len(self.uses), drawn))
                    self.uses.append(use)
                last = end
            elif word in _COLOURS:
                state = self._colour(word, data[begin:at], state, resources, depth)
                made.append(data[last:begin])
                last = end
            elif word == "q":
                stack.append(state)
            elif word == "Q":
                state = stack.pop() if stack else state
            elif word == "cm" and depth:  # what stands on the page is measured by PDFium
                matrix = matrix_of(Array(_numbers(data[begin:at])))
                state = replace(state, matrix=times(matrix or IDENTITY, state.matrix))
            elif word == "gs":
                state = self._state(_resource(resources, "/ExtGState", data[begin:at]), state)
            elif word == "Tf":
                state = replace(state, font=self._font(_resource(resources, "/Font", data[begin:at])))
            elif word in ("BMC", "BDC"):
                tags.append(tag)
                tag = _opened(data[begin:at], tag, resources)
                made.append(data[last:begin])
                last = end
            elif word == "EMC":
                tag = tags.pop() if tags else tag
                made.append(data[last:begin])
                last = end
        return b"".join((*made, data[last:])), cost

    def _use(
        self, word: str, data: bytes, begin: int, at: int, end: int,
        state: State, resources: Object | None, depth: int,
    ) -> tuple[Use | None, int]:  # fmt: skip
        """A use of an operator, and what it costs beside itself; None where it paints nothing."""
        if word in SHOWS:
            return self._text(word, data[begin:at], state, depth)
        if word == "sh":
            shading = _resource(resources, "/Shading", data[begin:at])
            if not isinstance(shading, Dictionary | Stream):
                return None, 0
            return Use(word, state, coloured=tuple(shading_colours(shading, _dictionary(resources)))), 0
        if word == "BI":
            with Pdf.new() as pdf:
                found = pikepdf.parse_content_stream(pdf.make_stream(data[at:end]))
                picture = raster_of(found[0].iimage.obj, _dictionary(resources), inline=True)  # type: ignore[union-attr]
            return Use(word, state, picture=picture), 0
        if word != "Do":
            return Use(word, state), 0
        drawn = _resource(resources, "/XObject", data[begin:at])
        if not isinstance(drawn, Stream):
            return None, 0
        key = _key(drawn)
        if drawn.get("/Subtype") == Name.Form:
            self._group(drawn)
            return Use(word, state), self._once(key, drawn, resources, depth).cost
        if key not in self.rasters:
            self.rasters[key] = raster_of(drawn, _dictionary(resources))
        picture = self.rasters[key]
        return (None if picture is None else Use(word, state, picture=picture)), 0

    def _text(self, word: str, raw: bytes, state: State, depth: int) -> tuple[Use, int]:
        size = len(raw)
        if state.font is None:
            return Use(word, state), size
        cost = size
        if state.font.kind == "Type3":
            cost += size * self._type3(state.font, depth)
        return Use(word, state, lacking=state.font.lacking_in(raw)), cost

    def _type3(self, font: PdfFont, depth: int) -> int:
        """The cost of the dearest glyph of a font whose glyphs are content themselves."""
        procedures = font.source.get("/CharProcs")
        own = font.source.get("/Resources")
        found = [
            self._once(_key(one), one, own, depth)
            for _, one in (procedures.items() if isinstance(procedures, Dictionary) else ())
            if isinstance(one, Stream)
        ]
        matrix = matrix_of(font.source.get("/FontMatrix"))
        unit = hypot(matrix[0], matrix[1]) if matrix else 0.001
        font.pixels = min((glyph.pixels / (unit or 1.0) for glyph in found), default=inf)
        return max((glyph.cost for glyph in found), default=0)

    def _font(self, source: Object | None) -> PdfFont | None:
        if not isinstance(source, Dictionary):
            return None
        key = _key(source)
        if key not in self.fonts:
            font = self.fonts[key] = PdfFont(source)
            if font.damaged and font.entry:
                del font.descriptor[font.entry]  # PDFium is not asked to read what nobody can
        return self.fonts[key]

    def _state(self, given: Object | None, state: State) -> State:
        if not isinstance(given, Dictionary):
            return state
        found: dict[str, Any] = {}
        for key, name in (("/ca", "fill_alpha"), ("/CA", "stroke_alpha")):
            if key in given:
                found[name] = number_of(given[key], 1.0)
        if "/OP" in given:
            found |= {"over_stroke": bool(given.OP), "over": bool(given.get("/op", given.OP))}
        elif "/op" in given:
            found["over"] = bool(given.op)
        if "/BM" in given or "/SMask" in given:
            mode = str(given.get("/BM", Name.Normal))
            masked = isinstance(given.get("/SMask"), Dictionary)
            found["blended"] = masked or mode not in ("/Normal", "/Compatible")
        font = given.get("/Font")
        if isinstance(font, Array) and len(font):
            found["font"] = self._font(font[0])
        return replace(state, **found)

    def _colour(self, word: str, raw: bytes, state: State, resources: Object | None, depth: int) -> State:
        side = "stroke" if word[0].isupper() else "fill"
        name, values = _named(raw), _numbers(raw)
        word = word.lower()
        found: tuple[Colour, ...]
        if word == "cs":
            space = space_of(name, _dictionary(resources))
            first = [1.0] * space.count if space.model == "spot" else [0.0] * space.count
            if space.model == "cmyk":
                first = [0.0, 0.0, 0.0, 1.0]
            found = () if space.model == "pattern" else (space.colour(first),)
        else:
            space = _DEVICE.get(word) or getattr(state, f"{side}_space")
            if name is not None:
                pattern = _resource(resources, "/Pattern", raw)
                found = self._pattern(pattern, space, values, resources, depth)
            else:
                found = (space.colour(values),)
        if side == "stroke":
            return replace(state, stroke=found, stroke_space=space)
        return replace(state, fill=found, fill_space=space)

    def _pattern(
        self, pattern: Object | None, space: Space, values: list[float], resources: Object | None, depth: int
    ) -> tuple[Colour, ...]:
        if isinstance(pattern, Stream):
            if pattern.get("/PaintType") == 2 and space.base is not None:
                return (space.base.colour(values),)
            return self._once(_key(pattern), pattern, resources, depth).colours
        shading = pattern.get("/Shading") if isinstance(pattern, Dictionary) else None
        if isinstance(shading, Dictionary | Stream):
            return tuple(shading_colours(shading, _dictionary(resources)))
        return (Colour("unknown"),)


def _pixels(use: Use) -> float:
    """The pixels for each unit of length that a picture has where its stream stands; no end for others."""
    a, b, c, d, _, _ = use.state.matrix
    across, down = hypot(a, b), hypot(c, d)
    if use.picture is None or not across or not down:
        return inf
    return min(use.picture.width / across, use.picture.height / down)


def _key(thing: Object) -> object:
    return thing.objgen if thing.is_indirect else thing.unparse(True)[:2000]


def _dictionary(resources: Object | None) -> Dictionary | None:
    return resources if isinstance(resources, Dictionary) else None


def _resource(resources: Object | None, kind: str, raw: bytes) -> Object | None:
    """The resource that an operand names."""
    listed, name = resources.get(kind) if isinstance(resources, Dictionary) else None, _named(raw)
    return listed.get(name) if isinstance(listed, Dictionary) and name is not None else None


def _named(raw: bytes) -> Name | None:
    """The first name among some operands."""
    found = _NAME.search(raw)
    if found is None:
        return None
    made = Object.parse(found[0]) if b"#" in found[0] else Name(found[0].decode("latin-1"))
    return made if isinstance(made, Name) else None


def _numbers(raw: bytes) -> list[float]:
    """The numbers among some operands; what should be one and is none counts as zero."""
    return [number_of(one, 0.0) for one in raw.split() if not one.startswith(b"/")]


def _opened(raw: bytes, outer: Tag, resources: Object | None) -> Tag:
    """The tag within marked content that is opened."""
    names = _NAME.findall(raw)
    content = _ID.search(raw)
    number = int(content[1]) if content else None
    if number is None and len(names) == 2:
        properties = _resource(resources, "/Properties", names[1])
        found = properties.get("/MCID") if isinstance(properties, Dictionary) else None
        number = int(found) if isinstance(found, int) else None
    artifact = outer.artifact or names[:1] == [b"/Artifact"]
    return Tag(artifact, outer.content if number is None else number)
