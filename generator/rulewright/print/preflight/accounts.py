"""A preflight's report as people and programs read it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from rulewright.model.reports import in_one_line, several
from rulewright.print.preflight.findings import ABSENT, FAILED, PASSED, PERSON, UNTRIED, Report

SIGNS: Mapping[str, str] = {PASSED: "✓", FAILED: "✗", ABSENT: "–", PERSON: "?", UNTRIED: "!"}

_COLOURS = {"error": "\x1b[31m", "warning": "\x1b[33m", "note": "\x1b[36m"}
_PLAIN = "\x1b[0m"


def text(report: Report, *, conditions: bool = False, colour: bool = False) -> str:
    """A line for each finding, then one for each check. `conditions`: those of PDF/UA-1 one by one."""
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
    if report.checkpoints:
        count = Counter(point.outcome for point in report.checkpoints)
        counts = ", ".join(f"{count[outcome]} {outcome}" for outcome in SIGNS if count[outcome])
        lines.append(f"  · conditions of the Matterhorn Protocol 1.1: {counts}")
    for point in report.checkpoints if conditions else ():
        seen = f": {in_one_line(point.seen)}" if point.seen else ""
        lines.append(
            f"    {SIGNS[point.outcome]} {point.number} {point.outcome} · fails where {point.condition}{seen}"
        )
    return "".join(f"{line}\n" for line in lines)


def data(report: Report) -> Mapping[str, object]:
    """The same as values for JSON; positions are in mm from the upper left corner of the trim."""
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
        "conditions": [
            {
                "number": point.number,
                "condition": point.condition,
                "outcome": point.outcome,
                "seen": point.seen,
            }
            for point in report.checkpoints
        ],
    }


def _verdict(report: Report) -> str:
    if not report.fails:
        return "fit for what was asked"
    return f"not fit, {several(sum(problem.fails for problem in report.problems), 'problem')}"
