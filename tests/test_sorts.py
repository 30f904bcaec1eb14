"""One more sort of label than the program has: it is one class, and all else asks it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.edit.renumber_plan import NumberWriter
from rulewright.numbering import number_rebasing
from rulewright.numbering import numbering_scheme as dialects
from rulewright.numbering.label_types import ALPHABET, LabelType, label_types
from rulewright.numbering.numbering_scheme import NumberingScheme
from rulewright.numbering.reference_finder import ReferenceFinder
from tests.dialects import patient


class Columns(LabelType):
    """The columns of a spreadsheet: z, aa, ab."""

    def __init__(self) -> None:
        super().__init__("x", "[a-z]{1,3}(?![a-z])")

    def count(self, label: str) -> int | None:
        count = 0
        for letter in label:
            count = 26 * count + ALPHABET.index(letter) + 1
        return count

    def label_of(self, count: int) -> str:
        above, letter = divmod(count - 1, 26)
        return (self.label_of(above) if above else "") + ALPHABET[letter]


@pytest.fixture(scope="module")
def columns():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dialects, "label_types", lambda *types: {**label_types(*types), "x": Columns()})
        return NumberingScheme(["1.1x", "1.1(x)"], ["12.0"])


@patient
@given(count=st.integers(1, 18_000))
def test_it_is_read_counted_and_written(columns, count):
    first = columns.parse_number("12.5a")
    assert first
    number = columns.sibling(first, count)
    assert columns.parse_number(number.key) == number
    assert number.ordinals == (12, 5, count)
    assert columns.example(number) == "1.1x"


def test_it_is_found_whole_shortened_and_miswritten(columns):
    there = {"12.5z", "12.5aa", "12.5ab", "12.6c"}
    found = ReferenceFinder(columns).find(
        "See 12.5z-ab, 12.6c and case 12-5aa.", have=lambda number: number.key in there
    )
    assert [one.number.key for one in found if one.number] == ["12.5z", "12.5ab", "12.6c", "12.5aa"]


def test_it_is_spelled_as_another_was_and_counted_on_in_another_place(columns):
    old, new, place = map(columns.parse_number, ("12.5z", "12.5aa", "12.6"))
    assert old
    assert new
    assert place
    assert NumberWriter(columns).rewrite_like("12.5(z)", old, new, "12", "12") == "12.5(aa)"
    moved = number_rebasing.rebase_number(columns, place, new, 2)
    assert moved.key == "12.6aa"
