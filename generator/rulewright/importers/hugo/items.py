"""What opens an item: a label, a title in bold; and paragraphs that are items of a list without its signs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import takewhile

from rulewright.importers.hugo.blocks import Block, Item, Listing, Paragraph, Piece, behind, said, trimmed
from rulewright.importers.hugo.numbering import item_label, rising

_PARTING = re.compile(r"(?:[.:]|--?|—|–)(?=\s)\s*")
_END = re.compile(r"[.:!?]\Z")


def with_lists(blocks: Sequence[Block]) -> Iterator[Block]:
    """Blocks in which paragraphs that open with (a), (b) … in a row are a list."""
    row: list[Item] = []
    for block in [*blocks, None]:
        label = item_label("".join(p.text for p in block.pieces)) if isinstance(block, Paragraph) else None
        names = [found[0] for item in row if (found := item_of(item))]
        if block and label and rising([*names, label[0]]):
            row.append(Item([block], block.line))
            continue
        if len(row) > 1:
            yield Listing(row, row[0].line)
        elif row:
            yield row[0].blocks[0]
        row = []
        if block and label and rising([label[0]]):
            row.append(Item([block], block.line))
        elif block:
            yield block


def item_of(item: Item) -> tuple[str, int] | None:
    """The label that an item opens with, and where what follows begins; None where it has none."""
    first = item.blocks[0] if item.blocks else None
    if not isinstance(first, Paragraph):
        return None
    return item_label("".join(p.text for p in first.pieces if not p.picture))


def parted(pieces: list[Piece]) -> tuple[list[Piece], list[Piece]]:
    """The title that a rule's first paragraph opens with, in bold, and the rest of it.

    Bold words that go on in the sentence behind them are no title.
    """
    pieces = trimmed(pieces)
    if m := _PARTING.match("".join(p.text for p in pieces if not p.picture)):
        pieces = behind(pieces, m.end())  # what parts the label from its text
    pictures = list(takewhile(lambda piece: piece.picture or not piece.text.strip(), pieces))
    title = list(takewhile(lambda piece: piece.bold, pieces[len(pictures) :]))
    text = trimmed(pieces[len(pictures) + len(title) :])
    words, rest = said(title), said(text)
    ends = bool(_END.search(words)) and not words.endswith(("...", "…"))
    ends = ends or (words.count(" ") < 6 and rest[:1].isupper() and words[:1].isupper())
    if not words or words.startswith(("...", "…")) or not (ends or not rest or rest[:1] in ".:—–-"):
        return [], pieces
    if len(words) > 100 or (not rest and words.endswith(".") and len(words) > 60):
        return [], pieces  # a rule whose whole text is in bold
    # What parts the title from its text says no more than the title does.
    if m := _PARTING.match("".join(p.text for p in text if not p.picture)):
        text = behind(text, m.end())
    return trimmed(title), [*pictures, *text]


def bare_title(title: list[Piece]) -> list[Piece]:
    """A title without the full stop or colon at its end, and not in bold, which all titles are."""
    title = [replace(p, bold=False) for p in trimmed(title)]
    if title and title[-1].text.endswith((".", ":")) and not title[-1].text.endswith(("...", "etc.")):
        title[-1] = replace(title[-1], text=title[-1].text[:-1])
    return trimmed(title)
