"""The results of tables, each with its meaning, as a block of a player aid shows them."""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.book.outline import Outline
from rulewright.citations.blocks.block_content import BlockContent, BlockContext
from rulewright.citations.blocks.tables_block import tables_named
from rulewright.model.aid import Block
from rulewright.source.located_text import LocatedText
from rulewright.source.problems import quote_short


@dataclass(frozen=True, slots=True)
class ResultsContent(BlockContent):
    """Results with their meanings; those that several tables explain alike once."""

    content_attributes = ("results",)

    results: tuple[tuple[LocatedText, LocatedText], ...] = ()

    @classmethod
    def resolve(cls, block: Block, making: BlockContext) -> BlockContent:
        said: dict[tuple[str, str], tuple[LocatedText, LocatedText]] = {}
        for table in tables_named(block.results, making):
            for name, means in (pair for grid in table.grids() for pair in grid.results.items()):
                said.setdefault((str(name), str(means)), (name, means))
        return cls(block, results=tuple(said.values()))

    def empty_message(self, outline: Outline) -> str:
        return f"{quote_short(', '.join(self.block.results))} explains no results; a table does in `results:`"
