"""The press: sheets and rulebooks as PDF, each checked against what it promises before it is delivered.

    index ──orders──► what it is made of ──hash──► store, or ──make──► PDF ──preflight──► copy, picture

What is made of the same is not made again. As many are made at once as the machine has processors.
"""

from __future__ import annotations

import hashlib
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from rulewright.files.content_folder import disk_path
from rulewright.files.disk_cache import DiskCache, project_cache
from rulewright.files.problems import Problem, errors, problem_type
from rulewright.files.resources import PACKAGE
from rulewright.files.worker_processes import run_parallel
from rulewright.render.render_context import RenderContext

if TYPE_CHECKING:
    from rulewright.print.press.print_job import PrintJob, PrintOptions, ReadFile
    from rulewright.references.reference_index import ReferenceIndex
BROKEN = problem_type(
    "print-failed", "A sheet or a rulebook could not be put together or set. Everything else is printed."
)

MADE_BY = (
    "schema/colours",
    "print/typst_compiler",
    "print/pdf_finishing",
    "print/press_pictures",
    "print/pdf_preflight",
    "print/press/page_images",
)
"""The modules that have a hand in a PDF after its data: an edit of any other prints nothing again."""


class PrintedCopy(NamedTuple):
    """A finished sheet: its PDF, and pictures of its pages; of a rulebook, of its cover alone."""

    pdf: bytes
    pictures: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Progress:
    """Progress of a print run: the sheet done, its place among all, and the seconds if it was made."""

    order: PrintJob
    index: int
    total: int
    seconds: float | None = None
    failed: bool = False

    def __str__(self) -> str:
        how = "unchanged" if self.seconds is None else f"{self.seconds:.1f} seconds"
        return f"[{self.index}/{self.total}] {self.order.title}: {'failed' if self.failed else how}"


Tell = Callable[[Progress], None]


@dataclass(frozen=True, slots=True)
class PrintRun:
    """Result of a print run by address. `missing`: what the printer lacks; then there is no copy."""

    copies: Mapping[str, PrintedCopy] = field(default_factory=dict)
    problems_by_address: Mapping[str, tuple[Problem, ...]] = field(default_factory=dict)
    missing: str = ""

    @property
    def failed(self) -> dict[str, tuple[Problem, ...]]:
        return {
            address: told for address, told in self.problems_by_address.items() if address not in self.copies
        }

    @property
    def problems(self) -> tuple[Problem, ...]:
        return tuple(problem for told in self.problems_by_address.values() for problem in told)


def all_print_jobs(project: Path, index: ReferenceIndex, wishes: PrintOptions) -> list[PrintJob]:
    """Everything that can be printed of a project, in the order of the books."""
    from rulewright.render.render_context import RenderContext

    return print_jobs_of(RenderContext(index), wishes, lambda name: disk_path(project, name).read_bytes())


def print_jobs_of(desk: RenderContext, wishes: PrintOptions, read: ReadFile) -> list[PrintJob]:
    """For each book its aids, and the book itself. `read` gives the files that they show."""
    from rulewright.print.press.aid_job import AidJob
    from rulewright.print.press.rulebook_job import RulebookJob

    made: list[PrintJob] = []
    for address, outline in desk.index.outlines.items():
        made += [AidJob(sheet, desk, wishes, read) for sheet in desk.index.editions[address].aid_sheets]
        made.append(RulebookJob(outline, desk, wishes, read))
    return made


def run_print_jobs(project: Path, wanted: Sequence[PrintJob], tell: Tell = lambda step: None) -> PrintRun:
    """Print what is wanted, or take it from the store. `tell` hears of each as it is done."""
    from rulewright.print import typst_compiler

    if wanted and (lacks := typst_compiler.missing()):
        return PrintRun(missing=lacks)
    store = project_cache("sheets", project)
    copies: dict[str, PrintedCopy] = {}
    said: dict[str, tuple[Problem, ...]] = {}
    for at, (copy, problems, seconds) in run_parallel(lambda at: _printed(wanted[at], store), len(wanted)):
        order = wanted[at]
        said[order.address] = problems
        if copy:
            copies[order.address] = copy
        tell(Progress(order, len(said), len(wanted), seconds, copy is None))
    in_turn = [order.address for order in wanted]
    return PrintRun(
        {one: copies[one] for one in in_turn if one in copies}, {one: said[one] for one in in_turn}
    )


def _printed(
    order: PrintJob, store: DiskCache
) -> tuple[PrintedCopy | None, tuple[Problem, ...], float | None]:
    """The copy of an order from the store, or printed now, with the seconds that it took."""
    try:
        kept = job_cache_key(order)
    except Exception as error:  # it cannot even be put together
        return None, (job_failure_problem(order, error),), None
    copy = store.get_object(kept)
    if isinstance(copy, PrintedCopy):
        return copy, (), None
    copy, problems, seconds = print_one(order)
    if copy and not problems:  # else they are told each time
        store.put_object(kept, copy)
    return copy, problems, seconds


def job_failure_problem(order: PrintJob, error: Exception) -> Problem:
    """The problem of an order that Typst refuses or the program stumbles over; all others are printed."""
    from rulewright.print.typst_compiler import TypstError

    if isinstance(error, TypstError):
        return order.fault.problem(
            order.place, f"Typst says of {order.title}: {error}; report it", order.address
        )
    said = f"{type(error).__name__}: {error}".removesuffix(": ")
    if isinstance(error, OSError):
        return BROKEN.problem(order.place, f"{order.title} cannot be printed: {said}", order.address)
    frame = traceback.extract_tb(error.__traceback__)[-1]
    said = f"{said}; {Path(frame.filename).name}, line {frame.lineno}"
    return BROKEN.problem(order.place, f"{order.title} stops the program ({said}); report it", order.address)


def job_cache_key(order: PrintJob) -> str:
    """The hash of all that a PDF is made of, the program and its engine included."""
    digest = hashlib.sha256(printing_fingerprint())
    for part in (order.address.encode(), order.title.encode(), *order.cache_inputs):
        digest.update(len(part).to_bytes(8, "big"))
        digest.update(part)
    return digest.hexdigest()[:32]


@cache
def printing_fingerprint() -> bytes:
    """Hash of what sets pages beside their data: templates and faces, the finish, and Typst's version."""
    from importlib.metadata import PackageNotFoundError, version

    from rulewright.print import typst_compiler

    digest = hashlib.sha256()
    for path in sorted(typst_compiler.PRINT.rglob("*")):
        if path.is_file():
            digest.update(path.relative_to(typst_compiler.PRINT).as_posix().encode() + path.read_bytes())
    for name in MADE_BY:
        digest.update((PACKAGE / f"{name}.py").read_bytes())
    for name in ("typst", "pikepdf", "pypdfium2"):
        with suppress(PackageNotFoundError):
            digest.update(f"{name} {version(name)}".encode())
    return digest.digest()


def print_one(order: PrintJob) -> tuple[PrintedCopy | None, tuple[Problem, ...], float]:
    """Print one, check it against what it promises, and draw its pictures; with the seconds that it took.

    A proof is printed with its problems. Whatever goes wrong is a problem of this one alone.
    """
    begun = time.perf_counter()
    try:
        copy, problems = _made(order)
    except Exception as error:
        copy, problems = None, (job_failure_problem(order, error),)
    return copy, problems, time.perf_counter() - begun


def _made(order: PrintJob) -> tuple[PrintedCopy | None, tuple[Problem, ...]]:
    from rulewright.print.pdf_preflight import run_preflight as preflight
    from rulewright.print.press.page_images import render_page_images

    made = order.make()
    problems = made.problems
    if made.pdf and not errors(problems):  # else a proof tells what the print would
        problems = (*problems, *preflight(made.pdf, order.place).problems)
    copy = made.pdf and (order.options.proof or not errors(problems))
    return PrintedCopy(made.pdf, render_page_images(made.pdf, order.pictures)) if copy else None, problems
