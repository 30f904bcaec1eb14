"""Preflight: a finished PDF is compared with the print spec that it contains.

The file is read anew by PDFium, which had no part in making it. What Typst reports itself is not checked
here: missing glyphs, blocks that do not fit, and the tags of PDF/UA-1.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from io import BytesIO
from math import hypot
from typing import TYPE_CHECKING, Any, NamedTuple

from rulewright.files.problems import Problem, ProblemType, SourceLocation, quote_short
from rulewright.schema import preflight_problems as types
from rulewright.schema.paper import MM
from rulewright.schema.problem_reports import plural

if TYPE_CHECKING:
    import pikepdf

HEAVIEST = 300.0
"""Maximum ink in one place, in percent."""

EXACT, ROUNDING, TONES = 0.2, 0.02, 0.995
"""Tolerance of boxes in mm, of type and lines in points, and of resolutions as a share."""

LINE_LENGTH = 1.0
"""Length in mm above which a thin rectangle is a line."""

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
    position: tuple[float, float] | None = None
    """In mm from the left and the top of the trim."""
    subject: str = ""
    """Findings of one subject on a page are reported once."""

    @property
    def position_text(self) -> str:
        """The page and the position in words; empty for a fault of the whole file."""
        where = ""
        if self.position:
            left, top = self.position
            where = f", {left:.1f} mm from the left and {top:.1f} mm from the top"
        return f"page {self.page}{where}" if self.page else ""

    def problem(self, place: SourceLocation) -> Problem:
        words = f"{self.position_text}: {self.message}" if self.position_text else self.message
        return self.kind.problem(place, words, f"page {self.page}" if self.page else "")


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

    def check(self, name: str, findings: list[PreflightFinding], examined: str = "") -> None:
        """Record a check with its findings in the order of pages, one for each subject and page."""
        alike: dict[tuple[str, int, str], list[PreflightFinding]] = {}
        for finding in findings:
            alike.setdefault((finding.kind.code, finding.page or 0, finding.subject), []).append(finding)
        for first, *more in alike.values():
            count = f" (and {len(more)} more like it on this page)" if more else ""
            self.findings.append(replace(first, message=f"{first.message}{count}"))
        self.checks.append(CheckResult(name, not alike, examined))


def run_preflight(pdf: bytes, place: SourceLocation) -> PreflightReport:
    """Compare a PDF with its print spec. `place`: the place of its problems, a sheet or a PDF."""
    import pikepdf

    report = PreflightReport(place)
    try:
        with pikepdf.open(BytesIO(pdf)) as opened:
            written = opened.docinfo.get("/Rulewright")
            if written is None:
                message = "Rulewright did not print it as it is, so it is not checked"
                report.check("printed by Rulewright", [PreflightFinding(types.FOREIGN, message)])
            else:
                _Preflight(pdf, opened, PrintSpec(**json.loads(str(written))), report).run()
    except Exception as error:  # a file that was edited may contain anything
        return unreadable_report(place, error, report)
    return report


def unreadable_report(
    place: SourceLocation, error: Exception, report: PreflightReport | None = None
) -> PreflightReport:
    """Return the report on a PDF whose reading ends with an error, after what a `report` has already."""
    report = report or PreflightReport(place)
    message = f"it cannot be read: {str(error).rpartition(': ')[2] or type(error).__name__}"
    report.check("can be read", [PreflightFinding(types.UNREADABLE, message)])
    return report


class _Preflight:
    def __init__(self, data: bytes, pdf: pikepdf.Pdf, spec: PrintSpec, report: PreflightReport) -> None:
        self.data, self.pdf, self.spec, self.report = data, pdf, spec, report
        self.found: dict[ProblemType, list[PreflightFinding]] = {}

    def run(self) -> None:
        """Record the result of every check."""
        import pypdfium2

        spec, check = self.spec, self.report.check
        count = len(self.pdf.pages)
        if spec.pages not in (None, count):
            self.add(types.PAGES, f"it has {plural(count, 'page')} and has to have {spec.pages}")
        with pypdfium2.PdfDocument(self.data) as painted:
            for number, page in enumerate(self.pdf.pages, 1):
                trim = self.boxes(number, page)
                owners = self.owners(page)
                for item in painted[number - 1].get_objects():
                    self.item(item, number, trim, owners)
        self.inks()
        size = " x ".join(f"{edge:g}" for edge in spec.trim)
        dpi = f"{spec.resolution:g} dpi" if spec.resolution else ""
        for name, kinds, examined in (
            ("pages and their size", (types.PAGES, types.SIZE), f"{count}, {size} mm"),
            ("boxes and bleed", (types.BLEED,), f"{spec.bleed:g} mm"),
            ("no RGB", (types.RGB, types.TRANSPARENT), "PDF/X-1a" if spec.x1a else ""),
            ("most ink in one place", (types.HEAVY,), f"{HEAVIEST:g} %"),
            ("thinnest line", (types.HAIRLINE,), f"{spec.hairline:.3g} pt"),
            ("pictures", (types.COARSE,), dpi),
            ("fonts", (types.FONT_ABSENT, types.FONT_OTHER), ", ".join(spec.families)),
            ("smallest type", (types.SMALL,), f"{spec.smallest:.3g} pt, in drawings {spec.drawn:.3g} pt"),
        ):
            check(name, [finding for kind in kinds for finding in self.found.get(kind, ())], examined)

    def add(self, kind: ProblemType, message: str, page: int | None = None, **more: Any) -> None:
        self.found.setdefault(kind, []).append(PreflightFinding(kind, message, page, **more))

    def boxes(self, number: int, page: pikepdf.Page) -> list[float]:
        """Check the boxes of a page; return its trim."""
        trim = [float(edge) for edge in page.trimbox]
        bleed = [float(edge) for edge in page.obj.get("/BleedBox", page.trimbox)]
        unit, (width, height) = MM["pt"], self.spec.trim
        size = (trim[2] - trim[0]) * unit, (trim[3] - trim[1]) * unit
        if max(abs(size[0] - width), abs(size[1] - height)) > EXACT:
            message = f"trimmed it is {size[0]:.1f} x {size[1]:.1f} mm, not {width:.1f} x {height:.1f} mm"
            self.add(types.SIZE, message, number)
        reach = min(trim[0] - bleed[0], trim[1] - bleed[1], bleed[2] - trim[2], bleed[3] - trim[3]) * unit
        if reach < self.spec.bleed - EXACT:
            message = f"the bleed reaches {reach:.2f} mm beyond the trim, not {self.spec.bleed:.2f}"
            self.add(types.BLEED, message, number)
        return trim

    def owners(self, page: pikepdf.Page) -> list[Any]:
        """Return the tag of each marked content of a page."""
        from pikepdf import Array, NumberTree

        root = self.pdf.Root.get("/StructTreeRoot")
        key = page.obj.get("/StructParents")
        tags = NumberTree(root.ParentTree).get(int(key)) if root is not None and key is not None else None
        return list(tags) if isinstance(tags, Array) else []

    def item(self, item: Any, page: int, trim: list[float], owners: list[Any]) -> None:
        """Check an object that a page paints."""
        from pypdfium2 import raw

        tag = raw.FPDFPageObj_GetMarkedContentID(item)
        matrix, container = item.get_matrix(), item.container
        while container is not None:
            tag = max(tag, raw.FPDFPageObj_GetMarkedContentID(container))
            matrix, container = matrix.multiply(container.get_matrix()), container.container
        scale = hypot(matrix.c, matrix.d)
        if item.type == raw.FPDF_PAGEOBJ_TEXT:
            size = item.get_font_size() * scale
            least = self.spec.smallest
            if size < least - ROUNDING and 0 <= tag < len(owners) and owners[tag].get("/S") == "/Figure":
                least = self.spec.drawn
            if size < least - ROUNDING:
                words = quote_short(_text_of(item))
                message = f"{words} is set in {size:.2f} pt; the smallest allowed is {least:g} pt"
                self.add(types.SMALL, message, page, subject=f"{size:.1f}", position=_position(item, trim))
        elif item.type == raw.FPDF_PAGEOBJ_IMAGE:
            width, height = item.get_px_size()
            dpi = 72 * min(width / hypot(matrix.a, matrix.b), height / scale)
            if dpi < self.spec.resolution * TONES and (width, height) != (1, 1):
                message = f"a picture is printed at {dpi:.0f} dpi, not at {self.spec.resolution:g}"
                self.add(types.COARSE, message, page, position=_position(item, trim))
        elif item.type == raw.FPDF_PAGEOBJ_PATH:
            self.line(item, page, scale, trim)

    def line(self, item: Any, page: int, scale: float, trim: list[float]) -> None:
        """Check the stroke of a path, and a rectangle that is as thin as a line."""
        from ctypes import c_float, c_int

        from pypdfium2 import raw

        fill, stroke, width = c_int(), c_int(), c_float()
        raw.FPDFPath_GetDrawMode(item, fill, stroke)
        thickness = self.spec.hairline
        if stroke.value:
            raw.FPDFPageObj_GetStrokeWidth(item, width)
            thickness = width.value * scale
        elif fill.value:
            left, bottom, right, top = item.get_bounds()
            thin, long = sorted((right - left, top - bottom))
            if thin and long * MM["pt"] >= LINE_LENGTH:
                thickness = thin
        if thickness < self.spec.hairline - ROUNDING / 4:
            message = f"a line is {thickness:.2f} pt thick; {self.spec.hairline:g} pt is the minimum"
            position = _position(item, trim)
            self.add(types.HAIRLINE, message, page, subject=f"{thickness:.2f}", position=position)

    def fonts(self, source: Any, page: int) -> None:
        """Check the fonts of a page or a drawing."""
        for font in source.get("/Resources", {}).get("/Font", {}).values():
            name = str(font.BaseFont).removeprefix("/").rpartition("+")[2]
            inner = font.get("/DescendantFonts", [font])[0]
            descriptor = inner.get("/FontDescriptor", {})
            if not {"/FontFile", "/FontFile2", "/FontFile3"} & {*descriptor.keys()}:
                message = f"the font {quote_short(name)} is not embedded"
                self.add(types.FONT_ABSENT, message, page, subject=name)
            if not name.replace("-", " ").startswith(tuple(self.spec.families)):
                message = f"text is set in {quote_short(name)}, not in {' or '.join(self.spec.families)}"
                self.add(types.FONT_OTHER, message, page, subject=name)

    def inks(self) -> None:
        """Check colours and fonts of pages, drawings, pictures and gradients."""
        for number, page in enumerate(self.pdf.pages, 1):
            for stream, is_picture in _streams(page.obj, set()):
                self.fonts(stream, number)
                if self.spec.x1a and ("/Group" in stream or "/SMask" in stream):
                    self.add(types.TRANSPARENT, "a transparent drawing or picture", number)
                spaces = list(stream.get("/Resources", {}).get("/ColorSpace", {}).values())
                if is_picture:
                    spaces = [] if stream.get("/ImageMask") else [stream.get("/ColorSpace")]
                shadings = stream.get("/Resources", {}).get("/Pattern", {}).values()
                spaces += [pattern.Shading.ColorSpace for pattern in shadings if "/Shading" in pattern]
                data = b"" if is_picture else _contents(stream)
                if any(map(_is_rgb, spaces)) or _SCREEN.search(data):
                    kind = "a picture" if is_picture else "a drawing or a gradient"
                    self.add(types.RGB, f"{kind} is in RGB, which is no ink", number, subject=kind)
                heaviest = max(
                    (sum(map(float, inks.split())) for inks in {*_INKS.findall(data)}), default=0.0
                )
                if is_picture and spaces == ["/DeviceCMYK"]:
                    heaviest = _heaviest_pixel(stream)
                if 100 * heaviest > HEAVIEST + 1:
                    message = f"{100 * heaviest:.0f} % of ink in one place; {HEAVIEST:g} % is the maximum"
                    self.add(types.HEAVY, message, number)


def _position(item: Any, trim: list[float]) -> tuple[float, float]:
    """Return where an object is, in mm from the left and the top of the trim."""
    left, _, _, top = item.get_bounds()
    return (left - trim[0]) * MM["pt"], (trim[3] - top) * MM["pt"]


def _text_of(item: Any) -> str:
    """Return the words of a text that is painted."""
    from ctypes import c_ushort

    from pypdfium2 import raw

    text = item.page.get_textpage()
    length = raw.FPDFTextObj_GetText(item, text, None, 0)
    raw.FPDFTextObj_GetText(item, text, words := (c_ushort * (length // 2))(), length)
    return bytes(words)[:-2].decode("utf-16-le", "replace").strip()


def _contents(source: Any) -> bytes:
    import pikepdf

    if isinstance(source, pikepdf.Stream):
        return source.read_bytes()
    contents = source.Contents
    return (
        b"\n".join(part.read_bytes() for part in contents)
        if isinstance(contents, pikepdf.Array)
        else (contents.read_bytes())
    )


def _streams(source: Any, seen: set[tuple[int, int]]) -> Iterator[tuple[Any, bool]]:
    """Yield a page with all drawings and pictures that it paints, and whether each is a picture."""
    yield source, False
    resources = source.get("/Resources", {})
    items = [*resources.get("/XObject", {}).values(), *resources.get("/Pattern", {}).values()]
    for item in items:
        if item.objgen in seen or "/Shading" in item:
            continue
        seen.add(item.objgen)
        if item.get("/Subtype") == "/Image":
            yield item, True
        else:
            yield from _streams(item, seen)


def _is_rgb(space: Any) -> bool:
    """Return whether a colour space is none of an ink."""
    import pikepdf

    family = space[0] if isinstance(space, pikepdf.Array) else space
    if str(family) == "/Pattern":
        return False
    return str(family) not in ("/DeviceCMYK", "/DeviceGray", "/Separation", "/DeviceN")


def _heaviest_pixel(picture: Any) -> float:
    """Return the most ink of a picture, scaled down."""
    import pikepdf
    from PIL import ImageChops

    pixels: Any = pikepdf.PdfImage(picture).as_pil_image(apply_mask=False)
    if [int(one) for one in picture.get("/Decode", ())] != [1, 0] * 4:
        pixels = ImageChops.invert(pixels) if "/DCTDecode" in str(picture.get("/Filter")) else pixels
    small = pixels.resize((64, 64)).tobytes()
    return float(max(sum(small[at : at + 4]) for at in range(0, len(small), 4)) / 255)
