"""Block with an outline of the sequence of play."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rulewright.document.blocks.block_content import (
    ActorSigns,
    BlockContent,
    BlockContext,
    actors_of_steps,
    limit_depth,
    whole_number,
)
from rulewright.schema.aid import Block
from rulewright.sequence.actors import Actor, actor_colours, player_sides
from rulewright.sequence.repetition_phrases import ways_with_signs


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
        list_signs = ways_with_signs(self.steps, self.displayed_steps)
        combat = (step for step in self.displayed_steps if step.is_combat)
        shown = (*actors_of_steps(self.displayed_steps), *self._actors_of_headings())
        return ActorSigns(shown, actors_of_steps(combat), list_signs)

    def _actors_of_headings(self) -> Iterator[Actor]:
        """Yield the roles that headings of turns show, and the sides that have a colour."""
        for turn in self.displayed_steps:
            for role, side in player_sides(turn) if turn.is_turn else ():
                yield role
                if side.style in actor_colours(turn.edition.book):
                    yield side
