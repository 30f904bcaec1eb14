"""The sections of a page, for its contents, and the words by which those are found that lie in no rule."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.book.outline import Entry, Outline
from rulewright.book.roles import everyone
from rulewright.book.sequence import TOP, StepEntry, is_heading
from rulewright.book.tables import TableEntry
from rulewright.site.artifacts import Section
from rulewright.site.context import Desk
from rulewright.site.exports import tables as written
from rulewright.text.document import plain


def of_table(table: TableEntry) -> Section:
    """A table, which search finds by all that stands in it."""
    return Section(table.anchor, plain(str(table)), 2, written.text(table))


def of_narrative(outline: Outline, told: Sequence[StepEntry]) -> Iterator[Section]:
    """A section for each step that is told in words."""
    assert outline.edition.sequence
    yield Section(TOP, plain(outline.edition.sequence.title))
    for step in told:
        words = plain(step.step.narrative or "")
        yield Section(step.anchor, plain(step.step.title), step.level + 2, words)


def of_chapter(desk: Desk, chapter: Entry) -> Iterator[Section]:
    """A section for each rule that has a title."""
    for entry in chapter.walk():
        if entry.title or entry is chapter:
            yield Section(entry.key, desk.name(entry), entry.level + 1)


def of_sequence(outline: Outline) -> Iterator[Section]:
    """A section for each turn, phase and segment."""
    sequence = outline.edition.sequence
    assert sequence
    said = (plain(sequence.text or ""), *(role.title for role in everyone(outline)))
    yield Section(TOP, plain(sequence.title), 1, " · ".join(filter(None, said)))
    for step in outline.every_step():
        if is_heading(step):
            yield Section(step.anchor, plain(step.step.title), step.level + 2)
