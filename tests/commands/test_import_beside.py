"""An import over an edition, or beside one, leaves content that builds, and tells what it set aside."""

import json
from pathlib import Path

import pytest

from rulewright.app.cli import main
from tests.commands.duel import write

PAGE = """---
title: "1.0 Duels"
---
## 1.1 Rounds

A round.

## 1.2 Ends

An end.

## 1.3 Blades

Sharp ones.
"""


@pytest.fixture
def imported(project: Path) -> Path:
    write(project, {"site/config.toml": "", "site/content/rules/1.md": PAGE})
    assert main(["import", "hugo", "site", "content/duels/1"]) == 0
    return project / "content/duels/1"


def test_what_no_longer_agrees_is_set_aside(project, imported, said):
    ends, rounds = (f"title: Card {n}\nblocks:\n  - rules: ['{n}']\n" for n in ("1.2", "1.1"))
    write(imported, {"aids/ends.yml": ends, "aids/rounds.yml": rounds, "faq.md": "See 1.2.\n"})
    assert main(["check", "duels"]) == 0
    assert main(["check", "--accept"]) == 0
    write(project, {"site/content/rules/1.md": PAGE.replace("## 1.2 Ends\n\nAn end.\n\n", "")})
    said.readouterr()
    assert main(["import", "hugo", "site", "content/duels/1"]) == 0
    assert "content/duels/1/aids/ends.yml: set aside in set-aside/: no rule 1.2" in said.readouterr().err
    aside = {
        path.relative_to(project / "set-aside").as_posix() for path in (project / "set-aside").rglob("*.*")
    }
    assert {"duels/1/aids/ends.yml", "duels/1/faq.md"} <= aside
    assert "duels/1/aids/rounds.yml" not in aside
    assert (imported / "aids/rounds.yml").is_file()
    assert json.loads((imported / "import-report.json").read_text("utf-8"))["set aside"].keys() >= {
        "content/duels/1/aids/ends.yml"
    }
    assert main(["check", "duels"]) == 0


def test_addresses_that_lead_elsewhere_already_are_left_out(project, imported, said):
    said.readouterr()
    assert main(["import", "hugo", "site", "content/duels/2"]) == 0
    assert "old addresses that lead elsewhere, left out: 1" in said.readouterr().err
    report = json.loads((project / "content/duels/2/import-report.json").read_text("utf-8"))
    assert report["addresses left out"] == ["/rules/1/"]
    assert not (project / "content/duels/2/redirects.yml").exists()
    assert main(["check"]) == 0
