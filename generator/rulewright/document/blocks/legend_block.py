"""Block that explains the signs of actors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from rulewright.book.outline import Outline
from rulewright.document.blocks.block_content import ActorSigns, BlockContent, BlockContext
from rulewright.sequence.actors import sort_actors


@dataclass(frozen=True, slots=True)
class LegendContent(BlockContent):
    """The signs that the other blocks of the sheet use."""

    content_attributes = ("legend.everyone",)
    wide = True

    legend: ActorSigns = field(default_factory=ActorSigns)

    def adapt_to_sheet(self, blocks_on_sheet: Sequence[BlockContent], context: BlockContext) -> BlockContent:
        used, book = [part.signs for part in blocks_on_sheet], context.sheet.edition.book
        everyone = sort_actors((actor for signs in used for actor in signs.everyone), book)
        fighters = sort_actors((actor for signs in used for actor in signs.fighters), book)
        list_signs = frozenset(way for signs in used for way in signs.list_signs)
        never = any(signs.never for signs in used)
        return replace(self, legend=ActorSigns(everyone, fighters, list_signs, never))

    def empty_message(self, outline: Outline) -> str:
        return "nothing on this sheet says who acts; delete the legend"
