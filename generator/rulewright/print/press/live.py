"""The press while someone edits: what is asked for is printed then, and all else behind the editor's back.

    shelf ──orders──► as asked for, or one after the other ──make──► copies

A rulebook waits until no edit has come for a while, since nobody looks at it after each.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Event, Lock, Thread

from rulewright.citations.shelf import Shelf
from rulewright.print import press, typesetting
from rulewright.print.press.orders import Order, PrintOptions
from rulewright.print.press.sheet_order import SheetOrder
from rulewright.print.press.store import PrintedCopy
from rulewright.site.artifacts import Prints
from rulewright.source.problems import Problem

QUIET = 4.0
"""Seconds without an edit after which rulebooks are printed."""


class LivePress:
    """Prints the sheets of a project that is edited, each again only when it is made of something else."""

    def __init__(self, project: Path, site: str, tell: press.Tell) -> None:
        self.project, self.site, self.tell = project, site, tell
        self.orders: dict[str, Order] = {}
        self._made: dict[str, tuple[str, PrintedCopy | None, tuple[Problem, ...]]] = {}
        self._lock, self._over = Lock(), Event()

    def __call__(self, shelf: Shelf) -> Prints:
        """Take the orders of a shelf. Nothing is printed yet; what is wrong is what is known of it so far."""
        self._over.set()
        wanted = press.orders_of(self.project, shelf, PrintOptions(site=self.site))
        self.orders = {order.address: order for order in wanted}
        missing = typesetting.missing()
        pages = {o.address: o.plan.pages if isinstance(o, SheetOrder) else 0 for o in wanted if not missing}
        return Prints(
            sheets=pages, missing=missing, problems=tuple(press.remarks(shelf, wanted, missing, self.site))
        )

    @property
    def problems(self) -> list[Problem]:
        """Everything that is wrong with what has been printed."""
        return [one for address in self.orders if address in self._made for one in self._made[address][2]]

    def file(self, path: str) -> bytes | None:
        """A PDF or a picture by its path on the site, printed now if need be; None where it is not ours."""
        stem, _, kind = path.rpartition(".")
        page, _, number = stem.rpartition("-")
        address = stem if stem in self.orders or not number.isdecimal() else page
        if kind not in ("pdf", "png") or address not in self.orders or typesetting.missing():
            return None
        copy = self._copy(self.orders[address])
        return dict(press.files_of(address, copy)).get(path) if copy else None

    def catch_up(self, done: Callable[[], None], quiet: float = QUIET) -> Thread | None:
        """Print in the background what nobody has asked for yet, sheets first; then `done` is called."""
        if typesetting.missing():
            return None
        self._over = Event()
        thread = Thread(target=self._catch_up, args=(self._over, done, quiet), daemon=True)
        thread.start()
        return thread

    def stop(self) -> None:
        """Print nothing more in the background."""
        self._over.set()

    def _catch_up(self, over: Event, done: Callable[[], None], quiet: float) -> None:
        books = [order for order in self.orders.values() if not isinstance(order, SheetOrder)]
        for orders, wait in (([o for o in self.orders.values() if o not in books], 0.0), (books, quiet)):
            if wait:
                over.wait(wait)
            for order in orders:
                if over.is_set():
                    return
                self._copy(order)
            done()

    def _copy(self, order: Order) -> PrintedCopy | None:
        """The copy of an order, printed unless one of the same material is at hand."""
        with self._lock:
            key, problems = press.key(order)
            kept, copy, _ = self._made.get(order.address, ("", None, ()))
            if key and key == kept:
                return copy
            store = press.store_of(self.project)
            seconds = None
            copy = store.get(key) if key else None
            if key and copy is None:
                copy, problems, seconds = press.make(order)
                if copy and not any(problem.fails for problem in problems):
                    store.put(key, copy)
            self._made[order.address] = key, copy, problems
            at = list(self.orders).index(order.address) + 1 if order.address in self.orders else 0
            self.tell(press.Progress(order, at, len(self.orders), seconds, copy is None))
            return copy
