"""Cards and counters that are cut out, tracks and tabs, as they stand in the PDF."""

from itertools import pairwise
from pathlib import Path

import pymupdf
import pytest

from rulewright.model.paper import MM, PANELS, PAPERS, panel_widths
from rulewright.print.finishing import SLUG
from tests.printing import RULEBOOK, book, faults, needs_printer, order, printed

pytestmark = needs_printer

CARD = "        - {{title: Title{0}, blocks: [{{notes: Front{0} {1}}}], back: {{title: Back{0}}}}}\n"
LETTER = PAPERS["letter"]


def cards(count: int, more: str = "", words: str = "") -> str:
    return f"title: Cards\nblocks:\n  - cards:\n      {more}cards:\n" + "".join(
        CARD.format(chr(65 + at), words) for at in range(count)
    )


def middles(page: pymupdf.Page, begins: str) -> dict[str, tuple[float, float]]:
    """Where words of a page begin, in mm, by their last letter."""
    found = page.get_text("words")
    return {
        word[4][-1]: (word[0] * MM["pt"], word[1] * MM["pt"])
        for word in found
        if word[4].casefold().startswith(begins)
    }


def strokes(page: pymupdf.Page) -> list[pymupdf.Rect]:
    """The thin lines of a page in mm, which are its cut marks."""
    return [
        pymupdf.Rect(*(edge * MM["pt"] for edge in one["rect"]))
        for one in page.get_drawings()
        if one["type"] == "s" and one["width"] < 0.4
    ]


def test_nine_cards_stand_on_letter_with_each_back_behind_its_front(tmp_path: Path) -> None:
    front, back, second, _ = printed(order(book(tmp_path, cards(10))))
    assert second.get_text().count("TITLE") == 1
    fronts, backs = middles(front, "title"), middles(back, "back")
    del backs["s"]  # the word at its edge that says so
    assert len(fronts) == len(backs) == 9
    left = (LETTER.width - 3 * 63) / 2
    for name, (x, y) in fronts.items():
        column, row = int((x - left) // 63), int(y // 88)
        across, down = backs[name]
        assert (int((LETTER.width - left - across) // 63), int(down // 88)) == (column, row), name


def test_cuts_are_marked_outside_of_the_cards(tmp_path: Path) -> None:
    (front, *_) = printed(order(book(tmp_path, cards(9))))
    left, top = (LETTER.width - 3 * 63) / 2, (LETTER.height - 3 * 88) / 2
    marks = strokes(front)
    assert sorted({round(mark.x0, 1) for mark in marks if mark.width < 0.3}) == pytest.approx(
        [left + 63 * at for at in range(4)], abs=0.2
    )
    for mark in marks:
        middle = ((mark.x0 + mark.x1) / 2, (mark.y0 + mark.y1) / 2)
        inside = left < middle[0] < LETTER.width - left and top < middle[1] < LETTER.height - top
        assert not inside


def test_cards_of_one_deck_are_set_in_one_size(tmp_path: Path) -> None:
    aid = cards(1) + CARD.format("B", "and many more words on it than on the other. " * 9)
    page = printed(order(book(tmp_path, aid)))[0]
    spans = [
        span
        for block in page.get_text("dict")["blocks"]
        for line in block.get("lines", ())
        for span in line["spans"]
    ]
    sizes = {round(span["size"], 2) for span in spans if span["text"].startswith("Front")}
    assert len(sizes) == 1
    assert min(sizes) >= 8


def test_a_card_overfull_is_told_at_its_block(tmp_path: Path) -> None:
    found = faults(order(book(tmp_path, cards(2, words="More and more words. " * 80))))
    assert [(one.code, one.place.line) for one in found] == [("aid-does-not-fit", 5), ("aid-does-not-fit", 6)]
    assert "runs over TitleA" in found[0].message
    assert "larger `size:`" in found[0].message


def test_a_copy_is_a_card_of_its_own(tmp_path: Path) -> None:
    aid = cards(1, "size: mini\n      gap: 4 mm\n      ").replace(
        "{title: TitleA,", '{title: TitleA, copies: "3",'
    )
    front, _ = printed(order(book(tmp_path, aid)))
    xs = sorted(word[0] * MM["pt"] for word in front.get_text("words") if word[4] == "TITLEA")
    assert len(xs) == 3
    assert xs[1] - xs[0] == pytest.approx(48, abs=0.1)


def test_fronts_begin_on_a_leaf_of_their_own(tmp_path: Path) -> None:
    aid = cards(1).replace("blocks:\n", "blocks:\n  - sequence\n", 1)
    words = [page.get_text().split() for page in printed(order(book(tmp_path, aid)))]
    assert len(words) == 4
    assert words[1] == []
    assert "TITLEA" in words[2]
    assert "BACKA" in words[3]


COUNTERS = """counters:
  first: {top: First, values: "4-4", count: "14", back: {values: "2-4"}}
  marker: {words: FOG}
"""


def test_counters_have_their_size_and_their_backs_behind_them(tmp_path: Path) -> None:
    folder = book(tmp_path, "title: Counters\nblocks: [counters]\n", RULEBOOK + COUNTERS)
    front, back = printed(order(folder))
    fronts = sorted(
        (round(word[1] * MM["pt"]), word[0] * MM["pt"])
        for word in front.get_text("words")
        if word[4] == "First"
    )
    assert len(fronts) == 14
    assert fronts[1][1] - fronts[0][1] == pytest.approx(15, abs=0.05)
    fog = next(word for word in front.get_text("words") if word[4] == "FOG")
    assert "FOG" not in back.get_text()
    firsts = [word for word in back.get_text("words") if word[4] == "First"]
    # The row that is not full begins at the right, since the sheet is turned over.
    last = max(word[1] for word in firsts)
    (alone,) = (word for word in firsts if word[1] > last - 3)
    assert (alone[0] + alone[2]) / 2 * MM["pt"] > LETTER.width / 2
    assert (fog[0] + fog[2]) / 2 * MM["pt"] < LETTER.width / 2


def test_boxes_of_a_track_hold_a_counter_and_are_alike(tmp_path: Path) -> None:
    boxes = 'boxes: "10-29", across: "5", marks: [{at: "12", text: The end}]'
    (page,) = printed(order(book(tmp_path, f"title: Track\nblocks:\n  - track: {{{boxes}}}\n")))
    rows = [
        word[1] * MM["pt"] for at in (10, 15, 20, 25) for word in page.get_text("words") if word[4] == str(at)
    ]
    steps = [low - high for high, low in pairwise(rows)]
    assert len(steps) == 3
    assert min(steps) >= 15
    assert max(steps) - min(steps) <= 0.1


def test_a_tab_stands_at_the_outer_edge_of_each_page(tmp_path: Path) -> None:
    aid = 'title: Card\ntab: Combat\nsides: "2"\nblocks:\n  - sequence\n  - notes: More.\n    starts: page\n'
    front, back = printed(order(book(tmp_path, aid)))
    for page, at_right in ((front, True), (back, False)):
        (tab,) = (word for word in page.get_text("words") if word[4] == "COMBAT")
        left, right = tab[0] * MM["pt"], tab[2] * MM["pt"]
        assert (
            (left > LETTER.width - 7 and right < LETTER.width - 3) if at_right else (left > 3 and right < 7)
        )


def test_the_doors_of_a_gate_fold_are_narrower_than_half_of_its_middle() -> None:
    for widths in panel_widths("gate-fold", PAPERS["tabloid"].turned("landscape")):
        left, middle, right = widths
        assert left == pytest.approx(right)
        assert left + right < middle
    assert len(PANELS["screen"]) == 8


def test_folds_are_marked_outside_the_trim(tmp_path: Path) -> None:
    aid = "title: Folder\nfold: gate-fold\npaper: tabloid\nblocks:\n"
    aid += "".join(f"  - panel: {name}\n  - notes: Words.\n" for name in PANELS["gate-fold"])
    card = order(book(tmp_path, aid), marks=True)
    for page, folds in zip(printed(card), card.plan.folds, strict=True):
        left, top, right, foot = (edge * MM["pt"] for edge in page.rect)
        trim = pymupdf.Rect(left + SLUG, top + SLUG, right - SLUG, foot - SLUG)
        dashed = [one for one in page.get_drawings() if (one.get("dashes") or "").strip("[] 0")]
        xs = {round(one["rect"].x0 * MM["pt"] - trim.x0, 1) for one in dashed}
        assert sorted(xs) == pytest.approx(sorted(folds), abs=0.1)
        for one in dashed:
            assert one["rect"].y1 * MM["pt"] < trim.y0 or one["rect"].y0 * MM["pt"] > trim.y1
