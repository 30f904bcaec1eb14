"""Search quoted words in a text: whole words, with any line breaks and any style of quotation marks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches
from functools import cache

from rulewright.files.located_text import LocatedText

GAP = "…"
"""Character between spaces that replaces omitted words in a quotation."""

MAX_GAP = 4_000
"""Limit of characters that a gap may replace."""
MAX_SEARCHED = 4_000
"""Characters in which similar passages are searched."""

MIN_RATIO = 0.55

_MARKS = {"'": "['’‘]", '"': '["“”]', "-": "[-‐‑]"}
_MARKS |= {other: variants for variants in _MARKS.values() for other in variants.strip("[]")}


def find_quote(quote: str, text: str) -> list[tuple[int, int]]:
    """Return the spans of a quotation in a text, in order and without overlaps."""
    return [m.span() for m in _pattern(" ".join(quote.split())).finditer(text)]


@cache
def _pattern(quote: str) -> re.Pattern[str]:
    parts: list[str] = []
    for part in filter(str.strip, quote.split(f" {GAP} ")):
        escaped = "".join(_MARKS.get(c) or re.escape(c) for c in part.strip())
        parts.append(escaped.replace("\\ ", r"\s+"))
    between = rf"(?:(?!\n\s*\n).){{1,{MAX_GAP}}}?"
    before = r"(?<!\w)" if re.match(r"\w", quote) else ""
    before += r"(?<!\d[.,/])" if re.match(r"\d", quote) else ""
    after = r"(?!\w)" if re.search(r"\w\Z", quote) else ""
    after += r"(?![.,/]\d)" if re.search(r"\d\Z", quote) else ""
    return re.compile(before + between.join(parts) + after, re.DOTALL)


def nearest_quote(quote: str, texts: Sequence[LocatedText]) -> tuple[LocatedText, int, str] | None:
    """Return the passage most similar to a quotation: its text, offset and words; None if there is none."""
    count = len(quote.split())
    passages: dict[str, tuple[LocatedText, int, str]] = {}
    remaining = MAX_SEARCHED
    for text in texts:
        words = list(re.finditer(r"\S+", text[:remaining]))
        remaining = max(0, remaining - len(text))
        for length in range(max(1, count - 1), count + 2):
            for first, last in zip(words, words[length - 1 :], strict=False):
                passage = " ".join(text[first.start() : last.end()].split()).rstrip(".,;:")
                passages.setdefault(passage.casefold(), (text, first.start(), passage))
    close = get_close_matches(quote.casefold(), passages, 1, MIN_RATIO)
    return passages[close[0]] if close else None
