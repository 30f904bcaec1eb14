"""Sites that somebody changed: what `check` passes `build --strict` makes, and what it tells is not made."""

import random
import shutil
from pathlib import Path

import pytest

from rulewright.app.cli import main
from rulewright.app.host import make_site
from rulewright.checks.checked import failing
from rulewright.checks.content_check import check
from rulewright.source.folder import gather
from rulewright.source.refusal import Refusal
from rulewright.source.store import of_project
from tests.amount import TIMES

SITES = 120
SETTINGS = "site_name: B\nplugins: [rulewright]\n"
SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{}</svg>'
CHAPTER = 'chapter: "3.0"\ntitle: X\n"3.1 A": |\n  {}\n'

MADE_TO_FIT = (
    "[a](base/1/1-movement.md#1.1) [b](/) [c](base/1/tables/combat.csv)",
    "See [[base/1:1.1]].",
    "## Ход войск\n\n[a](#ход-войск)",
    "<details><summary>A</summary>b</details>",
    "```\n<script>\n<<<<<<< HEAD\n```",
    "---\nicon: material/sword\nhide: [toc]\n---\n# A",
    "![a](own.svg) <img src='../own.svg' alt=''>",
    "[a](https://example.org/) <https://example.org/>",
    "Notes\n=======\n",
    "",
)
UNFIT = (
    "[a](gone.md)",
    "[a](base/1/1-movement/#1.9)",
    "[a](#nowhere)",
    "![a](pictures/none.png)",
    "[a](/nope/)",
    "[a](x.pdf)",
    "<a href='gone/'>a</a>",
    "See [[base/1:9.9]].",
    "<script>x</script>",
    "![a](https://example.org/a.png)",
    "![a](data:image/png;base64,AAAA)",
    "[a](javascript:x)",
    "<<<<<<< HEAD\nA.",
    "---\nicon: material/nope\n---\n# A",
    "---\ntemplate: nope.html\n---\n# A",
    "---\nhide: nav\n---\n# A",
    "---\na: [\n---\n# A",
    "icon: nope\n\n# A",
    "# A {: onclick=1 }",
    "A \x00 sign",
)
SET = (
    "nav: null",
    "nav:\n  - index.md\n  - A: base/1/sequence.md",
    "theme: {name: material, language: de}",
    "theme: {name: material, palette: {primary: red}}",
    "extra_css: []",
    "markdown_extensions: [pymdownx.details, {toc: {permalink: true}}]",
    "repo_url: https://example.org/x\nedit_uri: src/",
    "site_url: https://example.org/",
    "validation: {links: {anchors: warn}}",
    "use_directory_urls: false",
    "extra: {version: 5}",
    "site_author: !ENV [NOBODY, B]",
)
UNSET = (
    "nav: [gone.md]",
    "nav: [[index.md]]",
    "nav: {A: index.md}",
    "nav:\n  - A: index.md\n    B: base/1.md",
    "markdown_extensions: [none_such]",
    "markdown_extensions: [{toc: {nope: 1}}]",
    "theme: readthedocs",
    "theme: {features: []}",
    "theme: {name: material, language: xy}",
    "theme: {name: material, icon: {logo: material/nope}}",
    "theme: {name: material, custom_dir: mine}",
    "extra_javascript: [{path: a.js, nope: 1}]",
    "extra_css: [5]",
    "use_directory_urls: 'true'",
    "validation: {nav: {omitted_files: nope}}",
    "dev_addr: abc",
    "hooks: [gone.py]",
    "watch: [gone]",
    "INHERIT: gone.yml",
    "site_dir: content/site",
    "docs_dir: .",
    "docs_dir: contnt",
    "repo_url: nope",
    "edit_uri: src/",
    "edit_uri_template: '{nope}'",
    "copyright: 5",
    "extra:",
    "site_url: 'http://[x'",
    "site_name: Again",
    "headrs: true",
    "extra: {a: !!python/name:nope.nope ''}",
    "extra: {social: 5}",
)
ALONE = (
    {"tips/more.md": "# T"},
    {"robots.txt": "x"},
    {"own.png": "GIF89a"},
    {"base/1/notes.md": "# N, see 1.1\n\nAnd 2.1."},
)
CLASHES = (
    {"tips.md": "# T", "tips/index.md": "# U"},
    {"index.md": "# T", "README.md": "# U"},
    {"base/1/sequence.md": "# T"},
    {"base/1.md": "# T"},
    {"base/1/tables/combat.csv": "x"},
    {"base/1/find.js/x.png": "GIF89a"},
    {"own.png": "x"},
    {"base/1/all": "x"},
    {"Tips.md": "# T", "tips.md": "# U"},
    {"own.svg": "no drawing"},
    {"own.svg": SVG.format("<g>")},
    {"own.svg": SVG.format("\n<<<<<<< HEAD\n")},
    {"page.html": "<p>"},
    {"base/1/redirects.yml": 'redirects:\n  - {from: /robots.txt, to: "1.1"}\n'},
    {"base/1/redirects.yml": 'redirects:\n  - {from: /base/1/find.js/, to: "1.1"}\n'},
    {"base/1/rules/3-x.yml": CHAPTER.format("A [gone](gone.md).")},
    {"base/1/rules/3-x.yml": CHAPTER.format("![A box](gone.png)")},
    {"base/1/rules/3-x.yml": CHAPTER.format("See 9.9.")},
    {"base/1/rules/3-x.yml": CHAPTER.format("<<<<<<< HEAD")},
)


def changed(folder: Path, seed: int) -> tuple[str, bool]:
    """Change a site in two or three ways; what was done, and whether any of it is wrong."""
    chance = random.Random(seed)
    is_wrong = seed % 4 > 0
    kind = seed % 3  # of what is wrong
    text = chance.choice(UNFIT if is_wrong and kind == 0 else MADE_TO_FIT)
    settings = chance.choice(UNSET if is_wrong and kind == 1 else SET)
    files = {"own.svg": SVG.format(""), "notes.md": f"{text}\n"}
    files |= chance.choice(CLASHES if is_wrong and kind == 2 else ALONE)
    for name, words in files.items():
        path = folder / "content" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(words)
    (folder / "mkdocs.yml").write_text(f"{SETTINGS}{settings}\n")
    return f"{files}\n{settings}", is_wrong


def not_made(folder: Path) -> str:
    """What kept a strict build from being made, empty where nothing did."""
    try:
        made = make_site(folder, strict=True, prints=False)
    except Refusal as refusal:
        return str(refusal)
    return "" if made.published else made.fault


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("mutated") / "base"
    assert main(["new", str(folder)]) == 0
    return folder


@pytest.mark.parametrize("seed", range(SITES * TIMES))
def test_what_check_passes_is_built_and_nothing_else(seed: int, base: Path, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    shutil.copytree(base, folder)
    how, is_wrong = changed(folder, seed)
    found = failing(check(gather(folder), of_project("examined", folder), folder).problems)
    fault = not_made(folder)
    assert bool(found) == bool(fault) == is_wrong, (how, found, fault)
