"""The checks of a finished file: boxes, bleed, what runs off, inks, lines, pictures, fonts, sizes of type."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from pikepdf import Name

from rulewright.files.problems import quote_short
from rulewright.print.page_geometry import expand_box, is_outside, overhang, overlap, union_box
from rulewright.print.pdf_objects import dictionary_value
from rulewright.print.preflight import PreflightFinding
from rulewright.print.preflight.content_streams import Known, ink_faults
from rulewright.print.preflight.painted_objects import PATH, PICTURE, TEXT, PaintedObject
from rulewright.print.preflight.preflight_document import PdfDocument
from rulewright.schema import preflight_problems
from rulewright.schema.paper import MM
from rulewright.schema.problem_reports import plural

EXACT = 0.2
"""Tolerance for boxes, in mm: paper is cut no better."""

LONG, ROUNDING, TONES = 1.0, 0.005, 0.995
"""Length from which a thin rectangle is a line, in mm; tolerance for widths of lines, in points; share of the
resolution promised that a picture must have, since sizes are rounded."""

LOST = 5.0
"""How far beyond the trim a picture may go on, in mm."""

WRITTEN = 0.02
"""Tolerance for sizes of type in points, which are written with few digits."""


def _size(size: tuple[float, ...]) -> str:
    return f"{' x '.join(f'{round(edge, 1):g}' for edge in size)} mm"


def pages(document: PdfDocument) -> Iterator[PreflightFinding]:
    """Another number of pages, or another size of one, than was promised."""
    have, promise = len(document.pages), document.promise
    if promise.pages not in (None, have):
        yield PreflightFinding(
            preflight_problems.PAGES, f"it has {plural(have, 'page')} and has to fill {promise.pages}"
        )
    for page in document.pages:
        if not _alike(page.size, promise.trim):
            message = f"trimmed it is {_size(page.size)}, not {_size(promise.trim)}"
            yield PreflightFinding(preflight_problems.SIZE, message, page.number)


def boxes(document: PdfDocument) -> Iterator[PreflightFinding]:
    """A bleed that is too narrow."""
    wanted = document.promise.bleed
    for page in document.pages:
        for side, have in overhang(page.bleed, page.trim).items():
            if have < wanted - EXACT:
                message = f"the bleed reaches {have:.2f} mm beyond the trim {side}, not {wanted:.2f}"
                yield PreflightFinding(preflight_problems.BLEED, message, page.number, subject=side)


def off(document: PdfDocument) -> Iterator[PreflightFinding]:
    """Text that nobody sees, and pictures and drawings of which a part is lost, beyond bleed and paper."""
    for item in (item for painted in document.painted for item in painted.items):
        page = item.page.pdf_page
        slug = (
            item.box and not is_outside(item.full_box, page.media) and is_outside(item.full_box, page.bleed)
        )
        paper = union_box(page.media, expand_box(page.trim, max(document.promise.bleed, LOST)))
        whole = item.clip is None or min(overhang(item.clip, expand_box(page.media, -1.0)).values()) >= 0
        box = item.full_box if whole or item.clip is None else overlap(item.full_box, item.clip)
        if slug or not box or item.straight or (item.kind == TEXT and not is_outside(box, page.media)):
            continue
        side, by = max(overhang(box, paper).items(), key=lambda one: one[1])
        if by > EXACT and item.inked:
            message = f"{item} runs off the page: {by:.1f} mm of it are lost {side}"
            yield item.fault(preflight_problems.OFF, message, side)


def _alike(one: Sequence[float], other: Sequence[float]) -> bool:
    return max(abs(a - b) for a, b in zip(one, other, strict=True)) <= EXACT


def inks(document: PdfDocument) -> Iterator[PreflightFinding]:
    """Paints in no ink, or in more of it than dries."""
    known: Known = {}
    for page in document.pages:
        for fault, message in sorted(ink_faults(page.source, known), key=lambda one: one[1]):
            yield PreflightFinding(fault, message, page.number, subject=message)


def hairlines(document: PdfDocument) -> Iterator[PreflightFinding]:
    """Lines, and rectangles that are as thin as one, that are thinner than a plate can hold."""
    least = document.promise.hairline
    for item in document.objects_of_kind(PATH):
        thin, long = sorted((item.full_box[2] - item.full_box[0], item.full_box[3] - item.full_box[1]))
        width = item.size
        if item.is_drawing != (False, True):
            width = thin / MM["pt"] if long >= LONG and item.straight and item.is_drawing[0] else least
        if width < least - ROUNDING and item.on_sheet and item.inked:
            message = f"a line is {width:.2f} pt thick; {least:g} pt is the least that is printed well"
            yield item.fault(preflight_problems.HAIRLINE, message, f"{width:.2f}")


def pictures(document: PdfDocument) -> Iterator[PreflightFinding]:
    """Pictures with too few pixels for their size."""
    least = document.promise.resolution or 0.0
    for item in document.objects_of_kind(PICTURE):
        if item.size < least * TONES:
            yield item.fault(
                preflight_problems.COARSE, f"a picture is printed at {item.size:.0f} dpi, not at {least:g}"
            )


def fonts(document: PdfDocument) -> Iterator[PreflightFinding]:
    """Fonts that are not embedded, or are of no family of ours."""
    wanted = tuple(document.promise.families)
    for item in (item for painted in document.painted for item in painted.items if item.kind == TEXT):
        name, embedded = item.font
        if not embedded:
            yield item.fault(
                preflight_problems.FONT_ABSENT, f"the font {quote_short(name)} is not embedded", name
            )
        if not name.replace("-", " ").startswith(wanted):
            message = f"{quote_short(item.words)} is set in {quote_short(name)}, not in {' or '.join(wanted)}"
            yield item.fault(preflight_problems.FONT_OTHER, message, name)


def small(document: PdfDocument) -> Iterator[PreflightFinding]:
    """Text that is smaller than the smallest size that was promised."""
    for item in document.objects_of_kind(TEXT):
        least = document.promise.smallest
        if item.size < least - WRITTEN and _drawn(document, item):
            least = document.promise.drawn
        if item.size < least - WRITTEN and item.on_sheet:
            message = (
                f"{quote_short(item.words)} is set in {item.size:.2f} pt; the smallest allowed is "
                f"{least:g} pt"
            )
            yield item.fault(preflight_problems.SMALL, message, f"{item.size:.1f}")


def _drawn(document: PdfDocument, item: PaintedObject) -> bool:
    owners, tag = document.owners[item.page.pdf_page.number], item.tag
    return 0 <= tag < len(owners) and dictionary_value(owners[tag], "/S") == Name.Figure


def tags(document: PdfDocument) -> Iterator[PreflightFinding]:
    """A file without tags for those who read with other programs."""
    if not dictionary_value(document.pdf.Root, "/MarkInfo", "/Marked") or not any(document.owners.values()):
        yield PreflightFinding(preflight_problems.TAGGED, "it has no tags")


Find = Callable[[PdfDocument], Iterator[PreflightFinding]]
Seen = Callable[[PdfDocument], str]
CHECKS: Sequence[tuple[str, Find, Seen]] = (
    ("pages and their size", pages, lambda d: f"{len(d.pages)}, {_size(d.pages[0].size)}"),
    ("boxes and bleed", boxes, lambda d: f"{d.promise.bleed:g} mm"),
    ("nothing off the page", off, lambda d: ""),
    ("inks", inks, lambda d: ""),
    ("thinnest line", hairlines, lambda d: f"{d.promise.hairline:.3g} pt"),
    ("pictures", pictures, lambda d: f"{d.promise.resolution:g} dpi" if d.promise.resolution else ""),
    ("fonts", fonts, lambda d: ", ".join(d.promise.families)),
    ("smallest type", small, lambda d: f"{d.promise.smallest:.3g} pt, in drawings {d.promise.drawn:.3g} pt"),
    ("tags", tags, lambda d: ""),
)
"""Every check: its name, the findings that it yields, and what it looked at in words."""
