"""The PDFs of a site, each as its file says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from rulewright.checks.examine import Examined
from rulewright.checks.settings_faults import NO_ADDRESS
from rulewright.citations.addresses import RULEBOOK, sheet_picture
from rulewright.citations.shelf import Shelf
from rulewright.print import press, typesetting
from rulewright.print.press import Tell
from rulewright.print.press.orders import Order, PrintOptions
from rulewright.site.artifacts import Prints
from rulewright.source.problems import Place, Problem, Severity, kind

LEFT_OUT = kind(
    "not-printed",
    "The PDFs of an edition were left out, since what prints them is missing. The message has the command.",
    Severity.NOTE,
)
_NO_ADDRESS = (
    "site_url is not set, so sheets are printed without QR code; set it to where the site will stand"
)
SETTINGS = "mkdocs.yml"


def for_site(project: Path, examined: Examined, site: str, tell: Tell) -> Prints:
    """Print the PDFs and pictures of the site. `site`: its future address."""
    shelf = examined.shelf
    orders = press.orders_of(project, shelf, PrintOptions(site=site))
    if lacks := typesetting.missing():
        return Prints(missing=lacks, problems=(*_left_out(shelf, orders, lacks), *_no_address(site)))
    done = press.run(project, orders, tell)
    files = {f"{address}.pdf": copy.pdf for address, copy in done.copies.items()}
    sheets = {address: copy for address, copy in done.copies.items() if not address.endswith(f"/{RULEBOOK}")}
    for address, copy in sheets.items():
        files |= {sheet_picture(address, at): data for at, data in enumerate(copy.pictures)}
    shown = {address: len(copy.pictures) for address, copy in done.copies.items()}
    return Prints(files, shown, problems=(*done.problems, *_no_address(site)), failed=done.failed)


def _left_out(shelf: Shelf, wanted: Iterable[Order], lacks: str) -> Iterator[Problem]:
    """A problem for each edition of which something was not printed, with the command that mends that."""
    for address, outline in shelf.outlines.items():
        left = (order.address for order in wanted if order.address.startswith(f"{address}/"))
        if names := [name.rpartition("/")[2] for name in left]:
            place = outline.edition.file.edition.place
            yield LEFT_OUT.at(place, f"no PDF of {', '.join(names)}: {lacks}", address)


def _no_address(site: str) -> Iterator[Problem]:
    if not site:
        yield NO_ADDRESS.at(Place(SETTINGS), _NO_ADDRESS, SETTINGS)
