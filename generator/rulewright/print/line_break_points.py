"""Long words: where a line may end within them, and which parts of them are wide.

Typst ends lines at blanks, behind dashes, and at a hyphen or a stroke that a letter follows. A chain of
hexes or units that is joined otherwise would run over what stands beside it, so there a break is marked with
a zero-width space, which the templates set as one and no PDF has in its text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

BREAK = "\u200b"

_WORD = re.compile(rf"[^ \t\r\n{BREAK}\u00ad]{{12,}}")
_JOINERS = ((12, r"/|\\,;&="), (12, r"\-\u2011_+~×→"), (16, r".:·…"), (24, r"\u00a0\u202f\u2007\u2060"))
"""Signs that join, those that part best first, each with the length from which a word is parted there."""

_JOINTS = [
    (least, re.compile(rf"(?<=[^\s{signs}][{signs}])(?![{signs}])(?=[\w(\[“‘\"'+−-])"))
    for least, signs in _JOINERS
]
_ROW = re.compile(r"([^\w\s]|_)\1{11,}")
"""A row of one sign, such as the dots of a leader, or a blank to be filled in."""

_NEEDLESS = re.compile(rf"(?<=\w[/-]){BREAK}(?=[^\W\d_])")
_PARTED = re.compile(rf"[ \t\r\n{BREAK}\u00ad–—]|(?<=[/-])(?=[^\W\d_])")
"""Where a line ends in words that `breakable` has gone through."""


def with_break_points(words: str) -> str:
    """Words in which a line may end behind the joiners of what is long."""
    return _WORD.sub(
        lambda m: _NEEDLESS.sub("", _parted(_ROW.sub(lambda row: BREAK.join(row[0]), m[0]))), words
    )


def _parted(word: str, at: int = 0) -> str:
    if at == len(_JOINTS):
        return word
    least, joint = _JOINTS[at]
    return BREAK.join(
        _parted(part, at + 1)
        for piece in word.split(BREAK)
        for part in (joint.split(piece) if len(piece) >= least else [piece])
    )


def longest_segments(said: Iterable[str], count: int, least: int = 1) -> list[str]:
    """The parts of words in which no line ends that have most letters, one of which is the widest."""
    parts = {part for line in said for part in _PARTED.split(line) if len(part) >= least}
    return sorted(parts, key=lambda part: (-len(part), part))[:count]
