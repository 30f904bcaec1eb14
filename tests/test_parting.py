"""Rules moved with room made for them, split, merged: references follow, and --undo gives each byte back."""

from pathlib import Path

import pytest

from rulewright.app.cli import main
from rulewright.checks.examine import examine
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
  "1.3a Camp": Camps are made, see 1.2.
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
def project(tmp_path: Path) -> Path:
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
    assert not [one for one in examine(project).problems if one.fails]
    assert main(["--project", str(project), "renumber", "b", "--undo"]) == 0
    assert _files(project) == before
    assert main(["--project", str(project), *words]) == 0
    assert _files(project) == after
    return after


def test_a_rule_is_merged_into_one_before_it(project: Path) -> None:
    _changed(project, "renumber", "b", "1.3", "1.2", "--taken", "merge")
    said = _read(project, "rules/1.yml")
    assert '"1.3 Rest"' not in said
    assert "**Rest**" in said
    assert '"1.2b Camp":\n    formerly: ["1.3a"]\n    text: Camps are made, see 1.2.' in said
    assert "see 1.2, 1.2b and 2.1" in said
    assert "See 1.2, 1.2a, 1.2c and 2.2." in _read(project, "faq.md")
    assert "A convoy may go on, see 1.2." in said
    assert 'formerly: ["1.3"]' in said


def test_words_without_a_title_are_a_paragraph(project: Path) -> None:
    _changed(project, "renumber", "b", "1.3b", "1.3a", "--taken", "merge")
    assert "Camps are made, see 1.2.\n\n      Fires are lit.\n" in _read(project, "rules/1.yml")


def test_a_rule_of_another_chapter_is_merged(project: Path) -> None:
    _changed(project, "renumber", "b", "2.2", "1.4", "--taken", "merge")
    assert "See 1.1-1.3: 'all'.\n\n    **Close Combat** Combat (2.1) follows.\n" in _read(
        project, "rules/1.yml"
    )


def test_a_rule_is_split(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("insert", "b", "1.3", "--title", "Convoys", "--split", "1.2 A convoy may")
    _changed(project, *words)
    said = _read(project, "rules/1.yml")
    assert '"1.3 Convoys":' in said
    assert "A convoy may go on, see 1.4." in said.partition('"1.3 Convoys"')[2].partition('"1.4')[0]
    assert "See 1.1-1.4" in said
    assert "content/b/1/faq.md:3:5: read again: 1.2 was split; 1.3 may be meant" in capsys.readouterr().out


def test_a_rule_is_moved_with_room_made(project: Path) -> None:
    _changed(project, "renumber", "b", "1.2", "2.1", "--taken", "shift")
    said = _read(project, "rules/2.yml")
    assert [line[1:4] for line in said.splitlines() if line.startswith('"')] == ["2.1", "2.2", "2.3"]
    assert "See 2.1, 2.1a, 1.2b and 2.3." in _read(project, "faq.md")


def test_a_rule_is_moved_within_its_row(project: Path) -> None:
    _changed(project, "renumber", "b", "1.4", "1.2", "--taken", "shift")
    said = _read(project, "rules/1.yml")
    heads = [line.split('"')[1] for line in said.splitlines() if line.startswith('"')]
    assert heads == ["1.1 Roads", "1.2 Short", "1.3 Marching", "1.4 Rest"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["renumber", "b", "1.2", "1.3", "--taken", "merge"], "1.3 has to stand before 1.2"),
        (["renumber", "b", "1.2a", "1.2", "--taken", "merge"], "outside of it"),
        (["renumber", "b", "1.9", "1.2", "--taken", "merge"], "1.9 is not transcribed"),
        (["renumber", "b", "1.3", "1.2", "--taken", "merge", "--undo"], "changes of their own"),
        (["renumber", "b", "--undo"], "nothing is known here"),
        (["renumber", "b", "1.2", "1.2", "--taken", "shift"], "1.2 is 1.2 already"),
        (["insert", "b", "1.3", "--split", "1.2"], "say with which words of 1.2"),
        (["insert", "b", "1.3", "--split", "1.2 Nowhere"], "is not in its text"),
        (["insert", "b", "1.3", "--split", "1.2 A column"], "nothing would be left"),
        (["insert", "b", "2.2", "--split", "1.2 A convoy"], "within its chapter"),
    ],
)
def test_what_cannot_be_is_refused(
    project: Path, words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = _files(project)
    assert main(["--project", str(project), *words]) != 0
    assert said in capsys.readouterr().err
    assert _files(project) == before


def test_what_was_changed_since_is_not_undone(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--project", str(project), "renumber", "b", "2.2", "2.3"]) == 0
    file = project / "content/b/1/rules/2.yml"
    file.write_text(file.read_text().replace("Fire,", "Fires,"))
    assert main(["--project", str(project), "renumber", "b", "--undo"]) == 2
    assert "rules/2.yml has been changed since" in capsys.readouterr().err
