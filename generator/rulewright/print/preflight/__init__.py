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

from rulewright.model import faults
from rulewright.print.preflight.promise import Promise as Promise
from rulewright.source.problems import Kind, Place, Problem

FOREIGN = "Rulewright did not print it as it is, so it is not looked at"


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault of a PDF, at mm from the left and the top of the trim; those of one `subject` are told once."""

    kind: Kind
    message: str
    page: int | None = None
    at: tuple[float, float] | None = None
    subject: str = ""

    @property
    def where(self) -> str:
        """The page and the position in words; empty where a fault is one of the whole file."""
        at = f", {self.at[0]:.1f} mm from the left and {self.at[1]:.1f} mm from the top" if self.at else ""
        return f"page {self.page}{at}" if self.page else ""

    def problem(self, place: Place) -> Problem:
        words = f"{self.where}: {self.message}" if self.where else self.message
        return self.kind.at(place, words, f"page {self.page}" if self.page else "")


class CheckResult(NamedTuple):
    """A check, and what it looked at."""

    name: str
    passed: bool
    seen: str


@dataclass(slots=True)
class Report:
    """Findings and checks of one PDF."""

    place: Place
    findings: list[Finding] = field(default_factory=list)
    checks: list[CheckResult] = field(default_factory=list)

    @property
    def problems(self) -> list[Problem]:
        return [finding.problem(self.place) for finding in self.findings]

    def check(self, name: str, found: Iterable[Finding], seen: str = "") -> None:
        """Record one check with what it found, in the order of the pages; what is alike on a page once."""
        alike: dict[tuple[str, int, str], list[Finding]] = {}
        for finding in found:
            alike.setdefault((finding.kind.code, finding.page or 0, finding.subject), []).append(finding)
        for first, *more in sorted(alike.values(), key=lambda one: one[0].page or 0):
            told = f" (and {len(more)} more like it on this page)" if more else ""
            self.findings.append(replace(first, message=f"{first.message}{told}"))
        self.checks.append(CheckResult(name, not alike, seen))


def run(pdf: bytes, place: Place) -> Report:
    """Check a PDF against its promise. `place`: what its problems are reported at, a sheet or a PDF."""
    import pikepdf
    import pypdfium2

    from rulewright.print.pdf_objects import PROMISE, entry
    from rulewright.print.preflight.checks import CHECKS
    from rulewright.print.preflight.document import PdfDocument

    report = Report(place)
    try:
        with pikepdf.open(BytesIO(pdf)) as opened, pypdfium2.PdfDocument(pdf) as drawn:
            if not (written := entry(opened.trailer, "/Info", PROMISE)):
                report.check("printed by Rulewright", [Finding(faults.FOREIGN, FOREIGN)])
                return report
            document = PdfDocument(opened, drawn, Promise(**json.loads(str(written))))
            for name, find, seen in CHECKS:
                report.check(name, find(document), seen(document))
    except Exception as error:  # what is edited by hand may hold anything; what was seen until here is told
        return unreadable(place, error, report)
    return report


def unreadable(place: Place, error: Exception, report: Report | None = None) -> Report:
    """The report on a PDF whose reading ends with an error; with a `report`, on what was seen before."""
    report = report or Report(place)
    said = f"it cannot be read: {str(error).rpartition(': ')[2] or type(error).__name__}"
    report.check("can be read", [Finding(faults.UNREADABLE, said)])
    return report
