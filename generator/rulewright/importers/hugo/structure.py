"""What to say of pages in which no rules are found: what stands there instead, and what to do about it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rulewright.importers.hugo.blocks import Heading, Listing, Paragraph, every, said
from rulewright.importers.hugo.book import Book, Read
from rulewright.model.reports import several
from rulewright.source.problems import Place, Problem, kind, shown

NO_NUMBERS = kind(
    "import-without-numbers",
    """Nothing on the pages that are to be imported says what the rules are: no heading and no beginning in
    bold has a number, or not in one way. The message says what stands there. Number the headings, or say how
    the book numbers its rules with `--dialect`.""",
)

_NUMBERED = re.compile(
    r"[\[(§#]*\s?(?:[^\W\d_]{2,12}\.?\s+(?=[\d#]|[IVXLC]+\b))?[\[(§#]*"
    r"(?:\d|[IVXLC]+[.):]|(?<=\s)[IVXLC]+\b|[A-Z][.):]?\d|[A-Z][.)])"
)
_MOST = 3
_FEW = 2

Place_ = tuple[Read, int, str]


def without_numbers(pages: Sequence[Read], source: str) -> Problem:
    """Why nothing tells how the book numbers its rules."""
    headings = _headings(pages)
    numbered = [one for one in headings if _NUMBERED.match(one[2])]
    if numbered:
        what = f"{several(len(numbered), 'heading')} with a number, {_listed(numbered)}, do not tell how"
        return _problem(source, f"{what} the book numbers its rules; say it with --dialect, like 1.1 or I.1")
    if headings:
        what = f"no heading of {len(headings)} begins with a number: {_listed(headings)}"
    else:
        what = f"{several(len(pages), 'page')} without a heading"
    items = [
        (read, block.line, said(first.pieces))
        for read in pages
        for block in every(read.reading.blocks)
        if isinstance(block, Listing) and block.items[0].marker
        for first in block.items[0].blocks[:1]
        if isinstance(first, Paragraph)
    ]
    found = f"; numbered lists ({_listed(items)}) are items of a rule, not rules" if items else ""
    todo = "write numbers in front of the headings, as in “## 1.1 Roads”, or in bold in front of paragraphs"
    return _problem(source, f"{what}{found}; {todo}")


def lump(book: Book, pages: Sequence[Read], source: str) -> Problem | None:
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
        what += f"; the others have none: {_listed(left)}"
        return _problem(source, f"{what}; number them, or say --dialect")
    return None


def _headings(pages: Sequence[Read]) -> list[Place_]:
    blocks = [(read, block) for read in pages for block in every(read.reading.blocks)]
    found = [(read, block.line, said(block.pieces)) for read, block in blocks if isinstance(block, Heading)]
    return [one for one in found if one[2]]


def _listed(places: Sequence[Place_]) -> str:
    """The first of some words with their places."""
    named = [f"“{shown(words, 40)}” ({read.page.name}:{line})" for read, line, words in places[:_MOST]]
    return ", ".join(named) + (" and so on" if len(places) > _MOST else "")


def _problem(source: str, message: str) -> Problem:
    return NO_NUMBERS.at(Place(source), message, source)
