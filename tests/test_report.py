"""A message to the publisher about a rule, in a browser."""

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect
from web import PHONE, reader


@pytest.fixture
def page(browser: Browser, address: str) -> Any:
    wishes = {"viewport": PHONE, "base_url": f"{address}/", "reduced_motion": "reduce"}
    with reader(browser, address, "mailto:", **wishes) as context:
        page = context.new_page()
        page.goto("ember-coast/2.1/12-supply/")
        yield page


def use(page: Page, tool: str, number: str) -> None:
    """Use a tool at the number of a rule."""
    page.locator(f"[id='{number}'] > :is(h2, h3) a.number").click()
    page.get_by_role("group", name=f"Tools for {number}").get_by_role("button", name=tool).click()


def test_a_report_says_which_rule_it_is_of_and_sends_nothing(page: Page) -> None:
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
