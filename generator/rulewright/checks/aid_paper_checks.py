"""Checks of the paper of player aids: sizes, columns, and panels of folded sheets."""

from __future__ import annotations

from rulewright.book.aid_plan import AidSheet, blocks_by_panel, plan_aid
from rulewright.checks.check_visitor import Problems, Scope, check
from rulewright.files.problems import problem_type, quote_short
from rulewright.schema.paper import panel_widths

NARROW = problem_type(
    "columns-too-narrow", "A player aid has so many columns that hardly a word fits in one."
)
NO_PANEL = problem_type(
    "panel-not-found", "A player aid names a panel that its fold does not have, or one without being folded."
)
PANEL_AGAIN = problem_type(
    "panel-repeated", "A panel of a folded sheet is begun twice. Put its blocks together."
)
OUTSIDE = problem_type("block-outside-panel", "A block of a folded sheet is before the first panel.")
PAGES = problem_type("pages-of-fold", "A folded sheet has another number of pages than it has sides.")

NARROWEST = 25
"""Minimum width of a column in mm: about five words of the smallest type."""


@check(AidSheet, NARROW, PAGES)
def check_aid_paper(sheet: AidSheet, _: Scope) -> Problems:
    """Report invalid sizes and counts, and narrow columns."""
    yield from plan_aid(sheet.aid)[1]
    plan, is_folded = sheet.plan, sheet.plan.fold != "none"
    width = min(width for side in panel_widths(plan.fold, plan.paper) for width in side)
    max_columns = max(1, int(width // NARROWEST))
    if plan.columns > max_columns and sheet.aid.columns:
        message = f"{plan.columns} columns are narrower than {NARROWEST} mm; use {max_columns} at most"
        yield NARROW.problem(sheet.aid.columns, message)
    if is_folded and plan.pages != plan.sides and sheet.aid.pages:
        sides = "both sides has 2 pages" if plan.sides == 2 else "one side has 1 page"
        yield PAGES.problem(sheet.aid.pages, f"a folded sheet printed on {sides}; leave `pages:` out")


@check(AidSheet, NO_PANEL, PANEL_AGAIN, OUTSIDE)
def check_aid_panels(sheet: AidSheet, _: Scope) -> Problems:
    """Report unknown and repeated panels, and blocks outside all panels."""
    panels = sheet.plan.panels
    begun = [name for name, _ in blocks_by_panel(sheet.aid) if name is not None]
    if sheet.plan.fold == "none":
        for name in (*sheet.aid.panels, *begun)[:1]:
            message = f"the sheet is not folded, so it has no panel {quote_short(name)}; say `fold: bi-fold`"
            yield NO_PANEL.problem(name, message)
        return
    for index, name in enumerate(begun):
        if name not in panels:
            yield name.unknown_name_problem(NO_PANEL, f"there is no panel {quote_short(name)}", panels)
        elif name in begun[:index]:
            line = begun[begun.index(name)].place.line
            message = f"the panel {quote_short(name)} has begun in line {line}; move these blocks there"
            yield PANEL_AGAIN.problem(name, message)
    outside, blocks = next(blocks_by_panel(sheet.aid), (None, []))
    if outside is None and blocks:
        sort = blocks[0].sort
        yield OUTSIDE.problem(
            sort, f"this {sort} is outside all panels; begin one before it: `panel: {panels[0]}`"
        )
