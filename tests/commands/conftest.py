"""A project with one small book, in which the commands are used."""

from pathlib import Path

import pytest

from tests.commands.duel import BOOK, write


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with one small book, in which the command line is used."""
    settings = "site_name: Duel\ndocs_dir: content\nplugins: [rulewright]\n"
    folder = write(tmp_path / "project", {**BOOK, "mkdocs.yml": settings})
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def said(project: Path, capsys: pytest.CaptureFixture[str]) -> pytest.CaptureFixture[str]:
    """What the commands print in the project."""
    capsys.readouterr()
    return capsys
