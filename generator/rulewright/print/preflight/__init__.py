"""Preflight: checks a finished PDF against what it promises, in the build and for `rulewright preflight`.

The PDF is read anew with tools that had no part in making it. Nothing is written, and nothing is raised:
what cannot be read is a finding. `run` is the whole of it; `Expected` says what is promised.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from typing import Any

from rulewright.print.preflight.preflight_report import Report
from rulewright.source.problems import Place


@dataclass(frozen=True, slots=True)
class Expected:
    """The promises of a sheet. Lengths are in mm, sizes of type in points; None promises nothing.

    `trim`: width and height as the page is read. `bleed`: how far the bleed reaches beyond the trim.
    `drawn`: the smallest size of letters in drawings, such as counters; where it is None, `smallest`.
    `ink`: colour (the four process inks, no other) or black (black alone).
    `folds`: the distances of the folds from the left edge, for each page; pages beyond the last start
    again with the first, so that one entry serves all pages and two serve front and back.
    `families`: the only font families that may be seen.
    `targets`: every address that a link may lead to; links inside the PDF are always followed.
    `linked`: the addresses that must be linked at least once.
    `inks`: the spot inks that may be printed with. `heaviest`: the most ink in one place, in percent.
    `hairline`: the thinnest line, in points. `pdfx`: the part of PDF/X that it has to keep, 1, 3 or 4; what
    a file says of itself is held to in any case.
    """

    pages: int | None = None
    trim: tuple[float, float] | None = None
    bleed: float | None = None
    marks: bool | None = None
    ink: str | None = "colour"
    smallest: float | None = None
    drawn: float | None = None
    margin: float | None = 3.0
    folds: tuple[tuple[float, ...], ...] = ()
    off_fold: float = 5.0
    resolution: float | None = 300.0
    families: frozenset[str] | None = None
    title: str | None = None
    language: str | None = None
    targets: frozenset[str] | None = None
    linked: frozenset[str] = frozenset()
    bookmarks: bool = False
    tagged: bool = False
    inks: frozenset[str] = frozenset()
    heaviest: float | None = 300.0
    hairline: float | None = 0.25
    pdfx: int | None = None

    def written(self) -> str:
        """The promises as a PDF holds them."""
        own = {field.name: getattr(self, field.name) for field in fields(self)}
        return json.dumps(
            {key: sorted(value) if isinstance(value, frozenset) else value for key, value in own.items()}
        )

    @classmethod
    def read(cls, written: str) -> Expected:
        """The promises that a PDF holds. Raises ValueError where they are none."""
        own: dict[str, Any] = json.loads(written)
        own["folds"] = tuple(tuple(page) for page in own["folds"])
        for key in ("families", "targets", "linked", "inks"):
            own[key] = own[key] if own[key] is None else frozenset(own[key])
        return cls(**own)


PROMISE = "/Rulewright"
"""The entry of a PDF's information in which its promises stand."""


def run(pdf: bytes, expected: Expected | None, place: Place) -> Report:
    """Check a PDF against what is expected of it, and report the findings and every check made.

    Where nothing is named, what stands in the PDF itself is. `place`: what its problems are reported at, a
    sheet's file or the PDF itself.
    """
    from rulewright.print.preflight.inspection import examine

    return examine(pdf, expected, place)


__all__ = ["PROMISE", "Expected", "Report", "run"]
