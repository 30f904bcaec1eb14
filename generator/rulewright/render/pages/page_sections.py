"""The sections of a page, for its contents, and the words by which those are found that lie in no rule."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.book.outline import Outline, RuleEntry
from rulewright.book.table_entries import TableEntry
from rulewright.document import nodes
from rulewright.document.document_builder import DocumentBuilder
from rulewright.document.nodes import rules_with_level
from rulewright.render.build_artifacts import PageSection
from rulewright.render.render_context import RenderContext
from rulewright.render.text_writer import inline_text, table_lines
from rulewright.schema.text_document import plain_text
from rulewright.sequence.actors import all_actors
from rulewright.sequence.sequence_step import TOP, SequenceStep, is_heading


def table_section(builder: DocumentBuilder, table: TableEntry) -> PageSection:
    """Return the section of a table, which search finds by all its words."""
    words = "; ".join(filter(None, table_lines(builder.table(table))))
    return PageSection(table.anchor, plain_text(str(table)), 2, words)


def narrative_sections(outline: Outline, told: Sequence[SequenceStep]) -> Iterator[PageSection]:
    """A section for each step that is told in words."""
    assert outline.edition.sequence
    yield PageSection(TOP, plain_text(outline.edition.sequence.title))
    for step in told:
        words = plain_text(step.step.narrative or "")
        yield PageSection(step.anchor, plain_text(step.step.title), step.level + 2, words)


def chapter_sections(
    desk: RenderContext, builder: DocumentBuilder, chapter: RuleEntry
) -> Iterator[PageSection]:
    """Yield a section for each rule with a title, and for each heading without a number in a text."""
    for rule, level in rules_with_level(builder.chapter(chapter)):
        entry = desk.targets.rule(rule.target)
        if entry.title or entry is chapter:
            yield PageSection(entry.key, desk.name(entry), level + 1)
        for block in (*rule.blocks, *rule.closing):
            if isinstance(block, nodes.ParagraphNode) and block.heading:
                yield PageSection(block.heading, inline_text(block.inline), level + 2)


def sequence_sections(outline: Outline) -> Iterator[PageSection]:
    """A section for each turn, phase and segment."""
    sequence = outline.edition.sequence
    assert sequence
    said = (plain_text(sequence.text or ""), *(role.title for role in all_actors(outline.sequence)))
    yield PageSection(TOP, plain_text(sequence.title), 1, " · ".join(filter(None, said)))
    for step in outline.sequence.iter_steps():
        if is_heading(step):
            yield PageSection(step.anchor, plain_text(step.step.title), step.level + 2)
