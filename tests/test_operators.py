"""The operators of content are those that qpdf finds, whatever stands in strings, names and comments."""

import random

import pikepdf
import pytest

from rulewright.print.operators import operators

CONTENT = {
    "plain": b"q 1 0 0 1 2 3 cm BT /F 12 Tf (a) Tj ET Q",
    "closely set": b"q/F 1 Tf(a)Tj[(a)-7<00ff>]TJ/P<</MCID 3/Alt(q Q)>>BDC EMC/x0 Do",
    "operators in strings": rb"(q Q \) k) Tj (a (nested (k) ) b) Tj (\\) Tj <6b6b> Tj",
    "operators in names": b"/k cs /Q gs /Tj#20k Do /q /f scn",
    "operators in comments": b"q % k Q (\n0 g f*",
    "values that are words": b"/P << /A true /B null /C [false (f)] >> BDC EMC",
    "quotes": b"(a) ' 1 2 (b) \" T*",
    "an image": b"q BI /W 2 /H 2 /BPC 8 /CS /G ID \xff(k\x00 EI Q 1 g",
    "nothing": b"",
    "odd numbers": b"1. .5 -3 +4 0.0 6 cm 0 0 m 1 1 l b*",
}


def by_qpdf(data: bytes) -> list[str]:
    with pikepdf.Pdf.new() as pdf:
        found = pikepdf.parse_content_stream(pdf.make_stream(data))
        return ["BI" if str(one.operator) == "INLINE IMAGE" else str(one.operator) for one in found]


def ours(data: bytes) -> list[str]:
    return [word for word, _, _, _ in operators(data)]


@pytest.mark.parametrize("name", CONTENT)
def test_the_operators_are_those_that_qpdf_finds(name: str) -> None:
    assert ours(CONTENT[name]) == by_qpdf(CONTENT[name])


def test_content_by_chance_has_the_operators_that_qpdf_finds() -> None:
    chance = random.Random(15)
    parts = [
        b"q",
        b"Q",
        b"0 0 0 1 k",
        b"(k)",
        b"(()\\)(q)())",
        b"<4b>",
        b"Tj",
        b"/k",
        b"% Q\n",
        b"[1 (f) 2]",
        b"TJ",
    ]
    for _ in range(300):
        data = b" ".join(chance.choice(parts) for _ in range(chance.randrange(30)))
        assert ours(data) == by_qpdf(data), data


def test_operands_stand_before_their_operator_and_nothing_is_lost() -> None:
    data = CONTENT["closely set"]
    pieces = [data[begin:end] for _, begin, _, end in operators(data)]
    assert b"".join(pieces) == data
    assert [data[begin:at].strip() for word, begin, at, _ in operators(data) if word == "Tj"] == [b"(a)"]


@pytest.mark.parametrize(
    "data", [b"(" * 100_000, b"<" * 100_000, b"BI " * 50_000, b"((\\" * 50_000, b"\0" * 9]
)
def test_content_that_makes_no_sense_has_an_end(data: bytes) -> None:
    assert len(ours(data)) <= 1
