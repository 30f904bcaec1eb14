"""`moved.json` of a book: what the rules of its other editions are in the newest, for whoever cites them."""

from __future__ import annotations

from rulewright.book.outline import Outline, RuleEntry
from rulewright.references import site_paths
from rulewright.render.build_artifacts import Content
from rulewright.render.render_context import RenderContext
from rulewright.schema.problem_reports import to_json_text


def moved_numbers_file(desk: RenderContext, book: str) -> dict[str, Content]:
    """The file of a book that has several editions."""
    outlines = [
        outline
        for outline in desk.index.outlines.values()
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
    moved: dict[str, dict[str, str | None]] = {}
    for old in (outline for outline in outlines if outline is not newest):
        numbers = moved[str(old.edition.edition_file.edition)] = {}
        for entry in old.ordered_entries:
            result = desk.counterparts.counterpart_of(entry, newest)
            if isinstance(result.match, RuleEntry) and result.match.key != entry.key:
                numbers[entry.key] = result.match.key
            elif result.match is None and result.is_certain:
                numbers[entry.key] = None
    return to_json_text({"newest": newest.edition.edition_file.edition, "moved": moved})
