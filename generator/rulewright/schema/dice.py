"""Dice, and the rolls of a table's rows.

Dice are written as players write them: `1d6`, `2d6`, `1d10`, `d%`, German `2W6`, and `d66` for two dice read
as tens and units. The rolls of a row are a number, a range or an open range: `7`, `6-8`, `..5`, `9..`, or as
tables print them: `5 or less`, `9 or more`, `9+`, `≤5`, `≥9`, and several with commas. `00` is 100, as
percentile dice show it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import product

_DICE = re.compile(r"(\d{0,2})[dw](\d{1,4}|%)([+-]\d{1,4})?", re.IGNORECASE)
_MAX_COMBINATIONS = 10_000  # maximum number of combinations to enumerate
_MAX_ROLLS = 1_000  # maximum number of different rolls
_NUMBER = r"([-−]?\d{1,9})"
_HUNDREDS = {"00": 100, "000": 1000}
_PADDED, _TO = re.compile(r"\b0\d"), re.compile(r"(?<=\d)\s*(?:-|\.\.)\s*(?=\d)")
_LESS, _MORE = "or (?:less|fewer|lower)", "or (?:more|higher|greater)"
_RANGES = [
    (re.compile(rf"{_NUMBER}"), True, True),
    (re.compile(rf"{_NUMBER}\s*(?:-|–|\.\.|to)\s*{_NUMBER}"), True, True),
    (re.compile(rf"(?:\.\.|≤|<=)\s*{_NUMBER}|{_NUMBER}\s*{_LESS}", re.IGNORECASE), False, True),
    (re.compile(rf"(?:≥|>=)\s*{_NUMBER}|{_NUMBER}\s*(?:\.\.|\+|{_MORE})", re.IGNORECASE), True, False),
]
"""Forms of rolls, each with whether its first number is the lowest and its last the highest."""


@dataclass(frozen=True, slots=True)
class Dice:
    """Dice with all their possible results."""

    text: str
    count: int
    sides: int
    read_as_digits: bool
    modifier: int
    """The number added to each throw."""

    rolls: tuple[int, ...]
    """All possible results, lowest first."""


@dataclass(frozen=True, slots=True)
class RollRange:
    """Rolls from `low` to `high`, inclusive; None for an open end."""

    low: int | None
    high: int | None

    def __contains__(self, roll: int) -> bool:
        return (self.low is None or self.low <= roll) and (self.high is None or roll <= self.high)


def parse_dice(text: str) -> Dice | None:
    """Return the dice of a text, or None if it is not dice."""
    m = _DICE.fullmatch(text.replace(" ", ""))
    if not m:
        return None
    count, sides, more = int(m[1] or 1), int(m[2].replace("%", "100")), int(m[3] or 0)
    digits = not m[1] and len(m[2]) > 1 and len(set(m[2])) == 1
    if digits:
        count, sides = len(m[2]), int(m[2][0])
    if not count or sides < 2 or sides**count > _MAX_COMBINATIONS:
        return None
    throws = product(range(1, sides + 1), repeat=count)
    if digits:
        values = {int("".join(map(str, faces))) for faces in throws}
    else:
        values = {sum(faces) + more for faces in throws}
    if len(values) > _MAX_ROLLS:
        return None
    return Dice(text, count, sides, digits, 0 if digits else more, tuple(sorted(values)))


def parse_roll_ranges(text: str) -> tuple[RollRange, ...] | None:
    """Return the rolls of a cell, or None if it is not rolls."""
    ranges = [_range(part.strip()) for part in text.split(",")]
    return None if None in ranges else tuple(r for r in ranges if r)


def _range(text: str) -> RollRange | None:
    for pattern, is_from, is_to in _RANGES:
        if m := pattern.fullmatch(text):
            numbers = [_HUNDREDS.get(g) or int(g.replace("−", "-")) for g in m.groups() if g]
            low, high = numbers[0] if is_from else None, numbers[-1] if is_to else None
            return None if low is not None and high is not None and high < low else RollRange(low, high)
    return None


def format_rolls(text: str) -> str:
    """Return the rolls of a cell as a table prints them: ≤5, 6–8, ≥9. Words and other texts stay."""
    ranges = parse_roll_ranges(text)
    if not ranges or re.search("[a-z]", text, re.IGNORECASE):
        return text
    if _PADDED.search(text):  # 01-05 on percentile dice keep their zeros
        return _TO.sub("–", text)
    return ", ".join(map(_format_range, ranges))


def _format_range(roll_range: RollRange) -> str:
    low, high = (str(end).replace("-", "−") for end in (roll_range.low, roll_range.high))
    if roll_range.low is None:
        return f"≤{high}"
    return f"≥{low}" if roll_range.high is None else low if low == high else f"{low}–{high}"
