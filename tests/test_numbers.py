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
def test_a_number_is_read_back_from_its_key(dialect: NumberingScheme, data: st.DataObject) -> None:
    number = data.draw(numbers(dialect))
    assert dialect.parse_number(number.key) == number


@any_dialect
@patient
@given(data=st.data())
def test_a_number_lies_in_its_parent(dialect: NumberingScheme, data: st.DataObject) -> None:
    number = data.draw(numbers(dialect))
    ancestors = list(dialect.ancestors(number))
    assert len(ancestors) == len(number.labels) - 1
    for above in ancestors:
        assert number.labels[: len(above.labels)] == above.labels
        assert len(above.labels) == 1 or dialect.parse_number(above.key) == above


def test_a_case_may_lie_in_its_chapter() -> None:
    case = DIALECTS["1.1a(A)"].parse_number("10.0b")
    assert case
    assert [above.key for above in DIALECTS["1.1a(A)"].ancestors(case)] == ["10.0"]


@any_dialect
@patient
@given(data=st.data())
def test_a_sibling_counts_one_more(dialect: NumberingScheme, data: st.DataObject) -> None:
    number = data.draw(numbers(dialect))
    if len(number.labels) > 1 and (sibling := dialect.sibling(number, number.ordinals[-1] + 1)):
        assert sibling.ordinals == (*number.ordinals[:-1], number.ordinals[-1] + 1)
        assert sibling.labels[:-1] == number.labels[:-1]


@any_dialect
@patient
@given(text=st.text())
def test_any_text_is_a_number_or_none(dialect: NumberingScheme, text: str) -> None:
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
        # A space behind a sign, a dash that does not break.
        ("§1-a-i", "§ 4‑b-iii", "§4-b-iii", ["4", "b", "iii"]),
        ("1.а", "4.б", "4.б", ["4", "б"]),
    ],
)
def test_what_is_read(dialect: str, text: str, key: str, labels: list[str]) -> None:
    number = DIALECTS[dialect].parse_number(text)
    assert (number.key, list(number.labels)) == (key, labels)


@pytest.mark.parametrize(
    ("dialect", "text"),
    [
        ("1.1a(A)", "12"),
        ("1.1a(A)", "12.5C"),
        ("1.1a(A)", "12.5ab"),
        ("1.1a(A)", "12.5ff"),
        ("1.1a(A)", "11.0d8"),
        ("1.1a(A)", "12.5c(B"),
        ("1.1a(A)", "12345.6"),
        ("1.1a(A)", "٣.٤"),
        ("1.A.1.a", "4.A.1.a.1"),
        ("I.A.1", "IIV.A.1"),
        ("A1.111", "9.2"),
        ("R1.1", "1.1"),
        ("1.а", "4.b"),
        ("1.1a(A)", ""),
    ],
)
def test_what_is_no_number(dialect: str, text: str) -> None:
    assert DIALECTS[dialect].parse_number(text) is None


def test_an_implied_chapter_is_the_one_around() -> None:
    asl = DIALECTS["A1.111"]
    assert asl.parse_number("9.2", "A") == asl.parse_number("A9.2")
    assert asl.parse_number("22", "D") == asl.parse_number("D22")
    assert asl.parse_number("D9.2", "A") == asl.parse_number("D9.2")


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
def test_an_example_that_describes_nothing_says_where(example: str, at: int) -> None:
    fault = example_fault(example)
    assert fault[0] == at


@any_dialect
@patient
@given(data=st.data())
def test_the_example_of_a_number_describes_it(dialect: NumberingScheme, data: st.DataObject) -> None:
    number = data.draw(numbers(dialect).filter(lambda one: len(one.labels) > 1))
    own = NumberingScheme(
        [dialect.example(number)], alphabet=dialect.alphabet, suffixes=dialect.suffixes.all
    ).parse_number(number.key)
    assert own.labels == number.labels
