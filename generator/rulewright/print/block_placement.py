"""Placement of the blocks of a sheet on its sides and panels, and of pieces to cut out on pages.

Where blocks are on a page is decided by the template. Lengths are in mm.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rulewright.book.aid_plan import AidPlan, AidSheet
from rulewright.document.blocks import Panel
from rulewright.document.blocks.block_content import BlockContent
from rulewright.document.blocks.cut_out_blocks import CutOutContent
from rulewright.schema.paper import FRONT, Paper, panel_widths
from rulewright.schema.text_document import plain_text

Blocks = list[BlockContent]


@dataclass(frozen=True, slots=True)
class SideArea:
    """A flat side, or a panel of a folded sheet with the empty ones after it, in which its blocks go on."""

    name: str
    blocks: Blocks
    panels: list[tuple[float, float]]
    """Distance of each panel from the left edge of the paper, and its width."""
    is_front: bool = False
    """It is read first, and has the title of the sheet."""


@dataclass(frozen=True, slots=True)
class SheetSide:
    """Side of a sheet: areas with blocks, or pieces to cut out."""

    title: str
    areas: Sequence[SideArea] = ()
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
                sides.append(SheetSide(block_title))  # blank, so that each back is on the sheet of its front
            sides += _cut_out_sides(part, block_title, plan.paper)
        elif not sides or part.block.starts == "page" or sides[-1].cut:
            title = block_title if sides else plain_text(sheet.aid.title)
            sides.append(SheetSide(title, [SideArea(title, [part], [(0.0, plan.paper.width)])]))
        else:
            sides[-1].areas[0].blocks.append(part)
    return tuple(sides)


def _cut_out_sides(part: CutOutContent, title: str, paper: Paper) -> Iterator[SheetSide]:
    """Yield the sides with the pieces of a block, each followed by that of its backs."""
    across, down = part.grid_size(paper)
    pieces, count = part.expanded_pieces, across * down
    for start in range(0, len(pieces), count) if count else ():
        for is_back in (False, True)[: 1 + part.backs]:
            yield SheetSide(title, cut=part, pieces=tuple(pieces[start : start + count]), is_back=is_back)


def _folded_sides(sheet: AidSheet, panels: Sequence[Panel], plan: AidPlan) -> Iterator[SheetSide]:
    """Yield the sides of a folded sheet."""
    front = plan.panels[FRONT[plan.fold]]
    blocks: dict[str, Blocks] = {name: [] for name in plan.panels}
    for panel in panels:
        name = panel.name if panel.name in blocks else front
        blocks[name] += [part for part in panel.parts if not isinstance(part, CutOutContent)]
    names = list(plan.panels)
    for widths in panel_widths(plan.fold, plan.paper)[: plan.sides]:
        side_names, names = names[: len(widths)], names[len(widths) :]
        x, areas = 0.0, list[SideArea]()
        for name, width in zip(side_names, widths, strict=True):
            if areas and not blocks[name] and name != front:
                areas[-1].panels.append((x, width))
            else:
                areas.append(SideArea(name, blocks[name], [(x, width)], name == front))
            x += width
        yield SheetSide(plain_text(sheet.aid.title), areas)
