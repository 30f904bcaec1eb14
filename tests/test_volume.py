"""The printed rulebook: its references name the pages on which what they lead to begins."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulewright.checks.examine import examine, examine_folder
from rulewright.model.paper import PAPERS
from rulewright.print import engine
from rulewright.print.engine.boxes import MM
from rulewright.print.preflight import run as preflight
from rulewright.print.press.orders import BookOrder, PrintOptions
from rulewright.print.volume import BookFormat, Volume, settle
from rulewright.site.context import Desk
from rulewright.source.folder import Folder

ROOT = Path(__file__).parent.parent
SHELF = examine(ROOT).shelf
prints = pytest.mark.skipif(bool(engine.missing()), reason=engine.missing())


def volume(address: str, paper: str = "letter") -> Volume:
    return Volume(SHELF.outlines[address], Desk(SHELF), BookFormat(PAPERS[paper]), "https://example.org/")


@prints
@pytest.mark.parametrize("address", ["ocs/3.0", "asl/a3"])
def test_every_page_that_is_named_is_the_one_on_which_the_rule_begins(address):
    import io

    import pypdfium2

    made = volume(address)

    def lay_out(pages):
        laid = engine.lay_out(made.html(pages), made.styles())
        return laid, laid.anchors

    laid, pages = settle(made.expected(), lay_out)
    laid.fill_page_numbers(pages)
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

    laid = engine.lay_out(LINES)
    roomy = places(laid)
    laid.fill_page_numbers({"a": "7", "b": "12"})
    right = places(engine.lay_out(LINES.replace("000", "7")))
    assert places(laid) == right != roomy
    with pytest.raises(AssertionError, match="no room for 1234"):
        laid.fill_page_numbers({"a": "1234"})


def test_numbers_without_titles_share_a_line_and_titles_have_one_each():
    made = volume("ocs/4.3")
    lines = list(made.lines(made.inside(SHELF.outlines["ocs/4.3"].find("4.0"))))
    assert all(len(line) == 1 for line in lines if line[0].title)
    assert any(len(line) > 1 for line in lines)


def test_small_paper_has_one_column_and_large_paper_more():
    columns = [BookFormat(PAPERS[name]).columns for name in ("a5", "a4", "letter", "tabloid")]
    assert columns == [1, 2, 2, 3]


REVISED = {
    "content/h/rulebook.yml": 'title: Harbour\nnumbers: "1.1a"\nchapters: "1.0"\n',
    "content/h/1/edition.yml": 'edition: "1"\n',
    "content/h/2/edition.yml": 'edition: "2"\nfollows: "1"\n',
    "content/h/1/rules/1.yml": """
chapter: "1.0"
title: Ships
text: Whatever floats is a ship, and what does not is none.
rules:
  - {number: "1.1", title: Tugs, text: A tug pulls 1d6 ships through the lock at high water.}
  - {number: "1.2", title: Rowing, text: Boats are rowed by whoever has the oars in hand.}
  - {number: "1.3", title: Pilots, text: No ship sails without a pilot who knows the channel.}
""",
    "content/h/2/rules/1.yml": """
chapter: "1.0"
title: Ships
text: Whatever floats is a ship, and what sinks is none.
rules:
  - {number: "1.1", title: Tugs, text: A tug pulls 2d6 ships through the lock at high water.}
  - {number: "1.2", title: Pilots, text: No ship sails without a pilot who knows the channel.}
""",
}


def bars(html: str) -> list[str]:
    """What has a change bar, by the first words of each."""
    return re.findall(r'class="[^"]*\brevised"[^>]*>\s*(?:<[^>]*>)*([^<]*)', html)


def test_a_book_has_bars_at_what_changed_and_says_what_they_mean():
    shelf = examine_folder(Folder({name: text.encode() for name, text in REVISED.items()})).shelf
    desk = Desk(shelf)
    old, new = (
        Volume(shelf.outlines[name], desk, BookFormat(PAPERS["a5"])).html({}) for name in ("h/1", "h/2")
    )
    legend = "A bar like this one, in the margin, marks what is new or changed since 1. No longer there: 1.2."
    assert bars(new) == [legend, "Whatever floats is a ship, and what sinks is none.", "1.1"]
    assert bars(old) == []


@prints
@pytest.mark.parametrize("ink", ["colour", "black"])
def test_a_change_bar_is_black_and_no_part_of_the_text(ink):
    """It is drawn as an artifact, left of the column, as high as the rule that changed."""
    import io

    import pikepdf

    shelf = examine_folder(Folder({name: text.encode() for name, text in REVISED.items()})).shelf
    order = BookOrder(shelf.outlines["h/2"], Desk(shelf), PrintOptions(PAPERS["a5"], ink), lambda name: b"")
    made = order.make()
    assert not made.problems
    assert not preflight(made.pdf, made.expected, order.place).problems
    with pikepdf.open(io.BytesIO(made.pdf)) as pdf:
        drawn = [list(pikepdf.parse_content_stream(page)) for page in pdf.pages]
    marked, path, bars = [], [], []
    for operands, operator in (step for page in drawn for step in page):
        name = str(operator)
        if name in ("BDC", "BMC"):
            marked.append(str(operands[0]))
        elif name == "EMC":
            marked.pop()
        elif name in ("m", "l"):
            path = [*([] if name == "m" else path), [float(one) for one in operands]]
        elif name == "W*":
            wide, high = (max(side) - min(side) for side in zip(*path, strict=True))
            bars += [round(path[0][0] / MM, 1)] if abs(wide - 0.7 * MM) < 0.01 < high - wide else []
        elif name == "scn" and bars and path:
            assert [float(one) for one in operands] == [0, 0, 0, 1]
            assert marked == ["/Artifact"]
            path = []
    assert bars == [16 - 2.8] * 3  # the legend, the chapter's own text, and 1.1
