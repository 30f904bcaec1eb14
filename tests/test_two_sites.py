"""Two sites of one host: what a browser stores for one of them does not show on the other."""

import shutil
from pathlib import Path

from playwright.sync_api import Browser, expect
from web import reader, served

from rulewright.app import new_game
from rulewright.app.mkdocs_runner import build_site
from tests.commands.duel import write


def test_sites_of_one_host_store_nothing_for_each_other(browser: Browser, tmp_path: Path) -> None:
    project = write(tmp_path / "p", new_game.project_files("Salt", "salt", new_game.USUAL))
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
