"""Checks of a file as pieces of paper: its pages, their size and boxes, their bleed and crop marks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.model import faults
from rulewright.model.reports import several
from rulewright.print.preflight.check import PdfDocument, check, few
from rulewright.print.preflight.geometry import Box, PdfPage
from rulewright.print.preflight.pdfium import PATH, PICTURE, TEXT, Item
from rulewright.print.preflight.report import Finding, said

EXACT = 0.2
"""Tolerance for boxes, in mm: they are written in rounded points, paper is cut no better."""

THIN = 1.0
"""Thickness up to which a shape can be a crop mark, in mm."""


@check("can be read")
def readable(document: PdfDocument) -> Iterator[Finding]:
    """A PDF that is encrypted, and pages whose content cannot be read to the end."""
    if document.pdf.is_encrypted:
        yield Finding(faults.LOCKED, "it is encrypted; save it without a password")
    for painted in document.painted:
        if painted.fault:
            message = f"its content cannot be read to the end: {painted.fault}"
            yield Finding(faults.DAMAGED, message, painted.of.number, subject=painted.fault)


@check("number of pages", seen=lambda document: f"{len(document.pages)}")
def count(document: PdfDocument) -> Iterator[Finding]:
    """Another number of pages than was promised."""
    pages, expected = document.pages, document.expected
    if not pages:
        yield Finding(faults.PAGES, "it has no pages")
    elif expected.pages is not None and len(pages) != expected.pages:
        yield Finding(faults.PAGES, f"it has {several(len(pages), 'page')} and has to fill {expected.pages}")


def _sizes_seen(document: PdfDocument) -> str:
    return few(list(dict.fromkeys(said([round(edge, 1) for edge in page.size]) for page in document.pages)))


@check("size of the trim", seen=_sizes_seen)
def sizes(document: PdfDocument) -> Iterator[Finding]:
    """Pages of another size than was promised."""
    expected = document.expected
    for page in document.pages:
        if expected.trim and not all(
            abs(have - want) <= EXACT for have, want in zip(page.size, expected.trim, strict=True)
        ):
            message = f"trimmed it is {said(page.size)}, not {said(expected.trim)}"
            if all(
                abs(have - want) <= EXACT for have, want in zip(page.size, expected.trim[::-1], strict=True)
            ):
                message += "; it lies the other way"
            yield Finding(faults.SIZE, message, page.number)
    first = document.pages[0].size if document.pages and not expected.trim else None
    for page in document.pages if first else ():
        if any(abs(have - want) > EXACT for have, want in zip(page.size, first or (), strict=True)):
            message = f"trimmed it is {said(page.size)}, and the first page is {said(first or ())}"
            yield Finding(faults.SIZES, message, page.number)


@check("page boxes", seen=lambda document: "trim within bleed within media")
def boxes(document: PdfDocument) -> Iterator[Finding]:
    """Boxes that are missing or do not lie in one another."""
    for page in document.pages:
        if "MediaBox" not in page.given:
            yield Finding(faults.BOXES, "it has no MediaBox, so that nobody knows its size", page.number)
        for name in ("TrimBox", "BleedBox") if document.expected.bleed else ():
            if name not in page.given:
                yield Finding(
                    faults.BOXES,
                    f"it has no {name}; set one, so that it can be cut",
                    page.number,
                    subject=name,
                )
        for name, inner, outer_name, outer in (
            ("TrimBox", page.trim, "BleedBox", page.bleed),
            ("BleedBox", page.bleed, "MediaBox", page.media),
        ):
            if not _within(inner, outer):
                yield Finding(
                    faults.BOXES,
                    f"its {name} reaches beyond its {outer_name}",
                    page.number,
                    subject=name,
                )


@check(
    "bleed",
    asked=lambda expected: expected.bleed,
    seen=lambda document: f"{document.expected.bleed:.2f} mm on every side",
)
def bleed(document: PdfDocument) -> Iterator[Finding]:
    """Boxes whose bleed is too narrow, then grounds and pictures that reach the trim and not the bleed."""
    wanted = document.expected.bleed or 0.0
    for page in document.pages:
        for side, have in _beyond(page.bleed, page.trim).items() if "BleedBox" in page.given else ():
            if have < wanted - EXACT:
                message = f"the bleed reaches {have:.2f} mm beyond the trim {side}, not {wanted:.2f}"
                yield Finding(faults.BLEED, message, page.number, subject=side)
    for page, item in document.items():
        if item.kind == TEXT or item.box is None or not _stops_short(item.box, page, wanted, item.size / 2):
            continue
        for box in _inked(item):
            if short := _stops_short(box, page, wanted):
                what = "picture" if item.kind == PICTURE else "ground"
                message = f"a {what} reaches the trim {short} but not the bleed"
                message += f"; let it go on for {wanted:.2f} mm"
                yield Finding(faults.BLEED_SHORT, message, page.number, box[:2], short)


@check("nothing off the page", of=lambda document: any(document.items()))
def off(document: PdfDocument) -> Iterator[Finding]:
    """Text that nobody sees, and pictures and drawings of which a part is lost, beyond bleed and paper."""
    for painted in document.painted:
        page = painted.of
        most = _grown(page.trim, max(document.expected.bleed or 0.0, LOST))
        paper = tuple(pick(a, b) for pick, a, b in zip((min, min, max, max), page.media, most, strict=True))
        for item in painted.items:
            if not item.visible or not item.use.colours or _slug(item, page):
                continue
            box = _unclipped(item, page.media)
            lost = {side: by for side, by in _beyond(box, paper).items() if by > 0} if box else {}
            if not box or not lost or (item.kind != TEXT and (item.straight or item.use.word == "sh")):
                continue
            side, by = max(lost.items(), key=lambda one: one[1])
            if item.kind == TEXT and not _outside(box, page.media):
                continue  # it stands at the edge, of which another check tells
            message = f"{item} runs off the page: {by:.1f} mm of it are lost {side}"
            yield Finding(faults.OFF, message, page.number, box[:2], side)


LOST = 5.0
"""How far beyond the trim a picture may go on, in mm: more than any bleed."""


def _unclipped(item: Item, media: Box) -> Box | None:
    """The box of a thing within what clips it, but for the edges of the paper, which everything is cut at."""
    if item.clip is None:
        return item.whole
    left, top, right, bottom = item.clip
    whole = item.whole
    near = 1.0
    box = (
        whole[0] if left <= media[0] + near else max(left, whole[0]),
        whole[1] if top <= media[1] + near else max(top, whole[1]),
        whole[2] if right >= media[2] - near else min(right, whole[2]),
        whole[3] if bottom >= media[3] - near else min(bottom, whole[3]),
    )
    return box if box[0] <= box[2] and box[1] <= box[3] else None


def _slug(item: Item, page: PdfPage) -> bool:
    """Whether a thing stands beside the sheet, on the paper that is cut off: what the printer writes."""
    seen = item.box is not None and not _outside(item.whole, page.media)
    return seen and _outside(item.whole, page.bleed) and "TrimBox" in page.given


def _marks_seen(document: PdfDocument) -> str:
    return "at every corner, outside the bleed" if document.expected.marks else "none"


@check("crop marks", asked=lambda expected: expected.marks is not None, seen=_marks_seen)
def marks(document: PdfDocument) -> Iterator[Finding]:
    """Crop marks: two at each corner, in line with the trim, outside the bleed; or none at all."""
    for painted in document.painted:
        page = painted.of
        shapes = [item for item in painted.items if item.kind == PATH and item.box and item.use.colours]
        beyond = [item for item in shapes if item.box and not _inside(item.box, page.trim)]
        thin = [box for item in beyond for box in _inked(item) if _outside(box, page.trim)]
        thin = [box for box in thin if min(box[2] - box[0], box[3] - box[1]) <= THIN]
        found = {corner: [box for box in thin if _marks(box, corner, page)] for corner in CORNERS}
        if not document.expected.marks:
            for corner, at in found.items():
                for box in at[:1]:
                    message = f"a crop mark at the {corner}, where none was asked for"
                    yield Finding(faults.MARKS, message, page.number, box[:2])
            continue
        for corner, at in found.items():
            both = {box[2] - box[0] >= box[3] - box[1] for box in at}
            if len(both) < 2:
                yield Finding(
                    faults.MARKS,
                    f"no pair of crop marks at the {corner}",
                    page.number,
                    subject=corner,
                )
            for box in at:
                if not _outside(box, page.bleed):
                    message = f"a crop mark at the {corner} begins inside the bleed; move it out"
                    yield Finding(faults.MARKS_INSIDE, message, page.number, box[:2], corner)


CORNERS = ("upper left", "upper right", "lower left", "lower right")


def _marks(box: Box, corner: str, page: PdfPage) -> bool:
    """Whether a thin box is in line with an edge of the trim and lies beyond a corner of it."""
    left, top, right, bottom = page.trim
    x = left if "left" in corner else right
    y = top if "upper" in corner else bottom
    middle = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    if box[2] - box[0] >= box[3] - box[1]:  # lies
        beyond = middle[0] < left if x == left else middle[0] > right
        return abs(middle[1] - y) <= EXACT and beyond
    beyond = middle[1] < top if y == top else middle[1] > bottom
    return abs(middle[0] - x) <= EXACT and beyond


def _inked(item: Item) -> list[Box]:
    colours = item.use.colours
    if colours and all(colour.paper for colour in colours):
        return []
    return item.parts()


def _inside(box: Box, of: Box) -> bool:
    return of[0] <= box[0] and of[1] <= box[1] and box[2] <= of[2] and box[3] <= of[3]


def _grown(box: Box, by: float) -> Box:
    return box[0] - by, box[1] - by, box[2] + by, box[3] + by


def _outside(box: Box, of: Box) -> bool:
    """Whether a box lies wholly outside another, which it may touch."""
    near = 0.05
    left, top, right, bottom = of
    return box[2] <= left + near or box[0] >= right - near or box[3] <= top + near or box[1] >= bottom - near


def _within(box: Box, outer: Box) -> bool:
    return all(have >= -EXACT for have in _beyond(outer, box).values())


def _beyond(outer: Sequence[float], inner: Sequence[float]) -> dict[str, float]:
    """Distances by which a box reaches beyond another, by side, in mm."""
    return {
        "on the left": inner[0] - outer[0],
        "at the top": inner[1] - outer[1],
        "on the right": outer[2] - inner[2],
        "at the bottom": outer[3] - inner[3],
    }


def _stops_short(box: Box, page: PdfPage, bleed: float, near: float = 0.0) -> str | None:
    """The side on which a box that lies in the trim reaches its edge, and goes on less far than the bleed."""
    if _outside(box, page.trim):
        return None
    for side, beyond in _beyond(box, page.trim).items():
        if -EXACT - near <= beyond < bleed - EXACT + near:
            return side
    return None
