"""Find the player aids and rulebooks whose print changes, and whether the aids still fit."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path

from rulewright.edit.impact.content_snapshot import ContentSnapshot
from rulewright.files.problems import Problem, Severity, SourceLocation
from rulewright.print import press, typst_compiler
from rulewright.print.press.print_job import PrintJob, PrintOptions
from rulewright.print.press.printed_sheets import find_stale_sheets, words_digest_short
from rulewright.references.site_paths import RULEBOOK


class SheetFit(StrEnum):
    """Whether a sheet fits its paper."""

    FITS = "fits"
    FAILS = "does not fit any more"
    FAILED = "does not fit, as before"
    UNKNOWN = "not laid out"


@dataclass(frozen=True, slots=True)
class PrintChange:
    """A sheet or a rulebook whose print changes."""

    address: str
    title: str
    place: SourceLocation
    status: str  # added, removed or changed
    has_new_words: bool
    fit: SheetFit | None = SheetFit.UNKNOWN  # none for a rulebook, which has as many pages as it needs
    problems: tuple[Problem, ...] = ()  # problems of a sheet that does not fit
    reason: str = ""  # why the sheet was not laid out
    stale: str = ""  # digest on the printed copies that are out of date


ProgressReporter = Callable[[press.Progress], None]


@dataclass(frozen=True, slots=True)
class Printing:
    """Settings for laying out sheets."""

    project: Path
    site: str = ""  # address of the site
    lays_out: bool = True
    report_progress: ProgressReporter = field(default=lambda step: None)


def _print_jobs(
    snapshot: ContentSnapshot, printing: Printing, editions: Collection[str]
) -> dict[str, PrintJob]:
    jobs = press.print_jobs_of(snapshot.render_context, PrintOptions(site=printing.site), snapshot.read)
    return {job.address: job for job in jobs if "/".join(job.address.split("/")[:2]) in editions}


def print_changes(
    before: ContentSnapshot, after: ContentSnapshot, printing: Printing, editions: Collection[str]
) -> list[PrintChange]:
    """List the sheets and rulebooks of some editions whose PDF would differ, in book order."""
    old_jobs, new_jobs = (_print_jobs(snapshot, printing, editions) for snapshot in (before, after))
    changes: list[PrintChange] = []
    for address, job in {**old_jobs, **new_jobs}.items():
        if address not in new_jobs or address not in old_jobs:
            status, has_new_words = ("removed" if address in old_jobs else "added"), True
        elif list(job.cache_inputs) != list(old_jobs[address].cache_inputs):
            status, has_new_words = "changed", job.words != old_jobs[address].words
        else:
            continue
        fit = None if address.endswith(f"/{RULEBOOK}") else SheetFit.UNKNOWN
        changes.append(PrintChange(address, job.title, job.place, status, has_new_words, fit))
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
    stale_hashes = {sheet.address: sheet.printed.hash for sheet in find_stale_sheets(recorded, hashes)}
    changes = [replace(change, stale=stale_hashes.get(change.address, "")) for change in changes]
    return _check_fit(changes, old_jobs, new_jobs, after, printing)


def _check_fit(
    changes: Sequence[PrintChange],
    old_jobs: Mapping[str, PrintJob],
    new_jobs: Mapping[str, PrintJob],
    after: ContentSnapshot,
    printing: Printing,
) -> list[PrintChange]:
    """Lay out the sheets and add to each change whether it fits."""
    jobs: dict[str, PrintJob] = {}
    reasons: dict[str, str] = {}
    missing_dependency = typst_compiler.missing() if printing.lays_out else ""
    for change in changes:
        if change.fit is None or change.address not in new_jobs:
            continue
        if not printing.lays_out:
            reasons[change.address] = "layout was not requested"
        elif missing_dependency:
            reasons[change.address] = missing_dependency
        elif _has_errors(change.address, after.checked_project.problems):
            reasons[change.address] = "its edition has errors"
        else:
            jobs[change.address] = new_jobs[change.address]
    result = press.run_print_jobs(printing.project, list(jobs.values()), printing.report_progress)
    failed_jobs = [old_jobs[a] for a in jobs if a in old_jobs and a not in result.copies]
    old_result = press.run_print_jobs(printing.project, failed_jobs, printing.report_progress)
    fitted_changes = []
    for change in changes:
        if change.address in reasons:
            fitted_changes.append(replace(change, reason=reasons[change.address]))
        elif change.address not in jobs:
            fitted_changes.append(change)
        elif change.address in result.copies:
            fitted_changes.append(replace(change, fit=SheetFit.FITS))
        else:
            failed_before = change.address in old_jobs and change.address not in old_result.copies
            fit = SheetFit.FAILED if failed_before else SheetFit.FAILS
            problems = tuple(p for p in result.problems if p.is_failure and p.place.file == change.place.file)
            fitted_changes.append(replace(change, fit=fit, problems=problems))
    return fitted_changes


def _has_errors(address: str, problems: Iterable[Problem]) -> bool:
    """Return whether the edition or the book of a sheet has errors."""
    book, edition, _ = address.split("/", 2)
    prefixes = (f"content/{book}/{edition}/", f"content/{book}/rulebook.yml")
    return any(p.severity is Severity.ERROR and p.place.file.startswith(prefixes) for p in problems)
