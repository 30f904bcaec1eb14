"""The look of a site and of a book: settings of the theme, overrides, style sheets, minified assets."""

import re
from pathlib import Path

import pytest
from web import reader, served

from rulewright.app.build_pipeline import build
from rulewright.app.mkdocs_plugin.bundle import strip_comments
from rulewright.app.mkdocs_runner import BuildOutcome, build_site
from tests.commands.duel import BOOK, write

BARE = "site_name: Duel\nplugins: [rulewright]\n"
FOREIGN = re.compile(r"""<(?:script|link|img|iframe)\b[^>]*\b(?:src|href)=["']?(?:https?:)?//""")


def site_of(folder: Path, settings: str, **files: str) -> BuildOutcome:
    return build_site(write(folder / "project", {**BOOK, "mkdocs.yml": settings, **files}), prints=False)


def html_of(site: BuildOutcome, name: str = "duel/1/1-swords") -> str:
    return (site.site / name / "index.html").read_text("utf-8")


def test_naming_the_plugin_is_enough(tmp_path):
    site = site_of(tmp_path, BARE)
    assert not site.fault
    html = html_of(site)
    assert not FOREIGN.search(html)
    assert len(re.findall(r"<input[^>]*data-md-color-media", html)) == 3
    assert "assets/rulewright.css" in html
    assert 'id="jump"' in html
    assert (site.site / "duel/1/find.js").is_file()


def test_what_is_set_wins(tmp_path):
    theme = "theme: {name: material, palette: {primary: red}, features: [toc.follow], custom_dir: own}\n"
    own = {"own/main.html": "{% extends 'material/main.html' %}\n"}
    html = html_of(site_of(tmp_path, BARE + theme, **own))
    assert 'data-md-color-primary="red"' in html
    assert "data-md-color-media" not in html
    assert "navigation.footer" not in html


@pytest.mark.parametrize("search", ["search", "material/search: {lang: de}"])
def test_another_search_makes_room(tmp_path, search):
    site = site_of(tmp_path, f"site_name: Duel\nplugins:\n  - {search}\n  - rulewright\n")
    assert html_of(site) == html_of(site_of(tmp_path / "bare", BARE))
    assert not [*site.site.rglob("search_index.json"), *site.site.rglob("workers")]


def test_another_theme_is_reported_with_the_cure(tmp_path):
    site = site_of(tmp_path, BARE + "theme: readthedocs\n")
    assert site.fault == (
        "theme: readthedocs is not supported; delete the theme from mkdocs.yml, or name material"
    )
    assert not site.site.exists()


def test_what_is_sent_has_no_comments_and_all_else():
    style = "/* All\n   of it. */\n.a { color: red }\n  /* this */ .b { content: '/* not */' }\n"
    script = "/** Twice. */\nfunction twice(a) {\n  // because\n  return a / 2 // not\n    / 2;\n}\n"
    assert strip_comments((style,)) == ".a { color: red }\n.b { content: '/* not */' }\n"
    assert strip_comments((script,)) == "function twice(a) {\nreturn a / 2 // not\n/ 2;\n}\n"
    assert strip_comments((script, style)) == strip_comments((script,)) + strip_comments((style,))


LOOK = 'look:\n  colour: "#ffcc00"\n  accent: "#7a3b00"\n  logo: crane.svg\n  font: fonts/light house.woff2\n'
RULEBOOK = "content/duel/rulebook.yml"
FILES = {
    **BOOK,
    RULEBOOK: BOOK[RULEBOOK] + LOOK,
    "content/duel/crane.svg": "<svg/>",
    "content/duel/fonts/light house.woff2": "wOF2",
}


def test_a_look_becomes_a_style_sheet_beside_the_book(tmp_path):
    result = build(write(tmp_path, FILES))
    assert result.book_styles["duel"].style == "duel/look.css"
    assert result.book_styles["duel"].logo == "duel/crane.svg"
    style = result.files["duel/look.css"]
    assert "--md-primary-fg-color: #ffcc00" in style
    assert "--md-primary-bg-color: #000000" in style
    assert "--rw-accent: #7a3b00" in style
    assert 'url("fonts/light%20house.woff2") format("woff2")' in style


def test_a_reader_sees_which_book_it_is_by_its_bar(browser, address):
    """Each of our books has a colour of its own above its pages, the first page has the site's."""
    page = browser.new_page(service_workers="block")
    seen = {}
    for book in ("ocs/4.3/", "ocs/3.0/", "asl/a3/", ""):
        page.goto(f"{address}/{book}")
        seen[book] = page.locator(".md-header").evaluate("e => getComputedStyle(e).backgroundColor")
    page.context.close()
    assert seen["ocs/4.3/"] == seen["ocs/3.0/"] == "rgb(91, 58, 30)"
    assert len({seen["ocs/4.3/"], seen["asl/a3/"], seen[""]}) == 3


BLOCKS = (
    "analytics announce config container content extrahead fonts footer header hero htmltitle libs outdated "
    "scripts site_meta site_nav styles tabs"
)
"""The blocks in Material's documentation."""

OWN = {"config", "container", "header", "scripts"}
"""Blocks without which Material's own script fails or a page has no text: here they are only extended."""

OVERRIDDEN = "site_name: Duel\ntheme: {name: material, custom_dir: overrides}\nplugins: [rulewright]\n"
FRONT = ["assets/door.css", "assets/door.js"]
LINKED_FILES = {"": FRONT, "duel/1/": [*FRONT, "look.css"], "duel/1/1-swords/": ["look.css"], "404.html": []}
LINKED = ("rulewright.css", "manifest", "icon-192.png", "Latin1.woff2", "rulewright.js")


def test_blocks_of_the_site_leave_our_styles_and_scripts(browser, tmp_path):
    blocks = (
        f"{{% block {one} %}}{'{{ super() }}' if one in OWN else ''}{{% endblock %}}"
        for one in BLOCKS.split()
    )
    own = {"mkdocs.yml": OVERRIDDEN, "overrides/main.html": f'{{% extends "base.html" %}}{"".join(blocks)}'}
    site = build_site(write(tmp_path, {**BOOK, **own}), prints=False)
    assert not site.fault
    with served(site.site) as address, reader(browser, address) as context:
        page = context.new_page()
        for name in ("", "duel/1/", "duel/1/1-swords/", "404.html"):
            html = (site.site / name / ("" if "." in name else "index.html")).read_text("utf-8")
            assert all(link in html for link in LINKED), name
            linked = [one for one in ("assets/door.css", "assets/door.js", "look.css") if one in html]
            assert linked == LINKED_FILES[name]
            page.goto(f"{address}/{name}", wait_until="networkidle")


def test_a_palette_of_the_site_is_that_of_all_pages_outside_of_books(browser, tmp_path):
    settings = "site_name: Duel\ntheme: {name: material, palette: {primary: teal}}\nplugins: [rulewright]\n"
    site = build_site(write(tmp_path, {**BOOK, "mkdocs.yml": settings}), prints=False)
    with served(site.site) as address, reader(browser, address) as context:
        page = context.new_page()
        bars = []
        for name in ("", "duel/1/1-swords/"):
            page.goto(f"{address}/{name}")
            bars.append(
                page.evaluate("getComputedStyle(document.querySelector('.md-header')).backgroundColor")
            )
    assert bars[0] == "rgb(0, 148, 133)" != bars[1]
