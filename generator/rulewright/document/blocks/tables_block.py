"""Block with full tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rulewright.book.outline import Outline
from rulewright.book.table_entries import TableEntry
from rulewright.document.blocks.block_content import BlockContent, BlockContext
from rulewright.schema.aid import ALL, Block


@dataclass(frozen=True, slots=True)
class TablesContent(BlockContent):
    """The listed tables, without duplicates."""

    @classmethod
    def resolve(cls, block: Block, context: BlockContext) -> BlockContent:
        return cls(block, tables=tuple(dict.fromkeys(tables_named(block.tables, context))))

    def empty_message(self, outline: Outline) -> str:
        return f"{outline.edition.short} has no tables"


def tables_named(names: Sequence[str], context: BlockContext) -> Iterator[TableEntry]:
    """Yield the tables with the names; `ALL` stands for all tables of the edition."""
    edition = context.outline.edition
    for name in names:
        if name == ALL:
            yield from context.index.editions[edition.address].tables
        elif table := context.index.find_table(edition, name):
            yield table
