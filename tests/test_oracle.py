"""References of made-up books, held against a second reader that shares no code with the first."""

from __future__ import annotations

from random import Random

import pytest

from tests.oracle.books import BOOKS
from tests.oracle.numbering import Book
from tests.oracle.trial import Trial

SHARE = 0.02
"""How many of all pairs are tried here; `python3 run.py bench oracle` tries more."""


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.name)
def test_both_readers_agree(book: Book) -> None:
    tally = Trial(book).run(Random(book.name), SHARE)
    assert tally.numbers > 500
    assert not tally.disagreements, "\n".join(map(str, tally.disagreements[:20]))
