"""Imposition: finished pages laid on the sheets of a press, as a stitched booklet or as cards to be cut.

The pages keep their bleed where nothing stands beside them. What is laid out is for the press alone: it has
no tags and no links, which stay in the PDF that it is made of.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from itertools import chain

import pikepdf
from pikepdf import Array, Dictionary, Name, Page, Pdf

from rulewright.model.paper import MM, Paper
from rulewright.print.preflight.geometry import Box, inherited, rectangle

POINT = 1 / MM["pt"]
MARK_GAP, MARK_LENGTH = 1.0 * POINT, 3.0 * POINT
SLUG = MARK_GAP + MARK_LENGTH + POINT
"""Room for the marks outside the bleed, in points as all that follows."""

CREEP = 0.1
"""Thickness of two leaves of the usual paper, in mm: by so much each sheet pushes out those inside it."""


@dataclass(frozen=True, slots=True)
class _Placed:
    """A page on a sheet: the lower left corner of its trim, and the box within which it is seen."""

    page: int
    x: float
    y: float
    seen: Box


def booklet_order(pages: int) -> list[tuple[int | None, int | None]]:
    """The pages beside each other on each side of a stitched booklet's sheets, the outermost sheet first.

    Pages count from 0; None is a blank one, which fills the last sheet.
    """
    whole = -(-pages // 4) * 4
    sides: list[tuple[int | None, int | None]] = []
    for at in range(whole // 2):
        pair = (at, whole - 1 - at) if at % 2 else (whole - 1 - at, at)
        left, right = (one if one < pages else None for one in pair)
        sides.append((left, right))
    return sides


def booklet(pdf: bytes, creep: float = 0.0) -> bytes:
    """Lay pages out two by two, to be printed on both sides, folded and stitched.

    `creep`: how far the paper of one folded sheet pushes those inside it out, in mm; the pages of inner
    sheets are moved towards the fold by as much. Raises ValueError where the pages are of unlike size.
    """
    with pikepdf.open(BytesIO(pdf)) as source:
        (width, height), bleed = _size(source)
        edge = SLUG + bleed
        middle, low, high = edge + width, SLUG, SLUG + 2 * bleed + height
        sides = []
        for at, (left, right) in enumerate(booklet_order(len(source.pages))):
            moved = creep * POINT * (at // 2)
            placed = []
            if left is not None:
                placed.append(_Placed(left, edge + moved, edge, (SLUG, low, middle, high)))
            if right is not None:
                seen = (middle, low, middle + width + bleed, high)
                placed.append(_Placed(right, middle - moved, edge, seen))
            sides.append(placed)
        size = 2 * (width + edge), height + 2 * edge
        return _laid(source, sides, size, ([edge, middle + width], [edge, edge + height]), bleed)


def cards(pdf: bytes, paper: Paper, *, backs: bool = False) -> bytes:
    """Lay cards out on paper, as many as fit, with marks to cut them by.

    `backs`: every second page is the back of the one before it. Backs stand where a sheet that is turned over
    its long edge brings them. Raises ValueError for cards of unlike size, or too large for the paper.
    """
    with pikepdf.open(BytesIO(pdf)) as source:
        (width, height), bleed = _size(source)
        across, down = paper.width * POINT, paper.height * POINT
        room = 2 * (bleed + MARK_GAP + MARK_LENGTH)
        columns, rows = int((across - room) // width), int((down - room) // height)
        if columns < 1 or rows < 1:
            raise ValueError(f"a card is too large for {paper.name}")
        left, low = (across - columns * width) / 2, (down - rows * height) / 2
        xs = [left + width * at for at in range(columns + 1)]
        ys = [low + height * at for at in range(rows + 1)]
        step = 2 if backs else 1
        sides = []
        fronts, most = range(0, len(source.pages), step), columns * rows
        for group in (fronts[at : at + most] for at in range(0, len(fronts), most)):
            for back in range(step):
                placed = []
                for at, front in enumerate(group):
                    page = front + back
                    row, column = rows - 1 - at // columns, at % columns
                    if back:
                        column = columns - 1 - column
                    if page < len(source.pages):
                        edges = _seen(column, row, xs, ys, bleed)
                        placed.append(_Placed(page, xs[column], ys[row], edges))
                sides.append(placed)
        return _laid(source, sides, (across, down), (xs, ys), bleed)


def _seen(column: int, row: int, xs: Sequence[float], ys: Sequence[float], bleed: float) -> Box:
    """The box of a card: its trim, and its bleed where no other card stands."""
    return (
        xs[column] - bleed * (column == 0),
        ys[row] - bleed * (row == 0),
        xs[column + 1] + bleed * (column + 2 == len(xs)),
        ys[row + 1] + bleed * (row + 2 == len(ys)),
    )


def _boxes(page: Page) -> tuple[Box, Box]:
    """The trim and the bleed of a page. Raises ValueError where it has no size."""
    media = rectangle(inherited(page.obj, "/MediaBox"))
    trim = rectangle(page.obj.get("/TrimBox")) or media
    if trim is None:
        raise ValueError("a page has no size")
    return trim, rectangle(page.obj.get("/BleedBox")) or trim


def _size(source: Pdf) -> tuple[tuple[float, float], float]:
    """The trim that all pages have, and their bleed. Raises ValueError where it is not the same."""
    boxes = [_boxes(page) for page in source.pages]
    sizes = {(round(trim[2] - trim[0], 1), round(trim[3] - trim[1], 1)) for trim, _ in boxes}
    if len(sizes) != 1:
        raise ValueError("the pages are not all of one size" if sizes else "there are no pages")
    trim, bleed = boxes[0]
    return (trim[2] - trim[0], trim[3] - trim[1]), max(0.0, trim[0] - bleed[0])


def _laid(
    source: Pdf,
    sides: Sequence[Sequence[_Placed]],
    size: tuple[float, float],
    cuts: tuple[Sequence[float], Sequence[float]],
    bleed: float,
) -> bytes:
    made = Pdf.new()
    forms, trims = {}, {}
    for at in dict.fromkeys(one.page for one in chain.from_iterable(sides)):
        page = source.pages[at]
        trims[at], page.obj.TrimBox = _boxes(page)[0], Array(_boxes(page)[1])
        forms[at] = made.copy_foreign(page.as_form_xobject())  # its box is that trim, which is the bleed
    for placed in sides:
        made.add_blank_page(page_size=size)
        page = made.pages[-1]
        names = Dictionary({f"/P{one.page}": forms[one.page] for one in placed})
        tint = Dictionary(FunctionType=2, Domain=Array([0, 1]), N=1, C0=Array([0] * 4), C1=Array([1] * 4))
        every = Array([Name.Separation, Name.All, Name.DeviceCMYK, tint])
        page.obj.Resources = Dictionary(XObject=names, ColorSpace=Dictionary(All=every))
        content = [_drawn(one, trims[one.page]) for one in placed]
        page.obj.Contents = made.make_stream("\n".join([*content, _marks(size, cuts, bleed)]).encode())
        xs, ys = cuts
        page.obj.TrimBox = Array([xs[0], ys[0], xs[-1], ys[-1]])
        page.obj.BleedBox = Array([xs[0] - bleed, ys[0] - bleed, xs[-1] + bleed, ys[-1] + bleed])
    file = BytesIO()
    made.save(file, deterministic_id=True)
    return file.getvalue()


def _drawn(one: _Placed, trim: Box) -> str:
    left, low, right, high = one.seen
    clip = f"{left:.3f} {low:.3f} {right - left:.3f} {high - low:.3f} re W n"
    return f"q {clip} 1 0 0 1 {one.x - trim[0]:.3f} {one.y - trim[1]:.3f} cm /P{one.page} Do Q"


def _marks(size: tuple[float, float], cuts: tuple[Sequence[float], Sequence[float]], bleed: float) -> str:
    """Marks in line with every cut, outside of everything that is printed."""
    xs, ys = cuts
    far = bleed + MARK_GAP
    lines = []
    for x in xs:
        for begin, way in ((ys[0] - far, -1), (ys[-1] + far, 1)):
            lines.append(f"{x:.3f} {begin:.3f} m {x:.3f} {begin + way * MARK_LENGTH:.3f} l S")
    for y in ys:
        for begin, way in ((xs[0] - far, -1), (xs[-1] + far, 1)):
            lines.append(f"{begin:.3f} {y:.3f} m {begin + way * MARK_LENGTH:.3f} {y:.3f} l S")
    return " ".join(("q 0.25 w /All CS 1 SCN", *lines, "Q"))
