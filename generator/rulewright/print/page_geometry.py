"""The boxes of the pages that we print, in mm from the upper left corner of the trim, right and down."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pikepdf import Array, Dictionary, Pdf

from rulewright.schema.paper import MM

Box = tuple[float, float, float, float]
"""Left, top, right and bottom; in a page's own space left, bottom, right and top."""

Matrix = tuple[float, float, float, float, float, float]

TOUCH = 0.05
"""How far two boxes that touch may lie in one another, in mm."""


@dataclass(frozen=True, slots=True)
class PdfPage:
    """A page with its boxes in mm. `matrix` leads to them from the page's own space."""

    number: int
    source: Dictionary
    matrix: Matrix
    media: Box
    trim: Box
    bleed: Box

    @property
    def size(self) -> tuple[float, float]:
        return self.trim[2], self.trim[3]


def pdf_pages(pdf: Pdf) -> Iterator[PdfPage]:
    """The pages of a PDF in order."""
    for number, page in enumerate(pdf.pages, 1):
        trim = rectangle(page.trimbox)
        unit = MM["pt"]
        matrix = unit, 0.0, 0.0, -unit, -trim[0] * unit, trim[3] * unit
        media, edge = rectangle(page.mediabox), rectangle(page.obj.get("/BleedBox", page.trimbox))
        media, trim, bleed = (transform_box(matrix, box) for box in (media, trim, edge))
        yield PdfPage(number, page.obj, matrix, media, trim, bleed)


def rectangle(value: Any) -> Box:
    """A rectangle with its corners in order."""
    a, b, c, d = (float(edge) for edge in Array(value))
    return min(a, c), min(b, d), max(a, c), max(b, d)


def multiply_matrices(first: Matrix, then: Matrix) -> Matrix:
    """Product of two matrices, the first of which is applied first."""
    a, b, c, d, e, f = first
    p, q, r, s, t, u = then
    return a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s, e * p + f * r + t, e * q + f * s + u


def transform_point(matrix: Matrix, x: float, y: float) -> tuple[float, float]:
    """Where a matrix takes a point."""
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f


def transform_box(matrix: Matrix, box: Box) -> Box:
    """The box that a box covers once a matrix has been applied to it."""
    corners = [transform_point(matrix, x, y) for x in (box[0], box[2]) for y in (box[1], box[3])]
    return bounding_box(corners)


def bounding_box(points: list[tuple[float, float]]) -> Box:
    """The box around some points."""
    xs, ys = zip(*points, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def overlap(one: Box, other: Box) -> Box | None:
    """Intersection of two boxes; None where they share nothing. A line has its box, though it has no area."""
    box = max(one[0], other[0]), max(one[1], other[1]), min(one[2], other[2]), min(one[3], other[3])
    return box if box[0] <= box[2] and box[1] <= box[3] else None


def union_box(one: Box, other: Box) -> Box:
    """The box around two others."""
    return min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3])


def expand_box(box: Box, by: float) -> Box:
    """A box that reaches further on every side."""
    return box[0] - by, box[1] - by, box[2] + by, box[3] + by


def are_disjoint(one: Box, other: Box) -> bool:
    """Whether two boxes share nothing but an edge."""
    return one[2] <= other[0] or one[0] >= other[2] or one[3] <= other[1] or one[1] >= other[3]


def is_outside(box: Box, of: Box) -> bool:
    """Whether a box lies wholly outside another, which it may touch."""
    left, top, right, bottom = expand_box(of, -TOUCH)
    return box[2] <= left or box[0] >= right or box[3] <= top or box[1] >= bottom


def overhang(box: Box, of: Box) -> dict[str, float]:
    """Distances by which a box reaches beyond another, by side, in mm."""
    sides = ("on the left", "at the top", "on the right", "at the bottom")
    return dict(zip(sides, (of[0] - box[0], of[1] - box[1], box[2] - of[2], box[3] - of[3]), strict=True))
