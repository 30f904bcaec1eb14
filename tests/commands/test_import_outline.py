"""`rulewright import outline`."""

from pathlib import Path

import pytest

from rulewright.app.cli import main
from rulewright.checks.load_and_check import load_and_check
from tests.commands.duel import told, write

TEXT = "Order\n1. Fight Phase. Duellists lunge, see 1.2 and 7.9.\n2. Rest Phase (RP)\n"


@pytest.fixture
def text(project: Path, said: pytest.CaptureFixture[str]) -> Path:
    return write(project, {"order.txt": TEXT})


def test_into_an_edition(text: Path, said: pytest.CaptureFixture[str]) -> None:
    (text / "content/duel/1/sequence.yml").unlink()
    assert main(["import", "outline", "order.txt", "content/duel/1"]) == 0
    written = (text / "content/duel/1/sequence.yml").read_text()
    assert written.startswith("# Made from ")
    told = said.readouterr().err
    assert told.startswith(f"content/duel/1/sequence.yml written; {written.count('# guess:')} comment")
    phases = load_and_check(text).library.editions["duel/1"].sequence.steps
    assert [str(phase.abbreviation or "") for phase in phases] == ["", "RP"]


def test_nothing_is_replaced_without_force(text: Path, said: pytest.CaptureFixture[str]) -> None:
    before = (text / "content/duel/1/sequence.yml").read_text()
    assert main(["import", "outline", "order.txt", "duel/1"]) == 2
    assert "sequence.yml already exists; --force replaces it" in said.readouterr().err
    assert (text / "content/duel/1/sequence.yml").read_text() == before
    assert main(["import", "outline", "order.txt", "duel/1", "--force"]) == 0
    once = (text / "content/duel/1/sequence.yml").read_text()
    assert once != before
    assert main(["import", "outline", "order.txt", "duel/1", "--force"]) == 0
    assert (text / "content/duel/1/sequence.yml").read_text() == once


def test_the_book_says_who_plays_and_what_a_number_is(text: Path, said: pytest.CaptureFixture[str]) -> None:
    book = 'title: Duel\nnumbers: "A1.1"\nchapters: [A]\nroles: {phasing: {title: Challenger}}\n'
    write(
        text,
        {"content/duel/rulebook.yml": book, "order.txt": "1. Fight Phase. The Challenger lunges (1.2).\n"},
    )
    assert main(["import", "outline", "order.txt", "new/sequence.yml"]) == 0
    assert "by:" not in (text / "new/sequence.yml").read_text(), "it is in no book"
    assert main(["import", "outline", "order.txt", "content/duel/2/sequence.yml"]) == 0
    written = (text / "content/duel/2/sequence.yml").read_text()
    assert "by: phasing" in written
    assert "see:" not in written


@pytest.mark.parametrize(
    ("name", "content", "said_of_it"),
    [
        ("empty.txt", b"", "no line reads like a step"),
        (
            "prose.txt",
            b"The players take turns until it is dark, and then they rest.\n",
            "no line reads like",
        ),
        ("old.txt", b"A. \xdcberfall", "is not UTF-8"),
        ("picture.png", b"\x89PNG\r\n\x1a\n\0\0", "is not UTF-8"),
    ],
)
def test_what_is_no_sequence(project, said, name, content, said_of_it):
    write(project, {name: content})
    assert said_of_it in told(said, "import", "outline", name, "content/duel/2")
    assert not (project / "content/duel/2").exists()
