"""The PDFs of a site, each as its file says. What a part of the content has printed is known by all that it
needs, so that an edit has only the parts read again that it reaches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from rulewright.checks.parts import Parts
from rulewright.citations.addresses import RULEBOOK, sheet_picture
from rulewright.citations.shelf import Shelf
from rulewright.print import press, typesetting
from rulewright.print.press import PrintedCopy, PrintRun, Tell
from rulewright.print.press.orders import Order, PrintOptions
from rulewright.site.artifacts import Prints
from rulewright.source.problems import Place, Problem, Severity, kind
from rulewright.source.store import Store, key, stamp

LEFT_OUT = kind(
    "not-printed",
    "The PDFs of an edition were left out, since what prints them is missing. The message has the command.",
    Severity.NOTE,
)
NO_ADDRESS = kind(
    "no-site-address",
    "Without a `site_url` in mkdocs.yml, printed sheets have no QR code, and their links lead to no host.",
    Severity.NOTE,
)
_NO_ADDRESS = (
    "site_url is not set, so sheets are printed without QR code; set it to where the site will stand"
)
SETTINGS = "mkdocs.yml"


class PrintedPart(NamedTuple):
    """Prints of one part: the key of each copy in the store, by its address, and what was said of them."""

    keys: Mapping[str, str]
    problems: tuple[Problem, ...]


def for_site(project: Path, parts: Parts, site: str, tell: Tell) -> Prints:
    """Print the PDFs and pictures of the site. `site`: its future address."""
    wishes = PrintOptions(site=site)
    if lacks := typesetting.missing():
        shelf = parts.examined(parts.names).shelf
        left = press.orders_of(project, shelf, wishes)
        return Prints(missing=lacks, problems=(*_left_out(shelf, left, lacks), *_no_address(site)))
    store = press.store_of(project)
    keys = {part: _key(project, parts, part, site) for part in parts.names}
    copies: dict[str, PrintedCopy] = {}
    problems: list[Problem] = []
    todo = []
    for part in parts.names:
        kept = store.load(keys[part])
        found = _copies(store, kept.keys) if isinstance(kept, PrintedPart) else None
        if found is None:
            todo.append(part)
        else:
            copies |= found
            problems += kept.problems
    done = PrintRun()
    if todo:
        shelf = parts.examined(todo).shelf
        wanted = [one for one in press.orders_of(project, shelf, wishes) if _part_of(one.address) in todo]
        done = press.run(project, wanted, tell)
        copies |= done.copies
        problems += done.problems
        for part in todo:
            said = {address: told for address, told in done.said.items() if _part_of(address) == part}
            if not any(problem.fails for told in said.values() for problem in told):
                printed = {address: done.keys[address] for address in said}
                store.keep(keys[part], PrintedPart(printed, tuple(p for told in said.values() for p in told)))
    files = {f"{address}.pdf": copy.pdf for address, copy in copies.items()}
    sheets = {address: copy for address, copy in copies.items() if not address.endswith(f"/{RULEBOOK}")}
    for address, copy in sheets.items():
        files |= {sheet_picture(address, at): data for at, data in enumerate(copy.pictures)}
    shown = {address: len(copy.pictures) for address, copy in copies.items()}
    return Prints(files, shown, problems=(*problems, *_no_address(site)), failed=done.failed)


def _key(project: Path, parts: Parts, part: str, site: str) -> str:
    """Key of all that the prints of a part are made of."""
    pictures = sorted(name for one in parts.needs(part) for name in parts.contents.beside(one))
    stamps = (f"{name} {stamp(str(project / name))}" for name in pictures)
    return key("prints", press.program(), site, part, parts.key(part), *stamps)


def _copies(store: Store, keys: Mapping[str, str]) -> dict[str, PrintedCopy] | None:
    """Copies from the store; None where one of them is not there any more."""
    found = {address: store.load(one) for address, one in keys.items()}
    return found if all(isinstance(copy, PrintedCopy) for copy in found.values()) else None


def _part_of(address: str) -> str:
    return address.partition("/")[0]


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
