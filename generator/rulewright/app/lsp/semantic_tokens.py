"""Semantic tokens: the references and names in a text, for highlighting."""

from __future__ import annotations

import re

from lsprotocol.types import SemanticTokensLegend

from rulewright.app.lsp.open_files import FileView
from rulewright.book.outline import RuleEntry
from rulewright.book.table_entries import TableEntry
from rulewright.references.citable_items import ListItem
from rulewright.sequence.sequence_step import SequenceStep

TYPES = ("enumMember", "event", "struct", "keyword")
"""Token types of rules, steps, tables and terms; color schemes support these names."""
_TARGET_TYPES: tuple[type | tuple[type, ...], ...] = ((RuleEntry, ListItem), SequenceStep, TableEntry)
_LINE_PART = re.compile(r"[^\s](?:[^\r\n]*[^\s])?")
MODIFIERS = ("declaration", "deprecated")
LEGEND = SemanticTokensLegend([*TYPES], [*MODIFIERS])


def tokens(view: FileView, start: int = 0, end: int | None = None) -> list[int]:
    """Return the references and names between two indexes, five integers each as the protocol defines."""
    data: list[int] = []
    line, column = 0, 0
    for span in view.spans_between(start, end):
        if span.target is None:
            continue
        modifiers = int(span.declares) | 2 * bool(isinstance(span.target, RuleEntry) and span.target.retired)
        matches = [isinstance(span.target, types) for types in _TARGET_TYPES]
        token_type = [*matches, True].index(True)
        for segment in _LINE_PART.finditer(view.lines.text, span.start, span.end):
            start_position, end_position = map(view.lines.position, segment.span())
            if start_position.line > line:
                column = 0
            length = end_position.character - start_position.character
            data += [start_position.line - line, start_position.character - column, length]
            data += [token_type, modifiers]
            line, column = start_position.line, start_position.character
    return data
