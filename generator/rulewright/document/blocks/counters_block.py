"""Block with counters of the book to cut out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rulewright.book.outline import Outline
from rulewright.document.blocks.block_content import BlockContent, BlockContext
from rulewright.document.blocks.cut_out_pieces import CutOutContent, parse_gap
from rulewright.files.located_text import LocatedText
from rulewright.schema.aid import Block
from rulewright.schema.diagram_model import Counter

GAP = 4.0
"""Usual gap between counters, in mm, so that each has a bleed of its own."""


@dataclass(frozen=True, slots=True)
class CountersContent(CutOutContent):
    """The listed counters or those of the listed sides, in the number that the game has of each."""

    content_attributes = ("pieces",)
    default_size = "15 mm"

    @classmethod
    def resolve(cls, block: Block, context: BlockContext) -> BlockContent:
        spec, known = block.counters, context.sheet.edition.book.counters
        assert spec
        counters = (
            {name: known[name] for of in spec.of for name in counters_named(of, known)} if spec.of else known
        )
        return cls(
            block,
            size=cls.parse_size(spec.size),
            gap=parse_gap(spec.gap) if spec.gap else GAP,
            pieces=tuple((str(name), counter.count) for name, counter in counters.items()),
            backs=any(counter.back for counter in counters.values()),
        )

    def empty_message(self, outline: Outline) -> str:
        return f"{outline.edition.short} has no counters; list them in rulebook.yml"


def counters_named(of: str, counters: Mapping[LocatedText, Counter]) -> list[LocatedText]:
    """Return the counter with a name or, if there is none, the counters of a side."""
    return [name for name in counters if name == of] or [
        name for name, counter in counters.items() if counter.side == of
    ]
