"""Hostile content, documents and names: each is a reported problem, and nothing crashes."""

import os
import shutil
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from rulewright.app.cli import main
from rulewright.checks.content_check import check_content
from rulewright.checks.load_and_check import load_and_check, load_and_check_folder
from rulewright.files import limits
from rulewright.files.content_reader import ContentFolder, read_content_folder
from rulewright.files.disk_cache import project_cache
from rulewright.files.filenames import MAX_BYTES, casefold_path
from rulewright.files.limits import BOUNDS
from rulewright.files.problems import KINDS, Problem
from rulewright.imports.sources.source_site import read_site
from tests.commands.duel import BOOK as DUEL
from tests.commands.duel import write
from tests.projects import ROOT, files
from tests.test_pictures import claiming

LONG = "9" * 5_000
BOOK = {
    "mkdocs.yml": "site_name: H\nplugins: [rulewright]\n",
    "content/h/rulebook.yml": 'title: H\nnumbers: "1.1a"\nchapters: "1.0"\ncues: [see]\n',
    "content/h/1/edition.yml": 'edition: "1"\n',
    "content/h/1/rules/1.yml": 'chapter: "1.0"\ntitle: Arms\n"1.1 Sword": A sword is sharp.\n',
}
BOMB = "a: &a [x, x]\n" + "".join(
    f"{b}: &{b} [{', '.join([f'*{a}'] * 9)}]\n" for a, b in pairwise("abcdefghi")
)
RULE = "chapter: '{0}.0'\ntitle: More\n'{0}.1 Row': {1}\n"


def table(roll: str, cell: str) -> str:
    head = f"title: W {roll[:3]}\nid: w{len(roll)}\nroll: {roll}\ncolumns: [A]\n"
    return f"{head}rows:\n  - {{roll: '{cell}', A: x}}\n"


def aid(keys: str) -> str:
    return f"title: {keys[:5]}\n{keys}\nblocks:\n  - rules: '1.1'\n"


HOSTILE: dict[str, tuple[str | bytes, str]] = {
    # Limits
    "1/long.md": ("x" * (limits.FILE.maximum + 1), "file-too-large"),
    "1/rules/20.yml": (RULE.format(20, "x" * (limits.TEXT.maximum + 1)), "text-too-long"),
    "1/tables/rows.yml": (
        "title: R\ncolumns: [A]\nrows:\n" + "- A: x\n" * (limits.LIST.maximum + 1),
        "list-too-long",
    ),
    "1/rules/21.yml": ("[" * (limits.NESTING.maximum + 2), "yaml-too-deep"),
    "1/rules/22.yml": ("- " * 200_000, "yaml-too-deep"),
    "1/aids/pages.yml": (aid(f"pages: {limits.PAGES.maximum + 1}"), "count-malformed"),
    "1/steps.md": ("[" * 20_000, "page-too-intricate"),
    # YAML
    "1/rules/30.yml": (BOMB, "yaml-alias"),
    "1/rules/31.yml": (b"\xff\xfe\0chapter", "file-not-utf8"),
    "1/rules/32.yml": (b"chapter: \xdcberfall", "file-not-utf8"),
    "1/rules/33.yml": ("chapter: '33.0'\n\ttext: x\n", "yaml-syntax"),
    "1/rules/34.yml": ("chapter: '34.0'\nchapter: '34.0'\n", "duplicate-key"),
    "1/rules/35.yml": ("!!python/object/apply:os.system [x]\n", "yaml-tag"),
    "1/rules/36.yml": ("<<<<<<< HEAD\nchapter: '36.0'\n", "yaml-syntax"),
    # Numbers nobody counts with
    "1/rules/40.yml": (f"chapter: '{LONG}.0'\n", "label-malformed"),
    "1/tables/dice.yml": (table(f"{LONG}d6", "1-6"), "dice-unknown"),
    "1/tables/cells.yml": (table("1d6", f"1-{LONG}"), "roll-malformed"),
    "1/aids/paper.yml": (aid(f"paper: {LONG} x {LONG} mm"), "paper-unknown"),
    "1/aids/bleed.yml": (aid(f"bleed: {LONG} mm"), "length-malformed"),
    # Content that runs, or asks for other files
    "1/script.md": ("# A\n\n<script>x()</script>\n", "page-markup-left-out"),
    "1/run.js": ("x()", "file-that-runs"),
    "1/words.png": (b"words", "picture-unreadable"),
    "1/open.svg": ("<svg>", "drawing-unreadable"),
    "1/entity.svg": ("<!DOCTYPE s [<!ENTITY a 'b'>]><svg>&a;</svg>", "drawing-unreadable"),
    "1/CON.png": (claiming(1, 1), "file-name-unusable"),
}


DEEP = "/".join("d" * (limits.NESTING.maximum - 1))
UNIX = sys.platform != "win32"


def found(folder: Path) -> dict[str, set[str]]:
    """The codes of all errors and warnings of a project, by the files that they name."""
    codes: dict[str, set[str]] = {}
    for problem in check_content(
        read_content_folder(folder), project_cache("examined", folder), folder
    ).problems:
        assert problem.place.line > 0
        assert len(str(problem)) < 1_000
        assert str(problem).isprintable()
        codes.setdefault(problem.place.file.removeprefix("content/h/"), set()).add(problem.code)
    return codes


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    folder = write(tmp_path_factory.mktemp("hostile"), BOOK)
    write(folder, {f"content/h/{name}": data for name, (data, _) in HOSTILE.items()})
    write(folder, {f"content/h/1/{DEEP}/x.txt": "words"})
    if UNIX:
        os.mkfifo(folder / "content/h/1/known.yml")  # a reader would wait for ever
        (folder / "content/h/1/out.md").symlink_to("/etc/hostname")
    return folder


def test_each_hostile_file_is_a_problem_at_its_place(hostile):
    codes = found(hostile)
    assert {name: code for name, (_, code) in HOSTILE.items() if code not in codes.get(name, ())} == {}
    assert codes.pop(f"1/{DEEP}") == {"folder-too-deep"}
    if UNIX:
        assert codes.pop("1/known.yml") == {"file-unreadable"}
        assert codes.pop("1/out.md") == {"link-leaves-content"}
    assert {*codes} == {*HOSTILE}


def test_the_site_of_it_is_refused_and_nothing_is_written(hostile, capsys):
    assert main(["build", "--no-print", "--strict", "--project", str(hostile)]) == 1
    captured = capsys.readouterr()
    assert "Traceback" not in captured.err
    assert all(name in captured.out + captured.err for name in ("20.yml", "30.yml", "long.md"))
    assert not (hostile / "site").exists()


def test_all_texts_together_have_a_limit(tmp_path, monkeypatch):
    monkeypatch.setattr(limits.CONTENT, "maximum", 400)
    write(tmp_path, {**BOOK, "content/h/1/p.md": "x" * 500})
    assert "content-too-large" in {code for codes in found(tmp_path).values() for code in codes}


LIMITS = {bound.code for bound in BOUNDS}


def test_each_limit_is_tried_and_the_security_policy_lists_it():
    tried = {code for _, code in HOSTILE.values()}
    assert LIMITS - tried == {"content-too-large", "aid-not-printable"}
    assert KINDS.keys() >= LIMITS
    policy = (ROOT / "SECURITY.md").read_text("utf-8")
    assert [bound for bound in BOUNDS if f"| {bound} | `{bound.code}` |\n" not in policy] == []


DOCUMENTS: dict[str, str | bytes] = {
    "brackets.md": "[" * 20_000,
    "lists.md": "".join("  " * depth + "- 1.1 a\n" for depth in range(300)),
    "labels.md": "".join(f"## {'1.' * n}1 A\n\nWords.\n\n" for n in range(60)),
    "digits.md": f"## {LONG}.1 A\n\nSee {LONG}.\n\n## 1.2 B\n",
    "matter.md": f"---\ntitle: {LONG}\n{BOMB}---\n## 1.1 A\n\n## 1.2 B\n",
    "nested.html": "<div>" * 5_000 + "<h2>1.1 A</h2>",
    "tables.html": "<h2>1.1 A</h2>" + "<table><tr><td rowspan=999999999 colspan=999999999>x" * 3,
    "signs.html": f"<h2>1.1 A &#{LONG};&#xd800;</h2><script>x</script><h2>1.2 B",
    "text.txt": "1.1 A\n" + "A. " * 20_000,
    "bytes.txt": bytes(range(256)) * 20,
    "bytes.docx": b"PK\3\4" + bytes(range(256)) * 4,
    "bytes.pdf": b"%PDF-1.7\n" + b"1 0 obj <<" * 200,
}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_hostile_document_is_imported_or_refused(name, tmp_path, monkeypatch, capsys):
    """The edition is there as a whole, or a problem says why there is none."""
    write(tmp_path, {**BOOK, f"in/{name}": DOCUMENTS[name]})
    monkeypatch.chdir(tmp_path)
    code = main(["import", "markdown", f"in/{name}", "content/n/1"])
    captured = capsys.readouterr()
    assert "Traceback" not in captured.err
    imported = files(tmp_path / "content/n/1") if (tmp_path / "content/n").exists() else {}
    if "import-report.json" in imported:
        assert "edition.yml" in imported
        assert [part for part in imported if part.startswith("rules/")]
        return
    assert not imported
    assert code == 1
    assert f"in/{name}" in captured.err
    assert "error: " in captured.err


@pytest.mark.parametrize("form", ["outline", "table"])
def test_a_hostile_text_is_read_or_refused(form, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(write(tmp_path, BOOK))
    for at, text in enumerate(("Phase (" * 900, "A. Phase\n" * 900, '"a,' * 9_000, "1.1.1" * 999, "\0")):
        write(tmp_path, {f"a{at}.{'csv' if form == 'table' else 'txt'}": text})
        name = next(one.name for one in tmp_path.glob(f"a{at}.*"))
        assert main(["import", form, name]) in (0, 1)
        assert "Traceback" not in capsys.readouterr().err


@pytest.mark.skipif(not UNIX, reason="needs symbolic links")
@pytest.mark.parametrize("link", ["content", "static", ""])
def test_no_link_of_a_site_leads_out_of_it(link, tmp_path):
    page = "---\ntitle: A\n---\n# 1.1 A\n\n![key](/key.png)\n"
    site, other = tmp_path / "site", tmp_path / "other"
    write(site, {"content/a.md": page, "hugo.toml": "a = 1\n"})
    write(other, {"a.md": page, "key.png": "secret"})
    if link:
        shutil.rmtree(site / link, ignore_errors=True)
        (site / link).symlink_to(other)
    read = read_site(site, is_hugo=True)
    assert not [path for path in read.files.values() if path.read_text() == "secret"]
    assert not [one for one in read.pages if Path(one.file.name).resolve().is_relative_to(other)]
    if link:
        assert "import-file-unreadable" in {problem.code for problem in read.problems}


@pytest.mark.skipif(not UNIX, reason="these names are refused there")
@pytest.mark.parametrize("name", [b"caf\xe9.yml", b"a\nb.md", b"a\x1b[31m.png"])
def test_names_that_cannot_be_printed(name, tmp_path):
    write(tmp_path, BOOK)
    try:
        Path(os.fsdecode(os.fsencode(tmp_path / "content") + b"/" + name)).write_bytes(b"")
    except OSError:
        pytest.skip("this file system takes no such name")
    assert [*found(tmp_path).values()] == [{"file-unreadable"}]


def test_too_many_files_and_too_many_errata_are_reported(tmp_path, monkeypatch):
    entry = "  - {{erratum: '{0}', date: 2024-01-01, rule: '1.1', insert: Word {0}.}}\n"
    errata = "errata:\n" + "".join(map(entry.format, range(201)))
    write(tmp_path, BOOK | {"content/h/1/errata.yml": errata})
    (problem,) = (one for one in load_and_check(tmp_path).problems if one.code == "errata-too-many")
    assert problem.place.line == 202
    monkeypatch.setattr(limits.LIST, "maximum", 3)
    assert "files-too-many" in {one.code for one in load_and_check(tmp_path).problems}


def name_problems(*others: str, book: str = "duel", edition: str = "1") -> list[Problem]:
    """The problems of a book with this folder and edition, and with these other files."""
    files = {
        name.replace("/duel/", f"/{book}/").replace("/1/", f"/{edition}/"): text.encode()
        for name, text in DUEL.items()
    }
    found = load_and_check_folder(ContentFolder(files, [f"content/{name}" for name in others])).problems
    return [one for one in found if one.code in ("folder-name-unusable", "file-name-unusable")]


GOOD = ["duel", "4.3", "12.5a", "Ärmel", "a b", "console", "com10", "2-supply", "x" * MAX_BYTES]
BAD = ["nul", "Aux.1", "COM1", "lpt².txt", "x?y", "a:b", 'a"b', "a*b", "a|b", "a\\b", "-rf", "1.", "1 "]
BAD += ["x" * (MAX_BYTES + 1), "ß" * (MAX_BYTES // 2 + 1)]
OWN = ["assets", "search", "checks", "problems", "sw.js", "404.html"]


@pytest.mark.parametrize("name", GOOD)
def test_names_that_will_do(name):
    assert name_problems(f"pictures/{name}", f"{name}/a.png", book=name) == []
    assert name_problems(edition=name) == []


@pytest.mark.parametrize("name", BAD)
def test_names_that_some_system_cannot_hold(name):
    (book,) = name_problems(book=name)
    assert (book.code, book.place.file) == ("folder-name-unusable", f"content/{name}/rulebook.yml")
    (edition,) = name_problems(edition=name)
    assert (edition.code, edition.place.line) == ("folder-name-unusable", 1)
    (picture,) = name_problems(f"pictures/{name}")
    assert (picture.code, picture.severity) == ("file-name-unusable", "warning")
    assert str(picture).endswith("; rename it [file-name-unusable]")


@pytest.mark.parametrize("name", OWN)
def test_names_that_the_site_needs(name):
    (book,) = name_problems(book=name)
    assert "the site needs it for pages of its own; rename it" in book.message
    assert name_problems(edition=name) == []
    assert [one.code for one in name_problems(f"{name}/map.png")] == ["file-name-unusable"]


@pytest.mark.parametrize(
    ("one", "other"), [("12.5A", "12.5a"), ("Straße", "STRASSE"), ("\u00e9", "e\u0301"), ("\u212b", "\u00e5")]
)
def test_names_that_some_system_takes_for_one(one, other):
    assert casefold_path(one) == casefold_path(other)
    files = {f"content/duel/{name}/edition.yml": b'edition: "1"' for name in (one, other)}
    files["content/duel/rulebook.yml"] = DUEL["content/duel/rulebook.yml"].encode()
    (problem,) = [
        p for p in load_and_check_folder(ContentFolder(files)).problems if p.code == "folder-name-unusable"
    ]
    assert "cannot be the name of a folder: some systems take it for" in problem.message
    found = name_problems(f"a/{one}.png", f"a/{other}.png", f"b/{one}.png")
    assert [p.code for p in found] == ["file-name-unusable"]
