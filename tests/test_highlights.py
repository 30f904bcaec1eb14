"""Text that is highlighted, by Find or as the reference of a preview, can be read on every ground."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser
from web import reader, served

from rulewright.app import new_game
from rulewright.app.mkdocs_runner import build_site
from tests.commands.duel import write

CONTRASTS = """async () => {
  const parts = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const light = (colour) => parts(colour).slice(0, 3).map((one) => one / 255)
    .map((one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4))
    .reduce((sum, one, at) => sum + one * [0.2126, 0.7152, 0.0722][at], 0);
  const contrast = (one, other) => {
    const [dark, bright] = [light(one), light(other)].sort((a, b) => a - b);
    return (bright + 0.05) / (dark + 0.05);
  };
  const opened = "a.ref:not(.away), a.named, a.to-table, .cited a";
  for (const link of document.querySelectorAll(opened)) link.setAttribute("aria-expanded", "true");
  await new Promise((done) => setTimeout(done, 300)); // colours change slowly
  const hasWords = (one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  return [...document.querySelectorAll("article .rw *")].flatMap((one) => {
    if (!one.checkVisibility() || !hasWords(one)) return [];
    const styles = [getComputedStyle(one, "::highlight(sought)")];
    if (one.matches(opened)) styles.push(getComputedStyle(one));
    const found = styles.map(({ color, backgroundColor }) => [color, backgroundColor]);
    return found.filter((pair) => contrast(...pair) < 4.5).map((pair) => [one.outerHTML, ...pair]);
  });
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_highlighted_text_has_contrast(scheme: str, browser: Browser, tmp_path: Path) -> None:
    files = new_game.project_files("Salt", "salt", new_game.USUAL)
    site = build_site(write(tmp_path, files), prints=False).site
    with served(site) as address, reader(browser, address, color_scheme=scheme) as context:
        page = context.new_page()
        for path in ("sequence", "play", "1-movement", "tables", "aids/player-aid", ""):
            page.goto(f"{address}/salt/1/{path}", wait_until="networkidle")
            assert page.evaluate(CONTRASTS) == [], path
