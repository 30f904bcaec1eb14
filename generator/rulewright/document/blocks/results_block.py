"""Block with the results of tables and their meanings."""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.book.outline import Outline
from rulewright.document.blocks.block_content import BlockContent, BlockContext
from rulewright.document.blocks.tables_block import tables_named
from rulewright.files.located_text import LocatedText
from rulewright.files.problems import quote_short
from rulewright.schema.aid import Block


@dataclass(frozen=True, slots=True)
class ResultsContent(BlockContent):
    """Results with their meanings, without duplicates of several tables."""

    content_attributes = ("results",)

    results: tuple[tuple[LocatedText, LocatedText], ...] = ()

    @classmethod
    def resolve(cls, block: Block, context: BlockContext) -> BlockContent:
        results: dict[tuple[str, str], tuple[LocatedText, LocatedText]] = {}
        for table in tables_named(block.results, context):
            for grid in table.grids():
                for name, meaning in grid.results.items():
                    results.setdefault((str(name), str(meaning)), (name, meaning))
        return cls(block, results=tuple(results.values()))

    def empty_message(self, outline: Outline) -> str:
        return (
            f"{quote_short(', '.join(self.block.results))} explains no results; add `results:` to the table"
        )
