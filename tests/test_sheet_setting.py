"""How sheets are set: reports of the typesetter, and the PDF read by another tool."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pymupdf
from PIL import Image

from rulewright.checks.load_and_check import CheckedProject
from rulewright.citations.blocks import block_contents
from rulewright.print import typst_compiler
from rulewright.print.press.aid_job import TEMPLATE
from rulewright.print.sheet_document import SheetDocument
from rulewright.site.render_context import RenderContext
from tests import printing
from tests.projects import ROOT

RULEBOOK = """title: A Game
numbers: "1.1"
chapters: ["1.0", "2.0"]
roles:
  phasing: {title: Phasing player, mark: P}
  non-phasing: {title: Non-phasing player, mark: N}
  both: {title: Both players, mark: B}
"""
SEQUENCE = """title: Sequence of Play
steps:
  - phase: Movement Phase
    by: phasing
    steps:
      - {do: Overruns, activity: combat, cost: +3 MP}
      - {do: Move}
  - phase: Reaction Phase
    by: non-phasing
    steps: [{do: Barrage, activity: combat}]
"""


def book(folder: Path, **files: str) -> CheckedProject:
    """A book with one aid called `card`; `files` are of its edition, by names without `.yml`."""
    found = printing.book(folder, rulebook=RULEBOOK, **{"sequence": SEQUENCE, **files})
    assert [str(problem) for problem in found.problems if problem.is_failure] == []
    return found


@dataclass(frozen=True)
class Document:
    """A sheet to be set, with its pictures."""

    data: Mapping[str, Any]
    pictures: Mapping[str, bytes]

    def pdf(self) -> bytes:
        return typst_compiler.compile_pdf(TEMPLATE, self.data, self.pictures).pdf

    def reports(self) -> list[dict[str, Any]]:
        """What the setting says of each area: its type, and what did not fit."""
        return [*typst_compiler.compile_pdf(TEMPLATE, self.data, self.pictures, label="report").metadata]


def data_of(examined: CheckedProject, address: str = "game/1", name: str = "card") -> SheetDocument:
    sheet = next(one for one in examined.shelf.aid_sheets[address] if one.name == name)
    return SheetDocument(
        sheet, tuple(block_contents(sheet, examined.shelf)), RenderContext(examined.shelf), sheet.plan
    )


def document_of(data: SheetDocument, folder: Path = ROOT) -> Document:
    made_of = data.data  # which draws the counters and finds the pictures
    files = {name: (folder / name).read_bytes() for name in data.pictures}
    return Document(made_of, files | data.words.drawings_by_name)


def test_a_word_wider_than_its_column_is_told_at_its_block(tmp_path: Path) -> None:
    word = "Unpartable" * 12
    aid = 'title: A Card\ncolumns: "3"\npaper: a5\nblocks:\n'
    aid += f"  - notes: See {word} there.\n  - notes: More.\n  - notes: Yes.\n"
    (report,) = document_of(data_of(book(tmp_path, **{"aids/card": aid}))).reports()
    assert report["over"]["word"] == word
    assert report["over"]["place"] == ["content/game/1/aids/card.yml", 5, 5]
    assert report["over"]["by"] > 50


def test_what_does_not_fit_names_its_block(tmp_path: Path) -> None:
    aid = (
        "title: A Card\npaper: a5\nblocks:\n  - sequence\n  - notes: |\n"
        + "      Many words stand here.\n\n" * 90
    )
    data = data_of(book(tmp_path, **{"aids/card": aid}))
    document = document_of(data)
    (report,) = document.reports()
    assert (report["size"], report["over"]["name"]) == (8, "notes")
    assert report["over"]["place"] == ["content/game/1/aids/card.yml", 5, 5]
    with pymupdf.open(stream=document.pdf()) as opened:
        assert len(opened) == 1


def test_a_proof_is_stamped_below_its_words(tmp_path: Path) -> None:
    data = data_of(book(tmp_path))
    stamped = SheetDocument(data.sheet, data.panels, data.context, data.plan, stamp="PROOF")
    with pymupdf.open(stream=document_of(stamped).pdf()) as opened:
        drawn = [word[4] for word in opened[0].get_text("words", sort=False)]
    assert drawn[0] == "PROOF"
    assert "Overruns" in drawn


def test_a_picture_stands_on_the_sheet(tmp_path: Path) -> None:
    (tmp_path / "content/game/1/aids").mkdir(parents=True)
    Image.new("RGB", (600, 300), (200, 30, 30)).save(tmp_path / "content/game/1/aids/map.png")
    aid = "title: A Card\nblocks:\n  - picture: {file: map.png, alt: A map}\n"
    document = document_of(data_of(book(tmp_path, **{"aids/card": aid})), tmp_path)
    assert [one["over"] for one in document.reports()] == [None]
    with pymupdf.open(stream=document.pdf()) as opened:
        (picture,) = opened[0].get_image_info()
    assert picture["width"] == 600
    assert document.pdf() == document.pdf()
