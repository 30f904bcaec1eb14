"""MkDocs, and ProperDocs, its maintained fork: both make the same site, and the page about them is true."""

import os
import re
import subprocess
import sys
from pathlib import Path

import material

import run
from tests.projects import files

PAGE = (run.ROOT / "content/docs/engine.md").read_text("utf-8")
LISTED = re.findall(r"^\| `([\w./-]+)`", PAGE, re.MULTILINE)
NAMED = re.compile(rb'<meta name="generator" content="[^"]*">')


def built(engine: str, project: Path, site: Path) -> dict[str, bytes]:
    """The files of a site that an engine has made, without what names the engine."""
    words = [sys.executable, "-P", "-m", engine, "build", "-q", "--strict", "-f", str(project / "mkdocs.yml")]
    machine = {**os.environ, "SOURCE_DATE_EPOCH": "1700000000", "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run([*words, "-d", str(site)], env=machine, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    made = files(site)
    named = NAMED.search(made["index.html"])
    assert (b"ProperDocs" in named[0]) is (engine == "properdocs")
    del made["sw.js"]  # which has a digest of each page
    return {path: NAMED.sub(b"", data) for path, data in made.items()}


def test_both_make_the_same_site(tmp_path: Path) -> None:
    settings = "site_name: Salt\nsite_url: https://salt.example/\ntheme: material\nplugins: [rulewright]\n"
    (tmp_path / "mkdocs.yml").write_text(f"{settings}docs_dir: content\n")
    os.symlink(run.ROOT / "tests/sixth/content", tmp_path / "content")
    one, other = (built(engine, tmp_path, tmp_path / engine) for engine in ("mkdocs", "properdocs"))
    assert len(one) > 50
    assert one.keys() == other.keys()
    assert [path for path in one if one[path] != other[path]] == []


def test_the_page_lists_what_imports_the_engine() -> None:
    imports = re.compile(r"^\s*(?:from|import) (?:mkdocs|material)\b", re.MULTILINE)
    package = run.ROOT / "generator/rulewright"
    found = {
        file.relative_to(package).as_posix()
        for file in package.rglob("*.py")
        if imports.search(file.read_text("utf-8"))
    }
    assert found == {name for name in LISTED if name.endswith(".py")}


def test_the_page_lists_the_templates_of_material_that_are_replaced() -> None:
    theirs = Path(material.__path__[0]) / "templates"
    ours = run.ROOT / "templates/theme"
    names = {file.relative_to(ours).as_posix() for file in ours.rglob("*.html")}
    assert {name for name in names if (theirs / name).is_file()} == {
        name for name in LISTED if name.endswith(".html")
    }
    wraps = {name for name in names if f'"material/{name}"' in (ours / name).read_text("utf-8")}
    assert wraps | {"main.html"} == set(re.findall(r"^\| `([\w./-]+)` \+", PAGE, re.MULTILINE))
