"""Rule numbers: read and written back in any dialect, in their order, with their parents."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.numbering.examples import example_fault
from rulewright.numbering.numbering_scheme import NumberingScheme, RuleNumber
from tests.dialects import DIALECTS, numbers, patient

any_dialect = pytest.mark.parametrize("dialect", DIALECTS.values(), ids=DIALECTS)


@any_dialect
@patient
@given(data=st.data())
def test_a_number_is_read_back_from_its_key(dialect, data):
    number = data.draw(numbers(dialect))
    assert dialect.parse_number(number.key) == number


@any_dialect
@patient
@given(data=st.data())
def test_a_number_lies_in_its_parent(dialect, data):
    number = data.draw(numbers(dialect))
    ancestors = list(dialect.ancestors(number))
    assert len(ancestors) == len(number.labels) - 1
    for above in ancestors:
        assert number.labels[: len(above.labels)] == above.labels
        assert len(above.labels) == 1 or dialect.parse_number(above.key) == above


def test_the_ancestors_of_a_number_that_no_rule_has_end():
    dialect = NumberingScheme(["100.1a"], ["100"])
    ancestors = dialect.ancestors(dialect.with_scheme_case(["701", "1"]))
    assert [above.key for above in ancestors] == ["70100"]


@any_dialect
@patient
@given(text=st.text())
def test_any_text_is_a_number_or_none(dialect, text):
    number = dialect.parse_number(text, "A")
    assert number is None or len(number.labels) == len(number.ordinals)


@pytest.mark.parametrize(
    ("dialect", "text", "key", "labels"),
    [
        # As printed, and whatever brackets are printed around it.
        ("1.1a(A)", "12.10", "12.10", ["12", "10"]),
        ("1.1a(A)", "12.5c(B)", "12.5c(B)", ["12", "5", "c", "B"]),
        ("1.1a(A)", "10.0b", "10.0b", ["10", "0", "b"]),
        ("[1.11]A", "[10.12]A", "10.12A", ["10", "1", "2", "A"]),
        ("[1.11]A", "12.4B", "12.4B", ["12", "4", "B"]),
        ("[1.11]A", "[3.2]", "3.2", ["3", "2"]),
        ("1.1(a)", "4.1(b)", "4.1b", ["4", "1", "b"]),
        # Whole chapters, in each of their forms.
        ("1.1a(A)", "12.0", "12.0", ["12"]),
        ("1.1a(A)", "12.", "12.0", ["12"]),
        ("1.A.1.a", "4.", "4", ["4"]),
        ("A1.111", "C", "C", ["C"]),
        ("§1-a-i", "§4", "§4", ["4"]),
        ("R1.1", "R2", "R2", ["2"]),
        # Two forms that differ in more than brackets are two numbers.
        ("A1.111", "C.4", "C.4", ["C", "4"]),
        ("A1.111", "C4", "C4", ["C", "4"]),
        ("A1.111", "C2.2401", "C2.2401", ["C", "2", "2", "4", "0", "1"]),
        ("I.A.1", "II.B.1", "II.B.1", ["II", "B", "1"]),
        # A space after a sign, a dash that does not break.
        ("§1-a-i", "§ 4‑b-iii", "§4-b-iii", ["4", "b", "iii"]),
        ("1.а", "4.б", "4.б", ["4", "б"]),
    ],
)
def test_what_is_read(dialect, text, key, labels):
    number = DIALECTS[dialect].parse_number(text)
    assert (number.key, list(number.labels)) == (key, labels)


def ordinals(dialect: NumberingScheme, *texts: str) -> list[tuple[int, ...]]:
    read = [dialect.parse_number(text) for text in texts]
    return [number.ordinals for number in read if isinstance(number, RuleNumber)]


@pytest.mark.parametrize(
    ("example", "at"),
    [
        ("1.2a", 2),
        ("12.5", 0),
        ("1.1b", 3),
        ("", 0),
        ("---", 0),
        ("1.1aa", 3),
        ("1.1aAI", 3),
        ("Rule", 0),
        ("1.1 foo", 4),
        ("1a+", 2),
        ("1.1*", 3),
    ],
)
def test_an_example_that_describes_nothing_says_where(example, at):
    fault = example_fault(example)
    assert fault[0] == at
