"""Print player aids and rulebooks as PDF, or list printed sheets that are out of date.

The hash of each printed sheet is recorded in references.lock of its edition. --stale compares the sheets with
these hashes and prints nothing.

Exit codes: 0 all sheets printed, 1 problems or, with --stale, stale sheets found, 2 wrong usage.

example:
  rulewright aids ocs/4.3 sequence --paper a4 --ink black --marks --bleed 3mm
  rulewright aids ocs/4.3 rulebook --booklet
  rulewright aids ember-coast/2.1 cards --impose tabloid
  rulewright aids ember-coast/2.1 cards --paper poker --bleed 1/8in --format png
  rulewright aids --stale
"""

from __future__ import annotations

import errno
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulewright.app.command_registry import (
    address_argument,
    command,
    flag,
    formats,
    has_colour,
    may_replace,
    print_notice,
)
from rulewright.app.print_option_types import parse_length_option, parse_paper_option
from rulewright.files.errors import UserError, raise_on_errors
from rulewright.schema.paper import Paper

if TYPE_CHECKING:
    from rulewright.checks.load_and_check import CheckedProject
    from rulewright.print.print_job import PrintJob, PrintResult

OUTPUT = "print"


def _parse_bleed(value: str) -> float:
    if (length := parse_length_option(value)) > 25.4:
        raise click.BadParameter(f"{value} is not a valid bleed; write 3mm or 1/8in, or 0 for none")
    return length


@command
@address_argument(help="ocs/4.3, or ocs for its newest edition; default: all", required=False)
@click.argument("aid", required=False, help="name of an aid, or rulebook; default: all sheets of the book")
@click.option(
    "--paper",
    type=parse_paper_option,
    metavar="SIZE",
    help="a4, letter or 148x210mm; default: the paper of each sheet",
)
@click.option(
    "--ink",
    type=click.Choice(("colour", "black")),
    metavar="INK",
    help="colour, or black for black only; default: the setting of each sheet",
)
@click.option(
    "--bleed",
    type=_parse_bleed,
    metavar="LENGTH",
    help="3mm or 1/8in; default: the setting of each sheet",
)
@flag("--marks", help="draw crop marks outside the trim")
@click.option(
    "--impose",
    type=parse_paper_option,
    metavar="SIZE",
    help="arrange the pages side by side on larger paper with cut marks; if their number is even, every "
    "second page is the back of the previous one",
)
@flag("--booklet", help="arrange the pages as a booklet to fold once and staple (saddle stitch)")
@flag("--x1a", help="print PDF/X-1a, for printers who ask for it: without tags and links")
@flag("--proof", help="print faulty sheets too, with PROOF across each page")
@click.option("--output", metavar="DIR", help=f"output folder; default: {OUTPUT}/ in the project")
@may_replace
@flag("--stale", help="print nothing; list printed sheets whose text has changed since")
@formats(("text", "json", "png"))
def run(
    project: Path,
    book: str | None,
    aid: str | None,
    paper: Paper | None,
    ink: str | None,
    bleed: float | None,
    marks: bool,
    impose: Paper | None,
    booklet: bool,
    x1a: bool,
    proof: bool,
    output: str | None,
    force: bool,
    stale: bool,
    form: str,
) -> int:
    """Print sheets or compare them with references.lock.

    Raises UserError if a sheet does not exist, ContentErrors if the content has errors.
    """
    from rulewright.app.printed_sheets import raise_on_job_errors, select_jobs
    from rulewright.checks.load_and_check import load_and_check
    from rulewright.files.mkdocs_settings import site_url
    from rulewright.files.output_files import check_inside, free_path, write_output
    from rulewright.print import press, typst_compiler
    from rulewright.print.print_job import PrintOptions
    from rulewright.schema.problem_reports import plural, problems_text

    if booklet + bool(impose) + (form == "png") > 1:
        raise UserError("--booklet, --impose and --format png exclude each other; use only one of them")
    options = PrintOptions(paper, ink or "", marks, bleed, site_url(project), proof, x1a)
    checked = load_and_check(project)
    jobs = select_jobs(project, checked, options, book or "", aid or "")
    if stale:
        return _list_stale(checked, jobs, book=book or "", is_whole_edition=not aid, form=form)
    folder = Path(output) if output else check_inside(project, project / OUTPUT)
    kind = ".booklet" * booklet + ".imposed" * bool(impose) + ".proof" * proof
    ending = f"{kind}.{'png' if form == 'png' else 'pdf'}"

    def path_of(job: PrintJob, page: str = "") -> Path:
        return check_inside(folder, folder / f"{job.address}{page}{ending}")

    jobs, faults = raise_on_job_errors(checked, jobs, "nothing printed until this is fixed", but_aids=not aid)
    for job in jobs:
        free_path(path_of(job, "-1" if form == "png" else ""), force)
    if lacking := typst_compiler.missing():
        raise UserError(f"nothing printed: {lacking}")
    results = press.run_print_jobs(project, jobs, print_notice, images=False)
    problems = sorted({*faults, *(problem for result in results.values() for problem in result.problems)})
    print(problems_text(problems, colour=has_colour(sys.stdout)), end="", flush=True)
    printed = [job for job in jobs if results[job.address].pdf]
    for job in printed:
        for page, content in _files(results[job.address].pdf, impose, booklet, form).items():
            (path := path_of(job, page)).parent.mkdir(parents=True, exist_ok=True)
            write_output(content, path, force)
            print(path, flush=True)
    if missing := len(jobs) - len(printed) + len({problem.place.file for problem in faults}):
        print_notice(f"rulewright: {plural(missing, 'sheet')} not printed, for the reasons above", fault=True)
    if not proof and not booklet and not impose:
        _record(project, printed, results, is_in_project=not output)
    return 1 if missing else 0


def _record(
    project: Path, printed: Sequence[PrintJob], results: Mapping[str, PrintResult], *, is_in_project: bool
) -> None:
    """Record printed sheets; only print a notice if sheets elsewhere cannot be recorded."""
    from rulewright.app.printed_sheets import record_printed

    try:
        record_printed(project, printed, results)
    except OSError as error:
        if is_in_project or error.errno not in (errno.EACCES, errno.EPERM, errno.EROFS):
            raise
        print_notice(f"references.lock is not writable ({error}); --stale will not know these sheets")


def _files(pdf: bytes, paper: Paper | None, booklet: bool, form: str) -> dict[str, bytes]:
    """Return a PDF, imposed if asked for, or its pages as images by their endings. Raises UserError."""
    from rulewright.print.page_images import render_press_images
    from rulewright.print.page_imposition import n_up, saddle_stitch

    if form == "png":
        return {f"-{number}": image for number, image in enumerate(render_press_images(pdf), 1)}
    if booklet:
        return {"": saddle_stitch(pdf)}
    return {"": n_up(pdf, paper) if paper else pdf}


def _list_stale(
    checked: CheckedProject, jobs: Sequence[PrintJob], *, book: str, is_whole_edition: bool, form: str
) -> int:
    """Print the stale sheets. Raises ContentErrors if the content has errors."""
    from rulewright.app.printed_sheets import find_stale_sheets, raise_on_job_errors
    from rulewright.print.print_job import words_digest_short
    from rulewright.schema.problem_reports import plural, to_json_text

    consequence = "stale sheets cannot be determined until this is fixed"
    if not book:
        raise_on_errors(checked.problems, consequence)
    raise_on_job_errors(checked, jobs, consequence)
    hashes = {job.address: words_digest_short(job.lines) for job in jobs}
    # A sheet without a job is gone, if all sheets of its edition were asked for.
    editions = tuple({f"{job.edition.address}/" for job in jobs}) if is_whole_edition else ()
    printed = checked.library.printed
    known = {
        address: sheet
        for address, sheet in printed.items()
        if not book or address in hashes or address.startswith(editions)
    }
    sheets = find_stale_sheets(known, hashes)
    if form == "json":
        records = [
            {
                "address": sheet.address,
                "date": sheet.printed.date,
                "printed": sheet.printed.hash,
                "now": sheet.current_text or None,
            }
            for sheet in sheets
        ]
        sys.stdout.write(to_json_text(records))
    for sheet in sheets if form == "text" else ():
        today = f"now {sheet.current_text}" if sheet.current_text else "and the aid no longer exists"
        print(f"{sheet.address}: printed as {sheet.printed.hash} on {sheet.printed.date}, {today}")
    changed = f"{len(sheets)} of {plural(len(printed), 'printed sheet')} changed since"
    print_notice(f"{changed if printed else 'No sheet was printed yet'}.")
    return 1 if sheets else 0
