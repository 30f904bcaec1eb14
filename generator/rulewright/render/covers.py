"""Covers of books that have no picture: hexes and a front line that only this title has."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import shake_256

from rulewright.book.resolved_branding import ResolvedBranding

ROW = 10
"""Half the height of a hex of a cover, in units of its drawing."""

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

    def front_line_path(self, columns: int, rows: int) -> str:
        """Return the path of the front line across a field of hexes, along their edges."""
        low, high = rows // 3, rows - 3
        steps = shake_256(self.title.encode()).digest(columns + 1)
        row = low + steps[-1] % (high - low) // 2 * 2
        path = f"M-5 {row * ROW}h10"
        for byte in steps[:-1]:
            step = (-3, -1, -1, 1, 1, 1)[byte % 6]
            step = abs(step) if row + step < low else -abs(step) if row + step > high else step
            for turn in range(abs(step)):
                path += f"l{5 - turn % 2 * 10} {ROW if step > 0 else -ROW}"
            path += "h10"
            row += step
        return path
