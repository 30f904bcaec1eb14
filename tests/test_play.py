"""What players do on the page that plays a turn, in a real browser."""

from itertools import pairwise
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, Page, expect
from web import DESKTOP, PHONE, reader

COAST, OCS = "ember-coast/2.1/play/", "ocs/4.3/play/"
DICE = """
window.next = [];
crypto.getRandomValues = (numbers) => { numbers[0] = (window.next.shift() ?? 1) - 1; return numbers; };
"""
SHIFTS = """
window.shifts = [];
new PerformanceObserver((list) => {
  for (const { hadRecentInput, sources } of list.getEntries()) {
    const moved = sources.map(({ node }) => node).filter((node) => node?.closest?.(".rw.play"));
    if (!hadRecentInput) window.shifts.push(...moved.map((node) => node.className));
  }
}).observe({ type: "layout-shift", buffered: true });
"""
WALK = """() => {
  const walked = [], done = document.querySelector(".controls [data-act=done]");
  const words = (selector) => document.querySelector(selector)?.textContent ?? "";
  while (!/^End/.test(done.textContent) && walked.length < 300) {
    walked.push({
      screen: words(".controls b"), acts: words(".acts strong"), role: words(".acts span:last-child"),
      lines: [...document.querySelectorAll(".lines b")].map((each) => each.textContent),
      rolls: [...document.querySelectorAll(".tables-here .act > button")].map((each) => each.textContent),
      next: words(".controls [role=status] span"), wide: document.documentElement.scrollWidth > innerWidth,
    });
    done.click();
  }
  return walked;
}"""


@pytest.fixture
def phone(browser, address):
    wishes = {"viewport": PHONE, "base_url": f"{address}/", "reduced_motion": "reduce"}
    with reader(browser, address, **wishes) as context:
        context.add_init_script(DICE)
        yield context


@pytest.fixture
def page(phone):
    return opened(phone, OCS)


def opened(context: BrowserContext, path: str) -> Page:
    page = context.new_page()
    page.goto(path)
    expect(page.locator(".way b").first).to_be_visible()
    page.wait_for_function("location.hash")
    return page


def now(page: Page) -> tuple[str, str]:
    """Where the turn has come to: the path in the head, and the screen."""
    return page.locator(".way p").inner_text(), page.locator(".controls b").inner_text()


def press(page: Page, act: str, times: int = 1) -> None:
    """Press a button of the bar, whatever it says just now."""
    for _ in range(times):
        page.locator(f".controls [data-act={act}]").click()


def go(page: Page, anchor: str) -> None:
    """Go to a step by the sign in front of it in the list, whatever hides it."""
    page.locator(f"[id='{anchor}'] .go").first.evaluate("sign => sign.click()")


def words(page: Page, act: str) -> str:
    return page.locator(f".controls [data-act={act}]").inner_text()


def finish(page: Page) -> list[dict[str, Any]]:
    """Do whatever comes, to the end of the turn. Returns each screen with who acts on it."""
    walked: list[dict[str, Any]] = page.evaluate(WALK)
    return walked


BOOKS = {"ember-coast/2.1": 45, "ocs/4.3": 52, "ocs/3.0": 31, "asl/a3": 40, "killing-ground/1": 45}
"""Books, each with how often Done is pressed at most in a turn with one attack a loop."""


@pytest.mark.parametrize("book", BOOKS)
def test_a_turn_is_walked_in_few_taps(phone, book):
    """Each screen fits on the phone, has the dice of one roll, and names the next."""
    page = opened(phone, f"{book}/play/")
    walked = finish(page)
    assert 10 < len(walked) <= BOOKS[book]
    for screen, following in pairwise(walked):
        assert not screen["wide"]
        assert len(screen["rolls"]) < 3
        assert screen["next"] == f"Next: {following['screen']}" or screen["next"].endswith("?")


def test_who_is_first_is_asked_by_name_and_acts_first(page):
    """The second player wins the initiative: all of his turn comes first, in this turn and the next."""
    page.locator(".game summary").click()
    page.get_by_label("Player 2").fill("Anna")
    page.get_by_label("Player 2").press("Tab")
    press(page, "done")
    expect(page.locator(".asked")).to_have_text("Who takes the first player turn?")
    page.locator(".options").get_by_role("button", name="Player 2 · Anna").click()
    walked = finish(page)
    phasing = [screen["acts"] for screen in walked if screen["role"].startswith("Phasing player")]
    half = phasing.index("Player 1")
    assert set(phasing[:half]) == {"Player 2"}
    assert set(phasing[half:]) == {"Player 1"}
    expect(page.locator(".over")).to_have_text("The turn is over.")
    press(page, "done")
    expect(page.locator(".game summary b")).to_have_text("Turn 2")
    press(page, "done")
    assert words(page, "done") == "Anna first ›"


def test_each_attack_is_a_round_of_its_loop(phone):
    """No attack, one, or two: the head counts them, and the foot leads out of them."""
    page = opened(phone, COAST)
    go(page, "first/combat-phase/assault-segment/declare-the-attack")
    assert now(page)[0] == "Combat Phase · Assault Segment · attack 1"
    assert words(page, "skip") == "No attack"
    press(page, "done", 2)
    assert (words(page, "skip"), words(page, "done")) == ("Next attack", "No more ›")
    press(page, "skip")
    assert now(page)[0] == "Combat Phase · Assault Segment · attack 2"
    press(page, "done")
    assert words(page, "all") == "No more ›"
    middle = now(page)
    page.reload()
    expect(page.locator(".way p")).to_have_text(middle[0])
    page.go_back()
    page.go_back()
    expect(page.locator(".way p")).to_have_text("Combat Phase · Assault Segment · attack 1")
    page.go_forward()
    page.go_forward()
    assert now(page) == middle
    press(page, "all")
    assert now(page)[1] == "Exploitation Phase"


def test_the_way_back_of_the_phone_takes_one_tap_back(page):
    """Back, and the button of that name, lead through the same screens, even over the end of a turn."""
    seen = [now(page)]
    for _ in range(6):
        press(page, "done")
        seen.append(now(page))
    for screen in reversed(seen[3:-1]):
        page.go_back()
        expect(page.locator(".controls b")).to_have_text(screen[1])
    press(page, "back")
    expect(page.locator(".controls b")).to_have_text(seen[2][1])
    finish(page)
    press(page, "done")
    page.go_back()
    expect(page.locator(".over")).to_be_visible()
    expect(page.locator(".game summary b")).to_have_text("Turn 1")


MARKS = [
    # how a screen with five lines is passed, and what is marked: the optional one only if it was ticked
    ([], ["done", "done", "done", "skipped", "done"]),
    (["Eat what there is"], ["done", "done", "done", "done", "done"]),
    (["Trace supply paths"], ["done", "done", "done", "skipped", "done"]),
]


@pytest.mark.parametrize(("ticked", "marks"), MARKS)
def test_of_several_lines_those_with_a_condition_are_done_if_they_are_ticked(phone, ticked, marks):
    page = opened(phone, COAST)
    go(page, "first/supply-phase/trace-supply-paths")
    for line in ticked:
        page.locator(".lines").get_by_label(line).check()
    page.reload()
    page.get_by_role("button", name="Roll 2d6").click()
    press(page, "done")
    lines = page.locator("[id='first/supply-phase'] li.stop")
    found = lines.evaluate_all(
        "all => all.map((li) => li.matches('.done') ? 'done' : li.matches('.skipped') ? 'skipped' : '')"
    )
    assert found == marks


def test_what_may_be_done_at_any_time_comes_back_to_the_same_stop(page):
    go(page, "first/movement-phase/movement-segment/overruns")
    at = now(page)
    page.locator(".anytime").get_by_role("button", name="Air missions").click()
    assert now(page)[1] == "Fly missions"
    press(page, "done", 2)
    assert now(page) == at
    press(page, "all")
    assert now(page)[0] == "Supply Phase"


def test_the_counter_is_set_and_steps_of_other_turns_are_passed_over(phone):
    """The Allied player counts cities in every fourth turn alone, without a question."""
    page = opened(phone, "killing-ground/1/play/")
    often = [
        li.get_attribute("id")
        for li in page.locator("li.stop").all()
        if "every 4 game turns" in li.inner_text().lower()
    ]
    count = page.locator(f"[id='{often[-1]}']")
    title = count.locator(".title").inner_text()
    assert title not in str(finish(page))
    press(page, "back", 1)
    page.locator(".game summary").click()
    page.get_by_role("button", name="Take back all of turn 1").click()
    page.get_by_label("Turn", exact=True).fill("8")
    page.get_by_label("Turn", exact=True).press("Tab")
    assert title in str(finish(page))


def test_a_reader_rolls_at_a_stop_and_the_log_says_so(page):
    page.goto("ocs/3.0/play/")
    go(page, "first/movement/barrage-segment")
    page.evaluate("window.next = [3]")
    page.locator(".step-screen").get_by_role("button", name="Roll 1d6").click()
    expect(page.locator(".step-screen tr.lit th")).to_have_accessible_name("1 to 4")
    page.locator(".does summary").click()
    page.get_by_role("textbox", name="Note").fill("Two Bf 109s")
    press(page, "done")
    page.locator(".log > summary").click()
    expect(page.locator(".log p").last).to_have_text(
        "✓ Barrage Segment (Player 1) – Air Unit Reduction Table: Three. No Effect; Two Bf 109s"
    )


def test_nothing_moves_when_the_script_fills_the_page(browser, address):
    for size in (PHONE, DESKTOP):
        with reader(browser, address, viewport=size, base_url=f"{address}/") as context:
            context.add_init_script(SHIFTS)
            for path in (COAST, OCS, "asl/a3/play/"):
                page = opened(context, path)
                page.wait_for_timeout(200)
                assert [each for each in page.evaluate("window.shifts") if each] == []
                page.close()


@pytest.mark.parametrize("height", [330, 420])
def test_nothing_lies_over_a_step_where_the_keyboard_takes_half_of_the_screen(page, height):
    page.set_viewport_size({"width": 390, "height": height})
    for _ in range(12):
        press(page, "done")
        assert page.evaluate("""() => {
          const { left, top, width, height } = document.querySelector(".telling h2").getBoundingClientRect();
          const middle = document.elementFromPoint(left + width / 2, top + height / 2);
          return Boolean(middle?.closest(".step-screen"));
        }"""), now(page)
    expect(page.locator(".acts strong")).to_be_visible()


def test_a_reload_without_a_network_loses_nothing(browser, address):
    """A player at the club plays on where he was, and reads the rule of the step."""
    with browser.new_context(viewport=PHONE, base_url=f"{address}/") as context:
        page = opened(context, COAST)
        press(page, "done")
        expect(page.get_by_text("can be read offline")).to_be_visible()
        context.set_offline(True)
        press(page, "done")
        at = now(page)
        page.reload()
        assert now(page) == at
        page.goto("about:blank")
        page.goto(COAST)
        expect(page.locator(".rule-here .rule-text").first).not_to_be_empty()
        assert now(page) == at


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=str)
def test_a_link_to_a_step_opens_at_it(browser, address, size):
    """A player copies the link; whoever opens it is at the same step, which is on the screen."""
    with reader(browser, address, viewport=size, base_url=f"{address}/") as context:
        page = opened(context, COAST)
        press(page, "done", 11)
        at = now(page)
        page.get_by_role("button", name="Link to this step").click()
        link = page.locator(".rw-dock .message input").input_value()
        assert len(link) - len(address) < 100
    with reader(browser, address, viewport=size, base_url=f"{address}/") as context:
        page = opened(context, link)
        assert now(page) == at
        expect(page.locator(".telling h2")).to_be_in_viewport(ratio=1)


def test_the_keyboard_is_enough_and_axe_is_content(page):
    """A player without a mouse walks on; a screen reader has a name for everything."""
    page.goto(COAST)
    page.wait_for_function("location.hash")
    for _ in range(5):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.dataset.act") == "done":
            break
    else:
        pytest.fail("Done is not within five Tabs")
    first = now(page)
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Enter")
    second = now(page)
    page.keyboard.press("s")
    assert len({first, second, now(page)}) == 3
    page.keyboard.press("Backspace")
    expect(page.locator(".controls b")).to_have_text(second[1])
    page.locator(".does summary").click()
    page.get_by_label("Note").fill("s")
    page.get_by_label("Note").press("Backspace")
    assert now(page) == second, "what is typed in a field is no key to play"
    expect(page.locator(".controls p >> nth=1")).to_have_attribute("role", "status")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        for path, anchor in (
            (COAST, "first/supply-phase/attrition"),
            (OCS, "second-player-turn/combat-phase/combat-segment"),
            ("asl/a3/play/", ""),
        ):
            page.goto(path)
            page.wait_for_function("location.hash")
            if anchor:
                go(page, anchor)
            assert Axe().run(page, context=".rw").response["violations"] == []


def test_without_scripts_the_turn_is_a_list(bare):
    """A reader without JavaScript has every step of both player turns and every rule, and no dead button."""
    bare.goto(OCS)
    expect(bare.locator("[id='second-player-turn/movement-phase/movement-segment/overruns']")).to_be_visible()
    expect(bare.locator(".rw").get_by_role("button")).to_have_count(0)
    bare.locator(".outline").get_by_role("link", name="12.8e").last.click()
    bare.wait_for_url("**/ocs/4.3/12-supply/#12.8e")
