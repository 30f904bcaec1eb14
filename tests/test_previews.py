"""Previews as data: every reference has one, their links lead somewhere, and numbers find them."""

import json
import re
from collections.abc import Mapping
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from posixpath import normpath
from typing import Any
from urllib.parse import unquote

import pytest

from rulewright.checks.examine import examine_folder
from rulewright.citations import addresses
from rulewright.site import pages
from rulewright.site.artifacts import Page
from rulewright.source.folder import Folder
from rulewright.text.document import plain
from tests.ours import library

ROOT = Path(__file__).parent.parent
SHOWN = {"ref", "named", "to-table", "to-step"}
"""What the classes of links are that show what they lead to."""


@cache
def _real() -> tuple[Any, Mapping[str, Page], dict[str, dict[str, Any]]]:
    examined = library()
    made, files, _ = pages.render(examined.shelf, examined.library)
    return examined.shelf, {page.path: page for page in made}, _previews(files)


def _previews(files: Mapping[str, str | bytes]) -> dict[str, dict[str, Any]]:
    """What each script of previews hands over, by its path, which is also what it says its path is."""
    found = {}
    for path, text in files.items():
        if "/previews/" in path:
            call = re.fullmatch(r"rulewright\.take\((.+)\);\n", str(text))
            name, found[path] = json.loads(f"[{call[1]}]")
            assert name == path
    return found


class _Links(HTMLParser):
    """The links of a page: their classes and where they lead."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[set[str], str]] = []
        self.open: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "a" and given.get("href"):
            self.found.append((set((given.get("class") or "").split()), given["href"] or ""))
        if tag not in ("br", "img", "input"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """What closes itself is no link."""

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def _to(page: str, href: str) -> tuple[str, str]:
    """Page and anchor of a link on a page."""
    path, _, anchor = href.partition("#")
    return normpath(f"{page}/{unquote(path)}").strip("./") if path else page, unquote(anchor)


def _file(page: str) -> str:
    edition, _, name = page.rpartition("/")
    return f"{edition}/previews/{name}.js"


def test_every_reference_on_every_page_shows_what_it_leads_to() -> None:
    _, made, previews = _real()
    count = 0
    for path, page in made.items():
        for classes, href in _Links(page.html).found:
            if classes & SHOWN and "away" not in classes:
                to, anchor = _to(path, href)
                assert anchor in previews[_file(to)], f"{path}: {href}"
                count += 1
    assert count > 1000


def test_every_rule_has_its_text_and_every_link_in_it_leads_somewhere() -> None:
    shelf, made, previews = _real()
    for outline in shelf.outlines.values():
        for entry in outline.entries.values():
            page, anchor = addresses.of(entry)
            title, path, html, number = previews[_file(page)][anchor]
            assert title.startswith(number)
            assert number == entry.shown
            assert title == number or plain(entry.title) in title, "no title of another rule"
            assert path.startswith(outline.edition.short)
            assert path.count(" › ") == entry.level
            links = _Links(html)
            assert not links.open
            for _, href in links.found:
                to, inside = _to(page, href)
                assert to in made, f"{entry.key}: {href}"
                assert not inside or f'id="{inside}"' in made[to].html, f"{entry.key}: {href}"


def test_a_preview_holds_what_the_rule_says_and_only_names_what_is_in_it() -> None:
    _, _, previews = _real()
    title, path, html, _ = previews["asl/a3/previews/a-infantry-and-basic-game-rules.js"]["A3.9"]
    assert (title, path.split(" › ")[-1]) == ("A3.9 Turn Record Chart", "A3 Basic Sequence of Play")
    assert 'data-ref="asl/a3:A3.8"' in html
    _, _, whole, _ = previews["asl/a3/previews/a-infantry-and-basic-game-rules.js"]["A3"]
    assert ">A3.9</a> <b>Turn Record Chart</b>" in whole
    assert "END box" not in whole
    _, _, table, _ = previews["ocs/3.0/previews/14.js"]["14.6c"]
    assert "Attacker Abort" in table
    assert "download" not in table
    _, _, step = previews["asl/a3/previews/sequence.js"]["first/pfph"]
    assert "ATTACKER" in step
    assert ">A3.2</a>" in step or ">3.2</a>" in step


def test_a_number_alone_finds_its_page() -> None:
    """As `rulewright.rule` looks it up: by the longest beginning that is named."""
    shelf, _, previews = _real()
    for address, outline in shelf.outlines.items():
        index = previews[f"{address}/previews/index.js"]
        assert len(index) == len(outline.chapters), "a chapter's own label stands for all in it"
        for entry in outline.entries.values():
            assert _page(index, entry.key) == addresses.chapter_path(entry.chapter).rpartition("/")[2]


def _page(index: Mapping[str, str], number: str) -> str:
    return next(index[number[:end]] for end in range(len(number), 0, -1) if number[:end] in index)


HARBOUR = {
    "content/harbour/rulebook.yml": b'title: Harbour\nnumbers: "1.1a"\nchapters: "1."\n',
    "content/harbour/1/edition.yml": b'edition: "1"\n',
    "content/harbour/1/rules/1.yml": b'chapter: "1."\ntitle: Ships\n"1.1 Tugs":\n',
    "content/harbour/1/rules/12.yml": (
        b'chapter: "12."\ntitle: Quays\n"12.1 A":\n"1.2 Ropes":\n  "1.2a": "Coil & stow (12.1)."\n'
    ),
}


def test_a_rule_that_stands_in_another_chapter_is_found_there() -> None:
    """1.2 is printed in chapter 12, and 12 begins with a 1."""
    examined = examine_folder(Folder(HARBOUR))
    _, files, _ = pages.render(examined.shelf, examined.library)
    previews = _previews(files)
    index = previews["harbour/1/previews/index.js"]
    assert index == {"1": "1-ships", "12": "12-quays", "1.2": "12-quays"}
    title, path, html, _ = previews["harbour/1/previews/12-quays.js"]["1.2a"]
    assert (title, path) == ("1.2a", "Harbour 1 › 12. Quays › 1.2 Ropes")
    assert "<p>Coil &amp; stow (<a " in html
    assert 'href="#12.1"' in html


@pytest.mark.parametrize("text", ["</script><b>", "a \u2028 b", '"quoted" \\ and `ticks`', "<!-- not -->"])
def test_nothing_that_a_rule_says_can_end_its_script(text: str) -> None:
    chapter = f'chapter: "1."\ntitle: Ships\n"1.1": {json.dumps(text)}\n'
    folder = {**HARBOUR, "content/harbour/1/rules/1.yml": chapter.encode()}
    examined = examine_folder(Folder(folder))
    _, files, _ = pages.render(examined.shelf, examined.library)
    _, _, html, _ = _previews(files)["harbour/1/previews/1-ships.js"]["1.1"]
    assert "".join(_Words(html).found).strip() == text


class _Words(HTMLParser):
    """The words of some HTML."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(html)

    def handle_data(self, data: str) -> None:
        self.found.append(data)
