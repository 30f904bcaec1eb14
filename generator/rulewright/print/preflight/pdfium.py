"""The things that a page paints, where they stand and how large they are, as PDFium reads them.

Lengths are in mm from the upper left corner of the trim, as in `geometry`.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, partial
from math import hypot, sqrt
from typing import Any

import pypdfium2
import pypdfium2.raw as raw

from rulewright.model.paper import MM
from rulewright.print.preflight.content import NUMBER, PAGE, STROKES, State, Tag, Use
from rulewright.print.preflight.geometry import Box, Matrix, PdfPage, covered, overlap, point, times
from rulewright.source.problems import shown

TEXT, PATH, PICTURE, FORM = (
    raw.FPDF_PAGEOBJ_TEXT, raw.FPDF_PAGEOBJ_PATH, raw.FPDF_PAGEOBJ_IMAGE, raw.FPDF_PAGEOBJ_FORM
)  # fmt: skip
INVISIBLE = (3, 7)
"""The modes of text that neither fill nor stroke."""

STROKED = (1, 2, 5, 6)
_KEY = NUMBER.encode()
_MOST_PARTS = 20_000
"""Most points of a path that are looked at one by one."""


@dataclass(slots=True)
class Item:
    """A thing that is painted. `whole`: its box, `clip`: that within which it is seen, `box`: what of it is
    seen, None where nothing is; `size`: that of text in points, the width of a stroke, or a picture's dpi."""

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
    nested: bool = False
    """Whether a form draws it."""

    @property
    def words(self) -> str:
        """What a text says."""
        buffer = (ctypes.c_ushort * 400)()
        size = raw.FPDFTextObj_GetText(self.handle, self.page.text, buffer, ctypes.sizeof(buffer))
        found = bytes(buffer)[: min(size, ctypes.sizeof(buffer))]
        return found.decode("utf-16-le", "replace").replace("\0", "").strip()

    def letters(self) -> Iterator[Box]:
        """The boxes of the letters of a text of which something is seen."""
        edges = [ctypes.c_double() for _ in range(4)]
        for at in self.page.letters.get(_address(self.handle), ()):
            if not raw.FPDFText_GetCharBox(self.page.text, at, *edges):
                continue
            left, right, bottom, top = (edge.value for edge in edges)
            if (
                right > left
                and top > bottom
                and not chr(raw.FPDFText_GetUnicode(self.page.text, at)).isspace()
            ):
                box = covered(self.page.of.matrix, (left, bottom, right, top))
                found = box if self.clip is None else overlap(box, self.clip)
                if found:
                    yield found

    def parts(self) -> list[Box]:
        """The boxes of the parts of a path, without the width of its stroke; else its own."""
        if self.kind != PATH or self.use.word == "sh":
            return [self.box] if self.box else []
        found: list[list[tuple[float, float]]] = []
        x, y = ctypes.c_float(), ctypes.c_float()
        for at in range(min(raw.FPDFPath_CountSegments(self.handle), _MOST_PARTS)):
            segment = raw.FPDFPath_GetPathSegment(self.handle, at)
            raw.FPDFPathSegment_GetPoint(segment, x, y)
            if raw.FPDFPathSegment_GetType(segment) == raw.FPDF_SEGMENT_MOVETO or not found:
                found.append([])
            found[-1].append(point(self.matrix, x.value, y.value))
        boxes = [
            (*map(min, zip(*part, strict=True)), *map(max, zip(*part, strict=True)))
            for part in found
            if len(part) > 1
        ]
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
        count = raw.FPDFPage_CountObjects(self.page)
        return list(
            self._read(
                lambda at: raw.FPDFPage_GetObject(self.page, at), count, self.of.matrix, None, PAGE, Tag()
            )
        )

    def _read(
        self,
        get: Callable[[int], Any],
        count: int,
        matrix: Matrix,
        clip: Box | None,
        outer: State,
        around: Tag,
        nested: bool = False,
    ) -> Iterator[Item]:
        number, own, edges = ctypes.c_int(), raw.FS_MATRIX(), [ctypes.c_float() for _ in range(4)]
        for at in range(count):
            handle = get(at)
            marks = raw.FPDFPageObj_CountMarks(handle)
            mark = raw.FPDFPageObj_GetMark(handle, marks - 1) if marks > 0 else None
            if not mark or not raw.FPDFPageObjMark_GetParamIntValue(mark, _KEY, number):
                continue
            use = self.uses[number.value]
            state, tag = use.state.within(outer), use.tag.within(around)
            raw.FPDFPageObj_GetMatrix(handle, own)
            full = times((own.a, own.b, own.c, own.d, own.e, own.f), matrix)
            kind = raw.FPDFPageObj_GetType(handle)
            seen = _clipped(handle, matrix, clip)
            if kind == FORM:
                yield from self._read(
                    partial(raw.FPDFFormObj_GetObject, handle),
                    raw.FPDFFormObj_CountObjects(handle),
                    full,
                    seen,
                    state,
                    tag,
                    True,
                )
                continue
            if not raw.FPDFPageObj_GetBounds(handle, *edges):
                continue
            left, bottom, right, top = (edge.value for edge in edges)
            whole = covered(matrix, (left, bottom, right, top))
            visible, size = True, 0.0
            if kind == TEXT:
                mode = raw.FPDFTextObj_GetTextRenderMode(handle)
                visible = mode not in INVISIBLE
                raw.FPDFTextObj_GetFontSize(handle, edges[0])
                size = abs(edges[0].value) * hypot(full[2], full[3]) / MM["pt"]
                use = Use(
                    "B" if mode in (2, 6) else "S" if mode in STROKED else use.word, state, tag, use.lacking
                )
            elif kind == PICTURE and use.picture:
                across, down = hypot(full[0], full[1]), hypot(full[2], full[3])
                whole = covered(full, (0.0, 0.0, 1.0, 1.0))
                if across and down:
                    size = min(use.picture.width / across, use.picture.height / down) * MM["in"]
                use = Use(use.word, state, tag, picture=use.picture)
            else:
                if use.word in STROKES:
                    raw.FPDFPageObj_GetStrokeWidth(handle, edges[0])
                    size = edges[0].value * sqrt(abs(full[0] * full[3] - full[1] * full[2])) / MM["pt"]
                use = Use(use.word, state, tag, coloured=use.coloured)
            box = whole if seen is None else overlap(whole, seen)
            yield Item(kind, use, whole, seen, box, size, visible, handle, full, self, nested)

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


def _address(handle: Any) -> int:
    return ctypes.cast(handle, ctypes.c_void_p).value or 0


def _clipped(handle: Any, matrix: Matrix, clip: Box | None) -> Box | None:
    """The box within which a thing is seen, that of the form around it counted in; None where it is all."""
    path = raw.FPDFPageObj_GetClipPath(handle)
    x, y = ctypes.c_float(), ctypes.c_float()
    for at in range(max(0, raw.FPDFClipPath_CountPaths(path))) if path else ():
        points = []
        for number in range(min(raw.FPDFClipPath_CountPathSegments(path, at), _MOST_PARTS)):
            raw.FPDFPathSegment_GetPoint(raw.FPDFClipPath_GetPathSegment(path, at, number), x, y)
            points.append(point(matrix, x.value, y.value))
        xs, ys = zip(*points, strict=True) if points else ((0.0,), (0.0,))
        box = min(xs), min(ys), max(xs), max(ys)
        # Two clips that share nothing leave nothing: a box without any extent, off the page.
        clip = box if clip is None else overlap(box, clip) or (-1e9, -1e9, -1e9, -1e9)
    return clip
