"""The promise that each PDF holds that we print."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class Promise:
    """The promise of a sheet or a book. Lengths are in mm, sizes of type in points.

    `pages`: how many, where it is a certain number. `ink`: colour or black; `inks`: the spot inks that may be
    printed with. `drawn`: the smallest size of letters in drawings. `folds`: how far the folds are from the
    left edge for each page, again from the first beyond the last. `resolution`: the least of pictures, where
    it is known. `pdfx`: 0 or 4.
    """

    trim: tuple[float, float]
    families: tuple[str, ...]
    smallest: float
    drawn: float
    hairline: float
    bleed: float = 0.0
    marks: bool = False
    ink: str = "colour"
    inks: tuple[str, ...] = ()
    pages: int | None = None
    folds: tuple[tuple[float, ...], ...] = ()
    resolution: float | None = 300.0
    pdfx: int = 0

    def written(self) -> str:
        return json.dumps(asdict(self))
