"""Rules inserted, split, merged: references follow, and --undo restores each byte."""

from pathlib import Path

import pytest

from rulewright.app.cli import main
from rulewright.checks.load_and_check import load_and_check
from tests.commands.duel import write

BOOK = {
    "mkdocs.yml": "site_name: B\nplugins: [rulewright]\n",
    "content/b/rulebook.yml": 'title: B\nnumbers: "1.1a(A)"\nchapters: "1.0"\ncues: [see]\n',
    "content/b/1/edition.yml": 'edition: "1"\n',
    "content/b/1/known.yml": 'lists: cited\nknown:\n  - {number: "1.9"}\n  - {number: "3.0", title: Later}\n',
    "content/b/1/rules/1.yml": """\
chapter: "1.0"
title: Moving
"1.1 Roads":
  text: Roads are quick (see 1.2, 1.3a and 2.1).
# about marching
"1.2 Marching":
  text: |
    A column marches. It stops at dusk (1.1).

    A convoy may go on, see 1.3.
  "1.2a Night": Nobody marches at night.
"1.3 Rest": # a note
  "1.3a Camp": Camps are built, see 1.2.
  "1.3b": Fires are lit.
"1.4 Short": "See 1.1-1.3: 'all'."
""",
    "content/b/1/rules/2.yml": """\
chapter: "2.0"
title: Fighting
"2.1 Fire": "Fire, see 1.3b."
"2.2 Close Combat": |
  Combat (2.1) follows.
""",
    "content/b/1/faq.md": "# FAQ\n\nSee 1.2, 1.2a, 1.3b and 2.2.\n",
}


@pytest.fixture
def project(tmp_path):
    folder = write(tmp_path, BOOK)
    assert main(["--project", str(folder), "check", "--accept"]) == 0
    return folder


def _files(project: Path) -> dict[str, bytes]:
    return {str(one): one.read_bytes() for one in sorted((project / "content").rglob("*")) if one.is_file()}


def _read(project: Path, name: str) -> str:
    return (project / "content/b/1" / name).read_text()


def _changed(project: Path, *words: str) -> dict[str, bytes]:
    """Make a change that can be taken back, and return the files as they are after it."""
    before = _files(project)
    assert main(["--project", str(project), *words, "--dry-run"]) == 0
    assert _files(project) == before
    assert main(["--project", str(project), *words]) == 0
    after = _files(project)
    assert after != before
    assert not [one for one in load_and_check(project).problems if one.is_failure]
    assert main(["--project", str(project), "renumber", "b", "--undo"]) == 0
    assert _files(project) == before
    assert main(["--project", str(project), *words]) == 0
    assert _files(project) == after
    return after


def test_a_rule_is_moved_and_others_make_room(project):
    _changed(project, "renumber", "b", "1.2", "2.1", "--shift")
    content = _read(project, "rules/2.yml")
    assert [line[1:4] for line in content.splitlines() if line.startswith('"')] == ["2.1", "2.2", "2.3"]
    assert "See 2.1, 2.1a, 1.2b and 2.3." in _read(project, "faq.md")


def test_a_rule_is_moved_within_its_row(project):
    _changed(project, "renumber", "b", "1.4", "1.2", "--shift")
    content = _read(project, "rules/1.yml")
    heads = [line.split('"')[1] for line in content.splitlines() if line.startswith('"')]
    assert heads == ["1.1 Roads", "1.2 Short", "1.3 Marching", "1.4 Rest"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["renumber", "b", "--undo"], "there is no change to undo"),
        (["renumber", "b", "1.2", "1.2", "--shift"], "1.2 is already 1.2"),
    ],
)
def test_what_cannot_be_is_refused(project, words, message, capsys):
    before = _files(project)
    assert main(["--project", str(project), *words]) != 0
    assert message in capsys.readouterr().err
    assert _files(project) == before


def test_what_was_changed_since_is_not_undone(project, capsys):
    assert main(["--project", str(project), "renumber", "b", "2.2", "2.3"]) == 0
    file = project / "content/b/1/rules/2.yml"
    file.write_text(file.read_text().replace("Fire,", "Fires,"))
    assert main(["--project", str(project), "renumber", "b", "--undo"]) == 2
    assert "rules/2.yml has been changed since" in capsys.readouterr().err
