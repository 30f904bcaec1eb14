"""`rulewright check`."""

import io
import json
from pathlib import Path

import pytest

from rulewright.app.cli import main
from rulewright.files import limits
from tests.commands.duel import BOOK, FAULTY, MISSING, printed, write
from tests.projects import files

TOP = Path(__file__).parents[2]


def test_all_is_well(said: pytest.CaptureFixture[str]) -> None:
    assert main(["check"]) == 0
    out, err = said.readouterr()
    assert out == ""
    assert err == ("Checked everything: 4 rules, 1 step, 1 reference. No problems.\n")


def test_problems(project: Path, said: pytest.CaptureFixture[str]) -> None:
    write(project, {"content/duel/1/sequence.yml": FAULTY})
    assert main(["check", "duel/1"]) == 1
    out, err = said.readouterr()
    assert out == MISSING
    assert err == ("Checked duel/1: 4 rules, 1 step, 2 references. 1 error.\n")


@pytest.mark.parametrize("name", ["text", "github", "json"])
def test_formats(project: Path, said: pytest.CaptureFixture[str], name: str) -> None:
    write(project, {"content/duel/1/sequence.yml": FAULTY})
    out = printed(said, "check", "--format", name, code=1)
    assert "reference-not-found" in out
    if name == "json":
        assert json.loads(out)


@pytest.mark.parametrize("book", ["duel", "duel/1", "content/duel/1/", "content/duel"])
def test_a_book_by_its_address_or_its_folder(said: pytest.CaptureFixture[str], book: str) -> None:
    assert main(["check", book]) == 0


def test_only_the_book_that_is_named(project: Path, said: pytest.CaptureFixture[str]) -> None:
    other = {name.replace("duel", "joust"): text for name, text in BOOK.items()}
    write(project, {**other, "content/joust/1/sequence.yml": FAULTY})
    assert main(["check", "duel"]) == 0
    assert main(["check", "joust"]) == 1
    assert main(["check"]) == 1


def test_excused_problems_are_counted(project: Path, said: pytest.CaptureFixture[str]) -> None:
    excuse = 'edition: "1"\nexcused:\n  - {code: reference-not-found, at: "1.9", reason: lost page}\n'
    write(project, {"content/duel/1/sequence.yml": FAULTY, "content/duel/1/edition.yml": excuse})
    assert main(["check"]) == 0
    out, err = said.readouterr()
    assert out == ""
    assert "No problems; 1 excused." in err


def test_a_project_without_content_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mkdocs.yml").write_text("site_name: Duel\n")
    assert main(["--project", str(tmp_path), "check"]) == 1
    assert "content:1:1: error: cannot be opened" in capsys.readouterr().out


def typed(monkeypatch: pytest.MonkeyPatch, words: bytes) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(words)))


def test_what_is_typed_is_checked_as_if_it_were_saved(project, said, monkeypatch):
    """Its own problems with the name of its file, and nothing is written; from a folder below as well."""
    before = files(project)
    monkeypatch.chdir(project / "content/duel")
    typed(monkeypatch, FAULTY.encode())
    assert printed(said, "check", "-", "--stdin-filename", "1/sequence.yml", code=1) == MISSING
    typed(monkeypatch, BOOK["content/duel/1/sequence.yml"].encode())
    assert printed(said, "check", "-", "--stdin-filename", "1/sequence.yml") == ""
    assert files(project) == before


def test_what_is_typed_makes_a_file_that_is_not_there_and_mends_one_that_is(project, said, monkeypatch):
    write(project, {"content/duel/1/sequence.yml": "steps: [\n"})
    typed(monkeypatch, BOOK["content/duel/1/sequence.yml"].encode())
    assert main(["check", "-", "--stdin-filename", "content/duel/1/sequence.yml"]) == 0
    typed(monkeypatch, b"\xff\xfe\x00")
    assert main(["check", "-", "--stdin-filename", "content/duel/1/rules/3-new.yml"]) == 1
    assert "content/duel/1/rules/3-new.yml:1:1: error: " in said.readouterr().out


def test_what_is_typed_is_bounded(said: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    typed(monkeypatch, b"#" * (limits.FILE.maximum + 1))
    assert main(["check", "-", "--stdin-filename", "content/duel/1/sequence.yml"]) == 2
    assert limits.FILE.describe in said.readouterr().err
