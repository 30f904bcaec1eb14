"""Reasons why a number or a cue in a text is no reference, told apart from how references are found.

Nothing here asks the finder: the signs of a number are counted by patterns of their own, made from a book's
examples, so that what is passed over in finding shows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from rulewright.numbers.evidence import CUES

_LABEL = r"(?:[0-9]{1,4}|[^\W\d_]|[ivx]{2,5}|[IVX]{2,5})(?!\w)"
_DEEPER = (
    rf"(?:[.:/–-]{_LABEL}|[.:]?\({_LABEL}\)|(?<=[0-9])[^\W\d_](?!\w)|[.:][0-9]{{1,4}}(?=[^\W\d_](?!\w)))"
)
_MEMBER = r"\([^\W\d_]{1,4}\)|(?<!\w)[b-z](?!\w)|[-.–]\.?[0-9]{1,4}(?!\w)"
_JOIN = r"(?:,|;|,? (?:and|or|to|through|und|oder|bis)(?= )|[&–-])"

_NOUN = r"(?!and\b|or\b|to\b|is\b|are\b|in\b|of\b|for\b|applies\b)[^\W\d_]{2,}"
_UNIT = (
    "miles?|km|mm?|cm|hex(?:es)?|hexsides?|turn|point|step|factor|inch(?:es)?|feet|minute|hour|day|week|year"
)
_BEFORE, _BEHIND = 40, 30


class Reason(NamedTuple):
    """A reason, and the pattern by which it is told; `sure`: it holds behind a cue and for a rule's number.

    Patterns are searched in the words around, the number between \\x02 and \\x03.
    """

    why: str
    pattern: re.Pattern[str]
    sure: bool = True


_REASONS = [
    Reason(why, re.compile(pattern, re.IGNORECASE), sure)
    for why, pattern, sure in (
        ("an address", r"(?:://|www\.|@)\S*\x02|\x02[^\x03]*\x03@", True),
        ("a date", r"\x02\d{1,2}[./-]\d{1,2}[./-](?:\d\d){1,2}\x03|\x02\d{4}-\d\d-\d\d\x03", True),
        ("a year", r"\x02(?:1[5-9]|20)\d\d(?:[–/-]\d{2,4})?\x03", True),
        (
            "a roll",
            r"\x02\d*[dw]\d+|\b(?:rolls?|rolled|dice|die|dr|drm|throws?) (?:(?:a|an|of|is|are) )*\x02",
            True,
        ),
        ("a hex", r"\bhex(?:es|row|side|sides)?(?: no\.)? (?:\S+(?:,| and| or| to) )*\x02", True),
        ("a version", r"\b(?:versions?|editions?|ver\.|v\.?|release|revision|rev\.|licen[cs]e)\s?\x02", True),
        ("a page", r"\b(?:pages?|pp?\.)\s?\x02", True),
        ("a picture", r"\b(?:figures?|figs?\.|diagrams?|illustrations?|volumes?|vol\.)\s?\x02", True),
        ("a time", r"\x02\d{1,2}:\d\d\x03(?! ?(?:or|odds))", False),
        ("odds", r"\x02\d+(?:[:–-]\d+)+\x03", False),
        ("a fraction", r"\x02\d+/\d+\x03|\x03[½¼¾⅓⅔]", False),
        ("money or a share", r"[$€£]\x02|\x03\s?(?:%|percent|[$€£])", True),
        ("it is counted with", r"\x03,?\s+(?:(?:is|are|be)\s+)?(?:becomes?\s+\d|round(?:s|ed)\b)", True),
        ("a signed amount", r"[+−×=<>≤≥±~≈]\s?\x02|(?<![\w.])[–-]\x02|\x03\s?[×=<>≤≥±]", True),
        (
            "a measure",
            rf"\x02[^\x03]*(?-i:\d[A-Z])\x03|\x03[- ]?(?:(?:{_UNIT})s?|(?-i:[A-Z]{{2,4}}s?))\b",
            True,
        ),
        ("it counts what follows", rf"\x02[^\x03]*\x03(?:-|\s){_NOUN}", False),
        (
            "an amount",
            r"\b(?:at (?:least|most)|than|by|of|is|are|total|value|strength|factor|a|an)\s\x02",
            False,
        ),
        ("an abbreviation", r"\x02(?:[A-Z]\.)+[A-Z]?\x03", False),
    )
]
_NO_LABEL = re.compile(
    r"(?![\s(\[“\"'*_]*(?:nos?\.?\s*|number\s+)?(?:[0-9§\[]|[^\W\d_]\x29|(?-i:[B-HJ-Z]|[IVX]+)(?![\w'’])))"
)


@lru_cache
def tokens(examples: Sequence[str], words: Sequence[str]) -> re.Pattern[str]:
    """A pattern for what is shaped like a number of a book, further members of its list, and words that cue.

    `examples`: of its numbers and chapters; `words`: its cues and the words for its levels.
    """
    bare = [example.lstrip("[(§ ") for example in examples]
    said = {word for example in bare for word in re.findall(r"[^\W\d_]{3,}", example)}
    cued = "|".join(
        re.escape(word).replace(r"\ ", r"\s+")
        for word in sorted(
            {*CUES, *(word.lower().rstrip(".") for word in (*words, *said))}, key=len, reverse=True
        )
    )
    letters = any(re.match(r"[^\W\d_]{1,2}(?:[0-9.]|\Z)|[IVX]+\.", example) for example in bare)
    lead = "(?:[A-Z]{0,3}[0-9]{1,4}|[A-Z]|[IVXLC]+)" if letters else "[0-9]{1,4}"
    number = rf"(?P<number>(?<![\w.])[\[§]?{lead}\]?{_DEEPER}+\]?)"
    alone = r"|(?P<alone>(?<=\()[0-9]{1,3}(?=\)))" if any(one.startswith("(") for one in examples) else ""
    cue = rf"(?P<cue>(?<![\w-])(?i:(?:{cued})(?:s|n|en|e|es)?)(?![\w-])|§)"
    return re.compile(rf"{number}(?P<more>(?:{_JOIN}\s?(?:{_MEMBER}))*){alone}|{cue}|(?P<end>\x00)")


def members(more: str) -> Iterator[re.Match[str]]:
    """The members that a list goes on with."""
    return re.finditer(_MEMBER, more)


def leads(text: str, end: int) -> bool:
    """Whether what stands behind a cue may be a number."""
    return _NO_LABEL.match(text, end) is None


def reason(text: str, start: int, end: int, cued: bool) -> str:
    """Why a number is no reference; empty where nothing says so. `cued`: it may well be one."""
    before = text[max(0, start - _BEFORE) : start]
    around = f"{before}\x02{text[start:end]}\x03{text[end : end + _BEHIND]}"
    found = (one.why for one in _REASONS if (one.sure or not cued) and one.pattern.search(around))
    return next(found, "")
