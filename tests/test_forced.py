"""Readers who have chosen their own colours, more contrast, larger letters, or have no steady hand."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page
from web import reader

PAGES = (
    "",
    "ember-coast/2.1/",
    "ember-coast/2.1/9-combat/",
    "ember-coast/2.1/2-sequence-of-play/",
    "ember-coast/2.1/sequence/",
    "ember-coast/2.1/play/",
    "ember-coast/2.1/changes/",
    "ember-coast/2.1/tables/",
    "ember-coast/2.1/errata/",
    "ember-coast/2.1/aids/",
    "ocs/4.3/aids/checklist/",
    "docs/writing/",
)

SEEN = (Path(__file__).parent / "painted_elements.js").read_text("utf-8")


def faults(page: Page, look: str) -> list[str]:
    """What a look at the page as it stands finds fault with."""
    found: list[str] = page.evaluate(f"({SEEN}).{look}()")
    return found


@pytest.fixture
def page(browser: Browser, address: str, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A reader's page with wishes of a test's own."""
    wishes: dict[str, Any] = getattr(request, "param", {})
    with reader(browser, address, base_url=f"{address}/", reduced_motion="reduce", **wishes) as context:
        yield context.new_page()


def wishing(**wishes: object) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("page", [wishes], indirect=True, ids=["-"])


@wishing(viewport={"width": 1280, "height": 900})
def test_no_bar_pip_or_icon_is_a_ground_alone(page: Page) -> None:
    """Whatever is seen in the colours of the site is seen in those of the reader."""
    lost = []
    for path in PAGES:
        page.goto(path)
        page.emulate_media(forced_colors="none")
        usual = page.evaluate(f"({SEEN}).painted()")
        page.emulate_media(forced_colors="active")
        forced = page.evaluate(f"({SEEN}).painted()")
        assert [name for name, _ in usual] == [name for name, _ in forced], path
        lost += [(path, name) for (name, was), (_, still) in zip(usual, forced, strict=True) if was > still]
    assert not set(lost)


@wishing(viewport={"width": 1280, "height": 900})
def test_everything_is_large_enough_to_hit(page: Page, subtests: pytest.Subtests) -> None:
    for path in PAGES:
        with subtests.test(path=path):
            page.goto(path)
            assert not faults(page, "small")


@wishing(viewport={"width": 320, "height": 640})
def test_letters_twice_as_large_cost_no_words(page: Page) -> None:
    """A reader whose letters are twice as large, on the smallest screen, scrolls down alone."""
    wider = []
    for path in PAGES:
        page.goto(path)
        page.add_style_tag(content="html { font-size: 200% !important }")
        root = "document.documentElement"
        if page.evaluate(f"{root}.scrollWidth > {root}.clientWidth"):
            wider.append(path)
    assert not wider
