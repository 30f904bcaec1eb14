"""`rulewright aids`: a proof has what is wrong, and is kept apart from what was printed."""

from rulewright.app.cli import main
from tests.commands.duel import printed
from tests.printing import needs_printer

LONG = "title: Card\npaper: a5\nblocks:\n  - notes: |\n" + "      Many words stand here.\n\n" * 150


@needs_printer
def test_a_proof_is_printed_with_its_problems_each_time(project, capsys):
    (project / "content/duel/1/aids").mkdir()
    (project / "content/duel/1/aids/card.yml").write_text(LONG, "utf-8")
    assert main(["aids", "duel", "card"]) == 1
    for _ in range(2):
        capsys.readouterr()
        assert "[aid-does-not-fit]" in printed(capsys, "aids", "duel", "card", "--proof")
    assert [path.name for path in (project / "print").rglob("*.pdf")] == ["card.proof.pdf"]
    assert not (project / "content/duel/1/printed").exists()


@needs_printer
def test_a_word_wider_than_its_column_is_told_at_its_block(project, capsys):
    (project / "content/duel/1/aids").mkdir()
    card = f"title: Card\npaper: a5\nblocks:\n  - notes: {'Landsverteidigung' * 9}\n"
    (project / "content/duel/1/aids/card.yml").write_text(card, "utf-8")
    out = printed(capsys, "aids", "duel", "card", code=1)
    assert out.startswith("content/duel/1/aids/card.yml:4:5: error: “Landsverteidigung")
    assert out.endswith("[aid-too-wide]\n")
