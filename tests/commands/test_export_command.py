"""`rulewright export`: outlines, tables and redirects, and which files an export may replace."""

import csv
import json
import os
from io import StringIO

import pytest

from rulewright.app.cli import main
from tests.commands.duel import FAULTY, MISSING, printed, told, write


def test_a_file_is_replaced_only_as_an_export_wrote_it(project, said):
    turn, command = project / "turn.txt", ["export", "outline", "duel/1", "--output", "turn.txt"]
    write(project, {"turn.txt": "mine", "mine.zip": "mine"})
    for words in (command, ["export", "zip", "mine.zip"]):
        assert "was not written by this command, so it is not changed; --force" in told(said, *words, code=2)
    assert turn.read_text() == (project / "mine.zip").read_text() == "mine"
    assert main([*command, "--force"]) == 0
    written = turn.read_bytes()
    assert main([*command, "--base", "https://x.org"]) == 0
    assert turn.read_bytes() != written
    turn.write_bytes(written + b"edited")
    assert "turn.txt has been edited since it was written" in told(said, *command, code=2)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with names")
def test_a_pipe_is_written_to_and_stays(project, said):
    os.mkfifo(project / "pipe")
    reader = os.open(project / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    assert main(["export", "outline", "duel", "--output", "pipe"]) == 0
    assert b"Fight" in os.read(reader, 10_000)
    os.close(reader)
    assert (project / "pipe").is_fifo()


# Outlines


def test_an_outline_is_printed_or_written_with_links_to_the_site(project, said):
    assert r"Fight \[[1.1]" in printed(said, "export", "outline", "duel")
    words = ["export", "outline", "duel/1", "--base", "https://x.org/", "--output"]
    assert printed(said, *words, "o.md") == ""
    assert "[1.1](https://x.org/duel/1/1-swords/#1.1)" in (project / "o.md").read_text("utf-8")
    assert told(said, *words, "no/such/folder", code=2) == (
        "rulewright: no/such/folder: No such file or directory\n"
    )


def test_an_outline_needs_a_sequence_without_errors_that_are_not_excused(project, said):
    write(project, {"content/duel/1/sequence.yml": FAULTY, "o.txt": "the last good one"})
    error = f"{MISSING}rulewright: no outline of duel/1 until this is fixed\n"
    assert told(said, "export", "outline", "duel", "--output", "o.txt") == error
    assert (project / "o.txt").read_text() == "the last good one"
    excuse = 'edition: "1"\nexcused:\n  - {code: reference-not-found, at: "1.9", reason: lost page}\n'
    write(project, {"content/duel/1/edition.yml": excuse})
    out = printed(said, "export", "outline", "duel")
    assert r"Fight \[[1.1](duel/1/1-swords/#1.1), 1.9\]" in out
    write(project, {"content/duel/1/edition.yml": "edition: [\n"})
    assert "yaml-syntax" in told(said, "export", "outline", "duel/1")
    write(project, {"content/duel/1/edition.yml": 'edition: "1"\n'})
    (project / "content/duel/1/sequence.yml").unlink()
    assert "no sequence of play" in told(said, "export", "outline", "duel/1", code=2)


# Tables

TABLE = """
number: "1.1"
title: Wounds
roll: 1d6
columns: [Wound, Heals]
rows:
  - {roll: "..2", Wound: Scratch, Heals: "in 1, 2 or 3 days"}
  - {roll: "3-5", Wound: "Cut | bad", Heals: never}
  - {roll: "6..", Wound: "**None**", Heals: —}
modifiers:
  - {value: "+1", when: behind a shield}
then: {title: Scars, roll: 1d6, columns: [Scar], rows: [{roll: "1-6", Scar: One}]}
"""


@pytest.fixture
def table(project, said):
    """The file of a table in the project's book."""
    write(project, {"content/duel/1/tables/wounds.yml": TABLE})
    return project / "content/duel/1/tables/wounds.yml"


def wounds(said: pytest.CaptureFixture[str], name: str) -> str:
    return printed(said, "export", "table", "duel", "1.1", "--format", name)


def test_a_table_in_each_format(table, said):
    rows = [*csv.reader(StringIO(printed(said, "export", "table", "duel", "the wounds table")))]
    assert rows[:2] == [["Modified roll", "Wound", "Heals"], ["≤2", "Scratch", "in 1, 2 or 3 days"]]
    assert rows[4:] == [[], ["Scars"], ["Die", "Scar"], ["1–6", "One"]]
    data = json.loads(wounds(said, "json"))
    assert data["dice"] == {"count": 1, "sides": 6, "digits": False, "plus": 0, "low": 1, "high": 6}
    assert data["holds"] == [{"roll": [[None, 2]]}, {"roll": [[3, 5]]}, {"roll": [[6, None]]}]
    assert data["rows"][2] == {"roll": "6..", "Wound": "None", "Heals": "—"}
    assert data["then"]["title"] == "Scars"


def test_a_table_that_is_missing_or_has_an_error_is_not_exported(table, said):
    assert told(said, "export", "table", "duel", "Wouds", code=2) == (
        "rulewright: duel/1 has no table Wouds; did you mean Wounds?\n"
    )
    until = "rulewright: no table 1.1 of duel/1 until this is fixed\n"
    table.write_text(TABLE.replace('"3-5"', '"4-5"'), "utf-8")
    error = told(said, "export", "table", "duel", "1.1")
    assert "wounds.yml:8:12: error: the roll 3 has no row [roll-gap]\n" in error
    assert error.endswith(until)
    table.write_text(TABLE.replace("columns", "colums", 1), "utf-8")
    assert told(said, "export", "table", "duel", "1.1").endswith(until)


# Redirects

OLD = 'redirects:\n  - {from: /swords/, to: "1.0", anchors: {parry: "1.1"}}\n'


def test_redirects_for_a_server(project, said):
    missing = "rulewright: no redirects: {} has {} redirects.yml\n"
    for words, message in ((["duel"], ("duel", "no")), ([], ("no edition", "a"))):
        assert told(said, "export", "redirects", *words, code=2) == missing.format(*message)
    assert "did you mean duel?" in told(said, "export", "redirects", "dule", code=2)
    write(project, {"content/duel/1/redirects.yml": OLD})
    assert printed(said, "export", "redirects").endswith("/swords/  /duel/1/1-swords/  301\n")
    moved = printed(said, "export", "redirects", "duel", "--base", "https://example.org/r")
    assert "/swords/  https://example.org/r/duel/1/1-swords/  301\n" in moved
    write(project, {"content/duel/1/redirects.yml": OLD.replace("1.1", "1.9")})
    assert "no rule 1.9; 1.0 ends at 1.2 [redirect-target-not-found]" in told(said, "export", "redirects")
