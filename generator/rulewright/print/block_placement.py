"""Placement of the blocks of a sheet on its sides and panels, and of pieces to cut out on pages.

Where blocks are on a page is decided by the template. Lengths are in mm.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rulewright.book.aid_plan import AidPlan, AidSheet
from rulewright.document.blocks import Panel
from rulewright.document.blocks.block_content import BlockContent
from rulewright.document.blocks.cut_out_blocks import CutOutContent
from rulewright.schema.paper import FRONT, Paper, panel_widths
from rulewright.schema.text_document import plain_text

Blocks = tuple[BlockContent, ...]


@dataclass(frozen=True, slots=True)
class SidePanel:
    """Panel on a side of a folded sheet."""

    name: str
    x: float
    """Distance from the left edge of the paper."""
    width: float
    blocks: Blocks
    is_front: bool
    """It is read first, and has the title of the sheet."""
    has_title: bool
    """It has the title of its side."""


@dataclass(frozen=True, slots=True)
class SheetSide:
    """Side of a sheet: blocks below a title, panels of a fold, or pieces to cut out."""

    title: str
    blocks: Blocks = ()
    titled_by: BlockContent | None = None
    """The block whose title is that of the side."""
    panels: tuple[SidePanel, ...] = ()
    cut: CutOutContent | None = None
    pieces: tuple[Any, ...] = ()
    is_back: bool = False
    """It has the backs of the pieces of the side before it."""


def place_blocks(sheet: AidSheet, panels: Sequence[Panel], plan: AidPlan) -> tuple[SheetSide, ...]:
    """Place the blocks of a sheet on its sides."""
    if plan.fold != "none":
        return tuple(_folded_sides(sheet, panels, plan))
    sides: list[SheetSide] = []
    for part in (part for panel in panels for part in panel.parts):
        block_title = plain_text(part.block.title or sheet.aid.title)
        if isinstance(part, CutOutContent):
            if part.backs and len(sides) % 2:
                sides.append(SheetSide(block_title))  # blank, so that backs are printed behind their fronts
            sides += _cut_out_sides(part, block_title, plan.paper)
        elif not sides:
            sides.append(SheetSide(plain_text(sheet.aid.title), (part,)))
        elif part.block.starts == "page" or sides[-1].cut:
            sides.append(SheetSide(block_title, (part,), part if part.block.title else None))
        else:
            sides[-1] = replace(sides[-1], blocks=(*sides[-1].blocks, part))
    return tuple(sides)


def _cut_out_sides(part: CutOutContent, title: str, paper: Paper) -> Iterator[SheetSide]:
    """Yield the sides with the pieces of a block, each followed by that of its backs."""
    across, down = part.grid_size(paper)
    pieces, count = part.expanded_pieces, across * down
    for start in range(0, len(pieces), count) if count else ():
        for is_back in (False, True)[: 1 + part.backs]:
            yield SheetSide(title, cut=part, pieces=tuple(pieces[start : start + count]), is_back=is_back)


def _folded_sides(sheet: AidSheet, panels: Sequence[Panel], plan: AidPlan) -> Iterator[SheetSide]:
    """Yield the sides of a folded sheet, each with the title on its front panel, or else on its first."""
    front = plan.panels[FRONT[plan.fold]]
    blocks = dict.fromkeys(plan.panels, Blocks())
    for panel in panels:
        name = panel.name if panel.name in blocks else front
        blocks[name] += tuple(part for part in panel.parts if not isinstance(part, CutOutContent))
    names = list(plan.panels)
    for widths in panel_widths(plan.fold, plan.paper)[: plan.sides]:
        side_names, names = names[: len(widths)], names[len(widths) :]
        titled = front if front in side_names else side_names[0]
        x, placed = 0.0, []
        for name, width in zip(side_names, widths, strict=True):
            placed.append(SidePanel(name, x, width, blocks[name], name == front, name == titled))
            x += width
        yield SheetSide(plain_text(sheet.aid.title), panels=tuple(placed))
