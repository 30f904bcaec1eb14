"""What `check` says of mkdocs.yml, and of the marks of a merge wherever they stand."""

import sys
from pathlib import Path

import pytest

from rulewright.checks.content_check import check_content
from rulewright.files.content_reader import read_content_folder
from rulewright.files.disk_cache import project_cache
from tests.projects import new_project


@pytest.fixture
def base(tmp_path: Path, said: pytest.CaptureFixture[str]) -> Path:
    folder = tmp_path / "base"
    new_project(folder)
    said.readouterr()
    return folder


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]) -> pytest.CaptureFixture[str]:
    return capsys


def told(folder: Path) -> list[str]:
    return list(
        map(
            str,
            check_content(read_content_folder(folder), project_cache("examined", folder), folder).problems,
        )
    )


OURS = "plugins: [rulewright]\n"
WRONG = {
    "an option": (
        "site_name: B\nplugins:\n  - rulewright: {headrs: true}\n",
        "3:18", "no option headrs; did you mean headers?",
    ),
    "a flag": (
        "site_name: B\nplugins:\n  - rulewright: {trusted: maybe}\n",
        "3:18", "trusted is true or false",
    ),
    "as keys": ("site_name: B\nplugins:\n  rulewright:\n    headrs: true\n", "4:5", "did you mean headers?"),
    "no folder of books": (
        "site_name: B\nplugins:\n  - rulewright: {content_dir: boks}\n",
        "3:31", "there is no folder boks; write content",
    ),
    "a disk of books": (
        "site_name: B\nplugins:\n  - rulewright: {content_dir: /}\n",
        "3:31", "the books lie in docs_dir itself, or in a folder beside it",
    ),
    "books around the site": (
        "site_name: B\nplugins:\n  - rulewright: {content_dir: .}\n",
        "3:31", "the books lie in docs_dir itself, or in a folder beside it",
    ),
    "books in the pages": (
        "site_name: B\ndocs_dir: content\nplugins:\n  - rulewright: {content_dir: content/base}\n",
        "4:31", "the books lie in docs_dir itself, or in a folder beside it",
    ),
    "books that are none": (
        "site_name: B\nplugins:\n  - rulewright: {content_dir: [a]}\n",
        "3:31", "there is no folder ['a']; write content",
    ),
    "languages": (
        "site_name: B\nplugins: [rulewright, i18n]\n",
        "2:23", "i18n builds a site for each language",
    ),
    "ours lacks": ("site_name: B\nplugins: [search]\n", "2:1", "among its plugins [site-settings-wrong]"),
    "no plugins": ("site_name: B\n", "1:1", "does not name rulewright among its plugins"),
    "twice": (f"site_name: B\n{OURS}site_name: C\n", "3:1", "site_name stands here twice"),
    "a tab": (f"site_name: B\nextra:\n\ta: b\n{OURS}", "3:1", "a tab is used where YAML needs spaces"),
    "a merge": (
        f"<<<<<<< HEAD\nsite_name: B\n=======\nsite_name: C\n>>>>>>> x\n{OURS}",
        "1:1", "a merge conflict was left here",
    ),
    "a merge in a text": (
        f"site_name: B\ncopyright: |\n  <<<<<<< HEAD\n  x\n{OURS}",
        "3:3", "a merge conflict was left here",
    ),
    "a page": (f"site_name: B\nnav:\n  - A: gone.md\n{OURS}", "3:8", "there is no page gone.md"),
    "a page of a group": (
        f"site_name: B\nnav:\n  - A:\n    - base/2.md\n{OURS}",
        "4:7", "no page base/2.md; did you mean base/1.md?",
    ),
    "nothing": (" \n", "1:1", "the file is empty"),
    "a flag in quotes": (
        "site_name: B\nplugins:\n  - rulewright: {headers: 'true'}\n",
        "3:18", "headers is true or false",
    ),
}  # fmt: skip
RIGHT = (
    f"site_name: B\n{OURS}",
    f"site_name: B\ndocs_dir: content\nsite_url: https://example.org/b/\n{OURS}",
    "site_name: B # of it\nplugins:\n  - search\n  - rulewright: {headers: yes, trusted: off}\n",
    "site_name: B\nplugins:\n  rulewright: {}\n",
    f"site_name: !ENV [NAME, B]\n{OURS}",
    f"site_name: &name B\nsite_description: *name\n{OURS}",
    f"site_name: B\nmarkdown_extensions:\n  - toc:\n      slugify: !!python/name:textwrap.dedent\n{OURS}",
    f"site_name: B\nnav:\n  - index.md\n  - Moves: base/1/1-movement.md\n  - base/1/sequence.md\n  - Out: https://example.org\n{OURS}",
    f"site_name: B\ntheme:\n  name: material\n  features: [a]\n{OURS}",
    f"site_name: B\nextra: {{any: {{thing: [1]}}}}\nstrict: true\n{OURS}",
    f"site_name: B\nnav: null\nsite_author: ~\nextra_css:\n{OURS}",
    f"site_name: B\nrepo_url: https://example.org/x\nedit_uri: src/\n{OURS}",
    f"site_name: B\ntheme: {{name: material, language: de, icon: {{logo: material/sword}}}}\n{OURS}",
    f"site_name: B\nmarkdown_extensions: [pymdownx.details, {{toc: {{permalink: true}}}}]\n{OURS}",
    f"site_name: B\nextra_css: [https://example.org/a.css, assets/rulewright.css]\n{OURS}",
    f"site_name: B\nvalidation: {{links: {{absolute_links: relative_to_docs}}, anchors: info}}\n{OURS}",
    "site_name: B\ntheme: material\nplugins: [rulewright, tags, {search: {lang: en}}]\n",
)


@pytest.mark.parametrize("what", WRONG)
def test_what_is_wrong_in_mkdocs_yml_is_told_at_its_place(what: str, base: Path) -> None:
    text, place, words = WRONG[what]
    (base / "mkdocs.yml").write_text(text)
    found = [one for one in told(base) if one.startswith(f"mkdocs.yml:{place}: ")]
    assert any(words in one for one in found), told(base)


@pytest.mark.parametrize("text", RIGHT)
def test_what_is_right_in_mkdocs_yml_is_no_problem(text: str, base: Path) -> None:
    (base / "mkdocs.yml").write_text(text)
    assert not told(base)


MARKS = "<<<<<<< HEAD\nA stack holds two.\n=======\nA stack holds three.\n>>>>>>> other\n"
INDENTED = "".join(f"  {line}\n" for line in MARKS.splitlines())
MERGES = {
    "a page": ("base/1/notes.md", f"# Notes\n\n{MARKS}", "3:1"),
    "the first page": ("index.md", MARKS, "1:1"),
    "a list of a page": ("notes.md", f"- a\n\n{INDENTED}", "3:3"),
    "the end of one": ("notes.md", "# Notes\n\nA stack.\n>>>>>>> other\n", "4:1"),
    "a lone row": ("notes.md", "A stack.\n\n=======\n\nTwo.\n", "3:1"),
    "a text": ("base/1/rules/3-x.yml", f'chapter: "3.0"\ntitle: X\n"3.1 A": |\n{INDENTED}', "4:3"),
    "a folded text": ("base/1/rules/3-x.yml", f'chapter: "3.0"\ntitle: X\n"3.1 A": >\n{INDENTED}', "4:3"),
    "a row in a text": (
        "base/1/rules/3-x.yml", 'chapter: "3.0"\ntitle: X\n"3.1 A": |\n  A.\n  =======\n  B.\n',
        "5:3",
    ),
    "a drawing": ("base/1/map.svg", f"<svg>\n{MARKS}</svg>", "2:1"),
    "with CRLF": ("notes.md", f"# Notes\n\n{MARKS}".replace("\n", "\r\n"), "3:1"),
}  # fmt: skip
NO_MERGES = (
    "Notes\n=======\n\nText.\n",
    "# Notes\n\n```\n<<<<<<< HEAD\n=======\n>>>>>>> x\n```\n",
    "# Notes\n\n    <<<<<<< HEAD\n",
    "# Notes\n\n| a |\n|-------|\n| <<<<<<<< |\n",
)


@pytest.mark.parametrize("where", MERGES)
def test_the_marks_of_a_merge_are_told(where: str, base: Path) -> None:
    name, text, place = MERGES[where]
    (base / "content" / name).write_text(text, newline="")
    merge = (
        f"content/{name}:{place}: error: a merge conflict was left here; keep one side and delete these lines"
    )
    assert [one for one in told(base) if "merge" in one] == [f"{merge} [merge-conflict]"]


@pytest.mark.parametrize("text", NO_MERGES)
def test_what_only_looks_like_a_merge_is_none(text: str, base: Path) -> None:
    (base / "content/notes.md").write_text(text)
    assert not told(base)


THEMED = f"site_name: B\ntheme: {{name: material, custom_dir: mine}}\n{OURS}"


@pytest.mark.parametrize(
    "text",
    [
        f"site_name: B\n{OURS}markdown_extensions: [theirs]\n",
        f"site_name: B\n{OURS}markdown_extensions: ['theirs:Extension']\n",
        f"site_name: B\n{OURS}extra: {{a: !!python/name:theirs.name ''}}\n",
        "site_name: B\nplugins: [rulewright, {theirs: {a: b}}]\n",
    ],
)
def test_no_code_of_the_project_is_run(text: str, base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (base / "theirs.py").write_text("open('run', 'w').close()\n")
    (base / "theirs-1.dist-info").mkdir()
    (base / "theirs-1.dist-info/METADATA").write_text("Name: theirs\nVersion: 1\n")
    (base / "theirs-1.dist-info/entry_points.txt").write_text("[mkdocs.plugins]\ntheirs = theirs:Plugin\n")
    (base / "mkdocs.yml").write_text(text)
    (base / "content/page.md").write_text("# A {: #b }\n\n[a](#b) <kbd>x</kbd> <script>x</script>\n")
    monkeypatch.chdir(base)
    monkeypatch.syspath_prepend("")
    monkeypatch.delitem(sys.modules, "theirs", raising=False)
    told(base)
    assert not (base / "run").exists()
