"""What holds for a whole book: how it numbers its rules, and its rulebook.yml."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from rulewright.importers.hugo.book import Book, Read, guessed
from rulewright.importers.hugo.numbering import labelled
from rulewright.importers.hugo.site import Site
from rulewright.importers.hugo.structure import without_numbers
from rulewright.model.reader import read
from rulewright.model.rulebook import Rulebook
from rulewright.numbers.declared import dialect_of
from rulewright.numbers.dialect import Dialect
from rulewright.numbers.evidence import CUES
from rulewright.numbers.examples import example_fault
from rulewright.source.folder import CONTENT
from rulewright.source.problems import Place, Problem, kind
from rulewright.source.tree import load
from rulewright.source.writing import Brief, Label, Value

SEVERAL = kind(
    "import-several-books",
    """A Hugo site holds several books or editions, whose chapters have the same numbers. Import one folder
    at a time.""",
)
BAD_DIALECT = kind("import-dialect", "The example that `--dialect` gives of a book's numbers describes none.")

_EDITION = re.compile(
    r"[,:–—-]?\s*(?:\b(?:v|ver|version|edition|rev|revision)\.?\s*)?(\d[\w.]*)\s*(?:edition)?\s*$", re.I
)


@dataclass(frozen=True, slots=True)
class Settled:
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


def settle(
    pages: Sequence[Read], examples: Sequence[str], book: str, rulebook: bytes | None, source: str
) -> Settled:
    """How the book numbers its rules: as its rulebook.yml says, as `examples` say, or as its labels do."""
    if rulebook is not None and not examples:
        return _as_written(f"{CONTENT}/{book}/rulebook.yml", rulebook)
    guess = guessed(pages)
    cues = [*CUES, *(name for name in guess.names if name not in CUES)] if guess else [*CUES]
    if examples:
        return _as_said(examples, guess.chapters if guess else [], cues, source)
    if guess is None:
        return Settled(fault=without_numbers(pages, source))
    return Settled(f"guessed: {guess}", guess.numbers, guess.chapters, cues=cues)


def _as_written(name: str, rulebook: bytes) -> Settled:
    """As the rulebook.yml says that the book has already."""
    tree, problems = load(name, rulebook)
    value, more = read(tree, Rulebook) if tree else (None, [])
    dialect, faults = dialect_of(value) if value else (None, [])
    if dialect is None or value is None:
        wrong = [*problems, *more, *faults]
        fault = (
            wrong[0] if wrong else BAD_DIALECT.at(Place(name), "rulebook.yml cannot be read; mend it", name)
        )
        return Settled(fault=fault)
    told = f"as {name} says: {', '.join(value.numbers)}"
    cited = [term.see for term in value.terms.values() if term.see]
    return Settled(told, value.numbers, value.chapters, dialect, value.cues, value.not_references, cited)


def _as_said(examples: Sequence[str], chapters: Sequence[str], cues: Sequence[str], source: str) -> Settled:
    """As the command line says; how chapters are printed is guessed."""
    for example in examples:
        if fault := example_fault(example):
            message = f"--dialect {example}: {fault[1]}"
            return Settled(fault=BAD_DIALECT.at(Place(source), message, source))
    forms = chapters if chapters and Dialect(examples, chapters).chapter_regexes() else []
    forms = forms or [Dialect(examples).bare_chapter]
    return Settled(f"as --dialect says: {', '.join(examples)}", examples, forms, cues=cues)


def several_books(book: Book, source: str) -> Problem | None:
    """What to say where pages in different folders are the same chapters, as those of two editions are."""
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
    title: str,
    numbers: Sequence[str],
    forms: Sequence[str],
    cues: Sequence[str],
    sides: Mapping[str, str],
    *,
    plays: bool,
) -> dict[str, Value]:
    """What holds for all editions of a new book."""
    entries: dict[str, Value] = {"title": title}
    entries["numbers"] = Label(numbers[0]) if len(numbers) == 1 else [Label(one) for one in numbers]
    if forms:
        entries["chapters"] = [Label(form) for form in forms]
    if tuple(cues) != CUES:
        entries["cues"] = [*cues]
    if plays:
        entries["roles"] = {
            "phasing": Brief({"title": "Phasing player", "mark": "P"}),
            "non-phasing": Brief({"title": "Non-phasing player", "mark": "N"}),
            "both": Brief({"title": "Both players", "mark": "B"}),
        }
    if sides:
        entries["sides"] = {name: Brief({"title": words}) for name, words in sides.items()}
    return entries


def book_title(site: Site, pages: Sequence[Read], dialect: Dialect) -> str:
    """A book's title, as the site says it, or as its first page does without the edition; else nothing."""
    index = next((read.page for read in pages if read.page.kind != "page"), None)
    first = index or (pages[0].page if len(pages) == 1 else None)
    given = str(site.settings.get("title", default="")) or (first.title if first else "")
    given = "" if labelled(given, dialect) else given
    return _EDITION.sub("", given).strip(" ,:–—-") or given
