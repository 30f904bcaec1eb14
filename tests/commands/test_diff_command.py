"""`rulewright diff`."""

import pytest

from rulewright.app.cli import main
from tests.commands.duel import printed, write

RULES = """\
chapter: "1.0"
title: Swords
"1.1 Parry": A parry stops 1d6 cuts.
"""
SECOND = {
    "content/duel/1/rules/1.yml": RULES,
    "content/duel/2/edition.yml": 'edition: "2"\nfollows: "1"\n',
    "content/duel/2/rules/1.yml": (
        RULES.replace('"1.1 ', '"1.2 ').replace("1d6", "2d6").replace('"1.2', 'NEW\n"1.2')
    ).replace("NEW", '"1.1 <Bow> & *thanks*": Bow first.'),
}


@pytest.fixture
def editions(project, output):
    """Two editions of the project's book. The first is transcribed whole."""
    (project / "content/duel/1/known.yml").unlink()
    (project / "content/duel/1/sequence.yml").unlink()
    return write(project, SECOND)


def diff(output: pytest.CaptureFixture[str], *words: str) -> str:
    return printed(output, "diff", "duel/1", "duel/2", *words)


def test_as_text(editions, output):
    assert diff(output) == (
        "Duel 1 → 2\n==========\n\nRules\n-----\n\n1.0 Swords\n"
        "  1.1 <Bow> & thanks: added\n    text: {+Bow first.+}\n"
        "  1.2 Parry: renumbered from 1.1, reworded\n    text: A parry stops [-1d6-] {+2d6+} cuts.\n"
    )


def test_nothing_changed(editions, output):
    assert main(["diff", "duel/2", "duel"]) == 0
    assert output.readouterr().out.endswith("Nothing has changed.\n")


def test_an_edition_that_cannot_be_read(editions, output):
    (editions / "content/duel/rulebook.yml").write_text("title: [", "utf-8")
    assert main(["diff", "duel/1", "duel/2"]) == 1
    assert "duel/1 cannot be read until this is corrected" in output.readouterr().err
