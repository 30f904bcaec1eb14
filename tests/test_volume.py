"""The printed rulebook: its references name the pages on which what they lead to begins."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from generator import printer
from generator.build import examine
from generator.desk import Desk
from generator.paper import PAPERS
from generator.volume import Format, Volume, settle

ROOT = Path(__file__).parent.parent
SHELF = examine(ROOT).shelf
prints = pytest.mark.skipif(bool(printer.missing()), reason=printer.missing())


def volume(address: str, paper: str = "letter") -> Volume:
    return Volume(SHELF.outlines[address], Desk(SHELF), Format(PAPERS[paper]), "https://example.org/")


@prints
@pytest.mark.parametrize("address", ["ocs/3.0", "asl/a3"])
def test_every_page_that_is_named_is_the_one_on_which_the_rule_begins(address):
    import io

    import pypdfium2

    made = volume(address)

    def lay_out(pages):
        laid = printer.lay_out(made.html(pages), made.styles())
        return laid, laid.anchors

    laid, pages = settle(made.expected(), lay_out)
    laid.renumber(pages)
    assert {name: int(page) for name, page in pages.items()} == laid.anchors
    document = pypdfium2.PdfDocument(io.BytesIO(laid.print().pdf))
    texts = [page.get_textpage().get_text_range() for page in document]
    cited = re.findall(r"([\w.()]+)\s\(p\.\s(\d+)\)", "\n".join(texts))
    outline = made.outline
    known = [(outline.find(number), int(page)) for number, page in cited]
    known = [(entry, page) for entry, page in known if entry]
    assert known
    for entry, page in known:
        assert pages[entry.key] == str(page)
        assert str(entry.printed) in texts[page - 1]


def test_a_reference_prints_with_its_page_and_one_to_another_book_with_the_book():
    html = volume("ocs/4.3").html({"12.5": "14"})
    assert re.search(r'href="#12.5">12\.5 \(p\. <span data-at="12.5">14</span>\)', html)


def test_pages_settle_where_there_is_room_for_their_figures():
    rounds = []

    def lay_out(pages):
        rounds.append(pages)
        return len(rounds), {"a": 9, "b": 12 + len(rounds), "c": 7}

    assert settle({"a": "7", "b": "8", "c": "11"}, lay_out) == (2, {"a": "9", "b": "14", "c": "7"})
    assert rounds[1] == {"a": "7", "b": "13", "c": "11"}


def test_pages_that_chase_one_another_keep_their_room():
    def lay_out(pages):
        # With two digits all fits on page 9; with one it does not, and stands on page 10.
        return None, {"a": 9 if len(pages.get("a", "")) > 1 else 10}

    _, pages = settle({"a": "9"}, lay_out)
    assert pages == {"a": "9"}


LINES = """<!doctype html><html lang=en><title>x</title><style>
p { font: 12pt Plex; font-variant-numeric: tabular-nums; margin: 0 }
.dots::after { content: leader(".") }
</style><p>See <a href="#a"><b>12.5</b> (p. <span data-at=a>000</span>)</a> and <a href="#b">more</a>.
<p id=a>Contents<span class=dots></span><a href="#a">12.5 (p. <span data-at=a>000</span>)</a>, so
<p id=b>Both <span data-at=a>000</span> and<span class=dots></span> <i><span data-at=b>12</span>, so</i>"""


@prints
def test_a_page_with_fewer_figures_than_room_is_set_as_if_the_room_had_been_right():
    def places(laid):
        texts = [
            (box.words, round(box.x, 2), round(box.width, 2)) for box in laid.boxes() if box.words.strip(" .")
        ]
        links = [
            (target, [round(side, 1) for side in area])
            for page in laid.document.pages
            for _, target, area, _ in page.links
        ]
        return texts, links

    laid = printer.lay_out(LINES)
    roomy = places(laid)
    laid.renumber({"a": "7", "b": "12"})
    right = places(printer.lay_out(LINES.replace("000", "7")))
    assert places(laid) == right != roomy
    with pytest.raises(AssertionError, match="no room for 1234"):
        laid.renumber({"a": "1234"})


def test_numbers_without_titles_share_a_line_and_titles_have_one_each():
    made = volume("ocs/4.3")
    lines = list(made.lines(made.inside(SHELF.outlines["ocs/4.3"].find("4.0"))))
    assert all(len(line) == 1 for line in lines if line[0].title)
    assert any(len(line) > 1 for line in lines)


def test_small_paper_has_one_column_and_large_paper_more():
    columns = [Format(PAPERS[name]).columns for name in ("a5", "a4", "letter", "tabloid")]
    assert columns == [1, 2, 2, 3]
