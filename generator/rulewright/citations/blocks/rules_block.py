"""Rules in full, as a block of a player aid shows them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rulewright.book.outline import Outline
from rulewright.citations.blocks.block_content import EMPTY, BlockContent, BlockContext
from rulewright.model.aid import Block
from rulewright.source.problems import Problem


@dataclass(frozen=True, slots=True)
class RulesContent(BlockContent):
    """The rules that are named, each once."""

    @classmethod
    def resolve(cls, block: Block, context: BlockContext) -> BlockContent:
        entries = (entry for text in block.rules for entry in context.resolve(text))
        return cls(block, rules=tuple(dict.fromkeys(entries)))

    def empty_message(self, outline: Outline) -> str:
        return ""

    def problems(self, context: BlockContext) -> Iterator[Problem]:
        """Rules without text, each told by itself."""
        with_table = {table.entry for tables in context.shelf.tables.values() for table in tables}
        for text in self.block.rules:
            for reference in context.shelf.references(text):
                for entry in (
                    *reference.rules_in_range,
                    *([reference.target] if reference.target and not reference.fault else ()),
                ):
                    if not any(rule.rule or rule in with_table for rule in entry.iter_subtree()):
                        message = f"{entry.key} has no text here; transcribe it, or leave it out"
                        yield EMPTY.problem(text.location_of(reference.match.start), message, entry.key)
