"""Imposition of finished pages, which `templates/print/impose.typ` lays out: n-up sheets and booklets.

Pages keep their fonts, inks and bleed. Links and tags are left out: nobody reads a sheet that is not cut yet.
"""

from __future__ import annotations

from io import BytesIO
from typing import Any

import pikepdf

from rulewright.files.errors import UserError
from rulewright.print import typst_compiler
from rulewright.print.pdf_finishing import FinishOptions, finish_pdf
from rulewright.schema.paper import MM, WAYS, Paper

EDGE = 6.0
"""Minimum distance of pages from the edge of the paper, for their marks and the grip, in mm."""

ALIKE = 0.5
"""Maximum difference between the sizes of pages, in mm."""

MAX_BLEED = 8.0
"""Maximum bleed of imposed pages, in mm."""

TEMPLATE = "impose.typ"


def n_up(pdf: bytes, paper: Paper, *, backs: bool = False) -> bytes:
    """Lay pages side by side, as many as fit on a paper, with cut marks. Raises UserError.

    Adjacent pages share a cut, and their bleed ends there. `backs`: every second page is the back of the page
    before it and is printed on its back.
    """
    order = _measure_pages(pdf)
    width, height, pages = order["width"], order["height"], order["pages"]
    ways = [paper] if paper.orientation else [paper.turned(way) for way in WAYS]
    counts = [(_fit(way.width, width), _fit(way.height, height)) for way in ways]
    across, down = max(counts, key=lambda count: count[0] * count[1])
    if not across * down:
        raise UserError(
            f"a page of {width:.0f} x {height:.0f} mm has no room with its marks on {paper.name}, "
            f"{paper.width:.0f} x {paper.height:.0f} mm; name larger paper"
        )
    if backs and pages % 2:
        raise UserError(f"it has {pages} pages, so one has no back; add its back, or print without backs")
    best = ways[counts.index((across, down))]
    grid = {"across": across, "down": down, "backs": backs, "paper": [best.width, best.height]}
    return _impose(pdf, {"how": "sheets", **order, **grid})


def saddle_stitch(pdf: bytes, *, sheet: float = 0.0) -> bytes:
    """Impose a booklet that is folded once and stapled in the fold. Raises UserError.

    `sheet` is the thickness of the paper in mm: inner sheets stick out by that much each.
    """
    order = _measure_pages(pdf)
    sheets = -(-order["pages"] // 4)
    if order["width"] <= sheet * (sheets - 1):
        raise UserError(f"{sheets} sheets of {sheet:g} mm are too many to be stapled in a fold")
    return _impose(pdf, {"how": "booklet", **order, "sheet": sheet})


def _fit(room: float, size: float) -> int:
    return max(0, int((room - 2 * EDGE + 1e-6) // size))


def _measure_pages(pdf: bytes) -> dict[str, Any]:
    """Return the number, size and bleed of pages. Raises UserError if their sizes differ."""
    unit = MM["pt"]
    with pikepdf.open(BytesIO(pdf)) as opened:
        sizes = []
        for page in opened.pages:
            left, bottom, right, top = (float(edge) * unit for edge in page.trimbox)
            sizes.append((right - left, top - bottom))
        first = opened.pages[0]
        bleed = float(first.trimbox[0] - first.obj.get("/BleedBox", first.trimbox)[0]) * unit
        title = str(opened.docinfo.get("/Title", ""))
        offset = float(first.trimbox[0] - first.mediabox[0]) * unit
    width, height = sizes[0]
    for number, size in enumerate(sizes, 1):
        if max(abs(size[0] - width), abs(size[1] - height)) > ALIKE:
            raise UserError(
                f"page {number} is {size[0]:.0f} x {size[1]:.0f} mm and page 1 {width:.0f} x "
                f"{height:.0f} mm; what is printed side by side has one size"
            )
    return {
        "title": title,
        "pages": len(sizes),
        "width": width,
        "height": height,
        "bleed": min(max(bleed, 0.0), MAX_BLEED),
        "offset": offset,
    }


def _impose(pdf: bytes, order: dict[str, Any]) -> bytes:
    made = typst_compiler.compile_pdf(TEMPLATE, order, {"pages.pdf": pdf}, standard="1.7")
    return finish_pdf(made.pdf, FinishOptions(order["bleed"] if order["how"] == "booklet" else 0.0))
