"""Bleed and crop marks, around the trimmed page."""

from __future__ import annotations

from dataclasses import dataclass

SLUG = 8.0
"""Distance that the paper reaches beyond the bleed where there are crop marks, in mm."""

MARK_GAP, MARK_LENGTH, HAIRLINE = 2.0, 5.0, 0.25
"""Crop marks: how far from the bleed they begin and how long they are, in mm; how thick, in points."""


@dataclass(frozen=True, slots=True)
class Edges:
    """Bleed in mm, and whether crop marks are drawn; `black` draws them with black alone."""

    bleed: float = 0.0
    marks: bool = False
    black: bool = False

    @property
    def around(self) -> float:
        """Distance that the paper reaches beyond the trim, in mm."""
        return self.bleed + (SLUG if self.marks else 0)


def crop_marks(trim: list[float], edges: Edges) -> bytes:
    """Two strokes at each corner of the trim, outside the bleed; in all inks unless only black is printed."""
    unit = 72 / 25.4
    near, far = (edges.bleed + MARK_GAP) * unit, (edges.bleed + MARK_GAP + MARK_LENGTH) * unit
    left, bottom, right, top = trim
    strokes = [
        (x + out * near, y, x + out * far, y) for x, out in ((left, -1), (right, 1)) for y in (bottom, top)
    ]
    strokes += [
        (x, y + out * near, x, y + out * far) for y, out in ((bottom, -1), (top, 1)) for x in (left, right)
    ]
    ink = "0 0 0 1 K" if edges.black else "1 1 1 1 K"
    lines = (f"{x1:.3f} {y1:.3f} m {x2:.3f} {y2:.3f} l S" for x1, y1, x2, y2 in strokes)
    return " ".join(("/Artifact BMC q", f"{HAIRLINE} w", ink, *lines, "Q EMC")).encode("ascii")
