"""An import over an edition, or beside one, reports what no longer agrees with it."""

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


def test_content_that_no_longer_agrees_stays_and_is_reported(project, said):
    write(project, {"site/config.toml": "", "site/content/rules/1.md": PAGE})
    assert main(["import", "hugo", "site", "content/duels/1"]) == 0
    imported = project / "content/duels/1"
    ends, rounds = (f"title: Card {n}\nblocks:\n  - rules: ['{n}']\n" for n in ("1.2", "1.1"))
    write(imported, {"aids/ends.yml": ends, "aids/rounds.yml": rounds})
    assert main(["check", "duels"]) == 0
    write(project, {"site/content/rules/1.md": PAGE.replace("## 1.2 Ends\n\nAn end.\n\n", "")})
    said.readouterr()
    assert main(["import", "hugo", "site", "content/duels/1"]) == 1
    assert (imported / "aids/ends.yml").read_text() == ends
    assert "aids/ends.yml" in (imported / "import-report.md").read_text("utf-8")
    assert main(["check", "duels"]) == 1


def test_an_old_address_of_two_editions_is_reported(project, said):
    write(project, {"site/config.toml": "", "site/content/rules/1.md": PAGE})
    assert main(["import", "hugo", "site", "content/duels/1"]) == 0
    assert main(["import", "hugo", "site", "content/duels/2"]) == 1
    assert "redirects.yml" in (project / "content/duels/2/import-report.md").read_text("utf-8")
