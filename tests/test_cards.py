"""What readers do with previews, links to rules and the way back, in a real browser: one test a thing."""

from playwright.sync_api import Locator, Page, expect
from web import finger

RULES, SEQUENCE = "asl/a3/a-infantry-and-basic-game-rules/", "asl/a3/sequence/"


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
    """The preview that is not pinned."""
    return page.locator("body > .rw-card")


def test_pointing_at_a_reference_shows_the_rule(page):
    """A player points at A3.8 and reads it, its title and its place; he points elsewhere: it closes."""
    page.goto(RULES)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    link = reference(page, "A3.8", "[id='A3.9']")
    link.hover()
    expect(card(page).get_by_role("link", name="A3.8 Close Combat Phase (CCPh)")).to_be_visible()
    expect(card(page)).to_contain_text(
        "A Infantry and Basic Game Rules › A3 Basic Sequence of Play · from A3.9"
    )
    expect(card(page).locator(".rule-text .text")).to_contain_text("Survivors")
    card(page).hover()
    page.wait_for_timeout(500)
    expect(card(page)).to_be_visible()
    page.mouse.move(2, 2)
    expect(card(page)).to_have_count(0)
    expect(link).to_have_attribute("title", "A3.8 Close Combat Phase (CCPh)")
    reference(page, "A3.1", "[id='A3.9']").hover()
    expect(card(page).get_by_role("link", name="A3.1 Rally Phase (RPh)")).to_be_visible()
    assert len([url for url in asked if url.endswith("-rules/")]) == 1, "the page of the chapter, once"


def test_references_in_a_preview_lead_on_and_back(page):
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


def test_the_keyboard_opens_a_preview_reads_it_and_closes_it(page):
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


@finger
def test_the_first_tap_shows_the_rule_and_the_second_goes_there(page):
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
    expect(card(page).locator(".hint")).to_be_hidden()  # shown once already
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
def test_the_way_back_closes_a_card_before_it_leaves_the_page(page):
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


def test_the_way_back_leads_to_the_very_line(page):
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


def test_without_scripts_there_is_nothing_dead(bare):
    """A reader without JavaScript has links, and no switch or button that does nothing."""
    bare.goto(RULES)
    expect(bare.locator(".rw-switch")).to_be_hidden()
    expect(bare.locator("article button:visible")).to_have_count(0)
