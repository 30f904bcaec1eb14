"""Search quoted words in a text: whole words, with any line breaks and any style of quotation marks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import cache

from rulewright.files.located_text import LocatedText

GAP = "…"
"""Character between spaces that stands for omitted words in a quotation."""

MAX_GAP = 4_000
"""Characters that a gap may stand for."""
MAX_COMPARED = 24
"""Most similar passages that are compared in detail."""

MAX_SEARCHED = 50_000
"""Characters in which similar passages are searched."""

MIN_RATIO, SHORT = 0.55, 60

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
    """Return the passage most similar to a quotation: its text, offset and words; None if there is none.

    If there is only one short text, return that.
    """
    wanted_words = quote.casefold().split()
    count, word_counts = len(wanted_words), Counter(wanted_words)
    candidates: list[tuple[float, LocatedText, int, int]] = []
    remaining = MAX_SEARCHED
    for text in texts:
        words = list(re.finditer(r"\S+", text[:remaining]))
        remaining = max(0, remaining - len(text))
        keys = [m.group().casefold() for m in words]
        for length in sorted({max(1, count - 1), count, count + 1}):
            for index in range(len(words) - length + 1):
                common_words = (Counter(keys[index : index + length]) & word_counts).total()
                if common_words or count == 1:
                    start, end = words[index].start(), words[index + length - 1].end()
                    candidates.append((common_words - length / 3, text, start, end))
    candidates.sort(key=lambda candidate: -candidate[0])
    best, nearest = MIN_RATIO, None
    for _, text, start, end in candidates[: MAX_COMPARED if count > 1 else 400]:
        words_there = " ".join(text[start:end].split()).rstrip(".,;:")
        ratio = SequenceMatcher(None, quote.casefold(), words_there.casefold()).ratio()
        if ratio > best:
            best, nearest = ratio, (text, start, words_there)
    if nearest is None and len(texts) == 1 and len(texts[0]) <= SHORT:
        return texts[0], 0, str(texts[0])
    return nearest
