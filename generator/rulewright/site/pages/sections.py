"""The sections of a page, each with what search finds it by beyond its title."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.book.outline import Entry, Outline
from rulewright.book.roles import everyone
from rulewright.book.sequence import TOP, StepEntry, is_heading
from rulewright.book.tables import TableEntry
from rulewright.citations import spellings
from rulewright.citations.facts import FACTS, said
from rulewright.model.keys import texts_of
from rulewright.model.step import FREE
from rulewright.site.artifacts import Section
from rulewright.site.context import Desk
from rulewright.site.exports import tables as written
from rulewright.source.text import Text
from rulewright.text.document import plain

UNLISTED = 7
"""The level of a section that search finds and the table of contents leaves out: a rule without a title."""


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
    """A section for each rule; those without a title are for the search only."""
    for entry in chapter.walk():
        level = entry.level + 1 if entry.title or entry is chapter else UNLISTED
        yield Section(entry.key, desk.name(entry), level, *_words_of(desk, entry))


def _words_of(desk: Desk, entry: Entry) -> tuple[str, str, str]:
    """Words that search finds a rule by: its texts, its synonyms, and the names in it."""
    rule, edition = entry.rule, entry.edition  # a table without a rule is found on the page of tables
    texts: list[Text] = []
    if rule:
        said = [text for text, cites in texts_of(rule) if not cites and text is not rule.title]
        texts = sorted((one for one in said if one != FREE), key=lambda one: one is not rule.text)
    forms = spellings.of_number(entry, edition.dialect)
    names = (*forms, *desk.also(entry, plain(entry.title or "")))
    return " ".join(map(plain, texts)), " · ".join(names), " · ".join(desk.meant(edition, texts))


def of_sequence(desk: Desk, outline: Outline) -> Iterator[Section]:
    """A section for each turn, phase and segment, which search finds by all that is done in it."""
    sequence = outline.edition.sequence
    assert sequence
    said = (plain(sequence.text or ""), *(role.title for role in everyone(outline)))
    yield Section(TOP, plain(sequence.title), 1, " · ".join(filter(None, said)))
    for step in outline.every_step():
        if is_heading(step):
            parts = list(_done_in(step))
            text = " · ".join(words for part in parts for words in _words_of_step(part, step))
            names = desk.also(step, title := plain(step.step.title))
            words = desk.meant(step.edition, (words for part in parts for words, _ in texts_of(part.step)))
            yield Section(step.anchor, title, step.level + 2, text, " · ".join(names), " · ".join(words))


def _done_in(step: StepEntry) -> Iterator[StepEntry]:
    """A step and what is done in it, without the steps inside that have a heading of their own."""
    yield step
    for child in step.children:
        if not is_heading(child):
            yield from _done_in(child)


def _words_of_step(part: StepEntry, heading: StepEntry) -> Iterator[str]:
    for name in ("label", "title", *FACTS, "note", "see"):
        if not (name == "title" and part is heading):
            yield from (name if text == FREE else plain(text) for text in said(part, name))
