"""What `rulewright import hugo` refuses, in the words of its problems."""

from pathlib import Path

import pytest

from rulewright.app.cli import main
from tests.commands.duel import write

SITE = {
    "site/hugo.toml": "",
    "site/content/1.md": '---\ntitle: "1.0 Swords"\n---\n## 1.1 Parry\n\nHold it up.\n',
}


@pytest.fixture
def site(project: Path, said: pytest.CaptureFixture[str]) -> Path:
    return write(project, SITE)


def test_edits_are_not_lost(site: Path, said: pytest.CaptureFixture[str]) -> None:
    target = "content/duel/2"
    assert main(["import", "hugo", "site", target]) == 0
    edited = next((site / target / "rules").glob("*.yml"))
    edited.write_text(edited.read_text().replace("Hold it up.", "Hold it higher."))
    said.readouterr()
    assert main(["import", "hugo", "site", target]) == 1
    assert "[import-would-overwrite]" in said.readouterr().err
    assert "Hold it higher." in edited.read_text()


def test_a_dialect_that_is_none(site: Path, said: pytest.CaptureFixture[str]) -> None:
    assert main(["import", "hugo", "site", "content/other/1", "--dialect", "?"]) == 1
    assert "[import-dialect]" in said.readouterr().err
    assert not (site / "content/other").exists()
