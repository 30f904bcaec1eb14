"""Time of printing: a card, the aids of all books, books of 60 and of 100 pages, with preflight."""

import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from pypdfium2 import PdfDocument

from bench.invented_book import InventedBook, imported
from bench.run import Row
from rulewright.checks.load_and_check import load_and_check
from rulewright.files.problems import SourceLocation
from rulewright.print import press, typst_compiler
from rulewright.print.pdf_preflight import run_preflight as preflight
from rulewright.print.print_job import PrintJob, PrintOptions
from rulewright.references.site_paths import RULEBOOK
from rulewright.render.render_context import RenderContext

PROJECT = Path(__file__).resolve().parent.parent
CARD = "ocs/4.3/aids/sequence"
MEMORY = 1536
"""Limit in MB for a book of 100 pages."""


def main() -> list[Row]:
    if missing := typst_compiler.missing():
        sys.exit(missing)
    jobs = press.all_print_jobs(
        PROJECT,
        RenderContext(load_and_check(PROJECT).index),
        PrintOptions(site="https://rulewright.example/"),
    )
    card = next(job for job in jobs if job.address == CARD)
    rows, pdf = [], b""
    for name in ("a card", "the same card again"):
        begun = time.perf_counter()
        pdf = card.make().pdf
        rows.append(Row(name, time.perf_counter() - begun, 1))
    begun = time.perf_counter()
    preflight(pdf, SourceLocation("bench"))
    rows.append(Row("a card's preflight", time.perf_counter() - begun))
    rows.append(_all([job for job in jobs if not job.address.endswith(f"/{RULEBOOK}")], "aids of all books"))
    return [*rows, *_book(14, 80, 3), *_book(23, 80, 8)]


def _all(selected: list[PrintJob], name: str) -> Row:
    """Print with an empty cache, two at a time, as a first build does."""
    with tempfile.TemporaryDirectory() as folder:
        begun = time.perf_counter()
        done = press.run_print_jobs(Path(folder), selected)
        printed = [result for result in done.values() if result.pdf]
        return Row(f"{len(printed)} of {len(selected)} {name}", time.perf_counter() - begun, 60)


def _book(chapters: int, pictures: int, limit: float) -> Iterator[Row]:
    """Import an invented book and print it in its own process, so that its memory can be measured."""
    with tempfile.TemporaryDirectory() as folder:
        project, site = Path(folder, "project"), Path(folder, "site")
        (project / "content").mkdir(parents=True)
        site.mkdir()
        InventedBook(1, chapters, pictures).write(site)
        imported(site, project)
        receiver, sender = get_context("spawn").Pipe()
        child = get_context("spawn").Process(target=_print_book, args=(str(project), sender))
        child.start()
        seconds, pages, megabytes = receiver.recv()
        child.join()
    over = "  OVER" if megabytes > MEMORY else ""
    yield Row(f"a book of {pages} pages; {megabytes} of {MEMORY} MB{over}", seconds, limit)


def _print_book(folder: str, pipe: Any) -> None:
    """Print and check the book, in the child; send the seconds, the pages and the memory in MB."""
    context = RenderContext(load_and_check(Path(folder)).index)
    (job,) = press.all_print_jobs(Path(folder), context, PrintOptions())
    assert job.cache_key
    begun = time.perf_counter()
    printed = job.make()
    seconds = time.perf_counter() - begun
    unit = 1024 * 1024 if sys.platform == "darwin" else 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // unit
    pipe.send((seconds, len(PdfDocument(printed.pdf)), peak))
