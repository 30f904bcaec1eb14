"""Say whether PDFs that Rulewright printed keep what they promise, and all that was looked at.

Size, bleed, folds, inks, type and the rest stand in each file. Ends with 1 where one is not fit; a PDF that
was made otherwise is not looked at: a printer's own preflight, or Acrobat's, judges those.

example:
  rulewright preflight print/ember-coast/2.1/aids/combat.pdf
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from rulewright.app.registry import command, formats, has_colour
from rulewright.source.problems import Place
from rulewright.source.refusal import Refusal

NEEDS = 'preflight needs what prints sheets; to install it: pip install "rulewright[pdf]"'


@command
@click.argument("files", metavar="FILE...", nargs=-1, required=True, help="a PDF that was printed here")
@formats(("text", "json"))
def run(files: Sequence[str], form: str) -> int:
    """Print what was found and what was looked at. Raises Refusal where what prints is not installed."""
    from rulewright.model.reports import as_json
    from rulewright.print.preflight import run as preflight

    pdfs = [(name, Path(name).read_bytes()) for name in files]
    try:
        reports = [preflight(pdf, None, Place(name)) for name, pdf in pdfs]
    except ModuleNotFoundError as error:
        raise Refusal(NEEDS) from error
    from rulewright.print.preflight.preflight_report import data, text

    if form == "json":
        sys.stdout.write(as_json([data(report) for report in reports]))
    for report in reports if form == "text" else ():
        sys.stdout.write(text(report, colour=has_colour(sys.stdout)))
    return 1 if any(report.fails for report in reports) else 0
