"""The front page of an edition, and pages of what stands beside its rules: errata, changes, its series."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from rulewright.book.errata_entries import ErrataEntry
from rulewright.book.outline import Outline, RuleEntry
from rulewright.book.related_outlines import with_series
from rulewright.compare.edition_diff import EditionDiff
from rulewright.files.located_text import LocatedText
from rulewright.references import site_paths
from rulewright.references.series_overrides import Override
from rulewright.render.build_artifacts import PageSection, SitePage
from rulewright.render.exports.change_groups import BY_NAME, SAME, by_chapter, summarize_changes
from rulewright.render.html_writer import OVERRIDDEN
from rulewright.render.pages.page_builder import EditionPageContext
from rulewright.render.render_context import RenderContext
from rulewright.schema.erratum import COMPONENTS, SEVERITIES
from rulewright.schema.text_document import plain_text
from rulewright.sequence.sequence_step import TOP


def front_page(given: EditionPageContext) -> Iterator[SitePage]:
    """Yield the front page of an edition."""
    edition = given.edition
    yield given.page("edition", edition.address, edition.title, edition.edition_file.edition.place)


@dataclass(frozen=True, slots=True)
class ErrataGroup:
    """The errata of one component: those of each severity, the gravest first."""

    name: str
    weights: tuple[tuple[str, tuple[ErrataEntry, ...]], ...]


def errata_page(given: EditionPageContext) -> Iterator[SitePage]:
    """Yield the page with the errata and questions of an edition."""
    entries = given.errata_entries
    place = entries[0].source.date.place if entries[0].source.date else None
    errata, questions = list(_groups(entries)), [entry for entry in entries if entry.question]
    title = "Errata and questions" if errata and questions else "Errata" if errata else "Questions"
    values = {"errata": errata, "questions": questions, "words": entry_search_words}
    yield given.page("errata", site_paths.errata_path(given.edition), title, place, lambda: values)


def _groups(entries: Iterable[ErrataEntry]) -> Iterator[ErrataGroup]:
    by_kind: dict[tuple[str, str], list[ErrataEntry]] = {}
    for entry in entries:
        if erratum := entry.erratum:
            by_kind.setdefault((erratum.kind, erratum.severity_or_default), []).append(entry)
    for name in COMPONENTS:
        weights = [(weight, tuple(by_kind.get((name, weight), ()))) for weight in SEVERITIES]
        if any(found for _, found in weights):
            yield ErrataGroup(name, tuple((weight, found) for weight, found in weights if found))


def entry_search_words(entry: ErrataEntry) -> str:
    """Return the words by which search finds an erratum or a question."""
    if entry.question:
        texts: Iterable[LocatedText | None] = (entry.question.answer, entry.question.source)
    else:
        assert entry.erratum
        names = ("table", "of", "replace", "delete", "new", "insert", "says", "reason", "source")
        texts = (*entry.erratum.rule, *(getattr(entry.erratum, name) for name in names))
    return " · ".join(plain_text(text) for text in texts if text)


def changes_pages(given: EditionPageContext) -> Iterator[SitePage]:
    """A page for each edition before this one, the nearest first. They lead to one another."""
    context, outline = given.context, given.outline
    follows = outline.edition.edition_file.follows
    place = follows.place if follows else None
    compared = context.counterparts.compared(outline)
    pairs = [(outline.edition, found) for outline, found in compared.items() if found]

    def own(difference: EditionDiff) -> dict[str, Any]:
        return {
            "difference": difference,
            "chapters": by_chapter(difference),
            "tallies": {
                sort: summarize_changes(changes) for sort, changes in difference.changes_by_type.items()
            },
            "pairs": pairs,
            "quiet": (SAME, BY_NAME),
            "renumbered": [
                rule for rule in difference.rules if rule.old and rule.new and rule.old.key != rule.new.key
            ],
        }

    for difference in compared[outline]:
        title = f"Changes since {difference.old.edition.edition_file.edition}"
        yield given.page("changes", difference.path, title, place, partial(own, difference))


@dataclass(frozen=True, slots=True)
class OverriddenChapter:
    """A chapter of the series with the rules in it that the game replaces, adds to or voids."""

    chapter: RuleEntry
    rules: tuple[tuple[RuleEntry, tuple[Override, ...]], ...]


def series_page(given: EditionPageContext) -> Iterator[SitePage]:
    """The page with the differences of a game from its series."""
    context, outline = given.context, given.outline
    edition = outline.edition
    title = f"Differences from {edition.base.short}" if edition.base else ""

    def own() -> dict[str, Any]:
        chapters = list(overridden_chapters(context, outline))
        involved = {one.by for chapter in chapters for _, ones in chapter.rules for one in ones}
        others = [
            chapter for chapter in outline.chapters if not involved.intersection(chapter.iter_subtree())
        ]
        return {"overridden": chapters, "own": others, "done": OVERRIDDEN}

    def sections() -> Iterator[PageSection]:
        yield PageSection(TOP, title, 1)
        for one in overridden_chapters(context, outline):
            words = " · ".join(context.name(base) for base, _ in one.rules)
            yield PageSection(f"rules/{one.chapter.key}", context.name(one.chapter), 2, words)
        if given.played:
            yield PageSection("play", "Sequence of play", 2)

    where = edition.edition_file.extends.place if edition.edition_file.extends else None
    yield given.page("series", site_paths.series_path(edition), title, where, own, sections)


def overridden_chapters(desk: RenderContext, outline: Outline) -> Iterator[OverriddenChapter]:
    """The chapters of the series, the nearest first, in which the game does something."""
    for series in with_series(outline, desk.index.outlines)[1:]:
        for chapter in series.chapters:
            rules = []
            for base in chapter.iter_subtree():
                ones = tuple(o for o in desk.overrides.of.get(base, ()) if o.by.edition is outline.edition)
                if ones:
                    rules.append((base, ones))
            if rules:
                yield OverriddenChapter(chapter, tuple(rules))
