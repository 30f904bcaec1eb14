"""Block with the phases of a game turn as a strip."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from rulewright.book.outline import Outline
from rulewright.document.blocks.block_content import BlockContent, BlockContext
from rulewright.schema.aid import Block
from rulewright.sequence.sequence_step import SequenceStep


@dataclass(frozen=True, slots=True)
class TurnContent(BlockContent):
    """The steps of the game turn, with the steps of its player turns."""

    wide = plays = True

    @classmethod
    def resolve(cls, block: Block, context: BlockContext) -> BlockContent:
        steps = tuple(side_by_side(context.sequence_outline))
        inside = (inner for step in steps if step.is_turn for inner in step.inner)
        return cls(block, steps, frozenset((*steps, *inside)))

    @property
    def is_repeated_part(self) -> frozenset[SequenceStep]:
        return repeated_turns(self.steps)


def side_by_side(outline: Outline) -> list[SequenceStep]:
    """Return the outermost steps of the game turn, which its diagram shows side by side."""
    steps = outline.sequence.steps
    while len(steps) == 1 and steps[0].is_turn and steps[0].inner:
        steps = steps[0].inner
    return steps


def repeated_turns(steps: Iterable[SequenceStep]) -> frozenset[SequenceStep]:
    """Return the turns that repeat the turn directly before them without steps of their own."""
    turns = pairwise(step for step in steps if step.is_turn)
    return frozenset(
        step for before, step in turns if step.repeats_step is before and before.inner and not step.own_steps
    )
