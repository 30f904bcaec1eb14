"""`rulewright import markdown`."""

from pathlib import Path

import pytest

from rulewright.app.cli import main
from tests.commands.duel import write

PAGES = {
    "rules/01-duels.md": "# 1 Duels\n\n## 1.1 Rounds\n\nA round.\n* one\n* two\n\n"
    "## 1.2 Ends\n\nSee [1.1](#11-rounds).\n",
    "rules/thanks.md": "# Thanks\n\nTo all:\n* one\n* two\n",
}


def test_a_folder_without_front_matter(project: Path, said: pytest.CaptureFixture[str]) -> None:
    write(project, PAGES)
    assert main(["import", "markdown", "rules", "content/duels/1"]) == 0
    assert said.readouterr().out.startswith("content/duels/1/: 2 pages, 1 chapter, 3 rules")
    made = project / "content/duels/1"
    assert "- one" in (made / "rules/1-duels.yml").read_text("utf-8")
    assert (made / "thanks.md").read_text("utf-8") == "# Thanks\n\nTo all:\n\n- one\n- two\n"
    assert not (made / "redirects.yml").exists(), "a mere folder has no old addresses"
    assert main(["check", "duels"]) == 0


@pytest.mark.parametrize(
    ("pages", "told"),
    [
        ({}, "holds no page that ends in .md"),
        ({"rules/a.md": "# Ships\n\n# Wind\n"}, "no heading of 2 begins with a number: “Ships” (a.md:1)"),
        ({"rules/a.md": "Just words.\n"}, "1 page without a heading"),
    ],
)
def test_what_is_no_book(project, said, pages, told):
    write(project, {"rules/x.txt": "", **pages})
    assert main(["import", "markdown", "rules", "content/duels/1"]) == 1
    assert told in said.readouterr().err
    assert not (project / "content/duels").exists()
