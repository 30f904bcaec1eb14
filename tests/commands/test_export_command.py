"""`rulewright export`."""

import json
import os
from pathlib import Path

import pytest

from rulewright.app import build_pipeline
from rulewright.app.cli import main
from rulewright.files.problems import KINDS, SourceLocation
from rulewright.render.build_artifacts import Artifacts
from tests.commands.duel import MADE, write

EXPORTED = {
    "index.html", "duel/1/index.html", "duel/faq.md", "r/duel/1/1.1/index.html", "map.svg", "pages.json",
}  # fmt: skip


@pytest.fixture(autouse=True)
def made(monkeypatch: pytest.MonkeyPatch) -> None:
    """The line, which makes two pages in no time."""
    monkeypatch.setattr(build_pipeline, "build", lambda project, cache=None: MADE)


def files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_pages_and_their_index(project: Path, said: pytest.CaptureFixture[str]) -> None:
    write(project, {"content/duel/1/sword.png": b"\x89PNG"})
    assert main(["export", "pages", "out"]) == 0
    assert files(project / "out") == EXPORTED | {"duel/1/sword.png"}
    assert (project / "out/duel/1/index.html").read_text() == "<h1>Duel 1</h1>"
    index = json.loads((project / "out/pages.json").read_text("utf-8"))
    assert index["nav"] == [
        {
            "title": "Duel 1",
            "path": "duel/1",
            "branches": [{"title": "FAQ", "path": "duel/faq", "branches": []}],
        }
    ]
    assert [(page["path"], page["file"]) for page in index["pages"]] == [
        ("", "index.html"),
        ("duel/1", "duel/1/index.html"),
    ]
    assert index["pages"][1]["sections"] == [{"anchor": "a", "title": "A", "level": 1, "text": "words"}]
    assert index["pages"][1]["source"] == {"file": "content/duel/1/edition.yml", "line": 2}
    assert set(index["files"]) == files(project / "out") - {"pages.json"}


def test_a_folder_that_is_not_empty_is_left_alone(project: Path, said: pytest.CaptureFixture[str]) -> None:
    write(project, {"out/mine.txt": "mine", "file": ""})
    assert main(["export", "pages", "out"]) == 2
    assert files(project / "out") == {"mine.txt"}
    assert main(["export", "pages", "file"]) == 2


def test_force_replaces_what_an_earlier_export_left_and_nothing_else(project, said, monkeypatch):
    write(project, {"out/mine.txt": "mine"})
    assert main(["export", "pages", "out", "--force"]) == 0
    assert files(project / "out") == EXPORTED | {"mine.txt"}
    monkeypatch.setattr(build_pipeline, "build", lambda project: Artifacts(pages=MADE.pages[:1]))
    assert main(["export", "pages", "out", "--force"]) == 0
    assert files(project / "out") == {"index.html", "pages.json", "mine.txt"}
    assert not (project / "out/duel").exists()


def test_an_index_that_lies_deletes_nothing_outside(project: Path) -> None:
    write(project, {"out/pages.json": '{"files": ["../mine.txt", 7, "/etc/hosts"]}', "mine.txt": "mine"})
    assert main(["export", "pages", "out", "--force"]) == 0
    assert (project / "mine.txt").is_file()


def test_nothing_while_there_are_errors(project, said, monkeypatch):
    problem = KINDS["reference-not-found"].problem(SourceLocation("content/x.yml"), "no rule 1.9")
    monkeypatch.setattr(
        build_pipeline, "build", lambda project: Artifacts(pages=MADE.pages, problems=(problem,))
    )
    assert main(["export", "pages", "out"]) == 1
    assert "content/x.yml:1:1: error: no rule 1.9 [reference-not-found]" in said.readouterr().err
    assert not (project / "out").exists()


def test_a_file_of_another_sort_is_not_replaced(project, said):
    mine = project / "mine.zip"
    mine.write_text("precious")
    assert main(["export", "zip", "mine.zip"]) == 2
    assert "was not written by this command, so it is not changed; --force" in said.readouterr().err
    assert mine.read_text() == "precious"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no such files")
def test_what_is_no_ordinary_file_is_written_to_and_stays(project, said):
    os.mkfifo(project / "pipe")
    reader = os.open(project / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    assert main(["export", "outline", "duel", "--output", "pipe"]) == 0
    assert b"Fight" in os.read(reader, 10_000)
    os.close(reader)
    assert (project / "pipe").is_fifo()


def test_no_list_makes_an_export_delete_or_replace_what_it_did_not_write(project, said):
    """A list comes with the folder that it lies in, and says what it likes."""
    mine = {"thesis.txt": "precious", "duel/1/index.html": "precious"}
    listed = json.dumps({"files": [*mine], "sums": dict.fromkeys(mine, "0" * 64)})
    write(project / "out", {"pages.json": listed, "thesis.txt": "precious"})
    assert main(["export", "pages", "out", "--force"]) == 0
    assert (project / "out/thesis.txt").read_text() == "precious"
    write(project / "out", mine)
    assert main(["export", "pages", "out", "--force"]) == 2
    assert "out/duel/1/index.html would be replaced, which no export wrote" in said.readouterr().err
    assert {name: (project / "out" / name).read_text() for name in mine} == mine
