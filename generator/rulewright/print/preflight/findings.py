"""What a preflight finds: faults with their page and position, and what was looked at and how it fared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from rulewright.source.problems import Kind, Place, Problem

PASSED, FAILED, ABSENT, PERSON, UNTRIED = "pass", "fail", "nothing to check", "needs a human", "not tried"


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
        """The same as a problem of a file."""
        words = f"{self.where}: {self.message}" if self.where else self.message
        return self.kind.at(place, words, f"page {self.page}" if self.page else "")


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at: what it is, how it fared, and what was seen there."""

    name: str
    outcome: str
    seen: str = ""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A failure condition of the Matterhorn Protocol 1.1, with its number, and how it fared."""

    number: str
    condition: str
    outcome: str
    seen: str = ""


@dataclass(slots=True)
class Report:
    """All that a preflight has to say about one PDF. `place` is what its problems are reported at."""

    place: Place
    findings: list[Finding] = field(default_factory=list)
    checks: list[Check] = field(default_factory=list)
    checkpoints: list[Checkpoint] = field(default_factory=list)

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
        self.checks.append(Check(name, ABSENT if absent and not gathered else outcome, seen))


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
