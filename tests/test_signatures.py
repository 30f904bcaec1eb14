"""Imposition: where the pages of a finished PDF come to lie, read by a tool that did not put them there."""

from functools import cache
from io import BytesIO

import pikepdf
import pymupdf
import pytest
import typst
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.print.page_imposition import n_up, saddle_stitch
from rulewright.print.pdf_finishing import finish_pdf
from rulewright.schema.paper import MM, PAPERS

PT = MM["pt"]
CARDS = """
#set document(title: "Cards", date: none)
#set page(width: {wide}mm, height: {high}mm, bleed: 3mm, margin: 6mm)
#set text(lang: "en", size: 12pt, fill: cmyk(0%, 0%, 0%, 100%))
#for number in range(1, {pages} + 1) [
  #page(background: rect(width: 100% + 6mm, height: 100% + 6mm, fill: cmyk(0%, 0%, 100%, 0%)))[no#number]
]
"""


@cache
def cards(pages: int, wide: float = 63, high: float = 88) -> bytes:
    """So many finished pages with bleed, each with its number."""
    source = CARDS.format(pages=pages, wide=wide, high=high)
    return finish_pdf(typst.compile(source.encode()), bleed=3)


Lying = dict[int, tuple[float, float]]


def numbers(pdf: bytes) -> list[Lying]:
    """Where the number of each page lies, side by side, in mm from the upper left of the paper."""
    with pymupdf.open(stream=pdf) as opened:
        return [
            {int(word[4][2:]): (word[0] * PT, word[1] * PT) for word in page.get_text("words")}
            for page in opened
        ]


def test_nine_cards_stand_on_letter_paper():
    sides = numbers(n_up(cards(11), PAPERS["letter"]))
    assert [sorted(side) for side in sides] == [[1, 2, 3, 4, 5, 6, 7, 8, 9], [10, 11]]
    first = sides[0]
    assert first[2][0] - first[1][0] == pytest.approx(63, abs=0.02)
    assert first[2][1] == pytest.approx(first[1][1], abs=0.02)
    assert first[4][1] - first[1][1] == pytest.approx(88, abs=0.02)
    assert sides[1][10] == pytest.approx(first[1], abs=0.02)


def test_a_back_is_on_the_sheet_of_its_front():
    paper = PAPERS["a4"]
    front, back, more, last = numbers(n_up(cards(22), paper))
    with_backs = {**front}, {**back}
    assert sorted(front) == list(range(1, 19, 2))
    assert sorted(back) == list(range(2, 20, 2))
    assert (sorted(more), sorted(last)) == ([19, 21], [20, 22])
    for number, (x, y) in with_backs[0].items():
        # The word is at the left margin of its card on both sides, so the cards mirror, not the words.
        left, mirrored = x - 6, with_backs[1][number + 1][0] - 6
        assert paper.width - (left + 63) == pytest.approx(mirrored, abs=0.05)
        assert with_backs[1][number + 1][1] == pytest.approx(y, abs=0.02)


def test_marks_stand_at_every_cut_in_every_ink_and_on_no_card():
    with pymupdf.open(stream=n_up(cards(9), PAPERS["letter"])) as opened:
        lines = [item for path in opened[0].get_drawings() for item in path["items"] if item[0] == "l"]
    across = sorted({round(a.x * PT, 2) for _, a, b in lines if abs(a.x - b.x) < 0.01})
    down = sorted({round(a.y * PT, 2) for _, a, b in lines if abs(a.y - b.y) < 0.01})
    left, top = (215.9 - 189) / 2, (279.4 - 264) / 2
    assert across == pytest.approx([left + 63 * at for at in range(4)], abs=0.02)
    assert down == pytest.approx([top + 88 * at for at in range(4)], abs=0.02)
    for _, a, b in lines:
        points = ((a.x + b.x) / 2 * PT, (a.y + b.y) / 2 * PT)
        assert not (left - 3 < points[0] < 215.9 - left + 3 and top - 3 < points[1] < 279.4 - top + 3)


@settings(max_examples=5 * settings().max_examples // 6, deadline=None)
@given(pages=st.integers(1, 42))
def test_a_folded_booklet_reads_in_order(pages):
    with pikepdf.open(BytesIO(cards(42, 40, 60))) as pdf:
        del pdf.pages[pages:]
        pdf.save(file := BytesIO())
    sides = numbers(saddle_stitch(file.getvalue()))
    sheets = list(zip(sides[::2], sides[1::2], strict=True))
    assert len(sheets) == -(-pages // 4)
    middle = (2 * (40 + 3 + 8)) / 2

    def half(side: Lying, right: bool) -> int | None:
        return next((number for number, (x, _) in side.items() if (x > middle) is right), None)

    # Leaves from the front: the right half of an outside has the left half of its inside on its back.
    read = [page for outside, inside in sheets for page in (half(outside, True), half(inside, False))]
    read += [
        page for outside, inside in reversed(sheets) for page in (half(inside, True), half(outside, False))
    ]
    assert [page for page in read if page] == list(range(1, pages + 1))
    assert read[: len(list(filter(None, read)))] == list(range(1, pages + 1))


def test_pages_of_inner_sheets_move_towards_the_fold():
    sides = numbers(saddle_stitch(cards(12, 40, 60)))
    left = [min(x for x, _ in side.values()) for side in sides]
    assert left[::2] == pytest.approx([left[0], left[0] + 0.1, left[0] + 0.2], abs=0.01)
