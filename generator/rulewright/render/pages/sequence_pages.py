"""Pages of the sequence of play of an edition: as an outline and in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulewright.book.outline import Outline
from rulewright.render.build_artifacts import PageSection, SitePage
from rulewright.render.pages.page_builder import EditionPageContext
from rulewright.schema.text_document import plain_text
from rulewright.sequence import actors
from rulewright.sequence.sequence_step import TOP, SequenceStep, is_heading


def sequence_page(edition_context: EditionPageContext) -> Iterator[SitePage]:
    """Yield the page of the sequence of play."""
    outline, sequence = edition_context.outline, edition_context.edition.sequence
    assert sequence
    title = plain_text(sequence.title)

    def values() -> dict[str, Any]:
        names = (role.title for role in actors.all_actors(outline.sequence))
        words = " · ".join(filter(None, (plain_text(sequence.text or ""), *names)))
        headings = filter(is_heading, outline.sequence.iter_steps())
        steps = (_section(step) for step in headings if step.difference != "dropped")
        return {"sections": [PageSection(TOP, title, 1, words), *steps], **acting_legend(outline)}

    yield edition_context.page("sequence", "sequence", title, sequence.title.place, values)


def acting_legend(outline: Outline) -> dict[str, Any]:
    """Return everyone who acts in a turn, and those with combat actions, for the legend of a page."""
    return {
        "everyone": actors.all_actors(outline.sequence),
        "fighters": actors.all_actors(outline.sequence, combat=True),
    }


def narrative_page(edition_context: EditionPageContext) -> Iterator[SitePage]:
    """Yield the page with the steps in words."""
    sequence, steps = edition_context.edition.sequence, edition_context.outline.sequence.narrative_steps
    assert sequence

    def values() -> dict[str, Any]:
        texts = map(_section, steps)
        return {"sections": [PageSection(TOP, plain_text(sequence.title)), *texts], "narrative_steps": steps}

    yield edition_context.page("narrative", "narrative", "Narrative", sequence.title.place, values)


def _section(step: SequenceStep) -> PageSection:
    return PageSection(step.anchor, plain_text(step.step.title), step.level + 2)
