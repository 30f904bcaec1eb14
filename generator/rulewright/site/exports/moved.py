"""`moved.json` of a book: what the rules of its other editions are in the newest, for whoever cites them."""

from __future__ import annotations

from rulewright.book.outline import Outline
from rulewright.citations import addresses
from rulewright.compare.heirs import Heirs
from rulewright.model.reports import as_json
from rulewright.site.artifacts import Content
from rulewright.site.context import Desk


def files(desk: Desk, book: str) -> dict[str, Content]:
    """The file of a book that has several editions."""
    outlines = [one for one in desk.shelf.outlines.values() if one.edition.address.partition("/")[0] == book]
    return {addresses.moved_path(book): lambda: pairs(desk, outlines)} if len(outlines) > 1 else {}


def pairs(desk: Desk, outlines: list[Outline]) -> str:
    """As JSON, of each edition but the newest: the numbers that are others there, null where a rule is gone.

    A rule that has kept its number is left out, and so is one of which too little is known.
    """
    newest = desk.counterparts.newest(outlines[0])
    moved = {
        str(old.edition.file.edition): {
            entry.key: there and there.key
            for entry, there in Heirs(desk.shelf, old, newest, desk.counterparts).moved()
        }
        for old in outlines
        if old is not newest
    }
    return as_json({"newest": newest.edition.file.edition, "moved": moved})
