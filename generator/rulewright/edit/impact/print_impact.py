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
    wishes = PrintOptions(site=printing.site)
    was, now = (
        {
            order.address: order
            for order in press.print_jobs_of(one.render_context, wishes, one.read)
            if "/".join(order.address.split("/")[:2]) in editions
        }
        for one in (before, after)
    )
    found: list[PrintChange] = []
    for address, order in {**was, **now}.items():
        if address not in now or address not in was:
            how, says = ("removed" if address in was else "added"), True
        elif list(order.cache_inputs) != list(was[address].cache_inputs):
            how, says = "changed", order.words != was[address].words
        else:
            continue
        fit = None if address.endswith(f"/{RULEBOOK}") else SheetFit.UNKNOWN
        found.append(PrintChange(address, order.title, order.place, how, says, fit))
    hashes = {one.address: words_digest_short(now[one.address].words) for one in found if one.address in now}
    recorded = {
        address: sheet
        for address, sheet in after.checked_project.library.printed.items()
        if address in hashes
    }
    was_printed = {one.address: one.printed.hash for one in find_stale_sheets(recorded, hashes)}
    found = [replace(one, stale=was_printed.get(one.address, "")) for one in found]
    return _fitted(found, was, now, after, printing)


def _fitted(
    found: Sequence[PrintChange],
    was: Mapping[str, PrintJob],
    now: Mapping[str, PrintJob],
    after: ContentSnapshot,
    printing: Printing,
) -> list[PrintChange]:
    """Complete the changes by whether each sheet fits. A book has as many pages as it needs."""
    open_: dict[str, PrintJob] = {}
    why: dict[str, str] = {}
    lacks = typst_compiler.missing() if printing.lays_out else ""
    for one in found:
        if one.fit is None or one.address not in now:
            continue
        if not printing.lays_out:
            why[one.address] = "that was not asked for"
        elif lacks:
            why[one.address] = lacks
        elif _is_faulty(one.address, after.checked_project.problems):
            why[one.address] = "its edition has errors"
        else:
            open_[one.address] = now[one.address]
    done = press.run_print_jobs(printing.project, list(open_.values()), printing.report_progress)
    failed = [address for address in open_ if address not in done.copies]
    earlier = press.run_print_jobs(
        printing.project, [was[one] for one in failed if one in was], printing.report_progress
    )
    made = []
    for one in found:
        if one.address in why:
            made.append(replace(one, reason=why[one.address]))
        elif one.address not in open_:
            made.append(one)
        elif one.address in done.copies:
            made.append(replace(one, fit=SheetFit.FITS))
        else:
            fit = (
                SheetFit.FAILED
                if one.address in was and one.address not in earlier.copies
                else SheetFit.FAILS
            )
            of_sheet = tuple(p for p in done.problems if p.is_failure and p.place.file == one.place.file)
            made.append(replace(one, fit=fit, problems=of_sheet))
    return made


def _is_faulty(address: str, problems: Iterable[Problem]) -> bool:
    """Whether the edition of a sheet, or its book, has errors, so that what is printed would be wrong."""
    book, edition, _ = address.split("/", 2)
    parts = (f"content/{book}/{edition}/", f"content/{book}/rulebook.yml")
    return any(p.severity is Severity.ERROR and p.place.file.startswith(parts) for p in problems)
