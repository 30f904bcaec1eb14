"""The mistakes in the docs and in reported_mistakes.md: each is reported once, with its cure."""

import re
from functools import cache
from pathlib import Path

import pytest

from tests.books import checked
from tests.test_docs import DOCS, FENCE

BOOK = "content/mule-pass/"
ROWS = [
    tuple(cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1])
    for page in (DOCS / "troubleshooting.md", Path(__file__).with_name("reported_mistakes.md"))
    for line in page.read_text("utf-8").splitlines()
    if line.endswith("]` |")
]


@cache
def book() -> dict[str, str]:
    """The first edition of the book as it was printed."""
    found = dict(
        m.groups() for page in sorted(DOCS.glob("*.md")) for m in FENCE.finditer(page.read_text("utf-8"))
    )
    ours = {n: w for n, w in found.items() if n.startswith(f"{BOOK}1/") or n == f"{BOOK}rulebook.yml"}
    return {n: w for n, w in ours.items() if not n.endswith(("errata.yml", "questions.yml"))}


def written(cell: str) -> str:
    """The meaning of a cell of the table."""
    words = cell.removeprefix("`").removesuffix("`").replace("\\|", "|")
    return words.replace(" ⏎ ", "\n").replace("⇥", "\t")


def test_there_are_fifty_mistakes_in_a_book_without_any():
    assert len(ROWS) >= 50
    assert len(set(ROWS)) == len(ROWS)
    assert not [str(problem) for problem in checked(book()).problems if problem.is_failure]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]} {row[2]}"[:60])
def test_each_mistake_is_reported_once_with_its_cure(row):
    file, before, after, report = row
    files, name = dict(book()), BOOK + file
    if before != "the file":
        assert written(before) in files[name]
        files[name] = files[name].replace(written(before), written(after), 1)
    else:
        del files[name]
    problems = checked(files).problems
    (problem,) = [one for one in problems if one.is_failure]
    place = str(problem.place).removeprefix(name).removeprefix(":").removeprefix(BOOK)
    assert f"{place}: {problem.severity}: {problem.message} [{problem.code}]" == written(report)
