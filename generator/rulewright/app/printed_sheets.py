"""Selection of the sheets to print, and the record of printed sheets in the locks of their editions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from rulewright.book.lock_file import PrintedSheet, ReferenceLock, lock_name, read_lock
from rulewright.checks.load_and_check import CheckedProject
from rulewright.files.content_folder import CONTENT, content_folder, disk_path
from rulewright.files.content_reader import today
from rulewright.files.errors import ContentErrors, UserError, raise_on_errors
from rulewright.files.output_files import check_inside
from rulewright.files.problems import Problem, did_you_mean, errors
from rulewright.files.transaction import replace_files
from rulewright.print.press import all_print_jobs
from rulewright.print.print_job import PrintJob, PrintOptions, PrintResult
from rulewright.render.render_context import RenderContext


def select_jobs(
    project: Path, checked: CheckedProject, options: PrintOptions, book: str = "", aid: str = ""
) -> list[PrintJob]:
    """Return the sheets of a book, or the sheet of a name in it, or all. Raises UserError, ContentErrors."""
    jobs = all_print_jobs(project, RenderContext(checked.index), options)
    if not book:
        return jobs
    edition = checked.library.find_edition(book)
    if edition is None:
        raise checked.unknown_book_error(book)
    by_name = {job.address.rpartition("/")[2]: job for job in jobs if job.edition.address == edition.address}
    if not aid:
        return list(by_name.values())
    if aid not in by_name:
        if faults := checked.problems_in(f"{CONTENT}/{edition.address}/aids/{aid}.yml"):
            raise ContentErrors(faults, "nothing printed until this is corrected")
        raise UserError(f"{edition.address} has no aid {aid}{did_you_mean(aid, by_name)}")
    return [by_name[aid]]


def raise_on_job_errors(
    checked: CheckedProject, jobs: Sequence[PrintJob], consequence: str, *, but_aids: bool = False
) -> tuple[list[PrintJob], list[Problem]]:
    """Raise ContentErrors, with the consequence, if the books of the jobs have errors.

    `but_aids`: an error in the file of an aid stops only that aid. Return the jobs that can be printed, and
    the errors of the others.
    """
    files = {f"{CONTENT}/{job.edition.address}/" for job in jobs}
    rulebooks = {f"{CONTENT}/{job.edition.address.partition('/')[0]}/rulebook.yml" for job in jobs}
    problems = errors(checked.problems_in(*files, *rulebooks))
    aid_folders = tuple(f"{file}aids/" for file in files) if but_aids else ()
    aid_problems = [problem for problem in problems if problem.place.file.startswith(aid_folders)]
    raise_on_errors([problem for problem in problems if problem not in aid_problems], consequence)
    faulty = {problem.place.file for problem in aid_problems}
    return [job for job in jobs if job.place.file not in faulty], aid_problems


def record_printed(project: Path, printed: Iterable[PrintJob], results: Mapping[str, PrintResult]) -> None:
    """Record printed sheets in the locks of their editions, all or none; one of the same hash keeps its date.

    Raises ContentErrors if a lock has problems, and OSError.
    """
    content, before = content_folder(project), dict[str, bytes]()
    locks: dict[str, ReferenceLock] = {}
    for job in printed:
        name, sheet = lock_name(job.edition.address), job.address.removeprefix(f"{job.edition.address}/")
        if name not in locks:
            path = check_inside(content, disk_path(project, name))
            data = path.read_bytes() if path.is_file() else b""
            if data:
                before[name] = data
            locks[name], problems = read_lock(name, data)
            if problems:
                raise ContentErrors(problems, "the printed sheets are not recorded until this is fixed")
        digest, recorded = results[job.address].words, locks[name].sheets.get(sheet)
        if not recorded or recorded.hash != digest:
            locks[name].sheets[sheet] = PrintedSheet(today(), digest)
    files = {name: lock.serialize() for name, lock in locks.items()}
    if changed := {name: data for name, data in files.items() if data != before.get(name)}:
        replace_files(project, changed, before)


class StaleSheet(NamedTuple):
    """A printed sheet whose words have changed since. `current_text`: their hash; empty if it is gone."""

    address: str
    printed: PrintedSheet
    current_text: str


def find_stale_sheets(printed: Mapping[str, PrintedSheet], hashes: Mapping[str, str]) -> list[StaleSheet]:
    """Return the printed sheets whose hash has changed, both by address."""
    return [
        StaleSheet(address, sheet, hashes.get(address, ""))
        for address, sheet in sorted(printed.items())
        if sheet.hash != hashes.get(address)
    ]
