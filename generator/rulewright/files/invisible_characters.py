"""Characters that are invisible or look like others: ignored in reading, and named in problems.

Zero-width spaces, soft hyphens and direction marks are ignored. Full-width and foreign digits and dots are
read as the ASCII characters that they resemble, and a letter with a combining accent as one letter.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from typing import NamedTuple

from rulewright.files.problems import Severity, problem_type

UNSEEN = problem_type(
    "unseen-sign",
    "A number, name or key contains an invisible character, or one that looks like another. It is read "
    "as it looks; delete that character, or write the usual one.",
    Severity.NOTE,
)

_HIDDEN = "\xad\u034f\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff"
_JOINERS = "\u200c\u200d\ufe00-\ufe0f"  # needed by other scripts and emoji, but not beside these characters
_ALIKE = {"\u2024": ".", "\u2027": ".", "\ufe52": ".", "\ufe58": "-", "\ufe63": "-"}
_BASIC = rf"[ -~\uff01-\uff5e\d{''.join(_ALIKE)}]"
_IGNORED = rf"[{_HIDDEN}]|(?<={_BASIC})[{_JOINERS}]|[\u200c\u200d](?={_BASIC})"
_ANY = re.compile(
    rf"{_IGNORED}|[\uff01-\uff5e{''.join(_ALIKE)}]|(?![0-9])\d|[^\W\d_][\u0300-\u034e\u0350-\u036f]+"
)
_EACH = re.compile(rf"{_ANY.pattern}|(?P<usual>.)", re.DOTALL)
_REPORTED = re.compile(rf"{_IGNORED}|[\uff01-\uff5e{''.join(_ALIKE)}]|(?![0-9])\d")


class CleanedView(NamedTuple):
    """Cleaned text, with the start and end of each of its characters in the source text."""

    text: str
    starts: list[int]
    ends: list[int]

    def to_source_span(self, start: int, end: int) -> tuple[int, int]:
        """Return the span in the source text of a span of the cleaned text."""
        return (self.starts[start], self.ends[end - 1]) if start < end else (self.ends[end - 1],) * 2

    def to_cleaned_span(self, start: int, end: int) -> tuple[int, int]:
        """Return the span in the cleaned text of a span of the source text."""
        return bisect_left(self.starts, start), bisect_left(self.starts, end)


def clean_text(text: str) -> CleanedView | None:
    """Return a text without invisible characters and look-alikes, or None if it has none."""
    if text.isascii() or not _ANY.search(text):
        return None
    pieces: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for m in _EACH.finditer(text):
        pieces.append(m["usual"] or _read(m.group()))
        starts += [m.start()] * len(pieces[-1])
        ends += [m.end()] * len(pieces[-1])
    return CleanedView("".join(pieces), starts, ends)


def cleaned(text: str) -> str:
    """Return a text without invisible characters and look-alikes."""
    return text if text.isascii() else _ANY.sub(lambda m: _read(m.group()), text)


def is_hidden(character: str) -> bool:
    """Return whether a character, or its escape, is ignored in reading."""
    if character[0] == "\\" and character[1:2] in ("x", "u", "U"):
        character = chr(int(character[2:], 16))
    return re.fullmatch(f"[{_HIDDEN}{_JOINERS}\u0300-\u036f]", character) is not None


def first_invisible(text: str) -> tuple[int, str] | None:
    """Return the offset and text of the first invisible or look-alike character, or None."""
    m = None if text.isascii() else _REPORTED.search(text)
    return (m.start(), m.group()) if m else None


def unicode_name(character: str) -> str:
    """Return the number and name of a character: U+200B (zero width space)."""
    name = unicodedata.name(character, "").lower()
    return f"U+{ord(character):04X}{f' ({name})' if name else ''}"


def invisible_character_message(character: str, words: str) -> str:
    """Return the message about an invisible character in words that are read without it."""
    cure = (
        "is invisible; delete it" if is_hidden(character) else f"is read as {cleaned(character)}; write that"
    )
    return f"{unicode_name(character)} in {cleaned(words)} {cure}"


def _read(character: str) -> str:
    if len(character) > 1:
        return unicodedata.normalize("NFC", character)
    if character in _ALIKE:
        return _ALIKE[character]
    if character.isdecimal():
        return str(unicodedata.decimal(character))
    return chr(ord(character) - 0xFEE0) if "\uff01" <= character <= "\uff5e" else ""
