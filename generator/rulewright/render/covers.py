"""Covers of books, drawn before anybody draws one: hexes and a front line that only this title has."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import shake_256
from unicodedata import east_asian_width

from rulewright.book.resolved_branding import ResolvedBranding

COLUMN, ROW = 15, 10
"""How far the hexes of a cover lie apart, and half their height, in units of its drawing."""

_SIZES = (19, 16, 13, 10.5, 8.5)
"""Sizes of a title, in hundredths of the width of its cover."""

_WIDE, _HIGH = 76, 52
"""The room that a title has, in the same measure."""


@dataclass(frozen=True, slots=True)
class Cover:
    """A cover. `size`: the number of the size of its title, 0 being the largest; `dress` has its colours."""

    title: str
    dress: ResolvedBranding

    @property
    def style(self) -> str:
        return f"--book:{self.dress.bar};--book-words:{self.dress.words};--book-tone:{self.dress.tone}"

    @property
    def size(self) -> int:
        """The largest type size at which no word breaks and all lines fit, else the smallest."""
        words = [_width(word) for word in self.title.upper().split()]
        return next((at for at, size in enumerate(_SIZES[:-1]) if _fits(words, size)), len(_SIZES) - 1)

    def front_line_path(self, columns: int, rows: int) -> str:
        """The front line across a field of hexes, along their edges, as the data of a path."""
        low, high = rows // 3, rows - 3
        drawn = shake_256(self.title.encode()).digest(columns + 1)
        at = low + drawn[-1] % (high - low) // 2 * 2
        path = [f"M-5 {at * ROW}h10"]
        for byte in drawn[:-1]:
            step = (-3, -1, -1, 1, 1, 1)[byte % 6]
            step = abs(step) if at + step < low else -abs(step) if at + step > high else step
            down = ROW if step > 0 else -ROW
            path += [f"l{5 - turn % 2 * 10} {down}" for turn in range(abs(step))]
            path.append("h10")
            at += step
        return "".join(path)


def _width(word: str) -> float:
    """About how wide a word is in capitals of the pages' bold type, in sizes of the type."""

    def wide(letter: str) -> float:
        if east_asian_width(letter) in "WF":
            return 1.05
        return 0.32 if letter in "IJ1.,:;'’-–!|()" else 0.84 if letter in "MW—@" else 0.62

    return sum(map(wide, word))


def _fits(words: list[float], size: float) -> bool:
    lines, left = 1, _WIDE / size
    for word in words:
        if word > _WIDE / size:
            return False
        if word > left:
            lines, left = lines + 1, _WIDE / size
        left -= word + 0.25
    return lines * size * 1.06 <= _HIGH
