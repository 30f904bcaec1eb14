"""Content files as model types: each read once, and not at all where a cache has what its bytes make."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from rulewright.model.reader import Words, read
from rulewright.model.rulebook import SETS, EditionFile
from rulewright.numbers.declared import legible
from rulewright.numbers.dialect import Dialect, Number
from rulewright.source.folder import CONTENT, LOCK, OF_EDITION, Folder, natural, stands_in
from rulewright.source.kept import Cache
from rulewright.source.problems import File, Place, Problem, Severity, kind
from rulewright.source.text import Text, decoded
from rulewright.source.tree import load

NO_EDITION_FILE = kind("no-edition-file", "A folder holds parts of an edition, but no edition.yml.")

T = TypeVar("T")


class Filing:
    """The texts of a folder while they are read. `problems` collects what is wrong with them.

    `read`: the names of files that were asked for; `closed`: of those that cannot be opened; `faulty`: of
    those with an error; `books`: the names of all files by the folder of their book and their edition.
    """

    def __init__(self, folder: Folder, cache: Cache) -> None:
        self.texts, self.day = folder.texts, folder.day
        self.cache = cache
        self.problems = list(folder.problems)
        self.closed = {p.place.file for p in folder.problems}
        self.faulty: set[str] = set()
        self.read: set[str] = set()
        self.books: dict[str, dict[str, list[str]]] = {}
        for name in sorted({*folder.texts, *folder.others, *self.closed}, key=natural):
            _, book, edition = (*name.split("/")[:-1], "", "", "")[:3]
            self.books.setdefault(book, {}).setdefault(edition, []).append(name)

    def file(self, name: str, model: type[T], words: Words = SETS) -> T | None:
        """One file as its model type, from the cache where its bytes are what they were."""
        self.read.add(name)
        data = self.texts.get(name)
        if data is None:
            return None
        known = self.cache.get(name)
        if not known or known[0] != data or known[1] != (model, words):
            known = self.cache[name] = data, (model, words), *_read(name, data, model, words)
        value, problems = known[2:]
        self.problems += problems
        if any(problem.severity is Severity.ERROR for problem in problems):
            self.faulty.add(name)
        return value

    def is_there(self, name: str) -> bool:
        return name in self.texts or name in self.closed

    def is_edition(self, book: str, edition: str) -> bool:
        """Whether a folder in a book's folder holds what only an edition does."""
        base = f"{CONTENT}/{book}/{edition}"
        own = {f"{base}/{file}" for file in OF_EDITION}
        names = self.books[book][edition]
        folders = ("rules", "tables", "aids")
        parts = (name in own or any(stands_in(one, name) for one in folders) for name in names)
        return bool(edition) and any(parts)

    def is_book(self, path: str) -> bool:
        """Whether a folder is that of a book or of an edition."""
        book, _, edition = path.partition("/")
        if edition:
            return edition in self.books.get(book, ()) and self.is_edition(book, edition)
        return self.is_there(f"{CONTENT}/{book}/rulebook.yml") or any(
            self.is_edition(book, one) for one in self.books.get(book, ())
        )

    def is_lock(self, name: str) -> bool:
        """Whether a file keeps what references meant: in the folder of an edition, of a book, or above."""
        *folders, file = name.split("/")[1:]
        book, edition = (*folders, "", "")[:2]
        own = (
            self.is_edition(book, edition)
            if edition
            else not book or self.is_there(f"{CONTENT}/{book}/rulebook.yml")
        )
        return file == LOCK and len(folders) < 3 and own

    def stand_in(self, base: str) -> EditionFile:
        """Stand-in for an edition.yml that is missing or cannot be read."""
        name = f"{base}/edition.yml"
        if not self.is_there(name):
            message = f"{name} is missing; it says which edition this is"
            self.problems.append(NO_EDITION_FILE.at(Place(name), message, name))
        file = File(name, self.texts.get(name, b"").decode("utf-8", "replace"))
        return EditionFile(edition=Text.written(base.rpartition("/")[2], file, 0, 0))

    def unread(self, name: str, dialect: Dialect) -> Iterable[tuple[Number, Text]]:
        return legible(File(name, decoded(self.texts[name])), dialect) if name in self.faulty else ()


def _read(name: str, data: bytes, model: type[T], words: Words) -> tuple[T | None, list[Problem]]:
    tree, problems = load(name, data)
    if tree is None:
        return None, problems
    value, more = read(tree, model, words)
    return value, problems + more
