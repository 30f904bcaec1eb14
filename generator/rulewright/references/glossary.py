"""Names of steps and glossary terms in an edition, and the texts that use them.

A step with a heading has these names: its title, its title followed by its kind ("Reaction" as "Reaction
Phase"), and its abbreviation. A term has its key and its aliases. If a step and a term have the same name,
the name means the step. No names are linked in headings and in the titles of tables.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from rulewright.book.library import Edition
from rulewright.book.outline import Outline, RuleEntry
from rulewright.book.related_outlines import sequence_outline
from rulewright.book.table_entries import Source, TableEntry
from rulewright.files.located_text import LocatedText
from rulewright.references.citable_items import term_names
from rulewright.references.edition_texts import edition_texts
from rulewright.references.name_finder import NameFinder, NameMatch, NameSpelling
from rulewright.references.reference_index import ReferenceIndex
from rulewright.references.reference_types import RuleReference
from rulewright.schema.rulebook import Term
from rulewright.schema.text_document import Document
from rulewright.sequence.sequence_step import SequenceStep, is_heading
from rulewright.sequence.step_names import abbreviation_of, nearest_step, self_and_parents, spoken_title


@dataclass(frozen=True, slots=True, eq=False)
class TermEntry:
    """A term in the glossary of an edition."""

    words: LocatedText
    term: Term
    edition: Edition
    anchor: str  # its anchor on the glossary page
    rule: RuleEntry | None = None  # the rule that defines it

    @property
    def all_spellings(self) -> tuple[str, ...]:
        """Return the name and the aliases; an abbreviation in brackets at its end is an alias too."""
        parts = re.fullmatch(r"(.+?)\s*\(([^()]+)\)", self.words)
        spellings = (self.words, *self.term.aliases, *(parts.groups() if parts else ()))
        return tuple(dict.fromkeys(spellings))


Bearer = SequenceStep | TermEntry
"""Object that has a name."""


class Glossary:
    """The names of steps and terms of an edition."""

    def __init__(self, outline: Outline, index: ReferenceIndex) -> None:
        self.outline = outline
        self.index = index
        self.tables = index.editions[outline.edition.address].tables
        self.terms = list(term_entries(outline, index))
        """In the order of the rulebook."""

    @cached_property
    def _names(self) -> NameFinder[Bearer]:
        book, file = self.outline.edition.book, self.outline.edition.edition_file
        steps = steps_with_names(sequence_outline(self.outline, self.index.outlines))
        names = [name for step in steps for name in step_spellings(step)]
        names += (
            NameSpelling(words, term, ignores_case=not has_several_capitals(words))
            for term in self.terms
            for words in term.all_spellings
        )
        return NameFinder(names, (*book.not_references, *file.not_references))

    def searched_texts(self) -> Iterator[tuple[Source, LocatedText]]:
        """Yield every text of the edition in which names are searched, with its source."""
        for source, texts, _ in edition_texts(self.outline, self.tables):
            headings = {text.key for text in self._headings(source)}
            yield from ((source, text) for text, cites in texts if not cites and text.key not in headings)

    def _headings(self, source: Source) -> Iterator[LocatedText]:
        """Yield the titles of a source and of its tables, in which no names are linked."""
        if isinstance(source, SequenceStep):
            yield from source.step.uses
            if source.parent is None or is_heading(source):
                yield source.step.title
        elif isinstance(source, RuleEntry) and source.rule and source.rule.title:
            yield source.rule.title
        if isinstance(source, RuleEntry | TableEntry) and (table := self.index.tables_by_target.get(source)):
            yield from (grid.title for grid in table.grids() if grid.title)

    def find(self, document: Document, source: Source | TermEntry) -> list[NameMatch[Bearer]]:
        """Return the first occurrence of each step and term in a text. `source`: the owner of the text."""
        taken = self._taken_spans(document)
        return self._names.find(document.text, taken, lambda objects: _meaning(objects, source))

    def find_all(self, document: Document, source: Source) -> Iterator[NameMatch[Bearer]]:
        """Yield every occurrence of a step or term in a text, including the name of its owner."""
        enclosing = list(self_and_parents(source)) if isinstance(source, SequenceStep) else []
        taken = self._taken_spans(document)
        return self._names.find_all(document.text, taken, lambda objects: _nearest(objects, enclosing))

    def _taken_spans(self, document: Document) -> list[tuple[int, int]]:
        """Return the spans in which no names are searched: references, each with its cue, and marks."""
        finder = self.outline.edition.finder
        return [(finder.cue_start(document.text, span.start), span.end) for span in document.fixed_spans]


def has_several_capitals(words: str) -> bool:
    """Return whether a word has several capitals or is a single letter: ZOC, MPs, T."""
    return any(len(word) == 1 or sum(map(str.isupper, word)) > 1 for word in words.split())


def term_entries(outline: Outline, index: ReferenceIndex) -> Iterator[TermEntry]:
    """Yield the terms of the book, each with the rule that defines it in this edition."""
    for (words, edition, anchor), term in term_names(outline.edition):
        cited = index.references(term.see, edition) if term.see else ()
        rule = next((reference.target for reference in cited if isinstance(reference, RuleReference)), None)
        yield TermEntry(words, term, edition, anchor, rule)


def steps_with_names(outline: Outline) -> Iterator[SequenceStep]:
    """Yield the steps that have names: turns, phases and segments that are not dropped."""
    for step in outline.sequence.iter_steps():
        if is_heading(step) and step.difference != "dropped":
            yield step


def step_spellings(step: SequenceStep) -> Iterator[NameSpelling[Bearer]]:
    """Yield the names of a step; a title in capitals also in title case. "Game Turn" alone is not a name."""
    if short := abbreviation_of(step):
        yield NameSpelling(short, step)
    title = spoken_title(step)
    titles = (title, " ".join(map(str.capitalize, title.split()))) if title.isupper() else (title,)
    for spelling in titles if title.casefold() != step.step.kind.casefold() else ():
        yield from _title_spellings(spelling, step)


def _title_spellings(title: str, step: SequenceStep) -> Iterator[NameSpelling[Bearer]]:
    """Yield the spellings of a title. A title with a single capital is a name only with its kind."""
    kind = step.step.kind.split()
    ends = re.search(rf"(.+?)[\s-]+({'[ -]'.join(map(re.escape, kind))})\Z", title, re.IGNORECASE)
    base, last = (ends[1], ends[2]) if ends else (title, " ".join(map(str.capitalize, kind)))
    if _count_capitals(title) > 1 or (ends and _count_capitals(title)):
        yield NameSpelling(title, step, is_title=True, kind=last if ends else "")
    if _count_capitals(base) and not ends:
        yield NameSpelling(f"{base} {last}", step, is_title=True, kind=last)
    if _count_capitals(base) > 1:
        yield NameSpelling(f"{base} {last.lower()}", step, is_title=True, kind=last.lower())


def _count_capitals(title: str) -> int:
    return sum(word[0].isupper() for word in title.split())


def _nearest(objects: Sequence[Bearer], enclosing: Sequence[SequenceStep]) -> Bearer | None:
    """Return the object that a name means inside some steps, the innermost first; None if it is unclear."""
    steps = [candidate for candidate in objects if isinstance(candidate, SequenceStep)]
    terms = (candidate for candidate in objects if isinstance(candidate, TermEntry))
    return nearest_step(steps, enclosing) or next(terms, None)


def _meaning(objects: Sequence[Bearer], source: Source | TermEntry) -> Bearer | None:
    """Return the object that a name means in a text; None if it is unclear or the owner of the text."""
    enclosing = list(self_and_parents(source)) if isinstance(source, SequenceStep) else []
    bearer = _nearest(objects, enclosing)
    if bearer is source or bearer in enclosing:
        return None
    if isinstance(source, RuleEntry) and isinstance(bearer, TermEntry):
        return None if bearer.rule in source.self_and_ancestors() else bearer
    return bearer
