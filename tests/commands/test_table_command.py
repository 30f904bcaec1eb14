"""`rulewright export table`."""

import csv
import json
from io import StringIO
from pathlib import Path

import pytest

from rulewright.app.cli import main
from tests.commands.duel import printed, write

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
def table(project: Path, said: pytest.CaptureFixture[str]) -> Path:
    """The file of a table in the project's book."""
    write(project, {"content/duel/1/tables/wounds.yml": TABLE})
    return project / "content/duel/1/tables/wounds.yml"


def wounds(said: pytest.CaptureFixture[str], *words: str) -> str:
    return printed(said, "export", "table", "duel", "1.1", *words)


def test_as_markdown(table: Path, said: pytest.CaptureFixture[str]) -> None:
    assert wounds(said) == (
        "## 1.1 Wounds (1d6)\n\n"
        "| Modified roll | Wound | Heals |\n"
        "| --- | --- | --- |\n"
        "| ≤2 | Scratch | in 1, 2 or 3 days |\n"
        "| 3–5 | Cut \\| bad | never |\n"
        "| ≥6 | None | — |\n\n"
        "- +1 behind a shield\n\n"
        "### Then: Scars\n\n"
        "| Die | Scar |\n"
        "| --- | --- |\n"
        "| 1–6 | One |\n"
    )


def test_as_csv(table: Path, said: pytest.CaptureFixture[str]) -> None:
    rows = [*csv.reader(StringIO(wounds(said, "--format", "csv")))]
    assert rows[0] == ["Modified roll", "Wound", "Heals"]
    assert rows[1] == ["≤2", "Scratch", "in 1, 2 or 3 days"]
    assert rows[4:] == [[], ["Scars"], ["Die", "Scar"], ["1–6", "One"]]


def test_as_json(table: Path, said: pytest.CaptureFixture[str]) -> None:
    made = json.loads(wounds(said, "--format", "json"))
    assert made["dice"] == {"count": 1, "sides": 6, "digits": False, "plus": 0, "low": 1, "high": 6}
    assert made["holds"] == [{"roll": [[None, 2]]}, {"roll": [[3, 5]]}, {"roll": [[6, None]]}]
    assert made["rows"][2] == {"roll": "6..", "Wound": "None", "Heals": "—"}
    assert made["then"]["title"] == "Scars"


def test_by_title(table: Path, said: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "table", "duel", "the wounds table"]) == 0


def test_one_that_is_not_there(table: Path, said: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "table", "duel", "Wouds"]) == 2
    assert said.readouterr().err == "rulewright: duel/1 has no table Wouds; did you mean Wounds?\n"


def test_none_with_an_error(table: Path, said: pytest.CaptureFixture[str]) -> None:
    table.write_text(TABLE.replace('"3-5"', '"4-5"'), "utf-8")
    assert main(["export", "table", "duel", "1.1"]) == 1
    out, err = said.readouterr()
    assert out == ""
    assert "wounds.yml:8:12: error: the roll 3 has no row [roll-gap]\n" in err
    assert err.endswith("rulewright: no table 1.1 of duel/1 until this is fixed\n")


def test_none_that_cannot_be_read(table: Path, said: pytest.CaptureFixture[str]) -> None:
    table.write_text(TABLE.replace("columns", "colums", 1), "utf-8")
    assert main(["export", "table", "duel", "1.1"]) == 1
    assert "no table 1.1 of duel/1 until this is fixed" in said.readouterr().err
