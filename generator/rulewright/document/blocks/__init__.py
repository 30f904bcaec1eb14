"""Contents of the blocks of a player aid: the steps, tables and rules that the templates render, in order.

A kind of block is a field of `schema.aid.Block` and a template in `templates/aids/blocks/`. A kind that shows
more than its own YAML also has a class, which `CONTENTS` names.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rulewright.book.aid_plan import AidSheet, blocks_by_panel
from rulewright.document.blocks.block_content import BlockContent, BlockContext
from rulewright.document.blocks.checklist_block import ChecklistContent
from rulewright.document.blocks.cut_out_blocks import CardsContent, CountersContent
from rulewright.document.blocks.matrix_block import MatrixContent
from rulewright.document.blocks.reference_blocks import (
    ErrataContent,
    LegendContent,
    ResultsContent,
    RulesContent,
    TablesContent,
)
from rulewright.document.blocks.sequence_blocks import NarrativeContent, SequenceContent, TurnContent
from rulewright.document.blocks.track_block import TrackContent
from rulewright.references.reference_index import ReferenceIndex

CONTENTS: Mapping[str, type[BlockContent]] = {
    "cards": CardsContent,
    "checklist": ChecklistContent,
    "counters": CountersContent,
    "errata": ErrataContent,
    "legend": LegendContent,
    "matrix": MatrixContent,
    "narrative": NarrativeContent,
    "results": ResultsContent,
    "rules": RulesContent,
    "sequence": SequenceContent,
    "tables": TablesContent,
    "track": TrackContent,
    "turn": TurnContent,
}
"""Classes of the kinds of block that show more than their own YAML, by key."""


@dataclass(frozen=True, slots=True)
class Panel:
    """The blocks of a panel."""

    name: str | None
    """None for the blocks before the first panel, and on a sheet without panels."""

    parts: tuple[BlockContent, ...]


def block_contents(sheet: AidSheet, index: ReferenceIndex) -> list[Panel]:
    """Return the contents of the blocks of a sheet, by panel."""
    context = BlockContext(sheet, index, CONTENTS)
    return [
        Panel(name and str(name), tuple(map(context.part, blocks)))
        for name, blocks in blocks_by_panel(sheet.aid)
    ]
