"""The sequence of play in outline, as a block of a player aid shows it."""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.citations.blocks.part import Making, Part, Signs, actors, down_to, whole_number
from rulewright.citations.repeats import in_any_order
from rulewright.model.aid import Block


@dataclass(frozen=True, slots=True)
class Shown(Part):
    """Steps down to the depth that is asked for."""

    plays = True

    @classmethod
    def of(cls, block: Block, making: Making) -> Part:
        assert block.sequence
        steps, sequence = making.steps(block.sequence.of), making.played.edition.sequence
        shown = frozenset(down_to(whole_number(block.sequence.depth), steps))
        return cls(block, steps, shown, text=sequence.text if sequence and not block.sequence.of else None)

    @property
    def signs(self) -> Signs:
        any_order = in_any_order(self.steps, self.shown)
        combat = (step for step in self.shown if step.combat)
        return Signs(actors(self.shown), actors(combat), any_order)
