"""`rulewright renumber`, `insert` and `retire`: what they make of files, and what they say."""

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from rulewright.app.cli import main
from tests.casefiles import Case, cases
from tests.commands.duel import errors_of, write
from tests.projects import files

CASES = cases("renumbering")


def laid_out(case: Case, folder: Path) -> Path:
    """The files of a case in a project."""
    kinds = ("yaml ", "markdown ")
    given = {info.split(" ", 1)[1]: text for info, text in case.blocks if info.startswith(kinds)}
    return write(folder, given)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_cases(case, tmp_path, capsys):
    project = laid_out(case, tmp_path)
    before = files(project)
    code = main(["--project", str(project), *shlex.split(case.text("command"))])
    out, err = capsys.readouterr()
    case.agrees(out + err, case.text("output"))
    becomes = {info.split(" ", 1)[1]: text for info, text in case.blocks if info.startswith("becomes ")}
    for name, text in becomes.items():
        case.agrees((project / name).read_text(), text)
    assert (code == 0) == bool(becomes)
    if not becomes:
        assert files(project) == before


@pytest.mark.parametrize(
    "case", [case for case in CASES if re.search("renumber (?!.*--retire)", case.text("command"))], ids=str
)
def test_taking_it_back_restores_every_byte(case, tmp_path, capsys):
    project = laid_out(case, tmp_path)
    before = files(project)
    if main(["--project", str(project), *shlex.split(case.text("command"))]):
        return
    back = capsys.readouterr().out.rpartition("rulewright ")[2].strip()
    assert main(["--project", str(project), *shlex.split(back), "--force"]) == 0
    assert files(project) == before


def test_a_dry_run_shows_a_diff_and_writes_nothing(project, output):
    before = files(project)
    assert main(["renumber", "duel", "1.2", "1.3", "--dry-run"]) == 0
    out, err = output.readouterr()
    assert (
        '-  - {number: "1.2", title: Lunge}\n+  - {number: "1.3", formerly: ["1.2"], title: Lunge}\n' in out
    )
    assert err.endswith("1 file changed.\nNothing was written.\n")
    assert files(project) == before


def test_the_diff_can_be_applied(project, output):
    subprocess.run(["git", "init", "-q"], cwd=project, check=True)
    assert main(["renumber", "duel", "1.1=1.2", "1.2=1.1", "--dry-run"]) == 0
    subprocess.run(["git", "apply"], cwd=project, input=output.readouterr().out, text=True, check=True)
    assert '"1.2", formerly: ["1.1"], title: Parry' in (project / "content/duel/1/known.yml").read_text()
    assert 'see: "1.2"' in (project / "content/duel/1/sequence.yml").read_text()


def test_files_that_cannot_be_read_may_hide_references(project, output):
    for name, data in (
        ("content/duel/1/rules/1.yml", b'chapter: "1.0\n'),
        ("content/joust/rulebook.yml", b"title: [[duel:1.2]]\n"),
        ("content/faq.md", b"\xff [[duel/1:1.2]]"),
    ):
        write(project, {name: data})
        assert f"{name} cannot be read whole" in errors_of(output, "renumber", "duel", "1.2", "1.3", code=2)
        (project / name).unlink()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["1.2"], "1.2 is not a pair of numbers; write OLD NEW or OLD=NEW"),
        (["1.2=1.3", "1.1"], "1.1 is not a pair of numbers; write OLD NEW or OLD=NEW"),
        (["1.2=1.3", "1.2=1.4"], "1.2 is already to become 1.3"),
        (["1.1=1.3", "1.2=1.3"], "1.1 and 1.2 cannot both become 1.3"),
        (["1.2", "1.2"], "1.2 is already 1.2"),
        (["1.2", "two"], "two is no number as this book writes them, like 1.1a"),
        (["1.1", "1.1b"], "1.1b would be in 1.1, which does not exist; renumber into an existing rule"),
    ],
)
def test_what_cannot_be(project, output, words, message):
    before = files(project)
    assert errors_of(output, "renumber", "duel", *words, code=2) == f"rulewright: {message}\n"
    assert files(project) == before


REAL = Path(__file__).parents[2] / "content"


@pytest.mark.parametrize(
    ("book", "numbers"),
    [
        ("asl", ["A9.2=A23", "A23=A9.2"]),  # (22-23) and 9.2 lose their short forms
        ("asl", ["A12.122", "D6.2"]),  # 12.12-.122 is no range any more
        ("ocs/4.3", ["2.3=2.4", "2.4=2.3"]),
        ("eastern-front", ["4.A", "4.F"]),
    ],
)
def test_undo_restores_the_real_books_and_the_change(tmp_path, book, numbers):
    name = book.partition("/")[0]
    books = shutil.copytree(REAL / name, tmp_path / "content" / name).parents[1]
    before = files(books)
    assert main(["--project", str(books), "renumber", book, *numbers, "--force"]) == 0
    changed = files(books)
    assert changed != before
    assert main(["--project", str(books), "renumber", book, "--undo"]) == 0
    assert files(books) == before
    assert main(["--project", str(books), "renumber", book, "--undo"]) == 0
    assert files(books) == changed
