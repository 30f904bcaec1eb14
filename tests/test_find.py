"""The search box, in two invented books, whose words identify the intended rule.

seed ──chance──► titles and texts ──site──► what the box lists
                       └──────────► which rule is first
"""

import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Page
from web import reader, served

import run
from tests.plain_chapter import keyed

SOUNDS = [f"{first}{vowel}" for first in "bdfgklmnprstvz" for vowel in "aeiou"]

ROWS = """() => ({
  status: document.querySelector("#jump output").textContent,
  rows: [...document.querySelectorAll("#jump-list > a")].map((row) => [
    row.querySelector("b").textContent,
    row.querySelector("span")?.textContent ?? "",
    !!row.querySelector("q"),
    new URL(row.href || "about:x").pathname.split("/").slice(1, 3).join("/"),
  ]),
})"""


class Rule(NamedTuple):
    """A rule as its book prints it; `around`: the titles of its ancestors."""

    number: str
    title: str
    around: str
    text: str


class Row(NamedTuple):
    """A row of the box: a number, a title, whether a piece of a text follows, and the edition."""

    number: str
    title: str
    by_text: bool
    edition: str


def far(one: str, other: str) -> int:
    """How many letters are to be inserted, taken out or exchanged to make one word of another."""
    last = list(range(len(other) + 1))
    for at, letter in enumerate(one, 1):
        row = [at]
        for to, its in enumerate(other, 1):
            row.append(min(last[to] + 1, row[-1] + 1, last[to - 1] + (letter != its)))
        last = row
    return last[-1]


def vocabulary(chance: random.Random) -> list[str]:
    """Words of six to eight letters of which none is like another, so that a slip can mean one alone."""
    found: list[str] = []
    while len(found) < 45:
        word = "".join(chance.choices(SOUNDS, k=chance.choice([3, 4])))
        if all(far(word, other) > 4 and word[:3] != other[:3] for other in found):
            found.append(word)
    return found


class Books:
    """Two books of one vocabulary by their seed; a title of the second is a part of one of the first."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.words = vocabulary(self.chance)
        self.rules = {book: list(self._rules()) for book in ("one/1", "two/1")}
        self.shared = self.rules["two/1"][5].title
        first = self.rules["one/1"]
        first[7] = first[7]._replace(title=f"{self.shared} {self.words[0]}")

    def _phrase(self, least: int, most: int) -> str:
        return " ".join(self.chance.choices(self.words, k=self.chance.randint(least, most)))

    def _rules(self) -> Iterator[Rule]:
        for chapter in range(1, 7):
            title = self._phrase(1, 2)
            yield Rule(f"{chapter}.0", title, "", "")
            for nth in range(1, 16):
                yield Rule(f"{chapter}.{nth}", self._phrase(1, 3), title, f"{self._phrase(4, 12)}.")

    def write(self, project: Path) -> None:
        """Write both into a project of their own."""
        (project / "mkdocs.yml").write_text("site_name: Invented\nplugins: [rulewright]\n", "utf-8")
        for address, rules in self.rules.items():
            folder = project / "content" / address
            (folder / "rules").mkdir(parents=True)
            about = {"title": address[:3].title(), "numbers": "1.1a", "chapters": "1.0"}
            (folder.parent / "rulebook.yml").write_text(json.dumps(about), "utf-8")
            (folder / "edition.yml").write_text('{"edition": "1"}', "utf-8")
            for head in (rule for rule in rules if not rule.around):
                inside = [one for one in rules if one.around and one.number.split(".")[0] == head.number[0]]
                items = [{"number": one.number, "title": one.title, "text": one.text} for one in inside]
                chapter = {"chapter": head.number, "title": head.title, "rules": items}
                (folder / "rules" / f"{head.number[0]}.yml").write_text(json.dumps(keyed(chapter)), "utf-8")


@pytest.fixture(scope="module")
def books():
    return Books(18)


@pytest.fixture(scope="module")
def address(books, tmp_path_factory):
    project = tmp_path_factory.mktemp("find")
    books.write(project)
    command = [sys.executable, "-m", "rulewright", "build", "--no-print", "--project", str(project)]
    around = {**os.environ, "PYTHONPATH": str(run.ROOT / "generator")}
    done = subprocess.run(command, cwd=project, env=around, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    with served(project / "site") as found:
        yield found


@pytest.fixture(scope="module")
def page(browser, address):
    """The box, opened in the first book, with the texts of both read."""
    with reader(browser, address, base_url=f"{address}/") as context:
        page = context.new_page()
        page.goto("one/1/numbers/")
        page.keyboard.press("/")
        page.get_by_role("button", name="All books").click()
        listed(page, "ab")
        yield page


def listed(page: Page, typed: str, scope: str = "All books") -> tuple[str, list[Row]]:
    """What the box says, and its rows as they stay."""
    page.get_by_role("button", name=scope).click()
    page.get_by_role("combobox", name="Number").fill(typed)
    page.wait_for_selector("#jump-list[aria-busy=false]", state="attached")
    page.wait_for_function("() => document.querySelector('#jump output').textContent")
    found = page.evaluate(ROWS)
    return found["status"], [Row(*row) for row in found["rows"]]


def test_an_exact_title_comes_first(books, page):
    """Whatever else has its words, and with any capitals."""
    titles = [one.title for one in books.rules["one/1"]]
    for rule in books.rules["one/1"][::7]:
        if titles.count(rule.title) == 1:
            assert listed(page, rule.title.upper(), "This book")[1][0][:2] == (rule.number, rule.title)


def test_a_rule_is_found_by_all_that_it_says(books, page):
    """In any order of its words, and with what one asks with around them."""
    chance = random.Random(3)
    for rule in (one for one in books.rules["one/1"][::5] if len(set(one.text.split())) > 5):
        words = rule.text.rstrip(".").split()
        chance.shuffle(words)
        status, rows = listed(page, f"how can i {' '.join(words)}"[:80].rsplit(" ", 1)[0], "This book")
        assert rule.number in [row.number for row in rows[:2]], "another may have its words in a title"
        assert re.fullmatch(r"\d+ found", status)


def test_a_slip_finds_what_was_meant(books, page):
    """A letter too many, too few, wrong, or two in each other's place."""
    chance = random.Random(7)
    for word in chance.sample(books.words, 24):
        at = chance.randrange(1, len(word) - 2)
        slips = [
            word[:at] + word[at + 1 :],
            word[:at] + "x" + word[at:],
            word[:at] + "x" + word[at + 1 :],
            word[:at] + word[at + 1] + word[at] + word[at + 2 :],
        ]
        typed = chance.choice([one for one in slips if one != word])
        rows = listed(page, typed, "This book")[1]
        meant = listed(page, word, "This book")[1]
        assert rows[0][:2] == meant[0][:2], typed


def test_what_is_found_is_marked_where_one_arrives(books, page):
    """The words stand marked in the rule, on the page that the row leads to."""
    for word in books.words:
        if any(row.by_text for row in listed(page, word, "This book")[1]):
            break
    else:
        raise AssertionError("no word is in a text")
    row = page.locator("#jump-list a:has(q)").first
    number = row.locator("b").inner_text()
    row.click()
    page.wait_for_url(re.compile(re.escape(f"#{number}") + "$"))
    page.wait_for_function("() => CSS.highlights.has('sought')")
    marked = page.evaluate(
        "() => [...CSS.highlights.get('sought')].map((one) => one.toString().toLowerCase())"
    )
    assert set(marked) == {word}
