"""The page with all rules of an edition: each is there once, and every link leads on."""

import re
from collections import Counter
from pathlib import Path
from urllib.parse import unquote

import pytest

_ID = re.compile(r'\bid="([^"]*)"')
_RULE = re.compile(r'<(?:section|div) class="rule[^>]*\bid="([^"]*)"')
_LINK = re.compile(r'<a\b[^>]*?\shref="([^"]*)"')


def article(page: Path) -> str:
    return page.read_text("utf-8").partition("<article")[2].partition("</article>")[0]


@pytest.mark.thorough
def test_every_rule_of_every_chapter_is_on_it_once(pages: Path) -> None:
    found = [*pages.glob("*/*/all/index.html")]
    assert len(found) > 3
    for whole in found:
        html = article(whole)
        ids = Counter(_ID.findall(html))
        assert [one for one, count in ids.items() if count > 1] == []
        chapters = [page for page in whole.parent.parent.glob("*/index.html") if page != whole]
        rules = [rule for page in chapters for rule in _RULE.findall(article(page))]
        assert rules
        assert [rule for rule in rules if rule not in ids] == []


@pytest.mark.thorough
def test_its_links_are_those_of_the_chapters(pages: Path) -> None:
    whole = pages / "ember-coast/2.1/all"
    for link in _LINK.findall(article(whole / "index.html")):
        path, _, anchor = link.partition("#")
        assert path.startswith("../"), "none leads about on the page itself"
        target = (whole / path).resolve()
        page = target / "index.html" if target.is_dir() else target
        assert page.is_file(), link
        assert not anchor or f'id="{unquote(anchor)}"' in page.read_text("utf-8"), link
