"""`rulewright preflight`: whether a PDF is fit for the printer, by reading it anew."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from rulewright.app.commands import Usage, has_colour, one_of
from rulewright.model.paper import PAPERS, length, paper_of, points
from rulewright.print.preflight.expected import INKS, Expected
from rulewright.source.problems import Place, did_you_mean

NEEDS = 'preflight needs what prints sheets; to install it: pip install "rulewright[pdf]"'
DESCRIPTION = """Say whether PDFs, our own or any other, are fit for the printer, and all that was
looked at. What is not asked for is not demanded; colours are held to the process inks."""

NEEDS_PROJECT = False


def options(parser: argparse.ArgumentParser) -> None:
    parser.description = " ".join(DESCRIPTION.split())
    parser.epilog = (
        "example:\n  rulewright preflight card.pdf --trim a4 --bleed 3mm --ink black --pages 2 "
        "--min-type 7.5 --fold 105mm"
    )
    add = parser.add_argument
    add("files", metavar="FILE", nargs="+", help="a PDF")
    add("--trim", type=_trim, metavar="SIZE", help="a4, letter landscape, 148x210mm: its size once it is cut")
    add(
        "--bleed",
        type=_length,
        metavar="LENGTH",
        help="3mm or 1/8in: how far the bleed reaches beyond the trim",
    )
    add("--marks", action=argparse.BooleanOptionalAction, help="that it has crop marks, or none")
    add("--ink", type=one_of([*INKS, "any"]), default="colour", help="colour (the default), black or any")
    add("--pages", type=int, metavar="N", help="how many pages it has")
    add("--min-type", type=_points, metavar="SIZE", help="7.5: the smallest size of type, in points")
    add(
        "--margin",
        type=_length,
        default=3.0,
        metavar="LENGTH",
        help="how far text stays inside the trim; 3mm",
    )
    add(
        "--fold", type=_folds, default=(), metavar="LENGTHS",
        help="105mm or 97mm,197mm: how far the folds are from the left edge; 97mm,197mm/100mm,200mm by page",
    )  # fmt: skip
    add("--dpi", type=float, default=300.0, metavar="N", help="the lowest resolution of a picture; 300")
    add(
        "--font",
        action="append",
        metavar="FAMILY",
        help="a font family it may use, and no other that is not named",
    )
    add("--title", help="its title")
    add("--language", help="its language, such as en")
    add("--bookmarks", action="store_true", help="that it has bookmarks")
    add(
        "--ua",
        action="store_true",
        help="that it is PDF/UA-1; lists every condition of the Matterhorn Protocol",
    )
    add("--format", type=one_of(("text", "json")), default="text", help="text (the default) or json")


def run(arguments: argparse.Namespace) -> int:
    """Print what was found and what was looked at. 1 where a PDF is not fit."""
    from rulewright.print.preflight import run as preflight

    files = [(name, Path(name).read_bytes()) for name in arguments.files]
    expected = _expected(arguments)
    try:
        reports = [preflight(pdf, expected, Place(name)) for name, pdf in files]
    except ModuleNotFoundError as error:
        raise Usage(NEEDS) from error
    from rulewright.model.reports import as_json
    from rulewright.print.preflight.report import data, text

    if arguments.format == "json":
        sys.stdout.write(as_json([data(report) for report in reports]))
    else:
        coloured = has_colour(sys.stdout)
        for report in reports:
            sys.stdout.write(text(report, conditions=arguments.ua, colour=coloured))
    return 1 if any(report.fails for report in reports) else 0


def _expected(arguments: argparse.Namespace) -> Expected:
    return Expected(
        pages=arguments.pages,
        trim=arguments.trim,
        bleed=arguments.bleed,
        marks=arguments.marks,
        ink=None if arguments.ink == "any" else arguments.ink,
        smallest=arguments.min_type,
        margin=arguments.margin,
        folds=arguments.fold,
        resolution=arguments.dpi,
        families=frozenset(arguments.font) if arguments.font else None,
        title=arguments.title,
        language=arguments.language,
        bookmarks=arguments.bookmarks,
        tagged=arguments.ua,
    )


def _by(read: Callable[[str], float | None], wanted: str) -> Callable[[str], float]:
    """A type of argument: a length, by what reads it."""

    def value(written: str) -> float:
        found = read(written)
        if found is None:
            raise argparse.ArgumentTypeError(f"{written} is no {wanted}")
        return found

    return value


_length = _by(length, "length; write 3mm or 1/8in")
_points = _by(points, "size of type; write it in points, such as 7.5")


def _trim(written: str) -> tuple[float, float]:
    name, _, way = written.strip().lower().rpartition(" ")
    turned = way if way in ("portrait", "landscape") else ""
    paper = paper_of(name if turned else written)
    if paper is None:
        hint = did_you_mean(written, PAPERS)
        raise argparse.ArgumentTypeError(
            f"there is no paper {written}{hint or '; write two lengths: 148x210mm'}"
        )
    paper = paper.turned(turned) if turned else paper
    return paper.width, paper.height


def _folds(written: str) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(_length(one) for one in page.split(",") if one.strip()) for page in written.split("/"))
