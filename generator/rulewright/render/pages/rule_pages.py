"""Pages of the rules of an edition: its chapters, its rules in order of play, and its rule numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache, partial
from typing import Any

from rulewright.book.outline import RuleEntry
from rulewright.references import site_paths
from rulewright.references.rules_in_play_order import rules_in_play_order
from rulewright.render import turn_diagram
from rulewright.render.build_artifacts import PageSection, SitePage
from rulewright.render.pages import page_sections
from rulewright.render.pages.page_builder import EditionPageContext
from rulewright.render.pages.sequence_pages import acting_legend
from rulewright.render.render_context import RenderContext
from rulewright.schema.text_document import plain_text
from rulewright.sequence.sequence_step import TOP, SequenceStep, is_heading


def chapter_pages(given: EditionPageContext) -> Iterator[SitePage]:
    """A page for each chapter, with the picture of the turn for the one that shows it."""
    context, outline = given.context, given.outline
    turn, everyone = (
        cache(partial(turn_diagram.draw_turn_diagram, outline)),
        cache(partial(acting_legend, outline)),
    )

    def own(chapter: RuleEntry) -> dict[str, Any]:
        known, unnamed = title_only_rules(context, chapter)
        return {
            "chapter": chapter,
            "turn": turn(),
            "told": outline.sequence.narrative_steps,
            **everyone(),
            "gone": list(site_paths.numbers_left_chapter(outline, chapter)),
            "bare": known,
            "unnamed": unnamed,
        }

    for chapter in outline.chapters:
        path, title, place = site_paths.chapter_path(chapter), context.name(chapter), chapter.printed.place
        within = partial(page_sections.chapter_sections, context, chapter)
        page = given.page("chapter", path, title, place, partial(own, chapter), within)
        page.number = chapter.display_number
        yield page


def title_only_rules(desk: RenderContext, chapter: RuleEntry) -> tuple[set[RuleEntry], set[RuleEntry]]:
    """The rules of which only numbers and titles are known, and those of them that the page need not name.

    A number without a title is not named where the rule that it lies in is known by its number only, too.
    """
    known: set[RuleEntry] = set()
    untitled: set[RuleEntry] = set()
    for entry in reversed(list(chapter.iter_subtree())):
        if entry.rule or entry in desk.shelf.tables_by_target or not known.issuperset(entry.children):
            continue
        known.add(entry)
        told = entry in desk.shelf.errata_by_target or entry in desk.overrides.of or desk.absent_rules(entry)
        if not (entry.title or entry.retired or told) and untitled.issuperset(entry.children):
            untitled.add(entry)
    return known, {entry for entry in untitled if entry.parent in known}


def play_order_page(given: EditionPageContext) -> Iterator[SitePage]:
    """The page on which the rules stand in order of play, each once."""
    context, outline = given.context, given.outline
    edition, laid = outline.edition, cache(partial(rules_in_play_order, outline, context.shelf))
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
    around = step.parent_in_play
    return is_heading(step) and (around is None or around.is_turn)


def numbers_page(given: EditionPageContext) -> Iterator[SitePage]:
    """The page with all rule numbers."""
    outline = given.outline

    def own() -> dict[str, Any]:
        counts = Counter(entry.level for entry in outline.entries.values())
        names = enumerate(outline.edition.book.levels)
        return {"levels": [(str(name), counts[level]) for level, name in names if counts[level]]}

    yield given.page("numbers", f"{outline.edition.address}/numbers", "Rule numbers", None, own)
