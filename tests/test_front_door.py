"""The front door: covers, the library, the front page of a book, the bar, and what a device keeps."""

import json
import re
from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from playwright.sync_api import Browser, Page, expect
from web import DESKTOP, PHONE, reader

from rulewright.app.build import build
from rulewright.app.mkdocs_plugin.bundle import FRONT, bundled, squeezed
from rulewright.book.looks import Dress, ground
from rulewright.model.colours import WHITE, contrast
from rulewright.site.covers import BAND, COLUMN, COVER, ROW, Cover
from rulewright.source.resources import THEME
from tests.commands.duel import BOOK, write

TITLES = [
    "A",
    "The Killing Ground",
    "Operational Combat Series",
    "Donaudampfschifffahrtsgesellschaftskapitän",
    "MMMMMMMMMMMM WWWWWWWWWWWW",
    "東部戦線の戦い：一九四一年から一九四五年まで",
    "The Campaign in the West from the Landing to the Ardennes, September to December 1944, revised",
    "Ни шагу назад: Сталинград 1942–1943",
    "<b>&amp; \"quoted\" 'title'",
    *(f"Volume {at}: {'of war ' * (at % 9)}" for at in range(31)),
]


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


@given(st.text(min_size=1, max_size=200))
def test_any_title_has_a_dark_colour_and_a_front_line_in_its_field(title: str) -> None:
    assert contrast(ground(title), WHITE) >= 7
    cover = Cover(title, Dress())
    assert cover.size in range(5)
    for columns, rows in (COVER, BAND):
        line = cover.front(columns, rows)
        assert line == Cover(title, Dress()).front(columns, rows)
        x, y = map(int, re.match(r"M(-?\d+) (\d+)", line).groups())  # type: ignore[union-attr]
        for across, down in re.findall(r"l(-?\d+) (-?\d+)|h10", line):
            x, y = (x + int(across), y + int(down)) if across else (x + 10, y)
            assert 0 < y < rows * ROW
        assert x > (columns - 1) * COLUMN - 10


def shelf_of(titles: list[str], folder: Path) -> Path:
    """A project with a book of each title."""
    files: dict[str, str | bytes] = {}
    for at, title in enumerate(titles):
        for name, text in BOOK.items():
            own = str(text).replace("title: Duel", f"title: {json.dumps(title, ensure_ascii=False)}")
            files[name.replace("duel", f"book-{at}")] = own
    return write(folder, files)


def styled(html: str) -> str:
    style = (
        (THEME / "assets/rulewright.css").read_text("utf-8"),
        bundled([(THEME / FRONT[0]).read_text("utf-8")]),
    )
    return f'<html><body class="md-typeset"><style>{"".join(map(squeezed, style))}</style>{html}'


@pytest.mark.parametrize("count", [0, 1, 5, 40])
def test_the_library_is_right_for_any_number_of_books(browser: Browser, tmp_path: Path, count: int) -> None:
    """Every title, however long, stands on its cover; no page is wider than its screen."""
    titles = TITLES[:count]
    made = build(shelf_of(titles, tmp_path) if titles else write(tmp_path, {"content/faq.md": "# Asked\n"}))
    home = next(page for page in made.pages if not page.path)
    found = Parsed(home.html)
    assert len(found.of_class("cover")) == count
    assert all(title in found.text for title in titles)
    assert ("asks" in home.html) == bool(count)
    for size in (PHONE, DESKTOP):
        page = browser.new_page(viewport=size)  # type: ignore[arg-type]
        page.set_content(styled(home.html))
        out = page.evaluate(
            """() => [...document.querySelectorAll(".cover .called")].filter((one) => {
              const [inner, outer] = [one, one.closest(".cover")].map((it) => it.getBoundingClientRect());
              const line = parseFloat(getComputedStyle(one).lineHeight);
              return one.scrollHeight > one.clientHeight + line / 2 || one.scrollWidth > one.clientWidth + 1
                || inner.right > outer.right || inner.bottom > outer.bottom;
            }).map((one) => one.textContent)"""
        )
        assert not out
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
        page.close()


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


def test_what_is_for_editors_is_named_at_the_foot_alone(pages: Path) -> None:
    for path in ("", "ocs/4.3", "ocs/4.3/12-supply"):
        html = (pages / path / "index.html").read_text("utf-8")
        foot = html.index("<footer")
        for name in ("checks/", "docs/", "guide/"):
            assert name not in re.sub(r"<head>.*?</head>", "", html[:foot], flags=re.DOTALL), (path, name)
            assert name in html[foot:]
        assert "Source:" not in html


def test_one_s_own_site_has_no_pages_of_ours_at_its_foot(tmp_path: Path) -> None:
    made = build(write(tmp_path, {**BOOK, "content/credits.md": "# Thanks\n"}))
    home = next(page for page in made.pages if not page.path)
    assert "Duel, open at the rule you need." in home.html
    assert "Thanks" not in home.html
    assert "docs" not in home.html


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


def test_nothing_that_is_seen_moves_when_the_place_is_known(browser: Browser, address: str) -> None:
    """A reader comes again: the rows with his place and the book that he read stand there from the first."""
    place = json.dumps([["ocs/4.3", "ocs/4.3/12-supply", "12.5", "12.5 Fuel Supply", "OCS"]])
    with reader(browser, address, base_url=f"{address}/", viewport=PHONE) as context:
        context.add_init_script(
            f"""{AT_HOME} localStorage.setItem("/rulewright.read", {json.dumps(place)}); self.moved = 0;
            new PerformanceObserver((all) => all.getEntries().forEach((one) => self.moved += one.value))
              .observe({{ type: "layout-shift", buffered: true }});"""
        )
        page = context.new_page()
        page.goto("")
        expect(page.locator(".shelf > li").first).to_contain_text("Operational Combat Series")
        page.wait_for_function(
            "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"
        )
        assert page.evaluate("self.moved") < 0.05


settings.register_profile("covers", deadline=None)
settings.load_profile("covers")
