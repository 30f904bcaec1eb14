"""The offline copy holds the files of the build, whatever a host answers meanwhile."""

import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from web import served

from rulewright.app.mkdocs_runner import build_site
from tests.commands.duel import BOOK, write

KEPT = "can be read without a network"
SWORDS = "duel/1/1-swords/index.html"


@pytest.fixture(scope="module")
def duel(tmp_path_factory: pytest.TempPathFactory) -> Path:
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
def test_a_wrong_answer_is_not_stored_and_stops_nothing_else(
    file: str, answer: bytes | None, duel: Path, tmp_path: Path, browser: Browser
) -> None:
    shutil.copytree(duel, site := tmp_path / "site")
    if answer is None:
        (site / file).unlink()
    else:
        (site / file).write_bytes(answer)
    page = browser.new_page()
    with served(site) as address:
        page.goto(f"{address}/duel/1/numbers/")
        of_edition = file.startswith("duel/")
        expect(page.get_by_text("could not be kept" if of_edition else KEPT)).to_be_visible()
        if of_edition:
            shutil.copy(duel / file, site / file)
            page.reload()
            expect(page.get_by_text(KEPT)).to_be_visible()
    page.goto(f"{address}/duel/1/1-swords/")
    expect(page.locator("h1")).to_have_text("1.0 Swords")
    assert page.evaluate("fetch('../find.js').then((one) => one.ok)")
    page.context.close()
