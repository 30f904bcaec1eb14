"""Pages of the rules of an edition: its chapters, its rules in order of play, and its rule numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache, partial
from typing import Any

from markupsafe import Markup

from rulewright.book.outline import RuleEntry
from rulewright.references import site_paths
from rulewright.references.rules_in_play_order import rules_in_play_order
from rulewright.render.build_artifacts import PageSection, SitePage
from rulewright.render.pages import page_sections
from rulewright.render.pages.page_builder import EditionPageContext
from rulewright.schema.text_document import plain_text
from rulewright.sequence.sequence_step import TOP, SequenceStep, is_heading


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


def play_order_page(given: EditionPageContext) -> Iterator[SitePage]:
    """The page on which the rules stand in order of play, each once."""
    context, outline = given.context, given.outline
    edition, laid = outline.edition, cache(partial(rules_in_play_order, outline, context.index))
    assert edition.sequence
    path, title, place = f"{edition.address}/in-order", "Rules in order of play", edition.sequence.title.place

    def within() -> Iterator[PageSection]:
        yield PageSection(TOP, title)
        for step in outline.sequence.iter_steps():
            if is_outer(step) and laid().count(step):
                yield PageSection(step.anchor, plain_text(step.step.title), step.level + 2)
        if laid().unplaced:
            yield PageSection("rest", "Other rules", 2, is_builtin=True)

    own = lambda: {"laid": laid(), "is_outer": is_outer}  # noqa: E731
    yield given.page("in-order", path, title, place, own, within)


def is_outer(step: SequenceStep) -> bool:
    """Whether it is a turn, or a phase that lies in none but turns."""
    return is_heading(step) and (step.parent is None or step.parent.is_turn)


def numbers_page(given: EditionPageContext) -> Iterator[SitePage]:
    """The page with all rule numbers."""
    outline = given.outline

    def own() -> dict[str, Any]:
        counts = Counter(entry.level for entry in outline.entries.values())
        names = enumerate(outline.edition.book.levels)
        return {"levels": [(str(name), counts[level]) for level, name in names if counts[level]]}

    yield given.page("numbers", f"{outline.edition.address}/numbers", "Rule numbers", None, own)
