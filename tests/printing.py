"""A small book whose sheets are printed: what the tests of the printer and of the fit share."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from rulewright.book.sheet import sheets_of
from rulewright.checks.examine import Examined, examine
from rulewright.citations import blocks
from rulewright.print import copyfitting, engine, sheet_html
from rulewright.site.context import Desk
from rulewright.source.problems import Problem

needs_printer = pytest.mark.skipif(bool(engine.missing()), reason=engine.missing() or "-")

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


@cache
def library() -> Examined:
    """The books of the project itself."""
    return examine(Path(__file__).parent.parent)


def book(folder: Path, aid: str = CARD, rulebook: str = RULEBOOK, **files: str) -> Examined:
    """A book with one aid called `card`; `files` are others of its edition, by names without `.yml`."""
    written = {"edition": 'edition: "1"\n', "sequence": SEQUENCE, "aids/card": aid, **files}
    for name, text in written.items():
        path = folder / "content/game/1" / f"{name}.yml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    (folder / "content/game/rulebook.yml").write_text(rulebook, "utf-8")
    return examine(folder)


def job(examined: Examined, address: str = "game/1", name: str = "card", **edges: Any) -> sheet_html.SheetJob:
    """A sheet as it goes to the fit. `ink` is that of the plan, all else edges: bleed, marks, black."""
    ink = edges.pop("ink", "")
    edition = examined.shelf.outlines[address].edition
    sheet = next(sheet for sheet in sheets_of(edition) if sheet.name == name)
    plan = replace(sheet.plan, ink=ink or sheet.plan.ink)
    at = sheet_html.SheetCompositor(sheet.address, Desk(examined.shelf), site=SITE)
    panels = tuple(blocks.parts(sheet, examined.shelf))
    edge = engine.Edges(plan.bleed, **{"black": plan.ink == "black", **edges})
    return sheet_html.SheetJob(
        sheet, panels, at, plan, edge, sheet_html.Imprint("3f9a2c1e", f"{SITE}{sheet.address}/")
    )


def fitted(job: sheet_html.SheetJob) -> copyfitting.FittedSheet:
    found, problems = copyfitting.fit(job)
    assert found, problems
    return found


def faults(job: sheet_html.SheetJob) -> list[Problem]:
    return copyfitting.fit(job)[1]
