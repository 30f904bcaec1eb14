"""Numbers that rules are printed with: how they are written, and how they order.

A key is the number as a path: 12.1a is ((0, 12), (0, 1), (2, 1)). The first of each pair distinguishes
digits from letters, so that chapters A and B come after 1 and 2. A number may have several readings: I is a
letter or one, 4.21 the 21st rule of 4 or the first of 4.2. The order of all numbers decides (labels.py).
"""

from __future__ import annotations

import re

from rulewright.numbering.scheme_detection import NAMES

DIGITS, UPPER, LOWER, ROMAN = 0, 1, 2, 3
Key = tuple[tuple[int, float], ...]

_REST = (
    r"(?:[.‑–-]\d{1,4}|\.?[a-z](?![a-z])\d{0,2}|[.-][A-Za-z](?![A-Za-z])|(?<=\d)[A-Z](?![A-Za-z])"
    r"|\((?:[A-Za-z]|\d{1,2}|[ivx]{1,4})\))"
)
_NUMBER = (
    rf"(?:[A-Z]{{1,2}}[.-]?)?\d{{1,4}}{_REST}*(?:\+{{1,2}}|\*{{1,2}}| ?(?:bis|ter)\b)?"
    rf"|[IVXL]{{1,7}}(?![A-Za-z]){_REST}*|[A-Z](?![A-Za-z]){_REST}*"
)
LABEL = re.compile(
    rf"(?P<word>(?:(?i:{NAMES}|law|laws|book|module)\s+|(?:§{{1,2}}|Art\.)\s*)?)(?P<open>[(\[]?)"
    rf"(?P<number>{_NUMBER})(?P<close>[\])]?(?P<outside>(?<=\])[A-Za-z](?![A-Za-z]))?[.:]?[)\]]?[.:)]?)"
    r"(?=\s|$|[—–|]|(?<=[.:)])[A-Z“])"
)
"""A number at the beginning of a text, with a word or a sign before it and a stop after it."""

ITEM = re.compile(
    r"\s*(?:\((?P<both>[A-Za-z]|\d{1,2}|[ivx]{1,5})\)[.:]?\s*|(?P<one>[A-Za-z]|\d{1,2}|[ivx]{1,5})\)[.:]?\s*"
    r"|(?P<letter>[a-z])\.\s+)"
)
"""The label of an item of a rule: (a), 2) or a."""

_SEGMENT = re.compile(r"\d+|[A-Z]+|[a-z]+")
_SUFFIX = re.compile(r"(\+{1,2}|\*{1,2}| ?bis| ?ter)\Z")
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50}
_MOST_READINGS = 16


def readings(number: str) -> list[Key]:
    """Return the keys that a number may mean, the most likely first."""
    keys: list[Key] = [()]
    suffix = _SUFFIX.search(number)
    bare = number[: suffix.start()] if suffix else number
    for match in _SEGMENT.finditer(bare):
        choices: list[Key] = [(value,) for value in _values(match.group())]
        if re.fullmatch(r"[1-9]\d", match.group()) and bare[: match.start()].endswith("."):
            choices.append(((DIGITS, int(match.group()[0])), (DIGITS, int(match.group()[1]))))
        elif re.fullmatch(r"[1-9]\d\d", match.group()) and not bare[: match.start()]:  # 702 is in chapter 7
            choices.append(((DIGITS, int(match.group()[0])), (DIGITS, int(match.group()[1:]))))
        keys = [key + choice for key in keys for choice in choices][:_MOST_READINGS]
    if suffix:  # 6.1+ is between 6.1 and 6.2
        rank = 0.1 * (1 + ("ter" in suffix[1] or len(suffix[1]) == 2))
        keys = [(*key[:-1], (key[-1][0], key[-1][1] + rank)) for key in keys if key]
    return [key[:-1] if bare.endswith(".0") else key for key in keys if key]


def _values(segment: str) -> list[tuple[int, int]]:
    if segment.isdigit():
        return [(DIGITS, int(segment))]
    is_upper, small = segment.isupper(), segment.lower()
    values: list[tuple[int, int]] = []
    if set(small) <= set(_ROMAN) and (count := _roman(small)) > 0:
        values.append((DIGITS if is_upper else ROMAN, count))
    if len(set(small)) == 1:  # z is followed by aa, bb
        values.append((UPPER if is_upper else LOWER, ord(small[0]) - 96 + 26 * (len(small) - 1)))
    return values


def _roman(text: str) -> int:
    total = before = 0
    for sign in reversed(text):
        total += _ROMAN[sign] if _ROMAN[sign] >= before else -_ROMAN[sign]
        before = max(before, _ROMAN[sign])
    return total


def shape(number: str) -> str:
    """Return the form of a number: 12.1a is 1.1a."""
    return re.sub(r"[a-z]+", "a", re.sub(r"[A-Z]+", "A", re.sub(r"\d+", "1", number)))
