"""Imposition of finished pages, which `templates/print/impose.typ` lays out: n-up sheets and booklets.

Pages keep their fonts, inks and bleed. Links and tags are left out: nobody reads a sheet that is not cut yet.
"""

from __future__ import annotations

from io import BytesIO
from typing import Any

import pikepdf

from rulewright.files.errors import UserError
from rulewright.print.pdf_finishing import finish_pdf
from rulewright.print.typst_compiler import compile_pdf
from rulewright.schema.paper import MM, WAYS, Paper

EDGE = 6.0
"""Minimum distance of pages from the edge of the paper, for their marks and the grip, in mm."""

THICKNESS = 0.1
"""Thickness of booklet paper (80 to 100 g/m²) in mm: inner sheets stick out by that much each."""

TEMPLATE = "impose.typ"


def n_up(pdf: bytes, paper: Paper) -> bytes:
    """Lay pages side by side, as many as fit on a paper, with cut marks. Raises UserError.

    Adjacent pages share a cut, and their bleed ends there. Of an even number of pages, every second is the
    back of the page before it and is printed on its back.
    """
    data = _measure_pages(pdf)
    width, height = data["width"], data["height"]
    best: dict[str, Any] = {"across": 0, "down": 0}
    for way in [paper] if paper.orientation else [paper.turned(way) for way in WAYS]:
        across, down = (
            max(0, int((room - 2 * EDGE + 1e-6) // size))
            for room, size in ((way.width, width), (way.height, height))
        )
        if across * down > best["across"] * best["down"]:
            best = {"across": across, "down": down, "paper": [way.width, way.height]}
    if not best["across"]:
        message = f"a page of {width:.0f} x {height:.0f} mm has no room with its marks on {paper.name}, "
        raise UserError(f"{message}{paper.width:.0f} x {paper.height:.0f} mm; name larger paper")
    imposed = compile_pdf(TEMPLATE, data | best | {"how": "sheets"}, {"pages.pdf": pdf}, standard="1.7")
    return finish_pdf(imposed.pdf)


def saddle_stitch(pdf: bytes) -> bytes:
    """Impose a booklet that is folded once and stapled in the fold."""
    data = _measure_pages(pdf) | {"how": "booklet", "thickness": THICKNESS}
    imposed = compile_pdf(TEMPLATE, data, {"pages.pdf": pdf}, standard="1.7")
    return finish_pdf(imposed.pdf, bleed=data["bleed"])


def _measure_pages(pdf: bytes) -> dict[str, Any]:
    """Return the number, size and bleed of pages, and the distance of their trim from their edge, in mm."""
    with pikepdf.open(BytesIO(pdf)) as opened:
        first, count = opened.pages[0], len(opened.pages)
        trim = [float(edge) * MM["pt"] for edge in first.trimbox]
        bleed = trim[0] - float(first.obj.get("/BleedBox", first.trimbox)[0]) * MM["pt"]
        offset = float(first.mediabox[0]) * MM["pt"]
        title = str(opened.docinfo.get("/Title", ""))
    return {
        "title": title,
        "pages": count,
        "width": trim[2] - trim[0],
        "height": trim[3] - trim[1],
        "bleed": bleed,
        "offset": trim[0] - offset,
    }
