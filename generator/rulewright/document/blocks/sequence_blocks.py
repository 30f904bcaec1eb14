"""Blocks that show the sequence of play: in outline, in words, and the game turn as a strip."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from rulewright.book.outline import Outline
from rulewright.document.blocks.block_content import (
    BlockContent,
    BlockContext,
    Signs,
    actors_of_steps,
    combat_actors,
    limit_depth,
    whole_number,
)
from rulewright.schema.aid import Block
from rulewright.schema.text_document import plain_text
from rulewright.sequence.actors import actor_colours, player_sides
from rulewright.sequence.repetition_phrases import ways_with_signs
from rulewright.sequence.sequence_step import SequenceStep


@dataclass(frozen=True, slots=True)
class SequenceContent(BlockContent):
    """Steps down to the depth of the block."""

    plays = True

    @classmethod
    def resolve(cls, block: Block, context: BlockContext) -> BlockContent:
        assert block.sequence
        of, sequence = block.sequence.of, context.sequence_outline.edition.sequence
        steps = context.steps(of)
        displayed = frozenset(limit_depth(whole_number(block.sequence.depth), steps))
        return cls(block, steps, displayed, text=sequence.text if sequence and not of else None)

    @property
    def signs(self) -> Signs:
        """Also the roles that headings of turns show, and the sides that have a colour."""
        pairs = [pair for turn in self.displayed_steps if turn.is_turn for pair in player_sides(turn)]
        colours = {style for turn in self.steps for style in actor_colours(turn.edition.book)}
        sides = (side for _, side in pairs if side.style in colours)
        return Signs(
            (*actors_of_steps(self.displayed_steps), *(role for role, _ in pairs), *sides),
            combat_actors(self.displayed_steps),
            ways_with_signs(self.steps, self.displayed_steps),
        )


@dataclass(frozen=True, slots=True)
class NarrativeContent(BlockContent):
    """The steps that have a narrative."""

    plays = True
    nothing = "none of these steps has a `narrative:`"

    @classmethod
    def resolve(cls, block: Block, context: BlockContext) -> BlockContent:
        assert block.narrative
        displayed = limit_depth(whole_number(block.narrative.depth), context.steps(block.narrative.of))
        steps = tuple(step for step in displayed if step.has_narrative)
        return cls(block, steps, frozenset(steps))


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
    def repeated_turns(self) -> frozenset[SequenceStep]:
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


def step_short_title(step: SequenceStep) -> str:
    """Return the title of a step without the word for its kind, which a row of phases need not say."""
    title, kind = plain_text(step.step.title), step.step.kind
    short_title = title[: -len(kind) - 1]
    return short_title if short_title and title.lower() == f"{short_title} {kind}".lower() else title
