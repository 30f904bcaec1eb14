"""Typography: signs that are set in several ways and say the same, and words as if all were set in one.

Dashes, minus, quotes, ellipsis, the times sign, ligatures, soft hyphens, composed letters, and the spaces
between a sign and its number. A hyphen for a space, a comma or a capital is another text.
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
_MEANT = {
    "none": "", "range": "-", "dash": " - ", "hyphen": "-", "dots": "…", "times": "×", "tight": "",
    "space": " ", "double": '"', "single": "'",
}  # fmt: skip


def _said(m: re.Match[str]) -> str:
    return _MEANT[m.lastgroup] if m.lastgroup in _MEANT else normalize("NFKC", m[0])


def normalize_typography(words: str) -> str:
    """Words with every sign set in one way."""
    return _ODD.sub(_said, words)


def normalize_with_offsets(words: str) -> tuple[str, Sequence[tuple[int, int]]]:
    """Words with every sign set in one way, and the place of what each of their characters is made of."""
    made, at, places = "", 0, list[tuple[int, int]]()
    for m in _ODD.finditer(words):
        said = _said(m)
        places += [*((one, one + 1) for one in range(at, m.start())), *[m.span()] * len(said)]
        made, at = f"{made}{words[at : m.start()]}{said}", m.end()
    return made + words[at:], [*places, *((one, one + 1) for one in range(at, len(words)))]
