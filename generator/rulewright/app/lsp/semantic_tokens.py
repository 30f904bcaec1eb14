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
    data: list[int] = []
    line, column = 0, 0
    for span in view.spans_between(start, end):
        if span.target is None:
            continue
        changes = int(span.declares) | 2 * bool(isinstance(span.target, RuleEntry) and span.target.retired)
        sort = next(
            (index for index, types in enumerate(_THINGS) if isinstance(span.target, types)), len(_THINGS)
        )
        for segment in _ROW.finditer(view.lines.text, span.start, span.end):
            begin, stop = map(view.lines.position, segment.span())
            ahead = begin.character if begin.line > line else begin.character - column
            data += [begin.line - line, ahead, stop.character - begin.character, sort, changes]
            line, column = begin.line, begin.character
    return data
