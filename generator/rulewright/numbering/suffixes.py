"""Suffixes of numbers: 5b+, 5.1*, 5.1bis and 5.1-A are other rules than 5b and 5.1.

A book declares its suffixes in order. A reference with an undeclared suffix is reported; the suffix is never
ignored.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property

_LATIN = "bis|ter|quater|quinquies|sexies|septies|octies|nonies|novies|decies"
# In German and Dutch two of those are words of a sentence: 12.5 bis zum Ende.
_NO_BIS, _NO_TER = r"\d|(?:zu[mr]?|auf|ins?|an|einschl\w*|nach|dahin|heute)\b", r"plaatse\b"
_NO_LATIN = rf"(?!\s+(?:{_NO_BIS}|{_NO_TER}))"
_SUFFIX = re.compile(
    r"(?P<sign>\*{1,2}(?![\w*])|_(?!\w)|\+{1,4}(?![\w+])|['’](?!\w))|[′″]+|#\w{0,3}(?!\w)|[¼-¾⅐-⅞]+|[†‡]+(?!\w)"
    rf"|(?:\s{{0,2}}|[.-])(?:{_LATIN})(?![\w-]){_NO_LATIN}"
    r"|[‐‑–/_-](?P<letter>[^\W\d_])(?![\w'’(\[]|[./:–-]\w)|_\w{1,2}(?!\w)"
)
STEP = 1 / 1024
"""Difference between the ordinals of two suffixes: a power of two, so that sums are exact."""
_LOOK_BACK = 400  # how far before a number its emphasis or quotation may begin
_DECLARED = re.compile(r"[ ]?(?:[^\w\s.,:;()\[\]{}<>|#-]{1,3}|[-/]?[aA]|[^\W\d_]{2,12})")


def suffix_at(text: str, start: int, end: int) -> re.Match[str] | None:
    """Return the suffix of the number from `start` to `end`; the end of emphasis or a quotation is none."""
    match = _SUFFIX.match(text, end)
    return None if match and match["sign"] and ends_emphasis(text, start, match["sign"]) else match


def ends_emphasis(text: str, start: int, sign: str) -> bool:
    """Return whether a character ends emphasis or a quotation that begins before `start`."""
    back = text[max(0, start - _LOOK_BACK) : start]
    if sign in "'’":
        return re.search(r"(?<!\w)['‘‚]", back) is not None
    runs = [m for m in re.finditer(r"\*+|_+|\++", back) if m.group() in (sign, sign[0] * 3)]
    if sign == "+" or not runs:
        return False
    before, following = back[: runs[-1].start()][-1:], back[runs[-1].end() :][:1]
    return not before.isalnum() and not following.isspace()


def is_suffix(example: str) -> bool:
    """Return whether an example declares a suffix."""
    return _DECLARED.fullmatch(example) is not None


class Suffixes:
    """Suffixes that the labels of a book may have, in order.

    A lone letter, `A` or `-a`, declares every letter of the alphabet.
    """

    def __init__(self, examples: Sequence[str] = (), alphabet: str = "") -> None:
        self.all: list[str] = []
        for example in examples:
            letters = alphabet.upper() if example[-1:] == "A" else alphabet if example[-1:] == "a" else ""
            is_letter = letters and not example[:-1].strip(" -/")
            self.all += [example[:-1] + letter for letter in letters] if is_letter else [example]
        self._ranks = {_folded(suffix): rank for rank, suffix in enumerate(self.all, 1)}

    @cached_property
    def regex(self) -> str:
        """Pattern for an optional suffix; empty if the book has none."""
        return f"(?:{self._any})?" if self.all else ""

    @cached_property
    def _any(self) -> str:
        return "|".join(map(_pattern, sorted(self.all, key=len, reverse=True)))

    @cached_property
    def _end(self) -> re.Pattern[str]:
        return re.compile(rf"(?<=\w)(?:{self._any})\Z")

    def split(self, label: str) -> tuple[str, int]:
        """Return a label without its suffix, and the rank of the suffix from 1, or 0 if it has none."""
        match = self._end.search(label, 1) if self.all and not label.isdigit() else None
        if not match:
            return label, 0
        return label[: match.start()], self._ranks[_folded(match.group())]

    def by_rank(self, rank: int) -> str | None:
        """Return the suffix of a rank, "" for 0, or None after the last."""
        return ["", *self.all][rank] if rank <= len(self.all) else None


def _folded(suffix: str) -> str:
    return suffix.strip().replace("’", "'")


def _pattern(suffix: str) -> str:
    words = re.escape(_folded(suffix)).replace("'", "['’]").replace(r"\-", "[-‐‑]")
    if not suffix[-1].isalpha():
        return rf"{words}(?![\w{re.escape(suffix[-1])}])"
    space = r"[ \xa0]{0,2}" if suffix[0] == " " or len(suffix) > 2 else ""
    excluded = {"bis": _NO_BIS, "ter": _NO_TER}.get(_folded(suffix), r"\d")
    return rf"{space}{words}(?!\w)" + (rf"(?!\s+(?:{excluded}))" if space else "")
