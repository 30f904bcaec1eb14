"""Results of a check; this module does not read books."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Self

from rulewright.files.errors import UserError
from rulewright.files.problems import Problem, did_you_mean
from rulewright.schema.problem_reports import plural
from rulewright.schema.rulebook import Suppression


@dataclass(frozen=True)
class EditionCounts:
    """Numbers of rules, steps and references of an edition."""

    rules: int
    steps: int
    references: int


@dataclass(frozen=True)
class CheckOutcome:
    """Results of a check."""

    problems: tuple[Problem, ...] = ()
    """In order, without suppressed ones."""
    suppressed: tuple[tuple[Problem, Suppression], ...] = ()
    counts: Mapping[str, EditionCounts] = field(default_factory=dict)
    """Counts of editions by address."""
    pages: Mapping[str, int] = field(default_factory=dict)
    """Number of references of each content page by file name."""
    unrecorded_references: int = 0
    """Number of references that are not in a lock."""
    faulty: frozenset[str] = frozenset()
    """Names of files with an error of reading."""

    @property
    def addresses(self) -> list[str]:
        return [*dict.fromkeys(address.rpartition("/")[0] for address in self.counts), *self.counts]

    def problems_in(self, *files: str) -> list[Problem]:
        """Return the problems of files, and of folders, whose names end in a slash."""
        folders = tuple(name for name in files if name.endswith("/"))
        return [p for p in self.problems if p.place.file in files or p.place.file.startswith(folders)]

    def unknown_book_error(self, address: str) -> UserError:
        return UserError(f"no book {address} here{did_you_mean(address, self.addresses)}")

    def counts_text(self, address: str = "") -> str:
        """Return the counts in words: of a book, of an edition or of everything."""
        folder = f"{address}/" if address else ""
        counts = [count for name, count in self.counts.items() if f"{name}/".startswith(folder)]
        references = sum(count.references for count in counts)
        references += sum(n for name, n in self.pages.items() if name.startswith(f"content/{folder}"))
        numbers = (sum(count.rules for count in counts), sum(count.steps for count in counts), references)
        return ", ".join(map(plural, numbers, ("rule", "step", "reference")))

    def for_book(self, book: str) -> Self:
        prefixes = (f"content/{book}/", f"content/{book.partition('/')[0]}/rulebook.yml")
        problems = tuple(p for p in self.problems if p.place.file.startswith(prefixes))
        suppressed = tuple((p, e) for p, e in self.suppressed if p.place.file.startswith(prefixes))
        return replace(self, problems=problems, suppressed=suppressed)


def failing_problems(problems: Iterable[Problem]) -> list[Problem]:
    """Return the problems that make a check or a build fail."""
    return [problem for problem in problems if problem.is_failure]
