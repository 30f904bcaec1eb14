"""Reading without a network: what is kept on a device, and that it is renewed."""

import json
import re
import shutil
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from web import served

from rulewright.render.offline import is_cached_offline, service_worker_script

KEPT = "can be read without a network"


@pytest.mark.parametrize(
    ("path", "kept"),
    [
        ("ocs/4.3/12-supply/index.html", True),
        ("ocs/4.3/12-supply/fuel.png", True),
        ("404.html", True),
        ("search/find.js", True),
        ("ocs/4.3/find.js", True),
        ("ocs/4.3/rulebook.pdf", False),
        ("ocs/3.0/tables/14.6c.csv", False),
        ("r/ocs/12.5/index.html", False),
        ("sw.js", False),
        (".git/config", False),
    ],
)
def test_what_is_read_is_kept_and_what_is_downloaded_is_not(path: str, kept: bool) -> None:
    assert is_cached_offline(path) is kept


def test_an_edition_is_a_group_and_what_all_pages_need_another() -> None:
    files = {
        "index.html": "0" * 12,
        "duel/1/index.html": "1" * 12,
        "duel/1/a/b.png": "2" * 12,
        "duel/10/index.html": "3" * 12,
    }
    script = service_worker_script(files, ["duel/1", "duel/10"])
    found = re.search(r"const GROUPS = (\{.*\});", script)
    paths = re.findall(r'"([^"]*)": (?:\{|"[0-9a-f]{12}")', found[1])
    assert paths == ["", "", "duel/1", "duel/1/", "duel/1/a/b.png", "duel/10", "duel/10/"]


@pytest.fixture
def reader(browser: Browser) -> Iterator[Page]:
    """A page of a reader with a phone, whose every fault in a script fails the test."""
    context = browser.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    faults: list[Exception] = []
    page.on("pageerror", lambda fault: faults.append(fault))
    yield page
    context.close()
    assert not faults


def test_a_kept_edition_is_read_without_a_network(built: Path, reader: Page) -> None:
    """A player opens one page at home and has the whole edition at the club, where there is no network."""
    with served(built) as address:
        reader.goto(f"{address}/ocs/4.3/12-supply/")
        expect(reader.get_by_text(KEPT)).to_be_visible(timeout=30_000)
    reader.reload()
    expect(reader.locator("[id='12.5c']")).to_be_visible()
    reader.goto(f"{address}/ocs/4.3/sequence/")
    expect(reader.locator("h1")).to_have_text(re.compile("Sequence of Play"))
    reader.goto(f"{address}/ocs/4.3/9-ground-combat/index.html#9.5")
    expect(reader.locator("[id='9.5']")).to_be_in_viewport()
    reader.goto(f"{address}/r/ocs/4.3/12.8e/")
    reader.wait_for_url("**/ocs/4.3/12-supply/#12.8e")
    reader.goto(f"{address}/asl/a3/sequence/")
    expect(reader.locator("h1")).to_have_text("No such page here")
    reader.get_by_role("link", name="the first page").click()
    expect(reader.locator("h1")).to_be_visible()
    assert reader.url == f"{address}/"


def test_the_search_works_without_a_network(built: Path, reader: Page) -> None:
    """A player looks for a word at the club."""
    with served(built) as address:
        reader.goto(f"{address}/ocs/4.3/12-supply/")
        expect(reader.get_by_text(KEPT)).to_be_visible(timeout=30_000)
    reader.reload()
    reader.keyboard.press("/")
    reader.keyboard.type("replenish")
    expect(reader.locator("#jump-list q").first).to_be_visible()


def test_a_site_below_another_is_kept_from_the_first_visit(built: Path, tmp_path: Path, reader: Page) -> None:
    """A player reads one site, then another in a folder below it, which the first looks after."""
    for path in built.iterdir():
        (tmp_path / path.name).symlink_to(path)
    (tmp_path / "below").symlink_to(built)
    with served(tmp_path) as address:
        for site in ("", "below/"):
            reader.goto(f"{address}/{site}ocs/4.3/12-supply/")
            expect(reader.get_by_text(KEPT)).to_be_visible(timeout=30_000)
    reader.goto(f"{address}/below/ocs/4.3/sequence/")
    expect(reader.locator("h1")).to_have_text(re.compile("Sequence of Play"))


def test_a_newer_version_is_told_and_taken(built: Path, tmp_path: Path, reader: Page) -> None:
    """A player comes back after the rules were changed, is told, and sees them with one tap."""
    site = tmp_path / "site"
    shutil.copytree(built, site, ignore=shutil.ignore_patterns("*.pdf", "r", "guide"))
    page = site / "ocs/4.3/12-supply/index.html"
    with served(site) as address:
        reader.goto(f"{address}/ocs/4.3/12-supply/")
        expect(reader.get_by_text(KEPT)).to_be_visible(timeout=30_000)
        page.write_text(page.read_text("utf-8").replace("</h1>", " anew</h1>", 1), "utf-8")
        names = (path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file())
        data = {name: (site / name).read_bytes() for name in names if is_cached_offline(name)}
        files = {name: sha256(one).hexdigest()[:12] for name, one in data.items()}
        (site / "sw.js").write_text(service_worker_script(files, ["ocs/4.3"]), "utf-8")
        reader.reload()
        expect(reader.locator("h1")).not_to_contain_text("anew")
        reader.get_by_role("button", name="Show it").click()
        expect(reader.locator("h1")).to_contain_text("anew")
        expect(reader.get_by_text("newer version")).to_be_hidden()


def test_the_site_can_be_installed(built: Path) -> None:
    """The manifest names what is there, with paths that hold under any host and folder."""
    manifest = json.loads((built / "site.webmanifest").read_text("utf-8"))
    assert manifest["display"] == "standalone"
    assert manifest["start_url"] == manifest["scope"] == "./"
    assert all((built / icon["src"]).is_file() for icon in manifest["icons"])
    assert {icon["sizes"] for icon in manifest["icons"]} >= {"192x192", "512x512"}
