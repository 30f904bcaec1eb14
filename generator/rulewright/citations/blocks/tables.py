"""Tables in full, as a block of a player aid shows them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rulewright.book.outline import Outline
from rulewright.book.tables import TableEntry
from rulewright.citations.blocks.part import Making, Part
from rulewright.model.aid import ALL, Block


@dataclass(frozen=True, slots=True)
class Shown(Part):
    """The tables that are named, each once."""

    @classmethod
    def of(cls, block: Block, making: Making) -> Part:
        return cls(block, tables=tuple(dict.fromkeys(named(block.tables, making))))

    def why_empty(self, outline: Outline) -> str:
        return f"{outline.edition.short} has no tables"


def named(names: Sequence[str], making: Making) -> Iterator[TableEntry]:
    """The tables of some names."""
    edition = making.outline.edition
    for name in names:
        if name == ALL:
            yield from making.shelf.tables[edition.address]
        elif table := making.shelf.table(edition, name):
            yield table
