"""Say whether PDFs that Rulewright printed keep what they promise, and all that was looked at.

Size, bleed, type and the rest stand in each file. Ends with 1 where one is not fit; a PDF that
was made otherwise is not looked at: a printer's own preflight, or Acrobat's, judges those.

example:
  rulewright preflight print/ember-coast/2.1/aids/combat.pdf
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulewright.app.registry import command, has_colour
from rulewright.model.reports import in_one_line, several
from rulewright.source.problems import Place
from rulewright.source.processes import apart
from rulewright.source.refusal import Refusal

if TYPE_CHECKING:
    from rulewright.print.preflight import Report


@command
@click.argument("files", metavar="FILE...", nargs=-1, required=True, help="a PDF that was printed here")
def run(files: Sequence[str]) -> int:
    """Print what was found and what was looked at. Raises Refusal if the extra [pdf] is not installed."""
    from rulewright.print.preflight import run as preflight
    from rulewright.print.typesetting import missing

    pdfs = [(name, Path(name).read_bytes()) for name in files]
    if needs := missing():
        raise Refusal(needs)
    reports = [_report(preflight, pdf, Place(name)) for name, pdf in pdfs]
    for report in reports:
        sys.stdout.writelines(f"{line}\n" for line in _lines(report, has_colour(sys.stdout)))
    return 1 if any(report.findings for report in reports) else 0


def _report(preflight: Callable[[bytes, Place], Report], pdf: bytes, place: Place) -> Report:
    """The report on a PDF that may come from anywhere, and do any harm to what reads it."""
    from rulewright.print.preflight import unreadable

    try:
        return apart(preflight, pdf, place, seconds=600)
    except ChildProcessError as error:
        return unreadable(place, error)


def _lines(report: Report, colour: bool) -> Iterator[str]:
    name = in_one_line(report.place.file)
    for finding in report.findings:
        severity = f"\x1b[31m{finding.kind.severity}\x1b[0m" if colour else f"{finding.kind.severity}"
        where = f"{name}: {finding.where}: " if finding.where else f"{name}: "
        yield f"{where}{severity}: {in_one_line(finding.message)} [{finding.kind.code}]"
    failed = several(len(report.findings), "problem")
    yield f"{name}: {f'not fit, {failed}' if report.findings else 'it keeps its promise'}"
    for check in report.checks:
        seen = f": {in_one_line(check.seen)}" if check.seen else ""
        yield f"  {'✓' if check.passed else '✗'} {check.name}{seen}"
