"""Old numbers lead to where their rules are, on the site as in the books."""

import re
from pathlib import Path

import pytest

from rulewright.app.build import build
from rulewright.app.cli import main
from rulewright.checks.examine import examine
from rulewright.site.artifacts import Artifacts
from tests.commands.duel import write

BOOK = {
    "content/x/rulebook.yml": 'title: X\nnumbers: "1.1a"\nchapters: "1.0"\ncues: [see]\n',
    "content/x/1/edition.yml": 'edition: "1"\n',
    "content/x/1/rules/1.yml": (
        'chapter: "1.0"\ntitle: Ships\nrules:\n'
        '  - number: "1.1"\n    rules:\n      - {number: "1.1a", text: Sails.}\n'
        '  - {number: "1.2", text: See 1.1a., retired: "yes", replaced by: "1.1"}\n'
    ),
    "content/x/1/rules/2.yml": 'chapter: "2.0"\ntitle: Boats\nrules:\n  - {number: "2.1"}\n',
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return write(tmp_path, BOOK | {"mkdocs.yml": "plugins:\n  - rulewright: {short: pages}\n"})


def made(project: Path, *commands: list[str]) -> Artifacts:
    for command in commands:
        assert main(["--project", str(project), *command, "--force"]) == 0
    return build(project)


def page(artifacts: Artifacts, path: str) -> str:
    return next(one.html for one in artifacts.pages if one.path == path)


def test_within_a_chapter(project: Path) -> None:
    artifacts = made(project, ["renumber", "x", "1.1", "1.3"])
    body = page(artifacts, "x/1/1-ships")
    rule = body.index('<section class="rule level-1 untitled" id="1.3">')
    assert rule < body.index('<span class="former" id="1.1"></span>')
    assert '<span class="former" id="1.1a"></span>' in body
    assert 'url=../../../../x/1/1-ships/#1.3a"' in str(artifacts.files["r/x/1/1.1a/index.html"])


def test_into_another_chapter(project: Path) -> None:
    artifacts = made(project, ["renumber", "x", "1.1", "2.2"])
    assert re.search(r'<li id="1.1a">.*href="\.\./2-boats/#2\.2a"', page(artifacts, "x/1/1-ships"))
    assert '<span class="former" id="1.1a"></span>' in page(artifacts, "x/1/2-boats")
    assert 'url=../../../../x/1/2-boats/#2.2a"' in str(artifacts.files["r/x/1/1.1a/index.html"])


def test_a_chapter(project: Path) -> None:
    artifacts = made(project, ["renumber", "x", "1.0", "7.0"])
    assert 'url=../7-ships/#7.0"' in str(artifacts.files["x/1/1-ships/index.html"])
    assert '<span class="former" id="1.1a"></span>' in page(artifacts, "x/1/7-ships")


def test_a_new_rule_of_the_number_wins(project: Path) -> None:
    artifacts = made(project, ["insert", "x", "1.1", "--title", "Anchors"])
    body = page(artifacts, "x/1/1-ships")
    assert body.count('id="1.1"') == 1
    assert '<span class="former" id="1.1a"></span>' in body
    assert 'url=../../../../x/1/1-ships/#1.1"' in str(artifacts.files["r/x/1/1.1/index.html"])
    assert 'url=../../../../x/1/1-ships/#1.2a"' in str(artifacts.files["r/x/1/1.1a/index.html"])


def test_a_retired_rule_says_what_holds_in_its_place(project: Path) -> None:
    body = page(made(project), "x/1/1-ships")
    notice = body[body.index('<p class="notice retired"') :]
    assert re.match(r".*This rule holds no more; in its place: <a [^>]*>1\.1</a>\.", notice)
    assert "<summary>What it said</summary>" in notice


def test_excuses_move_with_what_they_excuse(project: Path) -> None:
    write(
        project,
        {
            "content/x/1/edition.yml": (
                'edition: "1"\nexcused:\n  - {code: number-gap, at: "1.1b", because: never printed}  # so\n'
                '  - {code: reference-not-found, at: "9.9", because: a slip of the print}\n'
            ),
            "content/x/1/rules/1.yml": (
                'chapter: "1.0"\nrules:\n  - number: "1.1"\n    rules:\n'
                '      - {number: "1.1a"}\n      - {number: "1.1c", text: see 9.9}\n'
            ),
        },
    )
    assert not [problem for problem in examine(project).problems if problem.fails]
    made(project, ["renumber", "x", "1.1", "1.2"])
    text = (project / "content/x/1/edition.yml").read_text()
    assert '- {code: number-gap, at: "1.2b", because: never printed}  # so\n' in text
    assert not [problem for problem in examine(project).problems if problem.fails]
