"""Where quoted words stand in a text: whatever its lines and its quotation marks are, and as whole words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from difflib import SequenceMatcher
from functools import cache

from generator.source import Text

GAP = "…"
"""What stands, between spaces, for words that a quotation leaves out in its middle."""

MOST_LEFT_OUT = 4_000
MOST_COMPARED = 12
"""How many of the places whose words are most alike are compared more closely."""

_MARKS = {"'": "['’‘]", '"': '["“”]', "-": "[-‐‑]"}
_MARKS |= {other: one for one in _MARKS.values() for other in one.strip("[]")}


def places(quote: str, text: str) -> list[tuple[int, int]]:
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


def nearest(quote: str, texts: Iterable[Text]) -> tuple[Text, int, str] | None:
    """The words most like those quoted, with their text and their place in it; None where none are."""
    wanted = [word.casefold() for word in quote.split()]
    length, counts = len(wanted), Counter(wanted)
    rough: list[tuple[int, int, Text, int, int]] = []
    for order, text in enumerate(texts):
        words = list(re.finditer(r"\S+", text))
        keys = [m.group().casefold() for m in words]
        for at in range(max(1, len(words) - length + 1) if words else 0):
            alike = sum((Counter(keys[at : at + length]) & counts).values())
            last = min(at + length, len(words)) - 1
            if alike or length == 1:
                rough.append((-alike, order, text, words[at].start(), words[last].end()))
    rough.sort(key=lambda one: one[:2])
    best, found = 0.55, None
    for _, _, text, start, end in rough[: MOST_COMPARED if length > 1 else 400]:
        ratio = SequenceMatcher(None, quote.casefold(), text[start:end].casefold()).ratio()
        if ratio > best:
            best, found = ratio, (text, start, " ".join(text[start:end].split()))
    return found
