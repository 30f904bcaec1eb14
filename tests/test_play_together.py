"""Players of one game: logs that are joined, files, addresses, tabs and devices that go along."""

import json
import random
import re
from collections.abc import Iterable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect
from web import PHONE, reader

PLAY = "ember-coast/2.1/play/"
KEY = "rulewright.play/ember-coast/2.1"
MOST = 3000
Entry = dict[str, Any]
Log = list[Entry]


@pytest.fixture
def phone(browser: Browser, address: str) -> Iterator[BrowserContext]:
    with reader(browser, address, **wishes(address)) as context:
        yield context


@pytest.fixture
def other(browser: Browser, address: str) -> Iterator[BrowserContext]:
    """The device of the opponent."""
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


def address_of(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Address to share")


def shared(page: Page) -> str:
    press(page, "share")
    field = page.locator("#share input")
    link = field.input_value()
    page.locator("#share .close").click()
    return link


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
    """Whoever shares with whom, and how often: all have the same log, and stand at the same place."""
    page = opened(phone)
    chance = random.Random(18)
    cases = [[drawn(chance, most) for _ in range(3)] for most in [3, 8, 30] * 70]
    cases.append([drawn(chance, 2 * MOST) for _ in range(3)])
    for logs, (ways, found, turn, marks) in zip(cases, page.evaluate(JOIN, cases), strict=True):
        assert ways == [True] * 4
        assert found == joined(*logs)
        assert (turn, dict(marks)) == told(found)
    assert len(found) == MOST


def test_a_log_in_an_address_is_the_log(phone: BrowserContext) -> None:
    """What is packed comes out again, and what is no log is told to be none."""
    page = opened(phone)
    chance = random.Random(7)
    logs = [joined(drawn(chance, most)) for most in [2, 5, 40, 300] * 20]
    for packing in ("", "delete window.CompressionStream;"):
        found = page.evaluate(
            f"""async (logs) => {{
              {packing}
              const {{ pack, unpack }} = rulewright.games;
              const stops = ["x", "y/z"];
              return Promise.all(logs.map(async (log) => unpack(await pack(log, stops), stops)));
            }}""",
            logs,
        )
        assert found == logs
    texts = ["", "1", "0", "1AAAA", "0e30", "0W10", "0bnVsbA", "2x", "1" + "A" * 5000, "0" + "_" * 77, "é"]
    texts += ["".join(chance.choices("01ABCxyz_-", k=chance.randrange(80))) for _ in range(200)]
    found = page.evaluate(
        """texts => Promise.all(texts.map(
          (one) => rulewright.games.unpack(one, []).then(() => "log", () => "none")
        ))""",
        texts,
    )
    assert set(found) == {"none"}


def test_an_address_that_unpacks_to_too_much_is_not_unpacked(phone: BrowserContext) -> None:
    """A hundred megabytes packed into an address are no log; nobody waits for them."""
    page = opened(phone)
    told = page.evaluate(
        """async () => {
          const { chars, unpack } = rulewright.games;
          const many = new Blob(Array(100).fill(new Uint8Array(1e6))).stream();
          const packed = new Response(many.pipeThrough(new CompressionStream("deflate-raw")));
          const text = chars(new Uint8Array(await packed.arrayBuffer()));
          return unpack(`1${text}`, []).catch((error) => error.message);
        }"""
    )
    assert told == "too much"


# Sharing


def test_two_players_who_went_on_apart_have_one_log(phone: BrowserContext, other: BrowserContext) -> None:
    """Each does steps, notes and rolls on a device of his own; they exchange addresses, and both have all."""
    here = opened(phone)
    press(here, "done", 4)
    there = opened(other, shared(here))
    assert now(there) == now(here)
    for page, note in ((here, "Anna's note"), (there, "Ben's note")):
        page.get_by_role("textbox", name="Note").fill(note)
        press(page, "done" if page == here else "skip", 2)
    mine, theirs = shared(here), shared(there)
    for page, link in ((here, theirs), (there, mine)):
        page.goto(link)
        page.get_by_role("button", name="Go there").click()
    assert entries(here) == entries(there)
    assert log(here) == log(there)
    assert sum("note" in one for one in log(here)) >= 1
    names = [(one["d"], one["n"]) for one in entries(here)]
    assert len(names) == len(set(names)), "nothing is there twice"
    again = entries(here)
    assert now(here) == now(there)
    link = shared(there)
    here.goto("about:blank")
    here.goto(link)
    expect(here.locator(".controls b")).not_to_be_empty()
    expect(here.locator(".shared")).to_be_hidden()
    assert entries(here) == again, "what is known adds nothing"


def test_an_older_address_asks_before_it_leads_back_and_that_can_be_undone(phone: BrowserContext) -> None:
    page = opened(phone)
    press(page, "done", 3)
    old, place = shared(page), now(page)
    page.get_by_text("Turn 1", exact=True).click()
    page.get_by_label("Turn", exact=True).fill("5")
    page.get_by_label("Turn", exact=True).press("Tab")
    press(page, "done", 2)
    kept, newer = entries(page), now(page)
    page.goto(old)
    box = page.locator(".shared")
    expect(box).to_contain_text("Yours is further on: turn 5.")
    assert (turn(page), now(page), entries(page)) == ("Turn 5", newer, kept)
    page.get_by_role("button", name="Stay with mine").click()
    assert (turn(page), now(page), entries(page)) == ("Turn 5", newer, kept)
    page.goto("about:blank")
    page.goto(old)
    page.get_by_role("button", name="Go back to turn 1").click()
    assert (turn(page), now(page)) == ("Turn 1", place)
    page.get_by_role("button", name="Undo").click()
    assert (turn(page), now(page), entries(page)) == ("Turn 5", newer, kept)


def test_the_longest_turn_of_all_books_fits_into_a_code(browser: Browser, address: str, pages: Path) -> None:
    """Every step of the turn is done, with its time; the code of it is read from the screen of a phone."""
    turns = pages.glob("*/*/play/index.html")
    longest = max(turns, key=lambda page: page.read_text("utf-8").count('class="stop '))
    with reader(browser, address, **wishes(address), device_scale_factor=3) as context:
        page = opened(context, longest.parent.relative_to(pages).as_posix() + "/")
        page.evaluate(
            "let now = 1.8e12; Date.now = () => (now += 5000 + Math.floor(Math.random() * 200000));"
        )
        page.locator(".controls [data-act=done]").evaluate(
            "done => { for (let at = 0; !/^End/.test(done.textContent) && at < 500; at += 1) done.click(); }"
        )
        press(page, "share")
        link = page.locator("#share input").input_value()
        assert "&log=" in link, "all of the log comes with it"
        assert len(link) < 1000
        read(page, link)


ROLLS = """() => {
  const words = ["Fire", "Barrage", "Supply", "Weather", "Arrival"];
  let seed = 7;
  const any = (most) => (seed = (seed * 48271) % 2147483647) % most;
  for (let at = 0; at < 40; at += 1) {
    const odd = Array.from({ length: 6 }, () => any(1e6).toString(36)).join(" ");
    const said = `${words[any(5)]} Table: rolled ${any(6)} and ${any(6)}: ${odd}`;
    const event = new CustomEvent("rolled", { bubbles: true, detail: { fresh: true, said } });
    document.querySelector(".outline").dispatchEvent(event);
    document.querySelector(".controls [data-act=done]").click();
  }
}"""


def test_a_game_with_forty_rolls_is_shared_by_its_latest_entries(phone, other):
    """A long log would make a code that nobody can scan: the latest come, and the reader is told."""
    page = opened(phone)
    page.evaluate(ROLLS)
    press(page, "share")
    link = page.locator("#share input").input_value()
    latest = re.compile(r"With the latest entries of the log: \d+ of 80")
    expect(page.locator("#share")).to_contain_text(latest)
    assert "&part=" in link
    assert len(link) < 1400
    marks = page.locator("li.stop.done").count()
    there = opened(other, link)
    expect(there.locator("li.stop.done")).to_have_count(marks)


def read(page: Page, link: str) -> None:
    """The code on the screen is read by a program of its own."""
    page.locator("#share svg").wait_for()
    screen = Image.open(BytesIO(page.screenshot())).convert("L")
    assert [one.text for one in zxingcpp.read_barcodes(screen)] == [link]


# A file


def saved(page: Page) -> Any:
    with page.expect_download() as download:
        press(page, "save")
    assert download.value.suggested_filename == "ember-coast-2-1-games.json"
    return json.loads(download.value.path().read_text("utf-8"))


def load(page: Page, data: Any) -> None:
    text = data if isinstance(data, str) else json.dumps(data)
    file = {"name": "games.json", "mimeType": "application/json", "buffer": text.encode()}
    page.locator("input[name=file]").set_input_files([file])


def test_games_are_saved_to_a_file_and_loaded_on_another_device(phone, other):
    """Two games side by side, with their names, come to another device, and are joined with what is there."""
    page = opened(phone)
    press(page, "done", 3)
    press(page, "new")
    page.locator(".game > summary").click()
    page.get_by_label("Its name").fill("Second war")
    page.get_by_label("Its name").press("Tab")
    press(page, "done", 5)
    file = saved(page)
    there = opened(other)
    for _ in range(2):  # whatever is loaded twice is there once
        load(there, file)
        expect(there.locator(".own-told")).to_contain_text("The games of the file are here")
        assert {id: one["log"] for id, one in stored(there)["games"].items()} == {
            one["id"]: one["log"] for one in file["games"]
        }
    names = there.locator("select[name=games] option").all_text_contents()
    assert sorted(names) == ["Game 1, Turn 1", "Second war, Turn 1"]
    press(there, "new")
    load(there, file)
    there.get_by_role("button", name="Undo").click()
    assert len(stored(there)["games"]) == 3


SOUND: dict[str, Any] = {
    "id": "abc12", "at": "", "step": "",
    "log": [{"d": "a", "n": 1, "c": 1, "t": 1, "k": "m", "g": 1, "i": "x", "m": 1}],
}  # fmt: skip


def files() -> Iterable[tuple[Any, str]]:
    """Files that are none of ours, and what is said of each."""
    whole = {"rulewright": "games", "edition": "ember-coast/2.1", "games": [SOUND]}
    yield "", "it is no file that was saved here, or it was cut short"
    yield json.dumps(whole)[:-9], "it was cut short"
    yield 7, "it is a file of something else"
    yield None, "it is a file of something else"
    yield {**whole, "games": {}}, "it is a file of something else"
    yield {**whole, "edition": "asl/a3"}, "its games are of another book, asl/a3"
    yield {**whole, "edition": {"toString": 1}}, "its games are of another book"
    yield {**whole, "games": []}, "no game is in it"
    yield {**whole, "games": [SOUND] * 51}, "more than 50 games"
    yield {**whole, "games": [SOUND, None]}, "game 2 of it is damaged"
    yield {**whole, "games": [{**SOUND, "id": "../x"}]}, "game 1 of it is damaged: id"
    entry = SOUND["log"][0]
    for part, value in {
        "d": "A!",
        "n": -1,
        "c": 1e300,
        "t": 1000,
        "k": "z",
        "g": "1",
        "m": 3,
        "i": [1],
    }.items():
        yield {**whole, "games": [{**SOUND, "log": [entry, {**entry, part: value}]}]}, f"entry 2 {part}"
    yield {**whole, "games": [{**SOUND, "log": [{"k": "m"}]}]}, "entry 1 has no d"
    yield {**whole, "games": [{**SOUND, "log": [entry] * 4001}]}, "the log is too long"


def test_a_file_that_is_no_game_changes_nothing_and_is_told(phone, subtests):
    page = opened(phone)
    press(page, "done", 2)
    kept = page.evaluate("key => localStorage[key]", KEY)
    for data, words in files():
        with subtests.test(words=words):
            load(page, data)
            expect(page.locator(".own-told")).to_contain_text("This file could not be loaded")
            expect(page.locator(".own-told")).to_contain_text(words)
            assert page.evaluate("key => localStorage[key]", KEY) == kept


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


def test_a_game_that_an_earlier_version_kept_is_played_on(phone: BrowserContext) -> None:
    """Marks and log as they were kept before: nothing is lost, and Back goes back in it."""
    page = opened(phone)
    press(page, "done", 3)
    stops = [one["i"] for one in entries(page)]
    place = now(page)
    done = {"t": 4, "m": 1, "why": "", "note": "n", "rolls": ["six"]}
    game = {
        "id": "abc12", "turn": 4, "at": page.evaluate("document.querySelector('li.now').id"), "note": "",
        "rolls": [], "about": {"name": "Old"}, "marks": dict.fromkeys(stops, 1),
        "log": [{**done, "g": at, "i": stop, "from": stop} for at, stop in enumerate(stops)],
    }  # fmt: skip
    kept = json.dumps({"games": {"abc12": game}, "last": "abc12"})
    page.evaluate("([key, text]) => { localStorage[key] = text; location.hash = ''; }", [KEY, kept])
    page.reload()
    assert (turn(page), now(page)) == ("Turn 4", place)
    assert page.locator(".game summary span").inner_text() == "Old"
    assert sum("six; n" in line for line in log(page)) == 3
    press(page, "done")
    page.reload()
    assert turn(page) == "Turn 4"
    expect(page.locator(".damaged")).to_be_hidden()


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


def test_tabs_go_along_in_both_directions_unless_one_stays(phone: BrowserContext) -> None:
    """Two tabs of one browser; one whose reader switched it off keeps its step, and yet gets the marks."""
    one = opened(phone)
    two = opened(phone)
    press(one, "done", 2)
    expect(two.locator(".controls b")).to_have_text(now(one))
    press(two, "done")
    expect(one.locator(".controls b")).to_have_text(now(two))
    two.get_by_role("checkbox", name="Follow").uncheck()
    stays = now(two)
    press(one, "done", 2)
    expect(two.locator("li.now")).to_have_class(re.compile(r"\bdone\b"))
    assert now(two) == stays != now(one)


CHANNELS = """
window.channels = [];
const { send } = RTCDataChannel.prototype;
RTCDataChannel.prototype.send = function (data) { window.channels.push(this); return send.call(this, data); };
"""


def connected(here: Page, there: Page) -> None:
    """Two devices find each other by the codes on their screens."""
    press(here, "share")
    here.get_by_role("button", name="Play along on another device").click()
    here.get_by_label("Code of the other device").wait_for()
    read(here, address_of(here).input_value())
    there.goto(address_of(here).input_value())
    there.get_by_role("button", name="Join").click()
    answer = address_of(there)
    read(there, answer.input_value())
    here.get_by_label("Code of the other device").fill(answer.input_value())
    here.get_by_role("button", name="Connect").click()
    for page in (here, there):
        expect(page.locator(".follow")).to_have_text("Follow other screens, 1 connected")


def test_two_devices_on_one_network_play_one_game(phone: BrowserContext, other: BrowserContext) -> None:
    """No server helps them: each reads the code of the other, and from then on both have what either does."""
    other.add_init_script(CHANNELS)
    here = opened(phone)
    press(here, "done", 3)
    there = opened(other)
    press(there, "done")  # a game of his own, which stays
    connected(here, there)
    expect(there.locator(".controls b")).to_have_text(now(here))
    press(there, "done", 2)
    expect(here.locator(".controls b")).to_have_text(now(there))
    press(here, "skip")
    expect(there.locator(".controls b")).to_have_text(now(here))
    press(here, "back")
    expect(there.locator(".controls b")).to_have_text(now(here))
    assert entries(here) == entries(there)
    assert len(stored(there)["games"]) == 2
    there.get_by_role("checkbox", name="Follow").uncheck()
    stays = now(there)
    press(here, "done", 3)
    expect(there.locator("li.now")).to_have_class(re.compile(r"\bdone\b"))
    assert now(there) == stays != now(here), "who stays leads nobody back"
    second = opened(other)  # a tab more of the same device
    press(second, "done")
    expect(here.locator(".log summary span")).to_have_text(second.locator(".log summary span").inner_text())
    kept = entries(here)
    there.evaluate("window.channels.at(-1).send('[' + '{'.repeat(1000))")
    expect(here.locator(".own-told")).to_contain_text("The other device sent something that is no game.")
    expect(there.locator(".own-told")).to_contain_text("The other device is gone.")
    expect(here.locator(".follow")).to_have_text("Follow other screens")
    assert entries(here) == kept


def test_a_channel_that_opens_before_its_connection_says_so_stays(phone, other):
    """Browsers do not promise which of both is told first."""
    late = (
        "Object.defineProperty(RTCPeerConnection.prototype, 'connectionState', { get: () => 'connecting' })"
    )
    other.add_init_script(late)
    here, there = opened(phone), opened(other)
    connected(here, there)
    press(there, "done", 2)
    expect(here.locator(".controls b")).to_have_text(now(there))


NO_NETWORK = """
const whole = Object.getOwnPropertyDescriptor(RTCPeerConnection.prototype, "localDescription").get;
Object.defineProperty(RTCPeerConnection.prototype, "localDescription", { get() {
  const { type, sdp } = whole.call(this);
  return { type, sdp: sdp.replace(/^a=candidate.*\\r\\n/gm, "") };
} });
"""


def test_a_device_on_no_network_is_told_so(phone: BrowserContext, other: BrowserContext) -> None:
    """It has no code that the other could read: whoever begins, and whoever joins."""
    here, there = opened(phone), opened(other)
    press(here, "share")
    here.get_by_role("button", name="Play along on another device").click()
    here.get_by_label("Code of the other device").wait_for()
    there.add_init_script(NO_NETWORK)
    there.goto("about:blank")
    there.goto(address_of(here).input_value())
    there.get_by_role("button", name="Join").click()
    expect(there.locator("#share output")).to_contain_text(["This device is on no network"])
    there.goto(PLAY)
    press(there, "share")
    there.get_by_role("button", name="Play along on another device").click()
    expect(there.locator(".own-told")).to_contain_text("This device is on no network")


def test_devices_that_do_not_find_each_other_are_told_why(phone, other):
    """The other device was switched off, or is on another network: after a while both know what to do."""
    here, there = opened(phone), opened(other)
    here.clock.install()
    press(here, "share")
    here.get_by_role("button", name="Play along on another device").click()
    here.clock.run_for(4000)
    here.get_by_label("Code of the other device").wait_for()
    there.goto(address_of(here).input_value())
    there.get_by_role("button", name="Join").click()
    answer = address_of(there).input_value()
    there.close()
    here.get_by_label("Code of the other device").fill(answer[:-9])
    here.get_by_role("button", name="Connect").click()
    expect(here.locator("#share output")).to_contain_text(["", "This is no code of a device that joined."])
    here.get_by_label("Code of the other device").fill(answer)
    here.get_by_role("button", name="Connect").click()
    expect(here.locator("#share output")).to_contain_text(["", "Connecting"])
    here.clock.run_for(31000)
    expect(here.locator("#share output")).to_contain_text(["", "Both must be on the same Wi-Fi"])
    expect(here.locator(".follow")).to_have_text("Follow other screens")


MESSAGE: dict[str, Any] = {"id": "abc12", "at": "", "log": SOUND["log"]}
NO_MESSAGES: list[Any] = [
    "", "{", "[]", "null", "7", {}, {**MESSAGE, "id": "other"}, {**MESSAGE, "at": 7},
    {**MESSAGE, "at": "x" * 401}, {**MESSAGE, "log": {}}, {**MESSAGE, "log": [None]},
    {**MESSAGE, "log": SOUND["log"] * 101}, {**MESSAGE, "more": "x" * 300_000},
    *({**MESSAGE, "log": [{**SOUND["log"][0], part: None}]} for part in SOUND["log"][0]),
    *({**MESSAGE, "log": [{k: v for k, v in SOUND["log"][0].items() if k != part}]} for part in "dnctkgm"),
]  # fmt: skip


def test_of_a_message_only_what_a_game_has_is_taken(phone: BrowserContext) -> None:
    page = opened(phone)
    texts = [one if isinstance(one, str) else json.dumps(one) for one in NO_MESSAGES]
    hear = "texts => texts.map((one) => rulewright.games.heard(one, 'abc12') ?? null)"
    assert page.evaluate(hear, [*texts, None, 7, ["{}"]]) == [None] * (len(texts) + 3)
    odd = {**MESSAGE, "log": [{**SOUND["log"][0], "html": "<img>", "__proto__": {"x": 1}}]}
    heard = {"at": "", "log": SOUND["log"]}
    assert page.evaluate(hear, [json.dumps(MESSAGE), json.dumps(odd)]) == [heard, heard]


def test_a_code_that_is_scanned_reaches_the_tab_that_waits(phone, other):
    """The first device scans the answer: its camera opens a new tab, which hands it to the other."""
    here = opened(phone)
    there = opened(other)
    press(here, "share")
    here.get_by_role("button", name="Play along on another device").click()
    here.get_by_label("Code of the other device").wait_for()
    there.goto(address_of(here).input_value())
    there.get_by_role("button", name="Join").click()
    scanned = opened(phone, address_of(there).input_value())
    expect(scanned.locator(".own-told")).to_contain_text("Go back to the tab")
    expect(here.locator(".follow")).to_have_text("Follow other screens, 1 connected")


def test_a_code_leads_to_devices_at_home_and_says_nothing_else(phone: BrowserContext) -> None:
    """What came in an address is no line of a session; a device elsewhere is never asked."""
    page = opened(phone)
    page.evaluate("rulewright.load('follow')")
    page.wait_for_function("'follow' in window.rulewright")
    start = f"{'u' * 4}~{'p' * 24}~{'A' * 43}"
    good = [f"~v{'c0a80107'}1f90", f"~m{'0123456789abcdef' * 2}1f90"]
    bad = [
        "",
        "~v080808081f90",
        "~vc0a80107",
        "~m123",
        "~v" + "0" * 400,
        "\r\na=candidate:1",
        "~vC0A801071F90",
    ]
    tell = "text => { try { return rulewright.follow.session(text, 'offer').sdp } catch { return '' } }"
    for end in good:
        lines = page.evaluate(tell, start + end).splitlines()
        assert len([line for line in lines if line.startswith("a=candidate")]) == 1
    for end in bad:
        assert page.evaluate(tell, start + end) == ""
        assert page.evaluate(tell, start + good[0] + end) == "" or not end
    assert page.evaluate(tell, (start + good[0] * 9)) == ""
    page.goto(f"{PLAY}#play=abc12.1.2.d.zz&join={start}~v08080808")
    page.get_by_role("button", name="Join").click()
    expect(page.locator("#share output")).to_have_text(re.compile("damaged"))


# At home


def test_the_front_page_says_turn_and_step(phone: BrowserContext) -> None:
    page = opened(phone)
    press(page, "done", 3)
    step = now(page)
    page.goto("")
    expect(page.locator("[data-again=play] small")).to_have_text(re.compile(rf"turn 1 · {re.escape(step)}$"))
