"""Which edition of a book came when, and which is the newest."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, TypeVar

from rulewright.model.rulebook import EditionFile
from rulewright.source.content_folder import natural_sort_key
from rulewright.source.located_text import LocatedText


class DatedEdition(Protocol):
    """Anything with an address, `ocs/4.3`, that says when it came and what it follows."""

    @property
    def address(self) -> str: ...
    @property
    def edition_file(self) -> EditionFile: ...
    def is_future(self, date: LocatedText | None) -> bool: ...


E = TypeVar("E", bound=DatedEdition)


def order_editions(editions: Iterable[E]) -> list[E]:
    """Editions of a book, the oldest first: by what they follow, else by date, else by name."""
    waiting = sorted(editions, key=lambda e: (e.edition_file.date or "", natural_sort_key(e.address)))
    names = {e.address.partition("/")[2]: e for e in waiting}
    ordered: list[E] = []
    while waiting:
        ready = (e for e in waiting if names.get(e.edition_file.follows or "", e) is e)
        ordered.append(next(ready, waiting[0]))  # where each follows another of them, none is first
        waiting.remove(ordered[-1])
        names.pop(ordered[-1].address.partition("/")[2])
    return ordered


def newest_editions(editions: Iterable[E]) -> dict[str, E]:
    """The newest edition of each book: the last whose date has come, since one without may be to come yet.

    Where none has a date it is the last one, and where all dates lie ahead the first.
    """
    books: dict[str, list[E]] = {}
    for edition in editions:
        books.setdefault(edition.address.partition("/")[0], []).append(edition)
    ordered_books = {book: order_editions(of_book) for book, of_book in books.items()}
    started = {
        book: [e for e in ordered if not e.is_future(e.edition_file.effective_date)] or ordered[:1]
        for book, ordered in ordered_books.items()
    }
    return {
        book: ([e for e in ordered if e.edition_file.date] or ordered)[-1]
        for book, ordered in started.items()
    }
