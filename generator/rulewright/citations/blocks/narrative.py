"""The sequence of play in words, as a block of a player aid shows it."""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.book.outline import Outline
from rulewright.citations.blocks.part import Making, Part, down_to, whole_number
from rulewright.model.aid import Block
from rulewright.source.problems import shown


@dataclass(frozen=True, slots=True)
class Shown(Part):
    """The steps that have words."""

    plays = True

    @classmethod
    def of(cls, block: Block, making: Making) -> Part:
        assert block.narrative
        within = down_to(whole_number(block.narrative.depth), making.steps(block.narrative.of))
        steps = tuple(step for step in within if step.told)
        return cls(block, steps, frozenset(steps))

    def why_empty(self, outline: Outline) -> str:
        where = ", ".join(self.said.of) or outline.edition.short
        return f"no step of {shown(where)} has a `narrative:`"
