"""Numbers behind the book's own word for them, miswritten: never passed over, never taken for another."""

from functools import cache

import pytest

from rulewright.book.outline import Outline
from rulewright.numbering.numbering_scheme import NumberingScheme
from rulewright.references.reference_index import ReferenceIndex, build_reference_index
from rulewright.references.reference_types import RuleReference
from tests.test_references import outlines

SUFFIXES = (
    *"+ ++ * ** ' ’ ′ ½ ¾ ⅓ bis ter quater -bis .ter -A /A –A _A -a # #2".split(),  # noqa: SIM905
    *(" bis", " ter"),
)
TOUCHING = (
    *"*{}* **{}** ***{}*** _{}_ ++{}++ '{}' ‘{}’ “{}” {}¹ {}'s {}-type {}-5.2".split(),  # noqa: SIM905
    *("{}/5.2", "*Go* _{}_"),
)


@cache
def fees() -> tuple[ReferenceIndex, Outline]:
    texts = {
        "content/x/rulebook.yml": b'title: X\nnumbers: "1.1"\nchapters: ["5.0", "5."]\n',
        "content/x/1/edition.yml": b'edition: "1"\n',
        "content/x/1/rules/5.yml": b'chapter: "5.0"\ntitle: X\n"5.1 A": A.\n"5.2 B": B.\n',
    }
    index = build_reference_index(outlines(texts))
    return index, index.outlines["x/1"]


def told(text: str) -> list[tuple[str, str]]:
    """The words of each reference in a text, and its rule, or code and severity of what is wrong."""
    index, outline = fees()
    return [
        (
            text[one.match.start : one.match.end],
            one.display_number
            if isinstance(one, RuleReference)
            else f"{one.fault.code} {one.fault.severity.value}",
        )
        for one in index.resolver.resolve(text, outline, "5")
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


SHIFTS = (
    *("Shift (1R).", "A shift (2L) left", "two (2H)", "(1R, 2L)", "(1R or 2L)", "[1R]", "(1R/2L)", "(1R–2R)"),
    *("(a shift, 1L)", "(right, 12R)", "a shift of 1R, or 2L", "(+1R)", "**(1L)**"),
)
NUMBERINGS = "1.1a(A)", "1A1", "1a1", "1.A.1", "[1.11]A", "1.1", "1.1.i", "1.a", "I.A.1", "§1-a-i", "100.1a"


@cache
def numbered(example: str, *never: str) -> tuple[ReferenceIndex, Outline]:
    """A book so numbered, with three chapters."""
    dialect = NumberingScheme([example])
    labels = ("I", "II", "XII") if example[0] == "I" else ("1", "2", "12")
    chapters = [one for label in labels if (one := dialect.with_scheme_case([label]))]
    known = "".join(f"  - {{number: '{one.key}'}}\n" for one in chapters)
    texts = {
        "content/x/rulebook.yml": f"title: X\nnumbers: '{example}'\nnot-references: {[*never]}\n".encode(),
        "content/x/1/edition.yml": b'edition: "1"\n',
        "content/x/1/known.yml": f"known:\n{known}".encode(),
    }
    index = build_reference_index(outlines(texts))
    return index, index.outlines["x/1"]


@pytest.mark.parametrize("example", NUMBERINGS)
def test_shifts_of_columns_are_no_references(example: str) -> None:
    index, outline = numbered(example)
    assert not [words for words in SHIFTS if index.resolver.resolve(f"{words} here.", outline, "1")]
