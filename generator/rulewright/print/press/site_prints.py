"""The PDFs of a site, each as its file says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from rulewright.checks.load_and_check import CheckedProject
from rulewright.files.problems import Problem, Severity, SourceLocation, problem_type
from rulewright.print import press, typst_compiler
from rulewright.print.press import Tell
from rulewright.print.press.print_job import PrintJob, PrintOptions
from rulewright.references.mkdocs_settings_faults import NO_ADDRESS
from rulewright.references.reference_index import ReferenceIndex
from rulewright.references.site_paths import RULEBOOK, sheet_picture
from rulewright.render.build_artifacts import PrintedFiles

LEFT_OUT = problem_type(
    "not-printed",
    "The PDFs of an edition were left out, since what prints them is missing. The message has the command.",
    Severity.NOTE,
)
_NO_ADDRESS = (
    "site_url is not set, so sheets are printed without QR code; set it to where the site will stand"
)
SETTINGS = "mkdocs.yml"


def for_site(project: Path, examined: CheckedProject, site: str, tell: Tell) -> PrintedFiles:
    """Print the PDFs and pictures of the site. `site`: its future address."""
    index = examined.index
    orders = press.all_print_jobs(project, index, PrintOptions(site=site))
    if lacks := typst_compiler.missing():
        return PrintedFiles(
            missing_dependency=lacks, problems=(*_left_out(index, orders, lacks), *_no_address(site))
        )
    done = press.run_print_jobs(project, orders, tell)
    files = {f"{address}.pdf": copy.pdf for address, copy in done.copies.items()}
    sheets = {address: copy for address, copy in done.copies.items() if not address.endswith(f"/{RULEBOOK}")}
    for address, copy in sheets.items():
        files |= {sheet_picture(address, at): data for at, data in enumerate(copy.pictures)}
    shown = {address: len(copy.pictures) for address, copy in done.copies.items()}
    return PrintedFiles(files, shown, problems=(*done.problems, *_no_address(site)), failed=done.failed)


def _left_out(index: ReferenceIndex, wanted: Iterable[PrintJob], lacks: str) -> Iterator[Problem]:
    """A problem for each edition of which something was not printed, with the command that mends that."""
    for address, outline in index.outlines.items():
        left = (order.address for order in wanted if order.address.startswith(f"{address}/"))
        if names := [name.rpartition("/")[2] for name in left]:
            place = outline.edition.edition_file.edition.place
            yield LEFT_OUT.problem(place, f"no PDF of {', '.join(names)}: {lacks}", address)


def _no_address(site: str) -> Iterator[Problem]:
    if not site:
        yield NO_ADDRESS.problem(SourceLocation(SETTINGS), _NO_ADDRESS, SETTINGS)
