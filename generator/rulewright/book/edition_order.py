"""Order of the editions of a book, and which of them is the newest."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, TypeVar

from rulewright.files.content_folder import natural_sort_key
from rulewright.files.located_text import LocatedText
from rulewright.schema.rulebook import EditionFile


class NamedEdition(Protocol):
    """Edition with an address such as `ocs/4.3` and a predecessor."""

    @property
    def address(self) -> str: ...
    @property
    def edition_file(self) -> EditionFile: ...


class DatedEdition(NamedEdition, Protocol):
    """Edition that may not be in force yet."""

    def is_future(self, date: LocatedText | None) -> bool: ...


N = TypeVar("N", bound=NamedEdition)
E = TypeVar("E", bound=DatedEdition)


def order_editions(editions: Iterable[N]) -> list[N]:
    """Sort the editions of a book, oldest first: by predecessor, else by date, else by name."""
    waiting = sorted(editions, key=lambda e: (e.edition_file.date or "", natural_sort_key(e.address)))
    names = {e.address.partition("/")[2]: e for e in waiting}
    ordered: list[N] = []
    while waiting:
        ready = (e for e in waiting if names.get(e.edition_file.follows or "", e) is e)
        ordered.append(next(ready, waiting[0]))  # where each follows another of them, none is first
        waiting.remove(ordered[-1])
        names.pop(ordered[-1].address.partition("/")[2])
    return ordered


def newest_editions(editions: Iterable[E]) -> dict[str, E]:
    """Return the newest edition of each book: the last that is in force and has a date.

    If no edition has a date it is the last one; if all dates are in the future, the first.
    """
    books: dict[str, list[E]] = {}
    for edition in editions:
        books.setdefault(edition.address.partition("/")[0], []).append(edition)
    newest: dict[str, E] = {}
    for book, book_editions in books.items():
        ordered = order_editions(book_editions)
        in_force = [e for e in ordered if not e.is_future(e.edition_file.effective_date)] or ordered[:1]
        newest[book] = ([e for e in in_force if e.edition_file.date] or in_force)[-1]
    return newest
