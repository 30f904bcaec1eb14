"""How a book numbers its rules, as its rulebook.yml, its editor or its pages say."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from rulewright.importers.website.blocks import Block, Heading, Listing, every, said
from rulewright.importers.website.book_rules import Book, ParsedPage, guessed
from rulewright.importers.website.opening_labels import labelled
from rulewright.importers.website.site import Site
from rulewright.model.reader import read
from rulewright.model.reports import several
from rulewright.model.rulebook import Rulebook
from rulewright.numbers.declared import dialect_of
from rulewright.numbers.dialect import Dialect
from rulewright.numbers.evidence import CUES
from rulewright.numbers.examples import example_fault
from rulewright.source.folder import CONTENT
from rulewright.source.problems import Place, Problem, kind, shown
from rulewright.source.tree import load
from rulewright.source.writing import Brief, Label, Value

NO_NUMBERS = kind(
    "import-without-numbers",
    """No page that is to be imported says what the rules are: no heading and no beginning in bold
    has a number, or not in one way. The message says what stands there. Number the headings, or say how
    the book numbers its rules with `--dialect`.""",
)
_NUMBERED = re.compile(
    r"[\[(§#]*\s?(?:[^\W\d_]{2,12}\.?\s+(?=[\d#]|[IVXLC]+\b))?[\[(§#]*"
    r"(?:\d|[IVXLC]+[.):]|(?<=\s)[IVXLC]+\b|[A-Z][.):]?\d|[A-Z][.)])"
)
_MOST = 3
_FEW = 2

_Spot = tuple[ParsedPage, int, str]

SEVERAL = kind(
    "import-several-books",
    """A Hugo site holds several books or editions, whose chapters have the same numbers. Import one folder
    at a time.""",
)
BAD_DIALECT = kind("import-dialect", "The example that `--dialect` gives of a book's numbers describes none.")
_EDITION = re.compile(
    r"[,:–—-]?\s*(?:\b(?:v|ver|version|edition|rev|revision)\.?\s*)?(\d[\w.]*)\s*(?:edition)?\s*$", re.I
)


def _problem(source: str, message: str) -> Problem:
    return NO_NUMBERS.at(Place(source), message, source)


def without_numbers(pages: Sequence[ParsedPage], source: str) -> Problem:
    """Problem of pages on which nothing tells how the book numbers its rules."""
    headings = _headings(pages)
    if numbered := [one for one in headings if _NUMBERED.match(one[2])]:
        what = f"{several(len(numbered), 'heading')} with a number, {_listed(numbered)}, do not tell how"
        return _problem(source, f"{what} the book numbers its rules; say it with --dialect, like 1.1 or I.1")
    what = f"{several(len(pages), 'page')} without a heading"
    if headings:
        what = f"no heading of {len(headings)} begins with a number: {_listed(headings)}"
    items = [
        (read, block.line, said(block.items[0].lead))
        for read, block in _blocks(pages)
        if isinstance(block, Listing) and block.items[0].marker and block.items[0].lead
    ]
    what += f"; numbered lists ({_listed(items)}) are items of a rule, not rules" if items else ""
    todo = "write numbers in front of the headings, as in “## 1.1 Roads”, or in bold in front of paragraphs"
    return _problem(source, f"{what}; {todo}")


def hardly_any_rules(book: Book, pages: Sequence[ParsedPage], source: str) -> Problem | None:
    """Problem of a book in which hardly any heading has become a rule, so that it would be one lump."""
    rules = [node for node in book.found.nodes if node.number]
    lines = {(node.page.name, node.line) for node in rules}
    headings = _headings(pages)
    left = [one for one in headings if (one[0].page.name, one[1]) not in lines]
    numbered = [one for one in left if _NUMBERED.match(one[2]) and one[2] != one[0].page.title]
    dialect = ", ".join(book.numbers)
    if len(numbered) >= _FEW and len({words for _, _, words in numbered}) > 2 * len(rules):
        what = f"{several(len(numbered), 'heading')} with a number are none where numbers are like {dialect}"
        return _problem(source, f"{what}: {_listed(numbered)}; say with --dialect how the book does it")
    if len(rules) < _FEW and len(left) > _FEW:
        what = f"numbers like {dialect} are found in {several(len(rules), 'heading')} of {len(headings)}"
        return _problem(
            source, f"{what}; the others have none: {_listed(left)}; number them, or say --dialect"
        )
    return None


def _blocks(pages: Sequence[ParsedPage]) -> Iterator[tuple[ParsedPage, Block]]:
    return ((read, block) for read in pages for block in every(read.reading.blocks))


def _headings(pages: Sequence[ParsedPage]) -> list[_Spot]:
    headings = ((read, block) for read, block in _blocks(pages) if isinstance(block, Heading))
    return [(read, one.line, words) for read, one in headings if (words := said(one.pieces))]


def _listed(places: Sequence[_Spot]) -> str:
    """The first of some words with their places."""
    named = [f"“{shown(words, 40)}” ({read.page.name}:{line})" for read, line, words in places[:_MOST]]
    return ", ".join(named) + (" and so on" if len(places) > _MOST else "")


@dataclass(frozen=True, slots=True)
class Numbering:
    """How a book numbers its rules: by examples, and in which words it cites them. `told`: who says so.

    `dialect` is given where the book is there already, and items of rules add nothing to it; `cited` is what
    its terms cite. `fault` is why nothing can be settled.
    """

    told: str = ""
    numbers: Sequence[str] = ()
    forms: Sequence[str] = ()
    dialect: Dialect | None = None
    cues: Sequence[str] = ()
    never: Sequence[str] = ()
    cited: Sequence[str] = ()
    fault: Problem | None = None


def settle_numbering(
    pages: Sequence[ParsedPage], examples: Sequence[str], book: str, rulebook: bytes | None, source: str
) -> Numbering:
    """Settle how the book numbers its rules: by its rulebook.yml, by `examples`, or by its labels."""
    if rulebook is not None and not examples:
        return _as_written(f"{CONTENT}/{book}/rulebook.yml", rulebook)
    guess = guessed(pages)
    cues = [name for name in guess.names if name not in CUES] if guess else []
    for example in examples:
        if fault := example_fault(example):
            message = f"--dialect {example}: {fault[1]}"
            return Numbering(fault=BAD_DIALECT.at(Place(source), message, source))
    if examples:  # how chapters are printed is guessed all the same
        forms = guess.chapters if guess and Dialect(examples, guess.chapters).chapter_regexes() else []
        forms = forms or [Dialect(examples).bare_chapter]
        return Numbering(f"as --dialect says: {', '.join(examples)}", examples, forms, cues=cues)
    if guess is None:
        return Numbering(fault=without_numbers(pages, source))
    return Numbering(f"guessed: {guess}", guess.numbers, guess.chapters, cues=cues)


def _as_written(name: str, rulebook: bytes) -> Numbering:
    """As the rulebook.yml says that the book has already."""
    tree, problems = load(name, rulebook)
    value, more = read(tree, Rulebook) if tree else (None, [])
    dialect, faults = dialect_of(value) if value else (None, [])
    if dialect is None or value is None:
        unread = BAD_DIALECT.at(Place(name), "rulebook.yml cannot be read; mend it", name)
        return Numbering(fault=[*problems, *more, *faults, unread][0])
    told = f"as {name} says: {', '.join(value.numbers)}"
    cited = [term.see for term in value.terms.values() if term.see]
    return Numbering(told, value.numbers, value.chapters, dialect, value.cues, value.not_references, cited)


def several_books(book: Book, source: str) -> Problem | None:
    """Problem of pages in different folders that are the same chapters, as those of two editions are."""
    folders: dict[str, set[str]] = {}
    for node in book.whole.values():
        if node.number and len(node.number.labels) == 1:
            folders.setdefault(posixpath.dirname(node.page.file.name), set()).add(node.key)
    for one, other in combinations(folders, 2):
        if len(shared := sorted(folders[one] & folders[other])) > 1:
            message = f"{one} and {other} both hold {shared[0]} and {shared[1]}; name one of these folders"
            return SEVERAL.at(Place(source), message, source)
    return None


def rulebook(
    title: str, book: Book, cues: Sequence[str], sides: Mapping[str, str], *, plays: bool
) -> dict[str, Value]:
    """The rulebook.yml of a new book."""
    entries: dict[str, Value] = {"title": title}
    numbers = [Label(one) for one in book.numbers]
    entries["numbers"] = numbers[0] if len(numbers) == 1 else numbers
    if book.forms:
        entries["chapters"] = [Label(form) for form in book.forms]
    if cues:
        entries["cues"] = [*cues]
    if plays:
        roles = [("phasing", "Phasing player", "P"), ("non-phasing", "Non-phasing player", "N")]
        roles += [("both", "Both players", "B")]
        entries["roles"] = {name: Brief({"title": title, "mark": mark}) for name, title, mark in roles}
    if sides:
        entries["sides"] = {name: Brief({"title": words}) for name, words in sides.items()}
    return entries


def book_title(site: Site, pages: Sequence[ParsedPage], book: Book) -> str:
    """A book's title, as the site says it, or as its first page does without the edition; else nothing."""
    index = next((read.page for read in pages if read.page.kind != "page"), None)
    first = index or (pages[0].page if len(pages) == 1 else None)
    given = str(site.title) or (first.title if first else "")
    is_chapter = first is None or first.name in book.titled
    given = "" if is_chapter and labelled(given, book.dialect) else given
    return _EDITION.sub("", given).strip(" ,:–—-") or given
