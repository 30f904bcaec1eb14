"""Reading without a network: what a device stores, and the site as a folder on a disk."""

import json
import re
import shutil
import zipfile
from hashlib import sha256

import pytest
from playwright.sync_api import expect
from web import reader, served

from rulewright.app import new_game
from rulewright.app.mkdocs_runner import build_site
from rulewright.render.offline import is_cached_offline, service_worker_script
from rulewright.render.offline_zip import make_portable, pack_zip
from tests.commands.duel import BOOK, write

STORED = "can be read offline"


@pytest.fixture
def phone(browser):
    """A page of a reader with a phone, whose every fault in a script fails the test."""
    context = browser.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    faults: list[Exception] = []
    page.on("pageerror", lambda fault: faults.append(fault))
    yield page
    context.close()
    assert not faults


def test_a_stored_edition_is_read_without_a_network(built, phone):
    """A player opens one page at home and has the whole edition at the club, where there is no network."""
    with served(built) as address:
        phone.goto(f"{address}/ocs/4.3/12-supply/")
        expect(phone.get_by_text(STORED)).to_be_visible(timeout=30_000)
    phone.reload()
    expect(phone.locator("[id='12.5c']")).to_be_visible()
    phone.goto(f"{address}/ocs/4.3/sequence/")
    expect(phone.locator("h1")).to_have_text(re.compile("Sequence of Play"))
    phone.goto(f"{address}/ocs/4.3/9-ground-combat/index.html#9.5")
    expect(phone.locator("[id='9.5']")).to_be_in_viewport()
    phone.goto(f"{address}/ocs/#12.8e")
    phone.wait_for_url("**/ocs/4.3/12-supply/#12.8e")
    phone.goto(f"{address}/asl/a3/sequence/")
    expect(phone.locator("h1")).to_have_text("No such page here")
    phone.get_by_role("link", name="the first page").click()
    expect(phone.locator("h1")).to_be_visible()
    assert phone.url == f"{address}/"
    phone.goto(f"{address}/ocs/4.3/12-supply/")
    phone.keyboard.press("/")
    phone.keyboard.type("replenish")
    expect(phone.locator("#jump-list q").first).to_be_visible()


def test_a_newer_version_is_announced_and_loaded(built, tmp_path, phone):
    """A player returns after the rules changed, gets a message, and sees them with one tap."""
    site = tmp_path / "site"
    shutil.copytree(built, site, ignore=shutil.ignore_patterns("*.pdf", "r", "guide"))
    page = site / "ocs/4.3/12-supply/index.html"
    with served(site) as address:
        phone.goto(f"{address}/ocs/4.3/12-supply/")
        expect(phone.get_by_text(STORED)).to_be_visible(timeout=30_000)
        page.write_text(page.read_text("utf-8").replace("</h1>", " anew</h1>", 1), "utf-8")
        names = (path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file())
        data = {name: (site / name).read_bytes() for name in names if is_cached_offline(name)}
        files = {name: sha256(one).hexdigest()[:12] for name, one in data.items()}
        (site / "sw.js").write_text(service_worker_script(files, ["ocs/4.3"]), "utf-8")
        phone.reload()
        expect(phone.locator("h1")).not_to_contain_text("anew")
        phone.get_by_role("button", name="Show it").click()
        expect(phone.locator("h1")).to_contain_text("anew")
        expect(phone.get_by_text("newer version")).to_be_hidden()


def test_the_site_can_be_installed(built):
    """The manifest names what is there, with paths that hold under any host and folder."""
    manifest = json.loads((built / "site.webmanifest").read_text("utf-8"))
    assert manifest["display"] == "standalone"
    assert manifest["start_url"] == manifest["scope"] == "./"
    assert all((built / icon["src"]).is_file() for icon in manifest["icons"])
    assert {icon["sizes"] for icon in manifest["icons"]} >= {"192x192", "512x512"}


SWORDS = "duel/1/1-swords/index.html"


@pytest.fixture(scope="module")
def duel(tmp_path_factory):
    settings = {"mkdocs.yml": "site_name: Duel\nplugins: [rulewright]\n"}
    return build_site(write(tmp_path_factory.mktemp("duel"), {**BOOK, **settings}), prints=False).site


NEEDLESS = "404.html", "site.webmanifest", "assets/licences.txt"


@pytest.mark.parametrize(
    ("file", "answer"),
    [
        *((SWORDS, one) for one in (None, b"", b"<h1>Swords of yesterday</h1>")),
        ("duel/1/find.js", None),
        *((name, None) for name in NEEDLESS),
    ],
)
def test_a_wrong_answer_is_not_stored_and_stops_nothing_else(file, answer, duel, tmp_path, browser):
    shutil.copytree(duel, site := tmp_path / "site")
    if answer is None:
        (site / file).unlink()
    else:
        (site / file).write_bytes(answer)
    page = browser.new_page()
    with served(site) as address:
        page.goto(f"{address}/duel/1/numbers/")
        of_edition = file.startswith("duel/")
        expect(page.get_by_text("could not be stored" if of_edition else STORED)).to_be_visible()
        if of_edition:
            shutil.copy(duel / file, site / file)
            page.reload()
            expect(page.get_by_text(STORED)).to_be_visible()
    page.goto(f"{address}/duel/1/1-swords/")
    expect(page.locator("h1")).to_have_text("1.0 Swords")
    assert page.evaluate("fetch('../find.js').then((one) => one.ok)")
    page.context.close()


SITE_FILES = {
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
def test_a_link_to_a_folder_names_the_page_in_it(link, named):
    page = "ocs/4.3/12 supply/index.html"
    html = make_portable({**SITE_FILES, page: f"<a class=x href='{link}'>there</a>".encode()})[page].decode()
    assert html == f"<a class=x href='{named}'>there</a>"


def test_what_only_servers_need_is_left_out():
    names = {"sw.js": b"", "site.webmanifest": b"", "sitemap.xml": b"", "404.html": b"", "a.png": b"1"}
    page = b'<head><link rel="manifest" href="site.webmanifest" data-worker="sw.js"></head>'
    result = make_portable({**names, "index.html": page})
    assert result == {"a.png": b"1", "index.html": b"<head></head>"}


@pytest.fixture(scope="module")
def unpacked(built, tmp_path_factory):
    """The built site, packed and unpacked."""
    paths = [path for path in built.rglob("*") if path.is_file()]
    files = {path.relative_to(built).as_posix(): path.read_bytes() for path in paths}
    folder = tmp_path_factory.mktemp("disk")
    (folder / "rules.zip").write_bytes(pack_zip(make_portable(files), "rules"))
    with zipfile.ZipFile(folder / "rules.zip") as archive:
        archive.extractall(folder)
    return folder / "rules"


@pytest.fixture
def disk(browser):
    """A page that asks for nothing but what is on the disk."""
    with reader(browser, "file:", "about:", viewport={"width": 390, "height": 844}) as context:
        yield context.new_page()


def test_a_reader_walks_and_searches_from_a_disk(unpacked, disk):
    """A player opens the folder, goes to a chapter and from there, by the search, to another."""
    disk.goto((unpacked / "index.html").as_uri())
    disk.locator(".rw a[href*='ocs/4.3/']").first.click()
    disk.wait_for_url("**/ocs/4.3/index.html")
    disk.goto((unpacked / "ocs/4.3/2-sequence-of-play/index.html").as_uri())
    disk.locator(".rw a.ref[href*='index.html#']:visible").first.click()
    disk.wait_for_url("**/index.html#*")
    disk.keyboard.press("/")
    disk.keyboard.type("replenish")
    disk.locator("#jump-list a:has(q)").first.click()
    disk.wait_for_url("**/index.html#**")
    expect(disk.locator("h1")).to_be_visible()


def test_sites_of_one_host_store_nothing_for_each_other(browser, tmp_path):
    project = write(tmp_path / "p", new_game.project_files("Salt", "salt"))
    site = build_site(project, prints=False).site
    for name in ("a", "b"):
        shutil.copytree(site, tmp_path / "host" / name)
    with served(tmp_path / "host") as address, reader(browser, address) as context:
        page = context.new_page()
        page.goto(f"{address}/a/salt/1/1-movement/#1.2", wait_until="networkidle")
        page.goto(f"{address}/a/salt/1/play/", wait_until="networkidle")
        page.keyboard.press("Enter")
        page.goto(f"{address}/a/", wait_until="networkidle")
        expect(page.locator("[data-again=read]")).to_be_visible()
        expect(page.locator("[data-again=play]")).to_be_visible()
        page.goto(f"{address}/b/", wait_until="networkidle")
        expect(page.locator("[data-again]")).to_have_count(2)
        expect(page.locator("[data-again]:not([hidden])")).to_have_count(0)
        keys = page.evaluate("[localStorage, sessionStorage].flatMap((one) => Object.keys(one))")
        assert [key for key in keys if not key.startswith(("/a/", "/b/"))] == []
