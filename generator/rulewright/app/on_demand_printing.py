"""Print sheets on demand for the dev server, from the current content."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from rulewright.files.content_folder import disk_path
from rulewright.files.mkdocs_settings import site_url
from rulewright.files.problems import Problem, Severity
from rulewright.render.build_artifacts import PrintedFiles

if TYPE_CHECKING:
    from rulewright.print.press import PrintRun
    from rulewright.print.press.print_job import PrintJob
    from rulewright.render.render_context import RenderContext

log = logging.getLogger("mkdocs.plugins.rulewright.press")

_FILE = re.compile(r"(?P<address>.+?)(?:-(?P<page>[1-9]\d?))?\.(?P<ending>pdf|png)")


@dataclass(frozen=True, slots=True)
class PrintResponse:
    """A requested file, or the problems that prevent printing it."""

    data: bytes = b""
    type: str = ""
    problems: tuple[Problem, ...] = ()


class _PictureCounts(Mapping[str, int]):
    """Number of page images of each sheet, computed on demand."""

    def __init__(self, jobs: Mapping[str, PrintJob]) -> None:
        self.jobs = jobs

    def __getitem__(self, address: str) -> int:
        return self.jobs[address].pictures

    def __contains__(self, address: object) -> bool:
        return address in self.jobs

    def __iter__(self) -> Iterator[str]:
        return iter(self.jobs)

    def __len__(self) -> int:
        return len(self.jobs)


class OnDemandPrinter:
    """Prints a sheet on its first request and caches it. One at a time: printing is not thread-safe."""

    def __init__(self, project: Path) -> None:
        self.project = project
        self._jobs: dict[str, PrintJob] = {}
        self._find_problems: Callable[[], Iterable[Problem]] = tuple
        self._runs: dict[str, PrintRun] = {}
        self._lock = Lock()

    @property
    def missing_dependency(self) -> str:
        """Missing dependency and how to install it; an empty string if there is none."""
        from rulewright.print import typst_compiler

        return typst_compiler.missing()

    def set_content(
        self, context: RenderContext, find_problems: Callable[[], Iterable[Problem]] = tuple
    ) -> PrintedFiles:
        """Set the content to print. A book with errors among `find_problems` is not printed."""
        from rulewright.print import press
        from rulewright.print.press.print_job import PrintOptions

        jobs: list[PrintJob] = []
        if not self.missing_dependency:
            options = PrintOptions(site=site_url(self.project))
            jobs = press.print_jobs_of(
                context, options, lambda name: disk_path(self.project, name).read_bytes()
            )
        with self._lock:
            self._runs, self._find_problems = {}, find_problems
            self._jobs = {job.address: job for job in jobs}
        return PrintedFiles(sheets=_PictureCounts(self._jobs), missing_dependency=self.missing_dependency)

    @property
    def problems(self) -> Iterable[Problem]:
        return [problem for run in [*self._runs.values()] for problem in run.problems if problem.is_failure]

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
            run = self._print(address)
        copy = run.copies.get(address)
        if copy is None:
            return PrintResponse(problems=run.problems)
        if match["ending"] == "pdf":
            return PrintResponse(copy.pdf, "application/pdf")
        return PrintResponse(copy.pictures[page], "image/png") if page < len(copy.pictures) else None

    def _print(self, address: str) -> PrintRun:
        if address not in self._runs:
            from rulewright.print import press

            self._runs[address] = press.run_print_jobs(self.project, [self._jobs[address]], _log_progress)
            for problem in self._runs[address].problems:
                log.info(f"{problem.place}: {problem.severity}: {problem.message} [{problem.code}]")
        return self._runs[address]


def _log_progress(step: object) -> None:
    if not str(step).endswith("unchanged"):
        log.info(str(step))
