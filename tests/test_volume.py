"""The printed rulebook: its references name the pages on which what they lead to begins."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from generator import printer
from generator.build import examine
from generator.compositor import Desk
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
    assert re.search(r'href="#12.5">12\.5 \(p\.\xa0<span data-at="12.5">14</span>\)', html)


def test_pages_settle_where_they_have_as_many_digits_as_were_printed():
    rounds = []

    def lay_out(pages):
        rounds.append(pages)
        return len(rounds), {"a": 9, "b": 12 + len(rounds)}

    assert settle({"a": "7", "b": "8"}, lay_out) == (2, {"a": "9", "b": "14"})
    assert rounds[1] == {"a": "9", "b": "13"}


def test_pages_that_chase_one_another_keep_their_digits_in_the_end():
    def lay_out(pages):
        # With two digits all fits on page 9; with one it does not, and stands on page 10.
        return None, {"a": 9 if len(pages.get("a", "")) > 1 else 10}

    _, pages = settle({"a": "9"}, lay_out)
    assert pages == {"a": "09"}


def test_numbers_without_titles_share_a_line_and_titles_have_one_each():
    made = volume("ocs/4.3")
    lines = list(made.lines(made.inside(SHELF.outlines["ocs/4.3"].find("4.0"))))
    assert all(len(line) == 1 for line in lines if line[0].title)
    assert any(len(line) > 1 for line in lines)


def test_small_paper_has_one_column_and_large_paper_more():
    columns = [Format(PAPERS[name]).columns for name in ("a5", "a4", "letter", "tabloid")]
    assert columns == [1, 2, 2, 3]
