"""Suffixes of numbers: 5b+, 5.1*, 5.1bis and 5.1-A are other rules than 5b and 5.1.

No example can declare one, so that a number with a suffix means no rule; it is told where it is cited.
"""

from __future__ import annotations

import re

_LATIN = "bis|ter|quater|quinquies|sexies|septies|octies|nonies|novies|decies"
# In German and Dutch two of those are words of a sentence: 12.5 bis zum Ende.
_NO_LATIN = r"(?!\s+(?:\d|(?:zu[mr]?|auf|ins?|an|einschl\w*|nach|dahin|heute|plaatse)\b))"
_SUFFIX = re.compile(
    r"(?P<sign>\*{1,2}(?![\w*])|_(?!\w)|\+{1,2}(?![\w+])|['’](?!\w))|[′″]+|#\w{0,3}(?!\w)|[¼-¾⅐-⅞]+"
    rf"|[\s.-]?(?:{_LATIN})(?![\w-]){_NO_LATIN}"
    r"|[‐‑–/_-](?P<letter>[^\W\d_])(?![\w'’(\[]|[./:–-]\w)|_\w{1,2}(?!\w)"
)
_LOOK_BACK = 400  # how far emphasis or a quotation that ends behind a number may begin before it


def suffix(text: str, start: int, end: int) -> re.Match[str] | None:
    """The suffix of a number between two spots of a text; what ends emphasis or a quotation is none."""
    found = _SUFFIX.match(text, end)
    return None if found and found["sign"] and _closes(text, start, found["sign"]) else found


def _closes(text: str, start: int, sign: str) -> bool:
    """Whether a sign ends emphasis or a quotation that begins before `start`."""
    back = text[max(0, start - _LOOK_BACK) : start]
    if sign in "'’":
        return re.search(r"(?<!\w)['‘‚]", back) is not None
    runs = [m for m in re.finditer(r"\*+|_+|\++", back) if m.group() in (sign, sign[0] * 3)]
    if sign == "+" or not runs:
        return False
    before, behind = back[: runs[-1].start()][-1:], back[runs[-1].end() :][:1]
    return not before.isalnum() and not behind.isspace()
