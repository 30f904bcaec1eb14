"""The reader's own layer, in a browser: what is kept at rules, where it is found again, files and paper."""

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any

import pypdfium2
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect
from test_renumbering import REAL, book, renumbered, some_pairs
from web import PHONE, reader

from rulewright.checks.examine import Examined, examine_folder
from rulewright.site import places
from rulewright.site.context import Desk
from rulewright.source.folder import Folder
from rulewright.source.refusal import Refusal

SUPPLY = "ember-coast/2.1/12-supply/"


@pytest.fixture
def phone(browser: Browser, address: str) -> Iterator[BrowserContext]:
    wishes = {"viewport": PHONE, "base_url": f"{address}/", "reduced_motion": "reduce"}
    with reader(browser, address, "mailto:", **wishes) as context:
        yield context


@pytest.fixture
def page(phone: BrowserContext) -> Page:
    page = phone.new_page()
    page.goto(SUPPLY)
    return page


def use(page: Page, tool: str, number: str) -> None:
    """Use a tool at the number of a rule."""
    page.locator(f"[id='{number}'] > :is(h2, h3) a.number").click()
    page.get_by_role("group", name=f"Tools for {number}").get_by_role("button", name=tool).click()


def note(page: Page, number: str, words: str, mark: str = "None") -> None:
    use(page, "Note", number)
    dialog = page.locator("dialog[open]")
    dialog.get_by_label("Note").fill(words)
    dialog.get_by_label(mark).check()
    dialog.get_by_role("button", name="Keep").click()
    expect(dialog).to_have_count(0)


def words(page: Page) -> Any:
    """Where a note is written."""
    return page.get_by_role("textbox", name="Note")


def at(page: Page, number: str) -> Any:
    """What is the reader's at a rule, not at the rules in it."""
    return page.locator(f"[id='{number}'] > .note.own")


def kept(page: Page) -> list[dict[str, Any]]:
    return page.evaluate(
        "Object.keys(localStorage).filter((k) => /^rulewright.own.[a-z0-9]+$/.test(k))"
        ".map((k) => JSON.parse(localStorage[k]))"
    )


def test_a_note_is_written_changed_and_deleted_and_comes_back(page: Page) -> None:
    hostile = "Ours <img src=x onerror=alert(1)>\n\nand more"
    note(page, "12.5", hostile, "! Important")
    expect(at(page, "12.5")).to_contain_text("Your note ! Important")
    expect(at(page, "12.5").locator(".own-words")).to_have_text(hostile.split("\n\n"))
    page.reload()
    expect(at(page, "12.5").locator(".own-words")).to_have_text(hostile.split("\n\n"))
    expect(page.locator(".md-nav--secondary a[href$='#12.5'] [role=img]").last).to_have_attribute(
        "aria-label", "your note"
    )
    at(page, "12.5").get_by_role("button", name="Change").click()
    words(page).fill("Other words")
    page.keyboard.press("Control+Enter")
    expect(at(page, "12.5").locator(".own-words")).to_have_text("Other words")
    at(page, "12.5").get_by_role("button", name="Delete").click()
    expect(at(page, "12.5")).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(at(page, "12.5").locator(".own-words")).to_have_text("Other words")


def test_words_that_were_not_kept_can_be_taken_up_again(page: Page) -> None:
    use(page, "Note", "12.5")
    words(page).fill("half a thought")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Take it up again").click()
    expect(words(page)).to_have_value("half a thought")


@pytest.mark.parametrize("fault", ["throw new DOMException('', 'QuotaExceededError')", ""])
def test_a_device_that_keeps_nothing_says_so_and_the_words_stay(page: Page, fault: str) -> None:
    page.evaluate(f"() => {{ Storage.prototype.setItem = () => {{ {fault} }} }}")
    use(page, "Note", "12.5")
    words(page).fill("my words")
    page.locator("dialog[open] .main").click()
    expect(page.get_by_role("alert")).to_contain_text("keeps nothing more")
    expect(words(page)).to_have_value("my words")


def test_two_tabs_lose_nothing_of_each_other(phone: BrowserContext, page: Page) -> None:
    note(page, "12.5", "first")
    other = phone.new_page()
    other.goto(SUPPLY)
    for one in page, other:
        at(one, "12.5").get_by_role("button", name="Change").click()
    words(page).fill("of one tab")
    page.locator("dialog[open] .main").click()
    words(other).fill("of the other")
    other.locator("dialog[open] .main").click()
    for one in page, other:
        expect(at(one, "12.5")).to_have_count(2)
    assert sorted(one["text"] for one in kept(page)) == ["of one tab", "of the other"]


def test_a_house_rule_stands_at_its_rule_and_what_is_printed_stays(page: Page) -> None:
    use(page, "Note", "12.6")
    page.get_by_role("button", name="House rule").click()
    page.get_by_label("How you play it").fill("We play it our way.")
    page.get_by_label("Replaces the rule").check()
    page.get_by_label("Whose house rules").fill("Friday club")
    page.locator("dialog[open] .main").click()
    rule = page.locator("[id='12.6']")
    expect(rule.locator(".own-struck")).to_have_count(1)  # the rules in it are played
    expect(rule.locator("> .house")).to_contain_text("House rule · Friday club")
    expect(rule.locator("> details > .text")).to_be_hidden()
    rule.locator("summary").first.click()
    expect(rule.locator("> details > .text")).to_be_visible()
    page.evaluate("rulewright.own.house(false)")
    expect(rule.locator("> .text")).to_be_visible()
    expect(rule.locator("> .house")).to_have_count(0)
    rule.get_by_role("button", name="Switch on").click()
    expect(rule.locator("> .house")).to_be_visible()
    page.goto("ember-coast/2.1/13-leading-and-building/")
    found = page.evaluate("""async () => {
      const inside = document.body.appendChild(document.createElement("div"));
      const { html, href } = await rulewright.rule("ember-coast/2.1", "12.6");
      inside.innerHTML = html;
      inside.dataset.rule = href;
      await rulewright.shown(inside);
      return [inside.querySelector(".house").textContent, inside.querySelector("button")];
    }""")
    assert "We play it our way." in found[0]
    assert found[1] is None


def test_a_report_says_which_rule_it_is_of_and_sends_nothing(page: Page) -> None:
    use(page, "Note", "12.6")
    page.get_by_role("button", name="Report this rule").click()
    dialog = page.get_by_role("dialog", name="Report 12.6")
    dialog.get_by_label("What is wrong").fill("It says & too much?")
    message = dialog.get_by_label("The message").input_value()
    assert message.startswith("Ember Coast 2.1, rule 12.6 Dark\nhttp://")
    assert message.endswith("/r/ember-coast/2.1/12.6/\n\nIt says & too much?")
    mail = dialog.get_by_role("link", name="Write a mail").get_attribute("href")
    assert mail.startswith("mailto:?subject=Ember%20Coast%202.1%2C%20rule%2012.6%20Dark&body=")
    assert "too%20much%3F" in mail
    expect(dialog.get_by_role("link", name="Open a new issue")).to_have_count(0)
    page.evaluate(
        """document.querySelector("[data-edition]").dataset.report = "https://a.example/x/issues/new" """
    )
    dialog.get_by_role("button", name="Close").click()
    use(page, "Note", "12.6")
    page.get_by_role("button", name="Report this rule").click()
    link = dialog.get_by_role("link", name="Open a new issue").get_attribute("href")
    assert link.startswith("https://a.example/x/issues/new?title=Ember+Coast+2.1")


@pytest.fixture
def mine(page: Page) -> Page:
    """The page of a reader who has kept a few things."""
    for number in ("12.1", "12.5", "12.6"):
        use(page, "Keep", number)
    note(page, "12.5", "Fuel first, *always*.", "? Open question")
    page.evaluate("""async () => {
      const { own } = rulewright;
      const at = await own.anchored({ edition: "ember-coast/2.1", number: "12.6", title: "Dark" });
      own.keep(own.whole({ kind: "house", ...at, text: "Never dark.", how: "strike", group: "Club" }));
      const gone = { edition: "ember-coast/0.9", number: "77.7", title: "Gone" };
      own.keep(own.whole({ ...gone, text: "Kept all the same" }));
    }""")
    page.goto("my-rules/")
    expect(page.locator(".own-list h2").last).to_have_text("Files")
    return page


def bookmarks(page: Page) -> list[str]:
    return page.locator("ol.own-rows > li > a").all_inner_texts()


def test_ones_own_rules_are_listed_put_in_order_and_taken_out(mine: Page) -> None:
    assert bookmarks(mine) == ["12.1 Ember Points", "12.5 Fuel", "12.6 Dark"]
    mine.get_by_role("button", name="12.1 Ember Points down").click()
    expect(mine.locator("ol.own-rows > li > a")).to_have_text(["12.5 Fuel", "12.1 Ember Points", "12.6 Dark"])
    expect(mine.get_by_role("button", name="12.1 Ember Points down")).to_be_focused()
    mine.get_by_role("button", name="Take out 12.1").click()
    expect(mine.locator("ol.own-rows > li > a")).to_have_text(["12.5 Fuel", "12.6 Dark"])
    mine.get_by_role("button", name="Undo").click()
    expect(mine.locator("ol.own-rows > li > a")).to_have_count(3)


def test_what_has_no_place_is_shown_and_can_be_given_one(mine: Page) -> None:
    row = mine.locator("#without-a-place ~ ul li", has_text="77.7")
    expect(row).to_contain_text("Kept all the same")
    row.get_by_label("Number of the rule").fill("12.99")
    row.get_by_role("button", name="Put it there").click()
    expect(mine.get_by_role("status").last).to_contain_text("no rule 12.99")
    row.get_by_label("Number of the rule").fill("12.3")
    row.get_by_role("button", name="Put it there").click()
    expect(mine.locator("#without-a-place")).to_have_count(0)
    mine.goto(SUPPLY)
    expect(at(mine, "12.3")).to_contain_text("Kept all the same")


def saved(page: Page, name: str) -> bytes:
    with page.expect_download() as download:
        page.get_by_role("button", name=name).click()
    return download.value.path().read_bytes()


def give(page: Page, data: bytes) -> None:
    page.locator("input[type=file]").set_input_files({"name": "a.json", "mimeType": "", "buffer": data})


def test_what_is_saved_comes_back_on_another_device_and_nothing_twice(mine, browser, address):
    data = saved(mine, "Save all to a file")
    assert b"12.5 Fuel" in saved(mine, "Save as text")
    with reader(browser, address, base_url=f"{address}/") as context:
        other = context.new_page()
        other.goto("my-rules/")
        give(other, data)
        expect(other.get_by_role("status").last).to_contain_text("6 taken in.")
        assert sorted(map(str, kept(other))) == sorted(map(str, kept(mine)))
        give(other, data)
        expect(other.get_by_role("status").last).to_contain_text("0 taken in, 6 already here.")
        other.evaluate("localStorage.clear()")
        give(other, data)
        other.get_by_role("button", name="Undo").click()
        expect(other.locator("ol.own-rows")).to_have_count(0)
        assert kept(other) == []
    mine.get_by_role("button", name="Save the house rules").click()
    rules = json.loads(saved_in(mine, "Save"))
    assert [(one["kind"], one["group"]) for one in rules["things"]] == [("house", "Club")]


def saved_in(page: Page, name: str) -> bytes:
    with page.expect_download() as download:
        page.get_by_role("dialog").get_by_role("button", name=name, exact=True).click()
    return download.value.path().read_bytes()


def test_files_of_others_bring_in_nothing_but_notes(mine: Page) -> None:
    before = kept(mine)
    sound = next(one for one in before if one["kind"] == "note")
    for text in (
        "",
        "{",
        "null",
        "[]",
        '{"format": "x"}',
        json.dumps({"format": "rulewright-own-rules", "version": 2, "things": []}),
    ):
        give(mine, text.encode())
        expect(mine.get_by_role("status").last).to_contain_text("file")
        mine.get_by_role("button", name="Close", exact=True).click()
    odd: list[Any] = [
        None,
        1,
        [],
        {},
        {**sound, "kind": "x"},
        {**sound, "id": "../x"},
        {**sound, "text": "x" * 10_001},
    ]
    odd += [{**sound, "edition": "javascript:x"}, {**sound, "left": -1}, {**sound, "sign": "constructor"}]
    odd += [
        {**sound, "id": ["abcd"]},
        {**sound, "sign": ["agreed"]},
        {**sound, "how": "__proto__"},
        {**sound, "rank": 1e300},
        {**sound, "mark": "zz"},
        {**sound, "title": None},
    ]
    give(mine, json.dumps({"format": "rulewright-own-rules", "version": 1, "things": odd}).encode())
    expect(mine.get_by_role("status").last).to_contain_text(f"0 taken in, {len(odd)} not understood.")
    assert sorted(map(str, kept(mine))) == sorted(map(str, before))
    other = {**sound, "text": "<img src=x onerror=alert(1)>", "more": "<b>", "rank": 10**9}
    give(mine, json.dumps({"format": "rulewright-own-rules", "version": 1, "things": [other]}).encode())
    expect(mine.locator(".own-words", has_text="<img src=x")).to_be_visible()
    assert sound in kept(mine)
    mine.evaluate("rulewright.own.star({ edition: 'ember-coast/2.1', number: '12.2', title: '' })")
    expect(mine.locator("ol.own-rows > li")).to_have_count(4)  # what comes behind the last is no less sound


def test_what_is_damaged_on_a_device_stays_and_is_told(mine: Page) -> None:
    mine.evaluate("localStorage.setItem('rulewright.own/abcdef', '{')")
    mine.reload()
    expect(mine.locator(".own-list")).to_contain_text("1 of what is kept here cannot be read")
    mine.get_by_role("button", name="Delete it").click()
    mine.get_by_role("button", name="Undo").click()
    assert mine.evaluate("localStorage.getItem('rulewright.own/abcdef')") == "{"


def test_the_quick_sheet_prints_in_two_columns_with_edition_and_date_at_the_foot(mine: Page) -> None:
    mine.locator("ol.own-rows > li", has_text="12.1").get_by_label("On the sheet").uncheck()
    mine.get_by_role("button", name="Quick sheet").click()
    sheet = mine.get_by_role("region", name="Quick sheet")
    expect(sheet.locator("h3")).to_have_text(["12.5 Fuel", "12.6 Dark"])
    for format_ in ("A4", "Letter"):
        paper = pypdfium2.PdfDocument(BytesIO(mine.pdf(format=format_)))
        said_there = [page.get_textpage().get_text_bounded() for page in paper]
        assert len(said_there) == 1
        for said in ("12.5a One stack", "Fuel first", "Never dark.", "1 / 1"):
            assert said in said_there[0]
        assert said_there[0].count("Ember Coast 2.1") == 2
        assert "Bookmarks" not in said_there[0]
        assert "Save all" not in said_there[0]
        places_of = [at for at in (find(paper[0], word) for word in ("One stack", "Never dark")) if at]
        assert places_of[0] < paper[0].get_width() / 2 < places_of[1]


def find(page: pypdfium2.PdfPage, words: str) -> float:
    text = page.get_textpage()
    at = text.search(words).get_next()
    return float(text.get_charbox(at[0])[0])


@pytest.mark.parametrize("colours", ["light", pytest.param("dark", marks=pytest.mark.twice)])
def test_everybody_can_use_it(mine: Page, colours: Any) -> None:
    mine.emulate_media(color_scheme=colours)
    axe = Axe()
    assert axe.run(mine).violations_count == 0
    mine.get_by_role("button", name="Quick sheet").click()
    expect(mine.get_by_role("heading", name="Quick sheet")).to_be_focused()
    assert axe.run(mine).violations_count == 0
    mine.goto(SUPPLY)
    expect(at(mine, "12.5")).to_be_visible()
    assert axe.run(mine).violations_count == 0
    at(mine, "12.5").get_by_role("button", name="Change").click()
    assert axe.run(mine).violations_count == 0


def test_without_a_script_the_page_says_what_it_is(bare: Page) -> None:
    bare.goto("my-rules/")
    expect(bare.locator(".mine .notice")).to_contain_text("by a script, which has not run")


def answer(body: str) -> Callable[[Route], None]:
    return lambda route: route.fulfill(body=body)


def test_a_note_goes_with_its_rule_and_says_when_the_words_have_changed(page: Page) -> None:
    note(page, "12.5", "of fuel")
    note(page, "12.3", "of what is gone")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    page.reload()
    expect(at(page, "12.5")).to_be_visible()
    assert "stamp.js" in asked
    assert "all.js" not in asked  # nothing has changed since
    data = page.evaluate("rulewright.own.known('ember-coast/2.1')")
    data["rules"]["12.6"], data["left"] = "f" * 8 + data["rules"]["12.5"][8:], {"12.5": ["12.6"]}
    data["rules"]["12.5"] = "e" * 12
    del data["rules"]["12.3"]
    for name, given in ("all", data), ("stamp", "another"):
        path = f"ember-coast/2.1/places/{name}.js"
        script = f"rulewright.take({json.dumps(path)}, {json.dumps(given)})"
        page.route(f"**/{path}", answer(script))
    page.reload()
    expect(at(page, "12.6")).to_contain_text("of fuel")
    expect(at(page, "12.6")).to_contain_text("The words of this rule have changed")
    expect(at(page, "12.5")).to_have_count(0)
    at(page, "12.6").get_by_role("button", name="It still holds").click()
    expect(at(page, "12.6").locator(".own-changed")).to_have_count(0)
    page.goto("my-rules/")
    row = page.locator("#without-a-place ~ ul li")
    expect(row).to_contain_text("of what is gone")
    expect(row).to_contain_text("Nearest today")


def test_a_note_shows_in_the_other_editions_and_in_the_contents(page: Page) -> None:
    page.goto("ocs/3.0/numbers/")
    page.evaluate("""async () => {
      await rulewright.load("layer");
      const { own } = rulewright;
      const at = await own.anchored({ edition: "ocs/3.0", number: "4.2b", title: "" });
      own.keep(own.whole({ ...at, text: "old" }));
    }""")
    expect(page.locator(".numbers a[href$='#4.2b'] [role=img]")).to_be_visible()
    page.goto("ocs/4.3/numbers/")
    expect(page.locator(".numbers a[href$='#4.8b'] [role=img]")).to_be_visible()
    page.goto("ocs/4.3/")
    expect(page.locator(".chapters [role=img]")).to_have_count(1)
    expect(page.locator(".chapters li", has_text="General Concepts")).to_contain_text("✎")


def known(examined: Examined, address: str) -> Any:
    """What the site says of the places of an edition's rules."""
    files = dict(places.files(Desk(examined.shelf), examined.shelf.outlines[address]))
    text = str(files[f"{address}/places/all.js"])
    return json.loads(text[text.index(",") + 1 : text.rindex(")")])


def reworded(folder: Folder, examined: Examined, address: str, chance: random.Random) -> tuple[Folder, str]:
    """The folder with other words in one of its rules, and the number of that; or as it was."""
    outline = examined.shelf.outlines[address]
    for entry in chance.sample(outline.in_order, len(outline.in_order)):
        start = str(entry.rule.text).split("\n")[0][:30].encode() if entry.rule and entry.rule.text else b""
        files = [name for name, data in folder.texts.items() if start and data and start in data]
        if len(start) > 20 and len(files) == 1 and folder.texts[files[0]].count(start) == 1:
            texts = {**folder.texts, files[0]: folder.texts[files[0]].replace(start, b"Said anew " + start)}
            return Folder(texts, folder.others), entry.key
    return folder, ""


@dataclass
class Followed:
    """A note as it was made, the number that its rule has today, and whether that says something else."""

    note: dict[str, Any]
    now: str
    is_reworded: bool = field(default=False)


def made_at(address: str, data: Any) -> list[Followed]:
    return [
        Followed(
            {"edition": address, "number": key, "left": len(data["left"].get(key, ())), "mark": mark}, key
        )
        for key, mark in data["rules"].items()
    ]


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("address_of", ["ocs/4.3", "asl/a3", "ocs/3.0"])
def test_notes_follow_their_rules_through_edits_and_new_numbers(page, address_of, seed):
    """An editor renumbers and rewords; where each rule went is known from what he asked for, not from us."""
    chance = random.Random(f"{address_of} {seed}")
    folder = REAL[address_of.partition("/")[0]]
    examined = examine_folder(folder)
    followed = made_at(address_of, known(examined, address_of))
    for _ in range(3):
        for _ in range(chance.randint(0, 4)):
            folder, number = reworded(folder, examined, address_of, chance)
            for one in followed:
                one.is_reworded |= one.now == number
        examined = examine_folder(folder)
        outline = examined.shelf.outlines[address_of]
        try:
            folder, proposal = renumbered(folder, address_of, some_pairs(outline, chance), examined)
        except Refusal:
            continue
        for one in followed:
            one.now = proposal.moves.of(outline.entries[one.now].number).key
        examined = examine_folder(folder)
        data = known(examined, address_of)
        followed += made_at(address_of, data)
    page.evaluate("rulewright.load('layer')")
    script = "([notes, edition, data]) => notes.map((one) => rulewright.own.place(one, edition, data))"
    data = known(examined, address_of)
    found = page.evaluate(script, [[one.note for one in followed], address_of, data])
    assert any(one.now != one.note["number"] for one in followed)
    for one, there in zip(followed, found, strict=True):
        if not one.note["mark"].strip("0"):
            assert there["key"] == one.now or there["near"]  # no words tell it from another
        else:
            assert there["key"] == one.now, one
        if one.is_reworded and one.note["mark"][:8].strip("0"):
            assert there["changed"], one


@pytest.mark.parametrize("seed", range(2))
def test_notes_of_another_edition_follow_the_numbers_of_both(page: Page, seed: int) -> None:
    """However either edition is renumbered, a note of the older one is at the same rule of the newer."""
    old, new = "ember-coast/1", "ember-coast/2.1"
    chance = random.Random(seed)
    folder = book("ember-coast")
    examined = examine_folder(folder)
    # Of a rule without words and title nothing but its number says which one it is in the other edition.
    followed = [one for one in made_at(old, known(examined, old)) if one.note["mark"].strip("0")]
    notes = [one.note for one in followed]
    script = "([notes, to, data, theirs]) => notes.map((one) => rulewright.own.place(one, to, data, theirs))"
    page.evaluate("rulewright.load('layer')")
    found = page.evaluate(script, [notes, new, known(examined, new), known(examined, old)])
    assert sum(bool(there["key"]) for there in found) > len(found) / 2
    for one, there in zip(followed, found, strict=True):
        one.now = there["key"]
    for edition in (old, new):
        outline = examined.shelf.outlines[edition]
        try:
            folder, proposal = renumbered(folder, edition, some_pairs(outline, chance), examined)
        except Refusal:
            continue
        if edition == new:
            for one in followed:
                one.now = proposal.moves.of(outline.entries[one.now].number).key if one.now else ""
        examined = examine_folder(folder)
    found = page.evaluate(script, [notes, new, known(examined, new), known(examined, old)])
    for one, there in zip(followed, found, strict=True):
        assert there["key"] == one.now, (one, there)
