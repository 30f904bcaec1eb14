"""Nesting of bold and italic markup, which a text has as tokens."""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.document.nodes import (
    BoldNode,
    Inline,
    ItalicNode,
    Line,
)
from rulewright.schema.text_document import MarkupToken


def nest_markup(parts: Iterable[MarkupToken | Inline]) -> Line:
    """Return nodes with everything between an opening and its closing token in one node."""
    inline: list[Inline] = []
    outer: list[list[Inline]] = []
    for part in parts:
        if not isinstance(part, MarkupToken):
            inline.append(part)
        elif part.tag.startswith("/") and outer:
            kind = ItalicNode if part.tag == "/em" else BoldNode
            inner, inline = inline, outer.pop()
            inline.append(kind(tuple(inner)))
        elif part.tag:
            outer.append(inline)
            inline = []
    return tuple(part for parts in (*outer, inline) for part in parts)
