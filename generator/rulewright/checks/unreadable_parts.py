"""Parts of a library that are unknown because of faults of reading, so that checks do not rely on them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rulewright.book.library import BookLibrary
from rulewright.book.library_reader import UNMARKED
from rulewright.files.content_folder import CONTENT
from rulewright.files.content_reader import LINK, TOO_LARGE, UNREADABLE
from rulewright.files.yaml_tree import EMPTY

_NUMBERED = re.compile(rf"{CONTENT}/([^/]+/[^/]+)(?:/known\.yml|/(?:rules|tables)(?:/[^/]+\.yml)?)?")
"""Files and folders that may hold numbers of an edition."""

_UNMARKED = re.compile(rf"{CONTENT}/([^/]+/[^/]+)/(?:[^/]+/.*|known\.y.*|known\.Y.*)")
"""Files that may hold numbers but are not read: in an unknown folder, or with a wrong ending."""

_PARTS = re.compile(rf"{CONTENT}/[^/]+/[^/]+/(?:sequence\.yml|rules.*|tables.*)")
"""Files and folders without which a player aid may have nothing to show."""


@dataclass(frozen=True, slots=True)
class UnreadableParts:
    """Books and editions that are known in part."""

    books: frozenset[str]
    """Books whose rulebook.yml has faults."""
    editions: frozenset[str]
    """Editions with a fault in any file."""
    without_numbers: frozenset[str]
    """Editions that may have other numbers than those known."""
    without_parts: frozenset[str]
    """Editions that may have other rules, tables and steps."""
    lacks_books: bool
    """Whether an edition could not be read at all."""

    @classmethod
    def find(cls, library: BookLibrary) -> UnreadableParts:
        books = {name.split("/")[1] for name in library.faulty if name.endswith("/rulebook.yml")}
        editions = {"/".join(name.split("/")[1:3]) for name in library.faulty if not name.endswith(".md")}
        closed, unmarked = set[str](), set[str]()
        for problem in library.problems:
            if problem.code in (TOO_LARGE.code, LINK.code, UNREADABLE.code, EMPTY.code):
                if hidden := _NUMBERED.fullmatch(problem.place.file):
                    closed.add(hidden[1])
            elif problem.code == UNMARKED.code and (lost := _UNMARKED.fullmatch(problem.place.file)):
                unmarked.add(lost[1])
        without_parts = {"/".join(n.split("/")[1:3]) for n in library.faulty if _PARTS.fullmatch(n)}
        lacks_books = any("/" in address and address not in library.editions for address in editions)
        return cls(
            frozenset(books),
            frozenset(editions),
            frozenset(closed | unmarked),
            frozenset(without_parts | unmarked),
            lacks_books,
        )

    def hides(self, file: str) -> bool:
        """Return whether nothing in a file can be judged, since the rulebook of its book has faults."""
        return file.split("/")[1] in self.books
