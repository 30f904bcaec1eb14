"""What readers do with previews, links to rules and the way back, in a real browser: one test a thing."""

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, expect
from web import DESKTOP, finger

RULES, SEQUENCE = "asl/a3/a-infantry-and-basic-game-rules/", "asl/a3/sequence/"
NO_CLIPBOARD = """
Object.defineProperty(Navigator.prototype, "clipboard", { value: undefined });
document.execCommand = () => false;
"""


def reference(page: Page, to: str, within: str = "article") -> Locator:
    """A reference to a rule, or a name, in the middle of the screen."""
    return centred(leading(page.locator(within), to))


def centred(link: Locator) -> Locator:
    link.evaluate("link => link.scrollIntoView({block: 'center'})")
    return link


def leading(within: Locator, to: str) -> Locator:
    """The first reference in something that leads to a rule, or that is a name."""
    return within.locator(f"a.ref[data-ref$=':{to}'], a.named:text-is('{to}')").first


def card(page: Page) -> Locator:
    """The preview that is not kept."""
    return page.locator("body > .rw-card")


def test_pointing_at_a_reference_shows_the_rule(page: Page) -> None:
    """A player points at A3.8 and reads it, its title and where it stands; he points elsewhere: it goes."""
    page.goto(RULES)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    link = reference(page, "A3.8", "[id='A3.9']")
    link.hover()
    expect(card(page).get_by_role("link", name="A3.8 Close Combat Phase (CCPh)")).to_be_visible()
    expect(card(page)).to_contain_text(
        "A Infantry and Basic Game Rules › A3 Basic Sequence of Play · from A3.9"
    )
    expect(card(page).locator(".said .text")).to_contain_text("Survivors")
    card(page).hover()
    page.wait_for_timeout(500)
    expect(card(page)).to_be_visible()
    page.mouse.move(2, 2)
    expect(card(page)).to_have_count(0)
    expect(link).to_have_attribute("title", "A3.8 Close Combat Phase (CCPh)")
    reference(page, "A3.1", "[id='A3.9']").hover()
    expect(card(page).get_by_role("link", name="A3.1 Rally Phase (RPh)")).to_be_visible()
    assert len([url for url in asked if "/previews/" in url]) == 1, "one script a chapter, once"


def test_a_step_a_term_and_who_cites_a_rule_show_as_well(page: Page) -> None:
    """A player points at a phase, at a term, at what cites a rule, at a table, at a number in the list."""
    page.goto(RULES)
    for words, title in (("PFPh", "Prep Fire Phase"), ("SMOKE", "SMOKE")):
        reference(page, words).hover()
        expect(card(page).locator(".at")).to_have_text(title)
    page.locator("[id='A3.1'] > .cited summary").click()
    centred(page.locator("[id='A3.1'] > .cited a", has_text="Rally Phase").first).hover()
    expect(card(page).locator(".at")).to_have_text("Rally Phase")
    expect(card(page).locator(".said")).to_contain_text("A3.1")
    page.goto("ocs/3.0/sequence/")
    centred(page.locator("article a", has_text="Air Unit Reduction Table").first).hover()
    expect(card(page).get_by_role("cell", name="No Effect")).to_be_visible()
    page.goto("asl/a3/numbers/")
    centred(page.locator(".numbers li a", has_text="A3.2").first).hover()
    expect(card(page).locator(".at")).to_have_text("A3.2 Prep Fire Phase (PFPh)")


def test_references_in_a_preview_lead_on_and_back(page: Page) -> None:
    """A player goes from a rule to a step and to another rule, all in one card, and back again."""
    page.goto(RULES)
    reference(page, "PFPh", "[id='A3.3']").hover()
    at = card(page).locator(".at")
    expect(at).to_have_text("Prep Fire Phase")
    leading(card(page), "A3.2").click()
    expect(at).to_have_text("A3.2 Prep Fire Phase (PFPh)")
    leading(card(page), "SMOKE").click()
    expect(at).to_have_text("SMOKE")
    back = card(page).get_by_role("button", name="Back to the preview before")
    back.click()
    back.click()
    expect(at).to_have_text("Prep Fire Phase")
    expect(back).to_be_hidden()
    assert page.url.endswith(RULES)
    at.click()
    page.wait_for_url(f"**/{SEQUENCE}#first/pfph")


def test_the_keyboard_opens_a_preview_reads_it_and_closes_it(page: Page) -> None:
    """A player without a mouse presses Enter at A3.8, follows a reference in its card and returns."""
    page.goto(RULES)
    link = reference(page, "A3.8", "[id='A3.9']")
    link.focus()
    page.wait_for_timeout(500)
    expect(card(page)).to_have_count(0)
    page.keyboard.press("Enter")
    expect(card(page).locator(".at")).to_be_focused()
    expect(link).to_have_attribute("aria-expanded", "true")
    leading(card(page), "CC").focus()
    page.keyboard.press("Enter")
    expect(card(page).locator(".at")).to_have_text("CC")
    expect(card(page).locator(".at")).to_be_focused()
    page.keyboard.press("Escape")
    expect(card(page)).to_have_count(0)
    expect(link).to_be_focused()
    page.keyboard.press("Enter")
    expect(card(page).locator(".at")).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url("**/#A3.8")


def test_leaving_a_preview_by_the_keyboard_goes_on_behind_its_reference(page: Page) -> None:
    """A player tabs through a preview and is where he would be without it."""
    page.goto(RULES)
    link = reference(page, "A3.8", "[id='A3.9']")
    link.focus()
    page.keyboard.press("Enter")
    card(page).get_by_role("button", name="Link").focus()
    page.keyboard.press("Tab")
    expect(card(page)).to_have_count(0)
    following = "link => [...document.querySelectorAll('article a[href]')].indexOf(document.activeElement)"
    here = link.evaluate("link => [...document.querySelectorAll('article a[href]')].indexOf(link)")
    assert link.evaluate(following) > here
    between = (
        "([a, b]) => [...document.querySelectorAll('article a[href]')].slice(a, b).every(e => e.tabIndex < 0)"
    )
    assert page.evaluate(between, [here + 1, link.evaluate(following)])


@finger
def test_the_first_tap_shows_the_rule_and_the_second_goes_there(page: Page) -> None:
    """A player taps A3.8 on a phone; a tap elsewhere closes its card, two taps or its button lead there."""
    page.goto(RULES)
    link = reference(page, "A3.8", "[id='A3.9']")
    link.tap()
    expect(card(page).locator(".at")).to_have_text("A3.8 Close Combat Phase (CCPh)")
    expect(card(page)).to_contain_text("Tap the reference once more to go there.")
    assert page.url.endswith(RULES)
    page.locator("[id='A3.9'] h3 .title").tap()
    expect(card(page)).to_have_count(0)
    link.tap()
    expect(card(page)).to_be_visible()
    expect(card(page).locator(".hint")).to_be_hidden()  # it has been said
    link.tap()
    page.wait_for_url("**/#A3.8")
    page.wait_for_timeout(300)
    assert page.url.endswith("#A3.8"), "closing the card takes no step back from there"
    page.go_back()
    page.wait_for_url(f"**/{RULES}")
    expect(card(page)).to_have_count(0)
    centred(link).tap()
    card(page).get_by_role("link", name="Open A3.8").tap()
    page.wait_for_url("**/#A3.8")


@finger
def test_the_way_back_closes_a_card_before_it_leaves_the_page(page: Page) -> None:
    """A player presses the system's Back on a card; a link beside it leads on without a step too many."""
    page.goto("asl/a3/")
    page.goto(RULES)
    link = reference(page, "A3.8", "[id='A3.9']")
    link.tap()
    expect(card(page)).to_be_visible()
    page.go_back()
    expect(card(page)).to_have_count(0)
    assert page.url.endswith(RULES)
    link.tap()
    expect(card(page)).to_be_visible()
    page.locator(".md-footer a[rel=next], .rw-at a").first.tap()
    page.wait_for_url(lambda url: not url.endswith(RULES))
    page.go_back()
    page.wait_for_url(f"**/{RULES}")
    page.go_back()
    page.wait_for_url("**/asl/a3/")


def test_a_card_never_wears_the_title_of_another_rule(page: Page) -> None:
    """A case without a title has its number and its own words; what it lies in is told as its path."""
    page.goto("ember-coast/2.1/12-supply/")
    found = page.evaluate("rulewright.rule('ember-coast/2.1', '12.5b(A)')")
    assert found["title"] == found["number"] == "12.5b(A)"
    assert found["path"].endswith("12.0 Supply › 12.5 Fuel › 12.5b A group")
    assert "HQ" in found["html"]


def test_a_card_says_what_the_items_of_a_rule_say(page: Page) -> None:
    """A player at 12.1a asks what 12.5 is, and reads its cases without leaving."""
    page.goto("ember-coast/2.1/12-supply/")
    reference(page, "12.5", "[id='12.1a']").hover()
    words = page.locator("[id='12.5a'] > .text").inner_text()
    expect(card(page).locator(".inner > li").first).to_contain_text(words)
    expect(card(page).locator(".cut")).to_have_count(0)


@finger
def test_the_tools_of_a_card_are_those_of_its_rule(page: Page) -> None:
    """A player sends on, quotes and keeps the rule of a card without going there."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto("ember-coast/2.1/12-supply/")
    reference(page, "12.5", "[id='12.1a']").tap()
    card(page).get_by_role("button", name="Link").tap()
    expect(page.locator(".rw-dock").get_by_role("status")).to_contain_text("12.5 Link copied")
    assert page.evaluate("navigator.clipboard.readText()").endswith("/r/ember-coast/2.1/12.5/")
    card(page).get_by_role("button", name="Quote").tap()
    expect(page.locator(".rw-dock").get_by_role("status")).to_contain_text("12.5 Quote copied")
    assert page.evaluate("navigator.clipboard.readText()").startswith("12.5 Fuel: ")
    card(page).get_by_role("button", name="Pin").tap()
    expect(page.locator(".rw-dock .rw-card .at")).to_have_text("12.5 Fuel")


@finger
@pytest.mark.parametrize("block", ["start", "center", "end"])
def test_a_preview_covers_neither_its_reference_nor_the_edge(page: Page, block: str) -> None:
    """A player whose phone is 320 pixels wide reads the sentence and the rule that it cites."""
    page.set_viewport_size({"width": 320, "height": 568})
    page.goto(RULES)
    link = leading(page.locator("[id='A3.9']"), "A3.8")
    link.evaluate(f"link => link.scrollIntoView({{block: '{block}'}})")
    page.evaluate(f"scrollBy(0, '{block}' === 'start' ? -130 : 0)")
    link.tap()
    expect(card(page)).to_be_visible()
    shown, line = card(page).bounding_box(), link.bounding_box()
    assert line
    assert shown["x"] >= 0
    assert shown["x"] + shown["width"] <= 320
    assert shown["y"] >= line["y"] + line["height"] or shown["y"] + shown["height"] <= line["y"]
    assert shown["y"] >= 0
    assert shown["y"] + shown["height"] <= 568


def test_previews_are_kept_on_the_pages_that_follow(page: Page) -> None:
    """A player keeps two rules at hand, goes to another page, folds one away and lets the other go."""
    page.goto(RULES)
    for words in ("A3.8", "A3.1"):
        reference(page, words, "[id='A3.9']").hover()
        expect(card(page).locator(".at")).to_contain_text(words)
        card(page).get_by_role("button", name="Pin").click()
    page.goto("ocs/4.3/sequence/")
    kept = page.locator(".rw-dock .rw-card")
    expect(kept).to_have_count(2)
    expect(kept.first).to_contain_text("A3.8 Close Combat Phase (CCPh)")
    kept.first.get_by_role("button", name="Unfolded").click()
    expect(kept.first.locator(".said")).to_be_hidden()
    kept.last.get_by_role("button", name="To the other side").click()
    left = page.locator(".rw-dock").bounding_box()
    assert left["x"] < 100
    kept.last.get_by_role("button", name="Close").click()
    page.reload()
    expect(kept).to_have_count(1)
    expect(kept.locator(".said")).to_be_hidden()


def test_previews_are_switched_off_and_on_in_the_same_place(page: Page) -> None:
    """A player wants no previews; on the next page there are none, and at its foot he has them back."""
    page.goto(RULES)
    reference(page, "A3.8", "[id='A3.9']").hover()
    card(page).get_by_label("Previews").uncheck()
    page.goto(RULES)
    link = reference(page, "A3.8", "[id='A3.9']")
    link.hover()
    page.wait_for_timeout(600)
    expect(card(page)).to_have_count(0)
    page.get_by_label("Show what a reference leads to").check()
    reference(page, "A3.8", "[id='A3.9']").hover()
    expect(card(page)).to_be_visible()


def test_previews_work_from_a_disk(browser: Browser, pages: Path) -> None:
    """A player has the site on a disk without any server."""
    page = browser.new_page(viewport=DESKTOP)
    page.goto(f"file://{pages}/{RULES}index.html")
    reference(page, "PFPh", "[id='A3.3']").hover()
    leading(card(page), "A3.2").click()
    expect(card(page).locator(".at")).to_have_text("A3.2 Prep Fire Phase (PFPh)")
    reference(page, "C.4", "[id='A3.5']").click()
    page.wait_for_url("**/asl/a3/c/index.html#C.4")
    page.locator(".rw-dock .back a").click()
    page.wait_for_url(f"**/{RULES}index.html")
    page.close()


def test_a_link_to_a_rule_is_copied(page: Page) -> None:
    """A player sends his opponent the very rule."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto("ocs/4.3/12-supply/")
    page.locator("[id='12.5c(B)'] a.number").click()
    page.get_by_role("button", name="Link").click()
    expect(page.locator(".rw-dock").get_by_role("status")).to_contain_text("12.5c(B) Link copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.endswith("/r/ocs/4.3/12.5c(B)/")
    page.goto(copied)
    page.wait_for_url("**/ocs/4.3/12-supply/#12.5c(B)")


def test_a_link_is_there_to_copy_where_a_browser_does_not_allow_it(page: Page) -> None:
    """A player's browser keeps its clipboard to itself: the address is shown and selected."""
    page.add_init_script(NO_CLIPBOARD)
    page.goto("ocs/4.3/12-supply/")
    page.locator("[id='12.5'] > h2 a.number").click()
    page.get_by_role("button", name="Link").click()
    expect(page.locator(".rw-dock").get_by_role("status")).to_contain_text("Copy it from here")
    box = page.get_by_label("Link", exact=True)
    expect(box).to_be_focused()
    assert box.evaluate("box => box.value.slice(box.selectionStart, box.selectionEnd)").endswith(
        "/r/ocs/4.3/12.5/"
    )


def test_the_way_back_leads_to_the_very_line(page: Page) -> None:
    """A player follows a reference to another page and one more there, and goes back twice."""
    page.goto("ocs/4.3/sequence/")
    page.locator("details.fold > summary").first.click()
    link = reference(page, "12.8e")
    before = page.evaluate("scrollY")
    link.click()
    page.wait_for_url("**/12-supply/#12.8e")
    back = page.locator(".rw-dock .back a")
    expect(back).to_have_text("Back to Breakout Segment")
    page.locator("[id='12.10'] > .cited summary").click()
    page.locator("[id='12.10'] > .cited a").first.click()
    expect(back).to_have_text("Back to 12.10")
    back.click()
    page.wait_for_url("**/12-supply/#12.8e")
    expect(back).to_have_text("Back to Breakout Segment")
    back.click()
    page.wait_for_url("**/ocs/4.3/sequence/")
    expect(page.locator(".rw-dock .back")).to_be_hidden()
    expect(page.locator("details.fold").first).not_to_have_attribute("open", "")
    page.wait_for_function(f"() => Math.abs(scrollY - {before}) < 3")


def test_the_browsers_own_way_back_is_noticed(page: Page) -> None:
    """A player uses the browser's button instead, and nothing offers to take him where he is."""
    page.goto(RULES)
    reference(page, "A3.8", "[id='A3.9']").click()
    expect(page.locator(".rw-dock .back a")).to_have_text("Back to A3.9")
    page.go_back()
    expect(page.locator(".rw-dock .back")).to_be_hidden()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_cards_keep_no_reader_out(page: Page, scheme: str) -> None:
    """axe finds no fault in a preview, one that is kept, the way back and a link that was copied."""
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page.goto(RULES)
    reference(page, "A3.8", "[id='A3.9']").click()
    page.locator("[id='A3.8'] a.number").first.click()
    page.get_by_role("button", name="Link").click()
    reference(page, "A3.8", "[id='A3.9']").hover()
    card(page).get_by_role("button", name="Pin").click()
    reference(page, "PFPh", "[id='A3.3']").hover()
    expect(card(page)).to_be_visible()
    found = Axe().run(page, {"include": [[".rw-dock"], [".rw-card"], [".rw-switch"]]}).response["violations"]
    assert not [(one["id"], [node["html"][:160] for node in one["nodes"]]) for one in found]


def test_without_scripts_there_is_nothing_dead(bare: Page) -> None:
    """A reader without JavaScript has links, and no switch or button that does nothing."""
    bare.goto(RULES)
    expect(bare.locator(".rw-switch")).to_be_hidden()
    expect(bare.locator("article button:visible")).to_have_count(0)
