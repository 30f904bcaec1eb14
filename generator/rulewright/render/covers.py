"""Covers of books that have no picture: a title in the colours of the book."""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.book.resolved_branding import ResolvedBranding

_ROOM = ((6, 12), (7, 22), (9, 28), (11, 46))
"""For each size of a title, the largest first, the letters of its longest word and of all its words."""


@dataclass(frozen=True, slots=True)
class Cover:
    """A cover; `branding` has its colours."""

    title: str
    branding: ResolvedBranding

    @property
    def style(self) -> str:
        look = self.branding
        return f"--book:{look.bar};--book-words:{look.words};--book-tone:{look.tone}"

    @property
    def size(self) -> int:
        """The number of the largest type size at which no word breaks and all lines fit."""
        longest, total = max(map(len, self.title.split()), default=0), len(self.title)
        sizes = enumerate(_ROOM)
        return next((n for n, (word, all_) in sizes if longest <= word and total <= all_), len(_ROOM))
