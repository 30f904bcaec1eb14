"""`rulewright export schema`."""

import shutil
from pathlib import Path

import pytest

from rulewright.app.cli import main
from rulewright.book.schema import MODELS
from tests.commands.duel import BOOK, told, write


def test_names_itself_in_every_content_file(project: Path) -> None:
    for name, text in BOOK.items():
        first, rest = (project / name).read_text("utf-8").split("\n", 1)
        folder = (project / name).parent
        assert (folder / first.removeprefix("# yaml-language-server: $schema=")).is_file()
        assert rest == text


def test_nothing_else_is_replaced_and_no_link_followed(project, said, tmp_path):
    write(tmp_path / "mine", {"table.json": '{"chairs": 4}'})
    assert main(["export", "schema", str(tmp_path / "mine")]) == 2
    assert "table.json is no schema, and one would replace it" in said.readouterr().err
    assert (tmp_path / "mine/table.json").read_text() == '{"chairs": 4}'
    shutil.rmtree(project / "content/.schema")
    (project / "content/.schema").symlink_to(tmp_path / "mine")
    assert "leads out of" in told(said, "export", "schema", code=2)
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["table.json"]


def test_to_another_folder(project: Path, said: pytest.CaptureFixture[str]) -> None:
    write(project, {"content/duel/1/known.yml": "known: []\n"})
    assert main(["export", "schema", "out"]) == 0
    assert {path.name for path in (project / "out").iterdir()} == {f"{name}.json" for name in MODELS}
    assert (project / "content/duel/1/known.yml").read_text() == "known: []\n"
