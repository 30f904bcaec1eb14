"""A book's own look: what its style sheet says, and where it holds."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from rulewright.app.build import build
from rulewright.book.looks import dressed, words_on
from rulewright.checks.examine import examine
from rulewright.model.colours import colour, contrast
from rulewright.site.pages.look import looks
from tests.commands.duel import BOOK, write

LOOK = 'look:\n  colour: "#ffcc00"\n  accent: "#7a3b00"\n  logo: crane.svg\n  font: fonts/light house.woff2\n'
RULEBOOK = "content/duel/rulebook.yml"
FILES = {
    **BOOK,
    RULEBOOK: BOOK[RULEBOOK] + LOOK,
    "content/duel/crane.svg": "<svg/>",
    "content/duel/fonts/light house.woff2": "wOF2",
}


def test_a_look_becomes_a_style_sheet_beside_the_book(tmp_path: Path) -> None:
    made = build(write(tmp_path, FILES))
    assert made.looks["duel"].style == "duel/look.css"
    assert made.looks["duel"].logo == "duel/crane.svg"
    style = made.files["duel/look.css"]
    assert "--md-primary-fg-color: #ffcc00" in style
    assert "--md-primary-bg-color: #000000" in style
    assert "--rw-accent: #7a3b00" in style
    assert 'url("fonts/light%20house.woff2") format("woff2")' in style


def test_what_is_left_out_stays_as_the_site_has_it(tmp_path: Path) -> None:
    found, files = looks(
        examine(write(tmp_path, {**BOOK, RULEBOOK: BOOK[RULEBOOK] + "look: {}\n"})).shelf, "duel"
    )
    plain = looks(examine(write(tmp_path / "plain", BOOK)).shelf, "duel")
    assert (found, files) == plain
    assert found["duel"].logo == ""
    assert "--rw-accent" not in files["duel/look.css"]
    assert contrast(colour(found["duel"].colour) or (0, 0, 0), (255, 255, 255)) >= 4.5


@pytest.mark.parametrize(
    "ground", ["#000000", "#ffffff", "#777777", "#767676", "#ff0000", "#0000ff", "#ffcc00"]
)
def test_words_on_any_colour_can_be_read(ground: str) -> None:
    meant = colour(ground)
    assert meant
    assert contrast(words_on(meant), meant) >= 4.5


def test_a_file_that_is_not_there_is_not_linked(tmp_path: Path) -> None:
    files = {name: text for name, text in FILES.items() if not name.endswith((".svg", ".woff2"))}
    shelf = examine(write(tmp_path, files)).shelf
    dress = dressed(shelf.outlines["duel/1"].edition)
    assert (dress.logo, dress.font) == ("", "")


def test_a_reader_sees_which_book_it_is_by_its_bar(browser: Browser, address: str) -> None:
    """Each of our books has a colour of its own above its pages, the first page has the site's."""
    page = browser.new_page(service_workers="block")
    seen = {}
    for book in ("ocs/4.3/", "ocs/3.0/", "asl/a3/", ""):
        page.goto(f"{address}/{book}")
        seen[book] = page.locator(".md-header").evaluate("e => getComputedStyle(e).backgroundColor")
    page.context.close()
    assert seen["ocs/4.3/"] == seen["ocs/3.0/"] == "rgb(91, 58, 30)"
    assert len({seen["ocs/4.3/"], seen["asl/a3/"], seen[""]}) == 3
