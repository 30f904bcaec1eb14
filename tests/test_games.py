"""The log of a game: how two of them are joined, what is taken back, tabs that go along."""

import json
import random
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from web import PHONE, reader

PLAY = "ember-coast/2.1/play/"
KEY = "/rulewright.play/ember-coast/2.1"
MOST = 3000
Entry = dict[str, Any]
Log = list[Entry]


@pytest.fixture
def phone(browser: Browser, address: str) -> Iterator[BrowserContext]:
    with reader(browser, address, **wishes(address)) as context:
        yield context


def wishes(address: str) -> dict[str, Any]:
    return {"viewport": PHONE, "base_url": f"{address}/", "reduced_motion": "reduce"}


def opened(context: BrowserContext, where: str = PLAY) -> Page:
    page = context.new_page()
    page.goto(where)
    expect(page.locator(".controls b")).not_to_be_empty()
    return page


def press(page: Page, act: str, times: int = 1) -> None:
    for _ in range(times):
        page.locator(f"[data-act={act}]").evaluate("button => button.click()")


def now(page: Page) -> str:
    return page.locator(".controls b").inner_text()


def turn(page: Page) -> str:
    return page.locator(".game summary b").inner_text()


def log(page: Page) -> list[str]:
    page.locator(".log").evaluate("log => { log.open = false; }")
    page.locator(".log > summary").evaluate("summary => summary.click()")
    page.wait_for_function("document.querySelector('.log').open")
    return page.locator(".log > div > p").all_inner_texts()


def stored(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(page.evaluate("key => localStorage[key]", KEY))
    return found


def entries(page: Page) -> Log:
    kept = stored(page)
    found: Log = kept["games"][kept["last"]]["log"]
    return found


# What a log is: joined by another program than ours


def drawn(chance: random.Random, most: int) -> Log:
    """A log by chance, of few devices and times so that many entries meet, and some differ under one name."""
    made: Log = []
    for _ in range(chance.randrange(most)):
        kind = chance.choice("mmmmtsnrax")
        one: Entry = {
            "d": chance.choice(["a", "b", "c9"]), "n": chance.randrange(1, most), "c": chance.randrange(most),
            "t": chance.randrange(1, 4), "k": kind, "g": chance.randrange(1, most),
        }  # fmt: skip
        if kind in "mnra":
            one["i"] = chance.choice(["x", "y/z", "__proto__"])
        if kind in "mts":
            one["m"] = chance.randrange(3) if kind == "m" else chance.randrange(1, 6)
        if kind in "nrax":
            one["v"] = (
                f"{chance.choice('abc')}.{chance.randrange(most)}" if kind == "x" else chance.choice("pq")
            )
        made.append(one)
    return made


def by_time(one: Entry) -> tuple[Any, ...]:
    return one["c"], one["d"], one["n"], json.dumps(one, separators=(",", ":"))


def joined(*logs: Log) -> Log:
    """Each entry once, by time and device; of two under one name the later; of too many the latest."""
    found: dict[tuple[str, int], Entry] = {}
    for one in (one for each in logs for one in each):
        name = one["d"], one["n"]
        if name not in found or by_time(found[name]) < by_time(one):
            found[name] = one
    return sorted(found.values(), key=by_time)[-MOST:]


def told(log: Log) -> tuple[int, dict[str, int]]:
    """The turn and its marks: what is said later holds, and nothing that was taken back."""
    gone: set[str] = set()
    held: Log = []
    for one in reversed(log):
        if f"{one['d']}.{one['g']}" not in gone:
            held.insert(0, one)
            if one["k"] == "x":
                gone.add(one["v"])
    now = 1
    for one in held:
        now = one["m"] if one["k"] == "s" else max(now, one["m"]) if one["k"] == "t" else now
    return now, {one["i"]: one["m"] for one in held if one["k"] == "m" and one["t"] == now}


JOIN = """(cases) => cases.map((logs) => {
  const { merge, state } = rulewright.games;
  const [a, b, c] = logs;
  const [ab, abc] = [merge(a, b), merge(merge(a, b), c)];
  const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
  const ways = [[ab, merge(b, a)], [abc, merge(a, merge(b, c))], [ab, merge(ab, b)], [ab, merge(ab, a)]];
  const { turn, marks } = state(abc);
  return [ways.map(([one, other]) => same(one, other)), abc, turn, Object.entries(marks)];
})"""


def test_logs_are_joined_in_any_order_and_as_often_as_one_likes(phone: BrowserContext) -> None:
    """Whichever tabs tell each other, and how often: all have the same log, and stand at the same place."""
    page = opened(phone)
    chance = random.Random(18)
    cases = [[drawn(chance, most) for _ in range(3)] for most in [3, 8, 30] * 70]
    cases.append([drawn(chance, 2 * MOST) for _ in range(3)])
    for logs, (ways, found, turn, marks) in zip(cases, page.evaluate(JOIN, cases), strict=True):
        assert ways == [True] * 4
        assert found == joined(*logs)
        assert (turn, dict(marks)) == told(found)
    assert len(found) == MOST


# A link to a step


def test_an_older_link_asks_before_it_leads_back_and_that_can_be_undone(phone: BrowserContext) -> None:
    page = opened(phone)
    press(page, "done", 3)
    old, place = page.url, now(page)
    page.locator(".game > summary").click()
    page.get_by_label("Turn", exact=True).fill("5")
    page.get_by_label("Turn", exact=True).press("Tab")
    press(page, "done", 2)
    kept, newer = entries(page), now(page)
    page.goto(old)
    box = page.locator(".shared")
    expect(box).to_contain_text("Yours is further on: turn 5.")
    assert (turn(page), now(page), entries(page)) == ("Turn 5", newer, kept)
    page.get_by_role("button", name="Keep my game").click()
    assert (turn(page), now(page), entries(page)) == ("Turn 5", newer, kept)
    page.goto("about:blank")
    page.goto(old)
    page.get_by_role("button", name="Go back to turn 1").click()
    assert (turn(page), now(page)) == ("Turn 1", place)
    page.get_by_role("button", name="Undo").click()
    assert (turn(page), now(page), entries(page)) == ("Turn 5", newer, kept)


# What is taken back


def test_a_game_is_deleted_and_brought_back(phone: BrowserContext) -> None:
    page = opened(phone)
    press(page, "done", 3)
    first = stored(page)["games"]
    press(page, "new")
    press(page, "done")
    press(page, "delete")
    assert stored(page)["games"].keys() == first.keys()
    expect(page.locator(".own-told")).to_contain_text("The game is deleted")
    page.get_by_role("button", name="Undo").click()
    assert len(stored(page)["games"]) == 2
    assert len(entries(page)) == 1, "and it is played on"


def test_a_turn_that_was_begun_by_mistake_is_taken_back_as_a_whole(phone: BrowserContext) -> None:
    """End turn, and a few steps of the next: one button leads back to the end of the one before."""
    page = opened(phone)
    done = page.locator(".controls [data-act=done]")
    done.evaluate("done => { while (!/^End/.test(done.textContent)) done.click(); }")
    marks = page.locator("li.stop.done").count()
    press(page, "done", 4)
    later = now(page)
    assert turn(page) == "Turn 2"
    press(page, "unturn")
    assert (turn(page), page.locator("li.stop.done").count()) == ("Turn 1", marks)
    expect(page.locator(".over")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    assert (turn(page), now(page)) == ("Turn 2", later)
    press(page, "back", 4)
    assert (turn(page), page.locator("li.stop.done").count()) == ("Turn 1", marks)


# Dice of one's own


def test_a_reader_rolls_real_dice_and_the_log_says_so(phone: BrowserContext) -> None:
    page = opened(phone, "ocs/3.0/play/")
    page.locator("[id='first/movement/barrage-segment'] .go").first.evaluate("sign => sign.click()")
    field = page.locator(".desk").get_by_label("or your own dice")
    field.fill("9")
    field.press("Enter")
    expect(page.locator(".desk .roller output")).to_have_text("1d6 gives 1 to 6.")
    field.fill("3")
    field.press("Enter")
    expect(page.locator(".desk tr.lit th")).to_have_accessible_name("1 to 4")
    press(page, "done")
    assert log(page)[-1].endswith("Air Unit Reduction Table: Rolled by hand: 3. No Effect")


# Going along


def test_tabs_go_along_in_both_directions(phone: BrowserContext) -> None:
    one = opened(phone)
    two = opened(phone)
    press(one, "done", 2)
    expect(two.locator(".controls b")).to_have_text(now(one))
    press(two, "done")
    expect(one.locator(".controls b")).to_have_text(now(two))


def test_the_front_page_says_turn_and_step(phone: BrowserContext) -> None:
    page = opened(phone)
    press(page, "done", 3)
    step = now(page)
    page.goto("")
    expect(page.locator("[data-again=play] small")).to_have_text(re.compile(rf"turn 1 · {re.escape(step)}$"))
