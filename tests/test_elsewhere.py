"""Marks that lead to other sites."""

import json
from pathlib import Path

import pytest

from rulewright.app.build import build
from rulewright.checks.examine import examine
from rulewright.site.exports import FORMATS
from tests.commands.duel import write

BOOK = {
    "content/elsewhere.yml": (
        'sites: {almanac: {title: Almanac, address: "https://a.example/x",'
        ' labels: {moon: "sky.html?a&b#moon"}}}\n'
    ),
    "content/tide/rulebook.yml": 'title: Tide\nnumbers: "1.1"\nchapters: "1.0"\n',
    "content/tide/1/edition.yml": 'edition: "1"\n',
    "content/tide/1/rules/1.yml": (
        'chapter: "1.0"\ntitle: Tides\ntext: See the [[almanac:moon]] & [[almanac:moon|<night>]].\n'
    ),
    "content/tide/1/sequence.yml": 'title: Day\nsteps: [{phase: Ebb, see: "1.0, [[almanac:moon]]"}]\n',
    "content/notes.md": "The [[almanac:moon|sky]].\n",
}


@pytest.fixture
def tide(tmp_path: Path) -> Path:
    """A project whose only book has references to another site."""
    write(tmp_path, BOOK)
    return tmp_path


LINK = (
    '<a class="ref away" rel="external" href="https://a.example/x/sky.html?a&amp;b#moon" '
    'title="moon (Almanac)">'
)


def test_a_mark_leads_to_another_site_and_says_so(tide: Path) -> None:
    made = build(tide)
    assert not [problem for problem in made.problems if problem.fails]
    pages = {page.path: page.html for page in made.pages}
    assert f"{LINK}moon</a> &amp; {LINK}&lt;night&gt;</a>" in pages["tide/1/1-tides"]
    assert f"{LINK}moon</a>" in pages["tide/1/sequence"]
    href = "https://a.example/x/sky.html?a&b#moon"
    [reference] = made.prose["content/notes.md"].references
    assert reference == (href, "sky", "moon (Almanac)", None)


def test_exports_lead_to_another_site(tide: Path) -> None:
    shelf = examine(tide).shelf
    outline = shelf.outlines["tide/1"]
    href = "https://a.example/x/sky.html?a&b#moon"
    assert f"[moon]({href})" in FORMATS["markdown"](outline, shelf, "https://tide.example")
    step = json.loads(FORMATS["json"](outline, shelf, ""))["steps"][0]
    assert step["refs"][1] | {"site": "Almanac", "href": href, "title": "moon"} == step["refs"][1]
