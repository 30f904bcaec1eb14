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

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import NamedTuple

from rulewright.book.edition_order import newest_editions, order_editions
from rulewright.book.lock_file import PrintedSheet, ReferenceLock, printed_sheets, read_lock
from rulewright.book.model_file_cache import ModelFileCache
from rulewright.book.series_inheritance import (
    NO_SERIES,
    GameRulebook,
    GameSequence,
    extension_problem,
    inherit_rulebook,
    series_citation_names,
)
from rulewright.book.title_references import extract_title_references
from rulewright.files import filenames
from rulewright.files.content_folder import CONTENT, LOCK, edition_subfolder, unknown_file_message
from rulewright.files.content_reader import ContentFolder
from rulewright.files.located_text import LocatedText
from rulewright.files.memoize import Cache, memoize
from rulewright.files.problems import Problem, Severity, SourceLocation, problem_type
from rulewright.numbering.edition_numbering import (
    edition_finder,
    edition_scheme,
    printed_numbers,
    repair_all_numbers,
)
from rulewright.numbering.numbering_scheme import NumberingScheme, RuleNumber
from rulewright.numbering.reference_finder import ReferenceFinder
from rulewright.schema.aid import Aid
from rulewright.schema.erratum import Errata, Erratum, Questions
from rulewright.schema.model_reader import MISSING_KEY
from rulewright.schema.redirects import Redirects
from rulewright.schema.rulebook import Chapter, EditionFile, KnownNumbers, Rulebook, Term
from rulewright.schema.step import PlaySequence
from rulewright.schema.table import Table
from rulewright.sequence.derived_sequence import DerivedSequence, derive_sequence

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


@dataclass(frozen=True, eq=False)
class Edition:
    """Edition of a book as read."""

    address: str
    """Path on the site: `ocs/4.3`."""
    book: Rulebook
    edition_file: EditionFile
    dialect: NumberingScheme
    finder: ReferenceFinder
    chapters: tuple[Chapter, ...] = ()
    known: KnownNumbers | None = None
    sequence: PlaySequence | None = None
    files: frozenset[str] = frozenset()
    """Names of all its files."""
    shared: frozenset[str] = frozenset()
    """Names of the files of its book that belong to no edition."""
    unmatched_numbers: tuple[tuple[RuleNumber, LocatedText], ...] = ()
    """Numbers of tables and of faulty files: neither listed nor the number of a rule that was read."""
    tables: tuple[Table, ...] = ()
    aids: tuple[Aid, ...] = ()
    redirects: Redirects | None = None
    base: Edition | None = None
    """Edition of the series that a game extends; `book` includes what the game inherits."""
    derived: DerivedSequence | None = None
    errata: Errata | None = None
    questions: Questions | None = None
    applied_errata: tuple[Erratum, ...] = ()
    """Errata that this edition includes."""
    as_printed: Edition | None = None
    """The edition without its errata."""
    today: str = ""
    """Date of the check, if any date of the content is in the future."""

    def has_written(self, text: str) -> bool:
        """Return whether a text is from a file of this edition or its book, not of the series it extends."""
        if self.base is None or not isinstance(text, LocatedText):
            return True
        name = text.file.name
        book = self.address.partition("/")[0]
        return name.startswith(f"{CONTENT}/{self.address}/") or name == f"{CONTENT}/{book}/rulebook.yml"

    def is_future(self, date: LocatedText | None) -> bool:
        return bool(self.today and date and date > self.today)

    @property
    def with_series(self) -> Iterator[Edition]:
        """Yield this edition, then the edition of the series that it extends, and so on."""
        edition: Edition | None = self
        while edition:
            yield edition
            edition = edition.base

    @property
    def language(self) -> str:
        return str(self.book.language or "en")

    @property
    def title(self) -> str:
        return f"{self.book.title} {self.edition_file.edition}"

    @property
    def names(self) -> tuple[str, str]:
        return str(self.book.short or self.book.title), str(self.edition_file.edition)

    @property
    def short(self) -> str:
        return " ".join(self.names)


@dataclass(frozen=True)
class BookLibrary:
    """All books, with their files and the problems of reading them."""

    editions: Mapping[str, Edition] = field(default_factory=dict)
    """Editions by address, in order."""
    texts: Mapping[str, bytes] = field(default_factory=dict)
    """All YAML, Markdown and lock files, by name."""
    problems: Sequence[Problem] = ()
    other_files: Sequence[str] = ()
    """Names of all other files."""
    locks: Mapping[str, ReferenceLock] = field(default_factory=dict)
    """Reference locks, by the folders below `content/`."""

    @property
    def printed(self) -> Mapping[str, PrintedSheet]:
        """Return the recorded printed sheets, by address."""
        return printed_sheets(self.locks)

    @cached_property
    def pages(self) -> Mapping[str, bytes]:
        """Return the Markdown pages, by file name."""
        return {name: data for name, data in self.texts.items() if name.endswith(".md")}

    @cached_property
    def faulty(self) -> frozenset[str]:
        """Return the names of files and folders with an error of reading."""
        return frozenset(
            problem.place.file
            for problem in self.problems
            if problem.severity is Severity.ERROR and not problem.place.file.endswith(LOCK)
        )

    @cached_property
    def _newest(self) -> Mapping[str, Edition]:
        return newest_editions(self.editions.values())

    def edition_of(self, name: str) -> Edition | None:
        """Return the edition of a file, or the newest edition of its book."""
        folders = name.split("/")[1:3] if name.count("/") > 2 else name.split("/")[1:-1]
        return (self.find_edition("/".join(folders)) or self.find_edition(folders[0])) if folders else None

    def find_edition(self, address: str) -> Edition | None:
        """Return the edition `ocs/4.3`, or for `ocs` the newest edition."""
        return self.editions.get(address) or self._newest.get(address)


def read_library(folder: ContentFolder, cache: Cache | None = None) -> BookLibrary:
    """Read the books of a folder; a `cache` shared by calls skips unchanged files."""
    return _LibraryReader(folder, {} if cache is None else cache).library()


@dataclass(frozen=True, slots=True)
class _EditionParts:
    """The files of an edition as read."""

    chapters: Sequence[Chapter | None]
    tables: tuple[Table, ...]
    aids: tuple[Aid, ...]
    known: KnownNumbers | None
    redirects: Redirects | None
    errata: Errata | None
    questions: Questions | None
    sequence: PlaySequence | None
    unreadable: tuple[str, ...]
    """Names of the files of rules, tables and numbers that cannot be read."""

    @property
    def values(self) -> tuple[object, ...]:
        """All parts, to tell whether one has changed."""
        parts = self.known, self.redirects, self.errata, self.questions, self.sequence
        return (*self.chapters, None, *self.tables, None, *self.aids, *parts)


class _NamedEdition(NamedTuple):
    address: str
    edition_file: EditionFile


def terms_of_edition(book: Rulebook, edition: str, editions: Sequence[str]) -> Rulebook:
    """Return a rulebook with the terms of one of its editions, which are in order."""

    def has(term: Term) -> bool:
        first = editions.index(term.since) if term.since in editions else 0
        last = editions.index(term.until) if term.until in editions else len(editions)
        return edition not in editions or first <= editions.index(edition) <= last

    if not any(term.since or term.until for term in book.terms.values()):
        return book
    return replace(book, terms={words: term for words, term in book.terms.items() if has(term)})


class _LibraryReader(ModelFileCache):
    """State while a folder is read."""

    def __init__(self, folder: ContentFolder, cache: Cache) -> None:
        super().__init__(folder, cache)
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
        for name in filter(self.is_lock, self.texts):
            self.read.add(name)
            folder = "/".join(name.split("/")[1:-1])
            locks[folder], problems = read_lock(name, self.texts[name])
            self.problems += problems
        for name in self.texts:
            if not name.endswith(".md") and name not in self.read:
                self.problems.append(
                    UNMARKED.problem(SourceLocation(name), unknown_file_message(name, self.books), name)
                )
        return BookLibrary(editions, self.texts, self.problems, self.other_files, locks)

    def book(self, book: str) -> list[str]:
        """Read the rulebook of a book; return the addresses of its editions."""
        name = f"{CONTENT}/{book}/rulebook.yml"
        folders = [edition for edition in self.books[book] if self.is_edition(book, edition)]
        files = {edition: self.edition_file(f"{book}/{edition}") for edition in folders}
        is_game = any(file and file.extends for file in files.values())
        rulebook = self.file(name, GameRulebook if is_game else Rulebook)
        dialect, problems = None, list[Problem]()
        if rulebook:
            dialect, problems = memoize(
                self.cache, f" dialect {book}", (rulebook,), partial(edition_scheme, rulebook)
            )
        self.problems += problems
        self.rulebooks[book] = rulebook, dialect
        if folders and not self.is_there(name):
            message = f"{name} is missing; it says how {book} numbers its rules"
            self.problems.append(NO_RULEBOOK.problem(SourceLocation(name), message, name))
        elif rulebook and not folders:
            message = f"{book} has no edition; make a folder in {CONTENT}/{book}/ with an edition.yml in it"
            self.problems.append(NO_EDITION.problem(rulebook.title.place, message, name))
        return [f"{book}/{edition}" for edition in folders]

    def is_behind(self, address: str) -> bool:
        rulebook, _ = self.rulebooks[address.partition("/")[0]]
        return rulebook is None or rulebook.order is None

    def edition_file(self, address: str) -> EditionFile | None:
        if address not in self.files:
            self.files[address] = self.file(f"{CONTENT}/{address}/edition.yml", EditionFile)
        return self.files[address]

    def edition_names(self, book: str) -> list[str]:
        """Return the names of the editions of a book, oldest first."""
        files = ((address, file) for address, file in self.files.items() if address.startswith(f"{book}/"))
        ordered = order_editions(_NamedEdition(address, file) for address, file in files if file)
        return [str(edition.edition_file.edition) for edition in ordered]

    def edition(self, address: str) -> Edition | None:
        """Return an edition, read once; the series of a game is read first."""
        if address not in self.editions:
            self.editions[address] = self.read_edition(address)
        return self.editions[address]

    def base_of(self, address: str, file: EditionFile) -> Edition | None:
        extends = {game: file.extends for game, file in self.files.items() if file and file.extends}
        if file.extends is None:
            return None
        if fault := extension_problem(file.extends, address, self.files, extends):
            self.problems.append(NO_SERIES.problem(file.extends.place, fault, file.extends))
            return None
        return self.edition(file.extends)  # none where its own faults are told

    def read_edition(self, address: str) -> Edition | None:
        """Read an edition. Its other files are read even if the rulebook cannot be read."""
        folder, _, edition_folder = address.partition("/")
        book, dialect = self.rulebooks[folder]
        names = self.books[folder][edition_folder]
        shared_folders = (other for other in self.books[folder] if not self.is_edition(folder, other))
        shared = frozenset(name for other in shared_folders for name in self.books[folder][other])
        file = self.edition_file(address) or self.placeholder_edition(f"{CONTENT}/{address}")
        model = GameSequence if file.extends else PlaySequence
        parts = self.read_parts(address, names, model if book else None)
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
        faulty = (*parts.unreadable, *(self.texts[name] for name in parts.unreadable))
        inputs = (own_book, *editions, dialect, file, series, *parts.values, frozenset(names), shared)
        build = partial(self.build_edition, address, book, dialect, file, series, parts, names, shared)
        return memoize(self.cache, f" edition {address}", (*inputs, self.day, *faulty), build)

    def read_parts(
        self, address: str, names: Sequence[str], sequence: type[PlaySequence] | None
    ) -> _EditionParts:
        """Read the files of an edition, without its edition.yml."""
        base = f"{CONTENT}/{address}"
        present = [name for name in names if name in self.texts]
        in_rules = [name for name in present if edition_subfolder("rules", name)]
        in_tables = [name for name in present if edition_subfolder("tables", name)]
        in_aids = [name for name in present if edition_subfolder("aids", name)]
        chapters = [self.file(name, Chapter) for name in in_rules]
        tables = tuple(table for name in in_tables if (table := self.file(name, Table)))
        aids = tuple(aid for name in in_aids if (aid := self.file(name, Aid)))
        known = self.file(f"{base}/known.yml", KnownNumbers)
        redirects = self.file(f"{base}/redirects.yml", Redirects)
        errata = self.file(f"{base}/errata.yml", Errata)
        questions = self.file(f"{base}/questions.yml", Questions)
        self.read.add(f"{base}/sequence.yml")
        steps = self.file(f"{base}/sequence.yml", sequence) if sequence else None
        numbered = (*in_rules, *in_tables, f"{base}/known.yml")
        unreadable = tuple(name for name in numbered if name in self.faulty)
        return _EditionParts(chapters, tables, aids, known, redirects, errata, questions, steps, unreadable)

    def build_edition(
        self,
        address: str,
        book: Rulebook,
        dialect: NumberingScheme,
        file: EditionFile,
        series: Edition | None,
        parts: _EditionParts,
        names: Sequence[str],
        shared: frozenset[str],
    ) -> Edition:
        """Build an edition from its parts, with the sequence of its series and the numbers of its tables."""
        bases = [*series.with_series] if series else []
        files = (file, *(base.edition_file for base in bases))
        base_names = [name for base in bases for name in series_citation_names(base.book)]
        finder = edition_finder(book, dialect, files, base_names)
        sequence, derived = parts.sequence, None
        if sequence:
            printed = printed_numbers(parts.chapters, parts.known, dialect)
            finders = [finder, *(base.finder for base in bases)]
            sequence = extract_title_references(sequence, finders, printed)
        if sequence and not sequence.steps and series and series.sequence:
            derived = derive_sequence(sequence, series.sequence)
        tables = parts.tables
        numbers = [(n, t.number) for t in tables if t.number and (n := dialect.parse_number(t.number))]
        numbers += repair_all_numbers(parts.chapters, parts.known, dialect)
        for name in parts.unreadable:
            numbers += self.unread_numbers(name, dialect)
        return Edition(
            address=address,
            book=book,
            edition_file=file,
            dialect=dialect,
            finder=finder,
            chapters=tuple(chapter for chapter in parts.chapters if chapter),
            known=parts.known,
            sequence=derived.sequence if derived else sequence,
            files=frozenset(names),
            shared=shared,
            unmatched_numbers=tuple(numbers),
            tables=tables,
            aids=parts.aids,
            redirects=parts.redirects,
            base=series,
            derived=derived,
            errata=parts.errata,
            questions=parts.questions,
            today=self.day,
        )
