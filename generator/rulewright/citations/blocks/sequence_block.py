"""Block with an outline of the sequence of play."""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.citations.blocks.block_content import (
    ActorSigns,
    BlockContent,
    BlockContext,
    actors_of_steps,
    limit_depth,
    whole_number,
)
from rulewright.citations.repetition_phrases import any_order_list
from rulewright.model.aid import Block


@dataclass(frozen=True, slots=True)
class SequenceContent(BlockContent):
    """Steps down to the depth of the block."""

    plays = True

    @classmethod
    def resolve(cls, block: Block, context: BlockContext) -> BlockContent:
        assert block.sequence
        steps, sequence = context.steps(block.sequence.of), context.sequence_outline.edition.sequence
        displayed = frozenset(limit_depth(whole_number(block.sequence.depth), steps))
        return cls(
            block, steps, displayed, text=sequence.text if sequence and not block.sequence.of else None
        )

    @property
    def signs(self) -> ActorSigns:
        any_order = any_order_list(self.steps, self.displayed_steps)
        combat = (step for step in self.displayed_steps if step.is_combat)
        return ActorSigns(actors_of_steps(self.displayed_steps), actors_of_steps(combat), any_order)
