"""Checks of what a press needs: inks, thin lines, the resolution of pictures, and what PDF/X asks for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import inf

import pypdfium2
from pikepdf import Name, Stream

from rulewright.model import faults
from rulewright.model.paper import MM
from rulewright.print.preflight import Expected
from rulewright.print.preflight.examined_pdf import PdfDocument, check
from rulewright.print.preflight.geometry import PdfPage, apart, covered, rectangle
from rulewright.print.preflight.objects import entry, listed
from rulewright.print.preflight.pdfium import PATH, PICTURE
from rulewright.print.preflight.preflight_report import Finding
from rulewright.source.problems import shown

MOST_TONES = 0.995
"""Share of the resolution asked for that a picture must have: sizes are rounded."""

DRAWN_AT, TINGED = 50, 24
"""Dots per inch at which a page is drawn; how far the parts of a colour that passes for grey may differ."""

POINTS = 72
"""How many points an inch has."""

LONG = 1.0
"""Length from which a thin rectangle is a line, in mm."""

ROUNDING = 0.005
"""Tolerance for the widths of lines, in points."""


def _inks_asked(expected: Expected) -> bool:
    return expected.ink is not None


def _models_seen(document: PdfDocument) -> str:
    return ", ".join(sorted({colour.model for item in document.seen for colour in item.use.colours}))


@check("process inks only", asked=_inks_asked, seen=_models_seen)
def process(document: PdfDocument) -> Iterator[Finding]:
    """Colours that are in no ink that the sheet is printed with."""
    wanted = document.expected.inks
    other = f" or {', '.join(sorted(wanted))}" if wanted else ""
    for item in document.seen:
        for colour in item.use.colours:
            if colour.model in ("rgb", "lab"):
                yield item.fault(
                    faults.RGB, f"{item} is in {colour}; write it in CMYK", f"{colour}{item.kind}"
                )
            for spot in sorted({*colour.spots} - wanted):
                message = f"{item} asks for the spot ink {shown(spot)}; use the process inks{other}"
                yield item.fault(faults.SPOT, message, spot)
    for painted in document.painted:
        if painted.blending & {"rgb", "lab"}:
            message = "transparent things are blended in RGB, which turns pure black into four inks"
            message += "; give the group a CMYK space, or do without transparency"
            yield Finding(faults.RGB, message, painted.of.number)


@check("black text in black alone", asked=_inks_asked)
def pure(document: PdfDocument) -> Iterator[Finding]:
    """Black text that is not in black alone."""
    for item in document.texts:
        for colour in item.use.colours:
            if colour.rich:
                message = f"{shown(item.words)} is set in {colour}; black text takes K 100 alone"
                yield item.fault(faults.RICH, message, str(colour))


@check("no cyan, magenta or yellow", asked=lambda expected: expected.ink == "black")
def black(document: PdfDocument) -> Iterator[Finding]:
    """Colour on a sheet for black alone."""
    uncertain = set()
    for item in document.seen:
        for colour in item.use.colours:
            if colour.coloured:
                message = f"{item} is in {colour}; this sheet is for black alone"
                yield item.fault(faults.COLOUR, message, str(colour))
            if colour.model in ("unknown", "cmyk") and colour.inks is None:
                uncertain.add(item.page.of.number)
    for page in (page for page in document.pages if page.number in uncertain):
        if at := _tinged(document, page):
            message = "PDFium draws colour on it, which this sheet for black alone does not have"
            yield Finding(faults.COLOUR, message, page.number, at, "drawn")


def _tinged(document: PdfDocument, page: PdfPage) -> tuple[float, float] | None:
    """A place where PDFium draws something that is not grey, in mm; None where there is none."""
    from PIL import ImageChops

    with pypdfium2.PdfDocument(document.data) as drawn:
        picture = drawn[page.number - 1].render(scale=DRAWN_AT / POINTS).to_pil().convert("RGB")
    red, green, blue = picture.split()
    most = ImageChops.lighter(red, ImageChops.lighter(green, blue))
    spread = ImageChops.subtract(most, ImageChops.darker(red, ImageChops.darker(green, blue)))
    found = spread.point(lambda value: 255 * (value > TINGED)).getbbox()
    unit = MM["in"] / DRAWN_AT
    return (found[0] * unit + page.crop[0], found[1] * unit + page.crop[1]) if found else None


@check("ink in one place", asked=lambda expected: expected.ink is not None and expected.heaviest is not None)
def heavy(document: PdfDocument) -> Iterator[Finding]:
    """Colours and pictures that take more ink in one place than paper dries. Marks beside the sheet may."""
    most = document.expected.heaviest or 0.0
    for item in document.seen:
        found = 100 * item.use.heaviest
        if found > most + 1 and item.on_sheet:
            message = f"{item} takes {found:.0f} % of ink in one place; {most:g} % is the most that dries"
            yield item.fault(faults.HEAVY, message, f"{item.kind}{found:.0f}")


@check("nothing white overprinted")
def overprinted(document: PdfDocument) -> Iterator[Finding]:
    """White that is set to overprint, and so is not seen where anything lies below it."""
    for item in document.seen:
        if item.use.overprinted and item.use.paper:
            message = f"{item} is white and set to overprint, so that it is not printed at all"
            yield item.fault(faults.WHITE, f"{message}; knock it out")


@check(
    "thinnest line",
    asked=lambda expected: expected.hairline is not None,
    of=lambda document: document.of(PATH),
    seen=lambda document: f"{document.expected.hairline:g} pt is the least",
)
def hairlines(document: PdfDocument) -> Iterator[Finding]:
    """Lines, and rectangles that are as thin as one, that are thinner than a plate can hold."""
    least = document.expected.hairline or 0.0
    for item in document.of(PATH):
        left, top, right, bottom = item.whole
        thin, long = sorted((right - left, bottom - top))
        width = item.size if item.use.word in ("S", "s") else inf
        if item.use.word in ("f", "F", "f*") and long >= LONG and item.straight:
            width = thin / MM["pt"]
        if width < least - ROUNDING and item.use.colours and item.on_sheet:
            message = f"a line is {width:.2f} pt thick; {least:g} pt is the least that is printed well"
            yield item.fault(faults.HAIRLINE, message, f"{width:.2f}")


@check(
    "pictures",
    asked=lambda expected: expected.resolution is not None,
    of=lambda document: document.of(PICTURE) or any(font.pixels < inf for font in document.fonts),
    seen=lambda document: (
        f"{min(i.size for i in document.of(PICTURE)):.0f} dpi" if document.of(PICTURE) else ""
    ),
)
def pictures(document: PdfDocument) -> Iterator[Finding]:
    """Pictures with too few pixels for their size. One pixel is a flat colour."""
    least = document.expected.resolution or 0.0
    for item in document.texts:
        found = item.font.pixels / item.size * POINTS if item.font and item.size else inf
        if found < least * MOST_TONES and not item.use.lacking:
            message = f"the letters of {shown(item.words)} are pictures, printed at {found:.0f} dpi"
            yield item.fault(
                faults.COARSE, f"{message}; they need {least:g}, so use a font of outlines", "letters"
            )
    for item in document.of(PICTURE):
        raster = item.use.picture
        if raster and (raster.width, raster.height) != (1, 1) and item.size < least * MOST_TONES:
            size = f"{raster.width} x {raster.height}"
            message = f"a picture of {size} pixels is printed at {item.size:.0f} dpi"
            message += f"; it needs {least:g}, so make it smaller or use a larger file"
            yield item.fault(faults.COARSE, message, size)


# PDF/X: the part that was asked for, or that a file says it keeps.


def _part(document: PdfDocument) -> int | None:
    found = re.search(r"PDF/X-([134])", document.pdfx)
    return document.expected.pdfx or (int(found[1]) if found else None)


@check("PDF/X", of=_part, seen=lambda document: document.pdfx)
def exchange(document: PdfDocument) -> Iterator[Finding]:
    """Parts that a PDF/X lacks, or has and may not have."""
    if (wanted := _part(document)) is None:
        return
    name = f"PDF/X-{wanted}"
    own = [
        one for one in listed(document.pdf.Root.get("/OutputIntents")) if entry(one, "/S") == Name.GTS_PDFX
    ]
    profile = len(own) == 1 and isinstance(entry(own[0], "/DestOutputProfile"), Stream)
    named = len(own) == 1 and wanted != 4 and entry(own[0], "/OutputConditionIdentifier") is not None
    for wrong, message in (
        (not document.pdfx.startswith(name), f"it does not say that it is {name} (GTS_PDFXVersion)"),
        (not own, "it does not say what press it is made for (OutputIntents)"),
        (len(own) > 1, "it is made for several presses (OutputIntents)"),
        (
            len(own) == 1 and not profile and not named,
            f"{name} needs the profile of the press in it (DestOutputProfile)",
        ),
        (
            document.information("/Trapped") not in ("/True", "/False"),
            "it does not say whether it is trapped (Trapped)",
        ),
    ):
        if wrong:
            yield Finding(faults.EXCHANGE, message, subject=message)
    for page in document.pages:
        if not {"TrimBox", "ArtBox"} & page.given:
            yield Finding(faults.EXCHANGE, "it has neither TrimBox nor ArtBox", page.number)
    for page, one in document.notes:
        box = rectangle(one.get("/Rect"))
        at = covered(page.matrix, box) if box else page.trim
        if one.get("/Subtype") not in (Name.PrinterMark, Name.TrapNet) and not apart(at, page.bleed):
            message = f"a link or a note lies on the sheet, which {name} does not allow"
            yield Finding(faults.EXCHANGE, message, page.number, at[:2], message)


@check(
    "nothing transparent", of=lambda document: _part(document) in (1, 3), seen=lambda document: document.pdfx
)
def opaque(document: PdfDocument) -> Iterator[Finding]:
    """Transparency in a file of a kind that has none."""
    part = _part(document)
    for item in document.seen if part in (1, 3) else ():
        if item.use.transparent:
            message = f"{shown(str(item), 80)} is transparent, which PDF/X-{part} does not allow"
            yield item.fault(faults.TRANSPARENT, message, str(item.kind))
