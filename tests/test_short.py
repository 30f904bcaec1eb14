"""Short addresses: the table leads where the pages lead, and the page for lost readers asks it."""

from html import unescape
from pathlib import Path
from posixpath import join, normpath

import pytest
from playwright.sync_api import Browser, expect
from revisions import Maker, files_of
from web import served

from rulewright.app.host import make_site
from rulewright.checks.examine import examine, examine_folder
from rulewright.site.context import Desk
from rulewright.site.pages.short import led, pages, table
from rulewright.source.folder import Folder
from tests.commands.duel import BOOK, write
from tests.ours import library

ROOT = Path(__file__).parent.parent
ALIKE = {  # whose numbers begin with each other's, and stand on pages that those of none begin
    "content/x/rulebook.yml": b'title: X\nnumbers: "A1.1"\n',
    "content/x/1/edition.yml": b'edition: "1"\n',
    "content/x/1/known.yml": b"known: [{number: A}, {number: A1}, {number: A1.1}, {number: B}, {number: B1}, "
    b"{number: AA}, {number: AA1}]\n",
}
MANY = {"content/b/rulebook.yml": b'title: B\nnumbers: "1.1a"\nchapters: "1.0"\n'}
MANY |= files_of(Maker(1).book(23, 2, 2), "1") | files_of(Maker(2).book(12, 3, 1), "2", "1")


@pytest.mark.parametrize(
    "shelf",
    [
        lambda: library().shelf,
        lambda: examine(ROOT / "tests/sixth").shelf,
        lambda: examine_folder(Folder(ALIKE)).shelf,
        lambda: examine_folder(Folder(MANY)).shelf,
    ],
)
def test_the_table_leads_where_the_pages_lead(shelf):
    desk = Desk(shelf())
    begin, exact = table(desk)
    there = dict(pages(desk))
    assert there
    for file, html in there.items():
        path = file.removesuffix("/index.html")
        to, _, anchor = unescape(html.partition('<a href="')[2].partition('"')[0]).partition("#")
        ours, _, end = (exact.get(path) or led(path, begin)).partition("#")
        assert (ours.rstrip("/"), end) == (normpath(join(path, to)), anchor)
    assert len(begin) + len(exact) < max(20, len(there) / 4), "a table, not a list"


def test_mkdocs_yml_says_which(tmp_path):
    for form, files in (("none", set()), ("fallback", {"r/short.js"})):
        assert {name for name in _site(tmp_path, form) if name.startswith("r/")} == files
    assert "r/duel/1.1a/index.html" in _site(tmp_path, "pages")


def test_a_short_address_leads_on_from_the_page_for_what_is_missing(browser: Browser, tmp_path: Path) -> None:
    """A host shows our 404.html, which has to find its own script wherever the site stands."""
    _site(tmp_path / "rules", "fallback", "https://x.example/rules/site/")
    with served(tmp_path, missing="rules/site/404.html") as host, browser.new_page() as page:
        for path in ("duel/1/1.1a/", "duel/1.1a", "duel/1/1.1a/index.html"):
            page.goto(f"{host}/rules/site/r/{path}")
            page.wait_for_url("**/rules/site/duel/1/1-swords/#1.1a")
        page.goto(f"{host}/rules/site/r/duel")
        page.wait_for_url("**/rules/site/duel/1/")
        page.goto(f"{host}/rules/site/r/another/1.1a/")
        expect(page.locator("h1")).to_have_text("No such page here")


def _site(folder: Path, form: str, site: str = "https://x.example/") -> set[str]:
    settings = (ROOT / "mkdocs.yml").read_text("utf-8").replace("https://rulewright.example/", site)
    settings = settings.replace("- rulewright\n", f"- rulewright: {{short: {form}}}\n")
    write(folder, {**BOOK, "mkdocs.yml": settings})
    made = make_site(folder, folder / "site", prints=False)
    assert not made.fault
    return {file.relative_to(made.site).as_posix() for file in made.site.rglob("*") if file.is_file()}
