"""Parse how often and when a step is done: `rounds`, `in rounds` and `in turns`."""

from __future__ import annotations

import re
from dataclasses import dataclass

_ROUNDS = re.compile(
    r"(?:(?P<may_be_none>up to )?(?P<minimum>\d{1,4})(?: (?:to|or) (?P<maximum>\d{1,4}))?"
    r"(?: (?P<noun>(?!until\b)[^\W\d][\w -]*?))?)?(?:(?:^|, ?| )(?P<until>until \S.*))?",
    re.DOTALL,
)
_PASSING = {
    "until all pass": "pass",
    "until all have passed": "passed",
    "until all are done": "done",
    "until all but one have passed": "one left",
}
_ALL = re.compile(r"until (?:both|all players)\b")
_COUNTS = re.compile(
    r"(?P<numbers>[1-9]\d{0,3}(?:, ?[1-9]\d{0,3})*)"
    r"|(?:(?P<first>\d{1,4}) )?to (?P<last>\d{1,4})"
    r"|(?=.)(?:every (?P<interval>[1-9]\d{0,3})(?: |$))?(?:from (?P<start>\d{1,4}))?"
)


@dataclass(frozen=True, slots=True)
class Rounds:
    """Number of times that a step is done: `rounds: 1 to 5 impulses, until it rains`."""

    minimum: int
    maximum: int | None
    """None if only `until` ends it."""
    noun: str
    until: str
    """The words from "until" on."""

    @property
    def passing(self) -> str:
        """Return what passing does, if anything.

        "pass": over when all pass in a row; "passed": a player who passes is out; "one left": the same, over
        when one player is left; "done": as "passed", for those who go on while they can.
        """
        return _PASSING.get(_ALL.sub("until all", self.until), "")

    @property
    def singular(self) -> str:
        return singular(self.noun)

    def words(self, *, by_turns: bool) -> str:
        """Return the phrase: 6 rounds by turns, if several act; again until it rains."""
        until = f"{self.until} in a row" if self.passing == "pass" else self.until
        if self.maximum is None:
            return f"{'by turns' if by_turns else 'again'} {until}"
        start = "up to " if self.minimum == 0 else f"{self.minimum} to "
        count = f"{'' if self.minimum == self.maximum else start}{self.maximum}"
        noun = self.singular if self.maximum == 1 else self.noun
        return f"{count} {noun}{' by turns' * by_turns}{', ' * bool(until)}{until}"


@dataclass(frozen=True, slots=True)
class NumberSet:
    """Numbers of rounds or game turns: `3, 7`, `from 2`, `4 to 6`, `every 4 from 1`."""

    numbers: tuple[int, ...] = ()
    first: int = 1
    last: int | None = None
    interval: int = 0

    def includes(self, number: int) -> bool:
        if self.numbers:
            return number in self.numbers
        is_between = self.first <= number <= (self.last or number)
        return is_between and (number - self.first) % (self.interval or 1) == 0

    def words(self, noun: str) -> str:
        """Return the phrase for a plural noun: game turns 3 and 7; from game turn 4; every 4 game turns."""
        name = singular(noun)
        start = f"from {name} {self.first}"
        if self.numbers:
            *earlier, last = map(str, self.numbers)
            return f"{noun} {', '.join(earlier)} and {last}" if earlier else f"{name} {last}"
        if self.interval:
            often = f"every {name if self.interval == 1 else f'{self.interval} {noun}'}"
            return often if self.first == self.interval else f"{often}, {start}"
        return start if self.last is None else f"{noun} {self.first} to {self.last}"


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
    if match["minimum"] is None:
        return Rounds(1, None, "rounds", until)
    maximum = int(match["maximum"] or match["minimum"])
    minimum = 0 if match["may_be_none"] else int(match["minimum"])
    noun = match["noun"] or "rounds"
    return Rounds(minimum, maximum, noun, until) if minimum <= maximum and maximum else None


def parse_counts(text: str) -> NumberSet | None:
    """Return the value of `in rounds:` or `in turns:`, or None if it is malformed."""
    match = _COUNTS.fullmatch(" ".join(text.split()))
    if not match:
        return None
    numbers = tuple(map(int, match["numbers"].split(","))) if match["numbers"] else ()
    first = numbers[0] if numbers else int(match["first"] or match["start"] or match["interval"] or 1)
    last = int(match["last"]) if match["last"] else None
    counts = NumberSet(numbers, first, last, int(match["interval"] or 0))
    return counts if last is None or first <= last else None
