"""That the site keeps nobody out: without a pointer, on a small screen, enlarged, in the dark, on paper."""

import io
from collections.abc import Iterator

import pypdfium2
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, TimeoutError, expect
from web import DESKTOP, PHONE, reader

from tests.example_counts import TIMES

SMALLEST, ENLARGED = {"width": 320, "height": 568}, {"width": 640, "height": 450}
"""The narrowest screen that pages are made for, and a desktop whose reader has all of it twice as large."""

PAGES = ["", "ocs/4.3/", "ocs/4.3/2-sequence-of-play/", "ocs/4.3/12-supply/", "ocs/4.3/sequence/"]
PAGES += [
    "ocs/4.3/narrative/",
    "asl/a3/numbers/",
    "ocs/4.3/faq/",
    "checks/",
]
PAGES += ["ocs/3.0/tables/", "ocs/3.0/14/", "ocs/4.3/glossary/", "ocs/4.3/changes/"]
PAGES += ["ocs/4.3/aids/", "ocs/4.3/aids/fold-out/", "ocs/4.3/aids/checklist/", "ocs/4.3/play/"]
PAGES += ["killing-ground/1/numbers/", "asl/a3/a-infantry-and-basic-game-rules/", "404.html"]
BY_NIGHT, BY_DAY = PAGES[::2], PAGES[1::2]
EDITORS = ["docs/", "docs/writing/", "docs/commands/", "guide/", "guide/pages/1-rules/"]
PAGES += EDITORS
BY_DAY += EDITORS

RULES = {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
"""All of WCAG 2.2 AA that axe knows, sizes of targets as well, which it does not look at by itself."""

FOCUSED = """() => {
  const one = document.activeElement;
  if (one === document.body) return null;
  const shown = one.matches(".md-option") ? one.nextElementSibling : one;
  const box = [...shown.getClientRects()].find((r) => r.width && r.bottom > 0 && r.right > 0
    && r.top < innerHeight && r.left < innerWidth);
  const within = (at, most) => Math.min(Math.max(at, 1), most - 1);
  const top = box && document.elementFromPoint(within((box.left + box.right) / 2, innerWidth),
    within((box.top + box.bottom) / 2, innerHeight));
  const style = getComputedStyle(shown);
  const told = [];
  const seen = shown.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  if (!box || !seen) told.push("is not seen");
  else if (!shown.contains(top) && !top.contains(shown)) told.push(`is covered by ${top.className}`);
  if (style.outlineStyle === "none" && !one.matches("[name=query]")) told.push("has no frame");
  return { told: told.join(", "), name: shown.outerHTML.slice(0, 120) };
}"""


@pytest.fixture
def page(browser: Browser, address: str, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A reader's page, on a desk unless a test says otherwise."""
    size = getattr(request, "param", DESKTOP)
    wishes = {"viewport": size, "base_url": f"{address}/", "reduced_motion": "reduce"}
    with reader(browser, address, **wishes) as context:
        yield context.new_page()


def on(*sizes: dict[str, int]) -> pytest.MarkDecorator:
    """Run a test on screens of these sizes."""
    return pytest.mark.parametrize("page", sizes, indirect=True, ids=[str(one["width"]) for one in sizes])


def violations(page: Page) -> list[tuple[str, list[str]]]:
    """What axe finds, however small: its rule, and where."""
    found = Axe().run(page, options={"runOnly": RULES, "resultTypes": ["violations"]}).response["violations"]
    return [(one["id"], [node["html"][:160] for node in one["nodes"][:3]]) for one in found]


@on(PHONE, DESKTOP)
def test_no_page_keeps_a_reader_out(page: Page, subtests: pytest.Subtests) -> None:
    """axe finds no fault on any page: on one half by day at a desk, on the other by night on a phone."""
    by_night = page.viewport_size == PHONE
    page.emulate_media(color_scheme="dark" if by_night else "light")
    for path in PAGES if TIMES > 1 else BY_NIGHT if by_night else BY_DAY:
        with subtests.test(path=path):
            page.goto(path)
            assert not violations(page)


@on(PHONE, DESKTOP)
def test_nothing_that_opens_keeps_a_reader_out(page: Page) -> None:
    """axe finds no fault in an open list of pages, selector of editions, search or box to jump with."""
    page.emulate_media(color_scheme="light" if page.viewport_size == PHONE else "dark")
    page.goto("ocs/4.3/12-supply/")
    if page.viewport_size == PHONE:
        page.locator(".md-header [for=__drawer]").click()
        assert not violations(page)
        page.keyboard.press("Escape")
    page.locator("summary.md-version__current").click()
    assert not violations(page)
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Find a rule").click()
    page.keyboard.type("fuel")
    expect(page.locator("#jump-list a").first).to_be_visible()
    assert not violations(page)


@on(SMALLEST, ENLARGED)
def test_no_page_is_wider_than_the_screen(page: Page) -> None:
    """A reader never scrolls sideways, on the smallest screen or with everything twice as large."""
    root, wider = "document.documentElement", []
    for path in PAGES:
        page.goto(path)
        if page.evaluate(f"{root}.scrollWidth > {root}.clientWidth"):
            wider.append(path)
    assert not wider


@on(DESKTOP, ENLARGED, SMALLEST)
def test_what_has_the_focus_is_seen(page: Page) -> None:
    """A player without a pointer goes through a whole page by the Tab key and always sees where he is."""
    page.goto("ocs/4.3/sequence/")
    told = []
    for _ in range(400):
        page.keyboard.press("Tab")
        at = page.evaluate(FOCUSED)
        if at is None:
            break
        if at["told"]:
            try:  # what opens comes into sight a little later
                page.wait_for_function(f"() => !({FOCUSED})()?.told", timeout=5_000)
            except TimeoutError:
                told.append(f"{at['name']} {at['told']}")
    else:
        pytest.fail("the end of the page never came")
    assert not told


@on(SMALLEST)
def test_the_list_of_pages_works_by_keyboard(page: Page) -> None:
    """A player opens it by a key, is at the chapter, thinks better of it; opens it again, leaves the book."""
    page.goto("ocs/4.3/12-supply/")
    opener = page.locator(".md-header [for=__drawer]")
    opener.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".md-sidebar--primary :focus")).to_have_text("12.0 Supply")
    expect(page.locator(".md-sidebar--primary :focus")).to_be_in_viewport()
    page.keyboard.press("Escape")
    expect(page.locator(".md-sidebar--primary")).to_be_hidden()
    expect(opener).to_be_focused()
    page.keyboard.press("Enter")
    page.locator(".md-sidebar--primary a:visible", has_text="Library").focus()
    page.keyboard.press("Enter")
    cover = page.locator("article .cover", has_text="The Killing Ground")
    expect(cover).to_be_visible()
    cover.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/killing-ground/1/")


def test_a_box_keeps_the_focus_and_gives_it_back(page: Page) -> None:
    """A player tabs around in the box to jump with, closes it, and is where he was."""
    page.goto("ocs/4.3/sequence/")
    link = page.locator("article a", has_text="12.8e").first
    link.focus()
    page.keyboard.press("/")
    expect(page.get_by_role("dialog", name="Find a rule")).to_be_visible()
    for _ in range(12):
        page.keyboard.press("Tab")
        assert page.evaluate(
            "document.activeElement === document.body || !!document.activeElement.closest('#jump')"
        )
    page.keyboard.press("Escape")
    expect(link).to_be_focused()


def test_nothing_moves_for_whom_it_should_not(page: Page) -> None:
    """A reader has asked for stillness: what opens is there at once, and nothing scrolls by itself."""
    page.goto("ocs/3.0/tables/")
    page.get_by_role("button", name="Roll").first.click()
    page.locator("summary.md-version__current").click()
    moving = "document.getAnimations().filter((one) => one.effect.getComputedTiming().duration > 1).length"
    assert page.evaluate(moving) == 0
    assert page.evaluate("getComputedStyle(document.documentElement).scrollBehavior") == "auto"


def test_a_chosen_suggestion_is_told_in_the_colours_of_the_system(page: Page) -> None:
    """A reader whose system has few colours of its own sees which one Enter takes."""
    page.emulate_media(forced_colors="active")
    page.goto("ocs/4.3/")
    page.keyboard.press("/")
    page.keyboard.type("supply")
    rows = page.locator("#jump-list a")
    expect(rows.first).not_to_have_css("outline-style", "none")
    expect(rows.nth(1)).to_have_css("outline-style", "none")


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_a_page_is_printed_as_it_is_read(browser: Browser, address: str, scripts: bool) -> None:
    """A reader who has it dark folds a phase and prints: all of it is there, and nothing to press."""
    context = browser.new_context(color_scheme="dark", java_script_enabled=scripts)
    page = context.new_page()
    page.goto(f"{address}/ocs/4.3/sequence/")
    page.locator("details.fold > summary").nth(2).click()
    words = "".join(
        sheet.get_textpage().get_text_bounded() for sheet in pypdfium2.PdfDocument(io.BytesIO(page.pdf()))
    )
    context.close()
    assert "Overruns" in words
    assert "12.8e" in words
    for pressed in (
        "Fold all",
        "Jump to",
        "Table of contents",
        "Search",
        "Skip to",
        "Preview",
        "kept on the device",
    ):
        assert pressed not in words
