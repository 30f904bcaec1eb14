"""Parse integers from untrusted text, with a limit on digits.

Python refuses to parse some thousand digits, and fewer are already too many to count to.
"""

from __future__ import annotations

import re
from html import unescape

MAX_DIGITS = 9


def parse_int(text: str) -> int | None:
    """Return the integer of a text, perhaps negative; None for other texts and for more than nine digits."""
    digits = text[1:] if text.startswith(("-", "−")) else text
    if not digits.isdecimal() or len(digits) > MAX_DIGITS:
        return None
    return int(digits) if digits == text else -int(digits)


def parse_count(text: str, limit: int) -> int | None:
    """Return the count from 1 to `limit` that a text is; None for another text."""
    count = parse_int(text) if text.isascii() else None
    return count if count and 0 < count <= limit else None


def escape_long_entities(html: str) -> str:
    """Return HTML with character references that are too long to be valid escaped: `&#9999999999;` is
    text.
    """
    return re.sub(r"&(?=#\d{8})", "&amp;", html)


def unescape_html(html: str) -> str:
    """Return the text of HTML without tags."""
    return unescape(escape_long_entities(html))
