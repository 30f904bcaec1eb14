"""The report of a preflight: its findings with page and position, and the checks made."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from rulewright.source.problems import Kind, Place, Problem


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


class CheckResult(NamedTuple):
    """The outcome of a check, with what it looked at."""

    name: str
    passed: bool
    seen: str


@dataclass(slots=True)
class Report:
    """Findings and checks of one PDF. `place` is the file that its problems are reported at."""

    place: Place
    findings: list[Finding] = field(default_factory=list)
    checks: list[CheckResult] = field(default_factory=list)

    @property
    def problems(self) -> list[Problem]:
        """The findings as problems of a file."""
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
