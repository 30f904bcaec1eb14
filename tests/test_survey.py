"""The numbering that an import detects reads every number of the invented books."""

from random import Random

import pytest
import yaml

from rulewright.imports.pipeline import ImportRequest, import_source
from rulewright.imports.reading.documents import read_document
from rulewright.numbering.label_types import ALPHABET
from rulewright.numbering.numbering_scheme import NumberingScheme
from rulewright.numbering.scheme_detection import NAMED
from tests.oracle.books import BOOKS, invented
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


@pytest.mark.parametrize("ending", ["md", "txt"])
@pytest.mark.parametrize("book", [*BOOKS, *map(invented, range(0, 600, 120))], ids=lambda book: book.name)
def test_what_is_detected_reads_every_number(book, ending, tmp_path):
    path = tmp_path / f"rules.{ending}"
    path.write_text(text_of(book, Random(book.name), ending == "md"))
    result = import_source(read_document(path), ImportRequest("b", "1"), "x")
    spec = yaml.safe_load(result.files["content/b/rulebook.yml"])
    numbers = [spec["numbers"]] if isinstance(spec["numbers"], str) else spec["numbers"]
    scheme = NumberingScheme(numbers, spec.get("chapters", []), alphabet=spec.get("alphabet", ALPHABET))
    for rule in book.rules:
        number = scheme.parse_number(rule.key) or scheme.parse_number(NAMED.sub("", rule.key))
        assert number, rule.key
        assert len(number.labels) == len(rule.labels)
    assert result.report.counts["rules"] >= 0.95 * len(book.rules)
