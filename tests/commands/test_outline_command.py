"""`rulewright export outline`."""

from pathlib import Path

import pytest

from rulewright.app.cli import main
from tests.commands.duel import FAULTY, MISSING, printed, told, write


def test_to_standard_output(said: pytest.CaptureFixture[str]) -> None:
    assert "Fight [1.1]\n" in printed(said, "export", "outline", "duel")


def test_to_a_file(project: Path, said: pytest.CaptureFixture[str]) -> None:
    assert (
        main(
            [
                "export",
                "outline",
                "duel/1",
                "--format",
                "html",
                "--base",
                "https://x.org/",
                "--output",
                "o.html",
            ]
        )
        == 0
    )
    assert said.readouterr().out == ""
    assert 'href="https://x.org/duel/1/1-swords/#1.1"' in (project / "o.html").read_text("utf-8")
    assert [path.name for path in project.iterdir() if path.name.startswith(".")] == []


def test_a_file_that_cannot_be_written(said: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "outline", "duel", "--output", "no/such/folder"]) == 2
    assert said.readouterr().err == "rulewright: no/such/folder: No such file or directory\n"


def test_none_with_a_faulty_reference(project: Path, said: pytest.CaptureFixture[str]) -> None:
    write(project, {"content/duel/1/sequence.yml": FAULTY, "o.txt": "the last good one"})
    assert main(["export", "outline", "duel", "--output", "o.txt"]) == 1
    out, err = said.readouterr()
    assert out == ""
    assert err == f"{MISSING}rulewright: no outline of duel/1 until this is fixed\n"
    assert (project / "o.txt").read_text() == "the last good one"


def test_one_whose_fault_is_excused(project: Path, said: pytest.CaptureFixture[str]) -> None:
    excuse = 'edition: "1"\nexcused:\n  - {code: reference-not-found, at: "1.9", reason: lost page}\n'
    write(project, {"content/duel/1/sequence.yml": FAULTY, "content/duel/1/edition.yml": excuse})
    assert main(["export", "outline", "duel", "--format", "markdown"]) == 0
    assert r"Fight \[[1.1](duel/1/1-swords/#1.1), 1.9\]" in said.readouterr().out


def test_an_edition_that_cannot_be_read(project: Path, said: pytest.CaptureFixture[str]) -> None:
    write(project, {"content/duel/1/edition.yml": "edition: [\n"})
    assert "yaml-syntax" in told(said, "export", "outline", "duel/1")


def test_a_book_without_one(project: Path, said: pytest.CaptureFixture[str]) -> None:
    (project / "content/duel/1/sequence.yml").unlink()
    assert "no sequence of play" in told(said, "export", "outline", "duel/1", code=2)


def test_a_file_is_replaced_only_as_it_was_written_here(project, said):
    turn, command = project / "turn.txt", ["export", "outline", "duel/1", "--output", "turn.txt"]
    turn.write_text("mine")
    assert main(command) == 2
    assert "turn.txt was not written by this command, so it is not changed; --force" in said.readouterr().err
    assert turn.read_text() == "mine"
    assert main([*command, "--force"]) == 0
    written = turn.read_bytes()
    assert main([*command, "--format", "json"]) == 0  # what we wrote may be replaced
    assert turn.read_bytes() != written
    turn.write_bytes(written + b"edited")
    assert main(command) == 2
    assert "turn.txt has been edited since it was written" in said.readouterr().err
    turn.write_bytes(written)
    assert main(command) == 0  # it is what it would become
