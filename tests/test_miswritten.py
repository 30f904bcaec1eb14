"""Numbers behind the book's own word for them, miswritten: never passed over, never taken for another."""

import re
from collections.abc import Callable
from functools import cache

import pytest

from rulewright.book.outline import Outline
from rulewright.citations.shelf import Shelf
from tests.casefiles import Case, cases
from tests.test_references import book_of

CUES = {
    "11-operations.md": "rule",
    "12-monster.md": "Case",
    "13-insurgency.md": "section",
    "14-woodland.md": "rule",
    "15-runners.md": "rule",
    "16-hundreds.md": "rule",
    "17-squads.md": "rule",
}
"""What the books made of whole pages call their rules."""
LETTER = re.compile(r"(.*[0-9IVX)])\.?([a-zA-Z])")  # a number and the letter at its end

TOUCHED = (
    "See {cue} “{}” now.",
    "See {cue} {}* now.",
    "See {cue} [{}] now.",
)
"""Round a number that is written as the book writes it: it means what it always means."""

SPELLINGS: dict[str, Callable[[str], str]] = {
    "5.1(c)": lambda number: LETTER.sub(r"\1(\2)", number),
    "5.1.c": lambda number: LETTER.sub(r"\1.\2", number),
}


@pytest.mark.parametrize("words", TOUCHED)
@pytest.mark.parametrize("book", CUES)
def test_what_touches_a_number_changes_no_reference(book: str, words: str) -> None:
    numbers = edition(book)[2]
    assert not [found for number in numbers if (found := wrongly(book, words, number, number))]


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("book", CUES)
def test_a_miswritten_number_leads_to_its_rule_or_is_told(book: str, spelling: str) -> None:
    written = [(number, SPELLINGS[spelling](number)) for number in edition(book)[2]]
    assert not [found for pair in written if (found := wrongly(book, "See {cue} {} now.", *pair))]


@cache
def edition(book: str) -> tuple[Shelf, Outline, list[str], str]:
    """A book, a dozen numbers of it that have a point or a letter, and the chapter that is read."""
    case: Case = next(case for case in cases("references") if case.file.endswith(book))
    shelf, outline = book_of(case)
    every = [key for key, entry in outline.entries.items() if len(entry.number.labels) > 1]
    return shelf, outline, every[:: max(1, len(every) // 12)], case.text("chapter", outline.home).strip()


def wrongly(book: str, words: str, number: str, written: str) -> str:
    """What is wrong with what is found where a number stands in a text, or nothing."""
    shelf, outline, _, chapter = edition(book)
    if written != number and outline.find(written, chapter):
        return ""  # it is another number of the book, and right
    text = words.format(written, cue=CUES[book])
    start = text.index(written)
    end = start + len(written)
    over = [r for r in shelf.resolve(text, outline, chapter) if r.found.start < end and start < r.found.end]
    if not over:
        return f"{text}: passed over"
    meant = over[0].target
    if (meant and meant.key != number) or (written == number and not meant):
        return f"{text}: {meant.key if meant else over[0].message}"
    return ""
