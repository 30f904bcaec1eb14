"""The rules of an edition as HTML, written once for all pages that show them.

Links start from a page beside the chapters. So the page of the whole book takes the chapters as they are, and
a chapter's own page shortens the links to itself.
"""

from __future__ import annotations

from rulewright.book.outline import Outline, RuleEntry
from rulewright.references import site_paths
from rulewright.render.chapter_surroundings import ChapterSurroundings
from rulewright.render.page_renderer import PageRenderer
from rulewright.render.render_context import RenderContext
from rulewright.render.rule_html import RuleHtml


class EditionHtml:
    """The chapters of an edition, as nodes and as HTML."""

    def __init__(self, context: RenderContext, outline: Outline) -> None:
        self.context, self.outline = context, outline
        self.page = PageRenderer(f"{outline.edition.address}/-", context)
        self._html: dict[RuleEntry, str] = {}

    def chapter(self, chapter: RuleEntry) -> str:
        """Return a chapter with links from a page beside it."""
        if chapter not in self._html:
            page_link = site_paths.relative_link(self.page.path, site_paths.chapter_path(chapter))
            writer = self.page.writer.for_page(page_link)
            rules = RuleHtml(writer, ChapterSurroundings(self.page, chapter))
            self._html[chapter] = rules.rule(self.page.builder.chapter(chapter))
        return self._html[chapter]

    def own_page(self, chapter: RuleEntry) -> str:
        """Return a chapter with the links of its own page."""
        return own_links(self.chapter(chapter), site_paths.chapter_path(chapter))


def own_links(html: str, path: str) -> str:
    """Return the HTML of a page whose links to itself start from a page beside it."""
    return html.replace(f'href="{site_paths.relative_link("-", path.rpartition("/")[2])}#', 'href="#')
