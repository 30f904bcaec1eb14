"""The promise that each PDF holds that we print."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class PrintSpec:
    """The promise of a sheet or a book. Lengths are in mm, sizes of type in points.

    `pages`: how many, where it is a certain number. `drawn`: the smallest size of letters in drawings.
    `resolution`: the least of pictures, where it is known.
    """

    trim: tuple[float, float]
    families: tuple[str, ...]
    smallest: float
    drawn: float
    hairline: float
    bleed: float = 0.0
    pages: int | None = None
    resolution: float | None = 300.0

    def to_json(self) -> str:
        return json.dumps(asdict(self))
