"""Problems of the content, with place and code.

A problem is a value. Problems are collected, not raised, so that an editor sees all of them at once.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from functools import cached_property
from itertools import islice
from typing import Protocol


class Severity(StrEnum):
    """Severity of a problem: errors and warnings fail a check, notes do not."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, order=True, slots=True)
class SourceLocation:
    """Position in a project file; `line` and `column` count from 1. Sorts by file, line and column."""

    file: str
    line: int = 1
    column: int = 1

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(eq=False)
class SourceFile:
    """Text file as read. `name` is its path from the project's folder, with `/`."""

    name: str
    text: str

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(m.end() for m in re.finditer(r"\r\n|\n|\r", self.text))]

    def location(self, index: int) -> SourceLocation:
        """Return the line and column of an index of the text, counted as editors do."""
        line = bisect_right(self._starts, index)
        return SourceLocation(self.name, line, index - self._starts[line - 1] + 1)


@dataclass(frozen=True, order=True, slots=True)
class Problem:
    """One problem: its place, permanent kebab-case code, and a message that says what to do.

    `subject` is its rule number, step path or file, which a suppression in `edition.yml` names.
    """

    place: SourceLocation
    code: str
    message: str
    severity: Severity = Severity.ERROR
    subject: str = ""

    def __str__(self) -> str:
        return f"{self.place}: {self.severity}: {self.message} [{self.code}]"

    @property
    def is_failure(self) -> bool:
        return self.severity is not Severity.NOTE


class Located(Protocol):
    """Anything that knows its place, such as a text of a file."""

    @property
    def place(self) -> SourceLocation: ...


@dataclass(frozen=True, slots=True)
class ProblemType:
    """Type of problem; its meaning is for the page that documents every code."""

    code: str
    meaning: str
    severity: Severity

    def problem(self, located: SourceLocation | Located, message: str, about: str = "") -> Problem:
        """Return a problem of this type. Its message is safe for a terminal."""
        place = located if isinstance(located, SourceLocation) else located.place
        return Problem(place, self.code, single_line(message), self.severity, about)


MOST_LETTERS = 60
MOST_OPTIONS = 1_000
MOST_ALIKE = 100
"""Limits for the search for the most similar word."""

MAX_LISTED = 9
"""Maximum number of options that a message lists."""

KINDS: dict[str, ProblemType] = {}
"""All problem types by code; each module declares those that it reports."""


def problem_type(code: str, meaning: str, severity: Severity = Severity.ERROR) -> ProblemType:
    """Declare a problem type. `meaning` tells editors what is wrong and how to fix it."""
    assert code not in KINDS, f"two kinds of problem called {code}"
    KINDS[code] = ProblemType(code, " ".join(meaning.split()), severity)
    return KINDS[code]


def single_line(words: str) -> str:
    """Return words in one line and without control characters, which quoted content may have."""
    if words.isprintable():
        return words
    for letter in set(words):
        if not letter.isprintable():
            words = words.replace(letter, " ")
    return " ".join(words.split())


def errors(problems: Iterable[Problem]) -> list[Problem]:
    """Return the problems that are errors. Only these stop a command."""
    return [problem for problem in problems if problem.severity is Severity.ERROR]


def sort_problems(problems: Iterable[Problem]) -> list[Problem]:
    """Return all different problems, sorted by place."""
    return sorted(set(problems))


def quote_short(words: str, limit: int = 40) -> str:
    """Return words of the content for a message: in one line and shortened."""
    words = " ".join(words[: 4 * limit].split())
    return words if len(words) <= limit else f"{words[: limit - 1].rstrip()}…"


def nearest_option(word: str, options: Iterable[str], cutoff: float = 0.6) -> str | None:
    """Return the option most similar to a word, ignoring case, or None.

    Long words, long lists and options with both another beginning and another end are not compared, to save
    time.
    """
    # Imported late: most checks find nothing wrong and never need it.
    options, folded = list(islice(options, MOST_OPTIONS + 1)), word.casefold()
    if not folded or len(folded) > MOST_LETTERS or len(options) > MOST_OPTIONS:
        return None
    by_folded = {option.casefold(): option for option in options}
    similar = [name for name in by_folded if name[:1] == folded[0] or name[-1:] == folded[-1]]
    close = get_close_matches(folded, similar[:MOST_ALIKE], n=1, cutoff=cutoff)
    return by_folded[close[0]] if close else None


def did_you_mean(word: str, options: Iterable[str]) -> str:
    """Return a clause for the end of a message: the nearest option, all options if few, or ""."""
    options = list(islice(options, MOST_OPTIONS + 1))
    if close := nearest_option(word, options):
        return f"; did you mean {quote_short(close)}?"
    return f"; it may be {', '.join(map(quote_short, options))}" if 0 < len(options) <= MAX_LISTED else ""


_OFFERS = re.compile(
    r"; did you mean (?P<one>.+)\?$|; it may be (?P<few>.+)$|; (?:it|\S+ of edition .+) is (?P<now>\S+) now$"
    r"|; write (?P<right>[^\s;]+), as this book does$"
    r"| may mean (?P<either>[^;]+); write the one that is meant$"
)


def suggested_fixes(message: str) -> list[str]:
    """Return the replacements that a message suggests."""
    if not (m := _OFFERS.search(message)):
        return []
    words = (
        re.split(r", | or ", m["few"] or m["either"]) if m["few"] or m["either"] else [m[m.lastgroup or 0]]
    )
    return [word for word in words if not word.endswith("…")]
