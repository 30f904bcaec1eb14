"""Sites that somebody changed: what `check` passes `build --strict` makes, and what it tells is not made."""

import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from rulewright.app.cli import main
from rulewright.app.host import make_site
from rulewright.checks.checked import failing
from rulewright.checks.content_check import check
from rulewright.source.folder import gather
from rulewright.source.refusal import Refusal
from rulewright.source.store import of_project
from tests.amount import TIMES

SITES = 240
QUICK = 60
"""Of so many each change tries some; the rest is for every push."""
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
    "[a](my%20notes.md) [b](<my notes.md>) [c](100%25.md)",
    "![a](/own.svg) ![b](../own.svg)",
    "A\n\n[b]: gone.md",
    "<!-- [a](gone.md) --> `[a](gone.md)`",
    "<details><summary>a</summary>\n\n[a](gone.md)\n\n</details>",
    "<a@b.example> [x](mailto:a@b.example) [y](tel:123)",
    "[x](base/1/1-movement.md?x=1#1.1) [y](.) [z](#) [n]()",
    "[x](/base/1/1-movement/#1.1) [y](/base/1/1-movement/index.html)",
    "# A {: #own }\r\n\r\n[a](#own)\r\n",
    "# A {: #own }\n\n## B {: #own }",
    "> " * 200 + "A",
    "\ufeff---\ntitle: A\n---\n# A",
    "---\n- a\n---\n# A",
    "---\ndate: 2020-13-45\ntitle: 5\n---\n# A",
    "---\ntitle: A\n# A",
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
    "[a][b]\n\n[b]: gone.md",
    "[![a](own.svg)](gone.md)",
    "A[^1]\n\n[^1]: [a](gone.md)",
    "[x](base/)",
    "[x](base\\1\\1-movement.md)",
    "[x](base/1/rules/1-movement.yml)",
    "[x](base/1/references.lock)",
    "[x](Index.md)",
    '<img src="gone.png">',
    "<a name='x'></a>[a](#x)",
    "---\ntitle: A\ntitle: B\n---\n# A",
    "---\ntags: 5\n---\n# A",
    "---\nsearch: 5\n---\n# A",
    "---\ndescription: [a]\n---\n# A",
    "---\na: &x 1\nb: *x\n---\n# A",
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
    "nav:\n  - A: notes.md\n  - B: notes.md\n  - C: https://example.org/\n  - D: own.svg",
    "exclude_docs: drafts/\ndraft_docs: later.md",
    "not_in_nav: notes.md\nnav: [index.md]",
    "strict: true",
    'copyright: "<b>x</b> <script>y</script>"',
    "theme: {name: material, features: nope, font: false, direction: rtl}",
    "theme: {name: material, logo: own.svg, favicon: own.svg}",
    "extra: {alternate: [{name: A, link: /a/, lang: xx}], consent: x, status: x, homepage: 5}",
    "extra: {analytics: {provider: google}}",
    "markdown_extensions: [{pymdownx.snippets: {check_paths: true}}, tables, tables]",
    "extra_javascript: [https://example.org/x.js]\nsite_url: ''",
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
    "extra: {social: [{link: x}]}",
    "extra: {social: [x]}",
    "nav: [{A: }]",
    "nav: [5]",
    "nav: [{A: notes.md#gone}]",
    "nav: [{A: base/1/}]",
    "nav: [{A: base/1/9-movement.md}]",
    "nav: [Notes.md]",
    "nav: [base/rulebook.yml]",
    "exclude_docs: notes.md\nnav: [notes.md]",
    "theme: {name: }",
    "theme: {name: material, palette: 5}",
    "theme: {name: material, palette: [{toggle: {icon: nope/x, name: A}}]}",
    "theme: {name: material, logo: gone.png}",
    "theme: {name: material, locale: gone}",
    "theme: {name: material, static_templates: [{}]}",
    "extra_templates: [x.html]",
    "extra_javascript: [own.js]",
    "extra_css: [gone.css]",
    "INHERIT: content",
    "docs_dir: ..",
)
ALONE = (
    {"tips/more.md": "# T"},
    {"robots.txt": "x"},
    {"own.png": "GIF89a"},
    {"base/1/notes.md": "# N, see 1.1\n\nAnd 2.1."},
    {"a#b.md": "# A", "a%20b.md": "# A", "a'b.md": "# A", "a&b.md": "# A", "🜂.md": "# A", "Über.md": "# A"},
    {"U\u0308ber.md": "# A", "a..md": "# A", "a.markdown": "# A", "a#b.svg": SVG.format("")},
    {"own.gif": "GIF89a", "own.png/x.txt": "x"},
    {"own.svg": SVG.format("<script>x</script>")},
    {"base/1/redirects.yml": 'redirects:\n  - {from: /old/, to: "1.1", anchors: {a: "1.2"}}\n'},
    {"base/1/redirects.yml": "redirects:\n  - {from: /old.html, to: sequence}\n"},
)
OLD = (
    '  - {from: /old/, to: "1.1"}\n  - {from: /old, to: "1.2"}\n',
    '  - {from: /Old/, to: "1.1"}\n  - {from: /old/, to: "1.2"}\n',
    '  - {from: /old.html, to: "1.1"}\n  - {from: /old.html/x/, to: "1.2"}\n',
    '  - {from: /old/, to: "9.9"}\n',
    '  - {from: /notes/, to: "1.1"}\n',
    '  - {from: old/, to: "1.1"}\n',
    '  - {from: /../x/, to: "1.1"}\n',
    '  - {from: /404.html, to: "1.1"}\n',
    '  - {from: /own.svg, to: "1.1"}\n',
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
    *({"base/1/redirects.yml": f"redirects:\n{listed}"} for listed in OLD),
    *(
        {f"{name}.md": "# A"}
        for name in ("a?", "a:b", "con", 'a"b', "a<b>", "a" * 240, "a\u202eb", "a\u200bb")
    ),
    {"A.MD": "# A"},
    {"U\u0308ber.md": "# A", "Über.md": "# A"},
    {"own.jpg": ""},
    {"own.jpg": "words"},
)
FIT_TEMPLATES = (
    "{% extends 'base.html' %}",
    "{% extends 'base.html' %}{% block announce %}Hi{% endblock %}",
    "{% extends 'base.html' %}{% block announce %}{% include 'gone.html' ignore missing %}{% endblock %}",
    "{% extends 'base.html' %}{% block announce %}{{ page.url | url }}{% endblock %}",
)
UNFIT_TEMPLATES = (
    "{% extends %}",
    "{% extends 'gone.html' %}",
    "{% extends 'base.html' %}{% import 'gone.html' as x %}",
    "{% extends 'base.html' %}{% block announce %}{% include 'gone.html' %}{% endblock %}",
    "{% extends 'base.html' %}{% block announce %}{{ page.title | nope }}{% endblock %}",
    "{% extends 'base.html' %}{% block announce %}{% if %}{% endblock %}",
    "<<<<<<< HEAD\n{% extends 'base.html' %}",
)


def changed(folder: Path, seed: int) -> tuple[str, bool]:
    """Change a site in two or three ways; what was done, and whether any of it is wrong."""
    chance = random.Random(seed)
    is_wrong = seed % 5 > 0
    kind = seed % 4 if is_wrong else -1  # of what is wrong
    text = chance.choice(UNFIT if kind == 0 else MADE_TO_FIT)
    settings = chance.choice(UNSET if kind == 1 else SET)
    files = {"own.svg": SVG.format(""), "notes.md": f"{text}\n", "my notes.md": "# A", "100%.md": "# A"}
    files |= chance.choice(CLASHES if kind == 2 else ALONE)
    if kind == 3 or "theme" not in settings:
        settings = "theme: {name: material, custom_dir: mine}" if "theme" in settings else settings
        settings += "" if "theme" in settings else "\ntheme: {name: material, custom_dir: mine}"
        files["../mine/main.html"] = chance.choice(UNFIT_TEMPLATES if kind == 3 else FIT_TEMPLATES)
    for name, words in files.items():
        path = folder / "content" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(words, newline="")
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


def each(count: int) -> Iterator[ParameterSet]:
    """The numbers of sites, those behind the first few for the whole suite alone."""
    return (pytest.param(at, marks=pytest.mark.thorough if at >= QUICK else ()) for at in range(count))


@pytest.mark.parametrize("seed", [*each(SITES * TIMES)])
def test_what_check_passes_is_built_and_nothing_else(seed: int, base: Path, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    shutil.copytree(base, folder)
    how, is_wrong = changed(folder, seed)
    found = failing(check(gather(folder), of_project("examined", folder), folder).problems)
    fault = not_made(folder)
    assert bool(found) == bool(fault) == is_wrong, (how, found, fault)
