"""Where quoted words stand in a text: whatever its lines and its quotation marks are, and as whole words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache

from rulewright.source.located_text import LocatedText

GAP = "…"
"""Sign, between spaces, for words that a quotation leaves out in its middle."""

MOST_LEFT_OUT = 4_000
MOST_COMPARED = 24
"""How many of the places whose words are most alike are compared more closely."""

MOST_SEARCHED = 50_000
"""In how many letters they are looked for."""

LEAST_ALIKE, SHORT = 0.55, 60

_MARKS = {"'": "['’‘]", '"': '["“”]', "-": "[-‐‑]"}
_MARKS |= {other: one for one in _MARKS.values() for other in one.strip("[]")}


def find_quote(quote: str, text: str) -> list[tuple[int, int]]:
    """Where a text has these words, from and to, in order and without meeting each other."""
    return [m.span() for m in _pattern(" ".join(quote.split())).finditer(text)]


@cache
def _pattern(quote: str) -> re.Pattern[str]:
    parts = [
        r"\s+".join(map(_escaped, part.split())) for part in re.split(rf" {GAP} ", quote) if part.strip()
    ]
    between = rf"(?:(?!\n\s*\n).){{1,{MOST_LEFT_OUT}}}?"
    before = r"(?<!\w)" if re.match(r"\w", quote) else ""
    before += r"(?<!\d[.,/])" if re.match(r"\d", quote) else ""
    behind = r"(?!\w)" if re.search(r"\w\Z", quote) else ""
    behind += r"(?![.,/]\d)" if re.search(r"\d\Z", quote) else ""
    return re.compile(before + between.join(parts) + behind, re.DOTALL)


def _escaped(word: str) -> str:
    return "".join(_MARKS.get(c) or re.escape(c) for c in word)


def nearest_quote(quote: str, texts: Sequence[LocatedText]) -> tuple[LocatedText, int, str] | None:
    """The words most like those quoted, with their text and their place in it; None where none are.

    Where there is just one short text, that is what the words should have been.
    """
    # Imported late: mostly everything is found.
    from difflib import SequenceMatcher

    wanted = [word.casefold() for word in quote.split()]
    counts = Counter(wanted)
    rough: list[tuple[float, int, int, LocatedText, int, int]] = []
    left = MOST_SEARCHED
    for order, text in enumerate(texts):
        words = list(re.finditer(r"\S+", text[:left]))
        left = max(0, left - len(text))
        keys = [m.group().casefold() for m in words]
        for length in {max(1, len(wanted) + more) for more in (-1, 0, 1)}:
            for at in range(len(words) - length + 1):
                alike = sum((Counter(keys[at : at + length]) & counts).values())
                if alike or len(wanted) == 1:
                    span = words[at].start(), words[at + length - 1].end()
                    rough.append((length / 3 - alike, order, at, text, *span))
    rough.sort(key=lambda one: one[:3])
    best, found = LEAST_ALIKE, None
    for _, _, _, text, start, end in rough[: MOST_COMPARED if len(wanted) > 1 else 400]:
        words_there = " ".join(text[start:end].split()).rstrip(".,;:")
        ratio = SequenceMatcher(None, quote.casefold(), words_there.casefold()).ratio()
        if ratio > best:
            best, found = ratio, (text, start, words_there)
    if found is None and len(texts) == 1 and len(texts[0]) <= SHORT:
        return texts[0], 0, str(texts[0])
    return found
