"""Pages of the rules of an edition: its chapters and its rule numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Any

from markupsafe import Markup

from rulewright.book.outline import RuleEntry
from rulewright.references import site_paths
from rulewright.render.build_artifacts import SitePage
from rulewright.render.pages import page_sections
from rulewright.render.pages.page_builder import EditionPageContext


def chapter_pages(given: EditionPageContext) -> Iterator[SitePage]:
    """A page for each chapter."""
    context, outline, builder = given.context, given.outline, given.html.page.builder

    sections = partial(page_sections.chapter_sections, context, builder)

    def own(chapter: RuleEntry) -> dict[str, Any]:
        head, end, rest = given.html.own_page(chapter).partition("</h1>\n")
        return {
            "chapter": chapter,
            "head": Markup(head + end),
            "rest": Markup(rest),
            "contents": [section for section in sections(chapter) if section.level == 2],
            "errata": context.errata_of(builder.errata_in(builder.chapter(chapter))),
            "gone": list(site_paths.numbers_left_chapter(outline, chapter)),
        }

    for chapter in outline.chapters:
        path, title, place = site_paths.chapter_path(chapter), context.name(chapter), chapter.printed.place
        within = partial(sections, chapter)
        page = given.page("chapter", path, title, place, partial(own, chapter), within)
        page.number = chapter.display_number
        yield page


def numbers_page(given: EditionPageContext) -> Iterator[SitePage]:
    """The page with all rule numbers."""
    outline = given.outline

    def own() -> dict[str, Any]:
        counts = Counter(entry.level for entry in outline.entries.values())
        names = enumerate(outline.edition.book.levels)
        return {"levels": [(str(name), counts[level]) for level, name in names if counts[level]]}

    yield given.page("numbers", f"{outline.edition.address}/numbers", "Rule numbers", None, own)
