"""The operators of content are those that qpdf finds, whatever stands in strings, names and comments."""

import random

import pikepdf
import pytest

from rulewright.print.pdf_operators import iter_operators


def by_qpdf(data: bytes) -> list[str]:
    with pikepdf.Pdf.new() as pdf:
        found = pikepdf.parse_content_stream(pdf.make_stream(data))
        return ["BI" if str(one.operator) == "INLINE IMAGE" else str(one.operator) for one in found]


def ours(data: bytes) -> list[str]:
    return [word for word, _, _, _ in iter_operators(data)]


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


@pytest.mark.parametrize(
    "data", [b"(" * 100_000, b"<" * 100_000, b"BI " * 50_000, b"((\\" * 50_000, b"\0" * 9]
)
def test_content_that_makes_no_sense_has_an_end(data: bytes) -> None:
    assert len(ours(data)) <= 1
