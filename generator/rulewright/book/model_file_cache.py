"""Content files as models: each is read once, and unchanged files come from a cache."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from rulewright.files.content_folder import CONTENT, LOCK, OF_EDITION, edition_subfolder, natural_sort_key
from rulewright.files.content_reader import ContentFolder
from rulewright.files.located_text import LocatedText, decode_lossy
from rulewright.files.memoize import Cache
from rulewright.files.problems import Problem, Severity, SourceFile, SourceLocation, problem_type
from rulewright.files.yaml_tree import load_yaml_tree
from rulewright.numbering.edition_numbering import scan_numbers
from rulewright.numbering.numbering_scheme import NumberingScheme, RuleNumber
from rulewright.schema.model_reader import read_model
from rulewright.schema.rulebook import EditionFile

NO_EDITION_FILE = problem_type("no-edition-file", "A folder holds parts of an edition, but no edition.yml.")

T = TypeVar("T")


class ModelFileCache:
    """Content files while a folder is read.

    `problems` collects what is wrong with them, `read` the names of requested files, `unopenable` of files
    that cannot be opened, `faulty` of files with an error. `books` has the names of all files by book folder
    and edition folder.
    """

    def __init__(self, folder: ContentFolder, cache: Cache) -> None:
        self.texts, self.day = folder.texts, folder.today
        self.cache = cache
        self.problems = list(folder.problems)
        self.unopenable = {p.place.file for p in folder.problems}
        self.faulty: set[str] = set()
        self.read: set[str] = set()
        self.books: dict[str, dict[str, list[str]]] = {}
        for name in sorted({*folder.texts, *folder.other_files, *self.unopenable}, key=natural_sort_key):
            _, book, edition = (*name.split("/")[:-1], "", "", "")[:3]
            self.books.setdefault(book, {}).setdefault(edition, []).append(name)

    def file(self, name: str, model: type[T]) -> T | None:
        """Return a file as a model, from the cache if its bytes have not changed."""
        self.read.add(name)
        data = self.texts.get(name)
        if data is None:
            return None
        known = self.cache.get(name)
        if not known or known[0] != data or known[1] is not model:
            known = self.cache[name] = data, model, *_read(name, data, model)
        value, problems = known[2:]
        self.problems += problems
        if any(problem.severity is Severity.ERROR for problem in problems):
            self.faulty.add(name)
        return value

    def is_there(self, name: str) -> bool:
        return name in self.texts or name in self.unopenable

    def is_edition(self, book: str, edition: str) -> bool:
        """Return whether a folder has files that only an edition has."""
        base = f"{CONTENT}/{book}/{edition}"
        edition_files = {f"{base}/{file}" for file in OF_EDITION}
        names = self.books[book][edition]
        folders = ("rules", "tables", "aids")
        for name in names if edition else ():
            if name in edition_files or any(edition_subfolder(folder, name) for folder in folders):
                return True
        return False

    def is_book(self, path: str) -> bool:
        """Return whether a folder is that of a book or of an edition."""
        book, _, edition = path.partition("/")
        if edition:
            return edition in self.books.get(book, ()) and self.is_edition(book, edition)
        return self.is_there(f"{CONTENT}/{book}/rulebook.yml") or any(
            self.is_edition(book, edition) for edition in self.books.get(book, ())
        )

    def is_lock(self, name: str) -> bool:
        """Return whether a file is the reference lock of an edition, of a book or of all content."""
        *folders, file = name.split("/")[1:]
        book, edition = (*folders, "", "")[:2]
        is_lock_folder = (
            self.is_edition(book, edition)
            if edition
            else not book or self.is_there(f"{CONTENT}/{book}/rulebook.yml")
        )
        return file == LOCK and len(folders) < 3 and is_lock_folder

    def placeholder_edition(self, base: str) -> EditionFile:
        """Return a substitute for an edition.yml that is missing or unreadable."""
        name = f"{base}/edition.yml"
        if not self.is_there(name):
            message = f"{name} is missing; it says which edition this is"
            self.problems.append(NO_EDITION_FILE.problem(SourceLocation(name), message, name))
        file = SourceFile(name, self.texts.get(name, b"").decode("utf-8", "replace"))
        return EditionFile(edition=LocatedText.from_source(base.rpartition("/")[2], file, 0, 0))

    def unread_numbers(self, name: str, dialect: NumberingScheme) -> Iterable[tuple[RuleNumber, LocatedText]]:
        return (
            scan_numbers(SourceFile(name, decode_lossy(self.texts[name])), dialect)
            if name in self.faulty
            else ()
        )


def _read(name: str, data: bytes, model: type[T]) -> tuple[T | None, list[Problem]]:
    tree, problems = load_yaml_tree(name, data)
    if tree is None:
        return None, problems
    value, more = read_model(tree, model)
    return value, problems + more
