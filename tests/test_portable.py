"""A site on a disk: its links, its search, and nothing that asks for a server."""

import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from web import reader

from rulewright.render.offline_zip import make_portable, pack_zip

FILES = {
    "index.html": b"",
    "ocs/4.3/index.html": b"",
    "ocs/4.3/12 supply/index.html": b"",
    "ocs/4.3/rulebook.pdf": b"%PDF",
}


@pytest.mark.parametrize(
    ("link", "named"),
    [
        ("../", "../index.html"),
        ("../#12.5c(B)", "../index.html#12.5c(B)"),
        ("..", "../index.html"),
        ("../12%20supply/?q=1#a", "../12%20supply/index.html?q=1#a"),
        ("../../..", "../../../index.html"),
        ("./", "./index.html"),
        ("#12.5", "#12.5"),
        ("../rulebook.pdf", "../rulebook.pdf"),
        ("../gone/", "../gone/"),
        ("https://example.org/ocs/4.3/", "https://example.org/ocs/4.3/"),
        ("//example.org/", "//example.org/"),
        ("mailto:a@example.org", "mailto:a@example.org"),
    ],
)
def test_a_link_to_a_folder_names_the_page_in_it(link: str, named: str) -> None:
    page = "ocs/4.3/12 supply/index.html"
    made = make_portable({**FILES, page: f"<a class=x href='{link}'>there</a>".encode()})[page].decode()
    quote = "'" if link == named else '"'
    assert made == f"<a class=x href={quote}{named}{quote}>there</a>"


def test_what_only_servers_need_is_left_out() -> None:
    names = {"sw.js": b"", "site.webmanifest": b"", "sitemap.xml": b"", "404.html": b"", "a.png": b"1"}
    page = b'<head><link rel="manifest" href="site.webmanifest" data-worker="sw.js"></head>'
    made = make_portable({**names, "index.html": page})
    assert made == {"a.png": b"1", "index.html": b"<head></head>"}


@pytest.fixture(scope="module")
def unpacked(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site, packed and unpacked."""
    paths = [path for path in built.rglob("*") if path.is_file()]
    files = {path.relative_to(built).as_posix(): path.read_bytes() for path in paths}
    folder = tmp_path_factory.mktemp("disk")
    (folder / "rules.zip").write_bytes(pack_zip(make_portable(files), "rules"))
    with zipfile.ZipFile(folder / "rules.zip") as archive:
        archive.extractall(folder)
    return folder / "rules"


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page that asks for nothing but what is on the disk."""
    with reader(browser, "file:", "about:", viewport={"width": 390, "height": 844}) as context:
        yield context.new_page()


def test_a_reader_walks_and_searches_from_a_disk(unpacked: Path, page: Page) -> None:
    """A player opens the folder, goes to a chapter and from there, by the search, to another."""
    page.goto((unpacked / "index.html").as_uri())
    page.locator(".rw a[href*='ocs/4.3/']").first.click()
    page.wait_for_url("**/ocs/4.3/index.html")
    page.goto((unpacked / "ocs/4.3/2-sequence-of-play/index.html").as_uri())
    page.locator(".rw a.ref[href*='index.html#']:visible").first.click()
    page.wait_for_url("**/index.html#*")
    page.keyboard.press("/")
    page.keyboard.type("replenish")
    page.locator("#jump-list a:has(q)").first.click()
    page.wait_for_url("**/index.html#**")
    expect(page.locator("h1")).to_be_visible()


def test_a_link_that_is_copied_from_a_disk_opens_the_rule(unpacked: Path, page: Page) -> None:
    """A player copies the link to a rule and opens it again: no folder's contents, but the rule."""
    page.goto((unpacked / "ocs/4.3/12-supply/index.html").as_uri())
    page.locator("[id='12.5c'] > :first-child > a.number").click()
    page.get_by_role("button", name="Link").click()
    copied = page.get_by_role("textbox", name="Link").input_value()
    assert copied.endswith("/ocs/4.3/12-supply/index.html#12.5c")
