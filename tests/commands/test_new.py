"""`rulewright new`: a game that builds at once, one read from a document, and the next edition of a book."""

import shutil
from pathlib import Path

import pytest

from rulewright.app.cli import main
from rulewright.checks.load_and_check import load_and_check
from tests.commands.duel import BOOK, write
from tests.own_library import library

ROOT = Path(__file__).parent.parent.parent
SETTINGS = "site_name: Library\nplugins: [rulewright]\n"


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def output_of(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    assert main(list(words)) == code
    captured = capsys.readouterr()
    return captured.out + captured.err


def problems(project: Path) -> list[str]:
    return [str(one) for one in load_and_check(project).problems]


def test_a_new_game_has_nothing_wrong_and_tells_the_next_command(here, capsys):
    captured = output_of(capsys, "new", "mule-pass")
    assert captured.splitlines()[-1] == "Next: cd mule-pass && rulewright serve"
    project = here / "mule-pass"
    assert problems(project) == []
    assert len((project / "mkdocs.yml").read_text().splitlines()) <= 12
    (outline,) = load_and_check(project).index.outlines.values()
    assert outline.edition.book.title == "Mule Pass"
    assert len(outline.chapters) == 2
    assert [step.step.kind for step in outline.sequence.steps] == ["player turn", "player turn"]
    assert {one.name for one in project.iterdir()} >= {".gitignore", ".vscode", ".github", "content"}
    assert output_of(capsys, "build", "--no-print", "--strict", "--project", str(project))


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["new"], "one folder or edition is expected"),
        (["new", "a", "b"], "one folder or edition is expected"),
        (["new", "there"], "already exists"),
        (["new", "x", "--numbers", "zzz", "--from", "none.md"], "write a number as it is printed"),
        (["new", "x", "--from", "none.md"], "does not exist"),
        (["new", "edition", "duel/2"], "duel/2 needs a predecessor"),
    ],
)
def test_a_failed_start_leaves_no_files(here, capsys, words, why):
    (here / "there").mkdir()
    (here / "there/mine.txt").write_text("mine")
    assert why in output_of(capsys, *words, code=2)
    assert sorted(path.name for path in here.rglob("*")) == ["mine.txt", "there"]


# A rulebook in a document

GOING = "# 1.0 Going\n\n## 1.1 Far\n\nSee 1.2.\n\n## 1.2 Near\n\nSo.\n\n# 2.0 Ending\n\n2.1 Now (1.1).\n"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("rules.md", GOING),
        ("rules.txt", "1.0 Going\n1.1 Far\nSee 1.2.\n1.2 Near\nSo.\n\n2.0 Ending\n2.1 Now (1.1).\n"),
        ("rules", GOING),
    ],
)
def test_a_rulebook_in_markdown_or_text_becomes_a_game(here, capsys, name, text):
    file = here / name if "." in name else here / name / "all.md"
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)
    output_of(capsys, "new", "game", "--from", name)
    (outline,) = load_and_check(here / "game").index.outlines.values()
    assert [*outline.entries] == ["1.0", "1.1", "1.2", "2.0", "2.1"]
    assert [one for one in load_and_check(here / "game").problems if one.is_failure] == []


# The next edition

EDITIONS = [
    path.parent.relative_to(ROOT / "content").as_posix()
    for path in sorted((ROOT / "content").glob("*/*/edition.yml"))
]


@pytest.mark.thorough
@pytest.mark.parametrize("old", EDITIONS)
def test_the_next_edition_of_each_book_says_the_same_and_has_nothing_wrong(here, capsys, old):
    for book in {old.partition("/")[0], *(["ember-coast"] if old.startswith("last-ember") else [])}:
        shutil.copytree(ROOT / "content" / book, here / "content" / book)
    write(here, {"mkdocs.yml": SETTINGS})
    new = f"{old.partition('/')[0]}/next"
    output_of(capsys, "new", "edition", new, "--from", old)
    after = load_and_check(here)
    assert [one for one in after.problems if one.is_failure] == []
    was, now = library().index.outlines[old], after.index.outlines[new]
    assert str(now.edition.edition_file.follows) == old.partition("/")[2]
    assert [*was.entries] == [*now.entries]
    for key, entry in was.entries.items():
        assert (entry.rule and str(entry.rule.text or "")) == (
            now.entries[key].rule and str(now.entries[key].rule.text or "")
        ), key
    texts = [path.read_text() for path in (here / "content" / new).rglob("*.yml")]
    assert not any(" was:" in text for text in texts)
    assert (here / "content" / new / "references.lock").exists() == (
        here / "content" / old / "references.lock"
    ).exists()


def test_warnings_do_not_stop_a_new_edition_and_errors_do(here, capsys):
    rules = 'chapter: "1.0"\ntitle: Swords\n"1.1": Parry.\n"1.4": "{}"\n'
    write(
        here, {**{name: text for name, text in BOOK.items() if "known" not in name}, "mkdocs.yml": SETTINGS}
    )
    (file := here / "content/duel/1/rules/1.yml").parent.mkdir()
    file.write_text(rules.format("See 1.9."))
    assert "no rule 1.9" in output_of(capsys, "new", "edition", "duel/2", "--from", "duel/1", code=1)
    assert not (here / "content/duel/2").exists()
    file.write_text(rules.format("See 1.1."))
    assert [problem.code for problem in load_and_check(here).problems if problem.is_failure] == ["number-gap"]
    output_of(capsys, "new", "edition", "duel/2", "--from", "duel/1")
    assert (here / "content/duel/2/rules/1.yml").exists()


ERRATA = """errata:
  - {erratum: "1", date: "2025-01-01", rule: "1.1", replace: Parry, with: "Strike: slowly, # 3,"}
  - {erratum: "2", date: "2025-01-01", rule: "1.1", insert: "Or not, as he likes.", after: "once."}
  - {erratum: "3", date: "2025-01-01", rule: "1.2", delete: "each turn"}
  - {erratum: "4", date: "2025-01-01", rule: "1.1", says: It is meant so.}
  - {erratum: "5", date: "2025-01-01", status: draft, rule: "1.2", delete: Lunge}
"""


@pytest.mark.parametrize(
    "text",
    [
        "text: Parry at once. See 1.2.",
        "text: 'Parry at once. See 1.2.'",
        "text: |\n    Parry at\n    once. See 1.2.",
    ],
)
def test_errata_become_the_words_of_the_next_edition(here, capsys, text):
    rules = f'chapter: "1.0"\ntitle: Swords\n"1.1":\n  {text}\n"1.2": Lunge once each turn.\n'
    own = {"content/duel/1/rules/1.yml": rules, "content/duel/1/errata.yml": ERRATA, "mkdocs.yml": SETTINGS}
    write(here, {**{name: text for name, text in BOOK.items() if "known" not in name}, **own})
    before = load_and_check(here).index.outlines["duel/1"]
    output_of(capsys, "new", "edition", "duel/2", "--from", "duel/1")
    after = load_and_check(here)
    now = after.index.outlines["duel/2"]
    for key in ("1.1", "1.2"):
        assert str(now.entries[key].rule.text).split() == str(before.entries[key].rule.text).split()
    left = (here / "content/duel/2/errata.yml").read_text()
    assert [line.split('"')[1] for line in left.splitlines() if "erratum:" in line] == ["4", "5"]
    assert [
        one for one in after.problems if one.is_failure and one.place.file.startswith("content/duel/2")
    ] == []
    assert "already exists" in output_of(capsys, "new", "edition", "duel/2", "--from", "duel/1", code=2)
