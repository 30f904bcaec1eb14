"""Checks of a file as paper and plates: boxes, bleed, marks, what runs off, inks, lines, pictures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pikepdf import Name

from rulewright.model import faults
from rulewright.model.paper import MM
from rulewright.model.reports import several
from rulewright.print.finishing import MARK_GAP, MARK_LENGTH, corner_marks, fold_marks
from rulewright.print.geometry import Box, PdfPage, around, beyond, bounds, grown, outside, overlap
from rulewright.print.pdf_objects import entry, listed
from rulewright.print.preflight import Finding
from rulewright.print.preflight.document import PdfDocument, check
from rulewright.print.preflight.painted import PATH, PICTURE, TEXT

EXACT = 0.2
"""Tolerance for boxes, in mm: paper is cut no better."""

LONG, ROUNDING, TONES = 1.0, 0.005, 0.995
"""Length from which a thin rectangle is a line, in mm; tolerance for widths of lines, in points; share of the
resolution promised that a picture must have, since sizes are rounded."""

LOST = 5.0
"""How far beyond the trim a picture may go on, in mm."""


def _size(size: tuple[float, ...]) -> str:
    return f"{' x '.join(f'{round(edge, 1):g}' for edge in size)} mm"


@check("pages and their size", lambda d: f"{len(d.pages)}, {_size(d.pages[0].size)}")
def pages(document: PdfDocument) -> Iterator[Finding]:
    """Another number of pages, or another size of one, than was promised."""
    have, promise = len(document.pages), document.promise
    if promise.pages not in (None, have):
        yield Finding(faults.PAGES, f"it has {several(have, 'page')} and has to fill {promise.pages}")
    for page in document.pages:
        if not _alike(page.size, promise.trim):
            message = f"trimmed it is {_size(page.size)}, not {_size(promise.trim)}"
            yield Finding(faults.SIZE, message, page.number)


@check("boxes and bleed", lambda d: f"{d.promise.bleed:g} mm")
def boxes(document: PdfDocument) -> Iterator[Finding]:
    """Boxes that are missing, too wide or too narrow, and grounds that end at the trim."""
    wanted = document.promise.bleed
    for page in document.pages:
        nested = ("TrimBox", page.trim, page.bleed), ("BleedBox", page.bleed, page.media)
        for name, box, outer in nested:
            if f"/{name}" not in page.source:
                yield Finding(faults.BOXES, f"it has no {name}", page.number, subject=name)
            elif max(beyond(box, outer).values()) > EXACT:
                yield Finding(faults.BOXES, f"its {name} reaches too far out", page.number, subject=name)
        for side, have in beyond(page.bleed, page.trim).items():
            if have < wanted - EXACT:
                message = f"the bleed reaches {have:.2f} mm beyond the trim {side}, not {wanted:.2f}"
                yield Finding(faults.BLEED, message, page.number, subject=side)
    for item in document.of(PATH, PICTURE) if wanted else ():
        stroke = item.size * MM["pt"] / 2 if item.kind == PATH and item.drawn[1] else 0.0
        short = _short(grown(item.box or item.whole, -stroke), item.page.of, wanted)
        if short and item.inked:
            yield item.fault(faults.BLEED_SHORT, f"{item} reaches the trim {short} but not the bleed", short)


def _short(box: Box, page: PdfPage, bleed: float) -> str | None:
    """The side on which a box reaches the trim but falls short of the bleed."""
    sides = {} if outside(box, page.trim) else beyond(box, page.trim)
    return next((side for side, by in sides.items() if -EXACT <= by < bleed - EXACT), None)


@check("nothing off the page")
def off(document: PdfDocument) -> Iterator[Finding]:
    """Text that nobody sees, and pictures and drawings of which a part is lost, beyond bleed and paper."""
    for item in (item for painted in document.painted for item in painted.items):
        page = item.page.of
        slug = item.box and not outside(item.whole, page.media) and outside(item.whole, page.bleed)
        paper = around(page.media, grown(page.trim, max(document.promise.bleed, LOST)))
        whole = item.clip is None or min(beyond(item.clip, grown(page.media, -1.0)).values()) >= 0
        box = item.whole if whole or item.clip is None else overlap(item.whole, item.clip)
        if slug or not box or item.straight or (item.kind == TEXT and not outside(box, page.media)):
            continue
        side, by = max(beyond(box, paper).items(), key=lambda one: one[1])
        if by > EXACT and item.inked:
            message = f"{item} runs off the page: {by:.1f} mm of it are lost {side}"
            yield item.fault(faults.OFF, message, side)


@check("crop marks", lambda d: "at every corner" if d.promise.marks else "none")
def marks(document: PdfDocument) -> Iterator[Finding]:
    """Marks of cuts and folds that are promised and not there."""
    near = document.promise.bleed + MARK_GAP
    far = near + MARK_LENGTH
    for painted in document.painted if document.promise.marks else ():
        page = painted.of
        folds = [fold * MM["pt"] for fold in document.folds(page)]
        lines = [*corner_marks(page.trim, near, far), *fold_marks(page.trim, folds, near, far)]
        paths = (one for one in painted.items if one.kind == PATH and outside(one.whole, page.trim))
        found = [item.whole for item in paths if item.inked]
        for wanted in (bounds([line[:2], line[2:]]) for line in lines):
            if not any(_alike(wanted, one) for one in found):
                yield Finding(faults.MARKS, "the mark of a cut or fold is missing", page.number, wanted[:2])


def _alike(one: Sequence[float], other: Sequence[float]) -> bool:
    return max(abs(a - b) for a, b in zip(one, other, strict=True)) <= EXACT


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
            yield item.fault(faults.COARSE, f"a picture is printed at {item.size:.0f} dpi, not at {least:g}")


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
