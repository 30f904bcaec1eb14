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

_HERE = re.compile(r"""(<a\b[^>]*?\shref=")#""")
_HEADING = re.compile(r"<h([1-5])(?=[ >])")
_ID = re.compile(r' id="([^"]*)"')
_BARS = re.compile(r'<p class="bars">.*?</p>\n?', re.DOTALL)
_LINE = 38  # letters of a line on a phone, tags counted
_HIGH = 26  # pixels


class ChapterHtml(NamedTuple):
    """A chapter among all: its anchor, its HTML, and about how high it is on a phone, in pixels."""

    anchor: str
    title: str
    html: Markup
    height: int


def all_rules_page(given: EditionPageContext) -> Iterator[SitePage]:
    """The page with all chapters. Its links lead to the chapters' own pages."""
    outline = given.outline
    base = outline.edition.address
    paths = {site_paths.chapter_path(chapter) for chapter in outline.chapters}
    chapters = [page for page in given.built_pages if page.path in paths]

    def within() -> Iterator[PageSection]:
        yield PageSection("top", "All rules")
        yield from (PageSection(_anchor(chapter), chapter.title, 2) for chapter in chapters)

    def own() -> dict[str, Any]:
        there = {"top"}
        return {"laid": [_laid(chapter, there) for chapter in chapters]}

    yield given.page("all", f"{base}/all", "All rules", None, own, within)


def _anchor(chapter: SitePage) -> str:
    return f"chapter-{chapter.path.rpartition('/')[2]}"


def _laid(one: SitePage, there: set[str]) -> ChapterHtml:
    """A chapter with its headings a level lower; an anchor that is `there` already is left out."""

    def once(found: re.Match[str]) -> str:
        if found[1] in there:
            return ""
        there.add(found[1])
        return found[0]

    folder = one.path.rpartition("/")[2]
    html = _ID.sub(once, _BARS.sub("", _HERE.sub(rf"\1../{folder}/#", one.html)))
    html = _HEADING.sub(lambda found: f'{found[0]} aria-level="{int(found[1]) + 1}"', html)
    return ChapterHtml(_anchor(one), one.title, Markup(html), len(html) // 2 // _LINE * _HIGH)
