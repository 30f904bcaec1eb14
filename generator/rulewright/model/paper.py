"""Paper: its sizes, lengths as people write them, and where a folded sheet is folded.

Lengths are in millimetres unless a name says otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

MM = {"mm": 1.0, "cm": 10.0, "in": 25.4, '"': 25.4, "pt": 25.4 / 72}
"""How many millimetres a unit has. A point is that of PostScript, 72 to the inch."""

_AMOUNT = r"(\d{1,9}(?:\.\d{1,9})?(?:\s*/\s*\d{1,9})?|\d{1,9}\s+\d{1,9}\s*/\s*\d{1,9})"
_LENGTH = re.compile(rf"{_AMOUNT}\s*(mm|cm|in|pt|\")?")
_SIZE = re.compile(rf"{_AMOUNT}\s*(mm|cm|in|pt|\")?\s*[x×]\s*{_AMOUNT}\s*(mm|cm|in|pt|\")")


@dataclass(frozen=True, slots=True)
class Paper:
    """A size of paper, `width` and `height` in mm, as it stands before the reader.

    `way`: portrait or landscape, where whoever named it said so.
    """

    name: str
    width: float
    height: float
    way: str = ""

    def turned(self, orientation: str) -> Paper:
        """This paper in portrait or landscape."""
        short, long = sorted((self.width, self.height))
        return Paper(self.name, *((long, short) if orientation == "landscape" else (short, long)))


PAPERS: Mapping[str, Paper] = {
    paper.name: paper
    for paper in (
        Paper("letter", 215.9, 279.4),  # ANSI/ASME Y14.1, in inches 8.5 x 11
        Paper("legal", 215.9, 355.6),
        Paper("tabloid", 279.4, 431.8),
        Paper("a3", 297, 420),  # ISO 216
        Paper("a4", 210, 297),
        Paper("a5", 148, 210),
    )
}

PANELS: Mapping[str, tuple[str, ...]] = {
    "bi-fold": ("back", "front", "inside left", "inside right"),
    "tri-fold": ("flap", "back", "front", "inside left", "inside middle", "inside right"),
}
"""The panels of a folded sheet from left to right, first of the outside and then of the inside."""

TUCK = 1.5
"""How much narrower the panel of a tri-fold that is folded in is, in mm, so that it does not buckle."""


def length(text: str) -> float | None:
    """A length such as `3 mm`, `1/8 in` or `0` in millimetres; None where it is none."""
    m = _LENGTH.fullmatch(text.strip().lower())
    if not m:
        return None
    amount = _amount(m[1])
    return None if amount is None or (not m[2] and amount) else amount * MM[m[2] or "mm"]


def points(text: str) -> float | None:
    """A size of type such as `7.5 pt` in points; a bare number is one in points."""
    written = f"{text.strip()} pt" if re.fullmatch(r"[\d.]+", text.strip()) else text
    in_mm = length(written)
    return None if in_mm is None else in_mm / MM["pt"]


WAYS = ("portrait", "landscape")


def paper_of(text: str) -> Paper | None:
    """The paper of a name (`a4`, `letter landscape`) or of two lengths, width first (`148 x 210 mm`).

    None for anything else.
    """
    name = " ".join(text.lower().split())
    named, _, way = name.rpartition(" ")
    if way in WAYS:
        lying = paper_of(named)
        return replace(lying.turned(way), way=way) if lying and not lying.way else None
    if name in PAPERS:
        return PAPERS[name]
    m = _SIZE.fullmatch(name)
    width, height = (_amount(m[1]), _amount(m[3])) if m else (None, None)
    if not m or not width or not height:
        return None
    return Paper(name, width * MM[m[2] or m[4]], height * MM[m[4]])


def folds(fold: str, paper: Paper) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Where a sheet is folded: the distances from the left edge, on its outside and on its inside."""
    if fold == "bi-fold":
        return (paper.width / 2,), (paper.width / 2,)
    if fold == "tri-fold":
        panel = (paper.width + TUCK) / 3
        flap = panel - TUCK
        return (flap, flap + panel), (panel, 2 * panel)
    return (), ()


def panel_widths(fold: str, paper: Paper) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """How wide the panels are, from left to right, on the outside and on the inside."""
    outside, inside = folds(fold, paper)

    def between(at: tuple[float, ...]) -> tuple[float, ...]:
        edges = (0.0, *at, paper.width)
        return tuple(right - left for left, right in pairwise(edges))

    return between(outside), between(inside)


def _amount(text: str) -> float | None:
    try:
        return float(sum(Fraction(part.replace(" ", "")) for part in re.split(r"\s+(?=\d+\s*/)", text)))
    except (ValueError, ZeroDivisionError):
        return None
