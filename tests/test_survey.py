"""A book's numbering, proposed from its texts: it reads every number of the made-up books."""

from __future__ import annotations

from random import Random

import pytest

from generator.numbers import Dialect
from generator.problems import File
from generator.survey import survey
from tests.oracle.books import BOOKS
from tests.oracle.numbering import Book

WORDS = "supply fuel attrition combat movement weather rails ships command morale retreat"


def text_of(book: Book, chance: Random, markdown: bool) -> str:
    """A text of a book: every rule with its number, a title or a sentence, and two references."""
    keys = [rule.key for rule in book.rules]
    pieces = []
    for rule in book.rules:
        number = f"[{rule.key}]" if '"[' in book.declared else rule.key
        title = " ".join(chance.sample(WORDS.split(), 2)).title()
        text = (
            f"Units move ({book.points[0]} {chance.choice(keys)}) as in {book.cues[0]} {chance.choice(keys)}."
        )
        if markdown:
            heading = f"{'#' * (rule.depth + 1)} {number} {title}\n\n" if rule.depth < 2 else f"**{number}** "
        else:
            heading = f"{number} {title}\n\n" if rule.depth < 2 else f"{number} "
        pieces.append(heading + text + "\n")
    return "\n".join(pieces)


@pytest.mark.parametrize("markdown", [True, False], ids=["markdown", "plain"])
@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.name)
def test_what_is_proposed_reads_every_number(book: Book, markdown: bool) -> None:
    found = survey([(File("rules.md", text_of(book, Random(book.name), markdown)), markdown)])
    assert found
    alphabet = book.alphabet
    dialect = Dialect(found.numbers, found.chapters, alphabet=alphabet)
    read = {rule.key: dialect.parse(rule.key) for rule in book.rules}
    wrong = [
        rule.key
        for rule in book.rules
        if not (number := read[rule.key]) or len(number.labels) != len(rule.labels)
    ]
    assert not wrong, f"{found.numbers}, {found.chapters}"
