"""`rulewright export`: outlines and tables, and which files an export may replace."""

import csv
import json
import os
from io import StringIO

import pytest

from rulewright.app.cli import main
from rulewright.checks.load_and_check import load_and_check
from rulewright.render.exports.table_export import table_csv, table_data
from rulewright.schema.problem_reports import to_json_text
from tests.commands.duel import FAULTY, MISSING, errors_of, printed, write


def test_a_file_is_replaced_only_as_an_export_wrote_it(project, output):
    turn, command = project / "turn.txt", ["export", "outline", "duel/1", "--output", "turn.txt"]
    write(project, {"turn.txt": "mine", "mine.zip": "mine"})
    for words in (command, ["export", "zip", "mine.zip"]):
        assert "by this command and is not changed; --force" in errors_of(output, *words, code=2)
    assert turn.read_text() == (project / "mine.zip").read_text() == "mine"
    assert main([*command, "--force"]) == 0
    written = turn.read_bytes()
    assert main([*command, "--base", "https://x.org"]) == 0
    assert turn.read_bytes() != written
    turn.write_bytes(written + b"edited")
    assert "turn.txt was not written so" in errors_of(output, *command, code=2)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with names")
def test_a_pipe_is_written_to_and_stays(project, output):
    os.mkfifo(project / "pipe")
    reader = os.open(project / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    assert main(["export", "outline", "duel", "--output", "pipe"]) == 0
    assert b"Fight" in os.read(reader, 10_000)
    os.close(reader)
    assert (project / "pipe").is_fifo()


# Outlines


def test_an_outline_is_printed_or_written_with_links_to_the_site(project, output):
    assert r"Fight \[[1.1]" in printed(output, "export", "outline", "duel")
    words = ["export", "outline", "duel/1", "--base", "https://x.org/", "--output"]
    assert printed(output, *words, "o.md") == ""
    assert "[1.1](https://x.org/duel/1/1-swords/#1.1)" in (project / "o.md").read_text("utf-8")
    assert errors_of(output, *words, "no/such/folder", code=2) == (
        "rulewright: no/such/folder: No such file or directory\n"
    )


def test_an_outline_needs_a_sequence_without_errors_that_are_not_excused(project, output):
    write(project, {"content/duel/1/sequence.yml": FAULTY, "o.txt": "the last good one"})
    error = f"{MISSING}rulewright: no outline of duel/1 until this is fixed\n"
    assert errors_of(output, "export", "outline", "duel", "--output", "o.txt") == error
    assert (project / "o.txt").read_text() == "the last good one"
    excuse = 'edition: "1"\nexcused:\n  - {code: reference-not-found, at: "1.9", reason: lost page}\n'
    write(project, {"content/duel/1/edition.yml": excuse})
    out = printed(output, "export", "outline", "duel")
    assert r"Fight \[[1.1](duel/1/1-swords/#1.1), 1.9\]" in out
    write(project, {"content/duel/1/edition.yml": "edition: [\n"})
    assert "yaml-syntax" in errors_of(output, "export", "outline", "duel/1")
    write(project, {"content/duel/1/edition.yml": 'edition: "1"\n'})
    (project / "content/duel/1/sequence.yml").unlink()
    assert "no sequence of play" in errors_of(output, "export", "outline", "duel/1", code=2)


# Tables, which the site has as files

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
  - {value: "+1", when: with a shield}
then: {title: Scars, roll: 1d6, columns: [Scar], rows: [{roll: "1-6", Scar: One}]}
"""


def test_a_table_as_csv_and_as_data(project):
    write(project, {"content/duel/1/tables/wounds.yml": TABLE})
    (entry,) = load_and_check(project).index.editions["duel/1"].tables
    rows = [*csv.reader(StringIO(table_csv(entry)))]
    assert rows[:2] == [["Modified roll", "Wound", "Heals"], ["≤2", "Scratch", "in 1, 2 or 3 days"]]
    assert rows[4:] == [[], ["Scars"], ["Die", "Scar"], ["1–6", "One"]]
    data = json.loads(to_json_text(table_data(entry)))
    assert data["dice"] == {"count": 1, "sides": 6, "digits": False, "plus": 0, "low": 1, "high": 6}
    assert data["holds"] == [{"roll": [[None, 2]]}, {"roll": [[3, 5]]}, {"roll": [[6, None]]}]
    assert data["rows"][2] == {"roll": "6..", "Wound": "None", "Heals": "—"}
    assert data["then"]["title"] == "Scars"
