"""Signs that cannot be seen, or that look like others: read through, and named where they stand.

Zero-width spaces, soft hyphens, marks of direction and the like are passed over, full-width and foreign
digits and dots are read as what they look like, and a letter with its accent behind it as one letter.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from typing import NamedTuple

from rulewright.source.problems import Severity, problem_type

UNSEEN = problem_type(
    "unseen-sign",
    "A number, a name or a key holds a sign that cannot be seen, or one that looks like another. It is read "
    "as it looks; delete the sign that the message names, or write the usual one.",
    Severity.NOTE,
)

_HIDDEN = "\xad\u034f\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff"
_JOINERS = "\u200c\u200d\ufe00-\ufe0f"  # which other scripts and pictures need: none beside a plain sign
_ALIKE = {"\u2024": ".", "\u2027": ".", "\ufe52": ".", "\ufe58": "-", "\ufe63": "-"}
_BASIC = rf"[ -~\uff01-\uff5e\d{''.join(_ALIKE)}]"
_NO_SIGN = rf"[{_HIDDEN}]|(?<={_BASIC})[{_JOINERS}]|[\u200c\u200d](?={_BASIC})"
_ANY = re.compile(
    rf"{_NO_SIGN}|[\uff01-\uff5e{''.join(_ALIKE)}]|(?![0-9])\d|[^\W\d_][\u0300-\u034e\u0350-\u036f]+"
)
_TOLD = re.compile(rf"{_NO_SIGN}|[\uff01-\uff5e{''.join(_ALIKE)}]|(?![0-9])\d")


class CleanedView(NamedTuple):
    """A text as it is read; `starts` and `ends`: where each of its signs begins and ends as written."""

    text: str
    starts: list[int]
    ends: list[int]

    def to_source_span(self, start: int, end: int) -> tuple[int, int]:
        """Return the span as written of one in the text that is read."""
        return (self.starts[start], self.ends[end - 1]) if start < end else (self.ends[end - 1],) * 2

    def to_cleaned_span(self, start: int, end: int) -> tuple[int, int]:
        """Return the span in the text that is read of one as written."""
        return bisect_left(self.starts, start), bisect_left(self.starts, end)


def clean_text(text: str) -> CleanedView | None:
    """Return a text without signs that hide what it says, or None if it has none."""
    if text.isascii() or not _ANY.search(text):
        return None
    pieces: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    last = 0
    for m in _ANY.finditer(text):
        read = _read(m.group())
        pieces += (text[last : m.start()], read)
        starts += (*range(last, m.start()), *[m.start()] * len(read))
        ends += (*range(last + 1, m.start() + 1), *[m.end()] * len(read))
        last = m.end()
    pieces.append(text[last:])
    starts += range(last, len(text))
    ends += range(last + 1, len(text) + 1)
    return CleanedView("".join(pieces), starts, ends)


def cleaned(text: str) -> str:
    """Return a text as it is read."""
    return text if text.isascii() else _ANY.sub(lambda m: _read(m.group()), text)


def is_hidden(sign: str) -> bool:
    """Return whether a sign, which may be written as an escape, is one of those that are passed over."""
    if sign[0] == "\\" and sign[1:2] in ("x", "u", "U"):
        sign = chr(int(sign[2:], 16))
    return re.fullmatch(f"[{_HIDDEN}{_JOINERS}\u0300-\u036f]", sign) is not None


def first_invisible(text: str) -> tuple[int, str] | None:
    """Return the first sign of a text that looks like nothing or like another, and where it stands."""
    m = None if text.isascii() else _TOLD.search(text)
    return (m.start(), m.group()) if m else None


def unicode_name(sign: str) -> str:
    """Return a sign by its number and its name: U+200B (zero width space)."""
    name = unicodedata.name(sign, "").lower()
    return f"U+{ord(sign):04X}{f' ({name})' if name else ''}"


def invisible_character_message(sign: str, words: str) -> str:
    """Return the message about a hidden sign in words that are read without it."""
    cure = "cannot be seen; delete it" if is_hidden(sign) else f"is read as {cleaned(sign)}; write that"
    return f"{unicode_name(sign)} stands in {cleaned(words)} and {cure}"


def _read(sign: str) -> str:
    if len(sign) > 1:
        return unicodedata.normalize("NFC", sign)
    if sign in _ALIKE:
        return _ALIKE[sign]
    if sign.isdecimal():
        return str(unicodedata.decimal(sign))
    return chr(ord(sign) - 0xFEE0) if "\uff01" <= sign <= "\uff5e" else ""
