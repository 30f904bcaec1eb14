"""The box to jump with, in a real browser: what is suggested for what is typed, and how one goes there."""

import os
import shutil
import subprocess
import sys

import pytest
from casefiles import cases
from playwright.sync_api import Locator, Page, expect
from web import DESKTOP, PHONE, served

import run

CASES = cases("jump")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site of our own books and those of the cases, without PDFs."""
    project = tmp_path_factory.mktemp("jump")
    shutil.copytree(run.ROOT / "content", project / "content")
    (project / "mkdocs.yml").symlink_to(run.ROOT / "mkdocs.yml")
    for info, text in (block for case in CASES for block in case.blocks if block[0].startswith("yaml ")):
        file = project / info.removeprefix("yaml ")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    command = [sys.executable, "-m", "rulewright", "build", "--no-print", "--project", str(project)]
    around = {**os.environ, "PYTHONPATH": str(run.ROOT)}
    done = subprocess.run(command, cwd=project, env=around, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return project / "site"


@pytest.fixture(scope="module")
def address(site):
    with served(site) as address:
        yield address


def suggestions(page: Page) -> Locator:
    return page.get_by_role("listbox", name="Suggestions").get_by_role("option")


FIRST = """most => {
  const rows = [...document.querySelectorAll("#jump-list > a:has(small)")].slice(0, most);
  const names = [...document.querySelectorAll("#jump option")].map((one) => one.text);
  const found = rows.map((row) => {
    const [short, title, where] = ["b", "span", "small"].map((one) => row.querySelector(one).textContent);
    const other = names.find((one) => where === one || where.startsWith(`${one} · `));
    return [short, title, other && `(${other})`].filter(Boolean).join(" ");
  });
  const status = document.querySelector("#jump output").textContent;
  return (status.endsWith("found") ? "" : `${status} `) + found.join(", ");
}"""


def heard(page: Page) -> None:
    """Wait until every edition has answered; the list is then final."""
    page.wait_for_selector("#jump-list[aria-busy=false]", state="attached")


def suggested(page: Page, typed: str, most: int) -> str:
    """What the box suggests first, a name and title each; what it says, where nothing is just that."""
    page.get_by_label("Number, title, term, step or words").fill(typed)
    heard(page)
    page.wait_for_function("() => document.querySelector('#jump output').textContent")
    return str(page.evaluate(FIRST, most)).strip()


@pytest.mark.parametrize("case", CASES, ids=str)
def test_suggestions(browser, site, case):
    """From a disk, where nothing can be fetched."""
    page = browser.new_page(viewport=DESKTOP)
    for path, lines in ((info.split()[1], text) for info, text in case.blocks if info.startswith("jump ")):
        page.goto(f"file://{site}/{path}index.html")
        page.keyboard.press("/")
        page.get_by_role("button", name="All books").click()
        got = []
        for line in lines.strip().splitlines():
            typed, _, wanted = line.partition("→")
            got.append(f"{typed}→ {suggested(page, typed.strip(), wanted.count(',') + 1)}")
        case.agrees("\n".join(got), lines)
    page.close()


def test_a_typed_number_leads_to_the_rule(page):
    """A player types 14.7(d) on the sequence of play and presses Enter."""
    page.goto("ocs/4.3/sequence/")
    page.keyboard.press("/")
    page.keyboard.type("14.7(d)")
    expect(suggestions(page).first).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Enter")
    page.wait_for_url("**/ocs/4.3/14-air-power/#14.7d")
    expect(page.locator("[id='14.7d']")).to_be_in_viewport()


def test_a_tap_opens_the_box_and_a_tap_goes_to_the_rule(page):
    """A player with a phone taps the button, types two words and taps the second suggestion."""
    page.set_viewport_size(PHONE)
    page.goto("ocs/4.3/2-sequence-of-play/")
    page.get_by_role("link", name="Find a rule").click()
    page.keyboard.type("hip shoot")
    page.get_by_role("option", name="14.7 Barrage & Hip Shoots 14.0 Air Power", exact=True).click()
    page.wait_for_url("**/ocs/4.3/14-air-power/#14.7")


def test_arrows_choose_and_escape_leaves_all_as_it_was(page):
    """A player goes down, up around to the last suggestion, and thinks better of it."""
    page.goto("ocs/4.3/12-supply/")
    page.keyboard.press("/")
    page.keyboard.type("14.7")
    box, rows = page.get_by_role("combobox", name="Number, title, term, step or words"), suggestions(page)
    heard(page)
    expect(rows.nth(8)).to_be_visible()
    page.keyboard.press("ArrowDown")
    expect(rows.nth(1)).to_have_attribute("aria-selected", "true")
    expect(box).to_have_attribute("aria-activedescendant", "jump-1")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    expect(rows.last).to_have_attribute("aria-selected", "true")
    expect(rows.last).to_be_in_viewport()
    page.keyboard.press("Escape")
    expect(page.locator("#jump")).to_be_hidden()
    assert page.url.endswith("/ocs/4.3/12-supply/")


def test_without_scripts_the_link_leads_to_the_numbers(bare):
    """A reader without JavaScript follows it."""
    bare.goto("ocs/4.3/12-supply/")
    bare.get_by_role("link", name="Find a rule").click()
    bare.wait_for_url("**/ocs/4.3/numbers/")


def test_the_way_back_closes_the_box_before_it_leaves_the_page(page):
    """A player with a phone presses the system's Back, then goes to a rule and back from there."""
    page.goto("ocs/4.3/")
    page.goto("ocs/4.3/12-supply/")
    page.keyboard.press("/")
    expect(page.locator("#jump")).to_be_visible()
    page.go_back()
    expect(page.locator("#jump")).to_be_hidden()
    assert page.url.endswith("/ocs/4.3/12-supply/")
    page.keyboard.press("/")
    page.keyboard.press("Escape")
    expect(page.locator("#jump")).to_be_hidden()
    page.keyboard.press("/")
    page.keyboard.type("14.7d")
    page.keyboard.press("Enter")
    page.wait_for_url("**/ocs/4.3/14-air-power/#14.7d")
    page.go_back()
    page.wait_for_url("**/ocs/4.3/12-supply/")
    page.go_back()
    page.wait_for_url("**/ocs/4.3/")


def test_a_link_to_a_number_that_is_not_there_says_what_comes_nearest(page):
    page.goto("ocs/4.3/12-supply/#12.99")
    expect(page.locator("#jump output")).to_have_text("There is no 12.99. The nearest:")
