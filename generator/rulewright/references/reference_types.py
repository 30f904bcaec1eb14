"""Resolved references: a rule, another citable item, an external work or a fault."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rulewright.book.outline import RuleEntry
from rulewright.files.invisible_characters import cleaned
from rulewright.files.problems import ProblemType, quote_short
from rulewright.numbering.numbering_scheme import RuleNumber
from rulewright.numbering.reference_finder import FoundReference
from rulewright.references.citable_items import Citable
from rulewright.schema.text_document import Document, TextRun


@dataclass(frozen=True, slots=True)
class _ReferenceInText:
    """A number or name in a text."""

    # Its number is that in the edition in which it is resolved, or None if the words name something else.
    match: FoundReference

    @property
    def span(self) -> tuple[int, int]:
        """The span in the text, including the brackets of a mark."""
        return self.match.mark_span or (self.match.start, self.match.end)

    def words_in(self, text: str) -> TextRun:
        """Return the span and the displayed words in its text; a mark may display other words."""
        return TextRun(*self.span, self.match.label or self.as_written(text), self)

    def as_written(self, text: str) -> str:
        """Return the number or name in its text."""
        return text[self.match.start : self.match.end]

    def about(self, text: str) -> str:
        """Return the subject of its problem: the number, with the book that a mark names, or the words."""
        number = self.match.number
        if number is None:
            return self.as_written(text)
        return f"{self.match.book}:{number.key}" if self.match.book else number.key


@dataclass(frozen=True, slots=True)
class RuleReference(_ReferenceInText):
    """A reference to a rule."""

    target: RuleEntry
    rules_in_range: tuple[RuleEntry, ...] = ()  # those between the ends of the range that it ends

    @property
    def number(self) -> RuleNumber:
        """The number in the text; below the target if it is an item of a rule that is not transcribed."""
        assert self.match.number
        return self.match.number

    @property
    def display_number(self) -> str:
        """The number as printed by its rule; the plain number if it is below the target."""
        return self.target.display_number if self.target.key == self.number.key else self.number.key

    def miswritten(self, text: str) -> str:
        """Return the message for a number that is not written as the book writes its numbers."""
        words, key = cleaned(self.as_written(text)), self.number.key
        if words == key:  # a character beside it is wrong
            return f"write {key} with a space on either side"
        return f"{quote_short(words)} is read as {key}; write {key}, as this book does"


@dataclass(frozen=True, slots=True)
class CitableReference(_ReferenceInText):
    """A reference to a table, a step, a term or a list item."""

    citable: Citable


@dataclass(frozen=True, slots=True)
class ExternalReference(_ReferenceInText):
    """A reference to an external work on another site."""

    href: str
    title: str  # the number as written
    site: str  # the name of the work


@dataclass(frozen=True, slots=True)
class FaultyReference(_ReferenceInText):
    """A reference that leads nowhere."""

    fault: ProblemType
    message: str


Reference = RuleReference | CitableReference | ExternalReference | FaultyReference


def cited_rules(references: Iterable[Reference]) -> Iterator[RuleEntry]:
    """Yield the rules that references lead to, including those inside ranges."""
    for reference in references:
        if isinstance(reference, RuleReference):
            yield from (*reference.rules_in_range, reference.target)


def parse_document(text: str, references: Iterable[Reference] = ()) -> Document:
    """Parse a text with its resolved references."""
    return Document(text, tuple(reference.words_in(text) for reference in references))
