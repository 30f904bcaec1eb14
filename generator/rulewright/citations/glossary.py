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

from rulewright.book.cited_things import terms_of
from rulewright.book.library import Edition
from rulewright.book.outline import Entry, Outline
from rulewright.book.sequence import StepEntry, is_heading
from rulewright.book.step_names import abbreviation_of, around, one_of, title_of
from rulewright.book.tables import Source, TableEntry
from rulewright.citations.corpus import texts_in
from rulewright.citations.names import Name, Named, Names
from rulewright.citations.shelf import Shelf
from rulewright.model.rulebook import Term
from rulewright.source.text import Text
from rulewright.text.document import Document


@dataclass(frozen=True, slots=True, eq=False)
class TermEntry:
    """A term in the glossary of an edition. `anchor` is its address there, `rule` the one that defines it."""

    words: Text
    term: Term
    edition: Edition
    anchor: str
    rule: Entry | None = None

    @property
    def spellings(self) -> tuple[Text, ...]:
        return (self.words, *self.term.aliases)


Bearer = StepEntry | TermEntry
"""Bearer of a name."""


class Glossary:
    """The names of one edition. `terms` are in the order of the rulebook."""

    def __init__(self, outline: Outline, shelf: Shelf) -> None:
        self.outline = outline
        self.shelf = shelf
        self.tables = shelf.tables[outline.edition.address]
        self.terms = list(entries(outline, shelf))

    @cached_property
    def _names(self) -> Names[Bearer]:
        book, file = self.outline.edition.book, self.outline.edition.file
        steps = steps_with_names(self.shelf.played(self.outline))
        names = [name for step in steps for name in spellings(step)]
        names += (Name(words, one) for one in self.terms for words in one.spellings)
        return Names(names, book.joins, (*book.not_references, *file.not_references))

    @cached_property
    def _names_cues(self) -> bool:
        """Whether what leads up to a number may be a term as well."""
        finder = self.outline.edition.finder
        return any(
            finder.led(words, len(words)) < len(words) for one in self.terms for words in one.spellings
        )

    def texts(self) -> Iterator[tuple[Source, Text, list[Named[Bearer]]]]:
        """Every text of the edition that names something, with what it belongs to."""
        for source, text in self.prose():
            if found := self.find(self.shelf.document(text), source):
                yield source, text, found

    def prose(self) -> Iterator[tuple[Source, Text]]:
        """Every text of the edition in which names are looked for, with what it belongs to."""
        for source, texts, _ in texts_in(self.outline, self.tables):
            headings = {text.key for text in self._headings(source)}
            yield from ((source, text) for text, cites in texts if not cites and text.key not in headings)

    def _headings(self, source: Source) -> Iterator[Text]:
        """The titles of what a text belongs to, and the names of tables; what is done is no title."""
        if isinstance(source, StepEntry):
            yield from source.step.uses
            if source.parent is None or is_heading(source):
                yield source.step.title
        elif isinstance(source, Entry) and source.rule and source.rule.title:
            yield source.rule.title
        if isinstance(source, Entry | TableEntry) and (table := self.shelf.homes.get(source)):
            yield from (grid.title for grid in table.grids() if grid.title)

    def find(self, document: Document, source: Source | TermEntry) -> list[Named[Bearer]]:
        """Find the steps and terms that a text names, each once. `source`: the rule or step it belongs to."""
        taken = [(one.start, one.end) for one in document.fixed]
        if self._names_cues:  # a cue belongs to its number
            finder = self.outline.edition.finder
            taken = [(finder.led(document.text, start), end) for start, end in taken]
        return self._names.find(document.text, taken, lambda bearers: _meant(bearers, source))


def entries(outline: Outline, shelf: Shelf) -> Iterator[TermEntry]:
    """The terms of the book, each with the rule that it has in this edition."""
    for (words, edition, anchor), term in terms_of(outline.edition):
        cited = shelf.references(term.see, edition) if term.see else ()
        rule = next((one.target for one in cited if one.target and not one.fault), None)
        yield TermEntry(words, term, edition, anchor, rule)


def steps_with_names(outline: Outline) -> Iterator[StepEntry]:
    """The steps that can be spoken of: turns, phases and segments that are played."""
    for step in outline.every_step():
        if is_heading(step) and step.difference != "dropped":
            yield step


def spellings(step: StepEntry) -> Iterator[Name[Bearer]]:
    """Everything that a step is called; capitals are also written small. "Game Turn" alone is no name."""
    if short := abbreviation_of(step):
        yield Name(short, step)
    title = title_of(step)
    titles = (title, " ".join(map(str.capitalize, title.split()))) if title.isupper() else (title,)
    for one in titles if title.casefold() != step.step.kind.casefold() else ():
        yield from _titles(one, step)


def _titles(title: str, step: StepEntry) -> Iterator[Name[Bearer]]:
    """A title as texts may write it. One with a single capital is no proper name without its kind."""
    kind = step.step.kind.split()
    ends = re.search(rf"(.+?)[\s-]+({'[ -]'.join(map(re.escape, kind))})\Z", title, re.IGNORECASE)
    base, last = (ends[1], ends[2]) if ends else (title, " ".join(map(str.capitalize, kind)))
    if _capitals(title) > 1 or (ends and _capitals(title)):
        yield Name(title, step, is_title=True, kind=last if ends else "")
    if _capitals(base) and not ends:
        yield Name(f"{base} {last}", step, is_title=True, kind=last)
    if _capitals(base) > 1:
        yield Name(f"{base} {last.lower()}", step, is_title=True, kind=last.lower())


def _capitals(title: str) -> int:
    return sum(word[0].isupper() for word in title.split())


def _meant(bearers: Sequence[Bearer], source: Source | TermEntry) -> Bearer | None:
    """Choose the bearer of a name in a text; None where that is not certain or the text is its own."""
    steps = [one for one in bearers if isinstance(one, StepEntry)]
    here = list(around(source)) if isinstance(source, StepEntry) else []
    if step := one_of(steps, here):
        return None if step in here else step
    term = next((one for one in bearers if isinstance(one, TermEntry)), None)
    if term is source or (isinstance(source, Entry) and term and term.rule in source.around()):
        return None
    return term
