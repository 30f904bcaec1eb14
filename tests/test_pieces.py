"""Cards and counters that are cut out, as they stand in the PDF."""

import pytest

from rulewright.schema.paper import MM, PAPERS
from tests.printing import RULEBOOK, book, faults, needs_printer, order, printed

pytestmark = needs_printer

CARD = "        - {{title: Title{0}, blocks: [{{notes: Front{0} {1}}}], back: {{title: Back{0}}}}}\n"
LETTER = PAPERS["letter"]


def cards(count: int, more: str = "", words: str = "") -> str:
    return f"title: Cards\nblocks:\n  - cards:\n      {more}cards:\n" + "".join(
        CARD.format(chr(65 + at), words) for at in range(count)
    )


def test_an_overfull_card_is_reported_at_its_block(tmp_path):
    found = faults(order(book(tmp_path, cards(2, words="More and more words. " * 80))))
    assert [(one.code, one.place.line) for one in found] == [("aid-does-not-fit", 5), ("aid-does-not-fit", 6)]
    assert "does not fit on TitleA in 8 pt" in found[0].message
    assert "larger `size:`" in found[0].message


COUNTERS = """counters:
  first: {top: First, values: "4-4", count: "14", back: {values: "2-4"}}
  marker: {words: FOG}
"""


def test_counters_have_their_size_and_aligned_backs(tmp_path):
    folder = book(tmp_path, "title: Counters\nblocks: [{counters: {gap: '0'}}]\n", RULEBOOK + COUNTERS)
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
