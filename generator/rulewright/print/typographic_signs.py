"""Typographic signs, and where a line may end within long words.

Typst ends lines at blanks, after dashes, and at a hyphen or a stroke that a letter follows. In a chain of
hexes that is joined otherwise a break is marked with a zero-width space, which no PDF has in its text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

BREAK = "\u200b"

_FRACTIONS = {"1/2": "½", "1/3": "⅓", "2/3": "⅔", "1/4": "¼", "3/4": "¾"}
_FRACTION = re.compile(r"(?<![\d/])(?:[123]/[234])(?![\d/])")
_MINUS = re.compile(r"(?<![\w–−-])-(?=\d)")
_RANGE = re.compile(r"(?<![\w.-])(\d{1,3})-(?=\d{1,3}(?![\d-]))")
_DIFFERENCE = re.compile(r"(?<=\d )- (?=\d)")
_DASH = re.compile(r"(?<=\S) - (?=\S)")
_UNIT = re.compile(r"(?<![\w.-])(\d{1,3}|[½⅓⅔¼¾]) (?=(?:[A-Z]{2,5}s?|hex|hexes|km|m|cm|mm)\b)")
_OPENING = re.compile(r"(?:^|(?<=[\s(\[–—]))\"(?=[^\s\"])|(?<=[\s(\[–—])'(?=[^\W\d])")

_WORD = re.compile(rf"[^ \t\r\n{BREAK}\u00ad]{{12,}}")
_JOINERS = ((12, r"/|\\,;&="), (12, r"\-\u2011_+~×→"), (16, r".:·…"), (24, r"\u00a0\u202f\u2007\u2060"))
"""Signs that join, those that part best first, each with the length from which a word is parted there."""

_JOINTS = [
    (minimum, re.compile(rf"(?<=[^\s{signs}][{signs}])(?![{signs}])(?=[\w(\[“‘\"'+−-])"))
    for minimum, signs in _JOINERS
]
_ROW = re.compile(r"([^\w\s]|_)\1{11,}")
"""A row of one sign, such as a leader of dots, or a blank to be filled in."""

_NEEDLESS = re.compile(rf"(?<=\w[/-]){BREAK}(?=[^\W\d_])")
_PARTED = re.compile(rf"[ \t\r\n{BREAK}\u00ad–—]|(?<=[/-])(?=[^\W\d_])")
"""Where a line ends in words with breaks."""


@lru_cache(20_000)
def set_words(words: str, language: str) -> str:
    """Return words with typographic signs and with breaks in long words. Quotes are those of English."""
    words = _FRACTION.sub(lambda found: _FRACTIONS.get(found[0], found[0]), words)
    words = _RANGE.sub(r"\1–", _MINUS.sub("−", _DIFFERENCE.sub("−\u00a0", words)))
    words = _UNIT.sub("\\1\u00a0", _DASH.sub(" – ", words))
    if language == "en":
        words = _OPENING.sub(lambda found: "“" if found[0] == '"' else "‘", words)
        words = words.replace('"', "”").replace("'", "’")
    return _WORD.sub(lambda found: _break_word(found[0]), words)


def _break_word(word: str) -> str:
    pieces = _ROW.sub(lambda row: BREAK.join(row[0]), word).split(BREAK)
    for minimum, joint in _JOINTS:
        parts: list[str] = []
        for piece in pieces:
            parts += joint.split(piece) if len(piece) >= minimum else [piece]
        pieces = parts
    return _NEEDLESS.sub("", BREAK.join(pieces))


def longest_segments(lines: Iterable[str], count: int, minimum: int = 1) -> list[str]:
    """Return the parts of words in which no line ends that have most letters, one of which is the widest."""
    parts = {part for line in lines for part in _PARTED.split(line) if len(part) >= minimum}
    return sorted(parts, key=lambda part: (-len(part), part))[:count]
