"""The site serves every reader: by keyboard, on all screens, enlarged, read aloud, on paper."""

import io
import re
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, TimeoutError, expect
from web import DESKTOP, PHONE, reader

from tests.example_counts import TIMES

SMALLEST, ENLARGED = {"width": 320, "height": 568}, {"width": 640, "height": 450}
"""The narrowest screen that pages are designed for, and a desktop at twice the size."""

PAGES = [
    "", "ocs/4.3/", "ocs/4.3/2-sequence-of-play/", "ocs/4.3/12-supply/", "ocs/4.3/sequence/",
    "ocs/4.3/narrative/", "asl/a3/numbers/", "ocs/4.3/faq/", "checks/", "ocs/3.0/tables/", "ocs/3.0/14/",
    "ocs/4.3/glossary/", "ocs/4.3/changes/", "ocs/4.3/aids/", "ocs/4.3/aids/fold-out/",
    "ocs/4.3/aids/checklist/", "ocs/4.3/play/", "killing-ground/1/numbers/", "ember-coast/2.1/errata/",
    "asl/a3/a-infantry-and-basic-game-rules/", "404.html", "docs/", "docs/writing/", "docs/commands/",
    "guide/", "guide/pages/",
]  # fmt: skip
READERS_PAGES = [path for path in PAGES if not path.startswith(("checks", "guide", "ocs/4.3/aids/fold"))]
RULES = {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
"""All rules of WCAG 2.2 AA that axe knows, with the size of targets, which it leaves out by default."""

PAGE_FAULTS = (Path(__file__).parent / "page_faults.js").read_text("utf-8")
FOCUSED = f"() => ({PAGE_FAULTS}).focused()"


@pytest.fixture
def page(browser, address, request):
    """A reader's page, on a desktop unless a test says otherwise."""
    size = getattr(request, "param", DESKTOP)
    wishes: dict[str, Any] = {"viewport": size, "base_url": f"{address}/", "reduced_motion": "reduce"}
    with reader(browser, address, **wishes) as context:
        yield context.new_page()


def on(*sizes: dict[str, int]) -> pytest.MarkDecorator:
    """Run a test on screens of these sizes."""
    return pytest.mark.parametrize("page", sizes, indirect=True, ids=[str(one["width"]) for one in sizes])


def violations(page: Page) -> list[tuple[str, list[str]]]:
    """Return what axe finds: its rule, and where."""
    found = Axe().run(page, options={"runOnly": RULES, "resultTypes": ["violations"]}).response["violations"]
    return [(one["id"], [node["html"][:160] for node in one["nodes"][:3]]) for one in found]


@on(PHONE, DESKTOP)
def test_axe_finds_no_violation_on_any_page(page, subtests):
    """Half of the pages by day on a desktop, the other half by night on a phone."""
    by_night = page.viewport_size == PHONE
    page.emulate_media(color_scheme="dark" if by_night else "light")
    for path in PAGES if TIMES > 1 else PAGES[by_night::2]:
        with subtests.test(path=path):
            page.goto(path)
            assert not violations(page)


@on(PHONE, DESKTOP)
def test_axe_finds_no_violation_in_anything_that_opens(page):
    """The list of pages, the selector of editions and the box to find rules with."""
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


@pytest.mark.parametrize("letters", ["100%", "200%"])
@on(SMALLEST, ENLARGED)
def test_no_page_is_wider_than_the_screen(page, letters):
    """A reader never scrolls sideways, on the smallest screen, enlarged or with letters twice as large."""
    root, wider = "document.documentElement", []
    for path in PAGES if letters == "100%" else READERS_PAGES:
        page.goto(path)
        page.add_style_tag(content=f"html {{ font-size: {letters} !important }}")
        if page.evaluate(f"{root}.scrollWidth > {root}.clientWidth"):
            wider.append(path)
    assert not wider


@on(DESKTOP, SMALLEST)
def test_the_focused_element_is_always_seen(page):
    """A player without a pointer goes through a whole page by the Tab key."""
    page.goto("ocs/4.3/sequence/")
    faults = []
    for _ in range(400):
        page.keyboard.press("Tab")
        focused = page.evaluate(FOCUSED)
        if focused is None:
            break
        if focused["faults"]:
            try:  # what opens comes into sight a little later
                page.wait_for_function(f"() => !({FOCUSED})()?.faults", timeout=5_000)
            except TimeoutError:
                faults.append(f"{focused['name']} {focused['faults']}")
    else:
        pytest.fail("the end of the page never came")
    assert not faults


def test_a_dialog_holds_the_focus_and_gives_it_back(page):
    page.goto("ocs/4.3/sequence/")
    link = page.locator("article a", has_text="12.8e").first
    link.focus()
    page.keyboard.press("/")
    expect(page.get_by_role("dialog", name="Find a rule")).to_be_visible()
    inside = "document.activeElement === document.body || !!document.activeElement.closest('#jump')"
    for _ in range(12):
        page.keyboard.press("Tab")
        assert page.evaluate(inside)
    page.keyboard.press("Escape")
    expect(link).to_be_focused()


def test_nothing_moves_for_readers_who_ask_for_stillness(page):
    page.goto("ocs/3.0/tables/")
    page.get_by_role("button", name="Roll").first.click()
    page.locator("summary.md-version__current").click()
    moving = "document.getAnimations().filter((one) => one.effect.getComputedTiming().duration > 1).length"
    assert page.evaluate(moving) == 0
    assert page.evaluate("getComputedStyle(document.documentElement).scrollBehavior") == "auto"


def test_forced_colours_hide_nothing(page):
    """Each bar, pip and icon that is seen in the colours of the site is seen in those of the reader."""
    painted = f"({PAGE_FAULTS}).painted()"
    lost = []
    for path in READERS_PAGES:
        page.goto(path)
        page.emulate_media(forced_colors="none")
        usual = page.evaluate(painted)
        page.emulate_media(forced_colors="active")
        forced = page.evaluate(painted)
        assert [name for name, _ in usual] == [name for name, _ in forced], path
        lost += [(path, name) for (name, was), (_, now) in zip(usual, forced, strict=True) if was > now]
    assert not lost


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_highlighted_words_have_contrast(page, scheme):
    """Words that Find has marked, and references whose preview is open; axe knows neither."""
    page.emulate_media(color_scheme=scheme)
    for path in ("12-supply/", "sequence/", "play/", "tables/", "aids/checklist/", ""):
        page.goto(f"ember-coast/2.1/{path}", wait_until="networkidle")
        assert page.evaluate(f"() => ({PAGE_FAULTS}).contrasts()") == [], path


NAMES = {
    "ocs/4.3/12-supply/": {("link", "12.5c A"), ("heading", "12.5 Fuel Supply"), ("link", "12.1a")},
    "ocs/4.3/sequence/": {("heading", "Supply Phase (Phasing player)"), ("link", "12.8e")},
    "ocs/3.0/tables/": {("button", "Roll 2d6"), ("rowheader", "6 to 8"), ("rowheader", "≥9")},
    "ember-coast/2.1/sequence/": {("link", "to 6.5"), ("link", "Weather Table 16.6")},
}


@pytest.mark.parametrize("path", NAMES)
def test_a_screen_reader_has_a_name_for_everything_and_says_none_twice(page, path):
    page.goto(path, wait_until="load")
    tree = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    found = {(one["role"]["value"], one["name"]["value"]) for one in tree if "name" in one}
    assert NAMES[path] <= found
    for role, name in found:
        if role in ("link", "button", "heading", "rowheader", "columnheader"):
            assert re.search(r"\w|½|\+|−|–|\*|†", name), (role, name)
            assert not re.search(r"\b(\w{3,} \w{3,})\b.*\b\1\b", name) or "header" in role, name


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_a_page_is_printed_whole_and_without_controls(browser, address, scripts):
    """A reader with dark colours folds a phase and prints."""
    context = browser.new_context(color_scheme="dark", java_script_enabled=scripts)
    page = context.new_page()
    page.goto(f"{address}/ocs/4.3/sequence/")
    page.locator("details.fold > summary").nth(2).click()
    document = pypdfium2.PdfDocument(io.BytesIO(page.pdf()))
    words = "".join(sheet.get_textpage().get_text_bounded() for sheet in document)
    context.close()
    assert "Overruns" in words
    assert "12.8e" in words
    controls = ("Fold all", "Jump to", "Table of contents", "Search", "Skip to", "Preview")
    assert not [one for one in controls if one in words]
