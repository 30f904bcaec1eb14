"""Games as the device keeps them: links of others, what is taken back, tabs that go along."""

import re
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from web import PHONE, reader

PLAY = "ember-coast/2.1/play/"
KEY = "/rulewright.turns/ember-coast/2.1"


@pytest.fixture
def phone(browser, address):
    wishes: dict[str, Any] = {"viewport": PHONE, "base_url": f"{address}/", "reduced_motion": "reduce"}
    with reader(browser, address, **wishes) as context:
        yield context


def opened(context: BrowserContext, where: str = PLAY) -> Page:
    page = context.new_page()
    page.goto(where)
    page.wait_for_function("location.hash")
    return page


def press(page: Page, act: str, times: int = 1) -> None:
    for _ in range(times):
        page.locator(f"[data-act={act}]").evaluate("button => button.click()")


def now(page: Page) -> tuple[str, str]:
    return page.locator(".game summary b").inner_text(), page.locator(".controls b").inner_text()


def stored(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = page.evaluate("key => JSON.parse(localStorage[key])", KEY)
    return found


def test_a_shared_address_overwrites_no_game(phone):
    """A player in the middle of a game opens an older link of his own, looks, and takes it."""
    page = opened(phone)
    press(page, "done", 3)
    old, place = page.url, now(page)
    page.locator(".game > summary").click()
    for label, value in (("Turn", "5"), ("Weather", "Mud")):
        page.get_by_label(label, exact=True).fill(value)
        page.get_by_label(label, exact=True).press("Tab")
    press(page, "done", 2)
    saved, newer = stored(page), now(page)
    assert newer[0] == "Turn 5"
    for act in ("keep", "take"):
        page.goto("about:blank")
        page.goto(old)
        expect(page.locator(".shared")).to_contain_text(f"a game at Turn 1, {place[1]}")
        expect(page.locator(".shared")).to_be_in_viewport()
        assert (now(page), stored(page)) == (newer, saved)
        press(page, act)
    assert now(page) == place
    page.locator(".game > summary").click()
    games = page.locator("select[name=games]")
    assert games.locator("option").all_inner_texts() == ["Game 1, Turn 5", "Game 2, Turn 1"]
    games.select_option(index=0)
    assert now(page) == newer
    expect(page.locator(".game summary")).to_contain_text("Mud")


def test_a_game_is_deleted_and_brought_back(phone):
    page = opened(phone)
    press(page, "done", 3)
    first = stored(page)["games"]
    press(page, "new")
    press(page, "done")
    press(page, "delete")
    assert stored(page)["games"].keys() == first.keys()
    expect(page.locator(".play-message")).to_contain_text("The game is deleted")
    at = now(page)
    page.get_by_role("button", name="Undo").click()
    assert len(stored(page)["games"]) == 2
    assert now(page) != at, "and it is played on"


def test_a_turn_that_was_begun_by_mistake_is_taken_back_as_a_whole(phone):
    """End turn, and a few steps of the next: one button leads back to the end of the one before."""
    page = opened(phone)
    done = page.locator(".controls [data-act=done]")
    done.evaluate("done => { while (!/^End/.test(done.textContent)) done.click(); }")
    marks = page.locator("li.stop.done").count()
    press(page, "done", 4)
    later = now(page)
    assert later[0] == "Turn 2"
    press(page, "unturn")
    assert (now(page)[0], page.locator("li.stop.done").count()) == ("Turn 1", marks)
    expect(page.locator(".over")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    assert now(page) == later


def test_the_front_page_says_turn_and_step(phone):
    page = opened(phone)
    press(page, "done", 3)
    step = now(page)[1]
    page.goto("")
    expect(page.locator("[data-again=play] small")).to_have_text(re.compile(rf"turn 1 · {re.escape(step)}$"))
