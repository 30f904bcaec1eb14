"""The front page of the site and of a book, the bar, and the place that a device remembers."""

import json
import re
from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Browser, Page, expect
from web import PHONE, reader


class Parsed(HTMLParser):
    """Each start tag of a page with its attributes, and the text inside."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))

    def handle_data(self, data: str) -> None:
        self.text += data

    def of_class(self, name: str) -> list[dict[str, str]]:
        return [has for _, has in self.tags if name in has.get("class", "").split()]


def parsed(site: Path, path: str) -> Parsed:
    return Parsed((site / path / "index.html").read_text("utf-8"))


def test_each_book_has_the_ways_that_it_has_and_all_lead_somewhere(pages: Path) -> None:
    home = parsed(pages, "")
    ways = [has for _, has in home.tags if "data-way" in has]
    assert {has["data-way"] for has in ways} == {"play", "sequence", "read", "aids"}
    for has in ways:
        assert (pages / has["href"] / "index.html").is_file()
    # Where no script runs the box is a link all the same.
    (box,) = home.of_class("asks")
    assert box["href"] == "#books"
    assert any(has.get("id") == "books" for _, has in home.tags)


@pytest.mark.parametrize("edition", ["ember-coast/2.1", "ocs/4.3", "ocs/3.0", "last-ember/1"])
def test_the_front_page_of_a_book_leads_to_all_of_it_without_a_script(pages: Path, edition: str) -> None:
    """Every page of the edition is at most one more page away."""
    base = f"https://x/{edition}/"
    html = (pages / edition / "index.html").read_text("utf-8")
    inside = html[html.index("<article") : html.index("</article>")]
    linked = {
        urljoin(base, has["href"]).partition("#")[0] for tag, has in Parsed(inside).tags if "href" in has
    }
    folders = {
        f"https://x/{path.parent.relative_to(pages)}/" for path in pages.glob(f"{edition}/*/index.html")
    }
    assert not folders - linked
    assert not re.search(r"\d+ references", inside)


@pytest.fixture
def phone(browser: Browser, address: str) -> Iterator[Page]:
    with reader(browser, address, base_url=f"{address}/", viewport=PHONE, has_touch=True) as context:
        yield context.new_page()


def test_the_bar_names_book_and_rule_and_the_device_keeps_the_place(phone: Page) -> None:
    """A player reads a rule on a phone, closes the site, and goes on reading where he was."""
    phone.goto("ember-coast/2.1/12-supply/")
    bar = phone.locator(".rw-at")
    expect(bar).to_contain_text("Ember Coast")
    expect(bar.locator(".running")).to_be_empty()
    phone.goto("ember-coast/2.1/12-supply/#12.5")
    expect(bar.locator(".running")).to_have_text("12.5 Fuel")
    find = phone.get_by_role("link", name="Find a rule").bounding_box()
    assert find["y"] > 0.85 * PHONE["height"]  # where the thumb is
    phone.evaluate("new Promise((done) => setTimeout(done, 250))")  # 125 after an anchor the theme closes it
    phone.locator(".md-header [for=__drawer]").click()
    here = phone.locator(".rw-nav [aria-current]")
    expect(here).to_have_text("12.0 Supply")
    expect(here).to_be_in_viewport()
    phone.goto("ember-coast/2.1/")
    expect(phone.locator(".chapters .read")).to_contain_text("you read 12.5")
    phone.goto("")
    again = phone.locator("[data-again=read]")
    expect(again).to_contain_text("12.5")
    expect(again).to_contain_text("Ember Coast · Fuel")
    expect(phone.locator("[data-again=play]")).to_be_hidden()
    again.locator("a").click()
    phone.wait_for_url("**/ember-coast/2.1/12-supply/#12.5")


def test_the_box_of_the_front_door_is_the_one_to_find_rules_with(phone: Page) -> None:
    phone.goto("")
    phone.locator(".asks").click()
    expect(phone.locator("dialog#jump")).to_be_visible()


AT_HOME = "if (location.protocol === 'http:')"  # an empty page may keep nothing

STORED: list[Any] = [
    "{",
    "null",
    '{"0": 1}',
    '[["ocs/4.3"], 7, null, [1, 2, 3, 4, 5]]',
    json.dumps([["ocs/4.3", "asl/a3/x", "12.5", "12.5 Fuel", "OCS"]]),  # another edition's page
    json.dumps([["javascript:alert(1)", "javascript:alert(1)//", "x", "<img src=x onerror=alert(1)>", "x"]]),
    json.dumps([["../..", "../../../etc", "x", "  ", "x"]]),
    json.dumps([["a", "a/" + "x" * 10_000, "1", "1", "x"]]),
]


@pytest.mark.parametrize("stored", STORED)
def test_what_another_program_wrote_opens_nothing(browser: Browser, address: str, stored: str) -> None:
    """The front door stands, and no link of it leads off the site."""
    games: Mapping[str, str] = {
        "play/ocs/4.3": stored,
        "play/asl/a3": '{"games": {"a": {"turn": "<b>"}}, "last": "a"}',
    }
    with reader(browser, address, base_url=f"{address}/") as context:
        kept = {f"/rulewright.{name}": text for name, text in {"read": stored, **games}.items()}
        context.add_init_script(
            f"{AT_HOME} for (const [k, v] of Object.entries({json.dumps(kept)})) localStorage.setItem(k, v)"
        )
        page = context.new_page()
        for path in ("", "ocs/4.3/"):
            page.goto(path)
            expect(page.locator("h1")).to_be_visible()
            links = page.evaluate("[...document.querySelectorAll('article a')].map((one) => one.href)")
            assert all(link.startswith(f"{address}/") for link in links)
            assert page.locator("article img[onerror]").count() == 0
