"""Imposition: the places of a sheet's blocks on sides, in runs of columns, and on the panels of a fold.

Lengths are in mm from the left and the top of the trimmed page.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from rulewright.book.aid_plan import AidPlan, AidSheet
from rulewright.document.blocks import Panel
from rulewright.document.blocks.block_content import BlockContent
from rulewright.document.blocks.cut_out_blocks import CutOutContent
from rulewright.schema.paper import FRONT, Paper, panel_widths
from rulewright.schema.text_document import plain_text

SMALL_PAPER = 170.0
"""Paper narrower than this has narrower margins."""


@dataclass(frozen=True, slots=True)
class Margins:
    """The margins of a page; `gap` is that between its columns, `fold` that beside a fold."""

    top: float
    side: float
    foot: float
    gap: float
    fold: float


@dataclass(frozen=True, slots=True)
class BlockRun:
    """Blocks that share columns, or one that stands across all of them."""

    parts: tuple[BlockContent, ...]
    wide: bool


@dataclass(frozen=True, slots=True)
class PlacedPanel:
    """A panel on its side of the paper: the room for its words, and how far its ground reaches.

    `head`: it bears the title, one panel of each side; `front`: it is read first. `to_left` and `to_right`
    are the distances of its words from the edges of the panel, `at_left` and `at_right` say whether those are
    trimmed and not folded.
    """

    name: str
    x: float
    y: float
    width: float
    height: float
    to_left: float
    to_right: float
    at_left: bool
    at_right: bool
    runs: tuple[BlockRun, ...] = ()
    head: bool = False
    front: bool = False


@dataclass(frozen=True, slots=True)
class CutSide:
    """A side with pieces to cut out: each at its place, by what finds it.

    `cuts`: where it is cut, across the page and down; `back`: it is printed behind the side before it.
    """

    part: CutOutContent
    pieces: tuple[tuple[Any, float, float], ...]
    cuts: tuple[tuple[float, ...], tuple[float, ...]]
    back: bool = False


@dataclass(frozen=True, slots=True)
class SheetSide:
    """A side of a sheet: a page of its own under a title, the sheet's or that of the block `titled_by`.

    A side of a folded sheet has panels instead of runs, and one of what is cut out its pieces.
    """

    title: str
    runs: tuple[BlockRun, ...] = ()
    titled_by: BlockContent | None = None
    panels: tuple[PlacedPanel, ...] = ()
    cut: CutSide | None = None


def margins_of(plan: AidPlan) -> Margins:
    """The margins of a plan's pages."""
    widths = panel_widths(plan.fold, plan.paper)[0]
    if min(*widths, plan.paper.height) < SMALL_PAPER:
        return Margins(top=8, side=7, foot=12, gap=4.5, fold=7)
    return Margins(top=10, side=11, foot=13.5, gap=6, fold=11)


def place_blocks(sheet: AidSheet, panels: Sequence[Panel], plan: AidPlan) -> tuple[SheetSide, ...]:
    """Place the blocks of a sheet on its sides."""
    if plan.fold != "none":
        return tuple(_folded(sheet, panels, plan))
    made: list[SheetSide] = []
    for part in (part for panel in panels for part in panel.parts):
        if isinstance(part, CutOutContent):
            title = plain_text(part.block.title or sheet.aid.title)
            blank = [SheetSide(title)] if part.backs and len(made) % 2 else []
            made += [*blank, *(SheetSide(title, cut=one) for one in place_cut_outs(part, plan.paper))]
            continue
        if not made or part.block.starts == "page" or made[-1].cut:
            titled = part if made and part.block.title else None
            made.append(
                SheetSide(
                    plain_text(titled.block.title if titled and titled.block.title else sheet.aid.title)
                )
            )
            made[-1] = replace(made[-1], titled_by=titled)
        made[-1] = replace(made[-1], runs=tuple(_joined(made[-1].runs, part)))
    return tuple(made)


def place_cut_outs(part: CutOutContent, paper: Paper) -> Iterator[CutSide]:
    """The sides with the pieces of a block, in rows in the middle of the paper, and those of their backs.

    Backs stand from the right, since the sheet is turned over. Without room for one piece there are none.
    """
    wide, high, gap = part.size.width, part.size.height, part.gap
    across, down = part.grid_size(paper)
    pieces = part.expanded_pieces
    for start in range(0, len(pieces), across * down) if across > 0 and down > 0 else ():
        here = pieces[start : start + across * down]
        columns, rows = min(across, len(here)), -(-len(here) // across)
        left = (paper.width - columns * (wide + gap) + gap) / 2
        top = (paper.height - down * (high + gap) + gap) / 2
        xs = [left + (wide + gap) * at for at in range(columns)]
        ys = [top + (high + gap) * at for at in range(rows)]
        cuts = tuple(
            tuple(sorted({round(edge, 3) for place in places for edge in (place, place + one)}))
            for places, one in ((xs, wide), (ys, high))
        )
        for back in (False, True)[: 1 + part.backs]:
            order = xs[::-1] if back else xs
            placed = ((one, order[at % columns], ys[at // columns]) for at, one in enumerate(here))
            yield CutSide(part, tuple(placed), (cuts[0], cuts[1]), back)


def _folded(sheet: AidSheet, panels: Sequence[Panel], plan: AidPlan) -> Iterator[SheetSide]:
    """The sides of a folded sheet, each with the title on a panel: that read first, and one behind it."""
    page, title = margins_of(plan), plain_text(sheet.aid.title)
    first = plan.panels[FRONT[plan.fold]]
    parts: dict[str, list[BlockContent]] = {}
    for panel in panels:
        blocks = parts.setdefault(panel.name if panel.name and panel.name in plan.panels else first, [])
        blocks += [part for part in panel.parts if not isinstance(part, CutOutContent)]
    names = iter(plan.panels)
    for widths in panel_widths(plan.fold, plan.paper)[: plan.sides]:
        here = list(islice(names, len(widths)))
        left = 0.0
        placed = []
        for at, width in enumerate(widths):
            name = here[at]
            at_left, at_right = at == 0, at == len(widths) - 1
            to_left, to_right = (page.side if edge else page.fold for edge in (at_left, at_right))
            runs: tuple[BlockRun, ...] = ()
            for part in parts.get(name, ()):
                runs = tuple(_joined(runs, part))
            room = (
                left + to_left,
                page.top,
                width - to_left - to_right,
                plan.paper.height - page.top - page.foot,
            )
            head = name == first or (at == 0 and first not in here)
            edges = (to_left, to_right, at_left, at_right)
            placed.append(PlacedPanel(name, *room, *edges, runs, head, name == first))
            left += width
        yield SheetSide(title, panels=tuple(placed))


def _joined(runs: tuple[BlockRun, ...], part: BlockContent) -> Iterator[BlockRun]:
    """The runs with one part more, which joins the last one if both stand in columns."""
    wide = bool(part.block.wide) or part.wide
    if runs and not wide and not runs[-1].wide:
        yield from runs[:-1]
        yield BlockRun((*runs[-1].parts, part), False)
    else:
        yield from runs
        yield BlockRun((part,), wide)
