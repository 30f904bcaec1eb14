"""`rulewright export redirects`."""

from pathlib import Path

import pytest

from rulewright.app.cli import main
from tests.commands.duel import printed, told, write

OLD = 'redirects:\n  - {from: /swords/, to: "1.0", anchors: {parry: "1.1"}}\n'


@pytest.fixture
def old(project: Path, said: pytest.CaptureFixture[str]) -> Path:
    write(project, {"content/duel/1/redirects.yml": OLD})
    return project


def test_for_a_server(old: Path, said: pytest.CaptureFixture[str]) -> None:
    assert printed(said, "export", "redirects").endswith("/swords/  /duel/1/1-swords/  301\n")
    moved = printed(said, "export", "redirects", "duel", "--base", "https://example.org/r")
    assert "/swords/  https://example.org/r/duel/1/1-swords/  301\n" in moved


def test_without_old_addresses(project: Path, said: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "redirects", "duel"]) == 2
    assert said.readouterr().err == "rulewright: no redirects: duel has no redirects.yml\n"
    assert (
        told(said, "export", "redirects", code=2)
        == "rulewright: no redirects: no edition has a redirects.yml\n"
    )
    assert "did you mean duel?" in told(said, "export", "redirects", "dule", code=2)


def test_not_with_a_fault(old: Path, said: pytest.CaptureFixture[str]) -> None:
    write(old, {"content/duel/1/redirects.yml": OLD.replace("1.1", "1.9")})
    assert "no rule 1.9; 1.0 ends at 1.2 [redirect-target-not-found]" in told(said, "export", "redirects")
