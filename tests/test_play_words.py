"""Play on a phone: no word breaks in two, and the buttons answer what is asked."""

import pytest
from playwright.sync_api import expect
from web import PHONE, reader, served

from rulewright.app import new_game
from rulewright.app.mkdocs_runner import build_site
from tests.commands.duel import write

BROKEN = """() => {
  const found = [];
  const texts = document.createTreeWalker(document.querySelector(".rw.play"), NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { data, parentElement } = texts.currentNode;
    if (!parentElement.checkVisibility() || parentElement.closest("h1, .spoken")) continue;
    for (const { 0: word, index } of data.matchAll(/[\\p{L}\\p{N}]{2,}/gu)) {
      const range = new Range();
      range.setStart(texts.currentNode, index);
      range.setEnd(texts.currentNode, index + word.length);
      if (new Set([...range.getClientRects()].map((one) => Math.round(one.top))).size > 1) found.push(word);
    }
  }
  return found;
}"""
SEVERAL = """
      - phase: Reinforcement Phase
        by: phasing
        steps:
          - do: Reinforcements of the phasing player who is at sea (1.1, 1.2, 2.1, 2.2)
          - do: Counterattack-Reinforcements (1.1)
          - do: Reorganisation of all Reinforcements (1.2)
      - phase: Skirmish Phase
        rounds: until it rains
        one of: [{do: Skirmish}, {do: Scout, rolls: 1d6}]
      - phase: Weather Phase
        rounds: 1 to 3
        steps: [{do: Draw a card}, {do: Storm, ends: game, if: it is a storm}]
      - phase: Combat Phase (2.1)"""


@pytest.fixture(scope="module")
def page(browser, tmp_path_factory):
    files = new_game.project_files("Salt", "salt")
    name = "content/salt/1/sequence.yml"
    files[name] = files[name].replace("\n      - phase: Combat Phase (2.1)", SEVERAL)
    site = build_site(write(tmp_path_factory.mktemp("salt"), files), prints=False)
    assert not site.fault
    with served(site.site) as address, reader(browser, address, viewport=PHONE, has_touch=True) as context:
        page = context.new_page()
        page.goto(f"{address}/salt/1/play/", wait_until="networkidle")
        yield page


def test_no_word_breaks_in_two(page):
    for _ in range(9):
        assert page.evaluate(BROKEN) == []
        page.locator(".controls [data-act=done]").click()


def test_questions_are_answered_by_their_buttons(page):
    """Rounds go on or are over, an option is chosen, and a storm ends the game."""

    def press(act: str, words: str) -> None:
        button = page.locator(f".controls [data-act={act}]")
        expect(button).to_have_text(words)
        button.click()

    head = page.locator(".way p")
    page.locator("[data-act=unturn]").evaluate("button => button.click()")
    page.locator("[id$='reinforcement-phase'] .go").first.evaluate("sign => sign.click()")
    press("done", "All done")
    expect(head).to_have_text("Skirmish Phase · round 1")
    page.locator(".options").get_by_label("Scout").check()
    press("done", "Scout ›")
    expect(page.locator(".asked")).to_have_text("It rains?")
    press("done", "Goes on ›")
    expect(head).to_have_text("Skirmish Phase · round 2")
    press("done", "Skirmish ›")
    press("skip", "Yes, over")
    expect(head).to_have_text("Weather Phase · round 1")
    press("done", "No ›")
    expect(page.locator(".over")).to_be_hidden()
    page.go_back()
    press("skip", "Yes: the game ends")
    expect(page.locator(".over")).to_have_text("The game is over")
    expect(page.locator(".controls [data-act=done]")).to_be_disabled()
