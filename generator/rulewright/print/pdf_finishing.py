"""Finish of a PDF for the press: its boxes, crop marks, inks and row headers, on what Typst made.

The tags of PDF/UA stay. The same bytes come of the same bytes: there is no clock and no chance in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import cast

import pikepdf
from pikepdf import Array, Dictionary, Name, Object, Pdf, String

from rulewright.print.colour_separation import ColourSeparation
from rulewright.print.page_geometry import Box, expand_box, rectangle, union_box
from rulewright.print.pdf_objects import (
    PROMISE,
    array_items,
    array_or_single,
    dictionary_value,
    walk_tree,
)
from rulewright.schema.paper import MM

SLUG = 8.0
"""Distance that the paper reaches beyond the bleed where there are crop marks, in mm."""

MARK_GAP, MARK_LENGTH, HAIRLINE = 2.0, 5.0, 0.25
"""Crop marks: how far from the bleed they begin and how long they are, in mm; how thick, in points."""

EVERY_INK = "/RwAll"


@dataclass(frozen=True, slots=True)
class FinishOptions:
    """Options of the finish of a PDF."""

    bleed: float = 0.0  # mm
    marks: bool = False
    ink: str = "colour"  # or black
    inks: frozenset[str] = frozenset()
    """Names of the spot inks that keep plates of their own."""
    folds: tuple[tuple[float, ...], ...] = ()
    """Distances of the folds from the left edge in mm, page after page and again from the first."""
    promise: str = ""
    """What preflight verifies, written into the file."""


def finish_pdf(pdf: bytes, how: FinishOptions) -> bytes:
    """Finish a PDF for the press."""
    with pikepdf.open(BytesIO(pdf)) as opened:
        ColourSeparation(opened, how.ink == "black", how.inks).apply()
        for at, page in enumerate(opened.pages):
            folds = how.folds[at % len(how.folds)] if how.folds else ()
            _boxes(opened, page.obj, how, folds)
        tag_row_headers(opened)
        if how.promise:
            opened.docinfo[PROMISE] = String(how.promise)
        file = BytesIO()
        opened.save(file, deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.generate)
    return file.getvalue()


def _boxes(pdf: Pdf, page: Dictionary, how: FinishOptions, folds: tuple[float, ...]) -> None:
    """Set the boxes of a page, which may have its trim, and draw its marks."""
    media, trim = rectangle(pikepdf.Page(page).mediabox), rectangle(pikepdf.Page(page).trimbox)
    unit = 1 / MM["pt"]
    bleed = expand_box(trim, how.bleed * unit)
    if how.marks:
        media = expand_box(bleed, SLUG * unit)
        near = (how.bleed + MARK_GAP) * unit
        far = near + MARK_LENGTH * unit
        ink = "0 0 0 1 K" if how.ink == "black" else f"{EVERY_INK} CS 1 SCN"
        plain, broken = _drawn(corner_marks(trim, near, far)), _drawn(fold_marks(trim, folds, near, far))
        drawn = f"/Artifact BMC q {HAIRLINE} w {ink} {plain} [2 2] 0 d {broken} Q EMC"
        pikepdf.Page(page).contents_add(pdf.make_stream(drawn.encode("ascii")))
        if how.ink != "black":
            page.Resources.ColorSpace = page.Resources.get("/ColorSpace", Dictionary())
            page.Resources.ColorSpace[EVERY_INK] = every_ink()
    else:
        media = union_box(media, bleed)
    for name, box in (("MediaBox", media), ("CropBox", media), ("BleedBox", bleed), ("TrimBox", trim)):
        page[f"/{name}"] = Array([round(edge, 4) for edge in box])


def corner_marks(box: Box, near: float, far: float) -> Iterator[Box]:
    """Two lines at each corner of a box, from one distance outside it to another."""
    for x, across in ((box[0], -1), (box[2], 1)):
        for y, down in ((box[1], -1), (box[3], 1)):
            yield x + across * near, y, x + across * far, y
            yield x, y + down * near, x, y + down * far


def every_ink() -> Array:
    """The colour space of marks: all the inks that there are."""
    none, full = Array([0] * 4), Array([1] * 4)
    function = Dictionary(FunctionType=2, Domain=Array([0, 1]), N=1, C0=none, C1=full)
    return Array([Name.Separation, Name.All, Name.DeviceCMYK, function])


def fold_marks(box: Box, folds: Iterable[float], near: float, far: float) -> Iterator[Box]:
    """A line above and below a box at each fold; `folds` in mm from its left."""
    for x in (box[0] + fold / MM["pt"] for fold in folds):
        yield x, box[1] - near, x, box[1] - far
        yield x, box[3] + near, x, box[3] + far


def _drawn(lines: Iterable[Box]) -> str:
    return " ".join(f"{x1:.3f} {y1:.3f} m {x2:.3f} {y2:.3f} l S" for x1, y1, x2, y2 in lines)


# Row headers.


def tag_row_headers(pdf: Pdf) -> None:
    """Make the first cell of each row a header of the row, in tables that have a header row.

    Typst tags headers of columns alone. Its cells name their headers, so they name this one too.
    """
    elements = list(walk_tree(dictionary_value(pdf.Root, "/StructTreeRoot", "/K"), "/K"))
    for at, table in enumerate(element for element in elements if element.get("/S") == Name.Table):
        _head_rows_of(table, at)
    named = {bytes(element.ID): element for element in elements if isinstance(element.get("/ID"), String)}
    if named:
        names = [part for key in sorted(named) for part in (String(key), named[key])]
        pdf.Root.StructTreeRoot.IDTree = pdf.make_indirect(Dictionary(Names=Array(names)))


def _head_rows_of(table: Dictionary, number: int) -> None:
    bodies = (Name.THead, Name.TBody, Name.TFoot)
    groups = [kid for kid in _kids(table) if kid.get("/S") in (*bodies, Name.TR)]
    rows = [
        row
        for kid in groups
        for row in (_kids(kid) if kid.S in bodies else [kid])
        if row.get("/S") == Name.TR
    ]
    cells = [[cell for cell in _kids(row) if cell.get("/S") in (Name.TH, Name.TD)] for row in rows]
    if not cells or not all(cell.S == Name.TH for cell in cells[0]):
        return
    left, head = 0, None
    for at, row in enumerate(cells):
        if left == 0 and row:  # its first cell stands in the first column
            first, *others = row
            attributes = _table_attributes(first)
            left = max(1, int(attributes.get("/RowSpan", 1)))
            head = None
            if first.S == Name.TD and others and len(first.get("/K", Array())):
                head = String(f"row {number}.{at}")
                first.S, first.ID, attributes.Scope = Name.TH, head, Name.Row
        else:
            others = row
        left -= left > 0
        for cell in others if head is not None else ():
            attributes = _table_attributes(cell)
            attributes.Headers = Array([*attributes.get("/Headers", Array()), head])


def _table_attributes(cell: Object) -> Object:
    own = cell.get("/A")
    for one in array_or_single(own):
        if dictionary_value(one, "/O") == Name.Table:
            return cast(Object, one)
    cell.A = Array([Dictionary(O=Name.Table), *array_items(own)])
    return cast(Object, cell.A[0])


def _kids(element: Object) -> list[Dictionary]:
    return [kid for kid in array_or_single(element.get("/K")) if isinstance(kid, Dictionary) and "/S" in kid]
