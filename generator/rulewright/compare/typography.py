"""Normalize typography: dashes, minus, quotes, ellipsis, the times sign, ligatures, soft hyphens, composed
letters, and the space between a sign and its number.

A hyphen for a space, a comma and a capital are other words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from unicodedata import normalize

_SPACE = " \u00a0\u2000-\u200a\u202f\u205f\u3000"
_DASH = "\u2010-\u2015\u2212\ufe58\ufe63\uff0d"
_UNSEEN = "\u00ad\u200b-\u200d\u2060\ufeff"
_ODD = re.compile(
    rf"""(?P<none>[{_UNSEEN}]+)
    |(?P<range>(?<=\d)[{_SPACE}]*[-{_DASH}]+[{_SPACE}]*(?=\d))
    |(?P<dash>[{_SPACE}]*(?:[\u2014\u2015]|--+)[{_SPACE}]*)
    |(?P<hyphen>[{_DASH}])
    |(?P<dots>\.\.\.|\.[ ]\.[ ]\.)
    |(?P<times>(?:(?<=\d)[{_SPACE}]?|(?<!\w))[xX\u00d7\u2715][{_SPACE}]?(?=\d))
    |(?P<tight>(?<=[+±≤≥<>\-\u2013\u2212])[{_SPACE}](?=\d)|(?<=\d)[{_SPACE}](?=%))
    |(?P<letter>\w[\u0300-\u036f]+|[\ufb00-\ufb06])
    |(?P<space>[\u00a0\u2000-\u200a\u202f\u205f\u3000])
    |(?P<double>[\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033])
    |(?P<single>[\u2018\u2019\u201a\u201b\u2032`\u00b4])""",
    re.VERBOSE,
)
_NORMAL = {
    "none": "", "range": "-", "dash": " - ", "hyphen": "-", "dots": "…", "times": "×", "tight": "",
    "space": " ", "double": '"', "single": "'",
}  # fmt: skip


def _normalized(m: re.Match[str]) -> str:
    return _NORMAL[m.lastgroup] if m.lastgroup in _NORMAL else normalize("NFKC", m[0])


def normalize_typography(words: str) -> str:
    """Return words with normalized typography."""
    return _ODD.sub(_normalized, words)


def normalize_with_offsets(words: str) -> tuple[str, Sequence[tuple[int, int]]]:
    """Return words with normalized typography, and the span of the original of each character."""
    normalized, end, spans = "", 0, list[tuple[int, int]]()
    for m in _ODD.finditer(words):
        characters = _normalized(m)
        spans += [*((index, index + 1) for index in range(end, m.start())), *[m.span()] * len(characters)]
        normalized, end = f"{normalized}{words[end : m.start()]}{characters}", m.end()
    return normalized + words[end:], [*spans, *((index, index + 1) for index in range(end, len(words)))]
