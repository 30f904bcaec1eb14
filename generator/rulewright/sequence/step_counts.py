"""Parse how often and when a step is done: `rounds`, `in rounds` and `in turns`."""

from __future__ import annotations

import re
from dataclasses import dataclass

_ROUNDS = re.compile(
    r"(?:(?P<may_be_none>up to )?(?P<least>\d{1,4})(?: (?:to|or) (?P<most>\d{1,4}))?(?: (?P<noun>(?!until\b)[^\W\d]"
    r"[\w -]*?))?)?(?:(?:^|, ?| )(?P<until>until \S.*))?",
    re.DOTALL,
)
_PASSING = (
    (re.compile(r"until (?:all|both|all players) pass"), "pass"),
    (re.compile(r"until (?:all|both|all players) have passed"), "passed"),
    (re.compile(r"until (?:all|both|all players) are done"), "done"),
    (re.compile(r"until all but one have passed"), "one left"),
)
_COUNTS = re.compile(
    r"(?P<numbers>\d{1,4}(?:, ?\d{1,4})*)|from (?P<start>\d{1,4})|(?:(?P<first>\d{1,4}) )?to (?P<last>\d{1,4})"
    r"|every (?P<interval>\d{1,4})(?: from (?P<origin>\d{1,4}))?"
)


@dataclass(frozen=True, slots=True)
class Rounds:
    """How often a step is done: `rounds: 1 to 5 impulses, until it rains`."""

    least: int
    most: int | None
    """None if only `until` ends it."""
    noun: str = "rounds"
    until: str = ""
    """The words from "until" on."""
    passing: str = ""
    """What passing does: "pass" (over when all pass in a row), "passed" (who passes is out), "one left" (the same,
    over when one is left), "done" (as "passed", for those who go on while they can); else empty.
    """

    @property
    def singular(self) -> str:
        return singular(self.noun)

    @property
    def is_fixed(self) -> bool:
        """Whether the number of rounds is known before."""
        return self.least == self.most and not self.until


@dataclass(frozen=True, slots=True)
class Counts:
    """Some of the rounds or game turns: `3, 7`, `from 2`, `4 to 6`, `every 4 from 1`."""

    numbers: tuple[int, ...] = ()
    first: int = 1
    last: int | None = None
    interval: int = 0

    def includes(self, number: int) -> bool:
        if self.numbers:
            return number in self.numbers
        if self.interval:
            return number >= self.first and (number - self.first) % self.interval == 0
        return number >= self.first and (self.last is None or number <= self.last)

    def words(self, noun: str) -> str:
        """Return the phrase for a plural noun: game turns 3 and 7; from game turn 4; every 4 game turns."""
        one = singular(noun)
        if self.numbers:
            *earlier, last = map(str, self.numbers)
            return f"{noun} {', '.join(earlier)} and {last}" if earlier else f"{one} {last}"
        if self.interval:
            start = f", from {one} {self.first}" if self.first != self.interval else ""
            return f"every {one if self.interval == 1 else f'{self.interval} {noun}'}{start}"
        return f"from {one} {self.first}" if self.last is None else f"{noun} {self.first} to {self.last}"


def singular(noun: str) -> str:
    """Return the singular of a noun: impulses, activities."""
    if noun.endswith("ies"):
        return f"{noun[:-3]}y"
    return noun[:-2] if noun.endswith(("sses", "ches", "shes", "xes")) else noun.removesuffix("s")


def parse_rounds(text: str | None) -> Rounds | None:
    """Return the value of `rounds:`, or None if it is missing or malformed."""
    words = " ".join((text or "").split())
    match = _ROUNDS.fullmatch(words)
    if not match or not words:
        return None
    until = match["until"] or ""
    passing = next((way for pattern, way in _PASSING if pattern.fullmatch(until)), "")
    if match["least"] is None:
        return Rounds(1, None, until=until, passing=passing)
    most = int(match["most"] or match["least"])
    least = 0 if match["may_be_none"] else int(match["least"])
    if most < least or most == 0:
        return None
    return Rounds(least, most, match["noun"] or "rounds", until, passing)


def parse_counts(text: str) -> Counts | None:
    """Return the value of `in rounds:` or `in turns:`, or None if it is malformed."""
    match = _COUNTS.fullmatch(" ".join(text.split()))
    if not match:
        return None
    if match["numbers"]:
        numbers = tuple(map(int, match["numbers"].split(",")))
        return Counts(numbers) if min(numbers) > 0 else None
    if match["start"]:
        return Counts(first=int(match["start"]))
    if match["interval"]:
        interval = int(match["interval"])
        return Counts(first=int(match["origin"] or interval), interval=interval) if interval else None
    first, last = int(match["first"] or 1), int(match["last"])
    return Counts(first=first, last=last) if first <= last else None
