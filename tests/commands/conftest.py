"""A project with one small book, in which the commands are used."""

import pytest

from tests.commands.duel import BOOK, write


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A project with one small book, in which the command line is used."""
    settings = "site_name: Duel\ndocs_dir: content\nplugins: [rulewright]\n"
    folder = write(tmp_path / "project", {**BOOK, "mkdocs.yml": settings})
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def output(project, capsys):
    """The output of the commands in the project."""
    capsys.readouterr()
    return capsys
