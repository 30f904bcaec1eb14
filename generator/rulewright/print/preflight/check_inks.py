"""Checks of the inks of a page, and of the resolution of its pictures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.model import faults
from rulewright.print.preflight.check import Check, PdfDocument, collect
from rulewright.print.preflight.colour import Colour
from rulewright.print.preflight.expected import Expected
from rulewright.print.preflight.geometry import corner
from rulewright.print.preflight.paint import Picture, Shape, Text, described
from rulewright.print.preflight.report import Finding
from rulewright.source.problems import shown

CHECKS: list[Check] = []
check = collect(CHECKS)

MOST_TONES = 0.995
"""Share of the resolution asked for that a picture must have: sizes are rounded."""


def _inks_asked(expected: Expected) -> bool:
    return expected.ink is not None


def _models_seen(document: PdfDocument) -> str:
    items = (item for painting in document.paintings for item in painting.everything())
    return ", ".join(sorted({colour.model for item in items for colour in item.colours}))


@check("process inks only", asked=_inks_asked, seen=_models_seen)
def process(document: PdfDocument) -> Iterator[Finding]:
    """Colours that are not in the process inks."""
    for number, painting in enumerate(document.paintings, 1):
        for item in painting.everything():
            for colour in _seen(item):
                if colour.model in ("rgb", "lab"):
                    message = f"{described(item)} is in {colour}; write it in CMYK"
                    yield Finding(faults.RGB, message, number, corner(item.box), f"{colour}{type(item)}")
                for spot in colour.spots:
                    message = f"{described(item)} asks for the spot ink {shown(spot)}; use the process inks"
                    yield Finding(faults.SPOT, message, number, corner(item.box), spot)
        if painting.blending & {"rgb", "lab"}:
            message = "transparent things are blended in RGB, which turns pure black into four inks"
            yield Finding(
                faults.RGB,
                f"{message}; give the group a CMYK space, or do without transparency",
                number,
            )


@check("black text in black alone", asked=_inks_asked)
def pure(document: PdfDocument) -> Iterator[Finding]:
    """Black text that is not in black alone."""
    for number, painting in enumerate(document.paintings, 1):
        for text in painting.texts:
            for colour in _seen(text):
                if colour.rich:
                    message = f"{shown(text.words)} is set in {colour}; black text takes K 100 alone"
                    yield Finding(faults.RICH, message, number, corner(text.box), str(colour))


@check("no cyan, magenta or yellow", asked=lambda expected: expected.ink == "black")
def black(document: PdfDocument) -> Iterator[Finding]:
    """Colour on a sheet for black alone."""
    for number, painting in enumerate(document.paintings, 1):
        for item in painting.everything():
            for colour in _seen(item):
                if colour.coloured:
                    message = f"{described(item)} is in {colour}; this sheet is for black alone"
                    yield Finding(faults.COLOUR, message, number, corner(item.box), str(colour))


def _resolution_seen(document: PdfDocument) -> str:
    found = [picture.resolution for picture in document.pictures]
    return f"{min(found):.0f} dpi" if found else ""


@check(
    "pictures",
    asked=lambda expected: expected.resolution is not None,
    of=lambda document: document.pictures,
    seen=_resolution_seen,
)
def pictures(document: PdfDocument) -> Iterator[Finding]:
    """Pictures with too few pixels for their size."""
    least = document.expected.resolution or 0.0
    for number, painting in enumerate(document.paintings, 1):
        for picture in painting.pictures:
            if picture.resolution < least * MOST_TONES:
                width, height = picture.pixels
                message = f"a picture of {width} x {height} pixels is printed at {picture.resolution:.0f} dpi"
                message += f"; it needs {least:g}, so make it smaller or use a larger file"
                yield Finding(faults.COARSE, message, number, corner(picture.box), f"{picture.pixels}")


def _seen(item: Text | Shape | Picture) -> Sequence[Colour]:
    return () if isinstance(item, Text) and not item.visible else item.colours
