"""`rulewright check`."""

import json

import pytest

from rulewright.app.cli import main
from tests.commands.duel import FAULTY, MISSING, printed, write


def test_all_is_well(output):
    assert main(["check"]) == 0
    out, err = output.readouterr()
    assert out == ""
    assert err == ("Checked everything: 4 rules, 1 step, 1 reference. No problems.\n")


def test_problems(project, output):
    write(project, {"content/duel/1/sequence.yml": FAULTY})
    assert main(["check", "duel/1"]) == 1
    out, err = output.readouterr()
    assert out == MISSING
    assert err == ("Checked duel/1: 4 rules, 1 step, 2 references. 1 error.\n")


@pytest.mark.parametrize("name", ["text", "github", "json"])
def test_formats(project, output, name):
    write(project, {"content/duel/1/sequence.yml": FAULTY})
    out = printed(output, "check", "--format", name, code=1)
    assert "reference-not-found" in out
    if name == "json":
        assert json.loads(out)


@pytest.mark.parametrize("book", ["duel", "duel/1", "content/duel/1/", "content/duel"])
def test_a_book_by_its_address_or_its_folder(output, book):
    assert main(["check", book]) == 0


def test_excused_problems_are_counted(project, output):
    excuse = 'edition: "1"\nexcused:\n  - {code: reference-not-found, at: "1.9", reason: lost page}\n'
    write(project, {"content/duel/1/sequence.yml": FAULTY, "content/duel/1/edition.yml": excuse})
    assert main(["check"]) == 0
    out, err = output.readouterr()
    assert out == ""
    assert "No problems; 1 excused." in err


def test_a_project_without_content_is_reported(tmp_path, capsys):
    (tmp_path / "mkdocs.yml").write_text("site_name: Duel\n")
    assert main(["--project", str(tmp_path), "check"]) == 1
    assert "content:1:1: error: cannot be opened" in capsys.readouterr().out
