"""No content ends the difference of editions, and it takes no more effort than there is content."""

from collections.abc import Callable, Mapping

import pytest

from rulewright.book.library import read_library
from rulewright.book.outline import arrange
from rulewright.citations.shelf import Shelf, cite
from rulewright.compare.edition_changes import compare
from rulewright.site import pages
from rulewright.site.exports.changes import FORMATS
from rulewright.source.folder import Folder
from tests.casefiles import Case, cases
from tests.effort import LINEAR, growth
from tests.test_checks import files, unescaped

CASES = [*cases("checks"), *cases("reading"), *cases("pages")]
EDITIONS = {
    "content/h/rulebook.yml": 'title: H\nnumbers: "1.1a"\nchapters: "1.0"\n',
    "content/h/1/edition.yml": 'edition: "1"\n',
    "content/h/2/edition.yml": 'edition: "2"\nfollows: "1"\n',
}
Files = Mapping[str, str]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_any_content_can_be_compared(case: Case) -> None:
    """However faulty the editions are, and whichever is compared with whichever."""
    texts = {}
    for what, path, text in files(case):
        if what in ("yaml", "markdown", "bytes"):
            texts[path] = unescaped(text) if what == "bytes" else text.encode()
    library = read_library(Folder(texts))
    shelf = cite({address: arrange(edition) for address, edition in library.editions.items()})
    for old in shelf.outlines.values():
        for new in shelf.outlines.values():
            made = compare(old, new, shelf)
            assert all(way(made, shelf, "https://example.org") for way in FORMATS.values())
            assert old is not new or not made.told
    pages.render(shelf, library)


def two(old: Files, new: Files) -> Shelf:
    texts = {name: text.encode() for name, text in EDITIONS.items()}
    for edition, made in (("1", old), ("2", new)):
        texts |= {f"content/h/{edition}/{name}": text.encode() for name, text in made.items()}
    library = read_library(Folder(texts))
    return cite({address: arrange(edition) for address, edition in library.editions.items()})


def rules(count: int, says: Callable[[int], str]) -> Files:
    lines = (f'"{at // 900 + 1}.{at % 900 + 1}": {{{says(at)}}}\n' for at in range(count))
    return {"rules/1.yml": f'chapter: "1.0"\n{"".join(lines)}'}


def steps(count: int, says: Callable[[int], str]) -> Files:
    return {"sequence.yml": "title: S\nsteps:\n" + "".join(f"  - {{{says(at)}}}\n" for at in range(count))}


def rows(count: int, says: Callable[[int], str]) -> Files:
    lines = "".join(f"  - {{{says(at)}}}\n" for at in range(count))
    return {"tables/t.yml": f"title: T\ncolumns: [A, B]\nrows:\n{lines}"}


def notes(count: int, says: Callable[[int], str]) -> Files:
    lines = "".join(f"  - {{kind: play, text: {says(at)}}}\n" for at in range(count))
    return {"rules/1.yml": f'chapter: "1.0"\nnotes:\n{lines}'}


def text(words: str) -> Files:
    return {"rules/1.yml": f'chapter: "1.0"\ntext: {words}\n'}


GROWING: Mapping[str, Callable[[int], tuple[Files, Files]]] = {
    "one text": lambda n: (rules(n, lambda _: "text: A tug"), rules(n + 1, lambda _: "text: A tug")),
    "one title": lambda n: (rules(n, lambda _: "title: Tug"), rules(n + 1, lambda _: "title: Tug")),
    "one title, other texts": lambda n: (
        rules(n, lambda at: f"title: Tug, text: x{at} y{at} z{at}"),
        rules(n, lambda at: f"title: Tug, text: x{at + 7} y{at + 7} z{at}"),
    ),
    "nothing alike": lambda n: (
        rules(n, lambda at: f"text: x{at} y{at} z{at} w{at}"),
        rules(n, lambda at: f"text: p{at} q{at} r{at} s{at}"),
    ),
    "all alike": lambda n: (
        rules(n, lambda at: f"text: the tug and the ship and the lock and {at}"),
        rules(n, lambda at: f"text: the tug and the ship and the lock and {at + n}"),
    ),
    "was": lambda n: (
        rules(n, lambda _: "text: A tug"),
        rules(n, lambda at: f'text: A ship, was: "{(n - 1 - at) // 900 + 1}.{(n - 1 - at) % 900 + 1}"'),
    ),
    "steps of one name": lambda n: (steps(n, lambda _: "do: Row"), steps(n + 1, lambda _: "do: Row")),
    "other steps": lambda n: (steps(n, lambda at: f"do: Row {at}"), steps(n, lambda at: f"do: Sail {at}")),
    "rows": lambda n: (
        rows(n, lambda at: f"A: x{at}, B: y{at}"),
        rows(n, lambda at: f"A: p{at}, B: q{at}"),
    ),
    "notes": lambda n: (notes(n, lambda at: f"x{at} y"), notes(n, lambda at: f"z{at} y")),
    "one long text": lambda n: (text("a b " * n), text("b c " * n)),
    "a long text reworded": lambda n: (
        text(" ".join(f"w{at}" for at in range(10 * n))),
        text(" ".join(f"w{at}" for at in range(0, 20 * n, 2))),
    ),
}
"""Two editions of any size."""


@pytest.mark.parametrize("what", GROWING)
def test_effort_grows_no_faster_than_the_content(what: str) -> None:
    def compared(count: int) -> Callable[[], object]:
        shelf = two(*GROWING[what](count))
        return lambda: compare(*shelf.outlines.values(), shelf)

    assert growth(compared, 200) < LINEAR
