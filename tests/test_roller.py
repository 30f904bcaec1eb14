"""What readers do with a table in a real browser: read it on a phone, and roll on it, without any network."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from rulewright.checks.load_and_check import load_and_check
from rulewright.render import pages
from rulewright.render.render_context import RenderContext
from tests.commands.duel import write

ASSETS = Path(__file__).parent.parent / "templates/theme/assets"
ALPHABET = {
    "content/h/rulebook.yml": 'title: H\nnumbers: "1.1a"\n',
    "content/h/1/edition.yml": 'edition: "1"\n',
}
COMBAT = """
id: combat
title: Combat
roll: 2d6
columns: [Result]
rows:
  - {roll: "..5", Result: Attacker aborts}
  - {roll: "6-8", Result: Both abort}
  - {roll: "9-12", Result: Defender aborts}
modifiers:
  - {value: "+", of: the attacker's rating}
  - {value: "-", of: the defender's rating}
  - {value: "+1", when: it is day}
then: {title: Third, roll: 1d6, rows: [{roll: "1-5", Result: None}, {roll: "6", Result: A loss}]}
"""
CAPTURE = """
id: capture
title: Capture
roll: 2d6
columns: [Active, Inactive, Result]
rolls down: [Active, Inactive]
rows:
  - {Active: "..4", Inactive: "..6", Result: Step loss}
  - {Active: "5..", Inactive: "7..", Result: No effect}
"""
LANDING = """
id: landing
title: Landing
roll: d66
row groups: [Shore]
columns: [Shore, By, Failure, Success]
rolls across: [Failure, Success]
rows:
  - {Shore: Own, By: Boat, Failure: "11-21", Success: "22.."}
  - {Shore: Own, By: Glider, Failure: "11-33", Success: "34.."}
  - {Shore: Enemy, By: Boat, Failure: "11-33", Success: "34.."}
"""
ODDS_BY_TERRAIN = """
id: odds
title: Odds
roll: 1d6
heads: both
columns:
  Sea: ["1:1", "2:1", "3:1"]
  Harbour: ["1:2", "1:1", "2:1"]
  Fort: ["1:1", "–", "–"]
  Coal: [1, 1, 2]
rows:
  - [1-3, A1, A1 / D1, D1]
  - [4-6, D1, D2, D3]
"""
DICE = """
window.next = [];
crypto.getRandomValues = (numbers) => { numbers[0] = window.next.shift() - 1; return numbers; };
"""


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    """The page of a small book's tables as a file on disk, which no server shows."""
    folder = tmp_path_factory.mktemp("book")
    tables = {"1": COMBAT, "3": CAPTURE, "4": LANDING, "5": ODDS_BY_TERRAIN}
    write(folder, ALPHABET)
    write(folder, {f"content/h/1/tables/{n}.yml": text for n, text in tables.items()})
    examined = load_and_check(folder)
    assert not [problem for problem in examined.problems if problem.is_failure]
    site = pages.render_site(RenderContext(examined.index), examined.library).pages
    html = next(page.html for page in site if page.path == "h/1/tables")
    links = "".join(f'<link rel="stylesheet" href="{ASSETS / n}.css">' for n in ("rulewright", "tables"))
    head = '<!doctype html><html lang="en"><meta charset="utf-8">'
    head += '<meta name="viewport" content="width=device-width">'
    body = f'<title>T</title>{links}<body class="md-typeset">{html}<script src="{ASSETS}/roller.js"></script>'
    (folder / "tables.html").write_text(head + body, "utf-8")
    return folder / "tables.html"


@pytest.fixture
def page(browser, book):
    """The tables on a phone that is offline, with dice that fall as a test says."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, offline=True)
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.add_init_script(DICE)
    page.goto(book.as_uri())
    yield page
    context.close()
    assert not faults


def roll(page: Page, table: str, *faces: int, dice: str = "2d6") -> str:
    """Roll on a table and return the message."""
    page.evaluate("faces => window.next = faces", [*faces])
    section = page.locator(f"#{table}")
    section.get_by_role("button", name=f"Roll {dice}").click()
    output = section.locator("output")
    return str((output.last if dice == "1d6" else output.first).inner_text())


def lit(page: Page, table: str) -> list[str]:
    """What is seen lit in a table: rows by their rolls, cells by their words."""
    ones = page.locator(f"#{table} .board").first.locator("tr.lit .rolls, .rolls.lit").all_inner_texts()
    return [one.replace(" to ", "") for one in ones]


def test_a_roll_lights_its_row(page):
    """A player rolls two dice; the row lights up and the result is announced."""
    assert roll(page, "combat", 3, 4) == "Three and four, together 7.\nBoth abort"
    assert lit(page, "combat") == ["6–8"]
    assert page.locator("#combat .face").count() == 2
    assert page.locator("#combat .face").last.locator("i:not(.blank)").count() == 4
    roll(page, "combat", 6, 6)
    assert lit(page, "combat") == ["9–12"]


def test_modifiers_change_the_total_of_the_same_dice(page):
    """A player remembers a modifier after the roll; the dice stay and the row changes."""
    roll(page, "combat", 3, 4)
    page.get_by_label("it is day").check()
    assert lit(page, "combat") == ["6–8"]
    page.get_by_label("the attacker's rating").fill("3")
    assert "7 + 4 is 11." in page.locator("#combat output").first.inner_text()
    assert lit(page, "combat") == ["9–12"]
    page.get_by_label("the defender's rating").fill("9")
    assert "7 − 5 is 2." in page.locator("#combat output").first.inner_text()
    assert lit(page, "combat") == ["≤5"]


def test_rolls_across_and_dice_read_as_digits(page):
    """Each row is read by itself; the fewest are named."""
    output = roll(page, "landing", 2, 5, dice="d66")
    assert output.startswith("Two and five read as 25.")
    assert "Success: Own, Boat" in output
    assert "Failure: all others" in output
    assert lit(page, "landing") == ["≥22", "11–33", "11–33"]


def test_what_real_dice_gave_is_entered(page):
    """A player rolls dice of his own: the same row and result, and impossible rolls are reported."""
    for table, dice, drawn, total in (
        ("combat", "2d6", (3, 4), "7"), ("landing", "d66", (2, 5), "25"), ("capture", "2d6", (2, 4), "6"),
    ):  # fmt: skip
        room = page.locator(f"#{table}")
        result = roll(page, table, *drawn, dice=dice).split("\n")[1:]
        rows = lit(page, table)
        field = room.get_by_label("or your own dice").first
        field.fill(total)
        field.press("Enter")
        output = room.locator("output").first.inner_text().split("\n")
        assert (output[0], output[1:], lit(page, table)) == (f"Rolled by hand: {total}.", result, rows)
        assert room.locator(".face").count() == 0
    for table, wrong in {"combat": ["1", "13", "7.5", "-7"], "landing": ["10", "17", "70", "67"]}.items():
        room = page.locator(f"#{table}")
        for one in wrong:
            room.get_by_label("or your own dice").first.fill(one)
            room.get_by_label("or your own dice").first.press("Enter")
            assert " gives " in room.locator("output").first.inner_text()
            assert lit(page, table) == []
    page.locator("#combat").get_by_label("or your own dice").first.fill("7")
    page.locator("#combat").get_by_label("or your own dice").first.press("Enter")
    page.get_by_label("it is day").check()
    assert page.locator("#combat output").first.inner_text().startswith("Rolled by hand: 7; 7 + 1 is 8.")


def test_terrain_and_odds_are_chosen(page):
    """A player chooses odds by the terrain, and that one result is announced and framed."""
    assert "1:1 A1 / " not in roll(page, "odds", 2, dice="1d6")
    room = page.locator("#odds")
    listed = room.get_by_label("Column").locator("option").all_text_contents()
    assert listed[7:] == ["1:1 Fort", "1 Coal, column 1", "1 Coal, column 2", "2 Coal"]
    room.get_by_label("Column").select_option(label="1:1 Harbour")
    assert room.locator("output").inner_text() == "Two.\nA1 / D1"
    assert room.locator(".lit .lit").inner_text().split() == ["A1", "/", "D1"]
    assert page.locator("#capture select, #combat select").count() == 0


def test_every_face_is_as_likely_as_any_other(page):
    """Real dice stay within their faces, and a number that would favour some is thrown away."""
    page.evaluate("void (crypto.getRandomValues = (n) => { n[0] = window.next.shift(); return n; })")
    page.evaluate("window.next = [2 ** 32 - 1, 5, 2 ** 32 - 4, 0]")
    page.locator("#capture").get_by_role("button").click()
    assert "Six and one" in page.locator("#capture output").inner_text()


def test_without_scripts_the_table_is_whole(browser, book):
    """A reader whose browser runs no scripts has every row and every modifier, and no dead button."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(book.as_uri())
    expect(page.get_by_text("it is day")).to_be_visible()
    expect(page.get_by_text("Defender aborts")).to_be_visible()
    expect(page.get_by_role("button")).to_have_count(0)
    context.close()
