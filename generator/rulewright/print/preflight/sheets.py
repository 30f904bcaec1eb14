"""What is checked of a page as a piece of paper: its size, its boxes, its bleed and its crop marks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.model import faults
from rulewright.model.reports import several
from rulewright.print.preflight.expected import Expected
from rulewright.print.preflight.findings import Finding, said
from rulewright.print.preflight.geometry import Box, Page
from rulewright.print.preflight.paint import Painting, Picture, Shape

EXACT = 0.2
"""How many mm a box may be off: boxes are written in rounded points, paper is cut no better."""

THIN = 1.0
"""What is thinner than this, in mm, can be a crop mark."""


def count(pages: Sequence[Page], expected: Expected) -> Iterator[Finding]:
    if not pages:
        yield Finding(faults.PAGES, "it has no pages")
    elif expected.pages is not None and len(pages) != expected.pages:
        yield Finding(faults.PAGES, f"it has {several(len(pages), 'page')} and has to fill {expected.pages}")


def sizes(pages: Sequence[Page], expected: Expected) -> Iterator[Finding]:
    for page in pages:
        if expected.trim and not all(
            abs(have - want) <= EXACT for have, want in zip(page.size, expected.trim, strict=True)
        ):
            message = f"trimmed it is {said(page.size)}, not {said(expected.trim)}"
            if all(
                abs(have - want) <= EXACT for have, want in zip(page.size, expected.trim[::-1], strict=True)
            ):
                message += "; it lies the other way"
            yield Finding(faults.SIZE, message, page.number)


def boxes(pages: Sequence[Page], expected: Expected) -> Iterator[Finding]:
    """Boxes that are missing or do not lie in one another."""
    for page in pages:
        if "MediaBox" not in page.given:
            yield Finding(faults.BOXES, "it has no MediaBox, so that nobody knows its size", page.number)
        wanted = [name for name, want in (("TrimBox", expected.bleed), ("BleedBox", expected.bleed)) if want]
        for name in wanted:
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


def bleeds(pages: Sequence[Page], expected: Expected) -> Iterator[Finding]:
    for page in pages:
        if not expected.bleed or "BleedBox" not in page.given:
            continue
        for side, have in _beyond(page.bleed, page.trim).items():
            if have < expected.bleed - EXACT:
                message = f"the bleed reaches {have:.2f} mm beyond the trim {side}, not {expected.bleed:.2f}"
                yield Finding(faults.BLEED, message, page.number, subject=side)


def short(pages: Sequence[Page], paintings: Sequence[Painting], expected: Expected) -> Iterator[Finding]:
    """Grounds and pictures that touch the trim from inside and end before the bleed does."""
    for page, painting in zip(pages, paintings, strict=True):
        if not expected.bleed:
            continue
        items: list[Shape | Picture] = [*painting.shapes, *painting.pictures]
        for item in items:
            for box in _inked(item):
                if (side := _stops_short(box, page, expected.bleed)) is not None:
                    message = (
                        f"a {'picture' if isinstance(item, Picture) else 'ground'} reaches the trim {side}"
                    )
                    message += f" but not the bleed; let it go on for {expected.bleed:.2f} mm"
                    yield Finding(faults.BLEED_SHORT, message, page.number, box[:2], side)


def marks(pages: Sequence[Page], paintings: Sequence[Painting], expected: Expected) -> Iterator[Finding]:
    """Crop marks: two at each corner, in line with the trim, outside the bleed; or none at all."""
    if expected.marks is None:
        return
    for page, painting in zip(pages, paintings, strict=True):
        thin = [box for shape in painting.shapes for box in _inked(shape) if _outside(box, page.trim)]
        thin = [box for box in thin if min(box[2] - box[0], box[3] - box[1]) <= THIN]
        found = {corner: [box for box in thin if _marks(box, corner, page)] for corner in CORNERS}
        if not expected.marks:
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


def _marks(box: Box, corner: str, page: Page) -> bool:
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


def _inked(item: Shape | Picture) -> tuple[Box, ...]:
    if item.colours and all(colour.paper for colour in item.colours):
        return ()
    return item.parts if isinstance(item, Shape) else (item.box,)


def _outside(box: Box, of: Box) -> bool:
    """Whether a box lies wholly outside another, which it may touch."""
    near = 0.05
    left, top, right, bottom = of
    return box[2] <= left + near or box[0] >= right - near or box[3] <= top + near or box[1] >= bottom - near


def _within(box: Box, outer: Box) -> bool:
    return all(have >= -EXACT for have in _beyond(outer, box).values())


def _beyond(outer: Box, inner: Box) -> dict[str, float]:
    """How far a box reaches beyond another, on each side."""
    return {
        "on the left": inner[0] - outer[0],
        "at the top": inner[1] - outer[1],
        "on the right": outer[2] - inner[2],
        "at the bottom": outer[3] - inner[3],
    }


def _stops_short(box: Box, page: Page, bleed: float) -> str | None:
    """The side on which a box that lies in the trim reaches its edge, and goes on less far than the bleed."""
    if _outside(box, page.trim):
        return None
    for side, beyond in _beyond(box, page.trim).items():
        if -EXACT <= beyond < bleed - EXACT:
            return side
    return None
