"""Marks that an editor puts over a text: colours of references and, behind a bare number, a rule's title."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lsprotocol.types import InlayHint, SemanticTokensLegend

from rulewright.app.lsp.views import View
from rulewright.book.outline import Entry
from rulewright.book.sequence import StepEntry
from rulewright.book.tables import TableEntry

TYPES = ("enumMember", "event", "struct", "keyword")
"""Rule, step, table and term, by the words that colour schemes of editors know."""
_THINGS = (Entry, StepEntry, TableEntry)
_ROW = re.compile(r"[^\s](?:[^\r\n]*[^\s])?")
CHANGES = ("declaration", "deprecated")
LEGEND = SemanticTokensLegend([*TYPES], [*CHANGES])

LONGEST = 40
"""How many letters of a title stand behind a number."""


def tokens(view: View, start: int = 0, end: int | None = None) -> list[int]:
    """The references and names between two places, five figures each, as the protocol packs them."""
    made: list[int] = []
    line, column = 0, 0
    for one in view.spots(start, end):
        if one.thing is None:
            continue
        changes = int(one.declares) | 2 * bool(isinstance(one.thing, Entry) and one.thing.retired)
        sort = next((at for at, each in enumerate(_THINGS) if isinstance(one.thing, each)), len(_THINGS))
        for row in _ROW.finditer(view.lines.text, one.start, one.end):
            at, stop = map(view.lines.position, row.span())
            ahead = at.character if at.line > line else at.character - column
            made += [at.line - line, ahead, stop.character - at.character, sort, changes]
            line, column = at.line, at.character
    return made


def hints(view: View, start: int, end: int) -> Iterator[InlayHint]:
    """The titles behind the numbers between two places that nothing there says already."""
    for one in view.spots(start, end):
        entry = one.thing
        if one.declares or not one.reference or not isinstance(entry, Entry) or not entry.title:
            continue
        behind = view.lines.text[one.end : one.end + len(entry.title) + LONGEST]
        is_mark = behind.startswith(("|", "]]"))
        if (is_mark and behind.startswith("|")) or entry.title.casefold() in " ".join(
            behind.split()
        ).casefold():
            continue
        title = entry.title if len(entry.title) <= LONGEST else f"{entry.title[: LONGEST - 1].rstrip()}…"
        yield InlayHint(
            view.lines.position(one.end),
            " ".join(title.split()),
            padding_left=True,
        )
