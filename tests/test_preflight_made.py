"""Sheets as our own maker of PDFs sets them are judged as those that are built by hand."""

from __future__ import annotations

import base64
from collections.abc import Callable
from pathlib import Path

import outloud
import pytest
from sheets import letters

import run as setup
from rulewright.print.preflight import Expected, run
from rulewright.source.problems import Place

pytestmark = pytest.mark.skipif(not setup.find_pango(), reason="no pango on this machine")

PROMISE = Expected(
    pages=1,
    trim=(100, 80),
    bleed=3,
    ink="black",
    smallest=7.5,
    folds=((50,),),
    families=frozenset({"Boxes Sans"}),
    title="A card",
    language="en",
    bookmarks=True,
    tagged=True,
)
STYLE = """
@font-face { font-family: "Boxes Sans"; src: url(data:font/ttf;base64,%s) }
@page { size: 100mm 80mm; margin: 10mm; bleed: 3mm }
body { font: 10pt "Boxes Sans"; color: device-cmyk(0 0 0 1); width: 30mm; margin: 0 }
h1 { font-weight: normal; font-size: 12pt }
a { color: inherit; text-decoration: none }
"""


def made(
    style: str = "",
    body: str = "<h1>Sequence</h1><p>see <a href='https://rules.example/' title='12.5'>12.5</a></p>",
) -> bytes:
    import weasyprint

    font = base64.b64encode(letters()).decode()
    html = f"<html lang=en><title>A card</title><style>{STYLE % font}{style}</style>{body}"
    return weasyprint.HTML(string=html).write_pdf(pdf_variant="pdf/ua-1", pdf_tags=True)  # type: ignore[no-any-return]


def codes(pdf: bytes) -> list[str]:
    return [finding.kind.code for finding in run(pdf, PROMISE, Place("card.pdf"), second=False).findings]


def test_a_sheet_that_is_set_well_passes_and_the_other_judge_agrees(tmp_path: Path) -> None:
    assert codes(made()) == []
    file = tmp_path / "card.pdf"
    file.write_bytes(made())
    result = outloud.check(str(file), layers={"conformance"})
    assert [row["id"] for row in result.criteria["pdfua1"] if row["status"] == "fail"] == []


BREAKS: dict[str, tuple[Callable[[], bytes], list[str]]] = {
    "colour of the web": (lambda: made("p { color: #c00 }"), ["pdf-rgb"]),
    "rich black": (
        lambda: made("p { color: device-cmyk(.6 .4 .4 1) }"),
        ["pdf-text-not-pure-black", "pdf-colour-in-black"],
    ),
    "small type": (lambda: made("p { font-size: 7pt }"), ["pdf-type-small"]),
    "a family that is not there": (
        lambda: made("p { font-family: Nowhere, monospace }"),
        ["pdf-font-substituted"],
    ),
    "a character that no font has": (lambda: made(body="<h1>A</h1><p>\U000f1234</p>"), ["pdf-glyph-missing"]),
    "text at the trim": (lambda: made("p { margin-left: -9mm }"), ["pdf-text-near-edge"]),
    "text at the fold": (lambda: made("p { margin-left: 37mm }"), ["pdf-text-near-fold"]),
    "a second page": (lambda: made("p { break-before: page }"), ["pdf-pages"]),
    "a heading too deep": (lambda: made(body="<h2>A</h2>"), ["pdf-ua"]),
    "a ground that ends at the trim": (
        lambda: made("h1 { background: device-cmyk(0 0 0 .2); margin-left: -10mm; padding-left: 10mm }"),
        ["pdf-bleed-short"],
    ),
    "no heading": (lambda: made(body="<p>A</p>"), ["pdf-bookmarks"]),
}


@pytest.mark.parametrize("name", BREAKS)
def test_a_sheet_that_is_set_amiss_is_told_so(name: str) -> None:
    make, expected = BREAKS[name]
    assert set(expected) <= set(codes(make()))
