"""Play on a phone: no word breaks in two at any step of the turn."""

from pathlib import Path

from playwright.sync_api import Browser
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
      - phase: Combat Phase (2.1)"""


def test_no_word_breaks_in_two(browser: Browser, tmp_path: Path) -> None:
    files = new_game.project_files("Salt", "salt", new_game.USUAL)
    name = "content/salt/1/sequence.yml"
    files[name] = files[name].replace("\n      - phase: Combat Phase (2.1)", SEVERAL)
    site = build_site(write(tmp_path, files), prints=False)
    assert not site.fault
    with served(site.site) as address, reader(browser, address, viewport=PHONE, has_touch=True) as context:
        page = context.new_page()
        page.goto(f"{address}/salt/1/play/", wait_until="networkidle")
        for _ in range(9):
            assert page.evaluate(BROKEN) == []
            page.locator(".controls [data-act=done]").click()
