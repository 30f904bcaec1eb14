"""The press: prints the sheets and rulebooks of a project, each checked before it is delivered.

    index ──jobs──► hash ──► cache, or ──make──► PDF ──► copy with page images

Unchanged PDFs are not printed again. As many jobs run at once as the machine has processors.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

from rulewright.checks.load_and_check import CheckedProject
from rulewright.files.content_folder import disk_path
from rulewright.files.disk_cache import DiskCache, cache_key, program_fingerprint, project_cache
from rulewright.files.problems import Problem, Severity, SourceLocation, problem_type
from rulewright.files.worker_processes import run_parallel
from rulewright.print import typst_compiler
from rulewright.print.print_job import PrintJob, PrintOptions, ReadFile
from rulewright.print.rulebook_job import RulebookJob
from rulewright.print.sheet_job import SheetJob
from rulewright.references.mkdocs_settings_faults import NO_ADDRESS
from rulewright.references.reference_index import ReferenceIndex
from rulewright.references.site_paths import sheet_picture
from rulewright.render.build_artifacts import PrintedFiles
from rulewright.render.render_context import RenderContext

BROKEN = problem_type(
    "print-failed", "A sheet or a rulebook could not be put together or set. Everything else is printed."
)
LEFT_OUT = problem_type(
    "not-printed",
    "PDFs were left out, since what prints them is missing. The message has the command.",
    Severity.NOTE,
)
SETTINGS = "mkdocs.yml"


class PrintedCopy(NamedTuple):
    """A finished sheet or rulebook: its PDF, and images of the pages that the site shows."""

    pdf: bytes
    pictures: tuple[bytes, ...]


Tell = Callable[[str], None]
"""Reports the progress of a print run."""


@dataclass(frozen=True, slots=True)
class PrintRun:
    """Result of a print run by address. `missing`: what the printer lacks; then there is no copy."""

    copies: Mapping[str, PrintedCopy] = field(default_factory=dict)
    problems_by_address: Mapping[str, tuple[Problem, ...]] = field(default_factory=dict)
    missing: str = ""

    @property
    def failed(self) -> dict[str, tuple[Problem, ...]]:
        return {
            name: problems for name, problems in self.problems_by_address.items() if name not in self.copies
        }

    @property
    def problems(self) -> tuple[Problem, ...]:
        return tuple(problem for problems in self.problems_by_address.values() for problem in problems)


def all_print_jobs(project: Path, index: ReferenceIndex, options: PrintOptions) -> list[PrintJob]:
    """Return everything that can be printed of a project, in the order of the books."""
    return print_jobs_of(RenderContext(index), options, lambda name: disk_path(project, name).read_bytes())


def print_jobs_of(context: RenderContext, options: PrintOptions, read: ReadFile) -> list[PrintJob]:
    """Return for each edition its aids, and its rulebook. `read` gives the files that they show."""
    jobs: list[PrintJob] = []
    for address, outline in context.index.outlines.items():
        sheets = context.index.editions[address].aid_sheets
        jobs += [SheetJob(sheet, context, options, read) for sheet in sheets]
        jobs.append(RulebookJob(outline, context, options, read))
    return jobs


def run_print_jobs(
    project: Path, jobs: Sequence[PrintJob], tell: Tell = lambda message: None, *, images: bool = True
) -> PrintRun:
    """Print jobs, or take their copies from the cache. `tell` reports each as it is done.

    `images`: also draw the images of their pages that the site shows.
    """
    if jobs and (missing := typst_compiler.missing()):
        return PrintRun(missing=missing)
    store = project_cache("sheets", project)
    results = {}
    for position, (copy, problems, seconds) in run_parallel(
        lambda position: _print_cached(jobs[position], store, images), len(jobs)
    ):
        results[position] = copy, problems
        state = f"{seconds:.1f} seconds" if seconds else "unchanged"
        state = state if copy else "failed"
        tell(f"[{len(results)}/{len(jobs)}] {jobs[position].title}: {state}")
    copies: dict[str, PrintedCopy] = {}
    problems_by_address = {}
    for position, job in enumerate(jobs):
        copy, problems_by_address[job.address] = results[position]
        if copy:
            copies[job.address] = copy
    return PrintRun(copies, problems_by_address)


def _print_cached(
    job: PrintJob, store: DiskCache, images: bool
) -> tuple[PrintedCopy | None, tuple[Problem, ...], float]:
    """Return the copy of a job, its problems, and the seconds it took; 0 if it comes from the cache."""
    from rulewright.print.page_images import render_page_images

    begun = time.perf_counter()
    try:
        count = job.image_count if images else 0
        versions = map(version, ("typst", "pikepdf", "pypdfium2"))
        key = cache_key(program_fingerprint(), job.cache_key, *versions)
        copy = store.get_object(key)
        if isinstance(copy, PrintedCopy) and (copy.pictures or not count):
            return copy, (), 0.0
        result = job.make()
        copy = PrintedCopy(result.pdf, render_page_images(result.pdf, count)) if result.pdf else None
    except Exception as error:  # whatever goes wrong is a problem of this job alone
        kind = job.fault if isinstance(error, typst_compiler.TypstError) else BROKEN
        cause = f"{type(error).__name__}: {error}".removesuffix(": ")
        message = f"{job.title} cannot be printed ({cause}); report it"
        return None, (kind.problem(job.place, message, job.address),), time.perf_counter() - begun
    if copy and not result.problems:  # problems are reported each time
        store.put_object(key, copy)
    return copy, result.problems, time.perf_counter() - begun


def for_site(project: Path, checked: CheckedProject, site: str, tell: Tell) -> PrintedFiles:
    """Print the PDFs and page images of the site. `site` is its URL."""
    jobs = all_print_jobs(project, checked.index, PrintOptions(site=site))
    problems: list[Problem] = []
    if not site:
        message = "site_url is not set, so sheets have no QR code; set it to the site's future URL"
        problems.append(NO_ADDRESS.problem(SourceLocation(SETTINGS), message, SETTINGS))
    run = run_print_jobs(project, jobs, tell)
    if run.missing:
        message = f"no PDF of {', '.join(job.address for job in jobs)}: {run.missing}"
        problems.append(LEFT_OUT.problem(SourceLocation(SETTINGS), message, SETTINGS))
        return PrintedFiles(missing_dependency=run.missing, problems=tuple(problems))
    files: dict[str, bytes] = {}
    for address, copy in run.copies.items():
        files[f"{address}.pdf"] = copy.pdf
        for page, image in enumerate(copy.pictures):
            files[sheet_picture(address, page)] = image
    counts = {address: len(copy.pictures) for address, copy in run.copies.items()}
    return PrintedFiles(files, counts, problems=(*run.problems, *problems), failed=run.failed)
