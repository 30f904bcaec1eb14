"""Print sheets on demand for the dev server, from the current content."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from rulewright.files.mkdocs_settings import site_url
from rulewright.files.problems import Problem, Severity
from rulewright.print import typst_compiler
from rulewright.print.press import all_print_jobs, run_print_jobs
from rulewright.print.print_job import PrintJob, PrintOptions, PrintResult
from rulewright.render.build_artifacts import PrintedFiles
from rulewright.render.render_context import RenderContext

log = logging.getLogger("mkdocs.plugins.rulewright.press")

_FILE = re.compile(r"(?P<address>.+?)(?:-(?P<page>[1-9]\d?))?\.(?P<ending>pdf|png)")


@dataclass(frozen=True, slots=True)
class PrintResponse:
    """A requested file, or the problems that prevent printing it."""

    data: bytes = b""
    type: str = ""
    problems: tuple[Problem, ...] = ()


class _ImageCounts(Mapping[str, int]):
    """Number of page images of each sheet, computed on demand."""

    def __init__(self, jobs: Mapping[str, PrintJob]) -> None:
        self.jobs = jobs

    def __getitem__(self, address: str) -> int:
        return self.jobs[address].image_count

    def __iter__(self) -> Iterator[str]:
        return iter(self.jobs)

    def __len__(self) -> int:
        return len(self.jobs)


class OnDemandPrinter:
    """Prints a sheet on its first request and caches it. One at a time: printing is not thread-safe."""

    def __init__(self, project: Path) -> None:
        self.project = project
        self.missing_dependency = typst_compiler.missing()
        self._jobs: dict[str, PrintJob] = {}
        self._find_problems: Callable[[], Iterable[Problem]] = tuple
        self._results: dict[str, PrintResult] = {}
        self._lock = Lock()

    def set_content(
        self, context: RenderContext, find_problems: Callable[[], Iterable[Problem]] = tuple
    ) -> PrintedFiles:
        """Set the content to print. A book with errors among `find_problems` is not printed."""
        jobs = all_print_jobs(self.project, context, PrintOptions(site=site_url(self.project)))
        with self._lock:
            self._results, self._find_problems = {}, find_problems
            self._jobs = {} if self.missing_dependency else {job.address: job for job in jobs}
        return PrintedFiles(sheets=_ImageCounts(self._jobs), missing_dependency=self.missing_dependency)

    @property
    def problems(self) -> Iterable[Problem]:
        return [
            problem
            for result in [*self._results.values()]
            for problem in result.problems
            if problem.is_failure
        ]

    def respond(self, path: str) -> PrintResponse | None:
        """Return the file at a path of the site; None if the path is not that of a sheet."""
        match = _FILE.fullmatch(path)
        if match is None:
            return None
        address, page = path[:-4], 0
        with self._lock:
            if address not in self._jobs:  # not a sheet whose name ends in a number
                address, page = match["address"], int(match["page"] or 1) - 1
            if address not in self._jobs:
                return None
            book = f"content/{address.partition('/')[0]}/"
            errors = (problem for problem in self._find_problems() if problem.severity is Severity.ERROR)
            if book_errors := tuple(error for error in errors if error.place.file.startswith(book)):
                return PrintResponse(problems=book_errors)
            copy = self._results.get(address) or self._print(address)
        if not copy.pdf:
            return PrintResponse(problems=copy.problems)
        if match["ending"] == "pdf":
            return PrintResponse(copy.pdf, "application/pdf")
        return PrintResponse(copy.pictures[page], "image/png") if page < len(copy.pictures) else None

    def _print(self, address: str) -> PrintResult:
        result = run_print_jobs(self.project, [self._jobs[address]], log_progress)[address]
        self._results[address] = result
        for problem in result.problems:
            log.info(f"{problem.place}: {problem.severity}: {problem.message} [{problem.code}]")
        return result


def log_progress(message: str) -> None:
    """Log a printed sheet unless it came from the cache."""
    if not message.endswith("unchanged"):
        log.info(message)
