"""The keys of texts: no two texts of a library have one, and what differs at one place is told apart."""

import random
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from rulewright.book.amending import apply_errata
from rulewright.book.library import read_library
from rulewright.checks.load_and_check import load_and_check_folder
from rulewright.files.content_reader import ContentFolder, read_content_folder
from rulewright.files.located_text import LocatedText
from rulewright.schema.amended_text import AmendedText
from rulewright.schema.yaml_fields import all_texts_of
from tests.edited_library import FILES, edited, folder_of
from tests.example_counts import TIMES

ROOT = Path(__file__).parent.parent
BOOK = 'title: Road\nnumbers: "1.1a"\nchapters: "1.0"\n'
SHORT = """\
chapter: '1.0'
1.1 Wagons:
  text: Slow.
  play: Slow.
  1.1a Wagons: Slow.
  1.1b: {text: Slow.}
1.2: Slow.
"""
TABLE = """\
title: Cost
columns: [Cost, A]
roll: 1d6
rows:
  - [Cost, A]
  - {Cost: A, A: A}
modifiers: {'+1': Cost}
results: {A: Cost, Cost: A}
"""


def road(**files: str) -> ContentFolder:
    """A book of one edition; a file by its name with a `_` for its folder."""
    texts = {"rulebook": BOOK, "1_edition": "edition: '1'\n", **files}
    return ContentFolder(
        {f"content/road/{one.replace('_', '/')}.yml": text.encode() for one, text in texts.items()}
    )


def texts_of(folder: ContentFolder) -> Iterator[LocatedText]:
    """Every text of the files, and of the editions that are made of them, as printed and as amended."""
    cache: dict[str, Any] = {}
    printed = read_library(folder, cache)
    amended, _ = apply_errata(printed, cache)
    parts = [known[2] for name, known in cache.items() if name in folder.texts]
    for one in (*printed.editions.values(), *amended.editions.values()):
        parts += (one.book, one.edition_file, one.chapters, one.known, one.sequence, one.tables, one.aids)
    for text in (text for part in parts for text in all_texts_of(part)):
        yield text
        yield text.printed


@pytest.mark.parametrize(
    "folder",
    [
        lambda: read_content_folder(ROOT),
        *(lambda name=name: read_content_folder(ROOT / "tests" / name) for name in ("sixth", "seventh")),
        lambda: folder_of(FILES),
        lambda: road(**{"1_rules_1": SHORT, "1_tables_cost": TABLE}),
        *(lambda seed=seed: folder_of(mutated(seed)) for seed in range(20 * TIMES)),
    ],
)
def test_no_two_texts_have_one_key(folder):
    same: defaultdict[object, list[LocatedText]] = defaultdict(list)
    for text in texts_of(folder()):
        if not any(text is one for one in same[text.key]):
            same[text.key].append(text)
    assert [texts for texts in same.values() if len(texts) > 1] == []


def mutated(seed: int) -> Mapping[str, bytes]:
    chance, files = random.Random(seed), FILES
    for _ in range(8):
        files = edited(dict(files), chance)
    return files


def test_a_cell_that_says_what_its_heading_says_is_not_amended_with_it():
    table = "title: Costs\nid: costs\ncolumns: [Cost, B]\nrows:\n  - [Cost, 1]\n  - {Cost: Ox, B: Cost}\n"
    errata = "errata: [{erratum: 1, table: Costs, date: 2001-01-01, replace: Cost, with: Price, which: 3}]\n"
    examined = load_and_check_folder(road(**{"1_tables_cost": table, "1_errata": errata}))
    assert [str(problem) for problem in examined.problems if problem.is_failure] == []
    made = examined.library.editions["road/1"].tables[0]
    assert [*made.columns] == ["Price", "B"]
    assert isinstance(made.columns[0], AmendedText)
    assert made.columns[0].key != made.columns[0].printed.key
    assert [dict(row) for row in made.rows] == [{"Price": "Cost", "B": "1"}, {"Price": "Ox", "B": "Cost"}]
