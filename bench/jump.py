"""How long a key takes in the box to jump with, in a book of 18,000 rules, until all is laid out.

On a processor a fourth as fast as this one, as a phone's is; also how long the box keeps keys waiting at most
while it reads the book.
"""

import json
import random
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from jinja2 import Environment
from playwright.sync_api import Browser, Page, sync_playwright

import run as project
from bench.run import Row, best
from rulewright.site.passages import stemmer
from tests.revisions import COMMON

RULES = 18_000
LIMIT = 100e-3
SLOWER = 4
THEME = project.ROOT / "templates" / "theme"
TYPED = {
    "a number": "45.7d",
    "a number with nothing between its labels": "457d",
    "the first digit of one": "4",
    "two words": "supply fue",
    "a number that no rule has": "45.99z",
    "words that nothing is called": "suplly fule",
}
_TASKS = """() => {
  window.tasks = [];
  new PerformanceObserver((list) => tasks.push(...list.getEntries())).observe({ entryTypes: ["longtask"] });
}"""
_GIVEN = """data => {
  const { need } = rulewright;
  rulewright.need = (path) => (path.endsWith("find.js") ? Promise.resolve(JSON.parse(data)) : need(path));
}"""
_SECONDS = """async typed => {
  const box = document.querySelector("#jump input");
  const times = [];
  for (let nth = 0; nth < 9; nth += 1) {
    box.value = typed;
    const begin = performance.now();
    box.dispatchEvent(new Event("input"));
    document.querySelector("#jump").getBoundingClientRect();
    times.push((performance.now() - begin) / 1000);
    await new Promise(requestAnimationFrame);
  }
  return Math.min(...times);
}"""


def listing(rules: int) -> dict[str, object]:
    """A book of so many rules as the build gives it to the script.

    Titles have one to four words, texts 10 to 60.
    """
    chance, words = random.Random(7), COMMON
    chapters = []
    for chapter in range(1, rules // 200 + 1):
        inside: list[list[str | int]] = [[f"{chapter}.0", "Supply", 0]]
        for at in range(199):
            number = f"{chapter}.{at // 5 + 1}{'abcd'[at % 5 - 1] if at % 5 else ''}"
            title = " ".join(chance.choices(words, k=chance.randint(1, 4))).title()
            inside.append([number, title, 1, "", " ".join(chance.choices(words, k=chance.randint(10, 60)))])
        chapters.append([f"b/1/{chapter}", str(chapter), inside])
    numbered = {"language": "en", "cues": ["see", "rule"], "loose": False}
    return {**numbered, "chapters": chapters, "former": [], "others": []}


@contextmanager
def opened(rules: int, browser: Browser, slower: int = 1) -> Iterator[Page]:
    """A page from a disk with the box open, and everything in it loaded by a processor so much slower."""
    partial = (THEME / "partials" / "jump.html").read_text("utf-8")
    box = Environment(autoescape=True).from_string(partial[partial.index("<dialog") :])
    scripts = "".join(f'<script src="assets/{name}.js"></script>' for name in ("rulewright", "jump"))
    styles = "".join(f'<link rel="stylesheet" href="assets/{name}.css">' for name in ("rulewright", "jump"))
    html = f'<!doctype html><meta charset="utf-8">{styles}<body>{box.render(editions={"b/1": ("B", "1")})}'
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "page.html").write_text(f'{html}<b data-edition="b/1"></b>{scripts}', "utf-8")
        shutil.copytree(THEME / "assets", folder / "assets")
        path, script = stemmer("en")
        (folder / path).write_text(script, "utf-8")
        page = browser.new_page(viewport={"width": 390, "height": 844})
        page.goto(f"file://{folder}/page.html")
        page.evaluate(_GIVEN, json.dumps(listing(rules)))
        page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slower})
        page.evaluate(_TASKS)
        page.keyboard.press("/")
        page.wait_for_selector("#jump-list[aria-busy=false] a", timeout=120_000)
        yield page
        page.context.close()


def longest(page: Page) -> float:
    """The longest task since the page was opened, if one was longer than 50 ms."""
    page.wait_for_selector("#jump-list[aria-busy=false]")
    return float(page.evaluate("Math.max(0, ...tasks.map(one => one.duration)) / 1000"))


def seconds(page: Page, typed: str) -> float:
    """What the quickest of nine keys takes."""
    return float(page.evaluate(_SECONDS, typed))


def main() -> list[Row]:
    chromium = project.find_chromium()
    if chromium is None:
        raise SystemExit(project.CHROMIUM.missing())
    lines = [" ".join(map(str, rule)) for _, _, rules in listing(RULES)["chapters"] for rule in rules]  # type: ignore[attr-defined]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        with opened(RULES, browser, SLOWER) as page:
            rows = [Row("the longest task while the book is read", longest(page), LIMIT)]
            rows += [Row(f"a key, {what}", seconds(page, typed), LIMIT) for what, typed in TYPED.items()]
        with opened(RULES // 4, browser, SLOWER) as page:
            rows += [
                Row(f"a key, {what}, in a quarter of it", seconds(page, typed))
                for what, typed in TYPED.items()
            ]
    return [
        Row("yardstick: a word looked for in each title", best(lambda: ["supply" in x for x in lines])),
        *rows,
    ]
