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
from typing import TYPE_CHECKING

from rulewright.site.artifacts import Prints
from rulewright.source import private
from rulewright.source.problems import Place, Problem, Severity, kind
from rulewright.source.processes import share_out

if TYPE_CHECKING:
    from rulewright.citations.shelf import Shelf
    from rulewright.print.press.orders import Order, PrintOptions, ReadFile
    from rulewright.print.press.store import PrintedCopy, Store
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

STORE = "sheets"


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
    from rulewright.print.press.orders import PrintOptions

    wanted = orders_of(project, shelf, PrintOptions(site=site))
    done = run(project, wanted, tell)
    files = {name: data for address, copy in done.copies.items() for name, data in files_of(address, copy)}
    sheets = {address: len(copy.pictures) for address, copy in done.copies.items()}
    problems = (*done.problems, *remarks(shelf, wanted, done.missing, site))
    return Prints(files, sheets, done.missing, problems, done.failed)


def files_of(address: str, copy: PrintedCopy) -> Iterator[tuple[str, bytes]]:
    """The files of a sheet on the site: its PDF, a picture of its first page, and one of each behind it."""
    yield f"{address}.pdf", copy.pdf
    for at, picture in enumerate(copy.pictures, 1):
        yield f"{address}{f'-{at}' if at > 1 else ''}.png", picture


def remarks(shelf: Shelf, wanted: Sequence[Order], missing: str, site: str) -> Iterator[Problem]:
    """A note for each edition that is not printed, with the command that mends that; one of no address."""
    for address, outline in shelf.outlines.items() if missing else ():
        names = [o.address.rpartition("/")[2] for o in wanted if o.address.startswith(f"{address}/")]
        place = outline.edition.file.edition.place
        yield LEFT_OUT.at(place, f"no PDF of {', '.join(names)}: {missing}", address)
    if not site:
        yield NO_ADDRESS.at(Place(SETTINGS), _NO_ADDRESS, SETTINGS)


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
    store = store_of(project)
    copies: dict[str, PrintedCopy] = {}
    failed: dict[str, tuple[Problem, ...]] = {}
    todo: list[tuple[str, Order]] = []
    for order in wanted:
        digest, problems = key(order)
        copy = store.get(digest) if digest else None
        if problems:
            failed[order.address] = problems
        elif copy is None:
            todo.append((digest, order))
        else:
            copies[order.address] = copy
        if problems or copy:
            tell(Progress(order, len(copies) + len(failed), len(wanted), failed=bool(problems)))
    found = [problem for problems in failed.values() for problem in problems]
    done = len(copies) + len(failed)
    for at, (copy, problems, seconds) in share_out(lambda at: make(todo[at][1]), len(todo)):
        digest, order = todo[at]
        found += problems
        if copy is None:
            failed[order.address] = problems
        else:
            copies[order.address] = copy
            if not any(problem.fails for problem in problems):
                store.put(digest, copy)
        done += 1
        tell(Progress(order, done, len(wanted), seconds, copy is None))
    return PrintRun(copies, failed, tuple(found))


def key(order: Order) -> tuple[str, tuple[Problem, ...]]:
    """The key of an order; or, where it cannot even be put together, why."""
    try:
        return key_of(order), ()
    except Exception as error:
        return "", (stumbled(order, error),)


def stumbled(order: Order, error: Exception) -> Problem:
    """The problem of an order that the engine refuses, or the program itself stumbles over."""
    from rulewright.print.typesetting import Refused

    said = f"{type(error).__name__}: {error}".removesuffix(": ")
    if isinstance(error, Refused):
        return order.fault.at(order.place, f"what makes PDFs says: {error}; report it", order.address)
    if isinstance(error, OSError):
        return BROKEN.at(order.place, f"{order.title} cannot be printed: {said}", order.address)
    frame = traceback.extract_tb(error.__traceback__)[-1]
    said = f"{said}; {Path(frame.filename).name}, line {frame.lineno}"
    return BROKEN.at(order.place, f"{order.title} stops the program ({said}); report it", order.address)


def store_of(project: Path) -> Store:
    """The store of a project's finished sheets."""
    from rulewright.print.press.store import Store

    return Store(private.cache(f"{STORE}/{private.key(project)}"))


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
    for name in ("typesetting.py", "finishing.py", "separation.py"):
        digest.update(Path(typesetting.__file__).with_name(name).read_bytes())
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
    from rulewright.print.press.orders import RULEBOOK
    from rulewright.print.press.store import PrintedCopy
    from rulewright.print.press.thumbnail import thumbnails

    made = order.make()
    problems, proof = made.problems, order.wishes.proof
    if not made.pdf or (not proof and any(problem.fails for problem in problems)):
        return None, problems
    report = preflight(made.pdf, made.expected, order.place)
    problems = (*problems, *report.problems)
    if report.fails and not proof:
        return None, problems
    is_book = order.address.endswith(f"/{RULEBOOK}")  # which is read, and not looked at
    return PrintedCopy(made.pdf, () if is_book else tuple(thumbnails(made.pdf))), problems
