"""Link previews: a title, a picture, the kind of book; and the file for robots."""

import json
import re
from dataclasses import replace
from html import unescape

import pytest

from rulewright.render.build_artifacts import BookStyle
from tests.page_fixtures import changed_page
from tests.projects import BUILT

HOME = "https://rulewright.example/"
EVIL = 'Kings & "Queens" </script><script>alert(1)</script>'


@pytest.fixture
def project(project):
    (front,) = (page for page in BUILT.pages if page.path == "ocs/4.3")
    pages = tuple(changed_page(front, title=EVIL) if page == front else page for page in BUILT.pages)
    looks = {"ocs": BookStyle("look.css", "#5a1e1e")}
    project.result = replace(BUILT, pages=pages, editions={"ocs/4.3": ("OCS", "4.3")}, book_styles=looks)
    project.write("content/look.css", "")
    return project


def metadata(page: str) -> dict[str, str]:
    found = re.findall(r'<meta (?:property|name)="((?:og|twitter):[\w:]+)" content="([^"]*)">', page)
    return {name: unescape(words) for name, words in found}


def data(page: str) -> list[dict[str, object]]:
    return [
        json.loads(one) for one in re.findall(r'<script type="application/ld\+json">(.*?)</script>', page)
    ]


def test_a_link_shows_what_it_leads_to(project):
    project.build()
    chapter = metadata(project.page())
    assert chapter["og:title"] == "Air <&> Power of OCS · OCS 4.3"
    assert chapter["og:url"] == f"{HOME}ocs/4.3/14-x/"
    for path in ("", "checks", "ocs/4.3"):
        assert metadata(project.page(path))["og:image"] == f"{HOME}assets/icon-512.png"
    assert (project.site / "assets/icon-512.png").is_file()


def test_a_book_has_metadata_and_nothing_in_it_runs(project):
    project.build()
    (book,) = data(project.page("ocs/4.3"))
    assert book["@type"] == "Book"
    assert book["bookEdition"] == "4.3"
    assert book["url"] == f"{HOME}ocs/4.3/"
    assert str(book["name"]).startswith('Kings & "Queens"')
    assert [one["@type"] for one in data(project.page(""))] == ["WebSite"]
    assert data(project.page()) == []
    assert "<script>alert" not in project.page("ocs/4.3")


def test_robots_get_the_list_of_pages(project):
    project.build()
    robots = (project.site / "robots.txt").read_text()
    assert "User-agent: *\nAllow: /\n" in robots
    assert f"Sitemap: {HOME}sitemap.xml" in robots
    assert f"<loc>{HOME}ocs/4.3/14-x/</loc>" in (project.site / "sitemap.xml").read_text()


def test_without_an_address_nothing_names_one(project):
    project.build(site_url="")
    assert metadata(project.page()) == {}
    assert data(project.page("ocs/4.3")) == []
    assert "Sitemap" not in (project.site / "robots.txt").read_text()
