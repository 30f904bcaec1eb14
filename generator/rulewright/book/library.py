"""Books and editions as read from the content folder."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from rulewright.book.edition_order import order_editions
from rulewright.book.lock_file import PrintedSheet, ReferenceLock
from rulewright.files.content_folder import CONTENT, LOCK
from rulewright.files.located_text import LocatedText
from rulewright.files.problems import Problem, Severity
from rulewright.numbering.numbering_scheme import NumberingScheme, RuleNumber
from rulewright.numbering.reference_finder import ReferenceFinder
from rulewright.schema.aid import Aid
from rulewright.schema.erratum import Errata, Erratum, Questions
from rulewright.schema.redirects import Redirects
from rulewright.schema.rulebook import Chapter, EditionFile, KnownNumbers, Rulebook
from rulewright.schema.step import PlaySequence
from rulewright.schema.table import Table
from rulewright.sequence.derived_sequence import DerivedSequence


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


def newest_editions(editions: Iterable[Edition]) -> dict[str, Edition]:
    """Return the newest edition of each book: the last that is in force and has a date.

    If no edition has a date it is the last one; if all dates are in the future, the first.
    """
    books: defaultdict[str, dict[str, Edition]] = defaultdict(dict)
    for edition in editions:
        books[edition.address.partition("/")[0]][edition.address] = edition
    newest: dict[str, Edition] = {}
    for book, by_address in books.items():
        addresses = order_editions({address: e.edition_file for address, e in by_address.items()})
        ordered = [by_address[address] for address in addresses]
        in_force = [e for e in ordered if not e.is_future(e.edition_file.effective_date)] or ordered[:1]
        newest[book] = ([e for e in in_force if e.edition_file.date] or in_force)[-1]
    return newest


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
        printed: dict[str, PrintedSheet] = {}
        for folder, lock in self.locks.items():
            printed |= {f"{folder}/{name}": sheet for name, sheet in lock.sheets.items()}
        return printed

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
