"""Reading a chapter and a sequence of play, in a real browser: what stands where, and how far away."""

from playwright.sync_api import Locator, Page, expect
from web import finger

CHAPTER = "ember-coast/2.1/12-supply/"
IN_SIGHT = (
    "one => { const box = one.getBoundingClientRect(); return box.top >= 0 && box.bottom <= innerHeight }"
)


def test_who_cites_a_rule_stands_behind_its_items_and_is_counted_right(page: Page) -> None:
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


def test_numbers_with_only_a_title_stand_in_one_line(page: Page) -> None:
    """Four cases without a text take no more lines than their titles need, and each can be linked to."""
    page.goto("ocs/4.3/12-supply/")
    section = page.locator("[id='12.1']")
    assert section.locator("h3").count() == 0
    tops = section.locator(".light a.number").evaluate_all(
        "all => all.map(one => one.getClientRects()[0].top)"
    )
    assert len(tops) == 4
    assert len(set(tops)) <= 2
    page.goto("ocs/4.3/12-supply/#12.1d")
    assert page.locator("[id='12.1d']").evaluate(IN_SIGHT)


def test_the_tools_of_a_rule_open_at_its_number(page: Page) -> None:
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


def test_the_first_reference_is_few_tabs_away(page: Page) -> None:
    """Past the lists of pages by the first link; no number and no tool is stopped at."""
    page.goto(CHAPTER)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    tabs = 0
    while not page.evaluate("document.activeElement.matches('article .text a')"):
        page.keyboard.press("Tab")
        tabs += 1
        assert tabs <= 4


def marked(page: Page) -> Locator:
    return page.locator(".md-nav--secondary [aria-current=location]")


def test_the_contents_mark_what_is_scrolled_to(page: Page) -> None:
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


@finger
def test_a_row_of_the_sequence_is_hit_as_a_whole_and_leads_to_its_rule(page: Page) -> None:
    """A row is no higher than its line, but as wide as the page, and at least as WCAG 2.2 (2.5.8) asks."""
    page.goto("ember-coast/2.1/sequence/")
    rows = page.locator(".outline .line:has(> .refs)")
    assert min(rows.evaluate_all("all => all.map(one => one.getBoundingClientRect().height)")) >= 24
    row = page.locator("[id='dawn-phase/tide-segment'] > .line")
    row.scroll_into_view_if_needed()
    box = row.bounding_box()
    page.touchscreen.tap(box["x"] + 40, box["y"] + box["height"] / 2)
    expect(page.locator("body > .rw-card .at")).to_contain_text("2.3b")


def test_without_a_script_who_cites_a_rule_and_the_key_unfold(bare: Page) -> None:
    bare.goto(CHAPTER)
    bare.locator("[id='12.5'] > .cited summary").click()
    expect(bare.locator("[id='12.5'] > .cited li").first).to_be_visible()
    bare.goto("ember-coast/2.1/sequence/")
    bare.locator(".key > summary").click()
    expect(bare.locator(".key .legend")).to_be_visible()
