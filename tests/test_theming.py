"""The settings that come with the plugin: naming it is enough, and what mkdocs.yml says wins."""

import re
from pathlib import Path

import pytest

from rulewright.app.mkdocs_runner import BuildOutcome, build_site
from rulewright.files.errors import UserError
from tests.commands.duel import BOOK, write

BARE = "site_name: Duel\nplugins: [rulewright]\n"
FOREIGN = re.compile(r"""<(?:script|link|img|iframe)\b[^>]*\b(?:src|href)=["']?(?:https?:)?//""")


def made(folder: Path, settings: str, **files: str) -> BuildOutcome:
    return build_site(write(folder / "project", {**BOOK, "mkdocs.yml": settings, **files}), prints=False)


def page(site: BuildOutcome, name: str = "duel/1/1-swords") -> str:
    return (site.site / name / "index.html").read_text("utf-8")


def test_naming_the_plugin_is_enough(tmp_path: Path) -> None:
    site = made(tmp_path, BARE)
    assert not site.fault
    html = page(site)
    assert not FOREIGN.search(html)
    assert len(re.findall(r"<input[^>]*data-md-color-media", html)) == 3
    assert "assets/rulewright.css" in html
    assert 'id="jump"' in html
    assert (site.site / "duel/1/find.js").is_file()


@pytest.mark.parametrize(
    "settings",
    [
        "theme: material\n",
        "theme: {name: material}\n",
        "theme: {language: en}\n",
        "docs_dir: content\n",
        "markdown_extensions: [tables]\n",
    ],
)
def test_settings_that_say_nothing_else_change_nothing(tmp_path: Path, settings: str) -> None:
    if "language" in settings:  # which MkDocs takes for a theme without a name
        with pytest.raises(UserError, match="theme"):
            made(tmp_path, BARE + settings)
        return
    assert page(made(tmp_path, BARE + settings)) == page(made(tmp_path / "bare", BARE))


def test_what_is_set_wins(tmp_path: Path) -> None:
    html = page(
        made(
            tmp_path,
            BARE
            + "theme: {name: material, palette: {primary: red}, features: [toc.follow], custom_dir: own}\n"
            "markdown_extensions: [{toc: {permalink: '#'}}]\n",
            **{
                "own/main.html": "{% extends 'material/main.html' %}\n",
                "content/notes.md": "# Notes\n\nSo.\n",
            },
        )
    )
    assert 'data-md-color-primary="red"' in html
    assert "data-md-color-media" not in html
    assert "navigation.footer" not in html


@pytest.mark.parametrize("search", ["search", "material/search", "material/search: {lang: de}"])
def test_another_search_makes_room(tmp_path: Path, search: str) -> None:
    site = made(tmp_path, f"site_name: Duel\nplugins:\n  - {search}\n  - rulewright\n")
    assert page(site) == page(made(tmp_path / "bare", BARE))
    assert not [*site.site.rglob("search_index.json"), *site.site.rglob("workers")]


def test_another_theme_is_told_with_the_cure(tmp_path: Path) -> None:
    site = made(tmp_path, BARE + "theme: readthedocs\n")
    assert site.fault == (
        "theme: readthedocs is not supported; delete the theme from mkdocs.yml, or name material"
    )
    assert not site.site.exists()
