"""The form of a book between the stages: its rules in a tree, with the blocks of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from rulewright.imports.blocks import Runs, SourceBlock
from rulewright.imports.sources.source_site import SourcePage
from rulewright.numbering.numbering_scheme import NumberingScheme, RuleNumber
from rulewright.numbering.scheme_detection import Numbering

BOLD_LEVEL = 7
"""Level of a label that is no heading."""


@dataclass(frozen=True, slots=True)
class Note:
    """A note of a rule."""

    kind: str
    blocks: list[SourceBlock]


@dataclass(slots=True, eq=False)
class ImportedRule:
    """A rule as its source has it. `level`: of its heading; `depth`: number of lists around its label."""

    number: RuleNumber | None
    printed: str
    page: SourcePage
    line: int
    level: int = BOLD_LEVEL
    depth: int = 0
    head: SourceBlock | None = None
    """The block of its label, without the label, until its title is split from its text."""

    strong: bool = False
    title: Runs = ()
    blocks: list[SourceBlock] = field(default_factory=list)
    closing: list[SourceBlock] = field(default_factory=list)
    """Text after the rules inside it."""

    notes: list[Note] = field(default_factory=list)
    rules: list[ImportedRule] = field(default_factory=list)
    item: str = ""
    """Its label if it is an item of a rule: a of (a)."""

    steps: list[SourceBlock] = field(default_factory=list)
    """The list that is the sequence of play."""

    @property
    def key(self) -> str:
        return self.number.key if self.number else self.printed

    def walk(self) -> Iterator[ImportedRule]:
        yield self
        for rule in self.rules:
            yield from rule.walk()


@dataclass(frozen=True, slots=True)
class Book:
    """A book: its chapters with the rules inside them, and its pages without rules."""

    numbering: Numbering
    scheme: NumberingScheme
    title: str = ""
    chapters: Sequence[ImportedRule] = ()
    pages: Mapping[SourcePage, Sequence[SourceBlock]] = field(default_factory=dict)
    rule_keys: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """The key of the rule at each address: name of its page, and anchor; empty on a page without rules."""

    page_keys: Mapping[str, str] = field(default_factory=dict)
    """The key of the rule that a page with rules is or begins with, by the name of the page."""

    def rules(self) -> Iterator[ImportedRule]:
        return (rule for chapter in self.chapters for rule in chapter.walk())
