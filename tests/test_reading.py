"""Reading a chapter, the front page and a book in a real browser, and reporting a mistake."""

import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urljoin

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect
from web import PHONE, reader

CHAPTER = "ember-coast/2.1/12-supply/"


def test_who_cites_a_rule_stands_behind_its_items_and_is_counted_right(page):
    """One folded line stands behind all of a rule but its history, on every rule, and counts right."""
    page.goto(CHAPTER)
    lines = page.locator(".rule > .cited:not(.before)").evaluate_all(
        "all => all.map(one => [one.nextElementSibling?.matches(':not(.before)'), one.open,"
        " one.querySelector('summary').textContent, one.querySelectorAll('li').length,"
        " one.querySelectorAll('.to-step').length])"
    )
    assert lines
    for is_followed, is_open, said, count, steps in lines:
        assert not is_followed
        assert not is_open
        told = [int(word) for word in said.split() if word.isdecimal()]
        assert sum(told) == count, said
        assert ("used in" in said.lower()) == bool(steps), said
        for number, word in zip(said.split(), said.split()[1:], strict=False):
            if number.isdecimal():
                assert word in (
                    ("rule", "step", "table", "erratum", "question")
                    if number == "1"
                    else ("rules", "steps", "tables", "errata", "questions")
                ), said


def test_the_tools_of_a_rule_open_at_its_number(page):
    """A click on the number, or t at the rule that is read, opens them; Escape closes them."""
    page.goto(CHAPTER)
    number = page.locator("[id='12.5'] > h2 a.number")
    number.click()
    tools = page.get_by_role("group", name="Tools for 12.5")
    for name in ("Link", "Quote", "Pin", "Compare"):
        expect(tools.get_by_role("button", name=name)).to_be_visible()
    page.keyboard.press("Escape")
    expect(tools).to_have_count(0)
    page.locator("[id='12.5a'] .text a.ref").first.focus()
    page.keyboard.press("t")
    tools = page.get_by_role("group", name="Tools for 12.5a")
    expect(tools.get_by_role("button", name="Link")).to_be_focused()
    tools.get_by_role("button", name="Compare").click()
    expect(page.locator(".rw-dock .rw-card .at")).to_contain_text("12.5a")
    page.keyboard.press("Escape")
    expect(page.get_by_role("group", name="Tools for 12.5a")).to_have_count(0)


def marked(page: Page) -> Locator:
    return page.locator(".md-nav--secondary [aria-current=location]")


def test_the_contents_mark_what_is_scrolled_to(page):
    """At each place the last entry that begins above the reading area, whatever was unfolded above it."""
    page.goto(CHAPTER)
    page.locator("[id='12.1'] > .cited summary").click()
    names = "all => all.map(one => decodeURIComponent(one.hash.slice(1)))"
    keys = page.locator(".md-nav--secondary a").evaluate_all(names)
    for share in (0.2, 0.45, 0.7, 1):
        page.evaluate(f"scrollTo(0, (document.documentElement.scrollHeight - innerHeight) * {share})")
        found = page.evaluate(
            "keys => keys.findLast(key => document.getElementById(key).getBoundingClientRect().top"
            " <= document.querySelector('.md-header').getBoundingClientRect().bottom + 24)",
            keys,
        )
        expect(marked(page)).to_have_attribute("href", f"#{found}")


def test_without_a_script_who_cites_a_rule_and_the_key_unfold(bare):
    bare.goto(CHAPTER)
    bare.locator("[id='12.5'] > .cited summary").click()
    expect(bare.locator("[id='12.5'] > .cited li").first).to_be_visible()
    bare.goto("ember-coast/2.1/sequence/")
    bare.locator(".key > summary").click()
    expect(bare.locator(".key .legend")).to_be_visible()


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


def test_each_book_has_the_ways_that_it_has_and_all_lead_somewhere(pages):
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
def test_the_front_page_of_a_book_leads_to_all_of_it_without_a_script(pages, edition):
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
def phone(browser, address):
    with reader(browser, address, base_url=f"{address}/", viewport=PHONE, has_touch=True) as context:
        yield context.new_page()


def test_the_bar_names_book_and_rule_and_the_device_keeps_the_place(phone):
    """A player reads a rule on a phone, closes the site, and goes on reading where he was."""
    phone.goto("ember-coast/2.1/12-supply/")
    bar = phone.locator(".rw-at")
    expect(bar).to_contain_text("Ember Coast")
    expect(bar.locator(".running")).to_be_empty()
    phone.goto("ember-coast/2.1/12-supply/#12.5")
    expect(bar.locator(".running")).to_have_text("12.5 Fuel")
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


@pytest.fixture
def mail_page(browser, address):
    wishes = {"viewport": PHONE, "base_url": f"{address}/", "reduced_motion": "reduce"}
    with reader(browser, address, "mailto:", **wishes) as context:
        page = context.new_page()
        page.goto("ember-coast/2.1/12-supply/")
        yield page


def use(page: Page, tool: str, number: str) -> None:
    """Use a tool at the number of a rule."""
    page.locator(f"[id='{number}'] > :is(h2, h3) a.number").click()
    page.get_by_role("group", name=f"Tools for {number}").get_by_role("button", name=tool).click()


def test_a_report_says_which_rule_it_is_of_and_sends_nothing(mail_page):
    page = mail_page
    use(page, "Report", "12.6")
    dialog = page.get_by_role("dialog", name="Report 12.6")
    assert Axe().run(page, context=".rw-report").response["violations"] == []
    dialog.get_by_label("What is wrong").fill("It says & too much?")
    message = dialog.get_by_label("The message").input_value()
    assert message.startswith("Ember Coast 2.1, rule 12.6 Dark\nhttp://")
    assert message.endswith("/ember-coast/2.1/#12.6\n\nIt says & too much?")
    mail = dialog.get_by_role("link", name="Write a mail").get_attribute("href")
    assert mail.startswith("mailto:?subject=Ember%20Coast%202.1%2C%20rule%2012.6%20Dark&body=")
    assert "too%20much%3F" in mail
    expect(dialog.get_by_role("link", name="Open a new issue")).to_have_count(0)
    page.evaluate(
        """document.querySelector("[data-edition]").dataset.report = "https://a.example/x/issues/new" """
    )
    dialog.get_by_role("button", name="Close").click()
    use(page, "Report", "12.6")
    link = dialog.get_by_role("link", name="Open a new issue").get_attribute("href")
    assert link.startswith("https://a.example/x/issues/new?title=Ember+Coast+2.1")
