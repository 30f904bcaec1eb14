"""Parts of a library that are unknown because of faults of reading, so that checks do not rely on them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from posixpath import splitext

from rulewright.book.library import BookLibrary
from rulewright.book.library_reader import UNMARKED
from rulewright.files.content_folder import TEXT_SUFFIXES
from rulewright.files.content_reader import LINK, TOO_LARGE, UNREADABLE
from rulewright.files.yaml_tree import EMPTY

_UNREAD = {kind.code for kind in (TOO_LARGE, LINK, UNREADABLE, EMPTY, UNMARKED)}
"""Problems of files and folders of which nothing is read."""


@dataclass(frozen=True, slots=True)
class UnreadableParts:
    """Books and editions that are known in part."""

    books: frozenset[str]
    """Books whose rulebook.yml has faults."""
    editions: frozenset[str]
    """Editions with a fault in any file."""
    without_numbers: frozenset[str]
    """Editions that may have other numbers than those known."""
    lacks_books: bool
    """Whether an edition could not be read at all."""

    @classmethod
    def find(cls, library: BookLibrary) -> UnreadableParts:
        books = {name.split("/")[1] for name in library.faulty if name.endswith("/rulebook.yml")}
        editions = _editions_of(name for name in library.faulty if not name.endswith(".md"))
        unread = [problem.place.file for problem in library.problems if problem.code in _UNREAD]
        # Pictures hold no numbers; the folder of an edition may have a dot in its name.
        endings = [splitext("/".join(name.split("/")[3:]))[1].lower() for name in unread]
        numbered = [n for n, ending in zip(unread, endings, strict=True) if ending in ("", *TEXT_SUFFIXES)]
        lacks_books = any("/" in address and address not in library.editions for address in editions)
        return cls(frozenset(books), editions, _editions_of(numbered), lacks_books)

    def hides(self, file: str) -> bool:
        """Return whether nothing in a file can be judged, since the rulebook of its book has faults."""
        return file.split("/")[1] in self.books


def _editions_of(files: Iterable[str]) -> frozenset[str]:
    return frozenset("/".join(name.split("/")[1:3]) for name in files)
