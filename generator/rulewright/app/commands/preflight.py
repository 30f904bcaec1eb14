"""Check PDFs printed by Rulewright for the press and list every check.

Each file contains its print spec: size, bleed, type and more. PDFs of other programs have none; check them
with the preflight of your printer or of Acrobat.

Exit codes: 0 all files fit, 1 a file does not, 2 wrong usage.

example:
  rulewright preflight print/ember-coast/2.1/aids/combat.pdf
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulewright.app.command_registry import command, has_colour
from rulewright.files.errors import UserError
from rulewright.files.problems import SourceLocation
from rulewright.files.worker_processes import run_sandboxed
from rulewright.schema.problem_reports import plural, single_line

if TYPE_CHECKING:
    from rulewright.print.pdf_preflight import PreflightReport


@command
@click.argument("files", metavar="FILE...", nargs=-1, required=True, help="PDF printed by Rulewright")
def run(files: Sequence[str]) -> int:
    """Print findings and checks of each file. Raises UserError if the extra [pdf] is not installed."""
    from rulewright.print.pdf_preflight import run_preflight as preflight
    from rulewright.print.typst_compiler import missing

    pdfs = [(name, Path(name).read_bytes()) for name in files]
    if needs := missing():
        raise UserError(needs)
    reports = [_report(preflight, pdf, SourceLocation(name)) for name, pdf in pdfs]
    for report in reports:
        sys.stdout.writelines(f"{line}\n" for line in _lines(report, has_colour(sys.stdout)))
    return 1 if any(report.findings for report in reports) else 0


def _report(
    preflight: Callable[[bytes, SourceLocation], PreflightReport], pdf: bytes, place: SourceLocation
) -> PreflightReport:
    """Check a PDF in a sandbox: it can come from anywhere."""
    from rulewright.print.pdf_preflight import unreadable_report

    try:
        return run_sandboxed(preflight, pdf, place, seconds=600)
    except ChildProcessError as error:
        return unreadable_report(place, error)


def _lines(report: PreflightReport, colour: bool) -> Iterator[str]:
    name = single_line(report.place.file)
    for finding in report.findings:
        severity = f"\x1b[31m{finding.kind.severity}\x1b[0m" if colour else f"{finding.kind.severity}"
        prefix = f"{name}: {finding.position_text}: " if finding.position_text else f"{name}: "
        yield f"{prefix}{severity}: {single_line(finding.message)} [{finding.kind.code}]"
    failed = plural(len(report.findings), "problem")
    yield f"{name}: {f'not fit, {failed}' if report.findings else 'fit for print'}"
    for check in report.checks:
        detail = f": {single_line(check.examined)}" if check.examined else ""
        yield f"  {'✓' if check.passed else '✗'} {check.name}{detail}"
