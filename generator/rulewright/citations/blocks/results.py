"""The results of tables, each with its meaning, as a block of a player aid shows them."""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.book.outline import Outline
from rulewright.citations.blocks.part import Making, Part
from rulewright.citations.blocks.tables import named
from rulewright.model.aid import Block
from rulewright.source.problems import shown
from rulewright.source.text import Text


@dataclass(frozen=True, slots=True)
class Shown(Part):
    """Results with their meanings; those that several tables explain alike once."""

    holds = ("results",)

    results: tuple[tuple[Text, Text], ...] = ()

    @classmethod
    def of(cls, block: Block, making: Making) -> Part:
        said: dict[tuple[str, str], tuple[Text, Text]] = {}
        for table in named(block.results, making):
            for name, means in (pair for grid in table.grids() for pair in grid.results.items()):
                said.setdefault((str(name), str(means)), (name, means))
        return cls(block, results=tuple(said.values()))

    def why_empty(self, outline: Outline) -> str:
        return f"{shown(', '.join(self.block.results))} explains no results; a table does in `results:`"
