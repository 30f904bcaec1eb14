"""A rule while its title, text and items are found."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from rulewright.imports.blocks import (
    Runs,
    SourceBlock,
)
from rulewright.imports.sources.source_site import SourcePage
from rulewright.numbering.numbering_scheme import RuleNumber

BOLD_LEVEL = 7
"""Level of a label that is no heading."""


@dataclass(slots=True, eq=False)
class RuleDraft:
    """A rule in the making. `level`: of its heading; `depth`: number of lists that its label is in."""

    number: RuleNumber | None
    printed: str
    page: SourcePage
    line: int
    level: int
    depth: int = 0
    head: SourceBlock | None = None
    """The block of its label, without the label."""

    title: Runs = ()
    blocks: list[SourceBlock] = field(default_factory=list)
    closing: list[SourceBlock] = field(default_factory=list)
    rules: list[RuleDraft] = field(default_factory=list)
    item: str = ""
    comments: list[str] = field(default_factory=list)
    strong: bool = False

    @property
    def key(self) -> str:
        return self.number.key if self.number else self.printed

    def walk(self) -> Iterator[RuleDraft]:
        yield self
        for rule in self.rules:
            yield from rule.walk()
