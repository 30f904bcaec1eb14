"""Pages: cases of what a page shows, and what holds for every page of every book."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from copy import deepcopy
from functools import cache, reduce
from html.parser import HTMLParser
from json import dumps
from operator import getitem
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

import rulewright.app.build_pipeline  # noqa: F401  declares every code that the page of codes leads to
from rulewright.book.amending import apply_errata
from rulewright.book.library import BookLibrary
from rulewright.book.library_reader import read_library
from rulewright.book.outline import build_outline
from rulewright.checks.load_and_check import load_and_check_folder
from rulewright.files.content_reader import ContentFolder, read_content_folder
from rulewright.references.reference_index import ReferenceIndex, build_reference_index
from rulewright.render import pages
from rulewright.render.build_artifacts import SitePage, force_files
from rulewright.render.render_context import RenderContext
from rulewright.schema.yaml_fields import reference_texts
from tests.casefiles import Case, cases
from tests.own_library import library, rendered
from tests.plain_chapter import keyed
from tests.test_changes import EVERYTHING

ROOT = Path(__file__).parent.parent
CASES = cases("pages")
VOID = {"br", "hr", "img", "input", "link", "meta"}


def leaves(node: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path to every string in some data."""
    for key, inner in node.items() if isinstance(node, dict) else enumerate(node):
        yield from [(*path, key)] if isinstance(inner, str) else leaves(inner, (*path, key))


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_page_shows(case):
    result = _pages(_folder(case))
    for info, text in case.blocks:
        what, _, path = info.partition(" ")
        if what in ("has", "lacks"):
            page = result.get(path.strip("/"))
            html = " ".join(page.html.split()) if page else case.fail(f"there is no page {path}") or ""
            fault = _lacking(html, text.strip().splitlines()) if what == "has" else _holding(html, text)
            if fault:
                case.fail(f"{path} {fault}")


def _lacking(html: str, lines: list[str]) -> str:
    """Return the first line that is not on a page after those before it, if any."""
    at = 0
    for line in lines:
        if (found := html.find(line, at)) < 0:
            return f"lacks\n  {line}\nin\n  {html[at : at + 600]}"
        at = found + len(line)
    return ""


def _holding(html: str, text: str) -> str:
    """Return the first line that is on a page, if any."""
    return "".join(f"holds {line}\n" for line in text.strip().splitlines() if line in html)


@pytest.mark.parametrize("case", [None, *CASES], ids=lambda case: str(case) if case else "content")
def test_every_page_is_sound(case):
    """Tags close, anchors are there once, headings go down one by one, links lead to what is there."""
    folder = _folder(case) if case else read_content_folder(ROOT)
    result = _pages(folder) if case else _real()[1]
    read = {path: _Reader.of(page.html) for path, page in result.items()}
    files = _files(folder)
    prose = {
        pages.content_page_title(name, data).path
        for name, data in folder.texts.items()
        if name.endswith(".md")
    }
    for path, page in result.items():
        reader = read[path]
        assert not reader.open, f"{path}: {reader.open} not closed"
        assert len(reader.ids) == len(set(reader.ids)), f"{path}: a duplicate anchor"
        assert reader.levels[0] == 1
        assert reader.levels.count(1) == 1
        assert all(b - a <= 1 for a, b in zip(reader.levels, reader.levels[1:], strict=False)), path
        assert {section.anchor for section in page.sections} <= set(reader.ids), path
        for link in reader.links:
            to, anchor = _follow(path, link)
            assert to in result or to in prose or to in files, f"{path}: {link}"
            assert not anchor or anchor in read[to].ids, f"{path}: {link}"


@cache
def _real() -> tuple[ReferenceIndex, Mapping[str, SitePage], Mapping[str, str | bytes]]:
    result, files = rendered().pages, force_files(rendered().files)
    return library().index, {page.path: page for page in result}, files


def test_every_reference_of_every_step_is_linked():
    """As many links on the sequence's page as references in what it shows; none is lost in a template."""
    index, result, _ = _real()
    for address, outline in index.outlines.items():
        if not outline.sequence.steps:
            continue
        wanted = 0
        for step in (outline.sequence.root, *outline.sequence.iter_displayed()):
            assert step
            words = [text for text, _ in reference_texts(step.step) if text is not step.step.narrative]
            words = [*step.step.see, step.step.title] if step.is_same else words
            words += filter(None, [outline.edition.sequence.text if step is outline.sequence.root else None])
            wanted += sum(len(index.references(text)) for text in words)
        assert result[f"{address}/sequence"].html.count("data-ref=") == wanted
        steps = (*outline.sequence.iter_steps(), *outline.sequence.iter_displayed())
        anchors = [step.anchor for step in steps if step.difference != "dropped"]
        assert all(f'id="{anchor}"' in result[f"{address}/sequence"].html for anchor in anchors)


# Search

SAID_ELSEWHERE: Any = json.loads(Path(__file__).with_name("every_key_elsewhere.json").read_text("utf-8"))
"""Errata, questions and a player aid of the harbour, with each key that has words."""
BOOK: Any = {
    "title": "Harbour",
    "subtitle": "A game",
    "publisher": "Us",
    "numbers": "1.1a",
    "chapters": "1.0",
    "sides": {"tugs": {"title": "Tugs"}, "barges": {"title": "Barges"}},
    "terms": {"MLW": {"means": "Mean low water.", "see": "1.1"}},
}


NOT_FOUND_BY = {"file", "kind", "severity", "component", "replace", "with", "at", "by", "see", "rules"}
NOT_FOUND_BY |= {"levels", "steps", "phasing", "heads", "boxes", "columns", "row groups", "merged"}
NOT_FOUND_BY |= {
    "rolls down",
    "rolls across",
    "replaced by",
    "replaces",
    "adds to",
    "voids",
    "alt",
    "activity",
}
"""Keys whose values are names, numbers or words of ours, and what no page shows."""


def string_paths(node: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of keys and indexes to every string in some data."""
    for key, inner in node.items() if isinstance(node, dict) else enumerate(node):
        yield from [(*path, key)] if isinstance(inner, str) else string_paths(inner, (*path, key))


def test_search_finds_every_word_of_a_page():
    """Each text of a book has a word of its own here; the index of the book has all that a page shows."""
    edition = {**EVERYTHING, **SAID_ELSEWHERE, "edition.yml": {"edition": "1"}}
    data = deepcopy({"rulebook.yml": BOOK, **{f"1/{name}": part for name, part in edition.items()}})
    data["1/sequence.yml"]["steps"][0]["label"] = "First"
    words: dict[str, tuple[Any, ...]] = {}
    for path in list(string_paths(data)):
        *way, last = path
        node = reduce(getitem, way, data)
        if NOT_FOUND_BY.isdisjoint(path) and not re.fullmatch(r"[^A-Za-z]*|[\d.d+a-]*", node[last]):
            word = "zz" + "".join(chr(ord("a") + int(digit)) for digit in f"{len(words):03}")
            words[word] = path
            node[last] = f"{node[last].rstrip('.')} {word}"
    files = {f"content/harbour/{name}": dumps(keyed(part)).encode() for name, part in data.items()}
    examined = load_and_check_folder(
        ContentFolder(files, [f"content/harbour/1/{name}/a.png" for name in ("rules", "aids")])
    )
    share = pages.render_site(RenderContext(examined.index), examined.library)
    shown = " ".join(re.sub(r"<[^>]*>", " ", page.html) for page in share.pages)
    assert [path for word, path in words.items() if word not in shown] == []
    found = json.dumps(share.search["harbour/1"]())
    assert [path for word, path in words.items() if word not in found] == []


def test_nothing_of_the_content_can_end_a_page():
    """The shelf may be empty, a book without steps, a chapter without rules."""
    assert set(_pages(ContentFolder({}))) == {"", "checks"}
    harbour = {
        "content/harbour/rulebook.yml": b'title: Harbour\nnumbers: "1.1"\n',
        "content/harbour/1/edition.yml": b'edition: "1"\n',
    }
    assert set(_pages(ContentFolder(harbour))) == {"", "checks", "harbour/1", "harbour/1/numbers"}


def _folder(case: Case) -> ContentFolder:
    """The content that a case describes; a block of its own takes the place of one that its file shares."""
    blocks = [(info.partition(" "), text) for info, text in case.blocks]
    texts = {path: text.encode() for (what, _, path), text in blocks if what in ("yaml", "markdown")}
    return ContentFolder(texts, [path for (what, _, path), _ in blocks if what == "picture"])


def _shelf(library: BookLibrary) -> ReferenceIndex:
    return build_reference_index(
        {address: build_outline(edition) for address, edition in library.editions.items()}
    )


def _pages(folder: ContentFolder) -> dict[str, SitePage]:
    library, _ = apply_errata(read_library(folder), {})
    result = pages.render_site(RenderContext(_shelf(library)), library).pages
    return {page.path: page for page in result}


def _files(folder: ContentFolder) -> set[str]:
    """The files of a site besides its pages: those of the content, and generated ones."""
    library, _ = apply_errata(read_library(folder), {})
    result = force_files(pages.render_site(RenderContext(_shelf(library)), library).files)
    return {name.removeprefix("content/") for name in folder.other_files} | {*result}


def _follow(path: str, link: str) -> tuple[str, str]:
    """The page and the anchor that a link on a page leads to."""
    to, _, anchor = link.partition("#")
    parts = path.split("/") if path else []
    for part in to.rstrip("/").split("/") if to else ():
        if part == "..":
            parts.pop()
        elif part != ".":
            parts.append(unquote(part))
    return "/".join(parts), unquote(anchor)


class _Reader(HTMLParser):
    """Reads a page: which tags are left open, its anchors, its links, the levels of its headings."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.levels: list[int] = []

    @classmethod
    def of(cls, html: str) -> _Reader:
        reader = cls()
        reader.feed(html)
        reader.close()
        return reader

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        if re.fullmatch("h[1-6]", tag):
            self.levels.append(int(dict(attrs).get("aria-level") or tag[1]))
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            elif name in ("href", "src"):
                self.links.append(value or "")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """A tag of the picture that closes itself: it is neither opened nor a link."""

    def handle_endtag(self, tag: str) -> None:
        assert not self.open or self.open[-1] == tag, f"</{tag}> closes {self.open}"
        self.open.pop()
