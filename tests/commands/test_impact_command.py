"""`rulewright impact`."""

import re
from pathlib import Path

import pytest

from rulewright.app.cli import main
from rulewright.edit.impact_report import MAX_MARKDOWN_LENGTH
from tests.commands.duel import BOOK, write
from tests.repositories import commit, undisturbed

FILES = {
    **BOOK,
    "mkdocs.yml": "site_name: Duel\nsite_url: https://duel.example/\nplugins: [rulewright]\n",
    "content/duel/1/edition.yml": 'edition: "1"\ndate: 2020-01-01\n',
    "content/duel/1/rules/1.yml": (
        'chapter: "1.0"\ntitle: Swords\n'
        '"1.1 Parry": "A <parry> stops *one* strike, as in 1.2."\n'
        '"1.2 Lunge": "A lunge is parried (1.1) at half."\n'
    ),
    "content/duel/1/aids/card.yml": "title: Card\npaper: 105 x 148 mm\nblocks:\n  - rules: 1.1\n",
    ".gitignore": ".cache/\n",
}
RULES = "content/duel/1/rules/1.yml"


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A repository with a small book and one commit, in which the command line is used."""
    undisturbed(monkeypatch, tmp_path)
    folder = write(tmp_path / "project", FILES)
    monkeypatch.chdir(folder)
    commit(folder)
    return folder


def edit(project: Path, old: str, new: str, name: str = RULES) -> None:
    text = (project / name).read_text("utf-8")
    assert old in text
    (project / name).write_text(text.replace(old, new), "utf-8")


def report_of(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    capsys.readouterr()
    assert main(["impact", *words]) == code
    return capsys.readouterr().out


def test_what_is_not_committed_yet(project, capsys):
    assert report_of(capsys) == "Nothing in the content has changed.\n"
    edit(project, "at half", "at a third")
    assert "text: A lunge is parried (1.1) at [-half-] {+a third+}.\n" in report_of(capsys)
    commit(project)
    assert report_of(capsys) == "Nothing in the content has changed.\n"
    assert "{+a third+}" in report_of(capsys, "HEAD~1")


def test_as_markdown(project, capsys):
    """What a book says is no markup of the comment."""
    edit(project, "*one* strike, as", "[two](x) strikes, as")
    out = report_of(capsys, "--format", "markdown")
    assert out.startswith("<!-- rulewright impact -->\n### Nothing is broken.\n")
    assert "- content/duel/1/rules/1.yml:3:2: 1.1 Parry: reworded\n" in out
    assert "A &lt;parry> stops <del>one strike</del> <ins>\\[two\\](x) strikes</ins>, as in 1.2." in out
    assert "#### Rules: 1 reworded\n" in out


SPEAKING = "@everyone, @me/team, a@b.org, #7, GH-7, https://evil.example/x, www.evil.example, ftp://e.example"


def test_what_a_book_says_tells_nobody_and_leads_nowhere(project, capsys):
    """GitHub links and notifies by these, wherever they stand in a comment but in code."""
    rule = f"'1.3 {SPEAKING}': '~~~ {SPEAKING}'"
    write(project, {"content/duel/1/rules/9.yml": f"chapter: '9.0'\ntitle: '{SPEAKING}'\n{rule}\n"})
    edit(project, "*one* strike, as", f"{SPEAKING} as")
    out = re.sub(r"`[^`]*`", "", report_of(capsys, "--format", "markdown"))
    assert "everyone" in out
    assert "evil" in out
    assert re.findall(r"[@#]\w|GH-\d|://\w|www\.|^\W*~~~", out.replace("&#", "&"), re.MULTILINE) == []


def test_a_comment_is_as_long_as_github_takes(project, capsys):
    """The more there is the less of it is listed; what is left out is counted."""
    rules = [f'"2.{n} Rule {n}": {"before " * 40}' for n in range(1, 400)]
    name = "content/duel/1/rules/2.yml"
    write(project, {name: "\n".join(['chapter: "2.0"', "title: Many", *rules])})
    commit(project)
    edit(project, "before", "after", name)
    out = report_of(capsys, "--format", "markdown")
    assert 10_000 < len(out) <= MAX_MARKDOWN_LENGTH
    assert "#### Rules: 399 reworded\n" in out
    assert re.search(r"… and \d+ more lines", out)


def test_strict(project, capsys):
    edit(project, "at half", "at a third")
    report_of(capsys, "--strict")
    edit(project, "title: Swords", "title: Blades")
    out = report_of(capsys, "--strict", code=1)
    assert out.startswith("Broken: 1 lost address.\n")
    report_of(capsys)
