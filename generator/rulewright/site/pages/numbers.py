"""The page with all rule numbers of an edition, to jump by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from rulewright.book.outline import Outline
from rulewright.site.artifacts import Page
from rulewright.site.context import Desk
from rulewright.site.pages.page import page


def pages(desk: Desk, outline: Outline, given: Mapping[str, Any]) -> Iterator[Page]:
    """The page with all rule numbers."""
    path = f"{outline.edition.address}/numbers"
    yield page(desk, "numbers", path, None, **{**given, "levels": _levels(outline)})


def _levels(outline: Outline) -> list[tuple[str, int]]:
    """The levels of a book's numbers by the names that it gives them, with how many numbers each has."""
    counts = Counter(entry.level for entry in outline.entries.values())
    names = enumerate(outline.edition.book.levels)
    return [(str(name), counts[level]) for level, name in names if counts[level]]
