"""Old addresses: the page at each, the settings of servers, and URLs already in use."""

import json
import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from rulewright.app.build_pipeline import build
from rulewright.checks.load_and_check import load_and_check
from rulewright.files.filenames import RESERVED_NAMES
from rulewright.references.redirect_targets import OldPage
from rulewright.render import redirect_pages
from rulewright.render.build_artifacts import as_bytes
from rulewright.render.render_context import RenderContext
from tests.commands.duel import BOOK, write
from tests.own_library import library

TOP = Path(__file__).parent.parent
OLD = """
redirects:
  - {from: /old rules/, to: .}
  - from: /swords/
    to: "1.0"
    anchors: {"fight-&-win": sequence#fight, "11-parry": "1.1"}
  - {from: /a/lunge.html, to: "1.2"}
"""


def files(moved: Iterable[OldPage], desk: RenderContext) -> dict[str, str]:
    """The pages at old addresses, rendered."""
    return {name: as_bytes(one).decode() for name, one in redirect_pages.redirect_pages(moved, desk).items()}


@pytest.fixture
def examined(tmp_path):
    return load_and_check(write(tmp_path, {**BOOK, "content/duel/1/redirects.yml": OLD}))


def test_each_old_address_has_a_page(examined):
    result = files(examined.old_pages, RenderContext(examined.index))
    assert list(result) == ["old rules/index.html", "swords/index.html", "a/lunge.html"]
    swords = str(result["swords/index.html"])
    assert '<a id="rw-moved" href="../duel/1/1-swords/">1.0 Swords</a>' in swords
    assert '<li id="fight-&amp;-win"><a href="../duel/1/sequence/#fight">Fight</a>' in swords
    assert '<li id="11-parry"><a href="../duel/1/1-swords/#1.1">1.1 Parry</a>' in swords
    assert 'url=../duel/1/1-swords/"' in swords, "without a script the page moves on"
    assert 'href="../duel/1/1-swords/#1.2"' in str(result["a/lunge.html"])
    assert ">Duel 1</a>" in str(result["old rules/index.html"])


@pytest.mark.parametrize(
    ("old", "leads"),
    [
        ("swords/index.html#11-parry", "duel/1/1-swords/index.html#1.1"),
        ("swords/index.html#1.2", "duel/1/1-swords/index.html#1.2"),
        ("swords/index.html", "duel/1/1-swords/index.html"),
        ("a/lunge.html#anything", "duel/1/1-swords/index.html#1.2"),
    ],
)
def test_an_anchor_that_is_not_listed_is_passed_on(examined, browser, tmp_path, old, leads):
    """To the page; where an old page leads to one rule, that rule is meant whatever its anchor was."""
    site = tmp_path / "site"
    write(
        site,
        {
            **files(examined.old_pages, RenderContext(examined.index)),
            "duel/1/1-swords/index.html": "<p>Swords",
        },
    )
    page = browser.new_page()
    page.goto(f"{site.as_uri()}/{old}")
    page.wait_for_url(f"{site.as_uri()}/{leads}", timeout=20_000)
    page.context.close()


def files_of(names: Iterable[str]) -> list[str]:
    """The addresses of what is no page."""
    return [f"/{name}" for name in sorted(names) if not name.endswith(("index.html", ".htm"))]


@pytest.mark.parametrize(
    ("project", "edition"),
    [(".", "ocs/3.0"), ("tests/sixth", "salt-road/2"), ("tests/seventh", "fogbound/1")],
)
def test_every_page_and_file_of_the_site_is_known_to_be_taken(project, edition, tmp_path):
    """Whatever the site makes, a redirect to the same address is refused."""
    top = TOP / project
    result = build(top)
    names = {f"{page.path}/index.html".lstrip("/") for page in result.pages} | result.files.keys()
    moved = {old.file for old in load_and_check(top).old_pages}
    names -= moved
    names = {name for name in names if not name.startswith("guide/")}  # which this repository alone has
    addresses = ["/" + re.sub("(?:^|(?<=/))index[.]html$", "", name) for name in sorted(names)]
    pages = [
        *addresses,
        *map(str.upper, addresses),
        *(f"{one.rstrip('/')}/below/" for one in files_of(names)),
    ]
    listed = "".join(f'  - {{from: "{address}", to: .}}\n' for address in pages)
    every = (p for p in (top / "content").rglob("*") if p.is_file())
    content = {p.relative_to(top).as_posix(): p.read_bytes() for p in every}
    content[f"content/{edition}/redirects.yml"] = f"redirects:\n{listed}".encode()
    again = load_and_check(write(tmp_path, content))
    assert {old.file for old in again.old_pages} == moved


@pytest.mark.parametrize(
    "address", ["/.git/x/", "/a/.git/", "/.rulewright-site", "/..", f"/{'x' * 201}/", f"{'/abc' * 300}/"]
)
def test_what_no_page_can_be_written_to_is_no_address(tmp_path, address):
    listed = f"redirects:\n  - {{from: {json.dumps(address)}, to: .}}\n"
    found = load_and_check(write(tmp_path, {**BOOK, "content/duel/1/redirects.yml": listed}))
    assert found.old_pages == ()
    (problem,) = [one for one in found.problems if one.place.file.endswith("redirects.yml")][-1:]
    assert (problem.place.line, problem.place.column) == (2, 12)


def test_every_file_at_the_top_of_the_site_is_known_to_be_its_own(built, tmp_path):
    books = {path.name for path in (TOP / "content").iterdir()} | {"credits"}
    moved_from = {old.file.partition("/")[0] for old in library().old_pages}
    own = {path.name for path in built.iterdir() if not path.name.startswith(".")} - books - moved_from
    own -= {"guide"}  # our own cases; elsewhere it is the user's
    assert own | {"problems"} == RESERVED_NAMES | {
        "robots.txt"
    }  # which a project may have one of its own for
