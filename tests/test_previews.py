"""Previews as data: every reference has one, their links lead somewhere, and numbers find them."""

import json
import re
from collections.abc import Mapping
from functools import cache
from html.parser import HTMLParser
from posixpath import normpath
from typing import Any
from urllib.parse import unquote

from rulewright.references import site_paths
from rulewright.render import pages
from rulewright.render.build_artifacts import SitePage, force_files
from rulewright.render.render_context import RenderContext
from rulewright.schema.text_document import plain_text
from tests.ours import library

SHOWN = {"ref", "named", "to-table", "to-step"}
"""What the classes of links are that show what they lead to."""


@cache
def _real() -> tuple[Any, Mapping[str, SitePage], dict[str, dict[str, Any]]]:
    examined = library()
    site = pages.render_site(RenderContext(examined.shelf), examined.library)
    made, files = site.pages, force_files(site.files)
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
            page, anchor = site_paths.path_and_anchor(entry)
            title, path, html, number = previews[_file(page)][anchor]
            assert title.startswith(number)
            assert number == entry.display_number
            assert title == number or plain_text(entry.title) in title, "no title of another rule"
            assert path.startswith(outline.edition.short)
            assert path.count(" › ") == entry.level
            links = _Links(html)
            assert not links.open
            for _, href in links.found:
                to, inside = _to(page, href)
                assert to in made, f"{entry.key}: {href}"
                assert not inside or f'id="{inside}"' in made[to].html, f"{entry.key}: {href}"
