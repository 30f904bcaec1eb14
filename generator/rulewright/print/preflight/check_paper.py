"""Checks of a file as pieces of paper: its pages, their size and boxes, their bleed and crop marks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.model import faults
from rulewright.model.reports import several
from rulewright.print.preflight.examined_pdf import PdfDocument, check, few
from rulewright.print.preflight.geometry import Box, PdfPage, around, grown, overlap
from rulewright.print.preflight.pdfium import PATH, PICTURE, TEXT, Item
from rulewright.print.preflight.preflight_report import Finding, said

EXACT = 0.2
"""Tolerance for boxes, in mm: they are written in rounded points, paper is cut no better."""

THIN = 1.0
"""Thickness up to which a shape can be a crop mark, in mm."""

LOST = 5.0
"""How far beyond the trim a picture may go on, in mm: more than any bleed."""

NEAR = 0.05
"""How far two boxes that touch may lie in one another, in mm."""


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
    have, wanted = len(document.pages), document.expected.pages
    if not have:
        yield Finding(faults.PAGES, "it has no pages")
    elif wanted is not None and have != wanted:
        yield Finding(faults.PAGES, f"it has {several(have, 'page')} and has to fill {wanted}")


def _sizes_seen(document: PdfDocument) -> str:
    return few(list(dict.fromkeys(said([round(edge, 1) for edge in page.size]) for page in document.pages)))


@check("size of the trim", seen=_sizes_seen)
def sizes(document: PdfDocument) -> Iterator[Finding]:
    """Pages of another size than was promised, or than the first of them."""
    promised = document.expected.trim
    for page in document.pages:
        wanted, have = promised or document.pages[0].size, f"trimmed it is {said(page.size)}"
        if _alike(page.size, wanted):
            continue
        if not promised:
            message = f"{have}, and the first page is {said(wanted)}"
            yield Finding(faults.SIZES, message, page.number)
            continue
        turned = "; it lies the other way" if _alike(page.size, wanted[::-1]) else ""
        yield Finding(faults.SIZE, f"{have}, not {said(wanted)}{turned}", page.number)


def _alike(one: Sequence[float], other: Sequence[float]) -> bool:
    return all(abs(a - b) <= EXACT for a, b in zip(one, other, strict=True))


@check("page boxes", seen=lambda document: "trim within bleed within media")
def boxes(document: PdfDocument) -> Iterator[Finding]:
    """Boxes that are missing or do not lie in one another."""
    wanted = ("TrimBox", "BleedBox") if document.expected.bleed else ()
    for page in document.pages:
        found = [("it has no MediaBox, so that nobody knows its size", "")] * ("MediaBox" not in page.given)
        found += [
            (f"it has no {name}; set one, so that it can be cut", name)
            for name in wanted
            if name not in page.given
        ]
        for name, outer, by in (
            ("TrimBox", "BleedBox", _beyond(page.trim, page.bleed)),
            ("BleedBox", "MediaBox", _beyond(page.bleed, page.media)),
        ):
            if max(by.values()) > EXACT:
                found.append((f"its {name} reaches beyond its {outer}", name))
        for message, subject in found:
            yield Finding(faults.BOXES, message, page.number, subject=subject)


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
    for item in document.of(PATH, PICTURE):
        page = item.page.of
        if item.box is None or not _stops_short(item.box, page, wanted, item.size / 2):
            continue
        for box in _inked(item):
            if short := _stops_short(box, page, wanted):
                what = "picture" if item.kind == PICTURE else "ground"
                message = f"a {what} reaches the trim {short} but not the bleed"
                message += f"; let it go on for {wanted:.2f} mm"
                yield item.fault(faults.BLEED_SHORT, message, short, box)


def _stops_short(box: Box, page: PdfPage, bleed: float, near: float = 0.0) -> str | None:
    """The side on which a box that lies in the trim reaches its edge, and goes on less far than the bleed."""
    sides = {} if _outside(box, page.trim) else _beyond(box, page.trim)
    return next((side for side, by in sides.items() if -EXACT - near <= by < bleed - EXACT + near), None)


@check("nothing off the page", of=lambda document: document.seen)
def off(document: PdfDocument) -> Iterator[Finding]:
    """Text that nobody sees, and pictures and drawings of which a part is lost, beyond bleed and paper."""
    for painted in document.painted:
        page = painted.of
        most = grown(page.trim, max(document.expected.bleed or 0.0, LOST))
        paper = around(page.media, most)
        for item in painted.items:
            if not item.visible or not item.use.colours or _slug(item, page):
                continue
            box = _unclipped(item, page.media)
            side, by = max(_beyond(box, paper).items(), key=lambda one: one[1]) if box else ("", 0.0)
            if item.kind == TEXT and box and not _outside(box, page.media):
                continue  # it stands at the edge, of which another check tells
            if box and by > EXACT and (item.kind == TEXT or not (item.straight or item.use.word == "sh")):
                message = f"{item} runs off the page: {by:.1f} mm of it are lost {side}"
                yield item.fault(faults.OFF, message, side, box)


def _unclipped(item: Item, media: Box) -> Box | None:
    """The box of a thing within the frame that clips it; the whole paper, at which all is cut, is none."""
    if item.clip is None or min(_beyond(item.clip, grown(media, -1.0)).values()) >= 0:
        return item.whole
    return overlap(item.whole, item.clip)


def _slug(item: Item, page: PdfPage) -> bool:
    """Whether a thing stands beside the sheet, on the paper that is cut off: what the printer writes."""
    seen = item.box is not None and not _outside(item.whole, page.media)
    return seen and _outside(item.whole, page.bleed) and "TrimBox" in page.given


CORNERS = ("upper left", "upper right", "lower left", "lower right")


def _marks_seen(document: PdfDocument) -> str:
    return "at every corner, outside the bleed" if document.expected.marks else "none"


@check("crop marks", asked=lambda expected: expected.marks is not None, seen=_marks_seen)
def marks(document: PdfDocument) -> Iterator[Finding]:
    """Crop marks: two at each corner, in line with the trim, outside the bleed; or none at all."""
    for painted in document.painted:
        page = painted.of
        shapes = (item for item in painted.items if item.kind == PATH and item.box and item.use.colours)
        beyond = (item for item in shapes if item.box and max(_beyond(item.box, page.trim).values()) > 0)
        parts = (box for item in beyond for box in _inked(item) if _outside(box, page.trim))
        thin = [box for box in parts if min(box[2] - box[0], box[3] - box[1]) <= THIN]
        for corner in CORNERS:
            found = [box for box in thin if _marks(box, corner, page)]
            if not document.expected.marks:
                for box in found[:1]:
                    message = f"a crop mark at the {corner}, where none was asked for"
                    yield Finding(faults.MARKS, message, page.number, box[:2])
                continue
            if len({_lies(box) for box in found}) < 2:
                message = f"no pair of crop marks at the {corner}"
                yield Finding(faults.MARKS, message, page.number, subject=corner)
            for box in found:
                if not _outside(box, page.bleed):
                    message = f"a crop mark at the {corner} begins inside the bleed; move it out"
                    yield Finding(faults.MARKS_INSIDE, message, page.number, box[:2], corner)


def _lies(box: Box) -> bool:
    return box[2] - box[0] >= box[3] - box[1]


def _marks(box: Box, corner: str, page: PdfPage) -> bool:
    """Whether a thin box is in line with an edge of the trim and lies beyond a corner of it."""
    middle = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    at = 1 if _lies(box) else 0  # the coordinate that is that of the edge
    first = ("left" in corner, "upper" in corner)
    edge, end = (page.trim[way if first[way] else way + 2] for way in (at, 1 - at))
    beyond = middle[1 - at] < end if first[1 - at] else middle[1 - at] > end
    return abs(middle[at] - edge) <= EXACT and beyond


def _inked(item: Item) -> list[Box]:
    return [] if item.use.paper else item.parts()


def _outside(box: Box, of: Box) -> bool:
    """Whether a box lies wholly outside another, which it may touch."""
    left, top, right, bottom = grown(of, -NEAR)
    return box[2] <= left or box[0] >= right or box[3] <= top or box[1] >= bottom


def _beyond(box: Box, of: Box) -> dict[str, float]:
    """Distances by which a box reaches beyond another, by side, in mm."""
    sides = ("on the left", "at the top", "on the right", "at the bottom")
    return dict(zip(sides, (of[0] - box[0], of[1] - box[1], box[2] - of[2], box[3] - of[3]), strict=True))
