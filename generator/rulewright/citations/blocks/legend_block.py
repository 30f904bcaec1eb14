"""The signs of who acts, as a block of a player aid explains them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from rulewright.book.actors import sort_actors
from rulewright.book.outline import Outline
from rulewright.citations.blocks.block_content import ActorSigns, BlockContent, BlockContext


@dataclass(frozen=True, slots=True)
class LegendContent(BlockContent):
    """The signs that the other blocks of the sheet use."""

    content_attributes = ("legend.everyone",)
    wide = True

    legend: ActorSigns = field(default_factory=ActorSigns)

    def adapt_to_sheet(self, others: Sequence[BlockContent], making: BlockContext) -> BlockContent:
        used, book = [part.signs for part in others], making.sheet.edition.book
        everyone = sort_actors((actor for one in used for actor in one.everyone), book)
        fighters = sort_actors((actor for one in used for actor in one.fighters), book)
        any_order, never = any(one.any_order for one in used), any(one.never for one in used)
        return replace(self, legend=ActorSigns(everyone, fighters, any_order, never))

    def empty_message(self, outline: Outline) -> str:
        return "nothing on this sheet says who acts; leave the legend out"
