"""The content of a PDF's pages: with which colours and in which state each thing is painted.

Every operator that paints is given a mark with a number in a copy of the PDF. Where the thing stands and how
large it is, PDFium tells of the copy; the mark says which state belongs to it. Colours are left out of the
copy: PDFium needs none to measure, and nothing that hides in one can keep it busy.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import hypot, inf
from typing import TypedDict, cast

from pikepdf import Dictionary, Name, Object, Pdf, Stream

from rulewright.print.operators import COLOURS, FILLS, PAINTS, SHOWS, STROKES, operators
from rulewright.print.preflight.colour import (
    BLACK,
    DEVICE,
    GRAY,
    Colour,
    Raster,
    Space,
    raster_of,
    shading_colours,
    space_of,
)  # fmt: skip
from rulewright.print.preflight.fonts import PdfFont
from rulewright.print.preflight.geometry import Matrix, matrix_of, times
from rulewright.print.preflight.objects import entry, listed, number_of
from rulewright.print.preflight.streams import Effort, TooMuch, content

NUMBER = "RwNumber"
_MARKED = b" /RwItem<</RwNumber %d>>BDC%s EMC"
_EVERYWHERE = b" -1000000 -1000000 2000000 2000000 re f"
"""A rectangle in place of a shading: either fills its clip."""

_ID = re.compile(rb"/MCID\s+(\d{1,9})")
_PIXELS = re.compile(rb"\sID(?=\s|\Z)")
_NAME = re.compile(rb"/[^\0\t\n\f\r ()<>\[\]{}/%]+")

_CHANGES = COLOURS | {"cm", "gs", "Tf"}
_KNOWN = PAINTS | COLOURS | {"q", "Q", "gs", "Tf", "BMC", "BDC", "EMC"}
_DEEPEST = 24
_OPERATOR = 12
"""About how many bytes an operator takes with its operands."""
_IMAGE_COST = 200
"""Cost of reading an image in the content, in operators."""

Tag = tuple[bool, int | None]
"""Whether something is an artifact, and the number of the tagged content that it stands in."""

IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


class State(TypedDict, total=False):
    """The graphics state, as far as PDFium does not tell it. What is not in it holds where the form is drawn,
    so a state in that of its form is `{**outer, **inner}`. None of them is ever changed."""

    fill: tuple[Colour, ...]
    stroke: tuple[Colour, ...]
    fill_space: Space
    stroke_space: Space
    fill_alpha: float
    stroke_alpha: float
    over: bool
    over_stroke: bool
    blended: bool
    font: PdfFont | None
    matrix: Matrix


@dataclass(slots=True)
class Use:
    """One use of an operator that paints. `lacking`: whether its text lacks a glyph; `picture`: what it draws
    where that is a picture; `coloured`: the colours that a shading brings along."""

    word: str
    state: State
    tag: Tag = (False, None)
    lacking: bool = False
    picture: Raster | None = None
    coloured: tuple[Colour, ...] = ()

    @property
    def colours(self) -> tuple[Colour, ...]:
        """The colours that it leaves on the paper; none where it is wholly transparent."""
        if self.coloured:
            return self.coloured
        if self.picture is not None and not self.picture.mask:
            return self.picture.colours
        found: tuple[Colour, ...] = ()
        if (self.word not in STROKES or self.word in FILLS) and self.state.get("fill_alpha") != 0:
            found += self.state.get("fill", (BLACK,))
        if self.word in STROKES and self.state.get("stroke_alpha") != 0:
            found += self.state.get("stroke", (BLACK,))
        return found

    @property
    def paper(self) -> bool:
        """Whether it is just the white of the paper."""
        colours = self.colours
        return bool(colours) and all(colour.paper for colour in colours)

    @property
    def heaviest(self) -> float:
        """The most ink that it takes in one place, as far as that is certain."""
        if self.picture is not None and not self.picture.mask:
            return self.picture.heaviest
        return max((sum(colour.inks) for colour in self.colours if colour.inks), default=0.0)

    @property
    def transparent(self) -> bool:
        """Whether what lies below it is seen through it."""
        seen = min(self.state.get("fill_alpha", 1.0), self.state.get("stroke_alpha", 1.0)) < 1
        return seen or self.state.get("blended", False) or bool(self.picture and self.picture.masked)

    @property
    def overprinted(self) -> bool:
        """Whether it is printed over what lies below it instead of cutting that out."""
        if self.word in ("S", "s"):
            return self.state.get("over_stroke", False)
        return self.state.get("over", False)


@dataclass(slots=True)
class _Known:
    """Findings on a form, a pattern or a glyph that was gone through: what drawing it once costs, its
    colours, and the fewest pixels for each unit of length that a picture in it has."""

    cost: int
    colours: tuple[Colour, ...]
    pixels: float


class _Scope:
    """The resources of one stream that is gone through, each looked up once, and how deep it stands."""

    def __init__(self, resources: Object | None, depth: int) -> None:
        self.resources, self.depth = resources, depth
        self.found: dict[tuple[str, bytes], Object | None] = {}
        self.changed: dict[tuple[int, str, bytes], tuple[State, State]] = {}
        """States by the one before, which is kept beside, and what changes it: most text begins alike."""

    def get(self, kind: str, raw: bytes) -> Object | None:
        """The resource that an operand names."""
        if (kind, raw) not in self.found:
            name = _named(raw)
            self.found[kind, raw] = None if name is None else entry(self.resources, kind, str(name))
        return self.found[kind, raw]


class Contents:
    """The contents of a PDF, read once and rewritten for PDFium."""

    def __init__(self, pdf: Pdf, effort: Effort) -> None:
        self.pdf, self.effort = pdf, effort
        self.uses: list[Use] = []
        self.blending: set[str] = set()
        self.known: dict[object, _Known | None] = {}
        self.fonts: dict[object, PdfFont] = {}
        self.rasters: dict[object, Raster | None] = {}
        self.shown: dict[PdfFont, list[tuple[Use, bytes]]] = {}

    def settle(self) -> None:
        """Tell the uses of text that lack a glyph, once all are known."""
        for font, uses in self.shown.items():
            for at in font.lacking([raw for _, raw in uses]):
                uses[at][0].lacking = True

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
        page.Contents = Stream(self.pdf, made)
        if "/Group" in page:
            del page["/Group"]
        return fault

    def _group(self, of: Object) -> None:
        if isinstance(group := of.get("/Group"), Dictionary):
            self.blending.add(space_of(group.get("/CS")).model)

    def _once(self, stream: Stream, resources: Object | None, depth: int) -> _Known:
        """Go through a stream that is drawn, once. Raises TooMuch for one that draws itself."""
        key = _key(stream)
        if key not in self.known:
            self.known[key] = None
            before = len(self.uses)
            made, cost = self._walk(stream, stream.get("/Resources", resources), depth + 1)
            stream.write(made)
            own = self.uses[before:]
            colours = dict.fromkeys(colour for use in own for colour in use.colours)
            self.known[key] = _Known(cost, tuple(colours), min(map(_pixels, own), default=inf))
        found = self.known[key]
        if found is None:
            raise TooMuch("it draws itself again")
        return found

    def _walk(self, source: Object, resources: Object | None, depth: int) -> tuple[bytes, int]:
        """Content with its marks, and what drawing it costs."""
        if depth > _DEEPEST:
            raise TooMuch("its forms stand too deep in each other")
        made, last = list[bytes](), 0
        state, stack = State(), list[State]()
        tag: Tag = (False, None)
        tags: list[Tag] = []
        data, scope = content(source, self.effort), _Scope(resources, depth)
        cost = len(data) // _OPERATOR
        # Where things on the page itself stand is measured by PDFium.
        for word, begin, at, end in operators(data, _KNOWN | {"cm"} if depth else _KNOWN):
            if word in PAINTS:
                use, more = self._use(word, data, begin, at, end, state, scope)
                cost += more
                made.append(data[last:begin])
                if use is not None:
                    drawn = _EVERYWHERE if word == "sh" else data[begin:end]
                    made.append(_MARKED % (len(self.uses), drawn))
                    use.tag = tag
                    self.uses.append(use)
                last = end
            elif word == "q":
                stack.append(state)
            elif word == "Q":
                state = stack.pop() if stack else state
            elif word in _CHANGES:
                change = id(state), word, data[begin:at]
                if change not in scope.changed:
                    scope.changed[change] = (
                        {**state, **self._changed(word, data[begin:at], state, scope)},
                        state,
                    )
                state = scope.changed[change][0]
                if word in COLOURS:
                    made.append(data[last:begin])
                    last = end
            elif word in ("BMC", "BDC", "EMC"):  # PDFium would read its text from some of them
                if word != "EMC":
                    tags.append(tag)
                    tag = _opened(data[begin:at], tag, scope)
                elif tags:
                    tag = tags.pop()
                made.append(data[last:begin])
                last = end
        return b"".join((*made, data[last:])), cost

    def _use(
        self, word: str, data: bytes, begin: int, at: int, end: int,
        state: State, scope: _Scope,
    ) -> tuple[Use | None, int]:  # fmt: skip
        """A use of an operator, and what it costs beside itself; None where it paints nothing."""
        if word in SHOWS:
            font, size = state.get("font"), at - begin
            cost = size + (size * self._type3(font, scope.depth) if font and font.kind == "Type3" else 0)
            use = Use(word, state)
            if font is not None:
                self.shown.setdefault(font, []).append((use, data[begin:at]))
            return use, cost
        if word == "BI":
            self.effort.take(_IMAGE_COST)
            told = _PIXELS.split(data[at + 2 : end], maxsplit=1)[0]
            picture = raster_of(Object.parse(b"<<" + told + b">>"), scope.resources, inline=True)
            return Use(word, state, picture=picture), 0
        if word == "sh":
            shading = scope.get("/Shading", data[begin:at])
            if not isinstance(shading, Dictionary | Stream):
                return None, 0
            return Use(word, state, coloured=tuple(shading_colours(shading, scope.resources))), 0
        if word != "Do":
            return Use(word, state), 0
        drawn = scope.get("/XObject", data[begin:at])
        if not isinstance(drawn, Stream):
            return None, 0
        if drawn.get("/Subtype") == Name.Form:
            self._group(drawn)
            return Use(word, state), self._once(drawn, scope.resources, scope.depth).cost
        key = _key(drawn)
        if key not in self.rasters:
            self.rasters[key] = raster_of(drawn, scope.resources)
        raster = self.rasters[key]
        return (None if raster is None else Use(word, state, picture=raster)), 0

    def _type3(self, font: PdfFont, depth: int) -> int:
        """The cost of the dearest glyph of a font whose glyphs are content themselves."""
        if font.cost is None:
            glyphs = entry(font.source, "/CharProcs")
            every = [one for _, one in glyphs.items()] if isinstance(glyphs, Dictionary) else []
            own = font.source.get("/Resources")
            found = [self._once(one, own, depth) for one in every if isinstance(one, Stream)]
            matrix = matrix_of(font.source.get("/FontMatrix"))
            unit = hypot(matrix[0], matrix[1]) if matrix else 0.001
            font.pixels = min((glyph.pixels / (unit or 1.0) for glyph in found), default=inf)
            font.cost = max((glyph.cost for glyph in found), default=0)
        return font.cost

    def _font(self, source: Object | None) -> PdfFont | None:
        if not isinstance(source, Dictionary):
            return None
        key = _key(source)
        if key not in self.fonts:
            font = self.fonts[key] = PdfFont(source)
            if font.program is None and font.entry:
                del font.descriptor[font.entry]  # PDFium is not asked to read what nobody can
        return self.fonts[key]

    def _changed(self, word: str, raw: bytes, state: State, scope: _Scope) -> State:
        """Read what an operator changes of a state."""
        if word == "Tf":
            return {"font": self._font(scope.get("/Font", raw))}
        if word == "gs":
            return self._state(scope.get("/ExtGState", raw))
        if word in COLOURS:
            return self._colour(word, raw, state, scope)
        if len(numbers := _numbers(raw)) == 6:
            return {"matrix": times(cast(Matrix, tuple(numbers)), state.get("matrix", IDENTITY))}
        return {}

    def _state(self, given: Object | None) -> State:
        made = State()
        if not isinstance(given, Dictionary):
            return made
        if "/ca" in given:
            made["fill_alpha"] = number_of(given["/ca"], 1.0)
        if "/CA" in given:
            made["stroke_alpha"] = number_of(given["/CA"], 1.0)
        if "/OP" in given:
            made["over_stroke"] = made["over"] = bool(given.OP)
        if "/op" in given:
            made["over"] = bool(given.op)
        if "/BM" in given or "/SMask" in given:
            mode = str(given.get("/BM", Name.Normal))
            masked = isinstance(given.get("/SMask"), Dictionary)
            made["blended"] = masked or mode not in ("/Normal", "/Compatible")
        if font := listed(given.get("/Font")):
            made["font"] = self._font(font[0])
        return made

    def _colour(self, word: str, raw: bytes, state: State, scope: _Scope) -> State:
        name, values, low = _named(raw), _numbers(raw), word.lower()
        before = state.get("stroke_space", GRAY) if word[0].isupper() else state.get("fill_space", GRAY)
        space = DEVICE.get(low, before)
        found: tuple[Colour, ...]
        if low == "cs":
            space = space_of(name, scope.resources)
            first = {"spot": [1.0] * space.count, "cmyk": [0.0, 0.0, 0.0, 1.0]}
            found = (space.colour(first.get(space.model, [0.0] * space.count)),)
            found = () if space.model == "pattern" else found
        elif name is not None:
            found = self._pattern(scope.get("/Pattern", raw), space, values, scope)
        else:
            found = (space.colour(values),)
        if word[0].isupper():
            return {"stroke": found, "stroke_space": space}
        return {"fill": found, "fill_space": space}

    def _pattern(
        self, pattern: Object | None, space: Space, values: list[float], scope: _Scope
    ) -> tuple[Colour, ...]:
        if isinstance(pattern, Stream):
            if pattern.get("/PaintType") == 2 and space.base is not None:
                return (space.base.colour(values),)
            return self._once(pattern, scope.resources, scope.depth).colours
        shading = entry(pattern, "/Shading")
        if isinstance(shading, Dictionary | Stream):
            return tuple(shading_colours(shading, scope.resources))
        return (Colour("unknown"),)


def _pixels(use: Use) -> float:
    """The pixels for each unit of length that a picture has where its stream stands; no end for others."""
    a, b, c, d, _, _ = use.state.get("matrix", IDENTITY)
    across, down = hypot(a, b), hypot(c, d)
    if use.picture is None or not across or not down:
        return inf
    return min(use.picture.width / across, use.picture.height / down)


def _key(thing: Object) -> object:
    return thing.objgen if thing.is_indirect else thing.unparse(True)[:2000]


def _named(raw: bytes) -> Name | None:
    """The first name among some operands."""
    found = _NAME.search(raw)
    if found is None:
        return None
    made = Object.parse(found[0]) if b"#" in found[0] else Name(found[0].decode("latin-1"))
    return made if isinstance(made, Name) else None


def _opened(raw: bytes, outer: Tag, scope: _Scope) -> Tag:
    """The tag within marked content that is opened."""
    found, first = _ID.search(raw), _NAME.search(raw)
    artifact = outer[0] or (first is not None and first[0] == b"/Artifact")
    number: object = int(found[1]) if found else None
    if found is None and len(names := _NAME.findall(raw)) == 2:
        number = entry(scope.get("/Properties", names[1]), "/MCID")
    return artifact, number if isinstance(number, int) else outer[1]


def _numbers(raw: bytes) -> list[float]:
    """The numbers among some operands; what should be one and is none counts as zero."""
    return [number_of(one, 0.0) for one in raw.split() if not one.startswith(b"/")]
