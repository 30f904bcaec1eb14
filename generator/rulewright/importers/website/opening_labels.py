"""Labels and titles that rules, items and steps open with; and lists that are written as paragraphs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from rulewright.importers.website.blocks import (
    Block,
    Item,
    Listing,
    Paragraph,
    TextPiece,
    behind,
    said,
    trimmed,
)
from rulewright.model.step_kinds import KINDS, STEP_KINDS, TURNS
from rulewright.numbers.dialect import Dialect, Number
from rulewright.numbers.guessing import NAMED

_TRIED = sorted(KINDS, key=lambda kind: (kind in TURNS, KINDS.index(kind)), reverse=True)
"""The kinds in the order in which a title may name them: turns first, of each the innermost."""

SEQUENCE = re.compile(
    r"sequence|outline of play|turn order|order of play|ablauf|reihenfolge|séquence|secuencia", re.I
)
_MOST_WORDS = 9

_ENDS = ".:)]—–-,"

_ITEM = re.compile(
    r"\s*(?:\((?P<both>[A-Za-z]|\d{1,2}|[ivx]{1,5})\)|(?P<one>[A-Za-z]|\d{1,2}|[ivx]{1,5})\))[.:]?\s*"
)
_PARTING = re.compile(r"(?:[.:]|--?|—|–)(?=\s)\s*")
_END = re.compile(r"[.:!?]\Z")


@dataclass(frozen=True, slots=True)
class OpeningLabel:
    """The label that a text opens with: its number, as printed, and where what follows begins."""

    number: Number
    printed: str
    end: int


def labelled(text: str, dialect: Dialect, least: int = 1) -> OpeningLabel | None:
    """The label that a text opens with, of `least` levels or more, or None."""
    named = NAMED.match(text)
    start = named.end() if named else len(text) - len(text.lstrip())
    word = re.compile(r"\S+").match(text, start)
    spaced = re.compile(r"\S+(?:[ \xa0](?=\S*\d))?\S*").match(text, start)
    whole = re.compile(r"\S+\s\S+").match(text, len(text) - len(text.lstrip())) if named else None
    for m in filter(None, (whole, word, spaced)):  # Appendix A is a number where the book says so
        start, token = m.start(), m.group()
        for cut in range(4):
            candidate = token[: len(token) - cut]
            if cut and (not candidate or token[-cut] not in _ENDS):
                break
            bare = candidate[1:-1] if candidate.startswith("(") and candidate.endswith(")") else candidate
            number = dialect.parse(bare)
            if number and len(number.labels) >= least and any(map(str.isalnum, candidate)):
                end = start + len(candidate)
                rest = re.compile(r"[ \t.:)\]—–-]*(?:\s+[—–-]\s+)?\s*").match(text, end)
                return OpeningLabel(number, bare, rest.end() if rest else end)
    return None


def item_label(text: str) -> tuple[str, int] | None:
    """The label that an item of a list opens with (`A)`, `(a)`, `1)`), and where what follows begins."""
    m = _ITEM.match(text)
    return (m["both"] or m["one"], m.end()) if m else None


def rising(labels: Sequence[str]) -> str | None:
    """The sort of labels in a row: `A`, `a`, `1`, `i`, or None where they do not go up one by one from the
    first."""
    sorts: Mapping[str, Iterator[str]] = {
        "A": map(chr, range(ord("A"), ord("Z") + 1)),
        "a": map(chr, range(ord("a"), ord("z") + 1)),
        "1": map(str, range(1, 100)),
        "i": iter(("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii")),
    }
    for sort, count in sorts.items():
        if all(label == wanted for label, wanted in zip(labels, count, strict=False)):
            return sort
    return None


def with_items(examples: Sequence[str], needed: Iterable[str]) -> list[str]:
    """Examples with those that items of rules need; one that another goes on from is left out."""
    every = list(dict.fromkeys([*examples, *needed]))
    return [one for one in every if not any(other != one and other.startswith(one) for other in every)]


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
    return item_label("".join(p.text for p in item.lead if not p.picture))


def parted(pieces: list[TextPiece]) -> tuple[list[TextPiece], list[TextPiece]]:
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


def bare_title(title: list[TextPiece]) -> list[TextPiece]:
    """A title without the full stop or colon at its end, and not in bold, which all titles are."""
    title = [replace(p, bold=False) for p in trimmed(title)]
    if title and title[-1].text.endswith((".", ":")) and not title[-1].text.endswith(("...", "etc.")):
        title[-1] = replace(title[-1], text=title[-1].text[:-1])
    return trimmed(title)


# Steps


def is_outline(listing: Listing, heading: str) -> bool:
    """Whether a list is a sequence of play: it is nested, and names enough phases, segments and turns."""
    titles = [said(item.lead).split("(")[0].strip() for item in _items(listing)]
    named = sum(kind_of(title) is not None for title in titles)
    nested = any(isinstance(block, Listing) for item in listing.items for block in item.blocks)
    return nested and named >= (3 if SEQUENCE.search(heading) else 5) and named * 6 >= len(titles)


def kind_of(title: str) -> str | None:
    """The kind of step that a title names, or None."""
    title = title.strip(" .:*")
    if not title or title.count(" ") >= _MOST_WORDS:
        return None
    return next((kind for kind in _TRIED if STEP_KINDS[kind].names(title)), None)


def _items(listing: Listing) -> Iterator[Item]:
    for item in listing.items:
        yield item
        for block in item.blocks:
            if isinstance(block, Listing):
                yield from _items(block)
