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
    parts = [
        r"\s+".join(map(_escaped, part.split())) for part in re.split(rf" {GAP} ", quote) if part.strip()
    ]
    between = rf"(?:(?!\n\s*\n).){{1,{MAX_GAP}}}?"
    before = r"(?<!\w)" if re.match(r"\w", quote) else ""
    before += r"(?<!\d[.,/])" if re.match(r"\d", quote) else ""
    after = r"(?!\w)" if re.search(r"\w\Z", quote) else ""
    after += r"(?![.,/]\d)" if re.search(r"\d\Z", quote) else ""
    return re.compile(before + between.join(parts) + after, re.DOTALL)


def _escaped(word: str) -> str:
    return "".join(_MARKS.get(c) or re.escape(c) for c in word)


def nearest_quote(quote: str, texts: Sequence[LocatedText]) -> tuple[LocatedText, int, str] | None:
    """Return the passage most similar to a quotation: its text, offset and words; None if there is none.

    If there is only one short text, return that.
    """
    # Imported late: mostly everything is found.
    wanted_words = [word.casefold() for word in quote.split()]
    counts = Counter(wanted_words)
    rough: list[tuple[float, int, int, LocatedText, int, int]] = []
    left = MAX_SEARCHED
    for order, text in enumerate(texts):
        words = list(re.finditer(r"\S+", text[:left]))
        left = max(0, left - len(text))
        keys = [m.group().casefold() for m in words]
        for length in {max(1, len(wanted_words) + more) for more in (-1, 0, 1)}:
            for index in range(len(words) - length + 1):
                common_words = sum((Counter(keys[index : index + length]) & counts).values())
                if common_words or len(wanted_words) == 1:
                    span = words[index].start(), words[index + length - 1].end()
                    rough.append((length / 3 - common_words, order, index, text, *span))
    rough.sort(key=lambda candidate: candidate[:3])
    best, nearest = MIN_RATIO, None
    for _, _, _, text, start, end in rough[: MAX_COMPARED if len(wanted_words) > 1 else 400]:
        words_there = " ".join(text[start:end].split()).rstrip(".,;:")
        ratio = SequenceMatcher(None, quote.casefold(), words_there.casefold()).ratio()
        if ratio > best:
            best, nearest = ratio, (text, start, words_there)
    if nearest is None and len(texts) == 1 and len(texts[0]) <= SHORT:
        return texts[0], 0, str(texts[0])
    return nearest
