"""Checks of the paper of player aids: sizes, columns, and panels of folded sheets."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.book.aid_plan import AidSheet, blocks_by_panel, plan_aid
from rulewright.files.located_text import LocatedText
from rulewright.files.problems import Problem, Severity, problem_type, quote_short
from rulewright.references.reference_index import ReferenceIndex
from rulewright.schema.paper import panel_widths

NARROW = problem_type(
    "columns-too-narrow", "A player aid has so many columns that hardly a word fits in one."
)
START = problem_type(
    "start-idle",
    "A block begins in a new column on a sheet with one column, or on a new page of a folded sheet, whose "
    "pages are its panels.",
    Severity.WARNING,
)
NO_PANEL = problem_type(
    "panel-not-found", "A player aid names a panel that its fold does not have, or one without being folded."
)
PANEL_AGAIN = problem_type(
    "panel-repeated", "A panel of a folded sheet is begun twice. Put its blocks together."
)
PANEL_UNUSED = problem_type(
    "panel-unused", "A panel of a folded sheet has no blocks and stays blank.", Severity.WARNING
)
OUTSIDE = problem_type("block-outside-panel", "A block of a folded sheet stands ahead of the first panel.")
PAGES = problem_type("pages-of-fold", "A folded sheet has another number of pages than it has sides.")

NARROWEST = 25
"""Minimum width of a column in mm: about five words of the smallest type."""


def check_aid_paper(index: ReferenceIndex) -> Iterator[Problem]:
    """Report invalid sizes and counts, narrow columns, and blocks that cannot start as they say."""
    for sheet in _sheets(index):
        yield from plan_aid(sheet.aid)[1]
        plan = sheet.plan
        width = min(width for side in panel_widths(plan.fold, plan.paper) for width in side)
        max_columns = max(1, int(width // NARROWEST))
        if plan.columns > max_columns and sheet.aid.columns:
            message = f"{plan.columns} columns are narrower than {NARROWEST} mm; use {max_columns} at most"
            yield NARROW.problem(sheet.aid.columns.place, message, sheet.name)
        if plan.fold != "none" and plan.pages != plan.sides and sheet.aid.pages:
            sides = "both sides has 2 pages" if plan.sides == 2 else "one side has 1 page"
            message = f"a folded sheet printed on {sides}; leave `pages:` out"
            yield PAGES.problem(sheet.aid.pages.place, message, sheet.name)
        for block in sheet.aid.blocks:
            if block.starts == "column" and plan.columns == 1:
                message = "there is only one column; say how many `columns:` the sheet has, or leave this out"
                yield START.problem(block.starts.place, message, sheet.name)
            elif block.starts == "page" and plan.fold != "none":
                message = "the pages of a folded sheet are its panels; begin one with `panel:`"
                yield START.problem(block.starts.place, message, sheet.name)


def check_aid_panels(index: ReferenceIndex) -> Iterator[Problem]:
    """Report unknown, repeated and unused panels, and blocks outside all panels."""
    for sheet in _sheets(index):
        begun = [name for name, _ in blocks_by_panel(sheet.aid) if name is not None]
        if sheet.plan.fold == "none":
            for name in (*sheet.aid.panels, *begun)[:1]:
                message = (
                    f"the sheet is not folded, so it has no panel {quote_short(name)}; say `fold: bi-fold`"
                )
                yield NO_PANEL.problem(name.place, message, sheet.name)
        else:
            yield from _check_folded_panels(sheet, begun)


def _check_folded_panels(sheet: AidSheet, begun: list[LocatedText]) -> Iterator[Problem]:
    """Report faults in the panels of a folded sheet."""
    panels = sheet.plan.panels
    for index, name in enumerate(begun):
        if name not in panels:
            yield name.unknown_name_problem(
                NO_PANEL, f"there is no panel {quote_short(name)}", panels, sheet.name
            )
        elif name in begun[:index]:
            first = begun[begun.index(name)].place.line
            message = f"the panel {quote_short(name)} has begun in line {first}; move these blocks there"
            yield PANEL_AGAIN.problem(name.place, message, sheet.name)
    outside, blocks = next(blocks_by_panel(sheet.aid), (None, []))
    if outside is None and blocks:
        sort = blocks[0].sort
        message = f"this {sort} stands in no panel; begin one ahead of it: `panel: {panels[0]}`"
        yield OUTSIDE.problem(sort.place, message, sheet.name)
    unused = [panel for panel in panels if panel not in begun]
    if begun and all(name in panels for name in begun) and unused and sheet.aid.fold:
        message = f"nothing stands on the panel {', '.join(unused)}"
        yield PANEL_UNUSED.problem(sheet.aid.fold.place, message, sheet.name)


def _sheets(index: ReferenceIndex) -> Iterator[AidSheet]:
    for references in index.editions.values():
        yield from references.aid_sheets
