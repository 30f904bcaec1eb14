"""Checks of what PDF/X asks for: the part that was asked for, or that a file says it keeps."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pikepdf import Array, Dictionary, Name, Stream

from rulewright.model import faults
from rulewright.print.preflight.check import Check, PdfDocument, collect
from rulewright.print.preflight.geometry import apart, corner, covered, rectangle
from rulewright.print.preflight.report import Finding
from rulewright.source.problems import shown

CHECKS: list[Check] = []
check = collect(CHECKS)

PDFX = "{http://www.npes.org/pdfx/ns/id/}GTS_PDFXVersion"


def claimed(document: PdfDocument) -> str:
    """The part of PDF/X that a file says it keeps, in its own words; empty where it says nothing."""
    information = document.pdf.trailer.get("/Info")
    found = information.get("/GTS_PDFXVersion") if isinstance(information, Dictionary) else None
    if found is None:
        try:
            found = document.pdf.open_metadata(strict=True).get(PDFX)
        except Exception:  # whatever damaged metadata is read with
            found = None
    return str(found or "").strip()


def part(document: PdfDocument) -> int | None:
    """The part of PDF/X that a file has to keep."""
    found = re.search(r"PDF/X-([134])", claimed(document))
    return document.expected.pdfx or (int(found[1]) if found else None)


def _fault(message: str, page: int | None = None, at: tuple[float, float] | None = None) -> Finding:
    return Finding(faults.EXCHANGE, message, page, at, message)


@check("PDF/X", of=part, seen=claimed)
def exchange(document: PdfDocument) -> Iterator[Finding]:
    """What a file for exchange lacks, or has and may not."""
    wanted = part(document)
    if wanted is None:
        return
    name = f"PDF/X-{wanted}"
    if not claimed(document).startswith(name):
        yield _fault(f"it does not say that it is {name} (GTS_PDFXVersion)")
    intents = document.pdf.Root.get("/OutputIntents")
    own = [
        one
        for one in (intents if isinstance(intents, Array) else ())
        if isinstance(one, Dictionary) and one.get("/S") == Name.GTS_PDFX
    ]
    if len(own) != 1:
        message = "it does not say what press it is made for" if not own else "it is made for several presses"
        yield _fault(f"{message} (OutputIntents)")
    elif not isinstance(own[0].get("/DestOutputProfile"), Stream) and (
        wanted == 4 or "/OutputConditionIdentifier" not in own[0]
    ):
        yield _fault(f"{name} needs the profile of the press in it (DestOutputProfile)")
    information = document.pdf.trailer.get("/Info")
    trapped = information.get("/Trapped") if isinstance(information, Dictionary) else None
    if str(trapped) not in ("/True", "/False"):
        yield _fault("it does not say whether it is trapped (Trapped)")
    for page in document.pages:
        if not {"TrimBox", "ArtBox"} & page.given:
            yield _fault("it has neither TrimBox nor ArtBox", page.number)
        for one in page.annotations():
            box = rectangle(one.get("/Rect"))
            at = covered(page.matrix, box) if box else page.trim
            exempt = one.get("/Subtype") in (Name.PrinterMark, Name.TrapNet)
            if not exempt and not apart(at, page.bleed):
                message = f"a link or a note lies on the sheet, which {name} does not allow"
                yield _fault(message, page.number, at[:2])


@check("nothing transparent", of=lambda document: part(document) in (1, 3), seen=claimed)
def opaque(document: PdfDocument) -> Iterator[Finding]:
    """Transparency in a file of a kind that has none."""
    if part(document) not in (1, 3):
        return
    for page, item in document.items():
        if item.use.transparent:
            message = f"{shown(str(item), 80)} is transparent, which PDF/X-{part(document)} does not allow"
            yield Finding(faults.TRANSPARENT, message, page.number, corner(item.box), str(item.kind))
