"""The press: prints the sheets and rulebooks of a project, each checked before it is delivered.

    index ──jobs──► hash ──► cache, or ──make──► PDF ──► copy with page images

Unchanged PDFs are not printed again. As many jobs run at once as the machine has processors.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

from rulewright.checks.load_and_check import CheckedProject
from rulewright.files.content_folder import disk_path
from rulewright.files.disk_cache import DiskCache, cache_key, program_fingerprint, project_cache
from rulewright.files.problems import Problem, SourceLocation
from rulewright.files.worker_processes import run_parallel
from rulewright.print import typst_compiler
from rulewright.print.page_images import render_page_images
from rulewright.print.print_job import PrintJob, PrintOptions, PrintResult, words_digest_short
from rulewright.print.rulebook_job import RulebookJob
from rulewright.print.sheet_job import SheetJob
from rulewright.references.mkdocs_settings_faults import NO_ADDRESS
from rulewright.references.site_paths import sheet_picture
from rulewright.render.build_artifacts import PrintedFiles
from rulewright.render.render_context import RenderContext
from rulewright.schema import print_problems

SETTINGS = "mkdocs.yml"


Tell = Callable[[str], None]
"""Reports the progress of a print run."""


def all_print_jobs(project: Path, context: RenderContext, options: PrintOptions) -> list[PrintJob]:
    """Return everything that can be printed of a project: for each edition its aids, and its rulebook."""

    def read(name: str) -> bytes:
        return disk_path(project, name).read_bytes()

    jobs: list[PrintJob] = []
    for address, outline in context.index.outlines.items():
        sheets = context.index.editions[address].aid_sheets
        jobs += [SheetJob(sheet, context, options, read) for sheet in sheets]
        jobs.append(RulebookJob(outline, context, options, read))
    return jobs


def run_print_jobs(
    project: Path, jobs: Sequence[PrintJob], tell: Tell = lambda message: None, *, images: bool = True
) -> dict[str, PrintResult]:
    """Print jobs, or take their results from the cache; return them by address.

    `tell` reports each as it is done. `images`: also draw the images of their pages that the site shows;
    else hash their words, to be recorded.
    """
    import_module("rulewright.print.pdf_preflight")  # once, and not in each process
    program = (program_fingerprint(), *map(version, ("typst", "pikepdf", "pypdfium2")))
    store = project_cache("sheets", project)
    results: dict[int, PrintResult] = {}
    for position, result in run_parallel(
        lambda position: _print_cached(jobs[position], store, program, images), len(jobs)
    ):
        results[position] = result
        state = f"{result.seconds:.1f} seconds" if result.seconds else "unchanged"
        state = state if result.pdf else "failed"
        tell(f"[{len(results)}/{len(jobs)}] {jobs[position].title}: {state}")
    return {job.address: results[position] for position, job in enumerate(jobs)}


def _print_cached(job: PrintJob, store: DiskCache, program: tuple[str, ...], images: bool) -> PrintResult:
    """Return the result of a job. A result with problems is not cached: they are reported each time."""
    begun = time.perf_counter()
    try:
        count = job.image_count if images else 0
        key = cache_key(*program, job.cache_key)
        cached = store.get_object(key)
        words = "" if images else words_digest_short(job.lines)
        if isinstance(cached, PrintResult) and (cached.pictures or not count):
            return replace(cached, words=words)
        result = replace(job.make(), words=words)
        if result.pdf:
            result = replace(result, pictures=render_page_images(result.pdf, count))
            if not result.problems:
                store.put_object(key, result)
    except Exception as error:  # whatever goes wrong is a problem of this job alone
        kind = job.fault if isinstance(error, typst_compiler.TypstError) else print_problems.BROKEN
        cause = f"{type(error).__name__}: {error}".removesuffix(": ")
        message = f"{job.title} cannot be printed ({cause}); report it"
        result = PrintResult(problems=(kind.problem(job.place, message, job.address),))
    return replace(result, seconds=time.perf_counter() - begun)


def for_site(project: Path, checked: CheckedProject, site: str, tell: Tell) -> PrintedFiles:
    """Print the PDFs and page images of the site. `site` is its URL."""
    jobs = all_print_jobs(project, RenderContext(checked.index), PrintOptions(site=site))
    missing = typst_compiler.missing()
    results = {} if missing else run_print_jobs(project, jobs, tell)
    problems = [problem for result in results.values() for problem in result.problems]
    if not site:
        message = "site_url is not set, so sheets have no QR code; set it to the site's future URL"
        problems.append(NO_ADDRESS.problem(SourceLocation(SETTINGS), message, SETTINGS))
    if missing and jobs:
        message = f"no PDF of {', '.join(job.address for job in jobs)}: {missing}"
        problems.append(print_problems.LEFT_OUT.problem(SourceLocation(SETTINGS), message, SETTINGS))
    files: dict[str, bytes] = {}
    counts: dict[str, int] = {}
    failed: dict[str, tuple[Problem, ...]] = {}
    for address, result in results.items():
        if not result.pdf:
            failed[address] = result.problems
            continue
        files[f"{address}.pdf"] = result.pdf
        counts[address] = len(result.pictures)
        for page, image in enumerate(result.pictures):
            files[sheet_picture(address, page)] = image
    return PrintedFiles(files, counts, missing, tuple(problems), failed)
