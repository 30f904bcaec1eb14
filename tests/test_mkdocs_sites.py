"""Books inside of an ordinary site of MkDocs: its folders, and the plugins that such sites use."""

import os
import re
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urljoin, urlsplit

import pytest

from rulewright.app import new_game
from rulewright.app.cli import main
from rulewright.app.mkdocs_runner import build_site
from tests.commands.duel import write
from tests.projects import files

INSTALLED = {one.name for one in entry_points(group="mkdocs.plugins")}
SETTINGS = "site_name: Club\nsite_url: https://club.example/\ntheme: material\n"
BOOKS = {
    name.removeprefix("content/"): text
    for name, text in new_game.project_files("Salt", "salt").items()
    if name.startswith("content/")
}
PAGES = {"index.md": "# The club\n\nWelcome.\n", "notes.md": "# Notes\n\nOf [[salt/1:1.1]] more.\n"}
RULE = 'href="../salt/1/1-movement/#1.1"'
CHAPTER = "salt/1/1-movement/index.html"


class Site(NamedTuple):
    """`plugins`: those in mkdocs.yml; `pages`: beside PAGES; `shown`: words of pages of the site."""

    plugins: str
    pages: dict[str, str]
    shown: dict[str, str]


TABS = '# Notes\n\n=== "One"\n\n    Of [[salt/1:1.1]].\n\n=== "Two"\n\n    More.\n'
NAV = "nav:\n  - index.md\n  - Words: notes.md\n  - Salt: salt\n"
POST = "---\ndate: 2024-02-01\n---\n# First\n\nOf [[salt/1:1.1]].\n"
MAPS = "{redirect_maps: {old.md: notes.md, older.md: salt/1/1-movement.md}}"
SITES = {
    "search": Site("plugins: [search, rulewright]\n", {}, {"notes/index.html": RULE}),
    "macros": Site(
        "plugins: [rulewright, macros]\nextra: {units: seven}\n",
        {"notes.md": "# Notes\n\n{{ units }} units, [[salt/1:1.1]].\n"},
        {"notes/index.html": "seven units, <a", CHAPTER: 'id="1.1"'},
    ),
    "redirects": Site(
        f"plugins:\n  - redirects: {MAPS}\n  - rulewright\n",
        {},
        {"old/index.html": "url=../notes/", "older/index.html": "url=../salt/1/1-movement/"},
    ),
    "git-revision-date-localized": Site(
        "plugins: [rulewright, git-revision-date-localized]\n",
        {},
        {"notes/index.html": "January 2, 2020", CHAPTER: "January 2, 2020"},
    ),
    "awesome-nav": Site(
        "plugins: [awesome-nav, rulewright]\n",
        {".nav.yml": NAV},
        {
            "index.html": '<a href="notes/">Words</a>',
            CHAPTER: '<a href="../1-movement/" aria-current="page">',
        },
    ),
    "minify": Site(
        "plugins:\n  - minify: {minify_html: true, minify_js: true, minify_css: true}\n  - rulewright\n",
        {},
        {"notes/index.html": "salt/1/1-movement/#1.1", CHAPTER: "1.1"},
    ),
    "material/tags": Site(
        "plugins: [rulewright, tags]\n",
        {
            "notes.md": f"---\ntags: [Odds]\n---\n{PAGES['notes.md']}",
            "tags.md": "# Tags\n\n<!-- material/tags -->\n",
        },
        {"tags/index.html": 'href="../notes/"', "notes/index.html": "tag:odds"},
    ),
    "material/offline": Site("plugins: [rulewright, search, offline]\n", {}, {"notes/index.html": RULE}),
    "material/privacy": Site(
        # Material's own script names one that draws diagrams, which no page of ours asks for.
        'plugins:\n  - privacy: {assets_exclude: ["unpkg.com/*"]}\n  - rulewright\n',
        {},
        {"notes/index.html": RULE, CHAPTER: 'id="1.1"'},
    ),
    "material/blog": Site(
        "plugins: [rulewright, blog]\n",
        {"blog/index.md": "# News\n", "blog/posts/a.md": POST},
        {
            "blog/2024/02/01/first/index.html": 'href="../../../../../salt/1/1-movement/#1.1"',
            "blog/index.html": "First",
        },
    ),
    "tabs": Site(
        "plugins: [rulewright]\nmarkdown_extensions:\n  - pymdownx.tabbed: {alternate_style: true}\n",
        {"notes.md": TABS},
        {"notes/index.html": '<input checked="checked" id="__tabbed_1_1" name="__tabbed_1" type="radio">'},
    ),
    "a navigation": Site(
        "plugins: [rulewright]\nnav:\n  - Club: index.md\n  - Moving: salt/1/1-movement.md\n  - notes.md\n",
        {"notes.md": "# Notes\n\n[How units move](salt/1/1-movement.md#1.1)\n"},
        {"notes/index.html": RULE, "index.html": '<a href="salt/1/1-movement/">Moving</a>'},
    ),
}


def ran(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    machine = {
        **os.environ,
        **{
            f"GIT_{who}_{what}": "a@b.example"
            for who in ("AUTHOR", "COMMITTER")
            for what in ("NAME", "EMAIL")
        },
        **{f"GIT_{who}_DATE": "2020-01-02T12:00:00Z" for who in ("AUTHOR", "COMMITTER")},
        # Whatever asks the network is refused at once, which is a warning.
        **dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"), "http://127.0.0.1:9"),
        "NO_MKDOCS_2_WARNING": "1",
        "DISABLE_MKDOCS_2_WARNING": "true",
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    }
    return subprocess.run(words, cwd=folder, env=machine, capture_output=True, text=True)


def python(folder: Path, *words: str) -> None:
    done = ran(folder, sys.executable, "-P", "-m", *words)
    assert done.returncode == 0, done.stdout + done.stderr


def built(folder: Path) -> dict[str, bytes]:
    """The files of the site that an engine makes, and that the check has passed."""
    python(folder, "rulewright", "check")
    python(folder, "mkdocs", "build", "-q", "--strict")
    return files(next(folder / name for name in ("out/html", "site") if (folder / name).is_dir()))


QUICK = ("search", "redirects", "a navigation", "tabs")
"""A plugin that we take out, one with pages of its own, settings of MkDocs, Markdown of others."""


@pytest.mark.parametrize(
    "name", [pytest.param(one, marks=[] if one in QUICK else [pytest.mark.thorough]) for one in SITES]
)
def test_plugins_and_settings_of_others(name, tmp_path):
    """The books lie among the pages, in `docs`, where MkDocs looks for them."""
    site = SITES[name]
    if re.search(r"^(macros|awesome-nav|redirects|minify|git-.*|.*/.*)$", name) and name not in INSTALLED:
        pytest.skip(f"the plugin {name} is not installed; there is no wheel of all that it needs")
    pages = {f"docs/{path}": text for path, text in {**PAGES, **BOOKS, **site.pages}.items()}
    write(tmp_path, {**pages, "mkdocs.yml": f"{SETTINGS}{site.plugins}"})
    if "git-" in name:
        for words in ("init -q", "add -A", "commit -qm first"):
            assert ran(tmp_path, "git", *words.split()).returncode == 0
    result = built(tmp_path)
    for path, words in site.shown.items():
        assert words in result[path].decode(), path
    assert {CHAPTER, "salt/1/aids/player-aid.pdf", "salt/1/find.js", "sitemap.xml"} <= result.keys()
    assert not [path for path in result if path.endswith(".yml")]
    outside = re.compile(rb'(?:src|href)="(?:https?:)?//(?!club\.example|squidfunk\.github\.io)[^"]*"')
    assert not [m[0] for data in result.values() for m in outside.finditer(data)]
    where = b"https://club.example/salt/1/1-movement/"
    assert where in result["sitemap.xml"]


@pytest.mark.thorough
@pytest.mark.skipif("mike" not in INSTALLED, reason="mike is not installed")
def test_a_version_that_mike_deploys_is_complete(tmp_path):
    pages = {f"docs/{path}": text for path, text in {**PAGES, **BOOKS}.items()}
    write(tmp_path, {**pages, "mkdocs.yml": f"{SETTINGS}plugins: [rulewright]\n", ".gitignore": "site/\n"})
    for words in ("init -q", "add -A", "commit -qm first"):
        assert ran(tmp_path, "git", *words.split()).returncode == 0
    done = ran(tmp_path, "mike", "deploy", "1.0", "latest")
    assert done.returncode == 0, done.stderr
    listed = ran(tmp_path, "git", "ls-tree", "-r", "--name-only", "gh-pages").stdout.splitlines()
    result = built(tmp_path)
    assert {path.removeprefix("1.0/") for path in listed if path.startswith("1.0/")} == result.keys()
    page = ran(tmp_path, "git", "show", f"gh-pages:1.0/{CHAPTER}").stdout
    assert 'href="https://club.example/1.0/salt/1/1-movement/"' in page


LAYOUTS = {
    "named": ("docs_dir: pages\n", "pages", "pages", "plugins: [rulewright]\n"),
    "beside, as usual": ("", "docs", "content", "plugins: [rulewright]\n"),
    "beside": ("", "docs", "books", "plugins:\n  - rulewright: {content_dir: books}\n"),
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_books_lie_where_the_settings_say(name, tmp_path, capsys):
    docs_dir, docs, content, plugins = LAYOUTS[name]
    pages = {f"{docs}/{path}": text for path, text in PAGES.items()}
    books = {f"{content}/{path}": text for path, text in BOOKS.items()}
    rules = f"{content}/salt/1/rules/1-movement.yml"
    beside = {f"{content}/salt/1/faq.md": "# FAQ\n\nOf 1.1 ![A map](../map.svg)\n"}
    drawn = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9"/></svg>'
    settings = (
        f"{SETTINGS}repo_url: https://git.example/club\nedit_uri: edit/main/{docs}/\n{docs_dir}{plugins}"
    )
    write(tmp_path, {**pages, **books, **beside, f"{content}/salt/map.svg": drawn, "mkdocs.yml": settings})
    result = built(tmp_path)
    assert b'href="../1-movement/#1.1"' in result["salt/1/faq/index.html"]
    assert (RULE.encode() in result["notes/index.html"]) is (docs == content)
    assert "salt/map.svg" in result
    assert not [path for path in result if path.endswith((".yml", ".lock"))]
    assert f"https://git.example/club/edit/main/{rules}#L".encode() in result[CHAPTER]
    assert (
        f"https://git.example/club/edit/main/{content}/salt/1/faq.md".encode()
        in result["salt/1/faq/index.html"]
    )
    project = ["--project", str(tmp_path)]
    assert main(["build", *project, "--strict"]) == 0
    capsys.readouterr()
    assert main(["insert", "salt/1", "1.2", *project]) == 0
    chapter = tmp_path / rules
    assert '"1.3 Terrain"' in chapter.read_text("utf-8")
    chapter.write_text(chapter.read_text("utf-8").replace("title: Movement", "titel: Movement"), "utf-8")
    capsys.readouterr()
    assert main(["check", *project]) == 1
    assert capsys.readouterr().out.startswith(f"{rules}:")


SALT = new_game.project_files("Salt", "salt")
PLAIN = "site_name: Club\ndocs_dir: content\nplugins: [rulewright]\n"
MARKS = "salt/1:1.1", "salt:2.1|why", "salt/1:Combat Table", "salt/1:Movement Phase"
MARKED_PAGE = f"# Page\n\n{' '.join(f'[[{one}]]' for one in MARKS)}\n"


def html_of(site: Path, path: str) -> str:
    return (site / path / "index.html").read_text("utf-8")


@pytest.mark.parametrize(
    "nav",
    [
        "[Home: index.md, Blog: blog.md]",
        "[index.md, Rules: [salt/1/2-combat.md, blog.md], salt/1/1-movement.md]",
        "[index.md, blog.md, Salt: [salt/1.md, salt/1/2-combat.md]]",
    ],
)
def test_a_book_shows_its_own_contents_whatever_nav_says(nav, tmp_path):
    own = {"content/index.md": "# Club\n", "content/blog.md": "# Blog\n", "content/salt/1/faq.md": "# FAQ\n"}
    plain, listed = (
        build_site(write(tmp_path / name, {**SALT, **own, "mkdocs.yml": f"{PLAIN}{more}"}), prints=False).site
        for name, more in (("plain", ""), ("listed", f"nav: {nav}\n"))
    )
    for path in ("sequence", "play", "1-movement", "2-combat", "tables", "numbers", "all"):
        own_nav, ours = (
            re.findall(r'<nav class="(?:rw-nav|on)".*?</nav>', html_of(site, f"salt/1/{path}"), re.DOTALL)
            for site in (listed, plain)
        )
        assert own_nav == ours, path
    assert ">Blog</a>" in html_of(listed, "blog")


def test_links_of_pages_at_every_depth_lead_to_what_they_name(tmp_path):
    """Relative links work below a path too, as in a version that mike deploys."""
    names = ("index.md", "notes.md", "club/index.md", "club/old/README.md", "salt/about.md", "salt/1/faq.md")
    pages = {f"content/{name}": MARKED_PAGE for name in names}
    result = build_site(write(tmp_path, {**SALT, **pages, "mkdocs.yml": PLAIN}), strict=True, prints=False)
    assert not result.fault
    for name in names:
        path = re.sub(r"(^|/)(index|README)$", "", name.removesuffix(".md"))
        found = re.findall(r'<a class="ref[^"]*"[^>]* href="([^"]*)"', html_of(result.site, path))
        assert len(found) == 4
        for href in found:
            assert not urlsplit(href).netloc
            to = urlsplit(urljoin(f"https://x/v/1/{path}/" if path else "https://x/v/1/", href))
            assert to.path.startswith("/v/1/salt/1/"), (name, href)
            assert f'id="{unquote(to.fragment)}"' in html_of(result.site, to.path.removeprefix("/v/1/"))


def test_a_site_on_github_pages_has_its_address(tmp_path, monkeypatch):
    """The workflow of a new project passes the address, and the check reports a project without one."""
    project = write(tmp_path, SALT)
    assert "SITE_URL:" in SALT[".github/workflows/rules.yml"]
    monkeypatch.setenv("SITE_URL", "https://name.github.io/salt")
    result = build_site(project, prints=False)
    assert 'href="/salt/assets/rulewright.css"' in (result.site / "404.html").read_text("utf-8")
    assert not result.artifacts.problems
    settings = re.sub("site_url.*", "", SALT["mkdocs.yml"])
    (project / "mkdocs.yml").write_text(settings, "utf-8")
    assert [one.code for one in build_site(project, prints=False).artifacts.problems] == ["no-site-address"]
