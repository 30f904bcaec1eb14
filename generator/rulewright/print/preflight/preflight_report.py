"""The report of a preflight: its findings with page and position, the checks made, as text and as data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from rulewright.model.reports import in_one_line, several
from rulewright.source.problems import Kind, Place, Problem

PASSED, FAILED, ABSENT = "pass", "fail", "nothing to check"
SIGNS: Mapping[str, str] = {PASSED: "✓", FAILED: "✗", ABSENT: "–"}

_COLOURS = {"error": "\x1b[31m", "warning": "\x1b[33m", "note": "\x1b[36m"}
_PLAIN = "\x1b[0m"


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault of a PDF. `page` counts from 1; `at` is in mm from the left and the top of the trim.

    Findings of one kind and `subject` on a page are told once, with how many more there are.
    """

    kind: Kind
    message: str
    page: int | None = None
    at: tuple[float, float] | None = None
    subject: str = ""

    @property
    def where(self) -> str:
        """The page and the position in words; empty where a fault is one of the whole file."""
        words = f"page {self.page}" if self.page else ""
        if self.at:
            words += f", {self.at[0]:.1f} mm from the left and {self.at[1]:.1f} mm from the top"
        return words

    def problem(self, place: Place) -> Problem:
        """This finding as a problem of a file."""
        words = f"{self.where}: {self.message}" if self.where else self.message
        return self.kind.at(place, words, f"page {self.page}" if self.page else "")


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The outcome of a check, with what was seen."""

    name: str
    outcome: str
    seen: str = ""


@dataclass(slots=True)
class Report:
    """Findings and checks of one PDF. `place` is the file that its problems are reported at."""

    place: Place
    findings: list[Finding] = field(default_factory=list)
    checks: list[CheckResult] = field(default_factory=list)

    @property
    def problems(self) -> list[Problem]:
        """The findings as problems of a file, in the order of the pages."""
        return [finding.problem(self.place) for finding in self.findings]

    @property
    def fails(self) -> bool:
        return any(problem.fails for problem in self.problems)

    def check(self, name: str, found: Iterable[Finding], seen: str = "", *, absent: bool = False) -> None:
        """Record one check with what it found. `absent`: there was nothing that it could look at."""
        gathered = list(gather(found))
        self.findings += gathered
        outcome = FAILED if any(one.kind.severity != "note" for one in gathered) else PASSED
        self.checks.append(CheckResult(name, ABSENT if absent and not gathered else outcome, seen))


def gather(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Findings in the order of the pages, those that are alike on a page told once."""
    alike: dict[tuple[str, int | None, str], list[Finding]] = {}
    for finding in findings:
        alike.setdefault((finding.kind.code, finding.page, finding.subject), []).append(finding)
    for first, *more in sorted(alike.values(), key=lambda found: found[0].page or 0):
        if more:
            first = replace(first, message=f"{first.message} (and {len(more)} more like it on this page)")
        yield first


def said(numbers: Sequence[float], unit: str = "mm") -> str:
    """Lengths in words: `210 x 297 mm`."""
    return f"{' x '.join(f'{number:.2f}'.rstrip('0').rstrip('.') for number in numbers)} {unit}"


def text(report: Report, *, colour: bool = False) -> str:
    """A report as text, a line for each finding and check."""
    name = in_one_line(report.place.file)
    lines = []
    for finding in report.findings:
        severity: str = finding.kind.severity
        if colour:
            severity = f"{_COLOURS[severity]}{severity}{_PLAIN}"
        where = f"{name}: {finding.where}: " if finding.where else f"{name}: "
        lines.append(f"{where}{severity}: {in_one_line(finding.message)} [{finding.kind.code}]")
    lines.append(f"{name}: {_verdict(report)}")
    for check in report.checks:
        seen = check.outcome if check.outcome == ABSENT else in_one_line(check.seen)
        lines.append(f"  {SIGNS[check.outcome]} {check.name}{f': {seen}' if seen else ''}")
    return "".join(f"{line}\n" for line in lines)


def data(report: Report) -> Mapping[str, object]:
    """A report as values for JSON; positions are in mm from the upper left corner of the trim."""
    return {
        "file": report.place.file,
        "fit": not report.fails,
        "findings": [
            {
                "severity": finding.kind.severity,
                "code": finding.kind.code,
                "message": finding.message,
                "page": finding.page,
                "at": [round(mm, 2) for mm in finding.at] if finding.at else None,
            }
            for finding in report.findings
        ],
        "checks": [
            {"name": check.name, "outcome": check.outcome, "seen": check.seen} for check in report.checks
        ],
    }


def _verdict(report: Report) -> str:
    if not report.fails:
        return "fit for what was asked"
    return f"not fit, {several(sum(problem.fails for problem in report.problems), 'problem')}"
