"""Recognize a list that is a sequence of play."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from rulewright.imports import Entries
from rulewright.imports.blocks import Block, plain
from rulewright.imports.book import Book
from rulewright.imports.outline.step_line_parser import kind_of
from rulewright.imports.prose import ProseWriter

SEQUENCE = re.compile(
    r"sequence|outline of play|turn order|order of play|ablauf|reihenfolge|séquence|secuencia", re.IGNORECASE
)


def is_outline(listing: Sequence[Block], heading: str) -> bool:
    """Return whether a list is a sequence of play: it is nested and names enough phases and turns."""
    items = [block for block in listing if block.kind == "item"]
    titles = [plain(block.runs).split("(")[0].strip() for block in items]
    named = sum(kind_of(title) is not None for title in titles)
    is_nested = any(block.depth > 1 for block in items)
    return is_nested and named >= (3 if SEQUENCE.search(heading) else 5) and named * 6 >= len(titles)


def bare_name(words: str) -> str:
    """Return a name to compare: small letters, without signs."""
    return " ".join(re.findall(r"\w+", words.lower()))


class StepsWriter:
    """Writes the sequence of play."""

    def __init__(self, prose: ProseWriter, texts: Sequence[str]) -> None:
        self.prose, self.texts = prose, texts
        self.drafts: list[Any] = []
        self.narratives: frozenset[str] = frozenset()
        self.count = 0

    def write(self, book: Book) -> Entries:
        return {}

    def rulebook_keys(self) -> Entries:
        return {}
