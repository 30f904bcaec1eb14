"""The content folder read: which file is what, and every book and edition as the typed model.

    content/<book>/rulebook.yml                     what holds for all editions
    content/<book>/<edition>/edition.yml            one edition
                             known.yml              its printed numbers
                             sequence.yml           its sequence of play
                             rules/*.yml            a chapter each
                             tables/*.yml           a table each
                             aids/*.yml             a player aid each
                             redirects.yml          where its old addresses lead
                             errata.yml, questions.yml  what was corrected and answered since
    content/elsewhere.yml                           other sites that marks lead to
    content/elsewhere/                              their inventories
    content/**/references.lock                      what references meant when they were read
    content/**/*.md                                 ordinary pages
    content/** (anything else)                      pictures and downloads, copied as they are

What a faulty file leaves readable is read. Where an edition.yml or the numbers of a chapter cannot be
read, something stands in for them, so that one fault does not make everything around it look wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

from generator import elsewhere
from generator.aid import Aid
from generator.dialects import dialect_of, finder_of, legible, meant
from generator.elsewhere import OtherSite
from generator.erratum import Errata, Erratum, Questions
from generator.folder import CONTENT, LOCK, OF_EDITION, Folder, natural, stands_in, unmarked
from generator.lineage import newest
from generator.model import SETS, Chapter, EditionFile, Known, Rulebook
from generator.model import Sequence as PlaySequence
from generator.numbers import Dialect, Number
from generator.problems import File, Place, Problem, Severity, kind
from generator.reader import Words, read
from generator.redirects import Redirects
from generator.references import Finder
from generator.source import Keys, Text, decoded
from generator.table import Table
from generator.tree import load

NO_RULEBOOK = kind("no-rulebook", "A folder holds an edition, but the folder above it holds no rulebook.yml.")
NO_EDITION_FILE = kind("no-edition-file", "A folder holds parts of an edition, but no edition.yml.")
NO_EDITION = kind(
    "book-without-edition",
    "A book has a rulebook.yml and no edition. Make a folder beside it, with an edition.yml in it.",
    Severity.WARNING,
)
UNMARKED = kind(
    "unmarked-file", "Neither its place nor its name says what a YAML file is, so nothing reads it."
)
NO_SCHEMA = kind(
    "schema-not-named",
    "A content file does not name its schema in its first line, so editors' tools complete nothing in it.",
    Severity.NOTE,
)

T = TypeVar("T")
Cache = MutableMapping[str, Any]


@dataclass(frozen=True, eq=False)
class Edition:
    """One edition of a book, read. `address` is its place in the site: `ocs/4.3`.

    `files`: the names of all its files; `shared`: those of its book that are in no edition; `unread`:
    numbers that no rule has and no list, those of tables and those in files that are faulty. `applied`: the
    errata as amended by which it stands here, and `printed` what it was without them.
    """

    address: str
    book: Rulebook
    file: EditionFile
    dialect: Dialect
    finder: Finder
    chapters: tuple[Chapter, ...] = ()
    known: Known | None = None
    sequence: PlaySequence | None = None
    files: frozenset[str] = frozenset()
    shared: frozenset[str] = frozenset()
    unread: tuple[tuple[Number, Text], ...] = ()
    tables: tuple[Table, ...] = ()
    aids: tuple[Aid, ...] = ()
    redirects: Redirects | None = None
    errata: Errata | None = None
    questions: Questions | None = None
    applied: tuple[Erratum, ...] = ()
    printed: Edition | None = None

    @property
    def title(self) -> str:
        """The book and the edition: Operational Combat Series 4.3."""
        return f"{self.book.title} {self.file.edition}"

    @property
    def names(self) -> tuple[str, str]:
        """What the book is called for short, and the edition."""
        return str(self.book.short or self.book.title), str(self.file.edition)

    @property
    def short(self) -> str:
        return " ".join(self.names)


@dataclass(frozen=True)
class Library:
    """All books: editions by address in the order of their folders, Markdown pages, and faults of reading.

    `sites`: those of other people that marks lead to, by name. `others`: the names of all files that are
    neither YAML nor Markdown. `locks`: what keeps what references meant, by file.
    """

    editions: Mapping[str, Edition] = field(default_factory=dict)
    pages: Mapping[str, bytes] = field(default_factory=dict)
    problems: Sequence[Problem] = ()
    sites: Mapping[str, OtherSite] = field(default_factory=dict)
    others: Sequence[str] = ()
    locks: Mapping[str, bytes] = field(default_factory=dict)

    @cached_property
    def faulty(self) -> frozenset[str]:
        """The names of files and folders with an error that has to do with reading them."""
        return frozenset(p.place.file for p in self.problems if p.severity is Severity.ERROR)

    @cached_property
    def _newest(self) -> Mapping[str, Edition]:
        return newest(self.editions.values())

    def edition_of(self, name: str) -> Edition | None:
        """The edition that a file lies in, or the newest of the book that it lies in."""
        folders = name.split("/")[1:3] if name.count("/") > 2 else name.split("/")[1:-1]
        return (self.named("/".join(folders)) or self.named(folders[0])) if folders else None

    def named(self, address: str) -> Edition | None:
        """The edition `ocs/4.3`, or of a book `ocs` the newest."""
        return self.editions.get(address) or self._newest.get(address)


def read_library(folder: Folder, cache: Cache | None = None) -> Library:
    """The books in a folder. `cache`, kept from one call to the next, saves reading unchanged files."""
    return _Reading(folder, {} if cache is None else cache).library()


class _Reading:
    """One reading of a folder; `problems` collects what is wrong with its files."""

    def __init__(self, folder: Folder, cache: Cache) -> None:
        self.texts = folder.texts
        self.inventories = folder.inventories
        self.others = folder.others
        self.cache = cache
        self.problems = list(folder.problems)
        self.closed = {p.place.file for p in folder.problems}
        self.faulty: set[str] = set()
        self.read: set[str] = set()
        self.books: dict[str, dict[str, list[str]]] = {}
        for name in sorted({*folder.texts, *folder.others, *self.closed}, key=natural):
            _, book, edition = (*name.split("/")[:-1], "", "", "")[:3]
            self.books.setdefault(book, {}).setdefault(edition, []).append(name)

    def library(self) -> Library:
        editions = {e.address: e for book in self.books if book for e in self.book(book)}
        declared = self.file(elsewhere.DECLARED, elsewhere.Elsewhere)
        sites, faults = elsewhere.sites(declared, self.inventories, self.books, self.cache)
        self.problems += faults
        locks = {name: data for name, data in self.texts.items() if self.is_lock(name)}
        for name in self.texts:
            if not name.endswith(".md") and name not in self.read and name not in locks:
                self.problems.append(UNMARKED.at(Place(name), unmarked(name, self.books), name))
        pages = {name: data for name, data in self.texts.items() if name.endswith(".md")}
        return Library(editions, pages, self.problems, sites, self.others, locks)

    def book(self, book: str) -> Iterator[Edition]:
        """The editions of a book. Without a rulebook.yml that can be read there are none, only faults."""
        name = f"{CONTENT}/{book}/rulebook.yml"
        rulebook = self.file(name, Rulebook)
        dialect, problems = dialect_of(rulebook) if rulebook else (None, [])
        self.problems += problems
        folders = [edition for edition in self.books[book] if self.is_edition(book, edition)]
        if folders and not self.is_there(name):
            first = self.books[book][folders[0]][0]
            message = f"{name} is missing; it says how {book} numbers its rules"
            self.problems.append(NO_RULEBOOK.at(Place(first), message, first))
        elif rulebook and not folders:
            message = f"{book} has no edition; make a folder in {CONTENT}/{book}/ with an edition.yml in it"
            self.problems.append(NO_EDITION.at(rulebook.title.place, message, name))
        shared = frozenset(n for one, names in self.books[book].items() if one not in folders for n in names)
        for edition in folders:
            if made := self.edition(f"{book}/{edition}", rulebook, dialect, shared):
                yield made

    def edition(
        self, address: str, book: Rulebook | None, dialect: Dialect | None, shared: frozenset[str]
    ) -> Edition | None:
        """An edition. What does not depend on the rulebook is read even where that cannot be."""
        base = f"{CONTENT}/{address}"
        names = self.books[address.partition("/")[0]][address.partition("/")[2]]
        rules = [name for name in names if stands_in("rules", name) and name in self.texts]
        charts = [name for name in names if stands_in("tables", name) and name in self.texts]
        file = self.file(f"{base}/edition.yml", EditionFile) or self.stand_in(base, names)
        chapters = [self.file(name, Chapter) for name in rules]
        tables = tuple(table for name in charts if (table := self.file(name, Table)))
        sheets = [self.file(n, Aid) for n in names if stands_in("aids", n) and n in self.texts]
        known = self.file(f"{base}/known.yml", Known)
        redirects = self.file(f"{base}/redirects.yml", Redirects)
        errata = self.file(f"{base}/errata.yml", Errata)
        questions = self.file(f"{base}/questions.yml", Questions)
        self.read.add(f"{base}/sequence.yml")
        if book is None:
            return None
        words = {**SETS, "steps": tuple(book.steps) or SETS["steps"]}
        sequence = self.file(f"{base}/sequence.yml", PlaySequence, words)
        if dialect is None:
            return None
        numbers = [(n, t.number) for t in tables if t.number and (n := dialect.parse(t.number))]
        numbers += meant(chapters, known, dialect)
        broken = (*rules, *charts, f"{base}/known.yml")
        return Edition(
            address,
            book,
            file,
            dialect,
            finder_of(book, dialect, file),
            tuple(chapter for chapter in chapters if chapter),
            known,
            sequence,
            frozenset(names),
            shared,
            (*numbers, *(one for name in broken for one in self.unread(name, dialect))),
            tables,
            tuple(aid for aid in sheets if aid),
            redirects,
            errata,
            questions,
        )

    def file(self, name: str, model: type[T], words: Words = SETS) -> T | None:
        """One file as its model type, from the cache where its bytes are what they were."""
        self.read.add(name)
        data = self.texts.get(name)
        if data is None:
            return None
        known = self.cache.get(name)
        if not known or known[0] != data or known[1] != words:
            known = self.cache[name] = data, words, *_read(name, data, model, words)
        value, problems = known[2:]
        self.problems += problems
        if any(problem.severity is Severity.ERROR for problem in problems):
            self.faulty.add(name)
        return value

    def is_lock(self, name: str) -> bool:
        """Whether a file keeps what references meant: in the folder of an edition, of a book, or above."""
        *folders, file = name.split("/")[1:]
        book, edition = (*folders, "", "")[:2]
        is_book = not book or self.is_there(f"{CONTENT}/{book}/rulebook.yml")
        own = self.is_edition(book, edition) if edition else is_book
        return file == LOCK and len(folders) < 3 and own

    def is_there(self, name: str) -> bool:
        return name in self.texts or name in self.closed

    def is_edition(self, book: str, edition: str) -> bool:
        """Whether a folder in a book's folder holds what only an edition does."""
        own = {f"{CONTENT}/{book}/{edition}/{file}" for file in OF_EDITION}
        names = self.books[book][edition]
        folders = ("rules", "tables", "aids")
        parts = (name in own or any(stands_in(one, name) for one in folders) for name in names)
        return bool(edition) and any(parts)

    def stand_in(self, base: str, names: Sequence[str]) -> EditionFile:
        """What stands in for an edition.yml that is missing or cannot be read."""
        name = f"{base}/edition.yml"
        if not self.is_there(name):
            message = f"{name} is missing; it says which edition this is"
            self.problems.append(NO_EDITION_FILE.at(Place(names[0]), message, names[0]))
        file = File(name, self.texts.get(name, b"").decode("utf-8", "replace"))
        return EditionFile(edition=Text.written(base.rpartition("/")[2], file, 0, 0))

    def unread(self, name: str, dialect: Dialect) -> Iterable[tuple[Number, Text]]:
        """The numbers in a file that is faulty."""
        return legible(File(name, decoded(self.texts[name])), dialect) if name in self.faulty else ()


def _read(name: str, data: bytes, model: type[T], words: Words) -> tuple[T | None, list[Problem]]:
    """One file as its model type, and what is wrong with it."""
    tree, problems = load(name, data)
    if tree is None:
        return None, problems
    value, more = read(tree, model, words)
    problems += more
    if isinstance(tree, Keys) and "$schema=" not in tree.file.text.partition("\n")[0]:
        message = "the first line does not name the schema; `rulewright schema` writes it there"
        problems.append(NO_SCHEMA.at(Place(name), message, name))
    return value, problems
