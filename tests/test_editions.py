"""Many editions of a book: which is the newest, what is what in them, and the ways from page to page."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import permutations
from pathlib import Path
from urllib.parse import unquote

import pytest

from generator import pages
from generator.artifacts import Version
from generator.build import Examined, examine, examine_folder
from generator.changes.counterparts import Counterparts
from generator.folder import Folder
from generator.lineage import in_line, newest
from generator.model import EditionFile
from generator.source import Text
from tests.casefiles import Case, cases

ROOT = Path(__file__).parent.parent
CASES = [case for case in cases("pages") if case.file.endswith("7-editions.md")]


def _examined(case: Case) -> Examined:
    files = {info.split()[1]: text.encode() for info, text in case.blocks if " content/" in info}
    return examine_folder(Folder(files))


@cache
def _made(case_name: str) -> tuple[dict[str, tuple[Version, ...]], dict[str, str]]:
    case = next(one for one in CASES if str(one) == case_name)
    examined = _examined(case)
    made, files, _ = pages.render(examined.shelf, examined.library)
    versions = {page.path: page.versions for page in made}
    versions |= pages.versions(made, examined.shelf, examined.library)
    return versions, {name: str(data) for name, data in files.items()}


def _told(versions: Iterable[Version]) -> str:
    """The editions that a page leads to, a line each."""
    lines = []
    for one in versions:
        there = (one.href, "" if one.is_same else "not the same", one.moves)
        words = "here" if one.is_here else " ".join(filter(None, there))
        lines.append(f"{one.name} {one.standing}: {words}")
    return "\n".join(lines)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_each_page_leads_to_the_other_editions(case: Case) -> None:
    versions, files = _made(str(case))
    for info, text in case.blocks:
        what, _, path = info.partition(" ")
        if what == "versions":
            case.agrees(_told(versions.get(path, ())), re.sub(" +", " ", text))
        elif what == "leads":
            for line in text.splitlines():
                number, _, wanted = line.partition(": ")
                at = f"{path}/{number}".rstrip("/")
                html = files.get(f"{at}/index.html") or case.fail(f"nothing at {at}") or ""
                href = unquote(re.search('url=([^"]+)"', html)[1])  # type: ignore[index]
                lacks = re.search("edition, (.+), has nothing of that number", html)
                page = "/".join((*at.split("/")[: -href.count("../") or None], href.replace("../", "")))
                case.agrees(page + (f", not in {lacks[1]}" if lacks else ""), wanted)


@dataclass(frozen=True)
class Issue:
    """As much of an edition as its place in the line depends on."""

    name: str
    file: EditionFile

    @property
    def address(self) -> str:
        return f"harbour/{self.name}"


def _issues(*lines: str) -> list[Issue]:
    """Editions as `2.0 2005-01-01 > 1.0`: a name, a date or -, and what it follows."""
    made = []
    for line in lines:
        name, date, *follows = line.replace(">", "").split()
        given = {"date": Text(date)} if date != "-" else {}
        given |= {"follows": Text(follows[0])} if follows else {}
        made.append(Issue(name, EditionFile(edition=Text(name), **given)))
    return made


@pytest.mark.parametrize(
    ("editions", "line", "last"),
    [
        # An edition stands behind the one it follows, whatever their names.
        (["Red -", "Blue - > Red", "Ash - > Blue"], "Red Blue Ash", "Ash"),
        # One without a date that follows the newest is to come.
        (["4.3 2020-08-09 > 3.0", "3.0 -", "5.0 - > 4.3"], "3.0 4.3 5.0", "4.3"),
        # Dates tell where nothing follows; without any, names as people count.
        (["b 2001-01-01", "a 2005-01-01"], "b a", "a"),
        (["10 -", "9 -"], "9 10", "10"),
        # What follows one that is not here follows nothing.
        (["2 2002-02-02 > 1"], "2", "2"),
        # Two that follow one another, and one that follows itself, end the search for a first one.
        (["1 - > 2", "2 - > 1", "3 - > 3"], "3 1 2", "2"),
        # Of two that follow the same one the later date is the newer.
        (["1 1990-01-01", "2b 2010-01-01 > 1", "2a 2005-01-01 > 1"], "1 2a 2b", "2b"),
    ],
)
def test_editions_stand_in_a_line(editions: list[str], line: str, last: str) -> None:
    for order in permutations(_issues(*editions)):
        assert [one.name for one in in_line(order)] == line.split()
        assert newest(order)["harbour"].name == last


def test_what_is_what_holds_both_ways() -> None:
    """In our own books: what is not there has something near, and what is there leads back."""
    shelf = examine(ROOT).shelf
    counterparts = Counterparts(shelf, ())
    one, other = shelf.outlines["ocs/3.0"], shelf.outlines["ocs/4.3"]
    there = back = 0
    for a, b in ((one, other), (other, one)):
        found = counterparts.all(a, b)
        assert {*a.in_order, *a.every_step(), *shelf.tables[a.edition.address]} <= found.keys()
        for source, to in found.items():
            assert all(x is None or x.edition is b.edition for x in (to.there, to.near))
            assert to.there is None or to.near is None
            if to.there:
                there += 1
                back += counterparts.of(to.there, a).there is source
            elif hasattr(source, "children"):
                assert to.near
    assert back == there > 60
    moved = counterparts.of(one.entries["4.2b"], other).there
    assert moved is other.entries["4.8b"]


def test_what_is_several_editions_away_is_found_through_those_between() -> None:
    """A rule that is reworded again and again, until no word is left, stays the same rule."""
    texts = [
        "red ships sail slowly past old stone harbour walls today",
        "grey barges drift gently past old stone harbour walls today",
        "grey barges drift gently under broad iron canal walls today",
        "grey barges drift gently under broad iron canal bridges tomorrow",
    ]
    files = {"content/h/rulebook.yml": b'title: H\nnumbers: "1.1"\nchapters: "1.0"\n'}
    for at, text in enumerate(texts, 1):
        follows = f'follows: "{at - 1}"\n' if at > 1 else ""
        files[f"content/h/{at}/edition.yml"] = f'edition: "{at}"\n{follows}'.encode()
        rule = f'  - {{number: "1.{at}", text: {text}}}'
        files[f"content/h/{at}/rules/1.yml"] = f'chapter: "1.0"\nrules:\n{rule}\n'.encode()
    shelf = examine_folder(Folder(files)).shelf
    counterparts = Counterparts(shelf, ())
    first, last = shelf.outlines["h/1"], shelf.outlines["h/4"]
    assert counterparts.of(first.entries["1.1"], last).there is last.entries["1.4"]
    assert counterparts.of(last.entries["1.4"], first).there is first.entries["1.1"]
