"""Preflight: a finished PDF is compared with the print spec that it contains.

What Typst reports itself is not checked here: missing glyphs, blocks that do not fit, and the tags of
PDF/UA-1.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from ctypes import c_float, c_int, c_uint
from io import BytesIO
from math import hypot, inf
from typing import Any

import pikepdf
import pypdfium2
from pikepdf import Array, PdfImage
from PIL import ImageChops
from pypdfium2 import raw

from rulewright.files.disk_cache import cache_key
from rulewright.files.problems import Problem, ProblemType, SourceLocation, quote_short
from rulewright.print.print_spec import SPEC_KEY, PrintSpec
from rulewright.schema import preflight_problems as types
from rulewright.schema.paper import MM
from rulewright.schema.problem_reports import plural

HEAVIEST = 3.0
"""Maximum ink in one place, as the sum of the shares of the four inks."""
BOX_TOLERANCE, LINE_TOLERANCE, DPI_TOLERANCE = 0.2, 0.02, 0.995
"""Tolerance of boxes in mm, of type and lines in points, and of resolutions as a share."""
LINE_LENGTH, SMALL_PICTURE = 1.0, 40.0
"""Length above which a thin rectangle is a line; width up to which half the resolution is enough, in mm."""

_INKS = re.compile(rb"\b([01][\d.]*(?: [01][\d.]*){3}) [kK]\b")
_INK_SPACES = {"/DeviceCMYK", "/DeviceGray", "/Separation", "/DeviceN", "/Pattern"}

RGB_MESSAGE = "a colour, a picture or a gradient is in RGB instead of the inks of the press"

CHECKS = (
    ("number of pages", (types.PAGES,)),
    ("size of pages", (types.SIZE,)),
    ("bleed", (types.BLEED,)),
    ("fonts embedded", (types.FONT_ABSENT,)),
    ("smallest type", (types.SMALL,)),
    ("thinnest line", (types.HAIRLINE,)),
    ("resolution of pictures", (types.COARSE,)),
    ("no RGB, no transparency in PDF/X-1a", (types.RGB, types.TRANSPARENT)),
    ("most ink in one place", (types.HEAVY,)),
)
"""Names of the checks, and the types of their problems."""


Fault = tuple[ProblemType, str]
_CONTENT_FAULTS: dict[str, list[Fault]] = {}
"""Faults by the contents of a page: an edit changes few pages of a book."""


def run_preflight(pdf: bytes, place: SourceLocation) -> list[Problem]:
    """Compare a PDF with its print spec. `place`: the place of its problems, a sheet or a PDF.

    Faults that are alike are reported once a page.
    """
    try:
        with pikepdf.open(BytesIO(pdf)) as opened, pypdfium2.PdfDocument(pdf) as painted:
            declared = opened.docinfo.get(SPEC_KEY)
            if declared is None:
                message = "Rulewright did not print it as it is, so it is not checked"
                return [types.FOREIGN.problem(place, message)]
            spec, problems = PrintSpec(**json.loads(str(declared))), []
            length = len(opened.pages)
            if spec.pages not in (0, length):
                message = f"it has {plural(length, 'page')} and has to have {spec.pages}"
                problems.append(types.PAGES.problem(place, message))
            for number, page in enumerate(opened.pages, 1):
                streams = list(_streams(page.obj, set()))
                faults = [*_box_faults(page, spec), *_resource_faults(streams, spec)]
                key = cache_key(repr(spec), *(_contents(stream).read_raw_bytes() for stream in streams))
                if key not in _CONTENT_FAULTS:
                    drawn = painted[number - 1]
                    count = raw.FPDFPage_CountObjects(drawn)
                    items = (raw.FPDFPage_GetObject(drawn, index) for index in range(count))
                    _CONTENT_FAULTS[key] = [*_ink_faults(streams), *_paint_faults(items, spec)]
                for kind, message in dict.fromkeys([*faults, *_CONTENT_FAULTS[key]]):
                    problems.append(kind.problem(place, f"page {number}: {message}", f"page {number}"))
            return problems
    except Exception as error:  # a file that was edited may contain anything
        return [unreadable_problem(place, error)]


def unreadable_problem(place: SourceLocation, error: Exception) -> Problem:
    """Return the problem of a PDF whose reading ends with an error."""
    cause = str(error).rpartition(": ")[2] or type(error).__name__
    return types.UNREADABLE.problem(place, f"it cannot be read: {cause}")


def _box_faults(page: Any, spec: PrintSpec) -> Iterator[Fault]:
    left, bottom, right, top = (float(edge) * MM["pt"] for edge in page.trimbox)
    bleed = [float(edge) * MM["pt"] for edge in page.obj.get("/BleedBox", page.trimbox)]
    if max(abs(right - left - spec.width), abs(top - bottom - spec.height)) > BOX_TOLERANCE:
        size = f"{right - left:.1f} x {top - bottom:.1f} mm"
        yield types.SIZE, f"trimmed it is {size}, not {spec.width:g} x {spec.height:g}"
    reach = min(left - bleed[0], bottom - bleed[1], bleed[2] - right, bleed[3] - top)
    if reach < spec.bleed - BOX_TOLERANCE:
        yield types.BLEED, f"the bleed reaches {reach:.2f} mm beyond the trim, not {spec.bleed:.2f}"


def _paint_faults(items: Iterable[Any], spec: PrintSpec, outer: float = 1.0) -> Iterator[Fault]:
    """Yield the faults of the texts, pictures and paths that a page or a drawing in it paints.

    The objects are read with the functions of PDFium itself: a book has tens of thousands. Drawings keep
    their proportions, so one scale is enough for what is inside them.
    """
    placed, size = raw.FS_MATRIX(), c_float()
    for item in items:
        kind = raw.FPDFPageObj_GetType(item)
        raw.FPDFPageObj_GetMatrix(item, placed)
        scale = outer * hypot(placed.c, placed.d)
        if kind == raw.FPDF_PAGEOBJ_TEXT:
            raw.FPDFTextObj_GetFontSize(item, size)
            if size.value * scale < spec.smallest - LINE_TOLERANCE:
                message = f"type is set in {size.value * scale:.1f} pt; {spec.smallest:g} pt is the minimum"
                yield types.SMALL, message
        elif kind == raw.FPDF_PAGEOBJ_PATH:
            thickness = _thickness(item, scale)
            if thickness < spec.hairline - LINE_TOLERANCE / 4:
                message = f"a line is {thickness:.2f} pt thick; {spec.hairline:g} pt is the minimum"
                yield types.HAIRLINE, message
        elif kind == raw.FPDF_PAGEOBJ_IMAGE:
            yield from _picture_faults(item, outer * hypot(placed.a, placed.b), scale, spec)
        elif kind == raw.FPDF_PAGEOBJ_FORM:
            count = raw.FPDFFormObj_CountObjects(item)
            inner = (raw.FPDFFormObj_GetObject(item, index) for index in range(count))
            yield from _paint_faults(inner, spec, scale)


def _thickness(path: Any, scale: float) -> float:
    """Return the thickness of a line, also of one that is a filled rectangle; of other paths infinity."""
    fill, stroke, width = c_int(), c_int(), c_float()
    raw.FPDFPath_GetDrawMode(path, fill, stroke)
    if stroke.value:
        raw.FPDFPageObj_GetStrokeWidth(path, width)
        return width.value * scale
    left, bottom, right, top = c_float(), c_float(), c_float(), c_float()
    raw.FPDFPageObj_GetBounds(path, left, bottom, right, top)
    short, long = sorted((right.value - left.value, top.value - bottom.value))
    return short if fill.value and short and long * MM["pt"] >= LINE_LENGTH else inf


def _picture_faults(picture: Any, width: float, height: float, spec: PrintSpec) -> Iterator[Fault]:
    across, down = c_uint(), c_uint()
    raw.FPDFImageObj_GetImagePixelSize(picture, across, down)
    dpi = 72 * min(across.value / width, down.value / height)
    resolution = spec.resolution / (2 if width * MM["pt"] <= SMALL_PICTURE else 1)
    if dpi < resolution * DPI_TOLERANCE and across.value * down.value > 1:
        yield types.COARSE, f"a picture is printed at {dpi:.0f} dpi, not at {resolution:g}"


def _resource_faults(streams: Iterable[Any], spec: PrintSpec) -> Iterator[Fault]:
    """Yield the faults of the fonts and colour spaces of a page, its drawings and pictures."""
    for stream in streams:
        resources = stream.get("/Resources", {})
        if spec.x1a and ("/Group" in stream or "/SMask" in stream):
            yield types.TRANSPARENT, "a drawing or a picture is transparent"
        for font in resources.get("/Font", {}).values():
            descriptor = font.get("/DescendantFonts", [font])[0].get("/FontDescriptor", {})
            if not any(str(key).startswith("/FontFile") for key in dict(descriptor)):
                yield types.FONT_ABSENT, f"the font {quote_short(str(font.BaseFont))} is not embedded"
        if not _colour_spaces(stream) <= _INK_SPACES:
            yield types.RGB, RGB_MESSAGE


def _colour_spaces(stream: Any) -> set[str]:
    """Return the names of the colour spaces of a page, a drawing or a picture."""
    resources = stream.get("/Resources", {})
    spaces = list(resources.get("/ColorSpace", {}).values())
    patterns = resources.get("/Pattern", {}).values()
    spaces += [pattern.Shading.ColorSpace for pattern in patterns if "/Shading" in pattern]
    if stream.get("/Subtype") == "/Image" and not stream.get("/ImageMask"):
        spaces.append(stream.get("/ColorSpace"))
    names: set[str] = set()
    for space in spaces:
        names.add(str(space[0]) if isinstance(space, Array) else str(space))
    return names


def _ink_faults(streams: Iterable[Any]) -> Iterator[Fault]:
    """Yield the faults of the colours that a page, its drawings and pictures are in."""
    for stream in streams:
        heaviest = 0.0
        if stream.get("/Subtype") != "/Image":
            for inks in set(_INKS.findall(_contents(stream).read_bytes())):
                heaviest = max(heaviest, sum(map(float, inks.split())))
        elif _colour_spaces(stream) == {"/DeviceCMYK"}:
            heaviest = _heaviest_pixel(stream)
        if heaviest > HEAVIEST + 0.01:
            yield types.HEAVY, f"{heaviest:.0%} of ink in one place; {HEAVIEST:.0%} is the maximum"


def _contents(stream: Any) -> Any:
    return stream.Contents if stream.get("/Type") == "/Page" else stream


def _streams(source: Any, seen: set[tuple[int, int]]) -> Iterator[Any]:
    """Yield a page with all drawings and pictures that it paints."""
    yield source
    resources = source.get("/Resources", {})
    for item in (*resources.get("/XObject", {}).values(), *resources.get("/Pattern", {}).values()):
        if item.objgen not in seen and "/Shading" not in item:
            seen.add(item.objgen)
            yield from _streams(item, seen)


def _heaviest_pixel(picture: Any) -> float:
    """Return the most ink of a picture in CMYK, scaled down."""
    pixels: Any = PdfImage(picture).as_pil_image(apply_mask=False)
    if "/DCTDecode" in str(picture.get("/Filter")) and "/Decode" not in picture:
        pixels = ImageChops.invert(pixels)
    small = pixels.resize((64, 64)).tobytes()
    return float(max(sum(small[index : index + 4]) for index in range(0, len(small), 4)) / 255)
