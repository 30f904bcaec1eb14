"""MkDocs, and ProperDocs, its maintained fork: both make the same site, and the page about them is true."""

import os
import re
import subprocess
import sys
from pathlib import Path

import material
from mkdocs.config import load_config

import run
from rulewright.app import new_game
from tests.commands.duel import write
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


def test_the_blog_of_material_stands_beside_the_books(tmp_path: Path) -> None:
    settings = "site_name: Salt\ntheme: material\ndocs_dir: content\nplugins: [rulewright, blog, search]\n"
    post = (
        "---\ndate: 2024-02-0{0}\ncategories: [News]\n---\n# Post {0}\n\nOf salt/1:1.{0}.\n\n<!-- more -->\n"
    )
    made = new_game.files("Salt", "salt", new_game.USUAL)
    posts = {
        f"content/blog/posts/{at}.md": post.format(at).replace("salt/1:", "[[salt/1:1.1]], ") for at in (1, 2)
    }
    write(tmp_path, {**made, **posts, "content/blog/index.md": "# News\n", "mkdocs.yml": settings})
    words = [
        sys.executable,
        "-P",
        "-m",
        "mkdocs",
        "build",
        "-q",
        "--strict",
        "-f",
        str(tmp_path / "mkdocs.yml"),
    ]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    post_page = (tmp_path / "site/blog/2024/02/01/post-1/index.html").read_text("utf-8")
    assert 'href="../../../../../salt/1/1-movement/#1.1"' in post_page
    listed = (tmp_path / "site/blog/index.html").read_text("utf-8")
    assert "Post 1" in listed
    assert "salt/1/1-movement/#1.1" not in listed  # the words alone: a link would lead from there elsewhere


def test_settings_that_are_asked_for_alone_name_the_folder_of_the_site(tmp_path: Path) -> None:
    """As mike does, which then takes the finished site from there."""
    write(tmp_path, {"mkdocs.yml": "site_name: Salt\nplugins: [rulewright]\n", "content/a.md": "# A\n"})
    config = load_config(str(tmp_path / "mkdocs.yml"), docs_dir=str(tmp_path / "content"))
    config.plugins.on_startup(command="mike", dirty=False)
    config = config.plugins.on_config(config)
    config.plugins.on_shutdown()
    assert config.site_dir == str(tmp_path / "site")
    assert sorted(one.name for one in tmp_path.iterdir()) == ["content", "mkdocs.yml"]


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
