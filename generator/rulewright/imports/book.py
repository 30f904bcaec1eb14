"""The form of a book between the stages: its rules in a tree, with the blocks of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from rulewright.files.problems import Problem
from rulewright.imports.blocks import Runs, SourceBlock
from rulewright.imports.sources.source_site import SourcePage
from rulewright.numbering.label_types import ALPHABET
from rulewright.numbering.numbering_scheme import NumberingScheme, RuleNumber


@dataclass(frozen=True, slots=True)
class Note:
    """A note of a rule."""

    kind: str
    blocks: tuple[SourceBlock, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ImportedRule:
    """A rule as its source has it."""

    number: RuleNumber | None
    printed: str
    page: SourcePage
    line: int
    title: Runs = ()
    blocks: tuple[SourceBlock, ...] = ()
    closing: tuple[SourceBlock, ...] = ()
    """Text after the rules inside it."""

    notes: tuple[Note, ...] = ()
    rules: tuple[ImportedRule, ...] = ()
    item: str = ""
    """Its label if it is an item of a rule: a of (a)."""

    shows: str = ""
    steps: tuple[SourceBlock, ...] = ()
    """The list that is the sequence of play."""

    comments: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        return self.number.key if self.number else self.printed

    def walk(self) -> Iterator[ImportedRule]:
        yield self
        for rule in self.rules:
            yield from rule.walk()


@dataclass(frozen=True, slots=True)
class Numbering:
    """How a book numbers its rules: by examples, and in which words it cites them."""

    description: str = ""
    numbers: Sequence[str] = ()
    chapters: Sequence[str] = ()
    is_fixed: bool = False
    """The book exists and declares its numbering, to which items add nothing."""

    suffixes: Sequence[str] = ()
    cues: Sequence[str] = ()
    not_references: Sequence[str] = ()
    cited: Sequence[str] = ()
    """Texts of the book's terms that cite rules."""

    alphabet: str = ""
    declared_scheme: NumberingScheme | None = None
    fault: Problem | None = None

    def scheme(self, numbers: Sequence[str] = ()) -> NumberingScheme:
        """Return the scheme, with other examples if any are given."""
        if self.declared_scheme and not numbers:
            return self.declared_scheme
        alphabet = self.alphabet or ALPHABET
        return NumberingScheme(
            numbers or self.numbers, self.chapters, suffixes=self.suffixes, alphabet=alphabet
        )


@dataclass(frozen=True, slots=True)
class Book:
    """A book: its chapters with the rules inside them, and its pages without rules."""

    numbering: Numbering
    scheme: NumberingScheme
    title: str = ""
    chapters: tuple[ImportedRule, ...] = ()
    pages: Mapping[SourcePage, tuple[SourceBlock, ...]] = field(default_factory=dict)
    rule_keys: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """The key of the rule at each address: name of its page, and anchor."""

    page_keys: Mapping[str, str] = field(default_factory=dict)
    """The key of the rule that a page with rules is or begins with, by the name of the page."""

    headings: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """The words of each heading by page and anchor."""

    def rules(self) -> Iterator[ImportedRule]:
        return (rule for chapter in self.chapters for rule in chapter.walk())
