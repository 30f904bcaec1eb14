"""The sections of a page, for its contents, and the words by which those are found that lie in no rule."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.book.outline import Outline, RuleEntry
from rulewright.book.table_entries import TableEntry
from rulewright.render.build_artifacts import PageSection
from rulewright.render.exports import table_export as written
from rulewright.render.render_context import RenderContext
from rulewright.schema.text_document import plain_text
from rulewright.sequence.actors import all_actors
from rulewright.sequence.sequence_step import TOP, SequenceStep, is_heading


def table_section(table: TableEntry) -> PageSection:
    """A table, which search finds by all that stands in it."""
    return PageSection(table.anchor, plain_text(str(table)), 2, written.table_text(table))


def narrative_sections(outline: Outline, told: Sequence[SequenceStep]) -> Iterator[PageSection]:
    """A section for each step that is told in words."""
    assert outline.edition.sequence
    yield PageSection(TOP, plain_text(outline.edition.sequence.title))
    for step in told:
        words = plain_text(step.step.narrative or "")
        yield PageSection(step.anchor, plain_text(step.step.title), step.level + 2, words)


def chapter_sections(desk: RenderContext, chapter: RuleEntry) -> Iterator[PageSection]:
    """A section for each rule that has a title."""
    for entry in chapter.iter_subtree():
        if entry.title or entry is chapter:
            yield PageSection(entry.key, desk.name(entry), entry.level + 1)


def sequence_sections(outline: Outline) -> Iterator[PageSection]:
    """A section for each turn, phase and segment."""
    sequence = outline.edition.sequence
    assert sequence
    said = (plain_text(sequence.text or ""), *(role.title for role in all_actors(outline.sequence)))
    yield PageSection(TOP, plain_text(sequence.title), 1, " · ".join(filter(None, said)))
    for step in outline.sequence.iter_steps():
        if is_heading(step):
            yield PageSection(step.anchor, plain_text(step.step.title), step.level + 2)
