"""Whole numbers in text of strangers, none of them larger than what anybody counts.

Every such text becomes a number here. Python refuses to read more than some thousand digits, and fewer are
still too many to count to.
"""

from __future__ import annotations

import re
from html import unescape

MOST_DIGITS = 9


def parse_int(text: str) -> int | None:
    """Return the integer that a text is, perhaps negative; None for any other and for more than nine
    digits.
    """
    digits = text[1:] if text.startswith(("-", "−")) else text
    if not digits.isdecimal() or len(digits) > MOST_DIGITS:
        return None
    return int(digits) if digits == text else -int(digits)


def parse_count(text: str, limit: int) -> int | None:
    """Return how many there are of something, from 1 up to `most`; None for another text."""
    count = parse_int(text) if text.isascii() else None
    return count if count and 0 < count <= limit else None


def escape_long_entities(html: str) -> str:
    """Return HTML in which no sign is written by a number that is too long to be one: `&#9999999999;` is
    words.
    """
    return re.sub(r"&(?=#\d{8})", "&amp;", html)


def unescape_html(html: str) -> str:
    """Return the words of HTML."""
    return unescape(escape_long_entities(html))
