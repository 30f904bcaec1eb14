"""`moved.json` of a book: what the rules of its other editions are in the newest, for other programs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from rulewright.book.outline import Outline, RuleEntry
from rulewright.references import site_paths
from rulewright.render.build_artifacts import Content
from rulewright.render.render_context import RenderContext
from rulewright.schema.problem_reports import to_json_text


def moved_numbers_file(context: RenderContext, outlines: Sequence[Outline]) -> dict[str, Content]:
    """Return the file of a book that has several editions."""
    path = site_paths.moved_numbers_path(outlines[0].edition.address.partition("/")[0])
    return {path: partial(_moved_numbers, context, tuple(outlines))} if len(outlines) > 1 else {}


def _moved_numbers(context: RenderContext, outlines: Sequence[Outline]) -> str:
    """Return for each edition but the newest the numbers that are others there, null for a removed rule.

    A rule with the same number is left out, and so is a rule of which too little is known.
    """
    newest = context.counterparts.newest(outlines[0])
    moved: dict[str, dict[str, str | None]] = {}
    for old in (outline for outline in outlines if outline is not newest):
        numbers = moved[str(old.edition.edition_file.edition)] = {}
        for entry in old.ordered_entries:
            result = context.counterparts.counterpart_of(entry, newest)
            if isinstance(result.match, RuleEntry) and result.match.key != entry.key:
                numbers[entry.key] = result.match.key
            elif result.match is None and result.is_certain:
                numbers[entry.key] = None
    return to_json_text({"newest": newest.edition.edition_file.edition, "moved": moved})
