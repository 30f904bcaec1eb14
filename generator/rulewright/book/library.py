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
                             printed.lock           its printed sheets
    content/**/references.lock                      what references meant when they were read
    content/**/*.md                                 ordinary pages
    content/** (anything else)                      pictures and downloads, copied as they are

What a faulty file leaves readable is read. Where an edition.yml or the numbers of a chapter cannot be
read, something stands in for them, so that one fault does not make everything around it look wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial

from rulewright.book import printed_lock
from rulewright.book.cited_titles import with_cited_titles
from rulewright.book.derived import Derived, derive
from rulewright.book.filing import Filing
from rulewright.book.lineage import newest
from rulewright.book.printed_lock import PrintedSheet
from rulewright.book.series import NO_SERIES, GameRulebook, GameSequence, called, inherited, lacking
from rulewright.model.aid import Aid
from rulewright.model.erratum import Errata, Erratum, Questions
from rulewright.model.reader import MISSING_KEY
from rulewright.model.redirects import Redirects
from rulewright.model.rulebook import SETS, Chapter, EditionFile, Known, Rulebook
from rulewright.model.step import Sequence as PlaySequence
from rulewright.model.table import Table
from rulewright.numbers.declared import dialect_of, finder_of, meant, printed_numbers
from rulewright.numbers.dialect import Dialect, Number
from rulewright.numbers.finder import Finder
from rulewright.source import filenames
from rulewright.source.folder import CONTENT, PRINTED_LOCK, Folder, stands_in, unmarked
from rulewright.source.kept import Cache, kept
from rulewright.source.problems import Place, Problem, Severity, kind
from rulewright.source.text import Text

NO_RULEBOOK = kind("no-rulebook", "A folder holds an edition, but the folder above it holds no rulebook.yml.")
NO_EDITION = kind(
    "book-without-edition",
    "A book has a rulebook.yml and no edition. Make a folder beside it, with an edition.yml in it.",
    Severity.WARNING,
)
UNMARKED = kind(
    "unmarked-file", "Neither its place nor its name says what a YAML file is, so nothing reads it."
)


@dataclass(frozen=True, eq=False)
class Edition:
    """One edition of a book, read. `address` is its place in the site: `ocs/4.3`.

    `files`: the names of all its files; `shared`: those of its book that are in no edition; `unread`:
    numbers that no rule has and no list, those of tables and those in files that are faulty. `base`: the
    edition of a series that a game extends, from which is taken what the game's `book` leaves out. `derived`:
    how its sequence of play is that of the series. `applied`: the errata as amended by which it stands here,
    and `printed` what it was without them. `day`: that as of which dates are read, if any lies ahead.
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
    base: Edition | None = None
    derived: Derived | None = None
    errata: Errata | None = None
    questions: Questions | None = None
    applied: tuple[Erratum, ...] = ()
    printed: Edition | None = None
    day: str = ""

    def is_ahead(self, date: Text | None) -> bool:
        return bool(self.day and date and date > self.day)

    @property
    def around(self) -> Iterator[Edition]:
        """This edition, the edition of a series that it extends, and so on."""
        one: Edition | None = self
        while one:
            yield one
            one = one.base

    @property
    def language(self) -> str:
        return str(self.book.language or "en")

    @property
    def title(self) -> str:
        return f"{self.book.title} {self.file.edition}"

    @property
    def names(self) -> tuple[str, str]:
        return str(self.book.short or self.book.title), str(self.file.edition)

    @property
    def short(self) -> str:
        return " ".join(self.names)


@dataclass(frozen=True)
class Library:
    """All books: editions by address in the order in which they stand, their files, and faults of reading.

    `texts`: all YAML, Markdown and locks, by file; `others`: the names of all other files. `sites`: those of
    other people that marks lead to, by name. `locks`: what keeps what references meant, by file. `printed`:
    the recorded printed sheets, by address.
    """

    editions: Mapping[str, Edition] = field(default_factory=dict)
    texts: Mapping[str, bytes] = field(default_factory=dict)
    problems: Sequence[Problem] = ()
    others: Sequence[str] = ()
    locks: Mapping[str, bytes] = field(default_factory=dict)
    printed: Mapping[str, PrintedSheet] = field(default_factory=dict)

    @cached_property
    def pages(self) -> Mapping[str, bytes]:
        """Markdown pages, by file."""
        return {name: data for name, data in self.texts.items() if name.endswith(".md")}

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


class _Reading(Filing):
    """One reading of a folder; `problems` collects what is wrong with its files."""

    def __init__(self, folder: Folder, cache: Cache) -> None:
        super().__init__(folder, cache)
        self.others = folder.others
        self.rulebooks: dict[str, tuple[Rulebook | None, Dialect | None]] = {}
        self.files: dict[str, EditionFile | None] = {}
        self.made: dict[str, Edition | None] = {}

    def library(self) -> Library:
        addresses = [address for book in self.books if book for address in self.book(book)]
        addresses.sort(key=self.is_behind)
        read = ((address, self.edition(address)) for address in addresses)
        editions = {address: edition for address, edition in read if edition}
        every = [name for book in self.books.values() for _, names in sorted(book.items()) for name in names]
        self.problems += filenames.faults(every, CONTENT, self.is_book)
        locks = {name: data for name, data in self.texts.items() if self.is_lock(name)}
        printed = {sheet: one for address in addresses for sheet, one in self.printed(address)}
        for name in self.texts:
            if not name.endswith(".md") and name not in self.read and name not in locks:
                self.problems.append(UNMARKED.at(Place(name), unmarked(name, self.books), name))
        return Library(editions, self.texts, self.problems, self.others, locks, printed)

    def printed(self, address: str) -> Iterator[tuple[str, PrintedSheet]]:
        """Yield the recorded printed sheets of an edition by address."""
        name = f"{CONTENT}/{address}/{PRINTED_LOCK}"
        self.read.add(name)
        sheets, problems = printed_lock.read(name, self.texts.get(name, b""))
        self.problems += problems
        yield from ((f"{address}/{sheet}", one) for sheet, one in sheets.items())

    def book(self, book: str) -> list[str]:
        """The addresses of the editions of a book, whose rulebook is read."""
        name = f"{CONTENT}/{book}/rulebook.yml"
        folders = [edition for edition in self.books[book] if self.is_edition(book, edition)]
        files = {edition: self.edition_file(f"{book}/{edition}") for edition in folders}
        is_game = any(file and file.extends for file in files.values())
        rulebook = self.file(name, GameRulebook if is_game else Rulebook)
        dialect, problems = None, list[Problem]()
        if rulebook:
            dialect, problems = kept(
                self.cache, f" dialect {book}", (rulebook,), partial(dialect_of, rulebook)
            )
        self.problems += problems
        self.rulebooks[book] = rulebook, dialect
        if folders and not self.is_there(name):
            message = f"{name} is missing; it says how {book} numbers its rules"
            self.problems.append(NO_RULEBOOK.at(Place(name), message, name))
        elif rulebook and not folders:
            message = f"{book} has no edition; make a folder in {CONTENT}/{book}/ with an edition.yml in it"
            self.problems.append(NO_EDITION.at(rulebook.title.place, message, name))
        return [f"{book}/{edition}" for edition in folders]

    def is_behind(self, address: str) -> bool:
        rulebook, _ = self.rulebooks[address.partition("/")[0]]
        return rulebook is None or rulebook.stands is None

    def edition_file(self, address: str) -> EditionFile | None:
        if address not in self.files:
            self.files[address] = self.file(f"{CONTENT}/{address}/edition.yml", EditionFile)
        return self.files[address]

    def edition(self, address: str) -> Edition | None:
        """An edition; one that a game extends is read before that."""
        if address not in self.made:
            self.made[address] = self.read_edition(address)
        return self.made[address]

    def base_of(self, address: str, file: EditionFile) -> Edition | None:
        extends = {one: file.extends for one, file in self.files.items() if file and file.extends}
        if file.extends is None:
            return None
        if fault := lacking(file.extends, address, self.files, extends):
            self.problems.append(NO_SERIES.at(file.extends.place, fault, file.extends))
            return None
        return self.edition(file.extends)  # none where its own faults are told

    def read_edition(self, address: str) -> Edition | None:
        """An edition. What does not depend on the rulebook is read even where that cannot be."""
        folder, _, own = address.partition("/")
        book, dialect = self.rulebooks[folder]
        base = f"{CONTENT}/{address}"
        names = self.books[folder][own]
        others = (one for one in self.books[folder] if not self.is_edition(folder, one))
        shared = frozenset(name for one in others for name in self.books[folder][one])
        rules = [name for name in names if stands_in("rules", name) and name in self.texts]
        charts = [name for name in names if stands_in("tables", name) and name in self.texts]
        file = self.edition_file(address) or self.stand_in(base)
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
        own_book = book
        if series := self.base_of(address, file):
            dialect = dialect if book.numbers else series.dialect
            book = inherited(book, series.book)
        words = {**SETS, "steps": tuple(book.steps) or SETS["steps"]}
        sequence = self.file(f"{base}/sequence.yml", GameSequence if file.extends else PlaySequence, words)
        broken = tuple(n for n in (*rules, *charts, f"{base}/known.yml") if n in self.faulty)
        parts = (*chapters, None, *tables, None, *sheets, known, redirects, errata, questions, sequence)
        faulty = (*broken, *(self.texts[name] for name in broken))
        made_of = (own_book, dialect, file, series, *parts, frozenset(names), shared, self.day, *faulty)
        if dialect is None:
            if not book.numbers and not file.extends:
                message = f"this rulebook needs the key numbers, since {address} extends no series"
                self.problems.append(MISSING_KEY.at(book.title.place, message, book.title.file.name))
            return None

        def made(book: Rulebook, dialect: Dialect) -> Edition:
            bases = [*series.around] if series else []
            files = (file, *(one.file for one in bases))
            finder = finder_of(book, dialect, files, [name for one in bases for name in called(one.book)])
            derived, own = None, None
            if sequence:
                printed = printed_numbers(chapters, known, dialect)
                own = with_cited_titles(sequence, [finder, *(one.finder for one in bases)], printed)
            if own and not own.steps and series and series.sequence:
                derived = derive(own, series.sequence)
            numbers = [(n, t.number) for t in tables if t.number and (n := dialect.parse(t.number))]
            numbers += meant(chapters, known, dialect)
            return Edition(
                address=address,
                book=book,
                file=file,
                dialect=dialect,
                finder=finder,
                chapters=tuple(chapter for chapter in chapters if chapter),
                known=known,
                sequence=derived.sequence if derived else own,
                files=frozenset(names),
                shared=shared,
                unread=(*numbers, *(one for name in broken for one in self.unread(name, dialect))),
                tables=tables,
                aids=tuple(aid for aid in sheets if aid),
                redirects=redirects,
                base=series,
                derived=derived,
                errata=errata,
                questions=questions,
                day=self.day,
            )

        return kept(self.cache, f" edition {address}", made_of, partial(made, book, dialect))
