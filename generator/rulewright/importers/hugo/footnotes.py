"""Footnotes: those that nothing refers to, and the others right behind what refers to them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulewright.importers.hugo.blocks import Block, Dropped, Paragraph, every

_FOOTNOTE = re.compile(r"(\[[^\[\]\s]+\]) ")
_DEFINED = re.compile(
    r"^\[\^([^\]\s]+)\]:((?:.|\n(?!\s*\n|\[\^))*(?:(?:\n[ \t]*)+\n(?: {4}|\t).*)*)", re.MULTILINE
)


def idle(text: str, first: int) -> Iterator[Dropped]:
    """Footnotes that nothing refers to, which Hugo does not show either."""
    seen: set[str] = set()
    for m in _DEFINED.finditer(text):
        defined = len(re.findall(rf"^\[\^{re.escape(m[1])}\]:", text, re.MULTILINE))
        if m[1] in seen or text.count(f"[^{m[1]}]") == defined:
            line = first + text.count("\n", 0, m.start())
            yield Dropped(f"{m[1]} {m[2]}", line, "a footnote that nothing refers to")
        seen.add(m[1])


def in_place(blocks: list[Block]) -> list[Block]:
    """Blocks with each footnote right behind what it belongs to; Hugo shows them at the end of a page."""
    notes = {m[1]: b for b in blocks if isinstance(b, Paragraph) and (m := _FOOTNOTE.match(_text(b)))}
    if not notes:
        return blocks
    moved = {id(block) for block in notes.values()}
    made: list[Block] = []
    for block in blocks:
        if id(block) in moved:
            continue
        made.append(block)
        words = "".join(_text(one) for one in every([block]) if isinstance(one, Paragraph))
        made += [notes.pop(sign) for sign in list(notes) if f" {sign}" in words]
    return [*made, *notes.values()]


def _text(block: Paragraph) -> str:
    return "".join(piece.text for piece in block.pieces)
