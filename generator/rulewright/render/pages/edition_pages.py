"""The front page of an edition, and its pages of errata, of changes and of differences from its series."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from rulewright.book.errata_entries import ErrataEntry
from rulewright.book.outline import Outline, RuleEntry
from rulewright.book.related_outlines import with_series
from rulewright.compare.edition_diff import EditionDiff
from rulewright.references.series_overrides import Override
from rulewright.render.build_artifacts import PageSection, SitePage
from rulewright.render.exports.change_groups import by_chapter, by_kind
from rulewright.render.html_writer import OVERRIDDEN
from rulewright.render.pages.page_builder import EditionPageContext
from rulewright.render.render_context import RenderContext
from rulewright.schema.erratum import COMPONENTS, SEVERITIES
from rulewright.schema.text_document import plain_text
from rulewright.schema.yaml_fields import all_texts_of
from rulewright.sequence.sequence_step import TOP


def front_page(edition_context: EditionPageContext) -> Iterator[SitePage]:
    """Yield the front page of an edition."""
    edition = edition_context.edition
    yield edition_context.page("edition", "", edition.title, edition.edition_file.edition.place)


def errata_page(edition_context: EditionPageContext) -> Iterator[SitePage]:
    """Yield the page with the errata and questions of an edition."""
    entries = edition_context.context.index.editions[edition_context.edition.address].errata_entries
    place = entries[0].source.date.place if entries[0].source.date else None
    errata, questions = _by_component(entries), [entry for entry in entries if entry.question]
    title = "Errata and questions" if errata and questions else "Errata" if errata else "Questions"
    values = {"errata": errata, "questions": questions, "words": entry_search_words}
    yield edition_context.page("errata", "errata", title, place, lambda: values)


def _by_component(entries: Sequence[ErrataEntry]) -> dict[str, dict[str, list[ErrataEntry]]]:
    """Return errata by component and severity, the gravest first."""
    groups = {}
    for component in COMPONENTS:
        group: dict[str, list[ErrataEntry]] = {severity: [] for severity in SEVERITIES}
        for entry in entries:
            if entry.erratum and entry.erratum.kind == component:
                group[entry.erratum.severity_or_default].append(entry)
        if any(group.values()):
            groups[component] = group
    return groups


def entry_search_words(entry: ErrataEntry) -> str:
    """Return the words by which search finds an erratum or a question."""
    return " · ".join(map(plain_text, all_texts_of(entry.erratum or entry.question)))


def changes_pages(edition_context: EditionPageContext) -> Iterator[SitePage]:
    """Yield a page for each edition before this one, the nearest first. They lead to each other."""
    outline, follows = edition_context.outline, edition_context.edition.edition_file.follows
    compared = edition_context.context.counterparts.compared(outline)
    pairs = [(later.edition, diffs) for later, diffs in compared.items() if diffs]

    def values(difference: EditionDiff) -> dict[str, Any]:
        groups = difference.changes_by_type.items()
        return {
            "difference": difference,
            "chapters": by_chapter(difference),
            "tallies": {name: by_kind(changes) for name, changes in groups},
            "unchanged": sum(not change.kinds for change in difference.rules),
            "pairs": pairs,
            "renumbered": [
                change
                for change in difference.rules
                if change.old and change.new and change.old.key != change.new.key
            ],
        }

    for difference in compared[outline]:
        title = f"Changes since {difference.old.edition.edition_file.edition}"
        name = difference.path.removeprefix(f"{outline.edition.address}/")
        place = follows.place if follows else None
        yield edition_context.page("changes", name, title, place, partial(values, difference))


@dataclass(frozen=True, slots=True)
class OverriddenChapter:
    """A chapter of the series with the rules in it that the game replaces, adds to or voids."""

    chapter: RuleEntry
    rules: tuple[tuple[RuleEntry, tuple[Override, ...]], ...]


def series_page(edition_context: EditionPageContext) -> Iterator[SitePage]:
    """Yield the page with the differences of a game from its series."""
    context, edition, outline = edition_context.context, edition_context.edition, edition_context.outline
    assert edition.base
    assert edition.edition_file.extends
    title = f"Differences from {edition.base.short}"

    def values() -> dict[str, Any]:
        overridden = list(_overridden_chapters(context, outline))
        overriding: set[RuleEntry] = set()
        sections = [PageSection(TOP, title, 1)]
        for item in overridden:
            overriding.update(override.by for _, overrides in item.rules for override in overrides)
            words = " · ".join(context.name(base) for base, _ in item.rules)
            sections.append(PageSection(f"rules/{item.chapter.key}", context.name(item.chapter), 2, words))
        sections += [PageSection("play", "Sequence of play", 2)] if context.played(outline) else []
        own_chapters = [c for c in outline.chapters if overriding.isdisjoint(c.iter_subtree())]
        return {"overridden": overridden, "own": own_chapters, "done": OVERRIDDEN, "sections": sections}

    yield edition_context.page("series", "series", title, edition.edition_file.extends.place, values)


def _overridden_chapters(context: RenderContext, outline: Outline) -> Iterator[OverriddenChapter]:
    """Yield the chapters of the series in which the game overrides rules, the nearest series first."""
    for series in with_series(outline, context.index.outlines)[1:]:
        for chapter in series.chapters:
            rules = []
            for base in chapter.iter_subtree():
                matches = context.overrides.of.get(base, ())
                if overrides := tuple(o for o in matches if o.by.edition is outline.edition):
                    rules.append((base, overrides))
            if rules:
                yield OverriddenChapter(chapter, tuple(rules))
