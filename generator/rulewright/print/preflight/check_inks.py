"""Checks of the inks of a page, of its thin lines, and of the resolution of its pictures."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

from rulewright.model import faults
from rulewright.model.paper import MM
from rulewright.print.preflight.check import Check, PdfDocument, collect
from rulewright.print.preflight.expected import Expected
from rulewright.print.preflight.geometry import corner
from rulewright.print.preflight.pdfium import PATH, PICTURE, Item
from rulewright.print.preflight.report import Finding
from rulewright.source.problems import shown

CHECKS: list[Check] = []
check = collect(CHECKS)

MOST_TONES = 0.995
"""Share of the resolution asked for that a picture must have: sizes are rounded."""

POINTS = 72
"""How many points an inch has."""

LONG = 1.0
"""Length from which a thin rectangle is a line, in mm."""

ROUNDING = 0.005
"""Tolerance for the widths of lines, in points."""


def _inks_asked(expected: Expected) -> bool:
    return expected.ink is not None


def _models_seen(document: PdfDocument) -> str:
    return ", ".join(sorted({colour.model for _, item in document.items() for colour in item.use.colours}))


@check("process inks only", asked=_inks_asked, seen=_models_seen)
def process(document: PdfDocument) -> Iterator[Finding]:
    """Colours that are in no ink that the sheet is printed with."""
    wanted = document.expected.inks
    for page, item in document.items():
        for colour in item.use.colours:
            if colour.model in ("rgb", "lab"):
                message = f"{item} is in {colour}; write it in CMYK"
                yield Finding(faults.RGB, message, page.number, corner(item.box), f"{colour}{item.kind}")
            for spot in sorted({*colour.spots} - wanted):
                message = f"{item} asks for the spot ink {shown(spot)}"
                message += "; use the process inks" + (f" or {', '.join(sorted(wanted))}" if wanted else "")
                yield Finding(faults.SPOT, message, page.number, corner(item.box), spot)
    for painted in document.painted:
        if painted.blending & {"rgb", "lab"}:
            message = "transparent things are blended in RGB, which turns pure black into four inks"
            message += "; give the group a CMYK space, or do without transparency"
            yield Finding(faults.RGB, message, painted.of.number)


@check("black text in black alone", asked=_inks_asked)
def pure(document: PdfDocument) -> Iterator[Finding]:
    """Black text that is not in black alone."""
    for page, item in document.texts:
        for colour in item.use.colours:
            if colour.rich:
                message = f"{shown(item.words)} is set in {colour}; black text takes K 100 alone"
                yield Finding(faults.RICH, message, page.number, corner(item.box), str(colour))


@check("no cyan, magenta or yellow", asked=lambda expected: expected.ink == "black")
def black(document: PdfDocument) -> Iterator[Finding]:
    """Colour on a sheet for black alone."""
    uncertain = set()
    for page, item in document.items():
        for colour in item.use.colours:
            if colour.coloured:
                message = f"{item} is in {colour}; this sheet is for black alone"
                yield Finding(faults.COLOUR, message, page.number, corner(item.box), str(colour))
            if colour.model in ("unknown", "cmyk") and colour.inks is None:
                uncertain.add(page.number)
    for painted in document.painted:
        if painted.of.number in uncertain and (at := document.tinged(painted.of)):
            message = "PDFium draws colour on it, which this sheet for black alone does not have"
            yield Finding(faults.COLOUR, message, painted.of.number, at, "drawn")


@check("ink in one place", asked=lambda expected: expected.ink is not None and expected.heaviest is not None)
def heavy(document: PdfDocument) -> Iterator[Finding]:
    """Colours and pictures that take more ink in one place than paper dries. Marks beside the sheet may."""
    most = document.expected.heaviest or 0.0
    for page, item in document.items():
        if not item.on_sheet:
            continue
        amounts = [100 * sum(colour.inks) for colour in item.use.colours if colour.inks is not None]
        if item.use.picture is not None and not item.use.picture.mask:
            amounts = [100 * item.use.picture.heaviest]
        found = max(amounts, default=0.0)
        if found > most + 1:
            message = f"{item} takes {found:.0f} % of ink in one place; {most:g} % is the most that dries"
            yield Finding(faults.HEAVY, message, page.number, corner(item.box), f"{item.kind}{found:.0f}")


@check("nothing white overprinted")
def overprinted(document: PdfDocument) -> Iterator[Finding]:
    """White that is set to overprint, and so is not seen where anything lies below it."""
    for page, item in document.items():
        colours = item.use.colours
        if item.use.overprinted and colours and all(colour.paper for colour in colours):
            message = f"{item} is white and set to overprint, so that it is not printed at all"
            yield Finding(faults.WHITE, f"{message}; knock it out", page.number, corner(item.box))


@check(
    "thinnest line",
    asked=lambda expected: expected.hairline is not None,
    of=lambda document: any(document.items(PATH)),
    seen=lambda document: f"{document.expected.hairline:g} pt is the least",
)
def hairlines(document: PdfDocument) -> Iterator[Finding]:
    """Lines that are thinner than a plate can hold."""
    least = document.expected.hairline or 0.0
    for page, item in document.items(PATH):
        if not item.use.colours or item.use.word == "sh" or not item.on_sheet:
            continue
        width = _thickness(item)
        if width < least - ROUNDING:
            message = f"a line is {width:.2f} pt thick; {least:g} pt is the least that is printed well"
            yield Finding(faults.HAIRLINE, message, page.number, corner(item.box), f"{width:.2f}")


def _thickness(item: Item) -> float:
    """The thickness of a line in points, of a rectangle that is as thin as one too; else without end."""
    if item.use.word in ("S", "s"):
        return item.size
    left, top, right, bottom = item.whole
    thin, long = sorted((right - left, bottom - top))
    return thin / MM["pt"] if item.straight and long >= LONG and item.use.word in ("f", "F", "f*") else inf


def _resolution_seen(document: PdfDocument) -> str:
    found = [item.size for _, item in document.items(PICTURE)]
    return f"{min(found):.0f} dpi" if found else ""


@check(
    "pictures",
    asked=lambda expected: expected.resolution is not None,
    of=lambda document: any(document.items(PICTURE)) or any(font.pixels < inf for font in document.fonts),
    seen=_resolution_seen,
)
def pictures(document: PdfDocument) -> Iterator[Finding]:
    """Pictures with too few pixels for their size. One pixel is a flat colour."""
    least = document.expected.resolution or 0.0
    for page, item in document.texts:
        found = item.use.state.font.pixels / item.size * POINTS if item.use.state.font and item.size else inf
        if found < least * MOST_TONES and not item.use.lacking:
            message = f"the letters of {shown(item.words)} are pictures, printed at {found:.0f} dpi"
            message += f"; they need {least:g}, so use a font of outlines"
            yield Finding(faults.COARSE, message, page.number, corner(item.box), "letters")
    for page, item in document.items(PICTURE):
        raster = item.use.picture
        if raster and (raster.width, raster.height) != (1, 1) and item.size < least * MOST_TONES:
            message = (
                f"a picture of {raster.width} x {raster.height} pixels is printed at {item.size:.0f} dpi"
            )
            message += f"; it needs {least:g}, so make it smaller or use a larger file"
            subject = f"{raster.width} {raster.height}"
            yield Finding(faults.COARSE, message, page.number, corner(item.box), subject)
