"""The press: sheets and rulebooks as PDF, each checked against what it promises before it is delivered.

    shelf ──orders──► what it is made of ──hash──► store, or ──make──► PDF ──preflight──► copy, picture

What is made of the same is not made again. As many are made at once as the machine has processors.
"""

from __future__ import annotations

import hashlib
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from rulewright.site.artifacts import Prints
from rulewright.source.problems import Place, Problem, Severity, kind
from rulewright.source.processes import share_out
from rulewright.source.resources import PACKAGE
from rulewright.source.store import of_project

if TYPE_CHECKING:
    from rulewright.citations.shelf import Shelf
    from rulewright.print.press.orders import Order, PrintOptions, ReadFile
    from rulewright.site.context import Desk

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
BROKEN = kind(
    "print-failed", "A sheet or a rulebook could not be put together or set. Everything else is printed."
)
SETTINGS = "mkdocs.yml"

MADE_BY = (
    "model/colours",
    "print/typesetting",
    "print/finishing",
    "print/separation",
    "print/operators",
    "print/preflight/colour",
    "print/preflight/geometry",
    "print/preflight/objects",
    "print/preflight/streams",
    "print/press/pictures",
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
    """Result of a print run: copies by address, and the problems of all.

    `failed`: by its address, why something was not printed. `missing`: what the printer lacks; then there is
    no copy.
    """

    copies: Mapping[str, PrintedCopy] = field(default_factory=dict)
    failed: Mapping[str, tuple[Problem, ...]] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    missing: str = ""


def for_site(project: Path, shelf: Shelf, site: str, tell: Tell) -> Prints:
    """Print the PDFs and pictures of the site, each as its file says. `site`: its future address."""
    from rulewright.citations.addresses import RULEBOOK, sheet_picture
    from rulewright.print.press.orders import PrintOptions

    wanted = orders_of(project, shelf, PrintOptions(site=site))
    done = run(project, wanted, tell)
    files = {f"{address}.pdf": copy.pdf for address, copy in done.copies.items()}
    sheets = {address: copy for address, copy in done.copies.items() if not address.endswith(f"/{RULEBOOK}")}
    for address, copy in sheets.items():
        files |= {sheet_picture(address, at): data for at, data in enumerate(copy.pictures)}
    problems = (*done.problems, *_left_out(shelf, wanted, done))
    if not site:
        problems = (*problems, NO_ADDRESS.at(Place(SETTINGS), _NO_ADDRESS, SETTINGS))
    shown = {address: len(copy.pictures) for address, copy in done.copies.items()}
    return Prints(files, shown, done.missing, problems, done.failed)


def _left_out(shelf: Shelf, wanted: Sequence[Order], done: PrintRun) -> Iterator[Problem]:
    """A problem for each edition of which something was not printed, with the command that mends that."""
    left = [order.address for order in wanted if order.address not in done.copies] if done.missing else []
    for address, outline in shelf.outlines.items():
        names = [name.rpartition("/")[2] for name in left if name.startswith(f"{address}/")]
        if names:
            place = outline.edition.file.edition.place
            yield LEFT_OUT.at(place, f"no PDF of {', '.join(names)}: {done.missing}", address)


def orders_of(project: Path, shelf: Shelf, wishes: PrintOptions) -> list[Order]:
    """Everything that can be printed of a project, in the order of the books."""
    from rulewright.site.context import Desk

    return orders_on(Desk(shelf), wishes, lambda name: (project / name).read_bytes())


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
    store = of_project("sheets", project)
    copies: dict[str, PrintedCopy] = {}
    failed: dict[str, tuple[Problem, ...]] = {}
    todo: list[tuple[str, Order]] = []
    for order in wanted:
        key, problems = _key(order)
        copy = store.load(key) if key else None
        if problems:
            failed[order.address] = problems
        elif copy is None:
            todo.append((key, order))
        else:
            copies[order.address] = copy
        if problems or copy:
            tell(Progress(order, len(copies) + len(failed), len(wanted), failed=bool(problems)))
    found = [problem for problems in failed.values() for problem in problems]
    done = len(copies) + len(failed)
    for at, (copy, problems, seconds) in share_out(lambda at: make(todo[at][1]), len(todo)):
        key, order = todo[at]
        found += problems
        if copy is None:
            failed[order.address] = problems
        else:
            copies[order.address] = copy
            if not any(problem.fails for problem in problems):
                store.keep(key, copy)
        done += 1
        tell(Progress(order, done, len(wanted), seconds, copy is None))
    return PrintRun(copies, failed, tuple(found))


def _key(order: Order) -> tuple[str, tuple[Problem, ...]]:
    """The key of an order; or, where it cannot even be put together, why."""
    try:
        return key_of(order), ()
    except Exception as error:
        return "", (stumbled(order, error),)


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
    digest = hashlib.sha256(_program())
    for part in (order.address.encode(), order.title.encode(), *order.material):
        digest.update(len(part).to_bytes(8, "big"))
        digest.update(part)
    return digest.hexdigest()[:32]


@cache
def _program() -> bytes:
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
    from rulewright.print.press.pictures import pictures

    made = order.make()
    problems = made.problems
    copy = None
    proof = order.wishes.proof
    if made.pdf and (proof or not any(problem.fails for problem in problems)):
        report = preflight(made.pdf, made.expected, order.place)
        problems = (*problems, *report.problems)
        if proof or not report.fails:
            copy = PrintedCopy(made.pdf, pictures(made.pdf, order.pictures))
    return copy, tuple(problems)
