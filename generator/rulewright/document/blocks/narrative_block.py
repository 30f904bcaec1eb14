"""Block with the narrative of the sequence of play."""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.book.outline import Outline
from rulewright.document.blocks.block_content import BlockContent, BlockContext, limit_depth, whole_number
from rulewright.files.problems import quote_short
from rulewright.schema.aid import Block


@dataclass(frozen=True, slots=True)
class NarrativeContent(BlockContent):
    """The steps that have a narrative."""

    plays = True

    @classmethod
    def resolve(cls, block: Block, context: BlockContext) -> BlockContent:
        assert block.narrative
        displayed = limit_depth(whole_number(block.narrative.depth), context.steps(block.narrative.of))
        steps = tuple(step for step in displayed if step.has_narrative)
        return cls(block, steps, frozenset(steps))

    def empty_message(self, outline: Outline) -> str:
        subject = ", ".join(self.yaml_value.of) or outline.edition.short
        return f"no step of {quote_short(subject)} has a `narrative:`"
