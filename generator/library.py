"""The content folder read: which file is what, and every book and edition as the typed model.

    content/<book>/rulebook.yml                     what holds for all editions
    content/<book>/<edition>/edition.yml            one edition
                             known.yml              its printed numbers
                             sequence.yml           its sequence of play
                             rules/*.yml            a chapter each
    content/**/*.md                                 ordinary pages
    content/** (anything else)                      pictures and downloads, copied as they are
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from generator.model import SETS, Chapter, EditionFile, Known, Rulebook, Sequence as PlaySequence
from generator.numbers import ALPHABET, Dialect, example_fault
from generator.problems import Place, Problem, Severity, did_you_mean, kind
from generator.reader import Words, read
from generator.references import Finder
from generator.source import Keys
from generator.tree import load

CONTENT = "content"
MOST_BYTES = 8_000_000
"""A larger text is refused: the longest rulebook known is under one megabyte."""

TOO_LARGE = kind("file-too-large", f"A content file is larger than {MOST_BYTES // 1_000_000} MB. Split it.")
LINK = kind("link-leaves-content", "A symbolic link leads out of the content folder. Put a copy in its place.")
UNREADABLE = kind("file-unreadable", "A content file cannot be opened. Mostly its permissions are the cause.")
UNMARKED = kind("unmarked-file", "Neither its place nor its name says what a YAML file is, so nothing reads it.")
NO_SCHEMA = kind(
    "schema-not-named",
    "A content file does not name its schema in its first line, so editors' tools complete nothing in it.",
    Severity.NOTE,
)
EXAMPLE = kind("dialect-example", "An example of the book's numbering, in rulebook.yml, describes none.")
NO_RULEBOOK = kind("no-rulebook", "A folder holds an edition, but the folder above it holds no rulebook.yml.")

T = TypeVar("T")
Cache = MutableMapping[str, Any]


@dataclass(frozen=True)
class Folder:
    """The content folder as bytes: `texts` (YAML and Markdown) by name, names of all other files, faults."""

    texts: Mapping[str, bytes]
    others: Sequence[str] = ()
    problems: Sequence[Problem] = ()


@dataclass(frozen=True, eq=False)
class Edition:
    """One edition of a book, read. `address` is its place in the site: `ocs/4.3`."""

    address: str
    book: Rulebook
    file: EditionFile
    dialect: Dialect
    finder: Finder
    chapters: tuple[Chapter, ...] = ()
    known: Known | None = None
    sequence: PlaySequence | None = None
    files: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The book and the edition: Operational Combat Series 4.3."""
        return f"{self.book.title} {self.file.edition}"

    @property
    def short(self) -> str:
        return f"{self.book.short or self.book.title} {self.file.edition}"


@dataclass(frozen=True)
class Library:
    """All books: editions by address in the order of their folders, Markdown pages, and faults of reading."""

    editions: Mapping[str, Edition] = field(default_factory=dict)
    pages: Mapping[str, bytes] = field(default_factory=dict)
    problems: Sequence[Problem] = ()

    def edition_of(self, name: str) -> Edition | None:
        """The edition that a file lies in, or the newest of the book that it lies in."""
        parts = name.split("/")[1:-1]
        for depth in range(len(parts), 0, -1):
            if found := self.named("/".join(parts[:depth])):
                return found
        return None

    def named(self, address: str) -> Edition | None:
        """The edition `ocs/4.3`, or of a book `ocs` the newest."""
        if address in self.editions:
            return self.editions[address]
        of_book = [e for a, e in self.editions.items() if a.rpartition("/")[0] == address]
        return max(of_book, key=lambda e: (e.file.date or "", natural(e.address)), default=None)


def natural(name: str) -> list[tuple[int, str]]:
    """A key that orders file names as people do: 2-… before 12-…."""
    return [(int(digits or 0), words) for digits, words in re.findall(r"(\d+)|(\D+)", name)]


def gather(project: Path) -> Folder:
    """Every file of the content folder below `project`. Nothing outside of it is opened."""
    root = (project / CONTENT).resolve()
    texts: dict[str, bytes] = {}
    others: list[str] = []
    problems: list[Problem] = []
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted([*names, *(f for f in folders if (Path(folder) / f).is_symlink())], key=natural):
            path = Path(folder) / name
            shown = f"{CONTENT}/{path.relative_to(root).as_posix()}"
            if name.startswith("."):
                continue
            if path.is_symlink() and not path.resolve().is_relative_to(root):
                problems.append(LINK.at(Place(shown), f"{name} is a link that leads out of {CONTENT}/", shown))
            elif path.suffix in (".yml", ".yaml", ".md") and path.is_file():
                try:
                    if path.stat().st_size > MOST_BYTES:
                        size = path.stat().st_size / 1_000_000
                        problems.append(TOO_LARGE.at(Place(shown), f"{size:.0f} MB are too many to be a text", shown))
                    else:
                        texts[shown] = path.read_bytes()
                except OSError as error:
                    problems.append(UNREADABLE.at(Place(shown), f"cannot be opened: {error.strerror}", shown))
            elif path.is_file():
                others.append(shown)
    return Folder(texts, others, problems)


def read_library(folder: Folder, cache: Cache | None = None) -> Library:
    """The books in a folder. `cache`, kept from one call to the next, saves reading a file that is unchanged."""
    return _Reading(folder, {} if cache is None else cache).library()


class _Reading:
    """One reading of a folder; `problems` collects what is wrong with its files."""

    def __init__(self, folder: Folder, cache: Cache) -> None:
        self.folder = folder
        self.cache = cache
        self.problems = list(folder.problems)
        self.read: set[str] = set()

    def library(self) -> Library:
        texts = self.folder.texts
        books: dict[str, tuple[Rulebook, Dialect] | None] = {}
        editions: dict[str, Edition] = {}
        for name in sorted(texts, key=natural):
            if m := re.fullmatch(rf"{CONTENT}/([^/]+)/rulebook\.yml", name):
                books[m[1]] = self.book(name)
        for name in sorted(texts, key=natural):
            if m := re.fullmatch(rf"{CONTENT}/([^/]+)/([^/]+)/edition\.yml", name):
                if m[1] not in books:
                    message = f"{CONTENT}/{m[1]}/rulebook.yml is missing; it declares how {m[1]} numbers its rules"
                    self.problems.append(NO_RULEBOOK.at(Place(name), message, name))
                elif (book := books[m[1]]) and (edition := self.edition(f"{m[1]}/{m[2]}", *book)):
                    editions[edition.address] = edition
        self.unmarked(books)
        pages = {name: data for name, data in texts.items() if name.endswith(".md")}
        return Library(editions, pages, self.problems)

    def file(self, name: str, model: type[T], words: Words = SETS) -> T | None:
        """One file as its model type, from the cache where its bytes are what they were."""
        self.read.add(name)
        data = self.folder.texts.get(name)
        if data is None:
            return None
        known = self.cache.get(name)
        if not known or known[0] != data or known[1] != words:
            tree, problems = load(name, data)
            value = None
            if tree is not None:
                value, more = read(tree, model, words)
                problems += more
            if isinstance(tree, Keys) and "$schema=" not in tree.file.text.partition("\n")[0]:
                message = "the first line does not name the schema; `rulewright schema` writes it there"
                problems.append(NO_SCHEMA.at(Place(name), message, name))
            known = self.cache[name] = data, words, value, problems
        self.problems += known[3]
        return known[2]  # type: ignore[no-any-return]

    def book(self, name: str) -> tuple[Rulebook, Dialect] | None:
        book = self.file(name, Rulebook)
        if book is None:
            return None
        faults = [(e, fault) for e in book.numbers if (fault := example_fault(e))]
        for example, (offset, message) in faults:
            self.problems.append(EXAMPLE.at(example.place_of(offset), message, name))
        if faults:
            return None
        alphabet = (book.alphabet or ALPHABET).replace(" ", "").lower()
        return book, Dialect(book.numbers, book.chapters, alphabet=alphabet, implied=book.implied == "chapter")

    def edition(self, address: str, book: Rulebook, dialect: Dialect) -> Edition | None:
        base = f"{CONTENT}/{address}"
        words = {**SETS, "steps": tuple(book.steps) or SETS["steps"]}
        file = self.file(f"{base}/edition.yml", EditionFile)
        chapters = [n for n in sorted(self.folder.texts, key=natural) if re.fullmatch(rf"{re.escape(base)}/rules/[^/]+\.yml", n)]
        read_chapters = [self.file(name, Chapter) for name in chapters]
        known = self.file(f"{base}/known.yml", Known)
        sequence = self.file(f"{base}/sequence.yml", PlaySequence, words)
        if file is None:
            return None
        finder = Finder(
            dialect,
            cues=book.cues,
            joins=book.joins,
            through=book.through,
            never=[*book.not_references, *file.not_references],
        )
        files = tuple(n for n in (*self.folder.texts, *self.folder.others) if n.startswith(base + "/"))
        whole = tuple(chapter for chapter in read_chapters if chapter)
        return Edition(address, book, file, dialect, finder, whole, known, sequence, files)

    def unmarked(self, books: Mapping[str, object]) -> None:
        """Report YAML files that nothing read: their place does not say what they are."""
        homes = ("rulebook.yml", "edition.yml", "known.yml", "sequence.yml")
        for name in self.folder.texts:
            if name.endswith(".md") or name in self.read:
                continue
            short = name.rpartition("/")[2]
            if not any(name.startswith(f"{CONTENT}/{book}/") for book in books):
                hint = "; a book's folder needs a rulebook.yml, an edition's an edition.yml"
            elif short.endswith(".yaml"):
                hint = "; name it .yml"
            else:
                hint = did_you_mean(short, homes) + " Chapters stand in rules/" if short not in homes else "; it stands too deep"
            self.problems.append(UNMARKED.at(Place(name), f"nothing says what {short} is{hint}", name))
