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
    content/**/references.lock                      what references meant when they were read
    content/**/*.md                                 ordinary pages
    content/** (anything else)                      pictures and downloads, copied as they are

The readable parts of a faulty file are read. An unreadable edition.yml and unreadable numbers of a chapter
are replaced by placeholders, so that a fault causes few follow-up errors.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from rulewright.book.content_files import MODELS, sort_of
from rulewright.book.edition_order import order_editions
from rulewright.book.library import BookLibrary, Edition
from rulewright.book.lock_file import ReferenceLock, read_lock
from rulewright.book.series_inheritance import (
    NO_SERIES,
    GameRulebook,
    extension_problem,
    inherit_rulebook,
    series_citation_names,
)
from rulewright.book.title_references import extract_title_references
from rulewright.files import filenames
from rulewright.files.content_folder import CONTENT, LOCK, natural_sort_key, unknown_file_message
from rulewright.files.content_reader import ContentFolder
from rulewright.files.located_text import LocatedText
from rulewright.files.memoize import Cache, memoize
from rulewright.files.problems import Problem, Severity, SourceFile, SourceLocation, problem_type
from rulewright.files.yaml_tree import load_yaml_tree
from rulewright.numbering.edition_numbering import (
    edition_finder,
    edition_scheme,
    printed_numbers,
    repair_all_numbers,
    scan_numbers,
)
from rulewright.numbering.numbering_scheme import NumberingScheme, RuleNumber
from rulewright.schema.model_reader import MISSING_KEY, read_model
from rulewright.schema.rulebook import EditionFile, Rulebook, Term
from rulewright.schema.step import PlaySequence
from rulewright.sequence.derived_sequence import derive_sequence

NO_EDITION_FILE = problem_type("no-edition-file", "A folder holds parts of an edition, but no edition.yml.")
NO_RULEBOOK = problem_type(
    "no-rulebook", "A folder holds an edition, but the folder above it holds no rulebook.yml."
)
NO_EDITION = problem_type(
    "book-without-edition",
    "A book has a rulebook.yml and no edition. Make a folder beside it, with an edition.yml in it.",
    Severity.WARNING,
)
UNMARKED = problem_type(
    "unmarked-file", "Neither its place nor its name says what a YAML file is, so nothing reads it."
)

T = TypeVar("T")


def read_library(folder: ContentFolder, cache: Cache | None = None) -> BookLibrary:
    """Read the books of a folder; a `cache` shared by calls skips unchanged files."""
    return _LibraryReader(folder, {} if cache is None else cache).library()


NUMBERED = ("chapter", "table", "known")
"""Types of files with rule numbers."""

SINGLE = ("known", "sequence", "redirects", "errata", "questions")
"""Types of files of which an edition has one."""


def terms_of_edition(book: Rulebook, edition: str, editions: Sequence[str]) -> Rulebook:
    """Return a rulebook with the terms of one of its editions, which are in order."""

    def has(term: Term) -> bool:
        first = editions.index(term.since) if term.since in editions else 0
        last = editions.index(term.until) if term.until in editions else len(editions)
        return edition not in editions or first <= editions.index(edition) <= last

    if not any(term.since or term.until for term in book.terms.values()):
        return book
    return replace(book, terms={words: term for words, term in book.terms.items() if has(term)})


class _LibraryReader:
    """State while a folder is read.

    `problems` collects what is wrong with the files, `read` the names of requested files, `unopenable` of
    files that cannot be opened, `faulty` of files with an error. `books` has the names of all files by book
    folder and edition folder, `edition_folders` the addresses of the folders with a file that only an edition
    has.
    """

    def __init__(self, folder: ContentFolder, cache: Cache) -> None:
        self.texts, self.day = folder.texts, folder.today
        self.cache = cache
        self.problems = list(folder.problems)
        self.unopenable = {p.place.file for p in folder.problems}
        self.faulty: set[str] = set()
        self.read: set[str] = set()
        self.books: defaultdict[str, defaultdict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        self.edition_folders: set[str] = set()
        for name in sorted({*folder.texts, *folder.other_files, *self.unopenable}, key=natural_sort_key):
            _, book, edition = (*name.split("/")[:-1], "", "", "")[:3]
            self.books[book][edition].append(name)
            if edition and sort_of(name):
                self.edition_folders.add(f"{book}/{edition}")
        self.other_files = folder.other_files
        self.rulebooks: dict[str, tuple[Rulebook | None, NumberingScheme | None]] = {}
        self.files: dict[str, EditionFile | None] = {}
        self.editions: dict[str, Edition | None] = {}

    def library(self) -> BookLibrary:
        addresses = [address for book in self.books if book for address in self.book(book)]
        addresses.sort(key=self.is_behind)
        read = ((address, self.edition(address)) for address in addresses)
        editions = {address: edition for address, edition in read if edition}
        file_names: list[str] = []
        for book_files in self.books.values():
            for _, names in sorted(book_files.items()):
                file_names += names
        self.problems += filenames.file_name_problems(file_names, CONTENT, self.is_book)
        locks: dict[str, ReferenceLock] = {}
        for name, data in self.texts.items():
            if name.endswith(f"/{LOCK}"):
                lock, problems = memoize(self.cache, f" lock {name}", (data,), partial(read_lock, name, data))
                locks["/".join(name.split("/")[1:-1])] = lock
                self.problems += problems
            elif not name.endswith(".md") and name not in self.read:
                message = unknown_file_message(name)
                self.problems.append(UNMARKED.problem(SourceLocation(name), message, name))
        return BookLibrary(editions, self.texts, self.problems, self.other_files, locks)

    def book(self, book: str) -> list[str]:
        """Read the rulebook of a book; return the addresses of its editions."""
        name = f"{CONTENT}/{book}/rulebook.yml"
        addresses = [f"{book}/{folder}" for folder in self.books[book]]
        addresses = [address for address in addresses if address in self.edition_folders]
        for address in addresses:
            self.files[address] = self.file(f"{CONTENT}/{address}/edition.yml", EditionFile)
        is_game = any(file and file.extends for file in map(self.files.get, addresses))
        rulebook = self.file(name, GameRulebook if is_game else Rulebook)
        dialect = None
        if rulebook:
            make = partial(edition_scheme, rulebook)
            dialect, problems = memoize(self.cache, f" dialect {book}", (rulebook,), make)
            self.problems += problems
        self.rulebooks[book] = rulebook, dialect
        if addresses and not self.is_there(name):
            message = f"{name} is missing; it says how {book} numbers its rules"
            self.problems.append(NO_RULEBOOK.problem(SourceLocation(name), message, name))
        elif rulebook and not addresses:
            message = f"{book} has no edition; make a folder in {CONTENT}/{book}/ with an edition.yml in it"
            self.problems.append(NO_EDITION.problem(rulebook.title.place, message, name))
        return addresses

    def is_behind(self, address: str) -> bool:
        rulebook, _ = self.rulebooks[address.partition("/")[0]]
        return rulebook is None or rulebook.order is None

    def edition_names(self, book: str) -> list[str]:
        """Return the names of the editions of a book, oldest first."""
        files = {a: file for a, file in self.files.items() if file and a.startswith(f"{book}/")}
        return [str(files[address].edition) for address in order_editions(files)]

    def edition(self, address: str) -> Edition | None:
        """Return an edition, read once; the series of a game is read first."""
        if address not in self.editions:
            self.editions[address] = self.read_edition(address)
        return self.editions[address]

    def base_of(self, address: str, file: EditionFile) -> Edition | None:
        """Return the edition of the series that an edition extends, if any and if it can be read."""
        if file.extends is None:
            return None
        extends = {game: file.extends for game, file in self.files.items() if file and file.extends}
        if fault := extension_problem(file.extends, address, self.files, extends):
            self.problems.append(NO_SERIES.problem(file.extends.place, fault, file.extends))
            return None
        return self.edition(file.extends)

    def read_edition(self, address: str) -> Edition | None:
        """Read an edition. Its other files are read even if the rulebook cannot be read."""
        folder, _, edition_folder = address.partition("/")
        book, dialect = self.rulebooks[folder]
        names = self.books[folder][edition_folder]
        shared: list[str] = []
        for other, other_names in self.books[folder].items():
            shared += other_names if f"{folder}/{other}" not in self.edition_folders else ()
        file = self.files[address] or self.placeholder_edition(f"{CONTENT}/{address}")
        # Without a rulebook, the steps of a sequence have no roles and sides.
        parts = self.read_parts([name for name in names if book or sort_of(name) != "sequence"], file)
        self.read.add(f"{CONTENT}/{address}/sequence.yml")
        if book is None:
            return None
        own_book, editions = book, self.edition_names(folder)
        book = terms_of_edition(book, str(file.edition), editions)
        if series := self.base_of(address, file):
            dialect = dialect if book.numbers else series.dialect
            book = inherit_rulebook(book, series.book)
        if dialect is None:
            if not book.numbers and not file.extends:
                message = f"this rulebook needs the key numbers, since {address} extends no series"
                self.problems.append(MISSING_KEY.problem(book.title.place, message, book.title.file.name))
            return None
        faulty = [name for name in names if name in self.faulty and sort_of(name) in NUMBERED]
        faulty_texts = [self.texts[name] for name in faulty]
        build = partial(
            self.build_edition,
            parts,
            faulty,
            address=address,
            book=book,
            edition_file=file,
            dialect=dialect,
            files=frozenset(names),
            shared=frozenset(shared),
            base=series,
            today=self.day,
        )
        read = (part for kind in MODELS for part in parts[kind])
        inputs = (own_book, *editions, dialect, file, series, *read, frozenset(names), frozenset(shared))
        return memoize(self.cache, f" edition {address}", (*inputs, self.day, *faulty, *faulty_texts), build)

    def read_parts(self, names: Sequence[str], file: EditionFile) -> defaultdict[str, tuple[Any, ...]]:
        """Return the contents of the files of an edition by type, without its edition.yml."""
        parts: defaultdict[str, tuple[Any, ...]] = defaultdict(tuple)
        for name in names:
            kind = sort_of(name)
            if kind and kind != "edition" and name in self.texts:
                is_plain_sequence = kind == "sequence" and not file.extends
                part: Any = self.file(name, PlaySequence if is_plain_sequence else MODELS[kind])
                parts[kind] += (part,) if part else ()
        return parts

    def build_edition(
        self, parts: Mapping[str, tuple[Any, ...]], faulty: Sequence[str], **own: Any
    ) -> Edition:
        """Build an edition from its parts, with the sequence of its series and the numbers of its tables.

        `faulty`: the files with numbers that cannot be read; `own`: fields of the edition.
        """
        book, dialect, base = own["book"], own["dialect"], own["base"]
        chapters, tables = parts["chapter"], parts["table"]
        single: dict[str, Any] = {kind: next(iter(parts[kind]), None) for kind in SINGLE}
        known, sequence, derived = single["known"], single["sequence"], None
        bases = [*base.with_series] if base else []
        edition_files = (own["edition_file"], *(edition.edition_file for edition in bases))
        base_names: list[str] = []
        for edition in bases:
            base_names += series_citation_names(edition.book)
        finder = edition_finder(book, dialect, edition_files, base_names)
        if sequence:
            finders = [finder, *(edition.finder for edition in bases)]
            printed = printed_numbers(chapters, known, dialect)
            sequence = extract_title_references(sequence, finders, printed)
        if sequence and not sequence.steps and base and base.sequence:
            derived = derive_sequence(sequence, base.sequence)
            sequence = derived.sequence
        single["sequence"] = sequence
        numbers = [(n, t.number) for t in tables if t.number and (n := dialect.parse_number(t.number))]
        numbers += repair_all_numbers(chapters, known, dialect)
        for name in faulty:
            numbers += self.unread_numbers(name, dialect)
        return Edition(
            finder=finder,
            chapters=chapters,
            tables=tables,
            aids=parts["aid"],
            unmatched_numbers=tuple(numbers),
            derived=derived,
            **own,
            **single,
        )

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

    def is_book(self, folder: str) -> bool:
        """Return whether a folder is that of a book or of an edition."""
        has_edition = any(address.startswith(f"{folder}/") for address in self.edition_folders)
        has_rulebook = "/" not in folder and self.is_there(f"{CONTENT}/{folder}/rulebook.yml")
        return folder in self.edition_folders or has_edition or has_rulebook

    def placeholder_edition(self, base: str) -> EditionFile:
        """Return a substitute for an edition.yml that is missing or unreadable."""
        name = f"{base}/edition.yml"
        if not self.is_there(name):
            message = f"{name} is missing; it says which edition this is"
            self.problems.append(NO_EDITION_FILE.problem(SourceLocation(name), message, name))
        file = SourceFile(name, self.texts.get(name, b"").decode("utf-8", "replace"))
        return EditionFile(edition=LocatedText.from_source(base.rpartition("/")[2], file, 0, 0))

    def unread_numbers(self, name: str, dialect: NumberingScheme) -> Iterable[tuple[RuleNumber, LocatedText]]:
        """Return the numbers in the text of a file that cannot be read."""
        return scan_numbers(SourceFile(name, self.texts[name].decode("utf-8", "replace")), dialect)


def _read(name: str, data: bytes, model: type[T]) -> tuple[T | None, list[Problem]]:
    tree, problems = load_yaml_tree(name, data)
    if tree is None:
        return None, problems
    value, more = read_model(tree, model)
    return value, problems + more
