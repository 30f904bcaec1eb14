"""`rulewright redirects`."""

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
    assert printed(said, "redirects").endswith("/swords/  /duel/1/1-swords/  301\n")
    assert main(["redirects", "duel", "--format", "nginx", "--base", "https://example.org/r"]) == 0
    assert "return 301 https://example.org/r/duel/1/1-swords/;" in said.readouterr().out


def test_as_pages(old: Path, said: pytest.CaptureFixture[str]) -> None:
    words = ["redirects", "duel/1", "--format", "html", "--base", "https://example.org", "--output", "old"]
    assert main(words) == 0
    assert said.readouterr().err == "1 page written to old\n"
    assert 'href="https://example.org/duel/1/1-swords/#1.1"' in (old / "old/swords/index.html").read_text()
    assert main(words) == 0, "its own pages may be replaced"


def test_another_page_is_not_replaced(old: Path, said: pytest.CaptureFixture[str]) -> None:
    write(old, {"old/swords/index.html": "<h1>Swords</h1>"})
    assert main(["redirects", "--format", "html", "--output", "old"]) == 2
    assert said.readouterr().err == (
        "rulewright: old/swords/index.html was not written by this command, so it is left alone; "
        "--force replaces it, or name another file\n"
    )


def test_pages_need_a_folder(old: Path, said: pytest.CaptureFixture[str]) -> None:
    assert "name a folder for them with --output" in told(said, "redirects", "--format", "html", code=2)


def test_without_old_addresses(project: Path, said: pytest.CaptureFixture[str]) -> None:
    assert main(["redirects", "duel"]) == 2
    assert said.readouterr().err == "rulewright: no old addresses: duel has no redirects.yml\n"
    assert told(said, "redirects", code=2) == "rulewright: no old addresses: no edition has a redirects.yml\n"
    assert "did you mean duel?" in told(said, "redirects", "dule", code=2)


def test_not_with_a_fault(old: Path, said: pytest.CaptureFixture[str]) -> None:
    write(old, {"content/duel/1/redirects.yml": OLD.replace("1.1", "1.9")})
    assert "no rule 1.9; 1.0 ends at 1.2 [redirect-target-not-found]" in told(said, "redirects")
