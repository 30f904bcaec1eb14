"""Colours that an editor gives to the references and names in a text."""

from __future__ import annotations

import re

from lsprotocol.types import SemanticTokensLegend

from rulewright.app.lsp.open_files import FileView
from rulewright.book.citable_items import ListItem
from rulewright.book.outline import RuleEntry
from rulewright.book.sequence import SequenceStep
from rulewright.book.table_entries import TableEntry

TYPES = ("enumMember", "event", "struct", "keyword")
"""Rule, step, table and term, by the words that colour schemes of editors know."""
_THINGS: tuple[type | tuple[type, ...], ...] = ((RuleEntry, ListItem), SequenceStep, TableEntry)
_ROW = re.compile(r"[^\s](?:[^\r\n]*[^\s])?")
CHANGES = ("declaration", "deprecated")
LEGEND = SemanticTokensLegend([*TYPES], [*CHANGES])


def tokens(view: FileView, start: int = 0, end: int | None = None) -> list[int]:
    """The references and names between two places, five figures each, as the protocol packs them."""
    made: list[int] = []
    line, column = 0, 0
    for one in view.spans_between(start, end):
        if one.target is None:
            continue
        changes = int(one.declares) | 2 * bool(isinstance(one.target, RuleEntry) and one.target.retired)
        sort = next((at for at, each in enumerate(_THINGS) if isinstance(one.target, each)), len(_THINGS))
        for row in _ROW.finditer(view.lines.text, one.start, one.end):
            at, stop = map(view.lines.position, row.span())
            ahead = at.character if at.line > line else at.character - column
            made += [at.line - line, ahead, stop.character - at.character, sort, changes]
            line, column = at.line, at.character
    return made
