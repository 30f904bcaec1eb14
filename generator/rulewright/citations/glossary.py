"""Names in an edition: its steps and the terms of its book, and where its texts name them.

A step with a heading is called by its title, by its title with its kind behind it ("Reaction" in "Reaction
Phase"), and by its abbreviation; a term by its key and its aliases. What bears the name of a step is that
step. Headings are no prose: nothing is linked in them, nor in the names of tables.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from rulewright.book.citable_items import term_names
from rulewright.book.library import Edition
from rulewright.book.outline import Outline, RuleEntry
from rulewright.book.sequence import SequenceStep, is_heading
from rulewright.book.step_names import abbreviation_of, nearest_step, self_and_parents, spoken_title
from rulewright.book.table_entries import Source, TableEntry
from rulewright.citations.edition_texts import edition_texts
from rulewright.citations.name_finder import NameFinder, NameMatch, NameSpelling
from rulewright.citations.reference_index import ReferenceIndex
from rulewright.model.rulebook import Term
from rulewright.source.located_text import LocatedText
from rulewright.text.text_document import Document


@dataclass(frozen=True, slots=True, eq=False)
class TermEntry:
    """A term in the glossary of an edition. `anchor` is its address there, `rule` the one that defines it."""

    words: LocatedText
    term: Term
    edition: Edition
    anchor: str
    rule: RuleEntry | None = None

    @property
    def all_spellings(self) -> tuple[LocatedText, ...]:
        return (self.words, *self.term.aliases)


Bearer = SequenceStep | TermEntry
"""Bearer of a name."""


class Glossary:
    """The names of one edition. `terms` are in the order of the rulebook."""

    def __init__(self, outline: Outline, index: ReferenceIndex) -> None:
        self.outline = outline
        self.shelf = index
        self.tables = index.tables[outline.edition.address]
        self.terms = list(term_entries(outline, index))

    @cached_property
    def _names(self) -> NameFinder[Bearer]:
        book, file = self.outline.edition.book, self.outline.edition.edition_file
        steps = steps_with_names(self.shelf.sequence_outline(self.outline))
        names = [name for step in steps for name in step_spellings(step)]
        names += (NameSpelling(words, term) for term in self.terms for words in term.all_spellings)
        return NameFinder(names, book.joins, (*book.not_references, *file.not_references))

    @cached_property
    def _names_cues(self) -> bool:
        """Whether what leads up to a number may be a term as well."""
        finder = self.outline.edition.finder
        return any(
            finder.cue_start(words, len(words)) < len(words)
            for term in self.terms
            for words in term.all_spellings
        )

    def naming_texts(self) -> Iterator[tuple[Source, LocatedText, list[NameMatch[Bearer]]]]:
        """Every text of the edition that names something, with what it belongs to."""
        for source, text in self.searched_texts():
            if matches := self.find(self.shelf.document(text), source):
                yield source, text, matches

    def searched_texts(self) -> Iterator[tuple[Source, LocatedText]]:
        """Every text of the edition in which names are looked for, with what it belongs to."""
        for source, texts, _ in edition_texts(self.outline, self.tables):
            headings = {text.key for text in self._headings(source)}
            yield from ((source, text) for text, cites in texts if not cites and text.key not in headings)

    def _headings(self, source: Source) -> Iterator[LocatedText]:
        """The titles of what a text belongs to, and the names of tables; what is done is no title."""
        if isinstance(source, SequenceStep):
            yield from source.step.uses
            if source.parent is None or is_heading(source):
                yield source.step.title
        elif isinstance(source, RuleEntry) and source.rule and source.rule.title:
            yield source.rule.title
        if isinstance(source, RuleEntry | TableEntry) and (
            table := self.shelf.tables_by_citation.get(source)
        ):
            yield from (grid.title for grid in table.grids() if grid.title)

    def find(self, document: Document, source: Source | TermEntry) -> list[NameMatch[Bearer]]:
        """Find the steps and terms that a text names, each once. `source`: the rule or step it belongs to."""
        taken = [(span.start, span.end) for span in document.fixed_spans]
        if self._names_cues:  # a cue belongs to its number
            finder = self.outline.edition.finder
            taken = [(finder.cue_start(document.text, start), end) for start, end in taken]
        return self._names.find(document.text, taken, lambda bearers: _meant(bearers, source))


def term_entries(outline: Outline, index: ReferenceIndex) -> Iterator[TermEntry]:
    """The terms of the book, each with the rule that it has in this edition."""
    for (words, edition, anchor), term in term_names(outline.edition):
        cited = index.references(term.see, edition) if term.see else ()
        rule = next(
            (reference.target for reference in cited if reference.target and not reference.fault), None
        )
        yield TermEntry(words, term, edition, anchor, rule)


def steps_with_names(outline: Outline) -> Iterator[SequenceStep]:
    """The steps that can be spoken of: turns, phases and segments that are played."""
    for step in outline.iter_steps():
        if is_heading(step) and step.difference != "dropped":
            yield step


def step_spellings(step: SequenceStep) -> Iterator[NameSpelling[Bearer]]:
    """Everything that a step is called; capitals are also written small. "Game Turn" alone is no name."""
    if short := abbreviation_of(step):
        yield NameSpelling(short, step)
    title = spoken_title(step)
    titles = (title, " ".join(map(str.capitalize, title.split()))) if title.isupper() else (title,)
    for spelling in titles if title.casefold() != step.step.kind.casefold() else ():
        yield from _titles(spelling, step)


def _titles(title: str, step: SequenceStep) -> Iterator[NameSpelling[Bearer]]:
    """A title as texts may write it. One with a single capital is no proper name without its kind."""
    kind = step.step.kind.split()
    ends = re.search(rf"(.+?)[\s-]+({'[ -]'.join(map(re.escape, kind))})\Z", title, re.IGNORECASE)
    base, last = (ends[1], ends[2]) if ends else (title, " ".join(map(str.capitalize, kind)))
    if _capitals(title) > 1 or (ends and _capitals(title)):
        yield NameSpelling(title, step, is_title=True, kind=last if ends else "")
    if _capitals(base) and not ends:
        yield NameSpelling(f"{base} {last}", step, is_title=True, kind=last)
    if _capitals(base) > 1:
        yield NameSpelling(f"{base} {last.lower()}", step, is_title=True, kind=last.lower())


def _capitals(title: str) -> int:
    return sum(word[0].isupper() for word in title.split())


def _meant(bearers: Sequence[Bearer], source: Source | TermEntry) -> Bearer | None:
    """Choose the bearer of a name in a text; None where that is not certain or the text is its own."""
    steps = [bearer for bearer in bearers if isinstance(bearer, SequenceStep)]
    enclosing = list(self_and_parents(source)) if isinstance(source, SequenceStep) else []
    if step := nearest_step(steps, enclosing):
        return None if step in enclosing else step
    term = next((bearer for bearer in bearers if isinstance(bearer, TermEntry)), None)
    if term is source or (
        isinstance(source, RuleEntry) and term and term.rule in source.self_and_ancestors()
    ):
        return None
    return term
