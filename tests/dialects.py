"""The dialects that tests try: those of the five books, and some that no book has yet."""

from hypothesis import settings
from hypothesis import strategies as st

from rulewright.numbering.label_types import RomanLabels
from rulewright.numbering.numbering_scheme import NumberingScheme, RuleNumber

patient = settings(deadline=None)
"""For properties: a machine that is busy with other things fails none."""

DIALECTS = {
    "1.1a(A)": NumberingScheme(["1.1a(A)"], ["12.0", "12."]),
    "I.A.1": NumberingScheme(["1.1a", "I.A.1"], ["12.0"]),
    "1.A.1.a": NumberingScheme(["1.A.1.a"], ["62", "4."]),
    "[1.11]A": NumberingScheme(["[1.11]A"], ["3.0"]),
    "A1.111": NumberingScheme(["A1.111", "A.1"], ["C", "(22-23)"], implied=True),
    "§1-a-i": NumberingScheme(["§1-a-i"], ["§4"]),
    "R1.1": NumberingScheme(["R1.1"], ["R1"]),
    "1.1.1": NumberingScheme(["1.1.1"], ["4.", "4"]),
    "1.1(a)": NumberingScheme(["1.1a", "1.1(a)"], ["4.0"]),
    "1.1(1)A": NumberingScheme(["1.1(1)"], ["4.0"], suffixes=["A", "bis", "+"]),
    "AA.1.1": NumberingScheme(["AA.1.1"], ["GR"]),
    "1.а": NumberingScheme(["1.a"], ["4"], alphabet="абвгдежзиклмн"),
    "1.α.i": NumberingScheme(["1.a.i"], ["4"], alphabet="αβγδεζηθ"),
}


@st.composite
def numbers(draw: st.DrawFn, dialect: NumberingScheme) -> RuleNumber:
    """Any number that the dialect can write, from whole chapters down, but for zeros."""
    shape = draw(st.sampled_from(sorted(set(dialect.equivalents))))
    labels: list[str] = []
    least = 1 if shape == 0 else 2  # the forms of a whole chapter are those of the first example
    for part in dialect.shapes[shape][: draw(st.integers(least, len(dialect.shapes[shape])))]:
        if part.sort.nested:
            labels += draw(st.text("123456789", min_size=1, max_size=6))
        elif part.sort.digits:
            tail = draw(st.sampled_from(["", "", *dialect.suffixes.all]))
            labels.append(f"{draw(st.integers(1, 9999))}{tail}")
        elif isinstance(part.sort, RomanLabels):
            labels.append(part.sort.label(draw(st.integers(1, 399))))
        else:
            # Letters are doubled after the last, and ff means "and what follows".
            letters = part.sort.label(draw(st.integers(1, 2 * len(dialect.alphabet))))
            labels.append("f" if letters == "ff" else letters)
    number = dialect.number(labels, shape)
    assert number
    return number
