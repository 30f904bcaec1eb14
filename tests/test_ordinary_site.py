"""Books in an ordinary site: a navigation of its own, and references on pages at every depth."""

import re
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import pytest

from rulewright.app import new_game
from rulewright.app.mkdocs_runner import build_site
from tests.commands.duel import write

SALT = new_game.project_files("Salt", "salt", new_game.USUAL)
SETTINGS = "site_name: Club\ndocs_dir: content\nplugins: [rulewright]\n"
MARKS = "salt/1:1.1", "salt:2.1|why", "salt/1:Combat Table", "salt/1:Movement Phase"
PAGE = f"# Page\n\n{' '.join(f'[[{one}]]' for one in MARKS)}\n"


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
def test_a_book_shows_its_own_contents_whatever_nav_says(nav: str, tmp_path: Path) -> None:
    own = {"content/index.md": "# Club\n", "content/blog.md": "# Blog\n", "content/salt/1/faq.md": "# FAQ\n"}
    plain, listed = (
        build_site(
            write(tmp_path / name, {**SALT, **own, "mkdocs.yml": f"{SETTINGS}{more}"}), prints=False
        ).site
        for name, more in (("plain", ""), ("listed", f"nav: {nav}\n"))
    )
    for path in ("sequence", "play", "1-movement", "2-combat", "tables", "numbers", "all"):
        own_nav, ours = (
            re.findall(r'<nav class="(?:rw-nav|on)".*?</nav>', html_of(site, f"salt/1/{path}"), re.DOTALL)
            for site in (listed, plain)
        )
        assert own_nav == ours, path
    assert ">Blog</a>" in html_of(listed, "blog")


def test_links_of_pages_at_every_depth_lead_to_what_they_name(tmp_path: Path) -> None:
    """Relative links work below a path too, as in a version that mike deploys."""
    names = ("index.md", "notes.md", "club/index.md", "club/old/README.md", "salt/about.md", "salt/1/faq.md")
    pages = {f"content/{name}": PAGE for name in names}
    made = build_site(write(tmp_path, {**SALT, **pages, "mkdocs.yml": SETTINGS}), strict=True, prints=False)
    assert not made.fault
    for name in names:
        path = re.sub(r"(^|/)(index|README)$", "", name.removesuffix(".md"))
        found = re.findall(r'<a class="ref[^"]*"[^>]* href="([^"]*)"', html_of(made.site, path))
        assert len(found) == 4
        for href in found:
            assert not urlsplit(href).netloc
            to = urlsplit(urljoin(f"https://x/v/1/{path}/" if path else "https://x/v/1/", href))
            assert to.path.startswith("/v/1/salt/1/"), (name, href)
            assert f'id="{unquote(to.fragment)}"' in html_of(made.site, to.path.removeprefix("/v/1/"))


def test_a_site_on_github_pages_has_its_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The workflow of a new project passes the address, and the check reports a project without one."""
    project = write(tmp_path, SALT)
    assert "SITE_URL:" in SALT[".github/workflows/rules.yml"]
    monkeypatch.setenv("SITE_URL", "https://name.github.io/salt")
    made = build_site(project, prints=False)
    assert 'href="/salt/assets/rulewright.css"' in (made.site / "404.html").read_text("utf-8")
    assert not made.artifacts.problems
    settings = re.sub("site_url.*", "", SALT["mkdocs.yml"])
    (project / "mkdocs.yml").write_text(settings, "utf-8")
    assert [one.code for one in build_site(project, prints=False).artifacts.problems] == ["no-site-address"]
