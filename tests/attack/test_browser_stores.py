"""What a device, an address or a message brings stops no page, runs nothing and leads nowhere else."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from attack.browser import CORPUS, attack_browser
from playwright.sync_api import Browser, expect
from web import served


@pytest.fixture(scope="module")
def address(pages: Path) -> Iterator[str]:
    with served(pages.parent) as root:  # a site beside others on the same host
        yield f"{root}/{pages.name}/"


def test_what_others_wrote_stops_no_page(browser: Browser, address: str) -> None:
    told = attack_browser(browser, address, "ocs/4.3", rounds=200, seed=12, loads=4)
    assert told.tries == 204 + len(json.loads(CORPUS.read_text("utf-8")))
    assert not told.found, "\n".join(json.dumps(one)[:600] for one in told.found[:12])


def test_the_colours_that_a_reader_chose_stay(browser: Browser, address: str) -> None:
    """What Material keeps is still kept, while what is damaged is as if nothing had been chosen."""
    context = browser.new_context(base_url=address)
    page = context.new_page()
    page.goto("ocs/4.3/")
    body = page.locator("body")
    for _ in range(2):
        page.locator(".md-header__option label:visible").click()
    expect(body).to_have_attribute("data-md-color-scheme", "slate")
    page.goto("ocs/4.3/12-supply/")
    expect(body).to_have_attribute("data-md-color-scheme", "slate")
    name = "`${__md_scope.pathname}.__palette`"
    assert json.loads(page.evaluate(f"localStorage.getItem({name})"))["color"]["scheme"] == "slate"
    for damage in ("{", '{"index": 99, "color": {}}', '{"index": 2, "color": {"x y": "z"}}'):
        page.evaluate(f"(text) => localStorage.setItem({name}, text)", damage)
        page.reload()
        expect(body).to_have_attribute("data-md-color-scheme", "default")
    context.close()


def test_a_damaged_copy_on_a_device_shows_the_page_that_says_so(browser: Browser, address: str) -> None:
    context = browser.new_context(base_url=address)
    page = context.new_page()
    page.goto("ocs/4.3/")
    expect(page.locator("[data-offline=kept]")).to_be_visible(timeout=30_000)
    page.evaluate(
        """async () => {
          const store = await caches.open((await caches.keys())[0]);
          for (const { url } of await store.keys()) {
            if (url.includes("previews/index.js")) await store.put(url, new Response("rulewright.take(,{ {"));
          }
          for (const url of ["?kept=", "?group=__proto__", "x?kept=seen", "%ff?kept=%ff"]) {
            await store.put(new URL(url, location), new Response("x"));
          }
        }"""
    )
    context.set_offline(True)
    page.goto("r/ocs/4.3/12.5c/")
    expect(page.locator("h1")).to_have_text("No such page here")
    page.goto("ocs/4.3/12-supply/")
    expect(page.locator("h1")).to_contain_text("Supply")
    context.close()
