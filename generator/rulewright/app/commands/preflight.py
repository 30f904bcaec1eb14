"""Say whether a PDF is fit for the printer, and all that was looked at.

It may be our own or any other. What is not asked for is not demanded; colours are held to the process inks.
Ends with 1 where a PDF is not fit.

example:
  rulewright preflight card.pdf --trim a4 --bleed 3mm --ink black --pages 2 --min-type 7.5 --fold 105mm
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from rulewright.app.measures import length_of, paper_named, points_of
from rulewright.app.registry import OneOf, command, flag, formats, has_colour
from rulewright.model.paper import Paper
from rulewright.source.problems import Place
from rulewright.source.refusal import Refusal

NEEDS = 'preflight needs what prints sheets; to install it: pip install "rulewright[pdf]"'
INKS = ("colour", "black", "any")


def _folds(written: str) -> tuple[tuple[float, ...], ...]:
    return tuple(
        tuple(length_of(one) for one in page.split(",") if one.strip()) for page in written.split("/")
    )


@command
@click.argument("files", metavar="FILE...", nargs=-1, required=True, help="a PDF")
@click.option(
    "--trim",
    type=paper_named,
    metavar="SIZE",
    help="a4, letter landscape, 148x210mm: its size once it is cut",
)
@click.option(
    "--bleed",
    type=length_of,
    metavar="LENGTH",
    help="3mm or 1/8in: how far the bleed reaches beyond the trim",
)
@click.option("--marks/--no-marks", default=None, help="that it has crop marks, or none")
@click.option(
    "--ink", type=OneOf(INKS), metavar="INK", default="colour", help="colour (the default), black or any"
)
@click.option("--pages", type=int, metavar="N", help="how many pages it has")
@click.option(
    "--min-type", "smallest", type=points_of, metavar="SIZE", help="7.5: the smallest size of type, in points"
)
@click.option(
    "--margin",
    type=length_of,
    default="3mm",
    metavar="LENGTH",
    help="how far text stays inside the trim; 3mm",
)
@click.option(
    "--fold",
    "folds",
    type=_folds,
    default="",
    metavar="LENGTHS",
    help="105mm or 97mm,197mm: how far the folds are from the left edge; 97mm,197mm/100mm,200mm by page",
)
@click.option(
    "--dpi",
    "resolution",
    type=float,
    default=300.0,
    metavar="N",
    help="the lowest resolution of a picture; 300",
)
@click.option(
    "--font", multiple=True, metavar="FAMILY", help="a font family it may use, and no other that is not named"
)
@click.option("--spot", multiple=True, metavar="INK", help="a spot ink that it may be printed with")
@click.option(
    "--pdfx", type=click.IntRange(1, 4), metavar="N", help="1, 3 or 4: the part of PDF/X that it has to keep"
)
@click.option("--title", help="its title")
@click.option("--language", help="its language, such as en")
@flag("--bookmarks", help="that it has bookmarks")
@flag(
    "--ua", help="that readers with other programs can use it: what PDF/UA-1 asks for and a program can see"
)
@formats(("text", "json"))
def run(
    files: Sequence[str],
    trim: Paper | None,
    ink: str,
    font: Sequence[str],
    spot: Sequence[str],
    ua: bool,
    form: str,
    **wanted: Any,
) -> int:
    """Print what was found and what was looked at. Raises Refusal where what prints is not installed."""
    from rulewright.model.reports import as_json
    from rulewright.print.preflight import Expected
    from rulewright.print.preflight import run as preflight

    pdfs = [(name, Path(name).read_bytes()) for name in files]
    families = frozenset(font) if font else None
    expected = Expected(
        trim=(trim.width, trim.height) if trim else None,
        ink=None if ink == "any" else ink,
        families=families,
        tagged=ua,
        inks=frozenset(spot),
        **wanted,
    )
    try:
        reports = [preflight(pdf, expected, Place(name)) for name, pdf in pdfs]
    except ModuleNotFoundError as error:
        raise Refusal(NEEDS) from error
    from rulewright.print.preflight.preflight_report import data, text

    if form == "json":
        sys.stdout.write(as_json([data(report) for report in reports]))
    for report in reports if form == "text" else ():
        sys.stdout.write(text(report, colour=has_colour(sys.stdout)))
    return 1 if any(report.fails for report in reports) else 0
