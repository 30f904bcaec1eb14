"""The things that a page paints, where they stand and how large they are, as PDFium reads them.

Lengths are in mm from the upper left corner of the trim, as in `geometry`.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from math import hypot, sqrt
from typing import Any

import pypdfium2
import pypdfium2.raw as raw

from rulewright.model.paper import MM
from rulewright.print.operators import STROKES
from rulewright.print.preflight.content import NUMBER, State, Use
from rulewright.print.preflight.fonts import PdfFont
from rulewright.print.preflight.geometry import (
    Box,
    Matrix,
    PdfPage,
    apart,
    corner,
    covered,
    overlap,
    point,
    times,
)
from rulewright.print.preflight.preflight_report import Finding
from rulewright.source.problems import Kind, shown

TEXT, PATH, PICTURE, FORM = (
    raw.FPDF_PAGEOBJ_TEXT, raw.FPDF_PAGEOBJ_PATH, raw.FPDF_PAGEOBJ_IMAGE, raw.FPDF_PAGEOBJ_FORM
)  # fmt: skip
MODES = {1: "S", 2: "B", 5: "S", 6: "B", 3: "", 7: ""}
"""The modes in which text is not just filled, by the operator that paints alike; none is not seen."""

_KEY = NUMBER.encode()
_MOST_PARTS = 20_000
"""Most points of a path that are looked at one by one."""

_MOST_LETTERS = 400
"""Most letters of a text that are read."""

NOWHERE: Box = (-1e9, -1e9, -1e9, -1e9)


@dataclass(slots=True)
class Item:
    """A thing that is painted. `whole`: its box, `clip`: that within which it is seen, `box`: what of it is
    seen, None where nothing is; `size`: that of text in points, the width of a stroke, or a picture's dpi;
    `nested`: a form draws it."""

    kind: int
    use: Use
    whole: Box
    clip: Box | None
    box: Box | None
    size: float
    visible: bool
    handle: Any = field(repr=False)
    matrix: Matrix = field(repr=False)
    page: PaintedPage = field(repr=False)
    nested: bool

    @property
    def on_sheet(self) -> bool:
        """Whether anything of it is seen on the sheet or in its bleed, and not beside it alone."""
        return self.box is not None and not apart(self.box, self.page.of.bleed)

    def fault(self, kind: Kind, message: str, subject: str = "", at: Box | None = None) -> Finding:
        """A fault of it, told at its upper left corner or at that of a part of it."""
        return Finding(kind, message, self.page.of.number, corner(at or self.box), subject)

    @property
    def font(self) -> PdfFont | None:
        """The font that a text is set in."""
        return self.use.state.get("font") if self.kind == TEXT else None

    @property
    def words(self) -> str:
        """Words of a text, as many as a message can hold."""
        return self.page.words.get(_address(self.handle), "")

    def letters(self) -> Iterator[Box]:
        """The boxes of the letters of a text of which something is seen."""
        edges = [ctypes.c_double() for _ in range(4)]
        for at in self.page.letters.get(_address(self.handle), ()):
            raw.FPDFText_GetCharBox(self.page.text, at, *edges)
            left, right, bottom, top = (edge.value for edge in edges)
            blank = chr(raw.FPDFText_GetUnicode(self.page.text, at)).isspace()
            if right > left and top > bottom and not blank:
                box = covered(self.page.of.matrix, (left, bottom, right, top))
                if found := box if self.clip is None else overlap(box, self.clip):
                    yield found

    def parts(self) -> list[Box]:
        """The boxes of the parts of a path, without the width of its stroke; else its own."""
        if self.kind != PATH or self.use.word == "sh":
            return [self.box] if self.box else []
        found: list[list[tuple[float, float]]] = []
        count = min(raw.FPDFPath_CountSegments(self.handle), _MOST_PARTS)
        segments = (raw.FPDFPath_GetPathSegment(self.handle, at) for at in range(count))
        for segment, place in _points(segments, self.matrix):
            if raw.FPDFPathSegment_GetType(segment) == raw.FPDF_SEGMENT_MOVETO or not found:
                found.append([])
            found[-1].append(place)
        boxes = (_around(part) for part in found if len(part) > 1)
        seen = (box if self.clip is None else overlap(box, self.clip) for box in boxes)
        return [box for box in seen if box]

    @property
    def straight(self) -> bool:
        """Whether it is a rectangle or a line: the part of a ground, and no drawing."""
        return self.kind == PATH and int(raw.FPDFPath_CountSegments(self.handle)) <= 6

    def __str__(self) -> str:
        if self.kind == TEXT:
            return f"the text {shown(self.words)}"
        return "a picture" if self.kind == PICTURE else "a line or ground"


@dataclass
class PaintedPage:
    """All that one page paints. `fault`: what of its content could not be read; `blending`: the models of the
    spaces in which transparent things are blended."""

    of: PdfPage
    page: pypdfium2.PdfPage
    uses: list[Use]
    fault: str
    blending: set[str]

    @cached_property
    def items(self) -> list[Item]:
        get = partial(raw.FPDFPage_GetObject, self.page)
        return list(self._read(get, raw.FPDFPage_CountObjects(self.page), self.of.matrix, None))

    def _read(
        self, get: Callable[[int], Any], count: int, matrix: Matrix, clip: Box | None,
        form: Use | None = None,
    ) -> Iterator[Item]:  # fmt: skip
        number, own, edges = ctypes.c_int(), raw.FS_MATRIX(), [ctypes.c_float() for _ in range(4)]
        for at in range(count):
            handle = get(at)
            marks = raw.FPDFPageObj_CountMarks(handle)
            mark = raw.FPDFPageObj_GetMark(handle, marks - 1) if marks > 0 else None
            if not mark or not raw.FPDFPageObjMark_GetParamIntValue(mark, _KEY, number):
                continue
            use = self.uses[number.value]
            if form is not None:
                use = _within(form, use)
            raw.FPDFPageObj_GetMatrix(handle, own)
            full = times((own.a, own.b, own.c, own.d, own.e, own.f), matrix)
            kind = raw.FPDFPageObj_GetType(handle)
            seen = _clipped(handle, matrix, clip)
            if kind == FORM:
                inner = partial(raw.FPDFFormObj_GetObject, handle)
                many = raw.FPDFFormObj_CountObjects(handle)
                yield from self._read(inner, many, full, seen, use)
                continue
            if not raw.FPDFPageObj_GetBounds(handle, *edges):
                continue
            left, bottom, right, top = (edge.value for edge in edges)
            whole = covered(matrix, (left, bottom, right, top))
            visible, size = True, 0.0
            if kind == TEXT:
                painted = MODES.get(raw.FPDFTextObj_GetTextRenderMode(handle), use.word)
                visible = bool(painted)
                if painted != use.word:
                    use = replace(use, word=painted)
                raw.FPDFTextObj_GetFontSize(handle, edges[0])
                size = abs(edges[0].value) * hypot(full[2], full[3]) / MM["pt"]
            elif kind == PICTURE and use.picture:
                across, down = hypot(full[0], full[1]), hypot(full[2], full[3])
                whole = covered(full, (0.0, 0.0, 1.0, 1.0))
                if across and down:
                    size = min(use.picture.width / across, use.picture.height / down) * MM["in"]
            elif use.word in STROKES:
                raw.FPDFPageObj_GetStrokeWidth(handle, edges[0])
                size = edges[0].value * sqrt(abs(full[0] * full[3] - full[1] * full[2])) / MM["pt"]
            box = whole if seen is None else overlap(whole, seen)
            yield Item(kind, use, whole, seen, box, size, visible, handle, full, self, form is not None)

    @cached_property
    def text(self) -> pypdfium2.PdfTextPage:
        """PDFium's account of the text of the page."""
        return self.page.get_textpage()

    @cached_property
    def letters(self) -> dict[int, list[int]]:
        """The numbers of the letters of each text, by its address."""
        found: dict[int, list[int]] = {}
        for at in range(raw.FPDFText_CountChars(self.text)):
            if not raw.FPDFText_IsGenerated(self.text, at):
                found.setdefault(_address(raw.FPDFText_GetTextObject(self.text, at)), []).append(at)
        return found

    @cached_property
    def words(self) -> dict[int, str]:
        """The words of each text, by its address: read once, since PDFium goes through all for each."""
        found = {}
        for address, letters in self.letters.items():
            said, last = "", letters[0]
            for at in letters[:_MOST_LETTERS]:
                gap = " " if at > last + 1 else ""  # letters that PDFium puts in are blanks
                said += gap + chr(min(raw.FPDFText_GetUnicode(self.text, at), 0x10FFFF))
                last = at
            whole = said.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
            found[address] = whole.replace("\0", "").strip()
        return found


def _within(form: Use, inner: Use) -> Use:
    """A use as it is where its form is drawn."""
    blended = form.state.get("blended", False) or inner.state.get("blended", False)
    state: State = {**form.state, **inner.state, "blended": blended}
    artifact, content = inner.tag
    tag = artifact or form.tag[0], form.tag[1] if content is None else content
    return replace(inner, state=state, tag=tag)


def _address(handle: Any) -> int:
    return ctypes.cast(handle, ctypes.c_void_p).value or 0


def _points(segments: Iterable[Any], matrix: Matrix) -> Iterator[tuple[Any, tuple[float, float]]]:
    x, y = ctypes.c_float(), ctypes.c_float()
    for segment in segments:
        raw.FPDFPathSegment_GetPoint(segment, x, y)
        yield segment, point(matrix, x.value, y.value)


def _around(points: list[tuple[float, float]]) -> Box:
    xs, ys = zip(*points, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def _clipped(handle: Any, matrix: Matrix, clip: Box | None) -> Box | None:
    """The box within which a thing is seen, that of the form around it counted in; None where it is all."""
    path = raw.FPDFPageObj_GetClipPath(handle)
    for at in range(max(0, raw.FPDFClipPath_CountPaths(path))) if path else ():
        count = min(raw.FPDFClipPath_CountPathSegments(path, at), _MOST_PARTS)
        segments = (raw.FPDFClipPath_GetPathSegment(path, at, one) for one in range(count))
        points = [place for _, place in _points(segments, matrix)]
        box = _around(points or [(0.0, 0.0)])
        clip = box if clip is None else overlap(box, clip) or NOWHERE
    return clip
