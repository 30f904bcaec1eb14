"""Numbers that rules are printed with: how they are written, and how they order.

A key is the number as a path: 12.1a is ((0, 12), (0, 1), (2, 1)). The first of each pair distinguishes
digits from letters, so that chapters A and B come after 1 and 2. A number may have several readings: I is a
letter or one, 4.21 the 21st rule of 4 or the first of 4.2. The order of all numbers decides (labels.py).
"""

from __future__ import annotations

import re

from rulewright.numbering.label_types import parse_roman

NAMES = (
    "art\\.|rule|rules|section|chapter|case|part|article|clause|regulation|appendix|regel|abschnitt|kapitel|teil|"
    "artikel|règle|chapitre|regla|capítulo|sección|regola|capitolo|hoofdstuk"
)
"""Words before numbers."""

DIGITS, UPPER, LOWER, ROMAN, DOTTED = range(5)
"""Sorts of labels. DOTTED: the 2 of A.2, which is not A2."""

Key = tuple[tuple[int, float], ...]

_LETTER = r"[^\W\d_]"
_REST = (
    rf"(?:[.‑–-]\d{{1,4}}|[.‑–-]?{_LETTER}{{1,5}}(?!{_LETTER})\d{{0,3}}|\((?:{_LETTER}{{1,4}}|\d{{1,2}})\)"
    rf"|[ \xa0](?i:{NAMES})[ \xa0](?:[A-Z]{{1,2}}|\d{{1,3}})(?!\w))"
)
_NUMBER = (
    rf"(?:[A-ZΑ-ΩА-Я]{{1,2}}[.-]?)?\d{{1,4}}{_REST}*(?:\+{{1,2}}|\*{{1,2}}|[ ]?(?:bis|ter)\b)?"
    rf"|(?:[IVXL]{{1,7}}|[A-Z])(?!{_LETTER}){_REST}*"
)
LABEL = re.compile(
    rf"(?P<word>(?:(?i:{NAMES}|law|laws|book|module)\s+|(?:§{{1,2}}|Art\.)\s*)?)(?P<open>[(\[]?)"
    rf"(?P<number>{_NUMBER})(?P<close>[\])]?(?P<outside>(?<=\])[A-Za-z]{{1,2}}(?![A-Za-z]))?[.:]?[)\]]?[.:)]?)"
    r"(?=\s|$|[—–|]|(?<=[.:)])[A-Z“])"
)
"""A number at the beginning of a text, with a word or a sign before it and a stop after it."""

ITEM = re.compile(
    r"\s*(?:\((?P<both>[A-Za-z]|\d{1,2}|[ivx]{1,5})\)[.:]?\s*|(?P<one>[A-Za-z]|\d{1,2}|[ivx]{1,5})\)[.:]?\s*"
    r"|(?P<letter>[a-z])\.\s+)"
)
"""The label of an item of a rule: (a), 2) or a."""

_SEGMENT = re.compile(rf"\d+|[A-Z]+|[a-z]+|{_LETTER}+")
_LEVEL_WORD = re.compile(rf"[ \xa0](?:{NAMES})[ \xa0]", re.IGNORECASE)
_ALPHABETS = (96, 0x3B0, 0x42F)
"""Code points before the first letter: Latin, Greek, Cyrillic."""

_SUFFIX = re.compile(r"(\+{1,2}|\*{1,2}| ?bis| ?ter)\Z")
_MOST_READINGS = 16


def readings(number: str) -> list[Key]:
    """Return the keys that a number may mean, the most likely first."""
    keys: list[Key] = [()]
    suffix = _SUFFIX.search(number)
    digits = _LEVEL_WORD.sub(".", number[: suffix.start()] if suffix else number)
    for match in _SEGMENT.finditer(digits):
        text, before = match.group(), digits[: match.start()]
        choices: list[Key] = [(value,) for value in _values(text)]
        if text.isdigit() and re.fullmatch(r"[A-Z]{1,2}\.", before):
            choices = [((DOTTED, int(text)),)]
        if re.fullmatch(r"[1-9]{2,4}", text) and before.endswith("."):  # 4.21 in 4.2
            choices.append(tuple((DIGITS, int(digit)) for digit in text))
        elif re.fullmatch(r"[1-9]\d\d", text) and not re.search(r"\w", before):  # 702 in chapter 7
            choices.append(((DIGITS, int(text[0])), (DIGITS, int(text[1:]))))
        keys = [key + choice for key in keys for choice in choices][:_MOST_READINGS]
    if suffix:  # 6.1+ is between 6.1 and 6.2
        rank = 0.1 * (1 + ("ter" in suffix[1] or len(suffix[1]) == 2))
        keys = [(*key[:-1], (key[-1][0], key[-1][1] + rank)) for key in keys if key]
    zeros = int(digits.endswith(".0"))
    return [key[: len(key) - zeros] for key in keys if key]


def _values(segment: str) -> list[tuple[int, int]]:
    if segment.isdigit():
        return [(DIGITS, int(segment))]
    is_upper, small = segment.isupper(), segment.lower()
    values: list[tuple[int, int]] = []
    if set(small) <= set("ivxl") and (count := parse_roman(small)):
        values.append((DIGITS if is_upper else ROMAN, count))
    if len(set(small)) == 1:  # z is followed by aa, bb
        first = max(base for base in _ALPHABETS if base < ord(small[0]))
        values.append((UPPER if is_upper else LOWER, ord(small[0]) - first + 40 * (len(small) - 1)))
    return values


def shape(number: str) -> str:
    """Return the form of a number: 12.1a is 1.1a."""
    return re.sub(r"[^\W\dA-Z_]+", "a", re.sub(r"[A-Z]+", "A", re.sub(r"\d+", "1", number)))
