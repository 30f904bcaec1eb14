"""Imposition of finished pages, which `templates/print/impose.typ` lays out: n-up sheets and booklets.

Pages keep their fonts, inks and bleed. Links and tags are left out: nobody reads a sheet that is not cut yet.
"""

from __future__ import annotations

from typing import Any

import pypdfium2

from rulewright.files.errors import UserError
from rulewright.print.pdf_finishing import finish_pdf
from rulewright.print.typst_compiler import compile_pdf
from rulewright.schema.paper import MM, WAYS, Paper

EDGE = 6.0
"""Minimum distance of pages from the edge of the paper, for their marks and the grip, in mm."""


def n_up(pdf: bytes, paper: Paper) -> bytes:
    """Lay pages side by side, as many as fit on a paper, with cut marks. Raises UserError.

    Adjacent pages share a cut, and their bleed ends there. Of an even number of pages, every second is the
    back of the page before it and is printed on its back.
    """
    data = _measure_pages(pdf)
    width, height = data["width"], data["height"]
    papers = [paper] if paper.orientation else [paper.turned(way) for way in WAYS]
    layouts: list[dict[str, Any]] = []
    for turned in papers:
        across = int((turned.width - 2 * EDGE) / width + 1e-6)
        down = int((turned.height - 2 * EDGE) / height + 1e-6)
        layouts.append({"across": across, "down": down, "paper": [turned.width, turned.height]})
    best = max(layouts, key=lambda layout: layout["across"] * layout["down"])
    if min(best["across"], best["down"]) < 1:
        message = f"a page of {width:.0f} x {height:.0f} mm has no room with its marks on {paper.name}, "
        raise UserError(f"{message}{paper.width:.0f} x {paper.height:.0f} mm; name larger paper")
    return _impose(pdf, data | best)


def saddle_stitch(pdf: bytes) -> bytes:
    """Impose a booklet that is folded once and stapled in the fold."""
    data = _measure_pages(pdf)
    return _impose(pdf, data, data["bleed"])


def _impose(pdf: bytes, data: dict[str, Any], bleed: float = 0.0) -> bytes:
    """Lay out pages: side by side if `data` has a number across, else as a booklet."""
    imposed = compile_pdf("impose.typ", data, {"pages.pdf": pdf}, standard="1.7")
    return finish_pdf(imposed.pdf, bleed=bleed)


def _measure_pages(pdf: bytes) -> dict[str, Any]:
    """Return the number, size and bleed of pages, and the distance of their trim from their edge, in mm."""
    with pypdfium2.PdfDocument(pdf) as document:
        page = document[0]
        left, bottom, right, top = page.get_trimbox()
        lengths = {
            "width": right - left,
            "height": top - bottom,
            "bleed": left - page.get_bleedbox()[0],
            "offset": left - page.get_mediabox()[0],
        }
        measured = {name: round(length * MM["pt"], 3) for name, length in lengths.items()}
        return {"title": document.get_metadata_value("Title"), "pages": len(document), **measured}
