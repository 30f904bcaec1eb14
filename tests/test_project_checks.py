"""What the check reports of pages, pictures, addresses and mkdocs.yml, and what `build --strict` refuses.

Each table has what is written and what is reported, or what is accepted.
"""

import shutil
import sys
from pathlib import Path

import pytest

from rulewright.app.mkdocs_runner import build_site
from rulewright.checks.content_check import check_content
from rulewright.files.anchors import heading_anchor
from rulewright.files.content_reader import read_content_folder
from rulewright.files.disk_cache import project_cache
from rulewright.files.errors import UserError
from rulewright.references.redirect_targets import anchors_of
from tests.commands.duel import write
from tests.projects import new_project

OURS = "plugins: [rulewright]\n"
SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{}</svg>'


@pytest.fixture(scope="module")
def new_game(tmp_path_factory):
    return new_project(tmp_path_factory.mktemp("new") / "base")


@pytest.fixture
def base(new_game, tmp_path):
    """A new game, which a test changes in its own way."""
    return shutil.copytree(new_game, tmp_path / "base")


def reported(folder: Path, files: dict[str, str | bytes] | None = None) -> list[str]:
    """Write files of the content, and return the problems of the project."""
    write(folder / "content", files or {})
    return [
        str(one)
        for one in check_content(
            read_content_folder(folder), project_cache("examined", folder), folder
        ).problems
    ]


# Pages

LEFT_OUT = {
    "A.\n\n<script>x</script>\n": ("3:1", "script"),
    "A <a href='#' onclick='x'>b</a>.\n": ("1:3", "onclick of a"),
    "![a](//example.org/a.png)\n": ("1:6", "src of img"),
    "![a](data:image/png;base64,iVBORw0KGgo=)\n": ("1:6", "src of img"),
    "A <img alt='a' src='https://example.org/a.png'>.\n": ("1:3", "src of img"),
    "[a](javascript:alert)\n": ("1:5", "href of a"),
    "A [b][c].\n\n[c]: vbscript:x\n": ("3:6", "href of a"),
    "# A {: onclick=1 }\n": ("1:8", "onclick of h1"),
    "<pre><script></pre>\n": ("1:6", "script"),
    "<div>\n\n<style>a{}</style>\n</div>\n": ("3:1", "style"),
}
FRONT_MATTER = {
    "---\nhide: nav\n---\n# A\n": "2:7: warning: hide cannot be nav; write a list of words",
}
ACCEPTED_PAGES = (
    "# A {: #own .wide title=t }\n\n[a](#own)\r\n",
    "A <kbd>x</kbd>, H<sub>2</sub>O, <br> b. Less < more > less.\n",
    "<details open markdown='1'><summary>More</summary>\nWords.\n</details>\n",
    "[a](mailto:a@example.org) [b](tel:123) [c](https://example.org/) <https://example.org/>\n",
    "`<script>` and `[a](gone.md)`\n\n```\n<script>\n<<<<<<< HEAD\n```\n\n<!-- <script> [a](gone.md) -->\n",
    "{{ words }} {% more %}\n",
    "---\nicon: material/sword\ntemplate: main.html # ours\nhide: [toc]\n---\n",
    "\ufeff---\ndate: 2020-13-45\ntitle: 5\n---\n# A",
    "[a](base/1/1-movement.md#1.1) [b](/) [c](base/1/tables/combat.csv), see [[base/1:1.1]].",
    "![a](own.svg) <img src='../own.svg' alt=''> <img src=../own.svg role=none>",
    "Notes\n=======\n\n| a |\n|-------|\n| <<<<<<<< |\n\n    <<<<<<< HEAD\n",
)


@pytest.mark.parametrize("text", LEFT_OUT)
def test_markup_that_the_site_leaves_out_is_reported_at_its_place(text, base):
    place, what = LEFT_OUT[text]
    (problem,) = reported(base, {"notes.md": text})
    left_out = f"content/notes.md:{place}: warning: the site leaves out {what}, since it could run something"
    assert problem.startswith(left_out)
    assert problem.endswith("[page-markup-left-out]")


def test_markup_of_trusted_content_is_not_reported(base):
    (base / "mkdocs.yml").write_text("site_name: B\nplugins: [{rulewright: {trusted: true}}]\n")
    assert not reported(base, {"notes.md": "A.\n\n<script>x</script>\n"})


@pytest.mark.parametrize("text", FRONT_MATTER)
def test_front_matter_that_the_theme_cannot_use_is_reported(text, base):
    (problem,) = reported(base, {"notes.md": text})
    assert problem.startswith(f"content/notes.md:{FRONT_MATTER[text]}")


def test_sound_pages_are_neither_reported_nor_refused(base, capsys):
    pages = {f"page-{number}.md": text for number, text in enumerate(ACCEPTED_PAGES)}
    assert not reported(base, {**pages, "own.svg": SVG.format("<path d='M0 0' fill='red'/>")})
    capsys.readouterr()
    site = build_site(base, strict=True, prints=False)
    assert (site.published, site.fault, capsys.readouterr()) == (True, "", ("", ""))


# Pictures


@pytest.mark.parametrize("text", ["![](map.png)", "<img src='map.png'>", "![ ](map.png)"])
def test_a_picture_without_words_is_noted(text, base):
    (problem,) = [one for one in reported(base, {"index.md": text, "map.png": b"\x89PNG"}) if "words" in one]
    assert "note: say what it shows" in problem
    assert problem.endswith("[page-picture-without-words]")


DRAWINGS = {
    "hello": "1:1: warning: this is no drawing in SVG: syntax error",
    "": "1:1: warning: this is no drawing in SVG: no element found",
    "<svg viewBox='0 0 9 9'/>": "1:1: warning: this is no drawing in SVG: its first tag is not svg",
    SVG.format("\n<g>"): "2:6: warning: this is no drawing in SVG: mismatched tag",
    SVG.format("&nbsp;"): "1:59: warning: this is no drawing in SVG: undefined entity",
}


@pytest.mark.parametrize("text", DRAWINGS)
def test_a_drawing_that_cannot_be_read_is_reported(text, base):
    (problem,) = reported(base, {"map.svg": text})
    assert problem.startswith(f"content/map.svg:{DRAWINGS[text]}")
    assert problem.endswith("[drawing-unreadable]")


def test_other_drawings_are_accepted(base):
    drawings = (
        f'\ufeff<?xml version="1.0"?>\n<!-- a -->\n{SVG.format("")}',
        SVG.format("<script>x</script>"),
    )
    assert not reported(base, {f"map-{number}.svg": text for number, text in enumerate(drawings)})


@pytest.mark.parametrize("name", ["map.png", "map.JPEG", "map.gif", "map.webp"])
def test_a_picture_that_is_none_is_reported(name, base):
    for text in ("", "hello", "version https://git-lfs.example/spec/v1"):
        (problem,) = reported(base, {name: text})
        assert problem.startswith(f"content/{name}:1:1: warning: {name} holds no picture; save it again")
    for data in (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff\xe0", b"GIF89a", b"RIFF\x10\0\0\0WEBPVP8 "):
        assert not reported(base, {name: data, "notes.md": f"![a]({name})\n"})


# Addresses

TAKEN = {
    ("tips.md", "tips/index.md"): "tips/index.md:1:1: error: /tips/ is the address of content/tips.md too",
    ("tips.md", "tips/README.md"): "tips/README.md:1:1: error: /tips/ is the address of content/tips.md too",
    ("README.md", "index.md"): "index.md:1:1: error: / is the address of content/README.md too",
    ("base/1/sequence.md",): "sequence.md:1:1: error: /base/1/sequence/ is the address of a page that the",
    ("base/1.md",): "base/1.md:1:1: error: /base/1/ is the address of a page that the site makes",
    (
        "base/1/tables/combat.csv",
    ): "combat.csv:1:1: error: /base/1/tables/combat.csv is the address of a file",
    ("base/1/aids/player-aid.pdf",): "the address of a file that the site makes; give it another name",
    ("base/1/all",): "/base/1/all cannot be there beside /base/1/all/: one is a file where the other needs",
    ("base/1/find.js/x.png",): "/base/1/find.js/x.png cannot be there beside /base/1/find.js: one is a file",
    ("tips.md", "tips"): "content/tips:1:1: error: /tips cannot be there beside /tips/: one is a file where",
}
FREE = ("tips.md", "tips/more.md", "tricks/README.md", "base/index.md", "robots.txt", "base/1/robots.txt")


def page_or_picture(name: str) -> bytes:
    return b"GIF89a" if name.endswith(".png") else b"# Words\n"


@pytest.mark.parametrize("names", TAKEN)
def test_two_sources_of_one_address_are_reported(names, base):
    (problem,) = reported(base, {name: page_or_picture(name) for name in names})
    assert TAKEN[names] in problem
    assert problem.endswith("[address-twice]")


def test_files_with_addresses_of_their_own_are_accepted(base):
    assert not reported(base, {name: page_or_picture(name) for name in FREE})


@pytest.mark.parametrize(
    "address", ["/robots.txt/", "/_headers", "/base/1/find.js", "/base/look.css/", "/sw.js"]
)
def test_an_old_address_cannot_be_that_of_a_file_of_the_site(address, base):
    redirects = f'redirects:\n  - {{from: {address}, to: "1.1"}}\n'
    (problem,) = reported(base, {"base/1/redirects.yml": redirects})
    place = "content/base/1/redirects.yml:2:12"
    assert problem.startswith(f"{place}: error: no redirect is possible at {address}:")


ANCHORS = {
    "移动": "移动", "战斗 2": "战斗-2", "Ход войск": "ход-войск", "الحركة": "الحركة",
    "Straße 移动": "straße-移动",
    "🎲 Dice": "dice", "🎲": "heading", "2": "heading-2", "1.2": "heading-1-2", "1944–45": "heading-1944-45",
    "١": "heading-1", "Übergang": "ubergang", "A & B": "a-b", "12.5 Fuel": "125-fuel", "a_b": "a_b",
}  # fmt: skip


def test_the_anchor_of_a_heading_has_its_words_in_every_script(base):
    assert {words: heading_anchor(words) for words in ANCHORS} == ANCHORS
    twice = "# 移动\n\n## 移动\n\n## B\n\n## B\n".encode()
    assert [*anchors_of(twice)] == ["移动", "移动_1", "b", "b_1"]
    headings = "".join(f"## {words}\n\n" for words in ANCHORS)
    links = " ".join(f"[a](#{anchor})" for anchor in ANCHORS.values())
    (problem,) = reported(base, {"base/1/words.md": f"# Words\n\n{headings}{links} [b](#移)\n"})
    assert "has no anchor 移; did you mean 移动?" in problem
    assert build_site(base, prints=False).site
    html = (base / "site/base/1/words/index.html").read_text("utf-8")
    assert not [anchor for anchor in ANCHORS.values() if f'<h2 id="{anchor}"' not in html]


def test_a_site_may_have_anchors_of_its_own(base):
    (base / "mkdocs.yml").write_text(
        f"site_name: B\n{OURS}markdown_extensions: [{{toc: {{separator: _}}}}]\n"
    )
    assert not reported(base, {"words.md": "# Ход войск\n\n[a](#ход_войск)\n"})
    assert build_site(base, prints=False).site
    assert '<h1 id="ход_войск"' in (base / "site/words/index.html").read_text("utf-8")


# mkdocs.yml

BESIDE = "the books must be in docs_dir itself, or in a folder beside it"
WRONG_SETTINGS = {
    "plugins:\n  - rulewright: {trustd: true}\n": ("3:18", "no option trustd; did you mean trusted?"),
    "plugins:\n  rulewright:\n    trustd: true\n": ("4:5", "did you mean trusted?"),
    "plugins:\n  - rulewright: {trusted: maybe}\n": ("3:18", "trusted is true or false"),
    "plugins:\n  - rulewright: {content_dir: boks}\n": ("3:31", "there is no folder boks; write content"),
    "plugins:\n  - rulewright: {content_dir: /}\n": ("3:31", BESIDE),
    "docs_dir: content\nplugins:\n  - rulewright: {content_dir: content/base}\n": ("4:31", BESIDE),
    "plugins:\n  - rulewright: {content_dir: [a]}\n": ("3:31", "content_dir is the name of a folder"),
    "plugins: [rulewright, i18n]\n": ("2:23", "i18n builds a site for each language"),
    "plugins: [search]\n": ("2:1", "among its plugins [site-settings-wrong]"),
    "": ("1:1", "does not name rulewright among its plugins"),
    f"{OURS}site_name: C\n": ("3:1", "site_name is here twice"),
    f"extra:\n\ta: b\n{OURS}": ("3:1", "a tab is used where YAML needs spaces"),
    f"copyright: |\n  <<<<<<< HEAD\n  x\n{OURS}": ("3:3", "a merge conflict was left here"),
    f"nav:\n  - A: gone.md\n{OURS}": ("3:8", "there is no page gone.md"),
    f"nav:\n  - A:\n    - base/2.md\n{OURS}": ("4:7", "no page base/2.md; did you mean base/1.md?"),
}
SOUND_SETTINGS = (
    "plugins:\n  - search\n  - rulewright: {trusted: off}\n",
    f"site_url: https://b.example/\nrepo_url: https://b.example/x\nedit_uri: src/\nstrict: true\n{OURS}",
    f"site_description: &name B\ncopyright: *name\nsite_author: !ENV [NOBODY, B]\n{OURS}",
    f"nav:\n  - index.md\n  - Moves: base/1/1-movement.md\n  - Out: https://example.org\n{OURS}",
    f"theme: {{name: material, language: de, icon: {{logo: material/sword}}}}\nextra_css: []\n{OURS}",
    f"markdown_extensions: [pymdownx.details, {{toc: {{permalink: true}}}}]\nnav: null\n{OURS}",
)
REFUSED_SETTINGS = {
    "nav: [[index.md]]": "mkdocs.yml: Config value 'nav': ",
    "theme: {features: []}": "mkdocs.yml: Config value 'theme': ",
    "hooks: [gone.py]": "mkdocs.yml: Config value 'hooks': ",
    "trustd: true": "mkdocs.yml: Config value 'trustd': ",
    "INHERIT: gone.yml": "mkdocs.yml: Inherited config file ",
    "extra: {a: !!python/name:nope.nope ''}": 'mkdocs.yml", line 3, column 12',
    "theme: {name: material, icon: {logo: material/nope}}": "logo.html:8: ",
    "theme: {name: material, custom_dir: mine}": "mine/main.html:2: Template",
}
"""What only MkDocs finds out, or the template engine."""


@pytest.mark.parametrize("text", WRONG_SETTINGS)
def test_a_wrong_setting_is_reported_at_its_place(text, base):
    place, words = WRONG_SETTINGS[text]
    (base / "mkdocs.yml").write_text(f"site_name: B\n{text}")
    problems = reported(base)
    assert any(one.startswith(f"mkdocs.yml:{place}: ") and words in one for one in problems), problems


@pytest.mark.parametrize("text", SOUND_SETTINGS)
def test_sound_settings_are_neither_reported_nor_refused(text, base, capsys):
    (base / "mkdocs.yml").write_text(f"site_name: B\n{text}")
    assert not reported(base)
    capsys.readouterr()
    site = build_site(base, strict=True, prints=False)
    assert (site.published, site.fault, capsys.readouterr()) == (True, "", ("", ""))


@pytest.mark.parametrize("text", REFUSED_SETTINGS)
def test_a_refused_setting_is_reported_with_its_file(text, base, capsys):
    settings = f"site_name: B\n{OURS}{text}\n"
    write(base, {"mkdocs.yml": settings, "mine/main.html": "\n{% extends 'gone.html' %}"})
    capsys.readouterr()
    try:
        site = build_site(base, strict=True, prints=False)
        report = "".join([*capsys.readouterr(), site.fault])
        assert not site.published
    except UserError as refusal:
        report = str(refusal)
    assert REFUSED_SETTINGS[text] in report
    assert len(report.splitlines()) <= 2


@pytest.mark.parametrize(
    "text",
    [
        f"{OURS}markdown_extensions: ['theirs:Extension']\n",
        f"{OURS}extra: {{a: !!python/name:theirs.name ''}}\n",
        "plugins: [rulewright, {theirs: {a: b}}]\n",
    ],
)
def test_the_check_runs_no_code_of_the_project(text, base, monkeypatch):
    plugin = {
        "METADATA": "Name: theirs\nVersion: 1\n",
        "entry_points.txt": "[mkdocs.plugins]\ntheirs = theirs:P\n",
    }
    write(base, {"theirs.py": "open('run', 'w').close()\n", "mkdocs.yml": f"site_name: B\n{text}"})
    write(base / "theirs-1.dist-info", plugin)
    monkeypatch.chdir(base)
    monkeypatch.syspath_prepend("")
    monkeypatch.delitem(sys.modules, "theirs", raising=False)
    reported(base, {"page.md": "# A {: #b }\n\n[a](#b) <kbd>x</kbd>\n"})
    assert not (base / "run").exists()


# Merge conflicts

MARKS = "<<<<<<< HEAD\nA stack holds two.\n=======\nA stack holds three.\n>>>>>>> other\n"
INDENTED = "".join(f"  {line}\n" for line in MARKS.splitlines())
MERGES = {
    "base/1/notes.md": (f"# Notes\n\n{MARKS}", "3:1"),
    "index.md": (MARKS.replace("\n", "\r\n"), "1:1"),
    "notes.md": (f"- a\n\n{INDENTED}", "3:3"),
    "base/1/rules/3-x.yml": (f'chapter: "3.0"\ntitle: X\n"3.1 A": >\n{INDENTED}', "4:3"),
}


@pytest.mark.parametrize("name", MERGES)
def test_a_merge_conflict_is_reported(name, base):
    text, place = MERGES[name]
    merge = (
        f"content/{name}:{place}: error: a merge conflict was left here; keep one side and delete these lines"
    )
    assert [one for one in reported(base, {name: text}) if "merge" in one] == [f"{merge} [merge-conflict]"]


# The strict build


def test_the_strict_build_refuses_what_the_check_reports(base, capsys):
    faults = {
        "notes.md": "[a](gone.md) [b](#nowhere) ![c](none.png), [[base/1:9.9]] [d](base/1/references.lock)\n",
        "a?.md": "# A",
        "A.MD": "# A",
        "page.html": "<p>",
        "base/1/rules/3-x.yml": 'chapter: "3.0"\ntitle: X\n"3.1 A": |\n  A [gone](gone.md), see 9.9.\n',
        "base/1/redirects.yml": 'redirects:\n  - {from: /old/, to: "9.9"}\n',
        "base/1/references.lock": "rulebook\n",
    }
    problems = reported(base, faults)
    assert {one.removeprefix("content/").partition(":")[0] for one in problems} == {*faults}
    assert len(problems) >= 11
    capsys.readouterr()
    assert not build_site(base, strict=True, prints=False).published
    assert [line for line in "".join(capsys.readouterr()).splitlines() if line in problems] == problems
