"""Preflight: holds a PDF that we printed against the promise that it holds, in the build and as a command.

The file is read anew: what stands where is measured by PDFium, which had no part in making it; inks are
read with pikepdf. `run` is the whole of it; `Promise` says what is promised.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from io import BytesIO
from typing import NamedTuple

from rulewright.files.problems import Problem, ProblemType, SourceLocation
from rulewright.print.preflight.print_spec import PrintSpec as PrintSpec
from rulewright.schema import preflight_problems

FOREIGN = "Rulewright did not print it as it is, so it is not looked at"


@dataclass(frozen=True, slots=True)
class PreflightFinding:
    """A fault of a PDF, at mm from the left and the top of the trim; those of one `subject` are told once."""

    kind: ProblemType
    message: str
    page: int | None = None
    position: tuple[float, float] | None = None
    subject: str = ""

    @property
    def position_text(self) -> str:
        """The page and the position in words; empty where a fault is one of the whole file."""
        at = (
            f", {self.position[0]:.1f} mm from the left and {self.position[1]:.1f} mm from the top"
            if self.position
            else ""
        )
        return f"page {self.page}{at}" if self.page else ""

    def problem(self, place: SourceLocation) -> Problem:
        words = f"{self.position_text}: {self.message}" if self.position_text else self.message
        return self.kind.problem(place, words, f"page {self.page}" if self.page else "")


class CheckResult(NamedTuple):
    """A check, and what it looked at."""

    name: str
    passed: bool
    examined: str


@dataclass(slots=True)
class PreflightReport:
    """Findings and checks of one PDF."""

    place: SourceLocation
    findings: list[PreflightFinding] = field(default_factory=list)
    checks: list[CheckResult] = field(default_factory=list)

    @property
    def problems(self) -> list[Problem]:
        return [finding.problem(self.place) for finding in self.findings]

    def check(self, name: str, found: Iterable[PreflightFinding], seen: str = "") -> None:
        """Record one check with what it found, in the order of the pages; what is alike on a page once."""
        alike: dict[tuple[str, int, str], list[PreflightFinding]] = {}
        for finding in found:
            alike.setdefault((finding.kind.code, finding.page or 0, finding.subject), []).append(finding)
        for first, *more in sorted(alike.values(), key=lambda one: one[0].page or 0):
            told = f" (and {len(more)} more like it on this page)" if more else ""
            self.findings.append(replace(first, message=f"{first.message}{told}"))
        self.checks.append(CheckResult(name, not alike, seen))


def run_preflight(pdf: bytes, place: SourceLocation) -> PreflightReport:
    """Check a PDF against its promise. `place`: what its problems are reported at, a sheet or a PDF."""
    import pikepdf
    import pypdfium2

    from rulewright.print.pdf_objects import PROMISE, dictionary_value
    from rulewright.print.preflight.checks import CHECKS
    from rulewright.print.preflight.preflight_document import PdfDocument

    report = PreflightReport(place)
    try:
        with pikepdf.open(BytesIO(pdf)) as opened, pypdfium2.PdfDocument(pdf) as drawn:
            if not (written := dictionary_value(opened.trailer, "/Info", PROMISE)):
                report.check("printed by Rulewright", [PreflightFinding(preflight_problems.FOREIGN, FOREIGN)])
                return report
            document = PdfDocument(opened, drawn, PrintSpec(**json.loads(str(written))))
            for name, find, seen in CHECKS:
                report.check(name, find(document), seen(document))
    except Exception as error:  # what is edited by hand may hold anything; what was seen until here is told
        return unreadable_report(place, error, report)
    return report


def unreadable_report(
    place: SourceLocation, error: Exception, report: PreflightReport | None = None
) -> PreflightReport:
    """The report on a PDF whose reading ends with an error; with a `report`, on what was seen before."""
    report = report or PreflightReport(place)
    said = f"it cannot be read: {str(error).rpartition(': ')[2] or type(error).__name__}"
    report.check("can be read", [PreflightFinding(preflight_problems.UNREADABLE, said)])
    return report
