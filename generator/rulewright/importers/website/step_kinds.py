"""Kinds of steps by their titles, and nested lists that are the sequence of play."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from rulewright.book.sequence import slug
from rulewright.importers.website.blocks import Item, Listing, Paragraph, said
from rulewright.model.step_kinds import KINDS, PLAYERS, STEP_KINDS, TURNS

_TRIED = sorted(KINDS, key=lambda kind: (kind in TURNS, KINDS.index(kind)), reverse=True)
"""The kinds in the order in which a title may name them: turns first, of each the innermost."""

_SEQUENCE = re.compile(
    r"sequence|outline of play|turn order|order of play|ablauf|reihenfolge|séquence|secuencia", re.I
)


_FIRST = {
    "first": r"1st|first|erste[rn]?|premier|primer",
    "second": r"2nd|second|zweite[rn]?|deuxième|segundo",
}
_MOST_WORDS = 9


@dataclass(slots=True)
class StepDraft:
    """A step in the making; `fields` are its keys but for its title and the steps inside."""

    kind: str
    title: str
    line: int
    see: list[str] = field(default_factory=list)
    fields: dict[str, str] = field(default_factory=dict)
    uses: list[str] = field(default_factory=list)
    steps: list[StepDraft] = field(default_factory=list)
    free: bool = False
    narrative: str = ""
    remarks: list[str] = field(default_factory=list)

    def walk(self) -> Iterator[StepDraft]:
        yield self
        for step in self.steps:
            yield from step.walk()


def is_outline(listing: Listing, heading: str) -> bool:
    """Whether a list is a sequence of play: it is nested, and names enough phases, segments and turns."""
    titles = [_words(item).split("(")[0].strip() for item in _items(listing)]
    named = sum(kind_of(title) is not None for title in titles)
    nested = any(isinstance(block, Listing) for item in listing.items for block in item.blocks)
    return nested and named >= (3 if _SEQUENCE.search(heading) else 5) and named * 6 >= len(titles)


def is_sequence(title: str) -> bool:
    """Whether a title is that of a sequence of play."""
    return bool(_SEQUENCE.search(title))


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


def _words(item: Item) -> str:
    first = item.blocks[0] if item.blocks else None
    return said(first.pieces) if isinstance(first, Paragraph) else ""


def side_of(title: str) -> tuple[str, str]:
    """The side whose player turn a title names: a short name, and as the title says it."""
    m = next(filter(None, (STEP_KINDS[kind].names(title) for kind in PLAYERS)), None)
    words = (title[: m.start()] if m else title).strip(" ,:-–—")
    if m and not words:
        words = title[m.end() :].strip(" ,:-–—()")
    for name, pattern in _FIRST.items():
        if re.search(rf"\b(?:{pattern})\b", title, re.IGNORECASE):
            return name, words or f"{name.title()} Player"
    return slug(words), words
