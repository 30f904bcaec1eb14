"""A small book whose sheets are printed: what the tests of the printer and of the fit share."""

from pathlib import Path
from typing import Any

import pymupdf
import pytest

from rulewright.book.aid_plan import aid_sheets
from rulewright.checks.load_and_check import CheckedProject, load_and_check
from rulewright.files.problems import Problem
from rulewright.print import typst_compiler
from rulewright.print.print_job import PrintOptions
from rulewright.print.sheet_job import SheetJob
from rulewright.render.render_context import RenderContext
from tests.commands.duel import write

needs_printer = pytest.mark.skipif(bool(typst_compiler.missing()), reason=typst_compiler.missing() or "-")

ROOT = Path(__file__).parent.parent
SITE = "https://example.org/rules/"
RULEBOOK = """title: A Game
numbers: "1.1"
chapters: ["1.0"]
roles:
  phasing: {title: Phasing player, mark: P}
  non-phasing: {title: Non-phasing player, mark: N}
  both: {title: Both players, mark: B}
"""
SEQUENCE = """title: Sequence of Play
steps:
  - phase: Weather Phase
    by: none
    steps: [{do: Roll for the weather}]
  - phase: Movement Phase
    by: phasing
    steps:
      - {do: Overruns, activity: combat, cost: +3 MP}
      - {do: Move}
  - phase: Reaction Phase
    by: non-phasing
    steps: [{do: Barrage, activity: combat}]
  - phase: Supply Phase
    by: both
    steps: [{do: Count}]
"""
CARD = "title: A Card\nblocks:\n  - legend\n  - sequence\n"


def book(folder: Path, aid: str = CARD, rulebook: str = RULEBOOK, **files: str) -> CheckedProject:
    """A book with one aid called `card`; `files` are others of its edition, by names without `.yml`."""
    written = {"edition": 'edition: "1"\n', "sequence": SEQUENCE, "aids/card": aid, **files}
    write(folder / "content/game", {f"1/{name}.yml": text for name, text in written.items()})
    write(folder / "content/game", {"rulebook.yml": rulebook})
    return load_and_check(folder)


def order(
    examined: CheckedProject,
    address: str = "game/1",
    name: str = "card",
    folder: Path = Path(),
    **wishes: Any,
) -> SheetJob:
    """A sheet to print, its pictures from a folder."""
    edition = examined.index.outlines[address].edition
    sheet = next(sheet for sheet in aid_sheets(edition) if sheet.name == name)
    options = PrintOptions(**{"site": SITE, **wishes})
    return SheetJob(sheet, RenderContext(examined.index), options, lambda file: (folder / file).read_bytes())


def printed(sheet: SheetJob) -> pymupdf.Document:
    """The PDF of a sheet with which nothing is wrong."""
    result = sheet.make()
    assert result.pdf, result.problems
    return pymupdf.open(stream=result.pdf)


def faults(sheet: SheetJob) -> list[Problem]:
    return [*sheet.make().problems]


def words(page: pymupdf.Page) -> list[tuple[float, float, float, float, str]]:
    """The words of a page with their boxes in mm."""
    return [(*(edge / 72 * 25.4 for edge in word[:4]), word[4]) for word in page.get_text("words")]
