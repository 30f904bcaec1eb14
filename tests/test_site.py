"""The plugin, with a small line of its own in place of the real one: what MkDocs makes of it."""

import re
from dataclasses import replace

import pytest
from mkdocs.exceptions import Abort
from projects import BUILT, ERROR, WARNING, Project, files

from rulewright.render.build_artifacts import EditionVersion
from tests.page_fixtures import site_page
from tests.search_scripts import script_data, script_pages

GITLAB = "https://gitlab.example.org/a"

# -- the parts of a site ------------------------------------------------------------------------------


@pytest.mark.filterwarnings("error:To replace an existing file")
def test_pages_files_and_pictures_are_in_the_site_and_the_content_files_are_not(project):
    project.build(strict=True)
    output = files(project.site)
    pages = {name for name in output if name.endswith(".html") and not name.startswith("r/")}
    places = ["", "ocs/4.3/", "ocs/4.3/12-x/", "ocs/4.3/14-x/", "ocs/4.3/faq/", "checks/", "credits/"]
    assert pages == {"404.html", *(f"{place}index.html" for place in places)}
    assert output["ocs/4.3/marker.png"] == b"picture"
    assert output["r/ocs/4.3/14.7d/index.html"] == "<title>→ 14.7d</title>\n".encode()
    assert output["ocs/4.3/outline.json"] == b"[]\r\n"
    assert not [name for name in output if name.endswith((".yml", ".md"))]


def test_the_navigation_is_the_lines_and_markdown_pages_follow_where_they_belong(project):
    config = project.build()
    assert config.nav == [
        {"Home": "index.md"},
        {
            "OCS": [
                "ocs/4.3.md",
                {"12 Supply": "ocs/4.3/12-x.md"},
                {"14 Air": "ocs/4.3/14-x.md"},
                "ocs/4.3/faq.md",
            ]
        },
        "credits.md",
    ]


def test_a_page_has_its_title_its_description_and_its_contents_as_text(project):
    project.build()
    html = project.page()
    assert "<title>Air &lt;&amp;&gt; Power of OCS - Rulewright</title>" in html
    assert '<meta name="description" content="What Air &lt;&amp;&gt; Power is">' in html
    assert html.count('href="#14.7d"') == 2  # beside the page, and in the drawer on a phone
    assert "14.7d A &lt;rule&gt;" in html
    assert '<h2 id="14.7d">14.7d</h2>' in html


def test_prose_replaces_the_text_of_a_markdown_page_and_its_front_matter_holds(project):
    project.build()
    html = project.page("ocs/4.3/faq")
    assert '<p>See <a class="ref" href="../14-x/#14.7d">14.7d</a>.</p>' in html
    assert "<title>Asked &amp; answered - Rulewright</title>" in html
    assert "title:" not in html


def test_written_pages_are_found_by_their_words_beside_what_the_line_has(project):
    data = {"cues": [], "chapters": [], "others": [["page", "", "Air", "ocs/4.3/14-x"]]}
    found = {"ocs/4.3": lambda: data}
    project.result = replace(BUILT, editions={"ocs/4.3": ("OCS", "4.3")}, search=found)
    project.build()
    first, page, *sections = script_data((project.site / "ocs/4.3/find.js").read_text("utf-8"))["others"]
    assert first == ["page", "", "Air", "ocs/4.3/14-x"]
    assert page[:4] == ["page", "", "Asked & answered", "ocs/4.3/faq"]
    assert "See 14.7d." in str([page, *sections])
    assert "<" not in str([page, *sections])
    assert "credits" in script_pages((project.site / "search/find.js").read_text("utf-8"))


def test_the_first_page_has_the_text_written_for_it(project):
    project.write("content/index.md", "# Games of *Pier* &amp; Co\n\nAll of [them](ocs/4.3/14-x.md#14.7d).\n")
    home = '<div class="rw home"><h1 id="top">Ours</h1><h2 class="label" id="books">Books</h2></div>'
    project.result = replace(BUILT, pages=(site_page("", "Library", home), *BUILT.pages[1:]))
    project.build()
    html = project.page("")
    assert html.count("<h1") == 1
    assert '<h1 id="top">Games of <em>Pier</em> &amp; Co' in html
    assert 0 < html.index('href="ocs/4.3/14-x/#14.7d"') < html.index('id="books"')
    assert "Ours" not in html


def test_with_a_repository_the_edit_link_leads_to_the_line(project):
    project.build(repo_url="https://example.org/rules", edit_uri="edit/main/content/")
    address = "https://example.org/rules/edit/main/content/ocs/4.3/rules/12.yml#L12"
    assert f'<a href="{address}"' in project.page()
    assert "Source:" not in project.page()
    assert 'data-md-component="source"' not in project.page()  # which asks the host for its stars


@pytest.mark.parametrize(
    ("settings", "address"),
    [
        ({"repo_url": "https://example.org/rules/"}, "https://example.org/rules/issues/new"),
        ({"repo_url": GITLAB}, f"{GITLAB}/-/issues/new"),
        ({"repo_url": "https://example.org/x", "extra": {"report": 'a"@b.org'}}, "a&#34;@b.org"),
    ],
)
def test_reports_go_where_the_publisher_says(project, settings, address):
    project.build(**settings)
    assert f'data-report="{address}"' in project.page()


def test_a_canonical_address_only_where_the_address_is_known(project):
    project.build(site_url="")
    assert "canonical" not in project.page()
    assert not (project.site / "sitemap.xml").exists()
    project.build(site_url="https://example.org/rules/")
    assert '<link rel="canonical" href="https://example.org/rules/ocs/4.3/14-x/">' in project.page()
    assert "<loc>https://example.org/rules/ocs/4.3/14-x/</loc>" in (project.site / "sitemap.xml").read_text()


def test_links_work_below_any_address(project):
    project.build(site_url="")
    for name, data in files(project.site).items():
        if name.endswith("index.html"):
            assert not re.findall(
                rb'\b(?:href|src)="(?:https?:)?/[^"]*"', data.replace(b"https://squidfunk", b"")
            ), name


# -- what is wrong --------------------------------------------------------------------------------------


def broken_line(project: Project) -> None:
    project.result = ValueError("the line is broken")


def interrupted(project: Project) -> None:
    project.result = KeyboardInterrupt()


def wrong_content(project: Project) -> None:
    project.result = replace(BUILT, problems=(ERROR,))


def warning_in_content(project: Project) -> None:
    project.result = replace(BUILT, problems=(WARNING,))


def broken_template(project: Project) -> None:
    project.write("theme/main.html", "{% extends 'base.html' %}{% block content %}{{ 1 / 0 }}{% endblock %}")


def address_taken(project: Project) -> None:
    project.write("content/ocs/4.3/14-x/index.md", "# Mine")


@pytest.mark.parametrize(
    "fault", [broken_line, interrupted, wrong_content, warning_in_content, broken_template, address_taken]
)
def test_a_build_that_fails_leaves_the_last_good_site_as_it_was(project, fault):
    project.build(strict=True)
    good = files(project.site)
    project.result = replace(BUILT, pages=(site_page("", "Other", "<h1>Other</h1>"), *BUILT.pages[1:]))
    fault(project)
    with pytest.raises(BaseException) as raised:  # noqa: PT011 - which one is MkDocs' affair
        project.build(strict=True)
    assert isinstance(raised.value, (Abort, ValueError, ZeroDivisionError, KeyboardInterrupt))
    assert files(project.site) == good
    assert not [path.name for path in project.folder.iterdir() if path.name.startswith(".")]


# -- the editions of a book -----------------------------------------------------------------------------


def test_a_page_shows_the_editions_of_its_book_and_search_engines_find_the_newest(project):
    moves = "9.0 9.1=#9.2"
    old = EditionVersion("3.0", "OCS 3.0", "old", "ocs/3.0/9-x", "./", is_here=True, is_same=True)
    new = EditionVersion("4.3 & up", "OCS", "newest", "ocs/4.3/9 x", "../../4.3/9%20x/", False, True, moves)
    page = site_page("ocs/3.0/9-x", "Combat", '<h1 id="9.0">Combat</h1>')
    faq = (new._replace(is_here=True), old._replace(is_here=False, is_same=False))
    versions = {"ocs/3.0/9-x": (new, old), "ocs/4.3/faq": faq}
    project.result = replace(BUILT, pages=(*BUILT.pages, page), versions=lambda path: versions.get(path, ()))
    config = project.build()
    html = project.page("ocs/3.0/9-x")
    assert f'<link rel="canonical" href="{config.site_url}ocs/4.3/9%20x/">' in html
    selector = html[html.index('<details class="md-version"') : html.index("</details>")]
    assert 'href="../../4.3/9%20x/" data-moves="9.0 9.1=#9.2">4.3 &amp; up <small>newest</small>' in selector
    assert 'aria-current="page">3.0</a>' in selector
    banner = " ".join(html[html.index("rw-edition") :].split())
    assert "This is edition 3.0; the newest is 4.3 &amp; up." in banner
    assert "<small>without this page</small>" in project.page("ocs/4.3/faq")
    assert 'class="md-version"' not in project.page()
