"""A book's numbering, proposed from its texts: it reads every number of the made-up books."""

from pathlib import Path
from random import Random

import pytest
import yaml

from rulewright.imports.numbering_proposal import NumberingProposal, propose_from_files
from rulewright.numbering.label_types import ALPHABET
from rulewright.numbering.numbering_scheme import NumberingScheme
from rulewright.numbering.reference_cues import with_book_cues
from rulewright.numbering.scheme_detection import NAMED
from tests.oracle.books import BOOKS, invented
from tests.oracle.numbering import Book


def survey(folder: Path, text: str, name: str = "rules.txt") -> NumberingProposal | None:
    (folder / name).write_text(text)
    found, problems = propose_from_files([str(folder / name)])
    assert not problems
    return found


def dialect_of(found: NumberingProposal | None) -> NumberingScheme:
    """The dialect that a rulebook.yml with the proposed keys declares."""
    assert found
    said = yaml.safe_load(found.as_rulebook(1))
    return NumberingScheme(
        several(said["numbers"]), said.get("chapters", []), alphabet=said.get("alphabet", ALPHABET)
    )


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
def test_what_is_proposed_reads_every_number(book: Book, markdown: bool, tmp_path: Path) -> None:
    text = text_of(book, Random(book.name), markdown)
    found = survey(tmp_path, text, "rules.md" if markdown else "rules.txt")
    assert found
    assert not misread(book, dialect_of(found)), found.as_rulebook(1)
    missing = {rule.key for rule in book.rules} - {number.key for number, _ in found.known()}
    assert not missing or not markdown  # in plain text a line that skips numbers is told, and no rule
    assert len(missing) < 0.05 * len(book.rules)
    assert len(found.unread) <= len(missing)
    words = {word.lower() for word in (book.points[0], book.cues[0])}
    assert words <= {*with_book_cues(found.cues)}


@pytest.mark.parametrize("seed", range(0, 600, 12))
def test_a_dialect_that_nobody_has_thought_of_is_proposed(seed: int, tmp_path: Path) -> None:
    book = invented(seed)
    found = survey(tmp_path, text_of(book, Random(seed), markdown=False))
    assert found
    assert not misread(book, dialect_of(found)), found.as_rulebook(1)


def misread(book: Book, dialect: NumberingScheme) -> list[str]:
    """The numbers of a book that a dialect does not read, or not with as many labels as they have.

    A word such as Rule that leads up to each may as well be a cue as a part of the number.
    """
    read = [
        (rule, dialect.parse_number(rule.key) or dialect.parse_number(NAMED.sub("", rule.key)))
        for rule in book.rules
    ]
    return [rule.key for rule, number in read if not number or len(number.labels) != len(rule.labels)]


def several(value: str | list[str]) -> list[str]:
    return [value] if isinstance(value, str) else value
