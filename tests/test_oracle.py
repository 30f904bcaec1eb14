"""References of invented books, compared with a second reader that shares no code with the first."""

from random import Random

import pytest

from tests.oracle.books import BOOKS, invented
from tests.oracle.reading import Reader
from tests.oracle.trial import Trial

SHARE = 0.004
"""Share of all pairs that is tried."""
INVENTED = 25


@pytest.mark.parametrize("book", [*BOOKS, *map(invented, range(INVENTED))], ids=lambda book: book.name)
def test_both_readers_agree(book):
    tally = Trial(book).run(Random(book.name), SHARE)
    assert tally.numbers > 30
    assert not tally.disagreements, "\n".join(map(str, tally.disagreements[:20]))


@pytest.mark.parametrize(
    ("book", "run", "meant"),
    [
        ("COIN", "8.2-8.3", ["8.2", "8.3"]),
        ("COIN", "1.1.2, -.3 and -.8", ["1.1.2", "1.1.3", "1.1.8"]),
        ("COIN", "1.1.12/.4", ["1.1.12", "1.4"]),
        ("COIN", "1.1.12 and .99", ["1.1.12", None]),
        ("SPI", "12.41-4", ["12.41", "12.44"]),
        ("Squad tactics", "1.1-.35", ["A1.1", "A1.35"]),
        ("Squad tactics", "D1.24, 1.2", ["D1.24", "D1.2"]),
        ("Squad tactics", "D1.24, 2.1", ["D1.24", None]),
        ("Law of the woods", "8.1.1.IIf and g", ["8.1.1.IIf", "8.1.1.IIg"]),
        ("Rule and case", "Rule 1 Case B to D", ["Rule 1 Case B", "Rule 1 Case D"]),
    ],
)
def test_the_second_reader_reads_as_people_do(book, run, meant):
    reader = Reader(next(one for one in BOOKS if one.name == book))
    assert [one.rule and one.rule.key for one in reader.read(run)] == meant
