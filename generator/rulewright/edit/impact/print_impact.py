"""Player aids and rulebooks that would be printed otherwise than before, and whether the aids still fit."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path

from rulewright.citations.site_paths import RULEBOOK
from rulewright.edit.impact.content_snapshot import ContentSnapshot
from rulewright.print import press, typst_compiler
from rulewright.print.press.print_job import PrintJob, PrintOptions
from rulewright.print.press.printed_sheets import find_stale_sheets, words_digest_short
from rulewright.source.problems import Problem, Severity, SourceLocation


class SheetFit(StrEnum):
    """Whether a sheet fits its paper, as far as it is known."""

    FITS = "fits"
    FAILS = "does not fit any more"
    FAILED = "does not fit, as before"
    UNKNOWN = "not laid out"


@dataclass(frozen=True, slots=True)
class PrintChange:
    """A sheet or a rulebook that would be printed otherwise.

    `how`: added, removed or changed; `says`: its words are others, and not only its looks. `fit`: None for
    a rulebook, which has as many pages as it needs; with the `problems` of a sheet that does not fit, or with
    the reason (`reason`) that it was not laid out. `stale`: the mark of printed copies that are out of date.
    """

    address: str
    title: str
    place: SourceLocation
    how: str
    says: bool
    fit: SheetFit | None = SheetFit.UNKNOWN
    problems: tuple[Problem, ...] = ()
    reason: str = ""
    stale: str = ""


Tell = Callable[[press.Progress], None]


@dataclass(frozen=True, slots=True)
class Printing:
    """How sheets are laid out, unless not `lays_out`: project, the site's address, and who hears of each."""

    project: Path
    site: str = ""
    lays_out: bool = True
    report_progress: Tell = field(default=lambda step: None)


def print_changes(
    before: ContentSnapshot, after: ContentSnapshot, printing: Printing, editions: Collection[str]
) -> list[PrintChange]:
    """Sheets and rulebooks whose PDF would differ, in book order; only changed `editions` are looked at."""
    options = PrintOptions(site=printing.site)
    old_jobs, new_jobs = (
        {
            job.address: job
            for job in press.print_jobs_of(snapshot.render_context, options, snapshot.read)
            if "/".join(job.address.split("/")[:2]) in editions
        }
        for snapshot in (before, after)
    )
    changes: list[PrintChange] = []
    for address, job in {**old_jobs, **new_jobs}.items():
        if address not in new_jobs or address not in old_jobs:
            how, says = ("removed" if address in old_jobs else "added"), True
        elif list(job.cache_inputs) != list(old_jobs[address].cache_inputs):
            how, says = "changed", job.words != old_jobs[address].words
        else:
            continue
        fit = None if address.endswith(f"/{RULEBOOK}") else SheetFit.UNKNOWN
        changes.append(PrintChange(address, job.title, job.place, how, says, fit))
    hashes = {
        change.address: words_digest_short(new_jobs[change.address].words)
        for change in changes
        if change.address in new_jobs
    }
    recorded = {
        address: sheet
        for address, sheet in after.checked_project.library.printed.items()
        if address in hashes
    }
    was_printed = {sheet.address: sheet.printed.hash for sheet in find_stale_sheets(recorded, hashes)}
    changes = [replace(change, stale=was_printed.get(change.address, "")) for change in changes]
    return _fitted(changes, old_jobs, new_jobs, after, printing)


def _fitted(
    changes: Sequence[PrintChange],
    old_jobs: Mapping[str, PrintJob],
    new_jobs: Mapping[str, PrintJob],
    after: ContentSnapshot,
    printing: Printing,
) -> list[PrintChange]:
    """Complete the changes by whether each sheet fits. A book has as many pages as it needs."""
    jobs: dict[str, PrintJob] = {}
    reasons: dict[str, str] = {}
    missing_dependency = typst_compiler.missing() if printing.lays_out else ""
    for change in changes:
        if change.fit is None or change.address not in new_jobs:
            continue
        if not printing.lays_out:
            reasons[change.address] = "that was not asked for"
        elif missing_dependency:
            reasons[change.address] = missing_dependency
        elif _is_faulty(change.address, after.checked_project.problems):
            reasons[change.address] = "its edition has errors"
        else:
            jobs[change.address] = new_jobs[change.address]
    done = press.run_print_jobs(printing.project, list(jobs.values()), printing.report_progress)
    failed = [address for address in jobs if address not in done.copies]
    earlier = press.run_print_jobs(
        printing.project,
        [old_jobs[address] for address in failed if address in old_jobs],
        printing.report_progress,
    )
    fitted_changes = []
    for change in changes:
        if change.address in reasons:
            fitted_changes.append(replace(change, reason=reasons[change.address]))
        elif change.address not in jobs:
            fitted_changes.append(change)
        elif change.address in done.copies:
            fitted_changes.append(replace(change, fit=SheetFit.FITS))
        else:
            fit = (
                SheetFit.FAILED
                if change.address in old_jobs and change.address not in earlier.copies
                else SheetFit.FAILS
            )
            problems = tuple(p for p in done.problems if p.is_failure and p.place.file == change.place.file)
            fitted_changes.append(replace(change, fit=fit, problems=problems))
    return fitted_changes


def _is_faulty(address: str, problems: Iterable[Problem]) -> bool:
    """Whether the edition of a sheet, or its book, has errors, so that what is printed would be wrong."""
    book, edition, _ = address.split("/", 2)
    parts = (f"content/{book}/{edition}/", f"content/{book}/rulebook.yml")
    return any(p.severity is Severity.ERROR and p.place.file.startswith(parts) for p in problems)
