"""What readers do on the built site, in a real browser: one test a thing, its first line says what."""

from playwright.sync_api import expect
from web import finger


def test_a_short_address_leads_to_the_rule(page):
    """A player types the URL of rule 12.5c and sees it."""
    page.goto("ocs/4.3/#12.5c")
    page.wait_for_url("**/ocs/4.3/12-supply/#12.5c")
    expect(page.locator("[id='12.5c']")).to_be_in_viewport()


@finger
def test_bars_mark_what_changed_until_they_are_switched_off(page):
    """A player who knows the older edition sees at the margin what changed, and can do without."""
    page.goto("ocs/4.3/2-sequence-of-play/")
    bar = "number => getComputedStyle(document.getElementById(number), '::before').content"
    assert page.evaluate(bar, "2.2") != "none"
    assert page.evaluate(bar, "2.4") == "none"
    page.get_by_label("A bar marks what changed").uncheck()
    assert page.evaluate(bar, "2.2") == "none"


@finger
def test_what_a_rule_was_leads_to_it_in_the_older_edition(page):
    """A player looks up where the order of stacking stood before."""
    page.goto("ocs/4.3/4-general-concepts/#4.8b")
    page.locator("[id='4.8b'] .before summary").click()
    page.locator("[id='4.8b'] .before a").first.click()
    page.wait_for_url("**/ocs/3.0/4/#4.2b")


def choose(page, name):
    """Open the selector of editions and take one of them."""
    page.locator("summary.md-version__current").click()
    page.locator("a.md-version__link", has_text=name).click()


def test_the_selector_of_editions_stays_on_the_rule(page):
    """A player at the order of stacking asks for the older edition, where it has another number, and back."""
    page.goto("ocs/4.3/4-general-concepts/#4.8b")
    choose(page, "3.0")
    page.wait_for_url("**/ocs/3.0/4/#4.2b")
    expect(page.locator("[id='4.2b']")).to_be_in_viewport()
    page.get_by_role("link", name="The same place in 4.3").click()
    page.wait_for_url("**/ocs/4.3/4-general-concepts/#4.8b")


def test_the_selector_of_editions_works_by_keyboard(page):
    """A player without a pointer opens it, closes it, opens it again and goes."""
    page.goto("ocs/4.3/sequence/#first/supply-phase")
    selector = page.locator("details.md-version")
    selector.locator("summary").focus()
    page.keyboard.press("Enter")
    expect(selector).to_have_attribute("open", "")
    page.keyboard.press("Escape")
    expect(selector).not_to_have_attribute("open", "")
    expect(selector.locator("summary")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/ocs/3.0/sequence/#first/supply-phase")


def test_the_selector_of_editions_works_without_a_script(bare):
    """A player whose browser runs no scripts comes to the page of the other edition."""
    bare.goto("ocs/4.3/4-general-concepts/#4.8b")
    choose(bare, "3.0")
    bare.wait_for_url("**/ocs/3.0/4/")
    bare.locator("[id='4.2b'] .history a").click()
    bare.wait_for_url("**/ocs/4.3/4-general-concepts/#4.8b")


def test_a_number_without_an_edition_leads_to_the_newest(page):
    """A player types a number that both editions have, and one that only the older one has."""
    page.goto("ocs/#12.5c")
    page.wait_for_url("**/ocs/4.3/12-supply/#12.5c")
    page.goto("ocs/#10.0i")
    page.wait_for_url("**/ocs/3.0/10/#10.0i")
    expect(page.get_by_text("This is edition 3.0; the newest is 4.3.")).to_be_visible()


def test_an_old_address_leads_to_the_rule(page):
    """A player follows a bookmark of the site that the book stood on before, with its anchor."""
    page.goto("rules/ocs-4.3/12-0-supply/#128-attrition--out-of-supply")
    page.wait_for_url("**/ocs/4.3/12-supply/#12.8")
    expect(page.locator("[id='12.8']")).to_be_in_viewport()


def test_a_reference_in_the_sequence_leads_to_its_rule(page):
    """A player follows 12.8e from the Breakout Segment."""
    page.goto("ocs/4.3/sequence/")
    page.get_by_role("link", name="12.8e").first.click()
    page.wait_for_url("**/ocs/4.3/12-supply/#12.8e")
    expect(page.locator("[id='12.8e']")).to_be_in_viewport()


def test_a_rule_says_which_step_cites_it_and_leads_there(page):
    """A player sees on the rule where in the turn it is used, and goes there."""
    page.goto("ocs/4.3/12-supply/#12.8e")
    page.locator("[id='12.8e'] .cited summary").first.click()
    page.get_by_role("link", name="Movement Phase › Breakout Segment").first.click()
    page.wait_for_url("**/ocs/4.3/sequence/#first/movement-phase/breakout-segment")
    expect(page.locator("[id='first/movement-phase/breakout-segment']")).to_be_in_viewport()


@finger
def test_a_phase_can_be_collapsed_and_opened_again(page):
    """A player folds the Movement Phase away."""
    page.goto("ocs/4.3/sequence/")
    overruns = page.locator("[id='first/movement-phase/movement-segment/overruns']")
    expect(overruns).to_be_visible()
    summary = page.locator("details", has=overruns).first.locator("summary").first
    summary.click()
    expect(overruns).to_be_hidden()
    summary.press("Enter")
    expect(overruns).to_be_visible()


def test_the_picture_of_the_turn_leads_to_a_phase(page):
    """A player taps the Supply Phase in the picture of the game turn."""
    page.goto("ocs/4.3/2-sequence-of-play/")
    page.locator(".game-turn a:visible", has_text="Supply").first.click()
    page.wait_for_url("**/ocs/4.3/sequence/#first/supply-phase")


def test_a_name_in_a_text_leads_to_its_step_and_a_term_to_what_it_means(page):
    """A player reads of the PFPh and of SMOKE."""
    page.goto("asl/a3/a-infantry-and-basic-game-rules/")
    page.locator("[id='A3.2'] a.named", has_text="SMOKE").click()
    page.wait_for_url("**/asl/a3/glossary/#smoke")
    expect(page.locator(":target")).to_contain_text("white phosphorus")
    page.go_back()
    page.locator("[id='A3.3'] a.named", has_text="PFPh").click()
    page.wait_for_url("**/asl/a3/sequence/#first/pfph")
    expect(page.locator(":target")).to_contain_text("Prep Fire Phase")


@finger
def test_a_rule_is_found_by_words_of_its_text(page):
    """A player remembers words that stand in no title."""
    page.goto("ember-coast/2.1/")
    page.get_by_role("link", name="Find a rule").click()
    page.keyboard.type("counts for the exploitation")
    page.get_by_role("option").filter(has_text="12.5c").first.click()
    page.wait_for_url("**/ember-coast/2.1/12-supply/#12.5c")


def test_all_is_there_without_scripts(bare):
    """A reader without JavaScript has every step and every reference."""
    bare.goto("ocs/4.3/sequence/")
    expect(bare.locator("[id='first/movement-phase/movement-segment/overruns']")).to_be_visible()
    bare.get_by_role("link", name="12.8e").first.click()
    bare.wait_for_url("**/ocs/4.3/12-supply/#12.8e")
