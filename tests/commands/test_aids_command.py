"""`rulewright aids`: a proof shows the problems, and is separate from printed sheets."""

from pathlib import Path

import pymupdf
import pytest

from rulewright.app.cli import main
from rulewright.print.sheet_job import SheetJob
from rulewright.schema.paper import MM, PAPERS
from tests.commands.duel import write
from tests.printing import needs_printer

LONG = "title: Card\npaper: a5\nblocks:\n  - notes: |\n" + "      Many words stand here.\n\n" * 150


@needs_printer
def test_sheets_and_books_are_laid_as_asked(project, output):
    (project / "content/duel/1/aids").mkdir()
    card = "title: Card\npaper: 105 x 148 mm\nblocks:\n  - notes: Fight.\n"
    (project / "content/duel/1/aids/card.yml").write_text(card, "utf-8")
    assert main(["aids", "duel", "rulebook", "--booklet"]) == 0
    book = Path(output.readouterr().out.strip())
    assert book.name == "rulebook.booklet.pdf"
    assert main(["aids", "duel", "card", "--impose", "tabloid"]) == 0
    sheet = Path(output.readouterr().out.strip())
    assert sheet.name == "card.imposed.pdf"
    with pymupdf.open(book) as leaves, pymupdf.open(sheet) as flats:
        assert leaves[0].rect.width > 2 * PAPERS["letter"].width / MM["pt"]
        assert {round(side * MM["pt"], 1) for side in flats[0].rect[2:]} == {279.4, 431.8}
    assert main(["aids", "duel", "rulebook", "--booklet", "--impose", "a3"]) == 2
    assert "--booklet, --impose and --format png exclude each other" in output.readouterr().err
    assert main(["aids", "duel", "rulebook", "--impose", "a5"]) == 2
    assert "name larger paper" in output.readouterr().err


FAULTS = {
    "none": {},
    "what does not fit": {"aids/card.yml": LONG},
    "a word too wide": {
        "aids/card.yml": f"title: Card\npaper: a5\nblocks:\n  - notes: {'Landsverteidigung' * 9}\n"
    },
    "a sign without a glyph": {
        "aids/card.yml": "title: Card\npaper: a5\nblocks:\n  - notes: 移 is shown here.\n"
    },
}


@needs_printer
@pytest.mark.parametrize("name", FAULTS)
def test_a_proof_tells_what_the_print_does(project, capsys, name):
    aid = {"aids/card.yml": "title: Card\npaper: a5\nblocks:\n  - notes: Fight.\n", **FAULTS[name]}
    write(project / "content/duel/1", aid)
    for what in (["duel", "card"], ["duel", "rulebook"], ["duel"]):
        capsys.readouterr()
        main(["aids", *what])
        reported = [line for line in capsys.readouterr().out.splitlines() if line.endswith("]")]
        assert bool(reported) is (name != "none" and what[-1] != "rulebook")
        assert main(["aids", *what, "--proof"]) == 0
        assert [line for line in capsys.readouterr().out.splitlines() if line.endswith("]")] == reported
    assert (project / "print/duel/1/aids/card.proof.pdf").is_file()
    assert (project / "content/duel/1/printed").exists() is False


@needs_printer
def test_a_sheet_that_cannot_be_printed_stops_no_other(project, capsys, monkeypatch):
    """One has an error, one does not fit, one stops the program; the fourth and the rulebook are printed."""

    def fail(self: SheetJob) -> object:
        return {}["lost"] if self.sheet.name == "failing" else make(self)  # type: ignore[call-overload]

    make = SheetJob.make
    monkeypatch.setattr(SheetJob, "make", fail)
    card = "title: Card\npaper: a5\nblocks:\n  - notes: Fight.\n"
    wrong = "title: Wrong\nblocks:\n  - rules: [9.9]\n"
    aids = {
        "card": card,
        "long": LONG.replace("Card", "Long"),
        "wrong": wrong,
        "failing": card.replace("Card", "Failing"),
    }
    write(project / "content/duel/1", {f"aids/{name}.yml": text for name, text in aids.items()})
    assert main(["aids"]) == 1
    assert sorted(path.name for path in (project / "print").rglob("*.pdf")) == ["card.pdf", "rulebook.pdf"]
    out, err = capsys.readouterr()
    assert "content/duel/1/aids/wrong.yml:3:13: error: " in out
    assert "[aid-does-not-fit]" in out
    assert "[print-failed]" in out
    assert "3 sheets not printed, for the reasons above" in err
    (project / "content/duel/1/aids/wrong.yml").unlink()
    for strict in ([], ["--strict"]):
        assert main(["build", *strict]) == len(strict)
        assert "[print-failed]" in capsys.readouterr().out
        site = project / "site/duel/1/aids"
        assert (site / "card.pdf").read_bytes().startswith(b"%PDF")
        for name in ("long", "failing"):
            assert not (site / f"{name}.pdf").exists()
            assert "cannot be printed as it is" in (site / f"{name}/index.html").read_text("utf-8")
