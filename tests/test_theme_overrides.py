"""A site with its own main.html: whatever block of Material it overrides, our styles and scripts work."""

from pathlib import Path

from playwright.sync_api import Browser
from web import reader, served

from rulewright.app.mkdocs_runner import build_site
from tests.commands.duel import BOOK, write

BLOCKS = (
    "analytics announce config container content extrahead fonts footer header hero htmltitle libs outdated "
    "scripts site_meta site_nav styles tabs"
)
"""The blocks in Material's documentation."""

OWN = {"config", "container", "header", "scripts"}
"""Blocks without which Material's own script fails or a page has no text: here they are only extended."""

SETTINGS = "site_name: Duel\ntheme: {name: material, custom_dir: overrides}\nplugins: [rulewright]\n"
FRONT = ["assets/door.css", "assets/door.js"]
FOUND = {
    "": FRONT,
    "duel/1/": [*FRONT, "look.css"],
    "duel/1/1-swords/": ["look.css"],
    "404.html": [],
}
LINKED = ("rulewright.css", "manifest", "icon-192.png", "Latin1.woff2", "rulewright.js")


def test_blocks_of_the_site_leave_our_styles_and_scripts(browser: Browser, tmp_path: Path) -> None:
    blocks = (
        f"{{% block {one} %}}{'{{ super() }}' if one in OWN else ''}{{% endblock %}}"
        for one in BLOCKS.split()
    )
    own = {"mkdocs.yml": SETTINGS, "overrides/main.html": f'{{% extends "base.html" %}}{"".join(blocks)}'}
    site = build_site(write(tmp_path, {**BOOK, **own}), prints=False)
    assert not site.fault
    with served(site.site) as address, reader(browser, address) as context:
        page = context.new_page()
        for name in ("", "duel/1/", "duel/1/1-swords/", "404.html"):
            html = (site.site / name / ("" if "." in name else "index.html")).read_text("utf-8")
            assert all(link in html for link in LINKED), name
            assert [one for one in ("assets/door.css", "assets/door.js", "look.css") if one in html] == FOUND[
                name
            ]
            page.goto(f"{address}/{name}", wait_until="networkidle")


def test_a_palette_of_the_site_is_that_of_all_pages_outside_of_books(
    browser: Browser, tmp_path: Path
) -> None:
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
