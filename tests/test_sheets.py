"""What sheets look like: small grey pictures of some, and what has to be seen without any colour.

A picture that is to look different is made anew: `RENEW_SHEETS=1 python3 run.py test tests/test_sheets.py`.
Look at it, then commit it.
"""

from __future__ import annotations

import os
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from rulewright.print.sheet_html import SheetJob

from tests.printing import RULEBOOK as ROLES
from tests.printing import book, fitted, job, library, needs_printer

pytestmark = needs_printer

PICTURES = Path(__file__).parent / "sheets"
DPI = 60
MOST_DIFFERENT = 3.0
"""By how many of 255 shades of grey pictures may differ on average: letters are smoothed differently."""

SHOWN = [
    ("ocs/4.3", "sequence"),
    ("ocs/4.3", "checklist"),
    ("ocs/4.3", "fold-out"),
    ("ocs/3.0", "charts"),
    ("killing-ground/1", "sequence"),
    ("eastern-front/2009-02-16", "sequence"),
]


def seen(pdf: bytes, dpi: int = DPI) -> list[Any]:
    """The pages of a PDF as grey pictures."""
    import pypdfium2

    document = pypdfium2.PdfDocument(pdf)
    return [page.render(scale=dpi / 72).to_pil().convert("L") for page in document]


@pytest.mark.parametrize(("address", "name"), SHOWN)
def test_a_sheet_looks_as_it_did(built: Path, address: str, name: str) -> None:
    from PIL import Image, ImageChops, ImageStat

    pages = seen((built / address / "aids" / f"{name}.pdf").read_bytes())
    for number, page in enumerate(pages, 1):
        file = PICTURES / f"{address.replace('/', '-')}-{name}-{number}.png"
        if os.environ.get("RENEW_SHEETS"):
            PICTURES.mkdir(exist_ok=True)
            page.quantize(16).save(file, optimize=True)
        before = Image.open(file).convert("L")
        assert page.size == before.size
        by = ImageStat.Stat(ImageChops.difference(page, before)).mean[0]
        assert by < MOST_DIFFERENT, (
            f"{file.name} differs by {by:.1f}; look at it, and renew it if it is right"
        )


def phases(card: SheetJob) -> dict[str, tuple[Any, Any]]:
    """For each role the grey picture of its bar, and of what stands below it."""
    laid = fitted(card).laid
    page = seen(laid.print().pdf, 300)[0]
    found = {}
    for box in laid.boxes():
        for role in ("phasing", "non-phasing", "both", "none"):
            if "phase" in box.classes and role in box.classes and box.tag == "section":
                scale = 300 / 25.4
                area = (box.x, box.y, box.right, box.bottom)
                found[role] = box, page.crop(tuple(round(edge * scale) for edge in area))
    return found


@pytest.mark.parametrize("ink", ["colour", "black"])
def test_who_acts_is_seen_without_colour(tmp_path: Path, ink: str) -> None:
    """Four cues, in grey: the bar, the rail, the lettered mark, and the weight of combat actions."""
    card = job(book(tmp_path), ink=ink)
    found = phases(card)
    assert set(found) == {"phasing", "non-phasing", "both", "none"}
    dark = {}
    rails = {}
    for role, (_, picture) in found.items():
        # The bar's ground: a line across its upper edge, below its border and above its words.
        row = [picture.getpixel((x, 12)) for x in range(picture.width // 2, picture.width - 20)]
        dark[role] = sum(row) / len(row)
        # The rail: how often black and white change across it, a little below the bar.
        low = [picture.getpixel((x, 125)) < 235 for x in range(0, 30)]
        rails[role] = (sum(low), sum(a != b for a, b in pairwise(low)))
    assert dark["phasing"] < 120, "the phasing player's bar is dark"
    assert dark["non-phasing"] > 240, "the other's is an outline"
    assert dark["phasing"] + 60 < dark["both"] < dark["non-phasing"] - 10, "that of both is grey"
    assert rails["non-phasing"][1] > rails["phasing"][1], "one rail is two lines, the other one"
    assert rails["phasing"][0] > rails["non-phasing"][0]
    marks, weights = {}, {}
    for box in fitted(card).laid.boxes():
        if box.words.strip() and (mark := next((one for one in box.out() if "mark" in one.classes), None)):
            role = next(one for one in mark.classes if one != "mark")
            marks.setdefault(role, set()).add(box.words.strip())
        if box.words.strip() and (fight := next((one for one in box.out() if "combat" in one.classes), None)):
            weights[next(one for one in fight.classes if one != "combat")] = box.style
    assert {role: min(letters) for role, letters in marks.items()} == {
        "phasing": "P", "non-phasing": "N", "both": "B", "none": "·",
    }  # fmt: skip
    assert weights["phasing"] != weights["non-phasing"]
    assert "italic" in weights["non-phasing"]


def test_a_black_sheet_uses_no_other_ink(tmp_path: Path) -> None:
    import pikepdf

    pdf = fitted(job(book(tmp_path), ink="black")).laid.print().pdf
    with pikepdf.open(BytesIO(pdf)) as read:
        for page in read.pages:
            for operands, operator in pikepdf.parse_content_stream(page):
                name = str(operator)
                assert name not in ("rg", "RG"), "a colour of the screen"
                if name in ("k", "K", "scn", "SCN") and len(operands) == 4:
                    assert [float(ink) for ink in list(operands)[:3]] == [0, 0, 0]


@pytest.mark.parametrize("paper", ["letter", "legal", "tabloid", "a3", "a4", "180 x 240 mm"])
@pytest.mark.parametrize("fold", ["none", "tri-fold"])
def test_any_paper_and_fold_is_printed_as_promised(tmp_path: Path, paper: str, fold: str) -> None:
    """With marks and bleed; read by other tools than the one that made it."""
    from dataclasses import replace

    from rulewright.book.sheet import sheets_of
    from rulewright.print.preflight import run as preflight
    from rulewright.print.press.orders import PrintOptions, SheetOrder
    from rulewright.site.context import Desk

    aid = f"title: A Card\npaper: {paper}\nfold: {fold}\nblocks:\n"
    aid += "  - panel: front\n" * (fold != "none") + "  - legend\n  - sequence\n"
    aid += "  - panel: inside middle\n" * (fold != "none") + "  - checklist: {turns: '2'}\n  - matrix\n"
    examined = book(tmp_path, aid)
    (sheet,) = sheets_of(examined.shelf.outlines["game/1"].edition)
    order = SheetOrder(sheet, Desk(examined.shelf), PrintOptions(marks=True, bleed=3.0), lambda name: b"")
    made = order.make()
    assert not made.problems
    expected = replace(made.expected, bleed=3.0)
    assert not preflight(made.pdf, expected, order.place).problems


def test_a_folded_sheet_of_two_pages_is_printed_on_two_of_another_paper() -> None:
    from rulewright.model.paper import PAPERS

    fold_out = job(library(), "ocs/4.3", "fold-out").plan
    paper = fold_out.on(PAPERS["a4"]).paper
    assert (paper.width, paper.height) == (420, 297)
    assert job(library(), "ocs/4.3", "sequence").plan.on(PAPERS["a4"]).paper.width == 210


@pytest.mark.parametrize("ink", ["colour", "black"])
def test_players_have_the_colours_that_their_book_declares(tmp_path: Path, ink: str) -> None:
    """In inks, dark enough to be read on white; not on a black sheet."""
    import pikepdf

    examined = book(tmp_path, rulebook=ROLES.replace("mark: P}", "mark: P, colour: '#00ff00'}"))
    pdf = fitted(job(examined, ink=ink)).laid.print().pdf
    used = set()
    with pikepdf.open(BytesIO(pdf)) as read:
        for operands, operator in pikepdf.parse_content_stream(read.pages[0]):
            if str(operator) in ("k", "scn") and len(operands) == 4:
                used.add(tuple(round(float(one), 2) for one in list(operands)))
    greens = {one for one in used if one[0] == one[2] > 0 and not one[1]}
    assert bool(greens) == (ink == "colour")
    assert all(black > 0.3 for *_, black in greens), "a light green is darkened until it can be read"
