"""Blocks that show the sequence of play: in outline, in words, and the game turn as a strip."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise

from rulewright.book.outline import Outline
from rulewright.document.blocks.block_content import (
    BlockContent,
    BlockContext,
    limit_depth,
    whole_number,
)
from rulewright.files.located_text import LocatedText
from rulewright.schema.aid import Block
from rulewright.schema.text_document import plain_text
from rulewright.sequence.sequence_step import SequenceStep


@dataclass(frozen=True, slots=True)
class SequenceContent(BlockContent):
    """Steps down to the depth of the block."""

    plays = True
    displayed_steps: frozenset[SequenceStep] = field(default=frozenset(), repr=False)
    text: LocatedText | None = None  # the text on the whole sequence of play

    @classmethod
    def resolve(cls, block: Block, context: BlockContext) -> BlockContent:
        assert block.sequence
        of, sequence = block.sequence.of, context.sequence_outline.edition.sequence
        steps = context.steps(of)
        displayed = frozenset(limit_depth(whole_number(block.sequence.depth), steps))
        text = sequence.text if sequence and not of else None
        return cls(block, steps, displayed_steps=displayed, text=text)


@dataclass(frozen=True, slots=True)
class NarrativeContent(BlockContent):
    """The steps that have a narrative."""

    plays = True
    nothing = "none of these steps has a `narrative:`"

    @classmethod
    def resolve(cls, block: Block, context: BlockContext) -> BlockContent:
        assert block.narrative
        displayed = limit_depth(whole_number(block.narrative.depth), context.steps(block.narrative.of))
        return cls(block, tuple(step for step in displayed if step.has_narrative))


@dataclass(frozen=True, slots=True)
class TurnContent(BlockContent):
    """The steps of the game turn, with the steps of its player turns."""

    wide = plays = True

    @classmethod
    def resolve(cls, block: Block, context: BlockContext) -> BlockContent:
        return cls(block, tuple(side_by_side(context.sequence_outline)))

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
    is_named_by_kind = title.lower().endswith(f" {kind}".lower())
    return title[: -len(kind) - 1].rstrip(" ,") or title if is_named_by_kind else title
