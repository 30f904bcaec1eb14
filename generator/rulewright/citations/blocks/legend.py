"""The signs of who acts, as a block of a player aid explains them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from rulewright.book.outline import Outline
from rulewright.book.roles import in_order
from rulewright.citations.blocks.part import Making, Part, Signs


@dataclass(frozen=True, slots=True)
class Shown(Part):
    """The signs that the other blocks of the sheet use."""

    holds = ("legend.everyone",)
    wide = True

    legend: Signs = field(default_factory=Signs)

    def beside(self, others: Sequence[Part], making: Making) -> Part:
        used, book = [part.signs for part in others], making.sheet.edition.book
        everyone = in_order((actor for one in used for actor in one.everyone), book)
        fighters = in_order((actor for one in used for actor in one.fighters), book)
        any_order, never = any(one.any_order for one in used), any(one.never for one in used)
        return replace(self, legend=Signs(everyone, fighters, any_order, never))

    def why_empty(self, outline: Outline) -> str:
        return "nothing on this sheet says who acts; leave the legend out"
