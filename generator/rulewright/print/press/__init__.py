"""The press: sheets and rulebooks as PDF, each checked against what it promises before it is delivered.

    shelf ──orders──► what it is made of ──hash──► store, or ──make──► PDF ──preflight──► copy, picture

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

from rulewright.source.folder import on_disk
from rulewright.source.problems import Problem, errors, kind
from rulewright.source.processes import share_out
from rulewright.source.resources import PACKAGE
from rulewright.source.store import Store, of_project

if TYPE_CHECKING:
    from rulewright.citations.shelf import Shelf
    from rulewright.print.press.orders import Order, PrintOptions, ReadFile
    from rulewright.site.context import Desk

BROKEN = kind(
    "print-failed", "A sheet or a rulebook could not be put together or set. Everything else is printed."
)

MADE_BY = (
    "model/colours",
    "print/typesetting",
    "print/finishing",
    "print/separation",
    "print/operators",
    "print/colour_spaces",
    "print/geometry",
    "print/pdf_objects",
    "print/preflight/promise",
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

    order: Order
    at: int
    of: int
    seconds: float | None = None
    failed: bool = False

    def __str__(self) -> str:
        how = "unchanged" if self.seconds is None else f"{self.seconds:.1f} seconds"
        return f"[{self.at}/{self.of}] {self.order.title}: {'failed' if self.failed else how}"


Tell = Callable[[Progress], None]


@dataclass(frozen=True, slots=True)
class PrintRun:
    """Result of a print run by address. `missing`: what the printer lacks; then there is no copy."""

    copies: Mapping[str, PrintedCopy] = field(default_factory=dict)
    said: Mapping[str, tuple[Problem, ...]] = field(default_factory=dict)
    missing: str = ""

    @property
    def failed(self) -> dict[str, tuple[Problem, ...]]:
        return {address: told for address, told in self.said.items() if address not in self.copies}

    @property
    def problems(self) -> tuple[Problem, ...]:
        return tuple(problem for told in self.said.values() for problem in told)


def orders_of(project: Path, shelf: Shelf, wishes: PrintOptions) -> list[Order]:
    """Everything that can be printed of a project, in the order of the books."""
    from rulewright.site.context import Desk

    return orders_on(Desk(shelf), wishes, lambda name: on_disk(project, name).read_bytes())


def orders_on(desk: Desk, wishes: PrintOptions, read: ReadFile) -> list[Order]:
    """For each book on a shelf its aids, and the book itself. `read` gives the files that they show."""
    from rulewright.print.press.book_order import BookOrder
    from rulewright.print.press.sheet_order import SheetOrder

    made: list[Order] = []
    for address, outline in desk.shelf.outlines.items():
        made += [SheetOrder(sheet, desk, wishes, read) for sheet in desk.shelf.sheets[address]]
        made.append(BookOrder(outline, desk, wishes, read))
    return made


def run(project: Path, wanted: Sequence[Order], tell: Tell = lambda step: None) -> PrintRun:
    """Print what is wanted, or take it from the store. `tell` hears of each as it is done."""
    from rulewright.print import typesetting

    if wanted and (lacks := typesetting.missing()):
        return PrintRun(missing=lacks)
    store = store_of(project)
    copies: dict[str, PrintedCopy] = {}
    said: dict[str, tuple[Problem, ...]] = {}
    for at, (copy, problems, seconds) in share_out(lambda at: _printed(wanted[at], store), len(wanted)):
        order = wanted[at]
        said[order.address] = problems
        if copy:
            copies[order.address] = copy
        tell(Progress(order, len(said), len(wanted), seconds, copy is None))
    in_turn = [order.address for order in wanted]
    return PrintRun(
        {one: copies[one] for one in in_turn if one in copies}, {one: said[one] for one in in_turn}
    )


def _printed(order: Order, store: Store) -> tuple[PrintedCopy | None, tuple[Problem, ...], float | None]:
    """The copy of an order from the store, or printed now, with the seconds that it took."""
    try:
        kept = key_of(order)
    except Exception as error:  # it cannot even be put together
        return None, (stumbled(order, error),), None
    copy = store.load(kept)
    if isinstance(copy, PrintedCopy):
        return copy, (), None
    copy, problems, seconds = make(order)
    if copy and not problems:  # else they are told each time
        store.keep(kept, copy)
    return copy, problems, seconds


def store_of(project: Path) -> Store:
    """The store of a project's finished sheets."""
    return of_project("sheets", project)


def stumbled(order: Order, error: Exception) -> Problem:
    """The problem of an order that Typst refuses or the program stumbles over; all others are printed."""
    from rulewright.print.typesetting import Refused

    if isinstance(error, Refused):
        return order.fault.at(order.place, f"Typst says of {order.title}: {error}; report it", order.address)
    said = f"{type(error).__name__}: {error}".removesuffix(": ")
    if isinstance(error, OSError):
        return BROKEN.at(order.place, f"{order.title} cannot be printed: {said}", order.address)
    frame = traceback.extract_tb(error.__traceback__)[-1]
    said = f"{said}; {Path(frame.filename).name}, line {frame.lineno}"
    return BROKEN.at(order.place, f"{order.title} stops the program ({said}); report it", order.address)


def key_of(order: Order) -> str:
    """The hash of all that a PDF is made of, the program and its engine included."""
    digest = hashlib.sha256(program())
    for part in (order.address.encode(), order.title.encode(), *order.material):
        digest.update(len(part).to_bytes(8, "big"))
        digest.update(part)
    return digest.hexdigest()[:32]


@cache
def program() -> bytes:
    """Hash of what sets pages beside their data: templates and faces, the finish, and Typst's version."""
    from importlib.metadata import PackageNotFoundError, version

    from rulewright.print import typesetting

    digest = hashlib.sha256()
    for path in sorted(typesetting.PRINT.rglob("*")):
        if path.is_file():
            digest.update(path.relative_to(typesetting.PRINT).as_posix().encode() + path.read_bytes())
    for name in MADE_BY:
        digest.update((PACKAGE / f"{name}.py").read_bytes())
    for name in ("typst", "pikepdf", "pypdfium2"):
        with suppress(PackageNotFoundError):
            digest.update(f"{name} {version(name)}".encode())
    return digest.digest()


def make(order: Order) -> tuple[PrintedCopy | None, tuple[Problem, ...], float]:
    """Print one, check it against what it promises, and draw its pictures; with the seconds that it took.

    A proof is printed with its problems. Whatever goes wrong is a problem of this one alone.
    """
    begun = time.perf_counter()
    try:
        copy, problems = _made(order)
    except Exception as error:
        copy, problems = None, (stumbled(order, error),)
    return copy, problems, time.perf_counter() - begun


def _made(order: Order) -> tuple[PrintedCopy | None, tuple[Problem, ...]]:
    from rulewright.print.preflight import run as preflight
    from rulewright.print.press.page_images import pictures

    made = order.make()
    problems = made.problems
    if made.pdf and not errors(problems):  # else a proof tells what the print would
        problems = (*problems, *preflight(made.pdf, order.place).problems)
    copy = made.pdf and (order.wishes.proof or not errors(problems))
    return PrintedCopy(made.pdf, pictures(made.pdf, order.pictures)) if copy else None, problems
