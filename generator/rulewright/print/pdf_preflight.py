"""Preflight: a finished PDF is compared with the print spec that it contains.

The file is read again by PDFium, which had no part in making it. What Typst reports itself is not checked
here: missing glyphs, blocks that do not fit, and the tags of PDF/UA-1.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from ctypes import c_float, c_int
from dataclasses import asdict, dataclass, field
from io import BytesIO
from math import hypot
from typing import Any, NamedTuple

from rulewright.files.problems import Problem, ProblemType, SourceLocation, quote_short
from rulewright.schema import preflight_problems as types
from rulewright.schema.paper import MM
from rulewright.schema.problem_reports import plural

HEAVIEST = 300.0
"""Maximum ink in one place, in percent."""
EXACT, ROUNDING, TONES = 0.2, 0.02, 0.995
"""Tolerance of boxes in mm, of type and lines in points, and of resolutions as a share."""
LINE_LENGTH, SMALL_PICTURE = 1.0, 40.0
"""Length above which a thin rectangle is a line; width up to which half the resolution is enough, in mm."""

_INKS = re.compile(rb"(?<![\d.])([01][\d.]* [01][\d.]* [01][\d.]* [01][\d.]*) [kK]\b")
_SCREEN = re.compile(rb"(?<=\d )(?:rg|RG|g|G)\b")


@dataclass(frozen=True, slots=True)
class PrintSpec:
    """Print spec of a PDF. Lengths are in mm, sizes of type in points."""

    trim: tuple[float, float]
    families: tuple[str, ...]
    smallest: float
    """Minimum size of type."""
    drawn: float
    """Minimum size of letters in drawings."""
    hairline: float
    """Minimum thickness of lines."""
    bleed: float = 0.0
    pages: int | None = None
    """Number of pages; None for any."""
    resolution: float = 300.0
    """Minimum resolution of pictures; 0 for any."""
    x1a: bool = False

    def to_json(self) -> str:
        return json.dumps(asdict(self))


@dataclass(frozen=True, slots=True)
class PreflightFinding:
    """Fault of a PDF."""

    kind: ProblemType
    message: str
    page: int | None = None

    @property
    def position_text(self) -> str:
        return f"page {self.page}" if self.page else ""

    def problem(self, place: SourceLocation) -> Problem:
        words = f"{self.position_text}: {self.message}" if self.page else self.message
        return self.kind.problem(place, words, self.position_text)


class CheckResult(NamedTuple):
    """A check, and what it examined."""

    name: str
    passed: bool
    examined: str


@dataclass(slots=True)
class PreflightReport:
    """Findings and checks of one PDF."""

    place: SourceLocation
    findings: list[PreflightFinding] = field(default_factory=list)
    checks: list[CheckResult] = field(default_factory=list)

    @property
    def problems(self) -> list[Problem]:
        return [finding.problem(self.place) for finding in self.findings]


def run_preflight(pdf: bytes, place: SourceLocation) -> PreflightReport:
    """Compare a PDF with its print spec. `place`: the place of its problems, a sheet or a PDF."""
    import pikepdf

    try:
        with pikepdf.open(BytesIO(pdf)) as opened:
            written = opened.docinfo.get("/Rulewright")
            if written is None:
                message = "Rulewright did not print it as it is, so it is not checked"
                return _failed(place, "printed by Rulewright", PreflightFinding(types.FOREIGN, message))
            return _examine(pdf, opened, PrintSpec(**json.loads(str(written))), place)
    except Exception as error:  # a file that was edited may contain anything
        return unreadable_report(place, error)


def unreadable_report(place: SourceLocation, error: Exception) -> PreflightReport:
    """Return the report on a PDF whose reading ends with an error."""
    message = f"it cannot be read: {str(error).rpartition(': ')[2] or type(error).__name__}"
    return _failed(place, "can be read", PreflightFinding(types.UNREADABLE, message))


def _failed(place: SourceLocation, check: str, finding: PreflightFinding) -> PreflightReport:
    return PreflightReport(place, [finding], [CheckResult(check, False, "")])


def _examine(data: bytes, pdf: Any, spec: PrintSpec, place: SourceLocation) -> PreflightReport:
    """Run every check; findings that are alike are reported once a page."""
    import pypdfium2

    findings: dict[PreflightFinding, None] = {}
    count = len(pdf.pages)
    if spec.pages not in (None, count):
        message = f"it has {plural(count, 'page')} and has to have {spec.pages}"
        findings[PreflightFinding(types.PAGES, message)] = None
    with pypdfium2.PdfDocument(data) as painted:
        for number, page in enumerate(pdf.pages, 1):
            faults = [*_box_faults(page, spec), *_ink_faults(page.obj, spec)]
            owners = _owners(pdf, page)
            for item in painted[number - 1].get_objects():
                faults += _paint_faults(item, spec, owners)
            findings |= {PreflightFinding(kind, message, number): None for kind, message in faults}
    size = " x ".join(f"{edge:g}" for edge in spec.trim)
    checks = []
    for name, kinds, detail in (
        ("pages and their size", (types.PAGES, types.SIZE), f"{count}, {size} mm"),
        ("boxes and bleed", (types.BLEED,), f"{spec.bleed:g} mm"),
        ("no RGB", (types.RGB, types.TRANSPARENT), "PDF/X-1a" if spec.x1a else ""),
        ("most ink in one place", (types.HEAVY,), f"{HEAVIEST:g} %"),
        ("thinnest line", (types.HAIRLINE,), f"{spec.hairline:.3g} pt"),
        ("pictures", (types.COARSE,), f"{spec.resolution:g} dpi" if spec.resolution else ""),
        ("fonts", (types.FONT_ABSENT, types.FONT_OTHER), ", ".join(spec.families)),
        ("smallest type", (types.SMALL,), f"{spec.smallest:.3g} pt, in drawings {spec.drawn:.3g} pt"),
    ):
        checks.append(CheckResult(name, not any(each.kind in kinds for each in findings), detail))
    return PreflightReport(place, list(findings), checks)


Fault = tuple[ProblemType, str]


def _box_faults(page: Any, spec: PrintSpec) -> Iterator[Fault]:
    trim = [float(edge) * MM["pt"] for edge in page.trimbox]
    bleed = [float(edge) * MM["pt"] for edge in page.obj.get("/BleedBox", page.trimbox)]
    width, height = trim[2] - trim[0], trim[3] - trim[1]
    if max(abs(width - spec.trim[0]), abs(height - spec.trim[1])) > EXACT:
        yield (
            types.SIZE,
            f"trimmed it is {width:.1f} x {height:.1f} mm, not {spec.trim[0]:g} x {spec.trim[1]:g}",
        )
    reach = min(trim[0] - bleed[0], trim[1] - bleed[1], bleed[2] - trim[2], bleed[3] - trim[3])
    if reach < spec.bleed - EXACT:
        yield types.BLEED, f"the bleed reaches {reach:.2f} mm beyond the trim, not {spec.bleed:.2f}"


def _owners(pdf: Any, page: Any) -> list[Any]:
    """Return the tag of each marked content of a page."""
    from pikepdf import NumberTree

    root, key = pdf.Root.get("/StructTreeRoot"), page.obj.get("/StructParents")
    return [] if root is None or key is None else list(NumberTree(root.ParentTree).get(int(key)) or ())


def _paint_faults(item: Any, spec: PrintSpec, owners: list[Any]) -> Iterator[Fault]:
    """Yield the faults of a text, a picture or a path that a page paints."""
    from pypdfium2 import raw

    tag = raw.FPDFPageObj_GetMarkedContentID(item)
    matrix, container = item.get_matrix(), item.container
    while container is not None:
        tag = max(tag, raw.FPDFPageObj_GetMarkedContentID(container))
        matrix, container = matrix.multiply(container.get_matrix()), container.container
    scale = hypot(matrix.c, matrix.d)
    if item.type == raw.FPDF_PAGEOBJ_TEXT:
        size, smallest = item.get_font_size() * scale, spec.smallest
        if size < smallest - ROUNDING and 0 <= tag < len(owners) and owners[tag].get("/S") == "/Figure":
            smallest = spec.drawn
        if size < smallest - ROUNDING:
            yield types.SMALL, f"type is set in {size:.1f} pt; the smallest allowed is {smallest:g} pt"
    elif item.type == raw.FPDF_PAGEOBJ_IMAGE:
        width, height = item.get_px_size()
        wide = hypot(matrix.a, matrix.b)
        dpi = 72 * min(width / wide, height / scale)
        resolution = spec.resolution / (2 if wide * MM["pt"] <= SMALL_PICTURE else 1)
        if dpi < resolution * TONES and (width, height) != (1, 1):
            yield types.COARSE, f"a picture is printed at {dpi:.0f} dpi, not at {resolution:g}"
    elif item.type == raw.FPDF_PAGEOBJ_PATH:
        fill, stroke, width = c_int(), c_int(), c_float()
        raw.FPDFPath_GetDrawMode(item, fill, stroke)
        thickness = spec.hairline
        if stroke.value:
            raw.FPDFPageObj_GetStrokeWidth(item, width)
            thickness = width.value * scale
        elif fill.value:
            left, bottom, right, top = item.get_bounds()
            thin, long = sorted((right - left, top - bottom))
            thickness = thin if thin and long * MM["pt"] >= LINE_LENGTH else thickness
        if thickness < spec.hairline - ROUNDING / 4:
            yield types.HAIRLINE, f"a line is {thickness:.2f} pt thick; {spec.hairline:g} pt is the minimum"


def _ink_faults(page: Any, spec: PrintSpec) -> Iterator[Fault]:
    """Yield the faults of inks and fonts of a page, and of the drawings and pictures on it."""
    for stream in _streams(page, set()):
        is_picture, resources = stream.get("/Subtype") == "/Image", stream.get("/Resources", {})
        if spec.x1a and ("/Group" in stream or "/SMask" in stream):
            yield types.TRANSPARENT, "a drawing or a picture is transparent"
        for font in resources.get("/Font", {}).values():
            yield from _font_faults(font, spec)
        spaces = list(resources.get("/ColorSpace", {}).values())
        patterns = resources.get("/Pattern", {}).values()
        spaces += [pattern.Shading.ColorSpace for pattern in patterns if "/Shading" in pattern]
        if is_picture and not stream.get("/ImageMask"):
            spaces.append(stream.get("/ColorSpace"))
        contents = b"" if is_picture else _contents(stream)
        if any(map(_is_rgb, spaces)) or _SCREEN.search(contents):
            yield (
                types.RGB,
                f"a {'picture' if is_picture else 'drawing or gradient'} is in RGB, which is no ink",
            )
        heaviest = max((sum(map(float, inks.split())) for inks in {*_INKS.findall(contents)}), default=0.0)
        if is_picture and spaces == ["/DeviceCMYK"]:
            heaviest = _heaviest_pixel(stream)
        if 100 * heaviest > HEAVIEST + 1:
            yield types.HEAVY, f"{100 * heaviest:.0f} % of ink in one place; {HEAVIEST:g} % is the maximum"


def _font_faults(font: Any, spec: PrintSpec) -> Iterator[Fault]:
    name = str(font.BaseFont).removeprefix("/").rpartition("+")[2]
    descriptor = font.get("/DescendantFonts", [font])[0].get("/FontDescriptor", {})
    if not any(str(key).startswith("/FontFile") for key, _ in descriptor.items()):
        yield types.FONT_ABSENT, f"the font {quote_short(name)} is not embedded"
    if not name.replace("-", " ").startswith(tuple(spec.families)):
        yield types.FONT_OTHER, f"text is set in {quote_short(name)}, not in {' or '.join(spec.families)}"


def _contents(source: Any) -> bytes:
    from pikepdf import Array, Stream

    contents = source if isinstance(source, Stream) else source.Contents
    parts = list(contents) if isinstance(contents, Array) else [contents]
    return b"\n".join(part.read_bytes() for part in parts)


def _streams(source: Any, seen: set[tuple[int, int]]) -> Iterator[Any]:
    """Yield a page with all drawings and pictures that it paints."""
    yield source
    resources = source.get("/Resources", {})
    for item in (*resources.get("/XObject", {}).values(), *resources.get("/Pattern", {}).values()):
        if item.objgen not in seen and "/Shading" not in item:
            seen.add(item.objgen)
            yield from _streams(item, seen)


def _is_rgb(space: Any) -> bool:
    """Return whether a colour space has no ink."""
    from pikepdf import Array

    family = str(space[0] if isinstance(space, Array) else space)
    return family not in ("/DeviceCMYK", "/DeviceGray", "/Separation", "/DeviceN", "/Pattern")


def _heaviest_pixel(picture: Any) -> float:
    """Return the most ink of a picture, scaled down."""
    from pikepdf import PdfImage
    from PIL import ImageChops

    pixels: Any = PdfImage(picture).as_pil_image(apply_mask=False)
    if "/DCTDecode" in str(picture.get("/Filter")) and "/Decode" not in picture:
        pixels = ImageChops.invert(pixels)
    small = pixels.resize((64, 64)).tobytes()
    return float(max(sum(small[at : at + 4]) for at in range(0, len(small), 4)) / 255)
