"""Numbers behind the book's own word for them, miswritten: never passed over, never taken for another."""

import re
from collections.abc import Callable
from functools import cache

import pytest

from rulewright.book.outline import Outline
from rulewright.citations.shelf import Shelf
from rulewright.numbers.dialect import Dialect
from rulewright.numbers.finder import Finder
from tests.casefiles import Case, cases
from tests.test_references import book_of, outlines

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


SUFFIXES = (
    *"+ ++ * ** ' ’ ′ ½ ¾ ⅓ bis ter quater -bis .ter -A /A –A _A -a # #2".split(),  # noqa: SIM905
    *(" bis", " ter"),
)
TOUCHING = (
    *"*{}* **{}** ***{}*** _{}_ ++{}++ '{}' ‘{}’ “{}” {}¹ {}'s {}-type {}-5.2".split(),  # noqa: SIM905
    *("{}/5.2", "*Go* _{}_"),
)
WORDS = "bis zum Ende", "bis auf weiteres", "ter plaatse", "+ 5.2", "- A", "*now*"


@cache
def fees() -> tuple[Shelf, Outline]:
    texts = {
        "content/x/rulebook.yml": b'title: X\nnumbers: "1.1"\nchapters: ["5.0", "5."]\n',
        "content/x/1/edition.yml": b'edition: "1"\n',
        "content/x/1/rules/5.yml": b'chapter: "5.0"\ntitle: X\n"5.1 A": A.\n"5.2 B": B.\n',
    }
    shelf = Shelf(outlines(texts))
    return shelf, shelf.outlines["x/1"]


def told(text: str) -> list[tuple[str, str]]:
    """The words of each reference in a text, and its rule, or code and severity of what is wrong."""
    shelf, outline = fees()
    return [
        (
            text[one.found.start : one.found.end],
            f"{one.fault.code} {one.fault.severity.value}" if one.fault else one.shown,
        )
        for one in shelf.resolve(text, outline, "5")
    ]


UNREADABLE = "reference-unreadable note"


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_number_with_a_suffix_leads_nowhere_and_is_told_behind_a_cue(suffix: str) -> None:
    for before, behind in (("See ", "."), ("By rule ", " it flies."), ("(", ")"), ("*Go.* See ", "; go")):
        assert told(f"{before}5.1{suffix}{behind}") == [(f"5.1{suffix}", UNREADABLE)]
    assert told(f"See 5.2 and 5.1{suffix} and 5.2.")[1:] == [(f"5.1{suffix}", UNREADABLE), ("5.2", "5.2")]
    assert "5.0" not in [rule for _, rule in told(f"Rule 5{suffix}.")]
    assert told(f"The 5.1{suffix}. is")[:1] == []
    assert told(f"See 9.9{suffix}.")[-1] == (f"9.9{suffix}", "reference-unreadable error")
    assert told(f"(2.5{suffix})") == []


@pytest.mark.parametrize("words", TOUCHING)
def test_what_ends_emphasis_or_goes_on_is_no_suffix(words: str) -> None:
    assert told(f"See {words.format('5.1')} now.")[0] == ("5.1", "5.1")
    assert told(f"* see {words.format('5.1')} now.")[0] == ("5.1", "5.1")


@pytest.mark.parametrize(
    "words", ["bis zum Ende", "bis auf weiteres", "ter plaatse", "+ 5.2", "- A", "*now*"]
)
def test_words_behind_a_number_are_no_suffix(words: str) -> None:
    assert told(f"See 5.1 {words}.")[0] == ("5.1", "5.1")


def test_a_range_that_a_book_writes_with_a_latin_suffix_is_one() -> None:
    finder = Finder(Dialect(["1.1"], ["1.0"]), through=["bis"])
    assert [one.through for one in finder.find("Regel 5.1 bis 5.2", "5")] == [False, True]


SHIFTS = (
    *("Shift (1R).", "A shift (2L) left", "two (2H)", "(1R, 2L)", "(1R or 2L)", "[1R]", "(1R/2L)", "(1R–2R)"),
    *("(a shift, 1L)", "(right, 12R)", "a shift of 1R, or 2L", "(+1R)", "**(1L)**"),
)
NUMBERINGS = "1.1a(A)", "1A1", "1a1", "1.A.1", "[1.11]A", "1.1", "1.1.i", "1.a", "I.A.1", "§1-a-i", "100.1a"


@cache
def numbered(example: str, *never: str) -> tuple[Shelf, Outline]:
    """A book so numbered, with three chapters."""
    dialect = Dialect([example])
    labels = ("I", "II", "XII") if example[0] == "I" else ("1", "2", "12")
    chapters = [one for label in labels if (one := dialect.fitted([label]))]
    known = "".join(f"  - {{number: '{one.key}'}}\n" for one in chapters)
    texts = {
        "content/x/rulebook.yml": f"title: X\nnumbers: '{example}'\nnot-references: {[*never]}\n".encode(),
        "content/x/1/edition.yml": b'edition: "1"\n',
        "content/x/1/known.yml": f"known:\n{known}".encode(),
    }
    shelf = Shelf(outlines(texts))
    return shelf, shelf.outlines["x/1"]


@pytest.mark.parametrize("example", NUMBERINGS)
def test_shifts_of_columns_are_no_references(example: str) -> None:
    shelf, outline = numbered(example)
    assert not [words for words in SHIFTS if shelf.resolve(f"{words} here.", outline, "1")]


@pytest.mark.parametrize("never", ["1X", "#X", "(1X)", "(#X)"])
@pytest.mark.parametrize("example", ["1A1", "1.1a"])
def test_what_the_book_says_is_no_reference_is_none_in_parentheses(example: str, never: str) -> None:
    shelf, outline = numbered(example, never)
    assert not shelf.resolve("Roll (1X).", outline, "1")


@pytest.mark.parametrize("example", ["1A1", "1.1a", "1.A.1"])
def test_behind_a_cue_a_shift_is_told(example: str) -> None:
    shelf, outline = numbered(example)
    assert [one.fault is not None for one in shelf.resolve("See rule 1R, please.", outline, "1")] == [True]


def test_a_number_that_begins_with_a_letter_is_no_suffix() -> None:
    finder = Finder(Dialect(["A(1)-I"], ["A"]))
    found = finder.find("see E(3)-IV–J(1)-X and J(2)-I/E(2)-IV", "A", have=lambda number: 1)
    assert [one.number.key for one in found if one.number] == ["E(3)-IV", "J(1)-X", "J(2)-I", "E(2)-IV"]
