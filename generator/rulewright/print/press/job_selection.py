"""Sheets that someone asks for: which they are, what is kept of them once printed, which are out of date."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from rulewright.book.lock_file import PrintedSheet, ReferenceLock, lock_name, read_lock
from rulewright.checks.load_and_check import CheckedProject
from rulewright.files.content_folder import CONTENT, content_folder, disk_path
from rulewright.files.content_reader import today
from rulewright.files.errors import ContentErrors, UserError
from rulewright.files.output_files import check_inside
from rulewright.files.problems import Problem, did_you_mean, errors
from rulewright.files.transaction import replace_files
from rulewright.print.press import all_print_jobs
from rulewright.print.press.print_job import PrintJob, PrintOptions
from rulewright.print.press.printed_sheets import StaleSheet, find_stale_sheets, words_digest_short


def select_jobs(
    project: Path, examined: CheckedProject, wishes: PrintOptions, book: str = "", aid: str = ""
) -> list[PrintJob]:
    """The sheets of a book, or the one of a name in it, or all. Raises Refusal where one is not there."""
    every = all_print_jobs(project, examined.index, wishes)
    if not book:
        return every
    edition = examined.library.find_edition(book)
    if edition is None:
        raise examined.unknown_book_error(book)
    own = {o.address.rpartition("/")[2]: o for o in every if o.address.startswith(f"{edition.address}/")}
    if not aid:
        return list(own.values())
    if aid not in own:
        if faults := examined.problems_in(f"{CONTENT}/{edition.address}/aids/{aid}.yml"):
            raise ContentErrors(faults, "nothing printed until this is mended")
        raise UserError(f"{edition.address} has no aid {aid}{did_you_mean(aid, own)}")
    return [own[aid]]


def raise_on_job_errors(
    examined: CheckedProject, wanted: Sequence[PrintJob], left: str, *, but_aids: bool = False
) -> tuple[list[PrintJob], list[Problem]]:
    """Raise Unsound, saying what is left undone, where the books of these sheets have errors.

    `but_aids`: errors of an aid's own file keep that one from being printed and no other. Returns the sheets
    that can be printed, and the errors of those that cannot.
    """
    editions = {"/".join(order.address.split("/")[:2]) for order in wanted}
    books = {edition.partition("/")[0] for edition in editions}
    files = [f"{CONTENT}/{edition}/" for edition in editions]
    files += [f"{CONTENT}/{book}/rulebook.yml" for book in books]
    wrong = errors(examined.problems_in(*files))
    aids = tuple(f"{CONTENT}/{edition}/aids/" for edition in editions) if but_aids else ()
    own = [problem for problem in wrong if problem.place.file.startswith(aids)]
    examined.raise_on_errors([problem for problem in wrong if problem not in own], left)
    faulty = {problem.place.file for problem in own}
    return [order for order in wanted if order.place.file not in faulty], own


def record_printed(project: Path, printed: Iterable[PrintJob]) -> None:
    """Record printed sheets in the locks of their editions, all or none.

    Raises ContentErrors if a lock has problems, FolderBusy and OSError.

    A sheet whose hash is the recorded one keeps its date.
    """
    content, before = content_folder(project), dict[str, bytes]()
    locks: dict[str, ReferenceLock] = {}
    for order in printed:
        book, edition, sheet = order.address.split("/", 2)
        name = lock_name(f"{book}/{edition}")
        if name not in locks:
            path = check_inside(content, disk_path(project, name))
            data = path.read_bytes() if path.is_file() else b""
            if data:
                before[name] = data
            locks[name], problems = read_lock(name, data)
            if problems:
                raise ContentErrors(problems, "the printed sheets are not recorded until this is fixed")
        digest, recorded = words_digest_short(order.words), locks[name].sheets.get(sheet)
        if not recorded or recorded.hash != digest:
            locks[name].sheets[sheet] = PrintedSheet(today(), digest)
    files = {name: lock.serialize() for name, lock in locks.items()}
    if changed := {name: data for name, data in files.items() if data != before.get(name)}:
        replace_files(project, changed, before)


def stale_sheets(
    examined: CheckedProject, wanted: Sequence[PrintJob], *, whole: bool, edition: str = ""
) -> list[StaleSheet]:
    """The sheets that say something else today than when they were printed.

    Of those that are not wanted nothing is known, so only with `whole`, or where they are of this edition, is
    one said to be gone.
    """
    now = {order.address: words_digest_short(order.words) for order in wanted}
    found = find_stale_sheets(examined.library.printed, now)
    return [
        one
        for one in found
        if one.address in now or whole or (edition and one.address.startswith(f"{edition}/"))
    ]
