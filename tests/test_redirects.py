"""Old addresses: the page that is left at each, what servers are told, and what is taken already."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from generator.build import Examined, build, examine
from generator.exports.redirects import netlify, nginx
from generator.forwarding import Destination, Moved, moved
from generator.signposts import files
from tests.commands.duel import BOOK, write

TOP = Path(__file__).parent.parent
OLD = """
redirects:
  - {from: /old rules/, to: .}
  - from: /swords/
    to: "1.0"
    anchors: {"fight-&-win": sequence#fight, "11-parry": "1.1"}
  - {from: /a/lunge.html, to: "1.2"}
"""


@pytest.fixture
def examined(tmp_path: Path) -> Examined:
    return examine(write(tmp_path, {**BOOK, "content/duel/1/redirects.yml": OLD}))


def test_a_page_stands_at_each_old_address(examined: Examined) -> None:
    made = files(examined.moved, examined.shelf)
    assert list(made) == ["old rules/index.html", "swords/index.html", "a/lunge.html"]
    swords = str(made["swords/index.html"])
    assert '<a id="rw-moved" href="../duel/1/1-swords/">1.0 Swords</a>' in swords
    assert '<li id="fight-&amp;-win"><a href="../duel/1/sequence/#fight">Fight</a>' in swords
    assert '<li id="11-parry"><a href="../duel/1/1-swords/#1.1">1.1 Parry</a>' in swords
    assert 'url=../duel/1/1-swords/"' in swords, "without a script the page moves on"
    assert 'href="../duel/1/1-swords/#1.2"' in str(made["a/lunge.html"])
    assert ">Duel 1</a>" in str(made["old rules/index.html"])


@pytest.mark.parametrize(
    ("old", "leads"),
    [
        ("swords/index.html#11-parry", "duel/1/1-swords/index.html#1.1"),
        ("swords/index.html#1.2", "duel/1/1-swords/index.html#1.2"),
        ("swords/index.html", "duel/1/1-swords/index.html"),
        ("a/lunge.html#anything", "duel/1/1-swords/index.html#1.2"),
    ],
)
def test_an_anchor_that_is_not_listed_is_passed_on(
    examined: Examined, browser: Browser, tmp_path: Path, old: str, leads: str
) -> None:
    """To the page; where an old page leads to one rule, that rule is meant whatever its anchor was."""
    site = tmp_path / "site"
    write(site, {**files(examined.moved, examined.shelf), "duel/1/1-swords/index.html": "<p>Swords"})
    page = browser.new_page()
    page.goto(f"{site.as_uri()}/{old}")
    page.wait_for_url(f"{site.as_uri()}/{leads}", timeout=20_000)
    page.context.close()


def test_a_page_for_another_site_leads_to_this_one(examined: Examined) -> None:
    made = files(examined.moved, examined.shelf, "https://example.org/rules/")
    assert 'href="https://example.org/rules/duel/1/1-swords/#1.1"' in str(made["swords/index.html"])


def test_netlify_is_told_of_pages(examined: Examined) -> None:
    told = netlify(examined.moved, "/rules")
    assert "of the 2 old anchors" in told
    assert [line for line in told.splitlines() if not line.startswith("#")] == [
        "/old%20rules/  /rules/duel/1/  301!",
        "/swords/  /rules/duel/1/1-swords/  301",  # the page there knows anchors, so it comes first
        "/a/lunge.html  /rules/duel/1/1-swords/#1.2  301!",
    ]


def test_nginx_is_told_of_pages(examined: Examined) -> None:
    assert [line for line in nginx(examined.moved).splitlines() if not line.startswith("#")] == [
        'location = "/old rules/" { return 301 /duel/1/; }',
        'location = "/old rules" { return 301 /duel/1/; }',
        "location = /swords/ { try_files /swords/index.html @duel_1_moved_2; }",
        "location = /swords { return 301 /swords/; }",
        "location @duel_1_moved_2 { return 301 /duel/1/1-swords/; }",
        'location = /a/lunge.html { return 301 "/duel/1/1-swords/#1.2"; }',
    ]


def test_nginx_takes_no_sign_of_a_path_for_its_own() -> None:
    to = Destination("duel/1")
    old = Moved("duel/1", '/a;"b$/', 'a;"b$/index.html', to, {"x": to})
    assert nginx([old]).splitlines()[-2:] == [
        r'location = "/a;\"b$/" { return 301 /duel/1/; }',
        r'location = "/a;\"b$" { return 301 /duel/1/; }',
    ]


@pytest.mark.parametrize(
    ("project", "edition"),
    [(".", "ocs/3.0"), ("tests/sixth", "salt-road/2"), ("tests/seventh", "fogbound/1")],
)
def test_every_page_and_file_of_the_site_is_known_to_be_taken(
    project: str, edition: str, tmp_path: Path
) -> None:
    """Whatever the site makes, a redirect to the same address is refused."""
    top = TOP / project
    made = build(top)
    names = {f"{page.path}/index.html".lstrip("/") for page in made.pages} | made.files.keys()
    names -= {old.file for old in examine(top).moved}
    addresses = ["/" + re.sub("(?:^|(?<=/))index[.]html$", "", name) for name in sorted(names)]
    pages = [address for address in addresses if address.endswith(("/", ".html"))]
    listed = "".join(f'  - {{from: "{address}", to: .}}\n' for address in pages)
    every = (p for p in (top / "content").rglob("*") if p.is_file())
    content = {p.relative_to(top).as_posix(): p.read_bytes() for p in every}
    content[f"content/{edition}/redirects.yml"] = f"redirects:\n{listed}".encode()
    again = examine(write(tmp_path, content))
    stand = [old.address for old in again.moved if old.edition == edition]
    assert stand == []


def test_no_old_addresses_cost_nothing(examined: Examined) -> None:
    for outline in examined.shelf.outlines.values():
        object.__setattr__(outline.edition, "redirects", None)
    assert moved(examined.shelf, examined.library) == ([], [])
    assert files([], examined.shelf) == {}
