"""The things that a page paints, where they stand and how large they are, as PDFium measures them in mm."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, partial
from math import hypot, sqrt
from typing import Any

import pypdfium2
import pypdfium2.raw as raw

from rulewright.files.problems import ProblemType, quote_short
from rulewright.print.page_geometry import (
    Box,
    Matrix,
    PdfPage,
    are_disjoint,
    bounding_box,
    multiply_matrices,
    overlap,
    transform_box,
    transform_point,
)
from rulewright.print.preflight import PreflightFinding
from rulewright.schema.paper import MM

TEXT, PATH, PICTURE, SHADING, FORM = (
    raw.FPDF_PAGEOBJ_TEXT, raw.FPDF_PAGEOBJ_PATH, raw.FPDF_PAGEOBJ_IMAGE, raw.FPDF_PAGEOBJ_SHADING,
    raw.FPDF_PAGEOBJ_FORM,
)  # fmt: skip
NOWHERE: Box = (-1e9, -1e9, -1e9, -1e9)


@dataclass(slots=True)
class PaintedObject:
    """A thing that is painted.

    `full_box`: its box, `clip`: that within which it is seen, `box`: what of it is seen, None where nothing
    is; `size`: that of text and the width of a stroke in points, a picture's dpi; `tag`: the number of the
    tagged content that it stands in, less than 0 for an artifact.
    """

    kind: int
    full_box: Box
    clip: Box | None
    box: Box | None
    size: float
    handle: Any = field(repr=False)
    tag: int
    page: PaintedPage = field(repr=False)

    @property
    def on_sheet(self) -> bool:
        """Whether anything of it is seen on the sheet or in its bleed, and not beside it alone."""
        return self.box is not None and not are_disjoint(self.box, self.page.pdf_page.bleed)

    def fault(self, kind: ProblemType, message: str, subject: str = "") -> PreflightFinding:
        return PreflightFinding(
            kind, message, self.page.pdf_page.number, (self.box or self.full_box)[:2], subject
        )

    @property
    def font(self) -> tuple[str, bool]:
        """The name of the font that a text is set in, and whether it is embedded."""
        font = raw.FPDFTextObj_GetFont(self.handle)
        raw.FPDFFont_GetBaseFontName(font, name := ctypes.create_string_buffer(200), 200)
        plain = name.value.decode("utf-8", "replace").rpartition("+")[2]
        return plain, bool(raw.FPDFFont_GetIsEmbedded(font))

    @property
    def words(self) -> str:
        length = raw.FPDFTextObj_GetText(self.handle, self.page.text, None, 0)
        raw.FPDFTextObj_GetText(
            self.handle, self.page.text, said := (ctypes.c_ushort * (length // 2))(), length
        )
        return bytes(said)[:-2].decode("utf-16-le", "replace").strip()

    @property
    def straight(self) -> bool:
        """Whether it is a rectangle or a line: the part of a ground, and no drawing."""
        few = self.kind == PATH and int(raw.FPDFPath_CountSegments(self.handle)) <= 6
        return few or self.kind == SHADING

    @property
    def is_drawing(self) -> tuple[bool, bool]:
        filled, stroked = ctypes.c_int(), ctypes.c_int()
        raw.FPDFPath_GetDrawMode(self.handle, filled, stroked)
        return bool(filled.value), bool(stroked.value)

    @property
    def inked(self) -> bool:
        """Whether it leaves anything on the paper but its white."""
        if self.kind != PATH:
            return True
        parts = zip(
            self.is_drawing, (raw.FPDFPageObj_GetFillColor, raw.FPDFPageObj_GetStrokeColor), strict=True
        )
        colour = [ctypes.c_uint() for _ in range(4)]
        for get in (get for painted, get in parts if painted):
            if not get(self.handle, *colour) or (
                colour[3].value and min(one.value for one in colour[:3]) < 255
            ):
                return True
        return False

    def __str__(self) -> str:
        if self.kind == TEXT:
            return f"the text {quote_short(self.words)}"
        return "a picture" if self.kind == PICTURE else "a line or ground"


@dataclass
class PaintedPage:
    """All that one page paints."""

    pdf_page: PdfPage
    page: pypdfium2.PdfPage

    @cached_property
    def items(self) -> list[PaintedObject]:
        get = partial(raw.FPDFPage_GetObject, self.page)
        return [
            *self._read(map(get, range(raw.FPDFPage_CountObjects(self.page))), self.pdf_page.matrix, None, -1)
        ]

    def _read(
        self, handles: Iterable[Any], matrix: Matrix, clip: Box | None, outer: int
    ) -> Iterator[PaintedObject]:
        own, edges = raw.FS_MATRIX(), [ctypes.c_float() for _ in range(4)]
        for handle in handles:
            raw.FPDFPageObj_GetMatrix(handle, own)
            full = multiply_matrices((own.a, own.b, own.c, own.d, own.e, own.f), matrix)
            kind, seen = raw.FPDFPageObj_GetType(handle), _clipped(handle, matrix, clip)
            tag = max(raw.FPDFPageObj_GetMarkedContentID(handle), outer)
            if kind == FORM:
                get = partial(raw.FPDFFormObj_GetObject, handle)
                yield from self._read(map(get, range(raw.FPDFFormObj_CountObjects(handle))), full, seen, tag)
                continue
            if not raw.FPDFPageObj_GetBounds(handle, *edges):
                continue
            left, bottom, right, top = (edge.value for edge in edges)
            whole, size = transform_box(matrix, (left, bottom, right, top)), 0.0
            if kind == TEXT:
                raw.FPDFTextObj_GetFontSize(handle, edges[0])
                size = abs(edges[0].value) * hypot(full[2], full[3]) / MM["pt"]
            elif kind == PICTURE:
                wide, high = ctypes.c_uint(), ctypes.c_uint()
                raw.FPDFImageObj_GetImagePixelSize(handle, wide, high)
                size = min(wide.value / hypot(*full[:2]), high.value / hypot(*full[2:4])) * MM["in"]
                size = size if (wide.value, high.value) != (1, 1) else 1e9  # which is a flat colour
            elif kind == PATH:
                raw.FPDFPageObj_GetStrokeWidth(handle, edges[0])
                size = edges[0].value * sqrt(abs(full[0] * full[3] - full[1] * full[2])) / MM["pt"]
            box = whole if seen is None else overlap(whole, seen)
            yield PaintedObject(kind, whole, seen, box, size, handle, tag, self)

    @cached_property
    def text(self) -> pypdfium2.PdfTextPage:
        return self.page.get_textpage()


def _clipped(handle: Any, matrix: Matrix, clip: Box | None) -> Box | None:
    """The box within which a thing is seen, that of the form around it counted in; None where it is all."""
    x, y, path = ctypes.c_float(), ctypes.c_float(), raw.FPDFPageObj_GetClipPath(handle)
    for at in range(max(0, raw.FPDFClipPath_CountPaths(path))) if path else ():
        points = [(0.0, 0.0)][: not (count := raw.FPDFClipPath_CountPathSegments(path, at))]
        for segment in (raw.FPDFClipPath_GetPathSegment(path, at, one) for one in range(count)):
            raw.FPDFPathSegment_GetPoint(segment, x, y)
            points.append(transform_point(matrix, x.value, y.value))
        box = bounding_box(points)
        clip = box if clip is None else overlap(box, clip) or NOWHERE
    return clip
