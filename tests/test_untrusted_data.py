"""Whatever comes from an address, from storage or from a message is checked before it is used."""

import json
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from web import served

PLAY = "ocs/3.0/play/"
KEY = "/site/rulewright.turns/ocs/3.0"
BARE = "site.webmanifest"
"""Files of the site that run no script, and its stored data."""
SOUND = {
    "id": "abc12",
    "digest": "0",
    "turns": [[7, "", ""]],
    "about": {},
    "notes": {},
    "rolls": {},
    "ticks": {},
}


@pytest.fixture(scope="module")
def address(pages):
    with served(pages.parent) as address:  # a site beside others on the same host
        yield f"{address}/site"


@pytest.fixture
def page(browser, address, request):
    """A page on which every fault of a script fails the test."""
    faults: list[str] = []
    with browser.new_context(
        base_url=f"{address}/", service_workers=getattr(request, "param", "block")
    ) as context:
        context.on("weberror", lambda error: faults.append(str(error.error)))
        context.on("dialog", lambda dialog: faults.append(dialog.message))
        page = context.new_page()
        page.goto("ocs/4.3/")
        yield page
    assert not faults


def keep(page: Page, key: str, value: Any, store: str = "localStorage") -> None:
    text = value if isinstance(value, str) else json.dumps(value)
    page.evaluate(f"([key, text]) => {store}.setItem(key, text)", [key, text])


DAMAGED = [
    "{", "[]", "7", '"x"', "true", '{"games": 3}', '{"games": {"abc12": null}}',
    '{"games": null, "last": []}',
    *(
        json.dumps({"games": {"abc12": {**SOUND, part: value}}, "last": "abc12"})
        for part, value in [
            ("turns", {}), ("turns", []), ("turns", [None]), ("turns", [[0, "", ""]]), ("turns", [[1, ""]]),
            ("turns", [[1, "", {}]]), ("turns", [[1, "", "d" * 20001]]), ("turns", [[1, "", ""]] * 1001),
            ("id", "../x"), ("digest", 4), ("about", None), ("about", {"name": 4}),
            ("notes", "x"), ("rolls", [1]), ("ticks", {"1/2//": {}}),
        ]
    ),
]  # fmt: skip


def test_a_damaged_game_stops_nothing_and_can_be_copied(page, subtests):
    """A player's device has stored an invalid game: the page plays on, and the rest is not lost."""
    for at, damage in enumerate(DAMAGED):
        with subtests.test(damage=damage):
            page.goto(BARE)
            page.evaluate("localStorage.clear()")
            keep(page, KEY, damage)
            page.goto(PLAY)
            expect(page.locator(".game summary b")).to_have_text("Turn 1")
            expect(page.locator(".damaged")).to_be_visible()
            page.locator(".controls [data-act=done]").click()
            if 0 < at < len(DAMAGED) - 1:  # what comes then is the same for all
                continue
            page.reload()
            expect(page.locator(".damaged")).to_be_visible()
            with page.expect_download() as download:
                page.get_by_role("button", name="Save a copy of it").click()
            assert download.value.path().read_text() == damage
            page.get_by_role("button", name="Delete it").click()
            expect(page.locator(".damaged")).to_be_hidden()
    page.reload()
    expect(page.locator(".damaged")).to_be_hidden()
    expect(page.locator(".game summary b")).to_have_text("Turn 1")


WAY = {"href": "", "y": 0, "name": "12.5", "folds": "", "at": 0}


def test_a_way_back_leads_to_this_site_or_is_none(page, subtests):
    for stored in (
        "{",
        "3",
        [None, 4, {}],
        [{**WAY, "href": "javascript:alert(1)"}],
        [{**WAY, "href": "https://evil.example/"}],
        [{**WAY, "href": "http://["}],
        [{**WAY, "name": {}}],
        [{**WAY, "folds": None}],
    ):
        with subtests.test(stored=stored):
            page.goto(BARE)
            for name in ("back", "resumed", "cards"):
                keep(page, f"/site/rulewright.{name}", stored, "sessionStorage")
            page.goto("ocs/4.3/12-supply/")
            page.wait_for_load_state("networkidle")
            expect(page.locator(".rw-dock .back")).to_be_hidden()


@pytest.mark.parametrize("page", ["allow"], indirect=True)
def test_a_worker_takes_messages_of_its_own_pages_only(page):
    """It ignores invalid ones, stores nothing that another site names, and then does its work."""
    told = page.evaluate(
        """async () => {
          const { active, scope } = await navigator.serviceWorker.ready;
          if (scope !== rulewright.root.href) throw Error(scope);
          const told = [];
          const wrong = [null, 3, {read: 7}, {read: "x:"}, {read: "https://a.example/asl/a3/"}];
          return new Promise((done) => {
            navigator.serviceWorker.addEventListener("message", ({ data }) => {
              told.push(data.storing);
              if (data.storing === "killing-ground/1" && data.done === data.all) done(told);
            });
            const right = { read: `${scope}killing-ground/1/` };
            for (const message of [...wrong, right]) active.postMessage(message);
          });
        }"""
    )
    assert "asl/a3" not in told
