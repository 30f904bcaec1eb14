"""What players do on the page that plays a turn, in a real browser: one test a thing."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, expect
from web import PHONE, reader

from tests.projects import ROOT

DICE = """
window.next = [];
crypto.getRandomValues = (numbers) => { numbers[0] = (window.next.shift() ?? 1) - 1; return numbers; };
"""
WALK = """() => {
  const walked = [], done = document.querySelector(".controls [data-act=done]");
  const words = (selector) => document.querySelector(selector)?.textContent ?? "";
  while (!/^End/.test(done.textContent) && walked.length < 300) {
    const lines = [...document.querySelectorAll(".lines input")].map((box) => box.value);
    walked.push({
      screen: words(".controls b"),
      acts: document.querySelector(".acts").hidden ? "" : words(".acts strong"),
      role: words(".acts span:last-child"),
      stops: lines.length ? lines : [document.querySelector("li.stop.now").id],
      rolls: [...document.querySelectorAll(".tables-here .act > button")].map((one) => one.textContent),
      next: words(".controls [role=status] span"),
      wide: document.documentElement.scrollWidth > innerWidth,
    });
    done.click();
  }
  return walked;
}"""


@pytest.fixture
def phone(browser: Browser, address: str) -> Iterator[BrowserContext]:
    wishes = {"viewport": PHONE, "base_url": f"{address}/", "reduced_motion": "reduce"}
    with reader(browser, address, **wishes) as context:
        context.add_init_script(DICE)
        yield context


@pytest.fixture
def page(phone: BrowserContext) -> Page:
    page = phone.new_page()
    page.goto("ocs/4.3/play/")
    return page


def now(page: Page) -> str:
    return page.locator(".controls b").inner_text()


def press(page: Page, name: str, times: int = 1) -> None:
    for _ in range(times):
        page.locator(".controls").get_by_role("button", name=name).click()


def go(page: Page, anchor: str) -> None:
    """Go to a stop by the sign in front of it, whatever hides it."""
    page.locator(f"[id='{anchor}']").locator(".go").first.evaluate("sign => sign.click()")


def finish(page: Page) -> list[dict[str, Any]]:
    """Do whatever comes, to the end of the turn. Returns each screen with who acts on it."""
    walked: list[dict[str, Any]] = page.evaluate(WALK)
    return walked


def done(page: Page) -> str:
    return page.locator(".controls [data-act=done]").inner_text()


def test_a_whole_turn_is_walked_through_both_player_turns(page):
    """Two players go through all of a turn of OCS, end it, and stand before the next."""
    walked = finish(page)
    assert (walked[0]["screen"], walked[0]["acts"]) == ("Weather Determination Segment", "Either player acts")
    overruns = [(one["acts"], one["role"]) for one in walked if one["screen"] == "Overruns"]
    assert ("First player acts", "Phasing player") in overruns
    assert overruns.index(("First player acts", "Phasing player")) < overruns.index(
        ("Second player acts", "Phasing player")
    )
    assert walked[-1]["acts"] == "No player acts"
    expect(page.locator(".over")).to_have_text("The turn is over.")
    press(page, "End turn 1")
    expect(page.locator(".game summary b")).to_have_text("Turn 2")
    assert now(page) == "Weather Determination Segment"


KINDS = ("game turn", "player turn", "phase", "segment", "step", "do")
ROLES = {
    "both": "Both players",
    "either": "Either player",
    "none": "No player",
    "unspecified": "Not specified",
}
NOBODY = {ROLES["none"], ROLES["unspecified"]}
MANY = {"Tidewardens", "Both players"}
Step = dict[str, Any]


def title(step: Step) -> str:
    return next(str(step[kind]) for kind in KINDS if kind in step)


def row_of(step: Step) -> list[Step]:
    inner = step.get("any order")
    return step.get("steps") or (inner if isinstance(inner, list) else [])


def listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value] if value else []


class Reading:
    """A turn as its YAML says it, read by another program than ours: each line with who acts and its dice."""

    def __init__(self, address: str) -> None:
        folder = ROOT / "content" / address
        self.book = yaml.safe_load((folder.parent / "rulebook.yml").read_text())
        self.row = yaml.safe_load((folder / "sequence.yml").read_text())["steps"]
        self.tables = {}
        for file in (folder / "tables").glob("*.yml"):
            table = yaml.safe_load(file.read_text())
            self.tables[table["title"]] = [
                one["roll"] for one in (table, table.get("then") or {}) if "roll" in one
            ]

    def lines(self) -> Iterator[tuple[str, str, list[str]]]:
        """Every line of the first turn, done from first to last, so that turns which may be swapped are."""
        row = list(self.row)
        for names in [one["swaps"] for one in self.every(row) if "swaps" in one]:
            here, there = (
                next(at for at, one in enumerate(row) if self.is_called(one, name)) for name in names
            )
            row[here], row[there] = row[there], row[here]
        for step in row:
            yield from self.step(step, ["none"], "", [])

    def every(self, row: list[Step]) -> Iterator[Step]:
        for step in row:
            yield step
            yield from self.every(row_of(step))

    def is_called(self, step: Step, name: str) -> bool:
        return name in (step.get("id"), title(step))

    def differing(self, row: list[Step], ways: list[list[Step]]) -> list[Step]:
        for differences in ways:
            made = []
            for step in row:
                own = [
                    one
                    for one in differences
                    if any(
                        self.is_called(step, str(one.get(key)))
                        for key in ("drop", "change", "before", "after")
                    )
                ]
                made += [one["add"] for one in own if "before" in one]
                if not any("drop" in one for one in own):
                    new = next((one for one in own if "change" in one), {})
                    kept = {
                        key: value
                        for key, value in step.items()
                        if not (set(KINDS) & new.keys() and key in KINDS)
                        and not (row_of(new) and key in ("steps", "any order"))
                    }
                    made.append(kept | {key: value for key, value in new.items() if key != "change"})
                made += [one["add"] for one in own if "after" in one]
            row = made
        return row

    def inside(self, step: Step, ways: list[list[Step]]) -> tuple[list[Step], list[list[Step]]]:
        if "repeats" not in step:
            return self.differing(row_of(step), ways), ways
        own = step.get("except", [])
        again = next(one for one in self.every(self.row) if self.is_called(one, step["repeats"]))
        row, _ = self.inside(again, [own, *ways])
        return row + [one["add"] for one in own if len(one) == 1 and "add" in one], [own, *ways]

    def step(
        self, step: Step, by: list[str], phasing: str, ways: list[list[Step]]
    ) -> Iterator[tuple[str, str, list[str]]]:
        phasing = step.get("phasing", phasing)
        by = listed(step.get("by")) or (["phasing"] if "phasing" in step else by)
        if "every" in step:
            asked = step["every"]
            turns = int(asked["turns"] if isinstance(asked, dict) else asked.split()[0])
            if (int(asked["from"]) if isinstance(asked, dict) else turns) != 1 and turns != 1:
                return
        row, ways = self.inside(step, ways)
        hosts = {
            id(one): next(
                (each for each in row if each is not one and self.is_called(each, one["during"])), None
            )
            for one in row
            if "during" in one
        }
        guests = [one for one in row if hosts.get(id(one))]
        row = [one for one in row if one not in guests]
        is_alike = not any(listed(one.get("by")) not in ([], by) for one in self.every(row))
        if not row:
            for actor in by:
                yield title(step), self.actor(actor, phasing), self.dice(step)
        elif len(by) > 1 and is_alike:
            for actor in by:
                for one in row:
                    yield from self.step({**one, "by": actor}, by, phasing, ways)
        else:
            for one in row:
                yield from self.step(one, by, phasing, ways)
                for guest in guests:
                    if hosts[id(guest)] is one:
                        yield from self.step(guest, by, phasing, ways)

    def actor(self, name: str, phasing: str) -> str:
        sides = self.book["sides"]
        if name in ("phasing", "non-phasing"):
            name = next(side for side in sides if (side == phasing) == (name == "phasing"))
        declared = sides.get(name) or self.book["roles"].get(name) or {}
        return str(declared.get("title") or ROLES[name])

    def dice(self, step: Step) -> list[str]:
        rolled = [roll for name in listed(step.get("uses")) for roll in self.tables.get(name, [])]
        said = re.match(r"\d*d\d+", str(step.get("rolls", "")))
        return ([said[0]] if said and said[0] not in rolled else []) + rolled


BOOKS = {
    "ember-coast/2.1": 45, "ember-coast/1": 45, "ocs/4.3": 52, "ocs/3.0": 31, "asl/a3": 25,
    "killing-ground/1": 37, "eastern-front/2009-02-16": 55,
}  # fmt: skip
"""Books, each with how often Done is pressed in a turn at most."""


@pytest.mark.parametrize("book", BOOKS)
def test_a_turn_is_what_its_yaml_says_in_few_taps(phone, book):
    """Who acts, what is offered and which dice, from the first screen to the last, by another reading."""
    page = phone.new_page()
    page.goto(f"{book}/play/")
    names = page.evaluate("""() => Object.fromEntries([...document.querySelectorAll("li.stop")].map((li) => {
      const isOfStep = li.matches(".round") && !li.querySelector("li.stop");
      const shared = isOfStep ? li.parentElement.closest("li.stop") : li;
      const words = shared.querySelector(".title").cloneNode(true);
      words.querySelector(".step-label")?.remove();
      return [li.id, words.textContent.trim()];
    }))""")
    walked = finish(page)
    expected = list(Reading(book).lines())
    assert [names[stop] for one in walked for stop in one["stops"]] == [line[0] for line in expected]
    assert len(walked) <= BOOKS[book]
    for one, following in zip(walked, [*walked[1:], None], strict=True):
        lines, expected = expected[: len(one["stops"])], expected[len(one["stops"]) :]
        acting = list(dict.fromkeys(line[1] for line in lines))
        acting = [actor for actor in acting if actor not in NOBODY] or acting
        verb = "act" if len(acting) > 1 or MANY.intersection(acting) else "acts"
        assert one["acts"] == f"{', then '.join(acting)} {verb}"
        dice = {tuple(line[2]) for line in lines if line[2]}
        assert len(dice) <= 1, f"{one['screen']}: only one roll is meant"
        if dice:
            assert one["rolls"][0] == f"Roll {dice.pop()[0]}"
        if following and "swapped" not in one["screen"] and "Change the order" not in one["screen"]:
            assert one["next"] == f"Next: {following['screen']}"
        assert not one["wide"]


def test_a_step_is_skipped_with_its_condition_as_the_reason(page):
    """A player has nobody whose mode changes as it moves, and walks on."""
    go(page, "first/movement-phase/movement-segment/change-modes")
    expect(page.locator(".desk .fact-line")).to_have_text("optional · as a unit's own move begins")
    press(page, "Skip")
    modes = page.locator("[id='first/movement-phase/movement-segment/change-modes']")
    expect(modes.locator(".state").first).to_have_text("skipped: Optional; as a unit's own move begins")
    assert now(page) == "Overruns", "what lies in a step that is skipped is skipped with it"


def test_back_takes_the_last_thing_back_even_the_end_of_a_turn(page):
    """A player pressed once too often."""
    press(page, "Done", 3)
    assert now(page) == "Reinforcement Phase: Reinforcements appear (Arrival Table)"
    press(page, "Back")
    assert now(page) == "Refit aircraft"
    finish(page)
    press(page, "End turn 1")
    press(page, "Back")
    expect(page.locator(".over")).to_be_visible()
    expect(page.locator(".game summary b")).to_have_text("Turn 1")


def test_what_is_in_any_order_is_ticked_in_any_order(page):
    """A player flies Hip Shoots first and comes back for the Fighter Sweep."""
    base = "first/movement-phase/movement-segment/air-missions/fly-missions"
    go(page, f"{base}/fighter-sweep")
    page.locator(".lines").get_by_label("Hip Shoot").check()
    assert now(page) == "Air missions"
    expect(page.locator(f"[id='{base}/hip-shoot']")).to_have_class(re.compile(r"\bdone\b"))
    expect(page.locator(".lines .at")).to_contain_text("Fighter Sweep")
    page.locator(".lines .at").get_by_role("button", name="Skip").click()
    expect(page.locator(f"[id='{base}/fighter-sweep']")).to_have_class(re.compile(r"\bskipped\b"))
    press(page, "All done")
    assert now(page) == "Air missions: Air Combat"
    for each, mark in (("hip-shoot", "done"), ("fighter-sweep", "skipped"), ("air-drop", "done")):
        expect(page.locator(f"[id='{base}/{each}']")).to_have_class(re.compile(rf"\b{mark}\b"))


def test_what_may_be_done_besides_is_a_button_at_each_step(page):
    """Air missions are flown at any time of the Movement Segment, and the game comes back to where it was."""
    go(page, "first/movement-phase/movement-segment/overruns")
    page.locator(".chips").get_by_role("button", name="Air missions").click()
    assert now(page) == "Air missions"
    page.keyboard.press("Escape")
    press(page, "Skip")
    assert now(page) == "Air/Naval Barrage Segment"
    press(page, "Back")
    assert now(page) == "Air missions"


MARKS = [
    # how a turn is passed at a screen with five lines, and what is marked: the optional one only if ticked
    ([], ["done", "done", "done", "skipped", "done"]),
    (["Eat what there is"], ["done", "done", "done", "done", "done"]),
    (["Trace supply paths"], ["done", "done", "done", "skipped", "done"]),
]


@pytest.mark.parametrize(("ticked", "marks"), MARKS)
def test_of_several_lines_those_with_a_condition_are_done_if_they_are_ticked(phone, ticked, marks):
    page = phone.new_page()
    page.goto("ember-coast/2.1/play/")
    go(page, "first/supply-phase/trace-supply-paths")
    for line in ticked:
        page.locator(".lines").get_by_label(line).check()
    page.get_by_role("button", name="Roll 2d6").click()
    press(page, "Done")
    lines = page.locator("[id='first/supply-phase'] li.stop")
    found = lines.evaluate_all(
        "all => all.map((li) => li.matches('.done') ? 'done' : li.matches('.skipped') ? 'skipped' : '')"
    )
    assert found == marks
    press(page, "Back")
    expect(lines.locator("nth=4")).not_to_have_class(re.compile("done"))


def test_a_phase_is_done_at_once(page):
    """A player has nothing to do in the Reinforcement Phase."""
    press(page, "Done", 3)
    page.get_by_role("button", name="All done in Reinforcement Phase").click()
    assert now(page) == "Breakout Segment"
    press(page, "Back")
    assert now(page) == "Reinforcement Phase: Reinforcements appear (Arrival Table)"


def test_a_step_that_comes_round_every_fourth_turn(phone):
    """The Allied player counts cities in turn 4 alone, and is told so in the others."""
    page = phone.new_page()
    page.goto("killing-ground/1/play/")
    count = page.locator("li.stop[data-every]")
    expect(count.locator(".state")).to_have_text("skipped: Every 4 game turns; next in turn 4")
    assert count.get_attribute("id") not in [stop for one in finish(page) for stop in one["stops"]]
    page.locator(".game summary").click()
    page.get_by_label("Turn", exact=True).fill("8")
    page.get_by_label("Turn", exact=True).press("Tab")
    expect(count.locator(".state")).to_have_text("")


def test_who_won_the_initiative_acts_first_to_the_end_after_a_reload_and_by_a_link(phone, browser, address):
    """In each screen of both player turns the bar, the strip and what is next are of the side that acts."""
    page = phone.new_page()
    page.goto("ember-coast/2.1/play/")
    go(page, "dawn-phase/initiative-segment/the-first-and-the-second-player")
    press(page, "Done")
    link = page.url
    whole = finish(page)
    phasing = [one["acts"] for one in whole if one["role"] == "Phasing player"]
    half = phasing.index("Lantern League acts")
    assert set(phasing[:half]) == {"Tidewardens act"}
    assert set(phasing[half:]) == {"Lantern League acts"}
    for at in (3, 7):
        with reader(browser, address, viewport=PHONE, base_url=f"{address}/") as context:
            other = context.new_page()
            other.goto(link)
            for _ in range(at):
                press_done(other)
            other.reload()
            assert finish(other) == whole[at:]


def press_done(page: Page) -> None:
    page.locator(".controls [data-act=done]").click()


def test_players_act_one_after_the_other(phone):
    """In the Rout Phase of ASL the ATTACKER routs all his units before the DEFENDER does."""
    page = phone.new_page()
    page.goto("asl/a3/play/")
    walked = [(one["acts"], one["role"]) for one in finish(page) if one["screen"] == "Rout broken units"]
    assert walked[:2] == [
        ("Side that moves first acts", "ATTACKER"),
        ("Side that moves second acts", "DEFENDER"),
    ]


def test_a_reader_rolls_on_a_table_inside_a_step(page):
    """A player bombs an air base; the row lights up at the step, and the roll stands in the log."""
    page.goto("ocs/3.0/play/")
    go(page, "first/movement/barrage-segment")
    page.evaluate("window.next = [3]")
    page.locator(".desk").get_by_role("button", name="Roll 1d6").click()
    expect(page.locator(".desk tr.lit th")).to_have_accessible_name("1 to 4")
    page.locator(".does summary").click()
    page.get_by_role("textbox", name="Note").fill("Two Bf 109s")
    press(page, "Done")
    page.locator(".log > summary").click()
    expect(page.locator(".log p").last).to_have_text(
        "✓ Barrage Segment (Phasing player · First player) – Air Unit Reduction Table: "
        "Three. No Effect; Two Bf 109s"
    )


def test_the_rule_of_a_step_stands_there_in_full(phone):
    """A player who has forgotten what the Rally Phase is reads it where he stands."""
    page = phone.new_page()
    page.goto("asl/a3/play/")
    expect(page.locator(".rule-here .at")).to_have_text("A3.1 Rally Phase (RPh)")
    expect(page.locator(".rule-here")).to_contain_text("broken")


@pytest.mark.parametrize("height", [330, 420])
def test_nothing_lies_over_a_step_where_the_keyboard_takes_half_of_the_screen(page, height):
    page.set_viewport_size({"width": 390, "height": height})
    for _ in range(12):
        page.locator(".controls [data-act=done]").click()
        seen = page.evaluate("""() => {
          const { left, top, width, height } = document.querySelector(".telling h2").getBoundingClientRect();
          const there = document.elementFromPoint(left + width / 2, top + height / 2);
          return Boolean(there?.closest(".desk"));
        }""")
        assert seen, now(page)
    expect(page.locator(".acts strong")).to_be_visible()


def test_a_game_is_resumed_after_a_reload(page):
    """A phone sleeps and wakes up, or the page is opened anew by its plain address."""
    press(page, "Done", 4)
    page.locator(".game summary").click()
    page.get_by_label("First player").fill("Anna")
    page.get_by_label("Weather", exact=True).fill("Mud")
    page.get_by_label("Weather", exact=True).press("Tab")
    for path in (page.url, "ocs/4.3/play/"):
        page.goto("about:blank")
        page.goto(path)
        assert now(page) == "Rebuild units"
        expect(page.locator(".acts strong")).to_have_text("First player acts")
        expect(page.locator(".acts span:last-child")).to_have_text("Phasing player · Anna")
        expect(page.locator(".game summary")).to_contain_text("Mud")
        expect(page.locator(".shared")).to_be_hidden()


def test_a_reload_without_a_network_loses_nothing(browser, address):
    """A player at the club plays on where he was, and reads the rule of the step."""
    with browser.new_context(viewport=PHONE, base_url=f"{address}/") as context:
        page = context.new_page()
        page.goto("ember-coast/2.1/play/")
        press_done(page)
        expect(page.get_by_text("can be read without a network")).to_be_visible()
        context.set_offline(True)
        press_done(page)
        at = now(page)
        page.reload()
        assert now(page) == at
        press_done(page)
        page.goto("about:blank")
        page.goto("ember-coast/2.1/play/")
        expect(page.locator(".rule-here .said").first).not_to_be_empty()
        assert now(page) != at


def test_a_shared_address_overwrites_no_game(page):
    """A player in the middle of a game opens the address of another, looks, and goes back to his own."""
    press(page, "Done", 2)
    page.goto("about:blank")
    page.goto("ocs/4.3/play/#play=other.7.40.40d.00000000&name=Caen")
    expect(page.locator(".shared")).to_contain_text("Caen, Turn 7")
    expect(page.locator(".shared")).to_be_in_viewport()
    assert now(page) == "Refit aircraft"
    page.get_by_role("button", name="Open shared game").click()
    expect(page.locator(".game summary")).to_contain_text("Turn 7 Caen")
    page.locator(".game summary").click()
    games = page.locator("select[name=games]")
    assert games.locator("option").all_inner_texts() == ["Game 1, Turn 1", "Caen, Turn 7"]
    games.select_option(index=0)
    assert now(page) == "Refit aircraft"


def test_an_address_that_is_no_game_changes_nothing(page):
    """Somebody cut an address in half, or wrote one by hand."""
    press(page, "Done", 2)
    for broken in (
        "play=x",
        "play=a.1.9.99999999999d.zz",
        "play=constructor.1.5.3d.zz",
        "%E0%A4%A",
        "play=a.0.-1..",
        "first",
    ):
        page.goto("about:blank")
        page.goto(f"ocs/4.3/play/#{broken}")
        assert now(page) == "Refit aircraft"


def test_the_keyboard_is_enough_and_axe_is_content(page):
    """A player without a mouse walks on; a screen reader has a name for everything."""
    page.locator(".controls [data-act=done]").focus()
    page.keyboard.press("Enter")
    assert now(page).startswith("Each player rolls")
    expect(page.locator(".controls p >> nth=1")).to_have_attribute("role", "status")
    for scheme, path in (("light", "ocs/4.3/in-order/"), ("dark", "asl/a3/play/")):
        page.emulate_media(color_scheme=scheme)
        page.goto(path)
        assert Axe().run(page, context=".rw").response["violations"] == []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.goto("ember-coast/2.1/play/")
        go(page, "first/supply-phase/attrition")
        assert Axe().run(page, context=".rw").response["violations"] == []
    for width in (320, 390):
        page.set_viewport_size({"width": width, "height": 700})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_only_the_log_is_printed(page):
    """A player prints the log of a turn."""
    finish(page)
    page.evaluate(
        "void (window.print = () => (window.printed = document.querySelector('.printing .log b').innerText))"
    )
    page.locator(".log > summary").click()
    page.get_by_role("button", name="Print the log").click()
    assert page.evaluate("window.printed") == "Weather Determination Segment"


def test_it_works_from_a_disk(browser, pages: Path):
    """A player has the site on a disk, without any network."""
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.goto(f"file://{pages}/asl/a3/play/index.html")
    expect(page.locator(".rule-here")).to_contain_text("broken")
    press(page, "Done")
    page.reload()
    assert now(page) == "Take any of these actions"
    context.close()


def test_without_scripts_the_turn_is_a_list(bare):
    """A reader without JavaScript has every step of both player turns and every rule, and no dead button."""
    bare.goto("ocs/4.3/play/")
    expect(bare.locator("[id='second-player-turn/movement-phase/movement-segment/overruns']")).to_be_visible()
    expect(bare.locator(".rw").get_by_role("button")).to_have_count(0)
    bare.locator(".outline").get_by_role("link", name="12.8e").last.click()
    bare.wait_for_url("**/ocs/4.3/12-supply/#12.8e")


@pytest.mark.parametrize("size", [{"width": 390, "height": 844}, {"width": 1280, "height": 900}], ids=str)
def test_a_link_to_a_step_opens_at_it(browser, address, size):
    """A player copies the link; whoever opens it stands at the same step, which is on the screen."""
    with reader(browser, address, viewport=size, base_url=f"{address}/") as context:
        page = context.new_page()
        page.goto("ember-coast/2.1/play/")
        again(page, "done", 11)
        at = now(page)
        page.get_by_role("button", name="Link to this step").click()
        expect(page.locator(".rw-dock .told b")).to_have_text(f"{at} Link")
        link = page.locator(".rw-dock .told input").input_value()
        assert len(link) - len(address) < 100
    with reader(browser, address, viewport=size, base_url=f"{address}/") as context:
        page = context.new_page()
        page.goto(link)
        expect(page.locator(".controls b")).to_have_text(at)
        expect(page.locator(".telling h2")).to_be_in_viewport(ratio=1)
        seen = page.evaluate("""() => {
          const { left, top, width, height } = document.querySelector(".telling h2").getBoundingClientRect();
          return document.elementFromPoint(left + width / 2, top + height / 2).closest(".desk") !== null;
        }""")
        assert seen, "nothing covers it"


def test_done_is_near_the_top_and_keys_play(page):
    """A player at a desk: Tab leads to Done at once, and keys do what the buttons do."""
    page.goto("ember-coast/2.1/play/")
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
    assert second != first
    page.keyboard.press("s")
    assert now(page) not in (first, second)
    page.keyboard.press("Backspace")
    assert now(page) == second
    page.locator(".does summary").click()
    page.get_by_label("Note").fill("s")
    page.get_by_label("Note").press("Backspace")
    assert now(page) == second, "what is typed in a field is no key to play"
    expect(page.locator(".acts")).to_contain_text(re.compile("acts?$|acts? "))
    expect(page.locator(".far span")).to_have_text(re.compile(r"phase \d+ of \d+ · step \d+ of \d+"))


def again(page, act, times):
    """Press a button of the bar, whatever it says just now."""
    for _ in range(times):
        page.locator(f".controls [data-act={act}]").click()


def test_marks_of_a_link_are_joined_with_ones_own(page):
    """Two players went on apart from the same place; neither loses what was done."""
    page.goto("ember-coast/2.1/play/")

    def marks() -> tuple[int, int]:
        return page.locator("li.stop.done").count(), page.locator("li.stop.skipped").count()

    again(page, "done", 3)
    again(page, "skip", 1)
    assert marks()[1]
    mine = page.evaluate("location.hash")
    page.get_by_role("button", name="Back", exact=True).click()
    again(page, "done", 2)
    theirs = marks()
    page.evaluate("hash => { location.hash = hash }", mine)
    page.get_by_role("button", name="Open shared game").click()
    assert marks() == theirs, "done comes before skipped, and more before less"
    page.get_by_role("button", name="Undo", exact=True).click()
    assert marks() == theirs
