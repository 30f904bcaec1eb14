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
    """Size of paper in mm, as it is held.

    `orientation`: portrait or landscape, if given.
    """

    name: str
    width: float
    height: float
    orientation: str = ""

    def turned(self, orientation: str) -> Paper:
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
    "gate-fold": ("right door", "back", "left door", "inside left", "inside middle", "inside right"),
    "screen": (
        *(f"outside {number}" for number in range(1, 5)),
        *(f"inside {number}" for number in range(1, 5)),
    ),
}
"""The panels of a folded sheet from left to right, first of the outside and then of the inside."""

FRONT: Mapping[str, int] = {"bi-fold": 1, "tri-fold": 2, "gate-fold": 2, "screen": 0}
"""The panel that is read first, which bears the title: in the order of those of the outside."""

TUCK = 1.5
"""How much narrower a panel that is folded in is, in mm, so that it does not buckle."""

CARDS: Mapping[str, Paper] = {
    paper.name: paper
    for paper in (
        Paper("poker", 63, 88),
        Paper("bridge", 57, 88),
        Paper("mini", 44, 67),
        Paper("square", 70, 70),
        Paper("tarot", 70, 120),
    )
}
"""Usual sizes of cards, as games are sold with them."""


def parse_length(text: str) -> float | None:
    """Return a length such as `3 mm`, `1/8 in` or `0` in millimetres; None if it is none."""
    m = _LENGTH.fullmatch(text.strip().lower())
    if not m:
        return None
    amount = _amount(m[1])
    return None if amount is None or (not m[2] and amount) else amount * MM[m[2] or "mm"]


def parse_points(text: str) -> float | None:
    """Return a size of type such as `7.5 pt` in points; a bare number is one in points."""
    points_text = f"{text.strip()} pt" if re.fullmatch(r"[\d.]+", text.strip()) else text
    in_mm = parse_length(points_text)
    return None if in_mm is None else in_mm / MM["pt"]


WAYS = ("portrait", "landscape")


def parse_paper(text: str) -> Paper | None:
    """Return the paper of a name or of two lengths, width first, and perhaps the way it lies: `a4`, `letter
    landscape`, `148 x 210 mm`. None for anything else.
    """
    words = text.lower().replace(",", " ").split()
    size = " ".join(word for word in words if word not in WAYS)
    orientations = [word for word in words if word in WAYS]
    paper = PAPERS.get(size) or _measured_paper(size)
    if paper is None or len(orientations) > 1:
        return None
    return replace(paper.turned(orientations[0]), orientation=orientations[0]) if orientations else paper


def _measured_paper(size: str) -> Paper | None:
    m = _SIZE.fullmatch(size)
    width, height = (_amount(m[1]), _amount(m[3])) if m else (None, None)
    if not m or not width or not height:
        return None
    return Paper(size, width * MM[m[2] or m[4]], height * MM[m[4]])


def fold_positions(fold: str, paper: Paper) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return the folds of a sheet as distances from the left edge, on its outside and its inside."""
    if fold == "bi-fold":
        return (paper.width / 2,), (paper.width / 2,)
    if fold == "tri-fold":
        panel = (paper.width + TUCK) / 3
        flap = panel - TUCK
        return (flap, flap + panel), (panel, 2 * panel)
    if fold == "gate-fold":
        flap = (paper.width - 2 * TUCK) / 4
        return ((flap, paper.width - flap),) * 2
    if fold == "screen":
        return (tuple(paper.width * quarter / 4 for quarter in (1, 2, 3)),) * 2
    return (), ()


def panel_widths(fold: str, paper: Paper) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return the widths of the panels from left to right, on the outside and on the inside."""
    outside, inside = fold_positions(fold, paper)

    def widths(positions: tuple[float, ...]) -> tuple[float, ...]:
        edges = (0.0, *positions, paper.width)
        return tuple(right - left for left, right in pairwise(edges))

    return widths(outside), widths(inside)


def _amount(text: str) -> float | None:
    try:
        return float(sum(Fraction(part.replace(" ", "")) for part in re.split(r"\s+(?=\d+\s*/)", text)))
    except (ValueError, ZeroDivisionError):
        return None
