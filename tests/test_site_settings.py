"""What `check` says of mkdocs.yml, and of the marks of a merge wherever they stand."""

import sys
from pathlib import Path

import pytest

from rulewright.app.cli import main
from rulewright.checks.content_check import check
from rulewright.source.folder import gather
from rulewright.source.store import of_project


@pytest.fixture
def base(tmp_path: Path, said: pytest.CaptureFixture[str]) -> Path:
    folder = tmp_path / "base"
    assert main(["new", str(folder)]) == 0
    said.readouterr()
    return folder


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]) -> pytest.CaptureFixture[str]:
    return capsys


def told(folder: Path) -> list[str]:
    return list(map(str, check(gather(folder), of_project("examined", folder), folder).problems))


OURS = "plugins: [rulewright]\n"
WRONG = {
    "an option": (
        "site_name: B\nplugins:\n  - rulewright: {headrs: true}\n",
        "3:18", "no option headrs; did you mean headers?",
    ),
    "its value": (
        "site_name: B\nplugins:\n  - rulewright: {short: long}\n",
        "3:18", "short is fallback, pages, none",
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
        "3:18", "content_dir is the name of a folder",
    ),
    "languages": (
        "site_name: B\nplugins: [rulewright, i18n]\n",
        "2:23", "i18n builds a site for each language",
    ),
    "another plugin": (
        "site_name: B\nplugins: [rulewright, nope]\n",
        "2:23", "the plugin nope is not installed",
    ),
    "ours lacks": ("site_name: B\nplugins: [search]\n", "2:1", "among its plugins [site-settings-wrong]"),
    "no plugins": ("site_name: B\n", "1:1", "does not name rulewright among its plugins"),
    "twice": (f"site_name: B\n{OURS}site_name: C\n", "3:1", "site_name stands here twice"),
    "a setting": (
        f"site_name: B\nsite_ur: x\n{OURS}",
        "2:1", "there is no setting site_ur; did you mean site_url?",
    ),
    "no name": (OURS, "1:1", "site_name is missing"),
    "a tab": (f"site_name: B\nextra:\n\ta: b\n{OURS}", "3:1", "a tab stands where YAML wants spaces"),
    "a merge": (
        f"<<<<<<< HEAD\nsite_name: B\n=======\nsite_name: C\n>>>>>>> x\n{OURS}",
        "1:1", "a merge conflict was left here",
    ),
    "a merge in a text": (
        f"site_name: B\ncopyright: |\n  <<<<<<< HEAD\n  x\n{OURS}",
        "3:3", "a merge conflict was left here",
    ),
    "a theme": (f"site_name: B\ntheme: readthedocs\n{OURS}", "2:8", "made for the theme material"),
    "a theme's name": (f"site_name: B\ntheme:\n  name: mkdocs\n{OURS}", "3:9", "made for the theme material"),
    "a theme's folder": (
        f"site_name: B\ntheme: {{custom_dir: mine}}\n{OURS}",
        "2:21", "there is no folder mine",
    ),
    "a folder": (
        f"site_name: B\ndocs_dir: contnt\n{OURS}",
        "2:11", "there is no folder contnt; write content",
    ),
    "a sort": (f"site_name: [B]\n{OURS}", "1:1", "site_name wants text here, and it is a list"),
    "a sort of plugins": (
        "site_name: B\nplugins: rulewright\n",
        "2:1", "plugins wants a list or keys here, and it is text",
    ),
    "an address": (f"site_name: B\nsite_url: example.org\n{OURS}", "2:11", "an address begins with https://"),
    "a page": (f"site_name: B\nnav:\n  - A: gone.md\n{OURS}", "3:8", "there is no page gone.md"),
    "a page of a group": (
        f"site_name: B\nnav:\n  - A:\n    - base/2.md\n{OURS}",
        "4:7", "no page base/2.md; did you mean base/1.md?",
    ),
    "a number": ("site_name: 5\nplugins: [rulewright]\n", "1:12", 'in quotes: "5"'),
    "nothing": (" \n", "1:1", "the file is empty"),
    "a list": ("- site_name: B\n", "1:1", "there are no settings here"),
    "a host": (f"site_name: B\nsite_url: 'http://[x'\n{OURS}", "2:11", "is no address"),
    "a list in the navigation": (f"site_name: B\n{OURS}nav: [[index.md]]\n", "3:7", "has a title in front"),
    "two entries in one": (
        f"site_name: B\n{OURS}nav:\n  - A: index.md\n    B: base/1.md\n",
        "5:5", "begins with a - of its own",
    ),
    "keys in the navigation": (
        f"site_name: B\n{OURS}nav:\n  - A: {{b: index.md}}\n",
        "4:8", "write these entries as a list",
    ),
    "nothing in the navigation": (f"site_name: B\n{OURS}nav:\n  - A:\n", "4:7", "write the name of a page"),
    "an empty entry": (f"site_name: B\n{OURS}nav:\n  - index.md\n  -\n", "5:4", "write the name of a page"),
    "a number in the navigation": (
        f"site_name: B\n{OURS}nav: [{{A: [5]}}]\n",
        "3:12", "write the name of a page",
    ),
    "a theme of no name": (f"site_name: B\n{OURS}theme: {{name: }}\n", "3:8", "the theme has no name"),
    "a theme that is a list": (f"site_name: B\n{OURS}theme: {{name: []}}\n", "3:8", "the theme has no name"),
    "a number for a list": (f"site_name: B\n{OURS}extra_css: \u0660\n", "3:1", "wants a list here, and it"),
    "no locale": (f"site_name: B\n{OURS}theme: {{name: material, locale: gone}}\n", "3:25", "en or pt_BR"),
    "a static template": (
        f"site_name: B\n{OURS}theme: {{name: material, static_templates: [{{}}]}}\n",
        "3:25", "wants a list of names here",
    ),
    "a folder inherited": (f"site_name: B\n{OURS}INHERIT: content\n", "3:10", "there is no file content"),
    "a folder around the site": (f"site_name: B\n{OURS}docs_dir: ..\n", "3:11", "apart from the site"),
    "a palette": (f"site_name: B\n{OURS}theme: {{name: material, palette: 5}}\n", "3:25", "palette wants"),
    "a toggle": (
        f"site_name: B\n{OURS}theme: {{name: material, palette: [{{toggle: {{icon: nope/x}}}}]}}\n",
        "3:51", "there is no icon nope/x",
    ),
    "a toggle without": (
        f"site_name: B\n{OURS}theme: {{name: material, palette: [{{toggle: {{name: x}}}}]}}\n",
        "3:44", "this has no icon",
    ),
    "a link without an icon": (f"site_name: B\n{OURS}extra: {{social: [{{link: x}}]}}\n", "3:18", "no icon"),
    "an extension": (
        f"site_name: B\n{OURS}markdown_extensions: [tabls]\n",
        "3:23", "the extension tabls is not installed; did you mean tables?",
    ),
    "an option of an extension": (
        f"site_name: B\n{OURS}markdown_extensions: [{{toc: {{nope: 1}}}}]\n",
        "3:24", "toc has no option nope",
    ),
    "options of an extension": (
        f"site_name: B\n{OURS}markdown_extensions: [{{toc: on}}]\n",
        "3:24", "the options of toc are keys",
    ),
    "two extensions in one": (
        f"site_name: B\n{OURS}markdown_extensions:\n  - toc: {{}}\n    tables: {{}}\n",
        "5:5", "write a - in front of tables",
    ),
    "an option of another plugin": (
        "site_name: B\nplugins: [rulewright, {search: {nope: 1}}]\n",
        "2:33", "search: Unrecognised configuration name: nope",
    ),
    "a plugin of the theme": (
        "site_name: B\nplugins: [rulewright, tags]\n",
        "2:23", "the plugin tags is the theme's; write material/tags, or name the theme",
    ),
    "a plugin twice": ("site_name: B\nplugins: [rulewright, rulewright]\n", "2:23", "stands here twice"),
    "a flag in quotes": (
        "site_name: B\nplugins:\n  - rulewright: {headers: 'true'}\n",
        "3:18", "headers is true or false",
    ),
    "a flag of the site": (f"site_name: B\n{OURS}strict: 5\n", "3:9", "strict is true or false"),
    "a language": (
        f"site_name: B\n{OURS}theme: {{name: material, language: dee}}\n",
        "3:35", "no language dee; did you mean de?",
    ),
    "an icon": (
        f"site_name: B\n{OURS}theme: {{name: material, icon: {{logo: material/swordd}}}}\n",
        "3:38", "no icon material/swordd; did you mean material/sword?",
    ),
    "a nameless theme": (f"site_name: B\n{OURS}theme: {{features: []}}\n", "3:8", "the theme has no name"),
    "a style": (f"site_name: B\n{OURS}extra_css: [gone.css]\n", "3:13", "there is no file gone.css"),
    "a hook": (f"site_name: B\n{OURS}hooks: [gone.py]\n", "3:9", "there is no file gone.py"),
    "what is watched": (f"site_name: B\n{OURS}watch: [contnt]\n", "3:9", "there is no file contnt"),
    "what is inherited": ("INHERIT: mkdocs.ym\n", "1:10", "no file mkdocs.ym; did you mean mkdocs.yml?"),
    "the site in the content": (f"site_name: B\n{OURS}site_dir: content/x\n", "3:11", "write site"),
    "the project as content": (f"site_name: B\n{OURS}docs_dir: .\n", "3:11", "write content"),
    "how links are told": (
        f"site_name: B\n{OURS}validation: {{links: {{anchor: warn}}}}\n",
        "3:22", "links has no anchor; did you mean anchors?",
    ),
    "where it listens": (f"site_name: B\n{OURS}dev_addr: abc\n", "3:11", "write one like 127.0.0.1:8000"),
    "where it is edited": (f"site_name: B\n{OURS}edit_uri: src/\n", "3:11", "write repo_url as well"),
    "a name of Python": (
        f"site_name: B\n{OURS}extra: {{a: !!python/name:nope.nope ''}}\n",
        "3:12", "Python has no nope.nope",
    ),
    "an empty setting": (f"site_name: B\n{OURS}extra:\n", "3:1", "extra is empty"),
    "a former setting": (f"site_name: B\n{OURS}pages: [index.md]\n", "3:1", "no setting pages; write nav"),
}  # fmt: skip
RIGHT = (
    f"site_name: B\n{OURS}",
    f"site_name: B\ndocs_dir: content\nsite_url: https://example.org/b/\n{OURS}",
    "site_name: B # of it\nplugins:\n  - search\n  - rulewright: {short: none, headers: yes, trusted: off}\n",
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
IDLE = {
    "use_directory_urls: false\n": "3:1: note: use_directory_urls changes nothing",
    "theme: {name: material, palette: {primary: red}}\n": "3:35: note: primary changes nothing",
    "theme:\n  name: material\n  palette:\n    - accent: red\n": "6:7: note: accent changes nothing",
    "theme: {name: material, pallete: {}}\n": "3:25: note: pallete changes nothing; did you mean palette?",
    "theme: {name: material, features: [navigation.tab, mine]}\n": "3:36: note: navigation.tab changes",
    "extra: {socail: [], mine: 1}\n": "3:9: note: socail changes nothing; did you mean social?",
}


@pytest.mark.parametrize("what", WRONG)
def test_what_is_wrong_in_mkdocs_yml_is_told_at_its_place(what: str, base: Path) -> None:
    text, place, words = WRONG[what]
    (base / "mkdocs.yml").write_text(text)
    found = [one for one in told(base) if one.startswith(f"mkdocs.yml:{place}: ")]
    assert any(words in one for one in found), told(base)


@pytest.mark.parametrize("text", IDLE)
def test_a_setting_without_effect_is_noted(text: str, base: Path) -> None:
    (base / "mkdocs.yml").write_text(f"site_name: B\n{OURS}{text}")
    (said,) = told(base)
    assert said.startswith(f"mkdocs.yml:{IDLE[text]}")
    assert said.endswith("[site-setting-idle]")


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


TEMPLATES = {
    "a\n<<<<<<< HEAD\n": "main.html:2:1: error: a merge conflict was left here",
    "a\n{% include 'gone.html' %}\n": "main.html:2:1: error: there is no template gone.html",
    "{% extends 'gone.html' %}\n": "main.html:1:1: error: there is no template gone.html",
    "{{ a | nope }}\n": "main.html:1:1: error: this template breaks off: No filter named 'nope'.",
    "{% extends %}\n": "main.html:1:1: error: this template breaks off: ",
    "a\n{% if x %}\n": "main.html:2:1: error: this template breaks off: ",
    "{{ a }\n": "main.html:1:1: error: this template breaks off: ",
    "{% nope %}\n": "main.html:1:1: error: this template breaks off: Encountered unknown tag 'nope'.",
    "{% do [] %}\n": "main.html:1:1: error: this template breaks off: Encountered unknown tag 'do'.",
    "{% block a %}{% endblok %}\n": "main.html:1:1: error: this template breaks off: ",
}
THEMED = f"site_name: B\ntheme: {{name: material, custom_dir: mine}}\n{OURS}"


@pytest.mark.parametrize("text", TEMPLATES)
def test_a_template_that_is_none_is_told(text: str, base: Path) -> None:
    (base / "mine").mkdir()
    (base / "mkdocs.yml").write_text(THEMED)
    (base / "mine/main.html").write_text(text)
    (said,) = told(base)
    assert said.startswith(f"mine/{TEMPLATES[text]}")
    assert said.endswith(("[template-wrong]", "[merge-conflict]"))


@pytest.mark.parametrize("where", ["mine", "../mine"])
def test_icons_and_templates_of_pages_are_sought_there(where: str, base: Path) -> None:
    (base / "mkdocs.yml").write_text(THEMED.replace("mine", where))
    icons = base / where / ".icons/own"
    icons.mkdir(parents=True)
    (icons / "sword.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>')
    (base / where / "own.html").write_text("{% extends 'main.html' %}")
    page = base / "content/index.md"
    page.write_text("---\nicon: own/sword\ntemplate: own.html\n---\n# A\n")
    assert not told(base)
    page.write_text("---\nicon: own/sward\ntemplate: one.html\n---\n# A\n")
    assert [one[:21] for one in told(base)] == ["content/index.md:2:1:", "content/index.md:3:1:"]


@pytest.mark.parametrize("where", ["/", "..", "."])
def test_no_whole_disk_is_searched_for_templates(
    where: str, base: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (base / "mkdocs.yml").write_text(THEMED.replace("mine", where))
    monkeypatch.setattr(Path, "rglob", None)
    assert not told(base)


def test_a_template_that_includes_what_it_overrides_is_one(base: Path) -> None:
    (base / "mine/partials").mkdir(parents=True)
    (base / "mkdocs.yml").write_text(THEMED)
    (base / "mine/main.html").write_text("{% extends 'base.html' %}{% block site_name %}a{% endblock %}\n")
    (base / "mine/partials/nav.html").write_text(
        "{% include 'material/partials/nav.html' %}{% trans %}a{% endtrans %}\n"
    )
    assert not told(base)


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


@pytest.mark.parametrize(
    "value", ['"a\\0b"', f'"{"x" * 5_000}"', "'http://[::1'", '["a\\0"]', f"[{'x' * 5_000}]"]
)
@pytest.mark.parametrize("name", ["docs_dir", "hooks", "extra_css", "edit_uri", "watch", "INHERIT"])
def test_names_that_no_disk_holds_are_problems(name: str, value: str, base: Path) -> None:
    (base / "mkdocs.yml").write_text(f"site_name: B\n{OURS}{name}: {value}\n")
    assert told(base)
