"""A book's own look: what its style sheet says, and where it holds."""

from pathlib import Path

from playwright.sync_api import Browser

from rulewright.app.build_pipeline import build
from rulewright.book.resolved_branding import resolve_branding
from rulewright.checks.load_and_check import load_and_check
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
    assert made.book_styles["duel"].style == "duel/look.css"
    assert made.book_styles["duel"].logo == "duel/crane.svg"
    style = made.files["duel/look.css"]
    assert "--md-primary-fg-color: #ffcc00" in style
    assert "--md-primary-bg-color: #000000" in style
    assert "--rw-accent: #7a3b00" in style
    assert 'url("fonts/light%20house.woff2") format("woff2")' in style


def test_a_file_that_is_not_there_is_not_linked(tmp_path: Path) -> None:
    files = {name: text for name, text in FILES.items() if not name.endswith((".svg", ".woff2"))}
    index = load_and_check(write(tmp_path, files)).index
    dress = resolve_branding(index.outlines["duel/1"].edition)
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
