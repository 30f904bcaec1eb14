"""Checks of what a press needs: inks, thin lines, the resolution of pictures, and what PDF/X-4 asks for."""

from __future__ import annotations

from collections.abc import Iterator

from pikepdf import Name

from rulewright.model import faults
from rulewright.model.paper import MM
from rulewright.print.pdf_objects import entry, listed
from rulewright.print.preflight import Finding
from rulewright.print.preflight.document import PdfDocument, check
from rulewright.print.preflight.painted import PATH, PICTURE

LONG, ROUNDING, TONES = 1.0, 0.005, 0.995
"""Length from which a thin rectangle is a line, in mm; tolerance for widths of lines, in points; share of the
resolution promised that a picture must have, since sizes are rounded."""


@check("inks", lambda d: ", ".join((d.promise.ink, *d.promise.inks)))
def inks(document: PdfDocument) -> Iterator[Finding]:
    """Paints in no ink of the sheet, in more of it than dries, or in white that is overprinted."""
    for page, content in document.contents:
        for fault, message in sorted(content.faults, key=lambda one: one[1]):
            yield Finding(fault, message, page.number, subject=message)


@check("thinnest line", lambda d: f"{d.promise.hairline:.3g} pt")
def hairlines(document: PdfDocument) -> Iterator[Finding]:
    """Lines, and rectangles that are as thin as one, that are thinner than a plate can hold."""
    least = document.promise.hairline
    for item in document.of(PATH):
        thin, long = sorted((item.whole[2] - item.whole[0], item.whole[3] - item.whole[1]))
        width = item.size
        if item.drawn != (False, True):
            width = thin / MM["pt"] if long >= LONG and item.straight and item.drawn[0] else least
        if width < least - ROUNDING and item.on_sheet and item.inked:
            message = f"a line is {width:.2f} pt thick; {least:g} pt is the least that is printed well"
            yield item.fault(faults.HAIRLINE, message, f"{width:.2f}")


@check("pictures", lambda d: f"{d.promise.resolution:g} dpi" if d.promise.resolution else "")
def pictures(document: PdfDocument) -> Iterator[Finding]:
    """Pictures with too few pixels for their size."""
    least = document.promise.resolution or 0.0
    for item in document.of(PICTURE):
        if item.size < least * TONES:
            message = f"a picture is printed at {item.size:.0f} dpi; it needs {least:g}"
            yield item.fault(faults.COARSE, message, f"{item.size:.0f}")


@check("PDF/X", lambda d: f"PDF/X-{d.promise.pdfx}" if d.promise.pdfx else "none")
def exchange(document: PdfDocument) -> Iterator[Finding]:
    """Parts that a PDF/X-4 lacks, or has and may not have."""
    if not document.promise.pdfx:
        return
    root, info = document.pdf.Root, document.pdf.docinfo
    own = [one for one in listed(root.get("/OutputIntents")) if entry(one, "/S") == Name.GTS_PDFX]
    for right, message in (
        (info.get("/GTS_PDFXVersion") == "PDF/X-4", "it does not say that it is PDF/X-4 (GTS_PDFXVersion)"),
        (
            len(own) == 1 and "/DestOutputProfile" in own[0],
            "it lacks the profile of one press (OutputIntents)",
        ),
        ("/Trapped" in info, "it does not say whether it is trapped (Trapped)"),
        (not document.notes, "links lie on its sheets, which PDF/X-4 does not allow"),
    ):
        if not right:
            yield Finding(faults.EXCHANGE, message, subject=message)
