"""Preflight: a finished PDF is compared with the print spec that it contains.

What Typst reports itself is not checked here: missing glyphs, blocks that do not fit, and the tags of
PDF/UA-1.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from ctypes import c_float, c_int
from io import BytesIO
from math import hypot, inf
from typing import Any

import pikepdf
import pypdfium2
from pikepdf import Name, PdfImage, Stream
from pypdfium2 import PdfObject, PdfPage, raw

from rulewright.files.disk_cache import cache_key
from rulewright.files.problems import Problem, ProblemType, SourceLocation, quote_short
from rulewright.print.pdf_finishing import screen_components
from rulewright.print.print_spec import SPEC_KEY, PrintSpec
from rulewright.schema import print_problems as types
from rulewright.schema.paper import MM
from rulewright.schema.problem_reports import plural

HEAVIEST = 3.0
"""Maximum ink in one place, as the sum of the shares of the four inks."""
BOX_TOLERANCE, LINE_TOLERANCE, DPI_TOLERANCE = 0.2, 0.02, 0.995
"""Tolerance of boxes in mm, of type and lines in points, and of resolutions as a share."""
LINE_LENGTH, SMALL_PICTURE = 1.0, 40.0
"""Length above which a thin rectangle is a line; width up to which half the resolution is enough, in mm."""

_INKS = re.compile(rb"(?<!\S)([01][\d.]*(?: [01][\d.]*){3}) [kK]\b")

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
_PAINT_FAULTS: dict[str, list[Fault]] = {}
"""Faults of what pages paint, by their contents: an edit changes few pages of a book."""


def run_preflight(pdf: bytes, place: SourceLocation) -> list[Problem]:
    """Compare a PDF with its print spec. `place`: the place of its problems, a sheet or a PDF.

    Faults that are alike are reported once a page.
    """
    if len(_PAINT_FAULTS) > 10_000:
        _PAINT_FAULTS.clear()
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
                page.contents_coalesce()
                parts = [*_parts(page.obj, set())]
                streams = [page.Contents, *(part for part in parts if isinstance(part, Stream))]
                key = cache_key(repr(spec), *(stream.read_raw_bytes() for stream in streams))
                if key not in _PAINT_FAULTS:
                    _PAINT_FAULTS[key] = [*_paint_faults(painted[number - 1], streams, spec)]
                faults = (*_box_faults(page, spec), *_resource_faults(parts, spec), *_PAINT_FAULTS[key])
                for kind, message in dict.fromkeys(faults):
                    problems.append(kind.problem(place, f"page {number}: {message}", f"page {number}"))
            return problems
    except Exception as error:  # a file that was edited may contain anything
        return [unreadable_problem(place, error)]


def unreadable_problem(place: SourceLocation, error: Exception) -> Problem:
    """Return the problem of a PDF whose reading ends with an error."""
    cause = str(error).rpartition(": ")[2] or type(error).__name__
    return types.UNREADABLE.problem(place, f"it cannot be read: {cause}")


def _box_faults(page: Any, spec: PrintSpec) -> Iterator[Fault]:
    trim = [float(edge) * MM["pt"] for edge in page.trimbox]
    bleed = [float(edge) * MM["pt"] for edge in page.obj.get("/BleedBox", page.trimbox)]
    width, height = trim[2] - trim[0], trim[3] - trim[1]
    if max(abs(width - spec.width), abs(height - spec.height)) > BOX_TOLERANCE:
        size = f"{width:.1f} x {height:.1f} mm"
        yield types.SIZE, f"trimmed it is {size}, not {spec.width:g} x {spec.height:g}"
    reach = min(abs(edge - outer) for edge, outer in zip(trim, bleed, strict=True))
    if reach < spec.bleed - BOX_TOLERANCE:
        yield types.BLEED, f"the bleed reaches {reach:.2f} mm beyond the trim, not {spec.bleed:.2f}"


def _paint_faults(page: PdfPage, streams: Iterable[Any], spec: PrintSpec) -> Iterator[Fault]:
    """Yield the faults of the inks, texts, pictures and paths that a page and the drawings in it paint."""
    heaviest = max(map(_heaviest_ink, streams), default=0.0)
    if heaviest > HEAVIEST + 0.01:
        yield types.HEAVY, f"{heaviest:.0%} of ink in one place; {HEAVIEST:.0%} is the maximum"
    count = raw.FPDFPage_CountObjects(page)
    items = [(raw.FPDFPage_GetObject(page, position), 1.0) for position in range(count)]
    matrix, size = raw.FS_MATRIX(), c_float()
    for item, outer in items:
        raw.FPDFPageObj_GetMatrix(item, matrix)
        across, down = outer * hypot(matrix.a, matrix.b), outer * hypot(matrix.c, matrix.d)
        kind = raw.FPDFPageObj_GetType(item)
        if kind == raw.FPDF_PAGEOBJ_TEXT:
            raw.FPDFTextObj_GetFontSize(item, size)
            points = size.value * down
            if points < spec.smallest - LINE_TOLERANCE:
                yield types.SMALL, f"type is set in {points:.1f} pt; {spec.smallest:g} pt is the minimum"
        elif kind == raw.FPDF_PAGEOBJ_IMAGE:
            wide, high = PdfObject(item, page).get_px_size()
            dpi = 72 * min(wide / across, high / down)
            resolution = spec.resolution / (2 if across * MM["pt"] <= SMALL_PICTURE else 1)
            if dpi < resolution * DPI_TOLERANCE and wide * high > 1:
                yield types.COARSE, f"a picture is printed at {dpi:.0f} dpi, not at {resolution:g}"
        elif kind == raw.FPDF_PAGEOBJ_PATH:
            thickness = _thickness(item, down)
            if thickness < spec.hairline - LINE_TOLERANCE / 4:
                message = f"a line is {thickness:.2f} pt thick; {spec.hairline:g} pt is the minimum"
                yield types.HAIRLINE, message
        elif kind == raw.FPDF_PAGEOBJ_FORM:  # drawings keep their proportions
            count = raw.FPDFFormObj_CountObjects(item)
            items += [(raw.FPDFFormObj_GetObject(item, position), down) for position in range(count)]


def _thickness(path: Any, scale: float) -> float:
    """Return the thickness of a line, also of one that is a filled rectangle; of other paths infinity."""
    fill, stroke, width = c_int(), c_int(), c_float()
    raw.FPDFPath_GetDrawMode(path, fill, stroke)
    if stroke.value:
        raw.FPDFPageObj_GetStrokeWidth(path, width)
        return width.value * scale
    left, bottom, right, top = edges = c_float(), c_float(), c_float(), c_float()
    raw.FPDFPageObj_GetBounds(path, *edges)
    short, long = sorted((right.value - left.value, top.value - bottom.value))
    return short if fill.value and short and long * MM["pt"] >= LINE_LENGTH else inf


def _resource_faults(parts: Iterable[Any], spec: PrintSpec) -> Iterator[Fault]:
    """Yield the faults of the fonts and colours of a page, its drawings, pictures and gradients."""
    for part in parts:
        if spec.x1a and ("/Group" in part or "/SMask" in part):
            yield types.TRANSPARENT, "a drawing or a picture is transparent"
        resources = part.get("/Resources", {})
        if 3 in map(screen_components, (*resources.get("/ColorSpace", {}).values(), part.get("/ColorSpace"))):
            yield types.RGB, RGB_MESSAGE
        for font in resources.get("/Font", {}).values():
            if font.get("/Subtype") == Name.Type3:  # it has no file: the PDF draws its signs
                continue
            descriptor = font.get("/DescendantFonts", [font])[0].get("/FontDescriptor", {})
            if not {"/FontFile", "/FontFile2", "/FontFile3"} & set(descriptor.keys()):
                yield types.FONT_ABSENT, f"the font {quote_short(str(font.BaseFont)[1:])} is not embedded"


def _parts(part: Any, seen: set[tuple[int, int]]) -> Iterator[Any]:
    """Yield a page with all drawings, pictures and gradients that it paints."""
    yield part
    resources = part.get("/Resources", {})
    for item in (*resources.get("/XObject", {}).values(), *resources.get("/Pattern", {}).values()):
        if item.objgen not in seen:
            seen.add(item.objgen)
            yield from _parts(item.get("/Shading", item), seen)


def _heaviest_ink(stream: Any) -> float:
    """Return the most ink in one place of a page, a drawing, or a picture in CMYK, which is scaled down."""
    if stream.get("/Subtype") == Name.Image:
        if stream.get("/ColorSpace") != Name.DeviceCMYK:
            return 0.0
        pixels: Any = PdfImage(stream).as_pil_image(apply_mask=False)
        return float(max(sum(inks) for _, inks in pixels.resize((64, 64)).getcolors(64 * 64)) / 255)
    colours = set(_INKS.findall(stream.read_bytes()))
    return max((sum(map(float, inks.split())) for inks in colours), default=0.0)
