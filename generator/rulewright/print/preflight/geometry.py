"""The boxes of a PDF's pages, in millimetres as a reader sees them.

Every position is told from the upper left corner of the trim, to the right and down, after the page has
been turned the way it is read and with its user unit counted in.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

from pikepdf import Dictionary, Pdf

from rulewright.model.paper import MM
from rulewright.print.preflight.objects import inherited, listed, number_of, real

Box = tuple[float, float, float, float]
"""Left, top, right and bottom; in a page's own space, before it is turned, left, bottom, right and top."""

Matrix = tuple[float, float, float, float, float, float]

LETTER: Box = (0.0, 0.0, 612.0, 792.0)


@dataclass(frozen=True, slots=True)
class PdfPage:
    """A page with its boxes in mm. `given` names the boxes that its dictionary has."""

    number: int
    source: Dictionary
    matrix: Matrix
    media: Box
    crop: Box
    trim: Box
    bleed: Box
    given: frozenset[str]

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the trim."""
        return self.trim[2], self.trim[3]

    def annotations(self, subtype: str | None = None) -> Iterator[Dictionary]:
        """Its annotations, or those of one subtype."""
        for annotation in listed(self.source.get("/Annots")):
            if isinstance(annotation, Dictionary) and subtype in (None, str(annotation.get("/Subtype"))):
                yield annotation


def pages_of(pdf: Pdf) -> Iterator[PdfPage]:
    """The pages of a PDF in order. Where it has no usable MediaBox, a page is taken for one of Letter."""
    for number, page in enumerate(pdf.pages, 1):
        yield page_of(page.obj, number)


def page_of(source: Dictionary, number: int) -> PdfPage:
    """A page by its dictionary."""
    given = {
        name: box for name in ("TrimBox", "BleedBox", "ArtBox") if (box := rectangle(source.get(f"/{name}")))
    }
    for name in ("MediaBox", "CropBox"):
        if box := rectangle(inherited(source, f"/{name}")):
            given[name] = box
    media = given.get("MediaBox", LETTER)
    crop = overlap(given.get("CropBox", media), media) or media
    trim = given.get("TrimBox", crop)
    bleed = given.get("BleedBox", crop if "TrimBox" not in given else trim)
    unit = number_of(source.get("/UserUnit"), 1.0)
    turn = int(number_of(inherited(source, "/Rotate"), 0.0)) % 360
    matrix = display(trim, turn, MM["pt"] * (unit if unit > 0 else 1.0))
    media, crop, trim, bleed = (covered(matrix, box) for box in (media, crop, trim, bleed))
    return PdfPage(number, source, matrix, media, crop, trim, bleed, frozenset(given))


def display(trim: Box, turn: int, unit: float) -> Matrix:
    """Matrix from a page's own space to millimetres from the upper left corner of its trim, as it is read."""
    left, bottom, right, top = (edge * unit for edge in trim)
    if turn == 90:
        return 0.0, unit, unit, 0.0, -bottom, -left
    if turn == 180:
        return -unit, 0.0, 0.0, unit, right, -bottom
    if turn == 270:
        return 0.0, -unit, -unit, 0.0, top, right
    return unit, 0.0, 0.0, -unit, -left, top


def rectangle(value: object) -> Box | None:
    """A rectangle with its corners in order; None where it is none or has no area."""
    try:
        a, b, c, d = map(real, listed(value))
    except ValueError:
        return None
    box = min(a, c), min(b, d), max(a, c), max(b, d)
    return box if box[0] < box[2] and box[1] < box[3] else None


def matrix_of(value: object) -> Matrix | None:
    """A matrix; None where it is none. A damaged number in it counts as zero."""
    numbers = [number_of(one, 0.0) for one in listed(value)]
    return cast(Matrix, tuple(numbers)) if len(numbers) == 6 else None


def times(first: Matrix, then: Matrix) -> Matrix:
    """Product of two matrices, the first of which is applied first."""
    a, b, c, d, e, f = first
    p, q, r, s, t, u = then
    return a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s, e * p + f * r + t, e * q + f * s + u


def point(matrix: Matrix, x: float, y: float) -> tuple[float, float]:
    """Where a matrix takes a point."""
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f


def covered(matrix: Matrix, box: Box) -> Box:
    """The box that a box covers once a matrix has been applied to it."""
    a, b, c, d, e, f = matrix
    left, low, right, high = box
    xs = (a * left + c * low, a * left + c * high, a * right + c * low, a * right + c * high)
    ys = (b * left + d * low, b * left + d * high, b * right + d * low, b * right + d * high)
    return min(xs) + e, min(ys) + f, max(xs) + e, max(ys) + f


def overlap(one: Box, other: Box) -> Box | None:
    """Intersection of two boxes; None where they share nothing. A line has its box, though it has no area."""
    box = max(one[0], other[0]), max(one[1], other[1]), min(one[2], other[2]), min(one[3], other[3])
    return box if box[0] <= box[2] and box[1] <= box[3] else None


def around(one: Box, other: Box) -> Box:
    """The box around two others."""
    return min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3])


def grown(box: Box, by: float) -> Box:
    """A box that reaches further on every side."""
    return box[0] - by, box[1] - by, box[2] + by, box[3] + by


def apart(one: Box, other: Box) -> bool:
    """Whether two boxes share nothing but an edge."""
    return one[2] <= other[0] or one[0] >= other[2] or one[3] <= other[1] or one[1] >= other[3]


def corner(box: Box | None) -> tuple[float, float] | None:
    """The upper left corner of a box."""
    return box[:2] if box else None
