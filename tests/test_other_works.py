"""Numbers of other works that lead to an address."""

import json
from pathlib import Path

import pytest

from rulewright.app.build_pipeline import build
from rulewright.checks.load_and_check import load_and_check
from rulewright.render.exports import FORMATS
from tests.commands.duel import write

HREF = "https://a.example/sky?a&b"
BOOK = {
    "content/tide/rulebook.yml": (
        'title: Tide\nnumbers: "1.1"\nchapters: "1.0"\n'
        f'books: {{Almanac: {{aliases: [AL], leads to: "{HREF}"}}}}\n'
    ),
    "content/tide/1/edition.yml": 'edition: "1"\n',
    "content/tide/1/rules/1.yml": 'chapter: "1.0"\ntitle: Tides\ntext: See Almanac 4.2 & AL 7.\n',
    "content/tide/1/sequence.yml": "title: Day\nsteps: [{phase: Ebb, note: See Almanac 4.2.}]\n",
    "content/notes.md": "---\nbook: tide/1\n---\nThe sky of Almanac 4.2.\n",
}
LINK = '<a class="ref away" rel="external" href="https://a.example/sky?a&amp;b" title="{0} ({1})">{0}</a>'


@pytest.fixture
def tide(tmp_path: Path) -> Path:
    """Return a project whose only book cites a work on another site."""
    write(tmp_path, BOOK)
    return tmp_path


def test_pages_link_to_the_address(tide: Path) -> None:
    made = build(tide)
    assert not [problem for problem in made.problems if problem.is_failure]
    pages = {page.path: page.html for page in made.pages}
    long_form, alias = LINK.format("4.2", "Almanac"), LINK.format("7", "AL")
    assert f"{long_form} &amp; AL {alias}" in pages["tide/1/1-tides"]
    assert long_form in pages["tide/1/sequence"]
    [reference] = made.linked_pages["content/notes.md"].references
    assert reference == (HREF, "4.2", "4.2 (Almanac)", None)


def test_exports_link_to_the_address(tide: Path) -> None:
    index = load_and_check(tide).index
    outline = index.outlines["tide/1"]
    assert f"[4.2]({HREF})" in FORMATS["markdown"](outline, index, "https://tide.example")
    data = FORMATS["json"](outline, index, "")
    assert json.dumps(HREF) in data
