"""`moved.json` of a book: what the rules of its other editions are in the newest, for whoever cites them."""

from __future__ import annotations

from rulewright.book.outline import Outline
from rulewright.compare.successor_rules import SuccessorMap
from rulewright.references import site_paths
from rulewright.render.build_artifacts import Content
from rulewright.render.render_context import RenderContext
from rulewright.schema.problem_reports import to_json_text


def moved_numbers_file(desk: RenderContext, book: str) -> dict[str, Content]:
    """The file of a book that has several editions."""
    outlines = [
        outline
        for outline in desk.shelf.outlines.values()
        if outline.edition.address.partition("/")[0] == book
    ]
    return (
        {site_paths.moved_numbers_path(book): lambda: moved_pairs(desk, outlines)}
        if len(outlines) > 1
        else {}
    )


def moved_pairs(desk: RenderContext, outlines: list[Outline]) -> str:
    """As JSON, of each edition but the newest: the numbers that are others there, null where a rule is gone.

    A rule that has kept its number is left out, and so is one of which too little is known.
    """
    newest = desk.counterparts.newest(outlines[0])
    moved = {
        str(old.edition.edition_file.edition): {
            entry.key: there and there.key
            for entry, there in SuccessorMap(desk.shelf, old, newest, desk.counterparts).iter_moved()
        }
        for old in outlines
        if old is not newest
    }
    return to_json_text({"newest": newest.edition.edition_file.edition, "moved": moved})
