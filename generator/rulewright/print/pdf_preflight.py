"""Preflight: a finished PDF is compared with the print spec that it contains.

What Typst reports itself is not checked here: missing glyphs, blocks that do not fit, and the tags of
PDF/UA-1.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from ctypes import c_float, c_int
from dataclasses import asdict, dataclass
from io import BytesIO
from math import hypot
from typing import Any

from rulewright.files.problems import Problem, ProblemType, SourceLocation, quote_short
from rulewright.schema import preflight_problems as types
from rulewright.schema.paper import MM
from rulewright.schema.problem_reports import plural

SPEC_KEY = "/Rulewright"
"""Entry of the information of a PDF that holds its print spec."""

HEAVIEST = 3.0
"""Maximum ink in one place, as the sum of the shares of the four inks."""
BOX_TOLERANCE, LINE_TOLERANCE, DPI_TOLERANCE = 0.2, 0.02, 0.995
"""Tolerance of boxes in mm, of type and lines in points, and of resolutions as a share."""
LINE_LENGTH, SMALL_PICTURE = 1.0, 40.0
"""Length above which a thin rectangle is a line; width up to which half the resolution is enough, in mm."""

_INKS = re.compile(rb"(?<![\d.])([01][\d.]* [01][\d.]* [01][\d.]* [01][\d.]*) [kK]\b")
_SCREEN_COLOUR = re.compile(rb"(?<=\d )(?:rg|RG|g|G)\b")
_INK_SPACES = {"/DeviceCMYK", "/DeviceGray", "/Separation", "/DeviceN", "/Pattern"}

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


@dataclass(frozen=True, slots=True)
class PrintSpec:
    """Print spec of a PDF."""

    width: float
    """Width and height of the trimmed page, and its bleed, in mm."""
    height: float
    bleed: float = 0.0
    pages: int = 0
    """Number of pages; 0 for any."""
    smallest: float = 7.5
    """Minimum size of type, and minimum thickness of lines, in points."""
    hairline: float = 0.25
    resolution: float = 300.0
    """Minimum resolution of pictures in dpi; 0 for any."""
    x1a: bool = False

    def to_json(self) -> str:
        return json.dumps(asdict(self))


@dataclass(frozen=True, slots=True)
class PreflightFinding:
    """Fault of a PDF, on a page or, with page 0, of all of it."""

    kind: ProblemType
    message: str
    page: int = 0

    @property
    def words(self) -> str:
        return f"page {self.page}: {self.message}" if self.page else self.message


@dataclass(frozen=True, slots=True)
class PreflightReport:
    """Findings in one PDF; faults that are alike are reported once a page."""

    place: SourceLocation
    findings: tuple[PreflightFinding, ...]

    @property
    def problems(self) -> list[Problem]:
        return [
            finding.kind.problem(self.place, finding.words, str(finding.page)) for finding in self.findings
        ]

    @property
    def checks(self) -> list[tuple[str, bool]]:
        """The names of the checks that were made, and whether the PDF passed them."""
        kinds = {finding.kind for finding in self.findings}
        if not kinds.isdisjoint((types.UNREADABLE, types.FOREIGN)):
            return []
        return [(name, kinds.isdisjoint(types_of_check)) for name, types_of_check in CHECKS]


def run_preflight(pdf: bytes, place: SourceLocation) -> PreflightReport:
    """Compare a PDF with its print spec. `place`: the place of its problems, a sheet or a PDF."""
    import pikepdf
    import pypdfium2

    try:
        with pikepdf.open(BytesIO(pdf)) as opened, pypdfium2.PdfDocument(pdf) as painted:
            spec = opened.docinfo.get(SPEC_KEY)
            if spec is None:
                message = "Rulewright did not print it as it is, so it is not checked"
                return PreflightReport(place, (PreflightFinding(types.FOREIGN, message),))
            findings = _findings(opened, painted, PrintSpec(**json.loads(str(spec))))
            return PreflightReport(place, tuple(dict.fromkeys(findings)))
    except Exception as error:  # a file that was edited may contain anything
        return unreadable_report(place, error)


def unreadable_report(place: SourceLocation, error: Exception) -> PreflightReport:
    """Return the report on a PDF whose reading ends with an error."""
    message = f"it cannot be read: {str(error).rpartition(': ')[2] or type(error).__name__}"
    return PreflightReport(place, (PreflightFinding(types.UNREADABLE, message),))


def _findings(opened: Any, painted: Any, spec: PrintSpec) -> Iterator[PreflightFinding]:
    count = len(opened.pages)
    if spec.pages not in (0, count):
        message = f"it has {plural(count, 'page')} and has to have {spec.pages}"
        yield PreflightFinding(types.PAGES, message)
    for number, page in enumerate(opened.pages, 1):
        faults = [*_box_faults(page, spec)]
        for stream in _streams(page.obj, set()):
            faults += _ink_faults(stream, spec)
        for item in painted[number - 1].get_objects():
            faults += _paint_faults(item, spec)
        for kind, message in faults:
            yield PreflightFinding(kind, message, number)


Fault = tuple[ProblemType, str]


def _box_faults(page: Any, spec: PrintSpec) -> Iterator[Fault]:
    left, bottom, right, top = (float(edge) * MM["pt"] for edge in page.trimbox)
    bleed = [float(edge) * MM["pt"] for edge in page.obj.get("/BleedBox", page.trimbox)]
    if max(abs(right - left - spec.width), abs(top - bottom - spec.height)) > BOX_TOLERANCE:
        size = f"{right - left:.1f} x {top - bottom:.1f} mm"
        yield types.SIZE, f"trimmed it is {size}, not {spec.width:g} x {spec.height:g}"
    reach = min(left - bleed[0], bottom - bleed[1], bleed[2] - right, bleed[3] - top)
    if reach < spec.bleed - BOX_TOLERANCE:
        yield types.BLEED, f"the bleed reaches {reach:.2f} mm beyond the trim, not {spec.bleed:.2f}"


def _paint_faults(item: Any, spec: PrintSpec) -> Iterator[Fault]:
    """Yield the faults of a text, a picture or a path that a page paints."""
    from pypdfium2 import raw

    matrix, container = item.get_matrix(), item.container
    while container is not None:
        matrix, container = matrix.multiply(container.get_matrix()), container.container
    scale = hypot(matrix.c, matrix.d)
    if item.type == raw.FPDF_PAGEOBJ_TEXT:
        size = item.get_font_size() * scale
        if size < spec.smallest - LINE_TOLERANCE:
            yield types.SMALL, f"type is set in {size:.1f} pt; {spec.smallest:g} pt is the minimum"
    elif item.type == raw.FPDF_PAGEOBJ_IMAGE:
        pixels_across, pixels_down = item.get_px_size()
        width = hypot(matrix.a, matrix.b)
        dpi = 72 * min(pixels_across / width, pixels_down / scale)
        resolution = spec.resolution / (2 if width * MM["pt"] <= SMALL_PICTURE else 1)
        if dpi < resolution * DPI_TOLERANCE and pixels_across * pixels_down > 1:
            yield types.COARSE, f"a picture is printed at {dpi:.0f} dpi, not at {resolution:g}"
    elif item.type == raw.FPDF_PAGEOBJ_PATH:
        fill, stroke, line_width = c_int(), c_int(), c_float()
        raw.FPDFPath_GetDrawMode(item, fill, stroke)
        thickness = spec.hairline
        if stroke.value:
            raw.FPDFPageObj_GetStrokeWidth(item, line_width)
            thickness = line_width.value * scale
        elif fill.value:
            left, bottom, right, top = item.get_bounds()
            short, long = sorted((right - left, top - bottom))
            thickness = short if short and long * MM["pt"] >= LINE_LENGTH else thickness
        if thickness < spec.hairline - LINE_TOLERANCE / 4:
            yield types.HAIRLINE, f"a line is {thickness:.2f} pt thick; {spec.hairline:g} pt is the minimum"


def _ink_faults(stream: Any, spec: PrintSpec) -> Iterator[Fault]:
    """Yield the faults of the inks and fonts of a page, a drawing or a picture."""
    from pikepdf import Array

    is_picture, resources = stream.get("/Subtype") == "/Image", stream.get("/Resources", {})
    if spec.x1a and ("/Group" in stream or "/SMask" in stream):
        yield types.TRANSPARENT, "a drawing or a picture is transparent"
    for font in resources.get("/Font", {}).values():
        descriptor = font.get("/DescendantFonts", [font])[0].get("/FontDescriptor", {})
        if not any(str(key).startswith("/FontFile") for key in dict(descriptor)):
            yield types.FONT_ABSENT, f"the font {quote_short(str(font.BaseFont))} is not embedded"
    spaces = list(resources.get("/ColorSpace", {}).values())
    patterns = resources.get("/Pattern", {}).values()
    spaces += [pattern.Shading.ColorSpace for pattern in patterns if "/Shading" in pattern]
    contents, heaviest = b"", 0.0
    if not is_picture:
        contents = _contents(stream)
        amounts = (sum(map(float, inks.split())) for inks in {*_INKS.findall(contents)})
        heaviest = max(amounts, default=0.0)
    elif not stream.get("/ImageMask"):
        spaces.append(stream.get("/ColorSpace"))
        heaviest = _heaviest_pixel(stream) if spaces == ["/DeviceCMYK"] else 0.0
    families = set()
    for space in spaces:
        families.add(str(space[0] if isinstance(space, Array) else space))
    if not families <= _INK_SPACES or _SCREEN_COLOUR.search(contents):
        name = "picture" if is_picture else "drawing or gradient"
        yield types.RGB, f"a {name} is in RGB instead of the inks of the press"
    if heaviest > HEAVIEST + 0.01:
        yield types.HEAVY, f"{heaviest:.0%} of ink in one place; {HEAVIEST:.0%} is the maximum"


def _streams(source: Any, seen: set[tuple[int, int]]) -> Iterator[Any]:
    """Yield a page with all drawings and pictures that it paints."""
    yield source
    resources = source.get("/Resources", {})
    for item in (*resources.get("/XObject", {}).values(), *resources.get("/Pattern", {}).values()):
        if item.objgen not in seen and "/Shading" not in item:
            seen.add(item.objgen)
            yield from _streams(item, seen)


def _contents(source: Any) -> bytes:
    from pikepdf import Array, Stream

    contents = source if isinstance(source, Stream) else source.Contents
    parts = contents if isinstance(contents, Array) else [contents]
    return b"\n".join(part.read_bytes() for part in parts)


def _heaviest_pixel(picture: Any) -> float:
    """Return the most ink of a picture in CMYK, scaled down."""
    from pikepdf import PdfImage
    from PIL import ImageChops

    pixels: Any = PdfImage(picture).as_pil_image(apply_mask=False)
    if "/DCTDecode" in str(picture.get("/Filter")) and "/Decode" not in picture:
        pixels = ImageChops.invert(pixels)
    small = pixels.resize((64, 64)).tobytes()
    return float(max(sum(small[index : index + 4]) for index in range(0, len(small), 4)) / 255)
