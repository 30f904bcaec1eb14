"""Names that not every disk can hold, and those that the site needs for itself."""

import pytest

from rulewright.checks.load_and_check import load_and_check_folder
from rulewright.files.content_reader import ContentFolder
from rulewright.files.filenames import MAX_BYTES, casefold_path
from rulewright.files.problems import Problem
from tests.commands.duel import BOOK


def problems(*others: str, book: str = "duel", edition: str = "1") -> list[Problem]:
    """What is told of a book with this folder and edition, and with these other files."""
    files = {
        name.replace("/duel/", f"/{book}/").replace("/1/", f"/{edition}/"): text.encode()
        for name, text in BOOK.items()
    }
    found = load_and_check_folder(ContentFolder(files, [f"content/{name}" for name in others])).problems
    return [one for one in found if one.code in ("folder-name-unusable", "file-name-unusable")]


GOOD = ["duel", "4.3", "12.5a", "Ärmel", "a b", "console", "com10", "2-supply", "x" * MAX_BYTES]
BAD = ["nul", "Aux.1", "COM1", "lpt².txt", "x?y", "a:b", 'a"b', "a*b", "a|b", "a\\b", "-rf", "1.", "1 "]
BAD += ["x" * (MAX_BYTES + 1), "ß" * (MAX_BYTES // 2 + 1)]
OWN = ["r", "R", "assets", "search", "checks", "problems", "sw.js", "404.html"]


@pytest.mark.parametrize("name", GOOD)
def test_names_that_will_do(name: str) -> None:
    assert problems(f"pictures/{name}", f"{name}/a.png", book=name) == []
    assert problems(edition=name) == []


@pytest.mark.parametrize("name", BAD)
def test_names_that_some_system_cannot_hold(name: str) -> None:
    (book,) = problems(book=name)
    assert (book.code, book.place.file) == ("folder-name-unusable", f"content/{name}/rulebook.yml")
    (edition,) = problems(edition=name)
    assert (edition.code, edition.place.line) == ("folder-name-unusable", 1)
    (picture,) = problems(f"pictures/{name}")
    assert (picture.code, picture.severity) == ("file-name-unusable", "warning")
    assert str(picture).endswith("; rename it [file-name-unusable]")


@pytest.mark.parametrize("name", OWN)
def test_names_that_the_site_needs(name: str) -> None:
    (book,) = problems(book=name)
    assert "the site needs it for pages of its own; rename it" in book.message
    assert problems(edition=name) == []
    assert [one.code for one in problems(f"{name}/map.png")] == ["file-name-unusable"]


@pytest.mark.parametrize(
    ("one", "other"), [("12.5A", "12.5a"), ("Straße", "STRASSE"), ("\u00e9", "e\u0301"), ("\u212b", "\u00e5")]
)
def test_names_that_some_system_takes_for_one(one: str, other: str) -> None:
    assert casefold_path(one) == casefold_path(other)
    files = {f"content/duel/{name}/edition.yml": b'edition: "1"' for name in (one, other)}
    files["content/duel/rulebook.yml"] = BOOK["content/duel/rulebook.yml"].encode()
    (problem,) = [
        p for p in load_and_check_folder(ContentFolder(files)).problems if p.code == "folder-name-unusable"
    ]
    assert "cannot be the name of a folder: some systems take it for" in problem.message
    found = problems(f"a/{one}.png", f"a/{other}.png", f"b/{one}.png")
    assert [p.code for p in found] == ["file-name-unusable"]
