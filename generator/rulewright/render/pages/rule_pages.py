"""Pages of the rules of an edition: its chapters, its rule numbers, and all rules on one page.

The page of all rules is put together from the chapters, and costs little. A browser lays out what is seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import Any

from markupsafe import Markup

from rulewright.book.outline import RuleEntry
from rulewright.document import nodes
from rulewright.document.targets import TargetId
from rulewright.references import site_paths
from rulewright.render.build_artifacts import PageSection, SitePage
from rulewright.render.chapter_surroundings import ChapterSurroundings
from rulewright.render.page_renderer import PageRenderer
from rulewright.render.pages.page_builder import EditionPageContext
from rulewright.render.render_context import RenderContext
from rulewright.render.rule_html import RuleHtml
from rulewright.render.text_writer import inline_text
from rulewright.sequence.sequence_step import TOP

_HEADING = re.compile(r"<h([1-5])(?=[ >])")
_ID = re.compile(r' id="([^"]*)"')
_CITED_BY = re.compile(r'<details class="cited">.*?</details>\n', re.DOTALL)


def chapter_pages(edition_context: EditionPageContext) -> Iterator[SitePage]:
    """Yield a page for each chapter."""
    for chapter in edition_context.outline.chapters:
        name = site_paths.chapter_path(chapter).rpartition("/")[2]
        title = edition_context.context.name(chapter)
        values = partial(_chapter_values, edition_context, chapter)
        page = edition_context.page("chapter", name, title, chapter.printed.place, values)
        page.number = chapter.display_number
        yield page


def _sections(rule: nodes.RuleTreeNode, level: int, context: RenderContext) -> Iterator[PageSection]:
    """Yield the contents of a rule in their order: its title, the headings in its texts, the rules in it."""
    entry = context.targets.rule(rule.target)
    if entry.title or level == 0:
        yield PageSection(entry.key, context.name(entry), level + 1)
    yield from _headings(rule.blocks, level + 2)
    for inner in rule.rules:
        yield from _sections(inner, level + 1, context)
    yield from _headings(rule.closing, level + 2)


def _headings(blocks: nodes.Blocks, level: int) -> Iterator[PageSection]:
    for block in blocks:
        if isinstance(block, nodes.ParagraphNode) and block.heading:
            yield PageSection(block.heading, inline_text(block.inline), level)


def _chapter_values(edition_context: EditionPageContext, chapter: RuleEntry) -> dict[str, Any]:
    context, tree = edition_context.context, edition_context.builder.chapter(chapter)
    html = _chapter_html(edition_context, chapter)
    name = site_paths.chapter_path(chapter).rpartition("/")[2]
    html = html.replace(f'href="{site_paths.relative_link("-", name)}#', 'href="#')
    head, end, rest = html.partition("</h1>\n")
    sections = list(_sections(tree, 0, context))
    return {
        "chapter": chapter,
        "head": Markup(head + end),
        "rest": Markup(rest),
        "sections": sections,
        "contents": [section for section in sections if section.level == 2],
        "errata": context.errata_of(edition_context.builder.errata_in(tree)),
        "gone": list(site_paths.numbers_left_chapter(edition_context.outline, chapter)),
    }


def _chapter_html(edition_context: EditionPageContext, chapter: RuleEntry) -> str:
    """Return a chapter with links from a page beside it, for its own page and that of all rules."""
    chapters = edition_context.chapters
    if chapter not in chapters:
        page = PageRenderer(f"{edition_context.edition.address}/-", edition_context.context)
        page_link = site_paths.relative_link(page.path, site_paths.chapter_path(chapter))
        rules = RuleHtml(page.writer.for_page(page_link), ChapterSurroundings(page, chapter))
        chapters[chapter] = rules.rule(edition_context.builder.chapter(chapter))
    return chapters[chapter]


def numbers_page(edition_context: EditionPageContext) -> Iterator[SitePage]:
    """Yield the page with all rule numbers."""
    yield edition_context.page("numbers", "numbers", "Rule numbers", None)


def all_rules_page(edition_context: EditionPageContext) -> Iterator[SitePage]:
    """Yield the page with all chapters. Its links lead to the pages of the chapters."""

    def values() -> dict[str, Any]:
        used_ids, builder, errata = {TOP}, edition_context.builder, list[TargetId]()
        chapters, sections = [], [PageSection(TOP, "All rules")]
        for chapter in edition_context.outline.chapters:
            anchor = f"chapter-{site_paths.chapter_path(chapter).rpartition('/')[2]}"
            sections.append(PageSection(anchor, edition_context.context.name(chapter), 2))
            chapters.append((anchor, _among_all(_chapter_html(edition_context, chapter), used_ids)))
            errata += builder.errata_in(builder.chapter(chapter))
        return {"laid": chapters, "errata": edition_context.context.errata_of(errata), "sections": sections}

    yield edition_context.page("all", "all", "All rules", None, values)


def _among_all(html: str, used_ids: set[str]) -> Markup:
    """Return a chapter with its headings a level lower and without ids that are used already."""

    def free_id(id_attribute: re.Match[str]) -> str:
        if id_attribute[1] in used_ids:
            return ""
        used_ids.add(id_attribute[1])
        return id_attribute[0]

    html = _ID.sub(free_id, _CITED_BY.sub("", html))
    return Markup(_HEADING.sub(lambda heading: f'{heading[0]} aria-level="{int(heading[1]) + 1}"', html))
