"""A whole edition on one page, to find words in and to be read aloud.

It is put together from the chapters as they were rendered, and costs little. A browser lays out what is seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from markupsafe import Markup

from rulewright.references import site_paths
from rulewright.render.build_artifacts import PageSection, SitePage
from rulewright.render.pages.page_builder import EditionPageContext

_HEADING = re.compile(r"<h([1-5])(?=[ >])")
_ID = re.compile(r' id="([^"]*)"')
_CITED_BY = re.compile(r'<details class="cited">.*?</details>\n', re.DOTALL)
_LINE = 38  # letters of a line on a phone, tags counted
_HIGH = 26  # pixels


class ChapterHtml(NamedTuple):
    """A chapter among all: its anchor, its HTML, and about how high it is on a phone, in pixels."""

    anchor: str
    html: Markup
    height: int


def all_rules_page(given: EditionPageContext) -> Iterator[SitePage]:
    """The page with all chapters. Its links lead to the chapters' own pages."""
    chapters = [
        (chapter, f"chapter-{site_paths.chapter_path(chapter).rpartition('/')[2]}")
        for chapter in given.outline.chapters
    ]

    def within() -> Iterator[PageSection]:
        yield PageSection("top", "All rules")
        yield from (PageSection(anchor, given.context.name(chapter), 2) for chapter, anchor in chapters)

    def own() -> dict[str, Any]:
        taken = {"top"}
        builder = given.html.page.builder
        errata = given.context.errata_of(
            target for chapter, _ in chapters for target in builder.errata_in(builder.chapter(chapter))
        )
        laid = [_chapter(anchor, given.html.chapter(chapter), taken) for chapter, anchor in chapters]
        return {"laid": laid, "errata": errata}

    yield given.page("all", f"{given.edition.address}/all", "All rules", None, own, within)


def _chapter(anchor: str, html: str, taken: set[str]) -> ChapterHtml:
    """Return a chapter with its headings a level lower and without anchors that are `taken` already."""

    def free_id(id_attribute: re.Match[str]) -> str:
        if id_attribute[1] in taken:
            return ""
        taken.add(id_attribute[1])
        return id_attribute[0]

    html = _ID.sub(free_id, _CITED_BY.sub("", html))
    html = _HEADING.sub(lambda found: f'{found[0]} aria-level="{int(found[1]) + 1}"', html)
    return ChapterHtml(anchor, Markup(html), len(html) // 2 // _LINE * _HIGH)
