"""Imposition: where the pages of a booklet and of cards lie, read again from what was laid out."""

from __future__ import annotations

from io import BytesIO

import pikepdf
import pymupdf
import pytest
from pikepdf import Array, Dictionary, Name, Pdf

from rulewright.model.paper import PAPERS
from rulewright.print.signatures import SLUG, booklet, booklet_order, cards

MM = 72 / 25.4


def pages(count: int, width: float = 100, height: float = 80, bleed: float = 3) -> bytes:
    """Pages that say their number at their upper left corner, with a ground to the bleed."""
    pdf = Pdf.new()
    size = (width + 2 * bleed) * MM, (height + 2 * bleed) * MM
    font = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica)
    for at in range(count):
        pdf.add_blank_page(page_size=size)
        page = pdf.pages[-1].obj
        page.TrimBox = Array([bleed * MM, bleed * MM, size[0] - bleed * MM, size[1] - bleed * MM])
        page.BleedBox = page.MediaBox
        page.Resources = Dictionary(Font=Dictionary(F=font))
        ground = f"0 0 0 0.1 k 0 0 {size[0]} {size[1]} re f 0 0 0 1 k "
        text = f"BT /F 10 Tf {(bleed + 10) * MM} {size[1] - (bleed + 10) * MM} Td (page{at}) Tj ET"
        page.Contents = pdf.make_stream((ground + text).encode())
    file = BytesIO()
    pdf.save(file)
    return file.getvalue()


def placed(pdf: bytes) -> list[dict[str, tuple[float, float]]]:
    """On each sheet, where the numbers of its pages stand, in mm from the left and the top of the trim."""
    found = []
    with pymupdf.open(stream=pdf) as opened:
        for page in opened:
            left, top = page.trimbox.x0, page.mediabox.height - page.trimbox.y1
            words = page.get_text("words")
            found.append({w[4]: (round((w[0] - left) / MM, 1), round((w[3] - top) / MM)) for w in words})
    return found


@pytest.mark.parametrize(
    ("count", "order"),
    [
        (1, [(None, 0), (None, None)]),
        (4, [(3, 0), (1, 2)]),
        (6, [(None, 0), (1, None), (5, 2), (3, 4)]),
        (8, [(7, 0), (1, 6), (5, 2), (3, 4)]),
    ],
)
def test_the_pages_of_a_booklet_follow_each_other_once_it_is_folded(
    count: int, order: list[tuple[int | None, int | None]]
) -> None:
    assert booklet_order(count) == order
    sides = placed(booklet(pages(count)))
    assert [{*side} for side in sides] == [
        {f"page{one}" for one in pair if one is not None} for pair in order
    ]


def test_inner_sheets_are_moved_towards_the_fold() -> None:
    sides = placed(booklet(pages(12), creep=0.4))
    outer, inner = sides[0], sides[4]
    assert outer["page11"][0] == pytest.approx(10, abs=0.1)
    assert outer["page0"][0] == pytest.approx(110, abs=0.1)
    assert inner["page7"][0] == pytest.approx(10.8, abs=0.1)
    assert inner["page4"][0] == pytest.approx(109.2, abs=0.1)
    assert sides[5]["page5"][0] == pytest.approx(10.8, abs=0.1)


def test_a_booklet_keeps_its_bleed_but_not_across_the_fold() -> None:
    made = booklet(pages(4))
    with pymupdf.open(stream=made) as pdf:
        page = pdf[0]
        assert page.trimbox.width == pytest.approx(200 * MM, abs=0.1)
        assert page.bleedbox.width == pytest.approx(206 * MM, abs=0.1)
        picture = page.get_pixmap(dpi=144)
        ground, paper = (225, 240), (250, 255)
        row = picture.height // 2
        at = [round((SLUG + part * MM) * 2) for part in (0.5, 2.5, 103, 205)]
        for x in at:
            assert ground[0] <= picture.pixel(x, row)[0] <= ground[1]
        assert paper[0] <= picture.pixel(round((SLUG - 2 * MM) * 2), row)[0] <= paper[1]


def test_nine_cards_stand_on_a_sheet_and_their_backs_behind_them() -> None:
    made = cards(pages(20, 63, 88), PAPERS["letter"], backs=True)
    with pikepdf.open(BytesIO(made)) as pdf:
        assert len(pdf.pages) == 4
    sides = placed(made)
    assert [len(side) for side in sides] == [9, 9, 1, 1]
    fronts, backs = sides[:2]
    for at in range(0, 18, 2):
        column, row = at // 2 % 3, at // 2 // 3
        assert fronts[f"page{at}"] == pytest.approx((63 * column + 10, 88 * row + 10), abs=1)
        assert backs[f"page{at + 1}"] == pytest.approx((63 * (2 - column) + 10, 88 * row + 10), abs=1)


def test_cards_have_a_mark_at_each_cut() -> None:
    made = cards(pages(9, 63, 88), PAPERS["letter"])
    with pymupdf.open(stream=made) as pdf:
        lines = [item for one in pdf[0].get_drawings() for item in one["items"] if item[0] == "l"]
    assert len(lines) == 16


def test_what_cannot_be_laid_out_is_refused() -> None:
    both = pikepdf.open(BytesIO(pages(2)))
    both.pages[1].obj.TrimBox = Array([0, 0, 100, 100])
    file = BytesIO()
    both.save(file)
    with pytest.raises(ValueError, match="not all of one size"):
        booklet(file.getvalue())
    with pytest.raises(ValueError, match="too large for a5"):
        cards(pages(1, 140, 205), PAPERS["a5"])


def test_the_same_pages_are_laid_out_the_same() -> None:
    assert booklet(pages(5)) == booklet(pages(5))
