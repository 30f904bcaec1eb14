"""What `build --strict` refuses, it refuses with file and line; MkDocs names mkdocs.yml for its own."""

import shutil
from pathlib import Path

import pytest

from rulewright.app.mkdocs_runner import build_site
from rulewright.files.errors import UserError
from tests.projects import new_project

SETTINGS = "site_name: B\nplugins: [rulewright]\n"
SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{}</svg>'
CHAPTER = 'chapter: "3.0"\ntitle: X\n"3.1 A": |\n  {}\n'
REDIRECT = "redirects:\n  - {{from: {}, to: {}}}\n"

ACCEPTED_PAGES = (
    "[a](base/1/1-movement.md#1.1) [b](/) [c](base/1/tables/combat.csv) [d](my%20notes.md)",
    "See [[base/1:1.1]].",
    "## Ход войск\n\n[a](#ход-войск)",
    "```\n<script>\n<<<<<<< HEAD\n```",
    "---\nicon: material/sword\nhide: [toc]\n---\n# A",
    "![a](own.svg) <img src='../own.svg' alt=''>",
    "<!-- [a](gone.md) --> `[a](gone.md)` [b](mailto:a@b.example)",
    "# A {: #own }\r\n\r\n[a](#own)\r\n",
    "\ufeff---\ntitle: A\n---\n# A",
    "---\ndate: 2020-13-45\ntitle: 5\n---\n# A",
)
REFUSED_PAGES = {
    "[a](gone.md)": "1:5",
    "[a](#nowhere)": "1:6",
    "![a](pictures/none.png)": "1:6",
    "See [[base/1:9.9]].": "1:14",
    "A\n\n<script>x</script>": "3:1",
    "![a](https://example.org/a.png)": "1:6",
    "<<<<<<< HEAD\nA.": "1:1",
    "---\nicon: material/nope\n---\n# A": "2:7",
    "---\ntemplate: nope.html\n---\n# A": "2:11",
    "---\na: [\n---\n# A": "3:1",
    "A \x00 sign": "1:3",
    "[a][b]\n\n[b]: gone.md": "3:6",
    "A[^1]\n\n[^1]: [a](gone.md)": "3:11",
    "[x](base/1/references.lock)": "1:5",
    "---\ntitle: A\ntitle: B\n---\n# A": "3:1",
}
REFUSED_FILES = (
    ("tips/index.md:1:1", {"tips.md": "# T", "tips/index.md": "# U"}),
    ("base/1/sequence.md:1:1", {"base/1/sequence.md": "# T"}),
    ("base/1/tables/combat.csv:1:1", {"base/1/tables/combat.csv": "x"}),
    ("base/1/all:1:1", {"base/1/all": "x"}),
    ("tips.md:1:1", {"Tips.md": "# T", "tips.md": "# U"}),
    ("own.svg:1:64", {"own.svg": SVG.format("<g>")}),
    ("own.png:1:1", {"own.png": "x"}),
    ("page.html:1:1", {"page.html": "<p>"}),
    ("a?.md:1:1", {"a?.md": "# A"}),
    ("A.MD:1:1", {"A.MD": "# A"}),
    ("base/1/redirects.yml:2:12", {"base/1/redirects.yml": REDIRECT.format("/robots.txt", '"1.1"')}),
    ("base/1/redirects.yml:2:23", {"base/1/redirects.yml": REDIRECT.format("/old/", '"9.9"')}),
    ("base/1/rules/3-x.yml:4:7", {"base/1/rules/3-x.yml": CHAPTER.format("See 9.9.")}),
    ("base/1/rules/3-x.yml:4:5", {"base/1/rules/3-x.yml": CHAPTER.format("A [gone](gone.md).")}),
    ("base/1/references.lock:1:1", {"base/1/references.lock": "rulebook\n"}),
)
ACCEPTED_SETTINGS = (
    "nav:\n  - index.md\n  - A: base/1/sequence.md\n  - C: https://example.org/\n  - D: own.svg\n"
    "theme: {name: material, language: de, logo: own.svg}\nuse_directory_urls: false\nextra_css: []",
    "site_url: https://example.org/\nrepo_url: https://example.org/x\nedit_uri: src/\nstrict: true\n"
    "markdown_extensions: [pymdownx.details, {toc: {permalink: true}}]\nsite_author: !ENV [NOBODY, B]",
)
REFUSED_SETTINGS = (
    ("mkdocs.yml:3:7:", "nav: [gone.md]"),
    ("mkdocs.yml:3:11:", "nav: [{A: base/1/}]"),
    ("mkdocs.yml:3:1:", "site_name: Again"),
    ("mkdocs.yml: Config value 'nav': ", "nav: [[index.md]]"),
    ("mkdocs.yml: Config value 'markdown_extensions': ", "markdown_extensions: [{toc: {nope: 1}}]"),
    ("mkdocs.yml: Config value 'theme': ", "theme: {features: []}"),
    ("mkdocs.yml: Config value 'hooks': ", "hooks: [gone.py]"),
    ("mkdocs.yml: Config value 'docs_dir': ", "docs_dir: contnt"),
    ("mkdocs.yml: Config value 'headrs': ", "headrs: true"),
    ("mkdocs.yml: Inherited config file ", "INHERIT: gone.yml"),
    ('mkdocs.yml", line 3, column 12', "extra: {a: !!python/name:nope.nope ''}"),
    ("logo.html:8: ", "theme: {name: material, icon: {logo: material/nope}}"),
)
REFUSED_TEMPLATES = (
    "{% extends %}",
    "{% extends 'gone.html' %}",
    "{% extends 'base.html' %}{% block announce %}{{ page.title | nope }}{% endblock %}",
    "{% extends 'base.html' %}{% block announce %}{% if %}{% endblock %}",
)


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("refused") / "base"
    new_project(folder)
    return folder


class Site:
    """A site that each test changes in its own way."""

    def __init__(self, base: Path, folder: Path, said: pytest.CaptureFixture[str]) -> None:
        shutil.copytree(base, folder)
        self.folder, self.said = folder, said

    def build(self, files: dict[str, str], settings: str = "") -> tuple[bool, str]:
        """Build with these files and return whether that succeeded, and all that was reported."""
        own = {"own.svg": SVG.format(""), "my notes.md": "# A", "../mkdocs.yml": f"{SETTINGS}{settings}\n"}
        for name, text in {**own, **files}.items():
            path = self.folder / "content" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8", newline="")
        self.said.readouterr()
        try:
            made = build_site(self.folder, strict=True, prints=False)
        except UserError as refusal:
            return False, str(refusal)
        out, err = self.said.readouterr()
        return made.published, f"{out}{err}{made.fault}"


@pytest.fixture
def site(base: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Site:
    return Site(base, tmp_path / "site", capsys)


@pytest.mark.parametrize("settings", ["", *ACCEPTED_SETTINGS])
def test_what_is_right_is_built(site: Site, settings: str) -> None:
    pages = {f"page-{at}.md": text for at, text in enumerate(ACCEPTED_PAGES)}
    assert site.build({} if settings else pages, settings) == (True, "")


def test_each_refused_page_is_reported_at_its_place(site: Site) -> None:
    made, report = site.build({f"page-{at}.md": text for at, text in enumerate(REFUSED_PAGES)})
    assert not made
    places = [f"content/page-{at}.md:{place}: " for at, place in enumerate(REFUSED_PAGES.values())]
    assert [place for place in places if place not in report] == []


@pytest.mark.parametrize(("place", "files"), REFUSED_FILES)
def test_a_refused_file_is_reported_at_its_place(site: Site, place: str, files: dict[str, str]) -> None:
    made, report = site.build(files)
    assert not made
    assert f"content/{place}: " in report


@pytest.mark.parametrize(("place", "settings"), REFUSED_SETTINGS)
def test_a_refused_setting_is_reported_with_its_file(site: Site, place: str, settings: str) -> None:
    made, report = site.build({}, settings)
    assert not made
    assert place in report
    assert len(report.splitlines()) <= 2


@pytest.mark.parametrize("template", REFUSED_TEMPLATES)
def test_a_refused_template_is_reported_at_its_line(site: Site, template: str) -> None:
    made, report = site.build(
        {"../mine/main.html": f"\n{template}"}, "theme: {name: material, custom_dir: mine}"
    )
    assert not made
    assert "mine/main.html:2: Template" in report
