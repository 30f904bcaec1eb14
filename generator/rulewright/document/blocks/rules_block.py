"""Block with the full text of rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rulewright.book.outline import Outline
from rulewright.document.blocks.block_content import EMPTY, BlockContent, BlockContext
from rulewright.files.problems import Problem
from rulewright.references.reference_types import cited_rules
from rulewright.schema.aid import Block


@dataclass(frozen=True, slots=True)
class RulesContent(BlockContent):
    """The listed rules, without duplicates."""

    @classmethod
    def resolve(cls, block: Block, context: BlockContext) -> BlockContent:
        entries = (entry for text in block.rules for entry in context.resolve(text))
        return cls(block, rules=tuple(dict.fromkeys(entries)))

    def empty_message(self, outline: Outline) -> str:
        return ""

    def problems(self, context: BlockContext) -> Iterator[Problem]:
        """Yield the listed rules that have no text."""
        with_table = context.index.tables_by_target
        for text in self.block.rules:
            for reference in context.index.references(text):
                for entry in cited_rules([reference]):
                    if not any(rule.rule or rule in with_table for rule in entry.iter_subtree()):
                        message = f"{entry.key} has no text; transcribe it, or delete it here"
                        yield EMPTY.problem(text.location_of(reference.match.start), message, entry.key)
