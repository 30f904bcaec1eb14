"""Problems: a fault of the content with its place and its code, as every room reports them.

A problem is a value. It is collected, never raised, so that an editor sees all of them at once.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import islice

from rulewright.source.lazy_regex import Regex


class Severity(StrEnum):
    """How bad a problem is: an error or a warning fails a check, a note does not."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, order=True, slots=True)
class SourceLocation:
    """A spot in a file of the project: `line` and `column` count from 1. Sorts by file, line and column."""

    file: str
    line: int = 1
    column: int = 1

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(eq=False)
class SourceFile:
    """A text file as it was read. `name` is its path from the project's folder, with `/`."""

    name: str
    text: str

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(m.end() for m in re.finditer(r"\r\n|\n|\r", self.text))]

    def location(self, index: int) -> SourceLocation:
        """The line and column of a character of the text, counted as editors' tools count them."""
        line = bisect_right(self._starts, index)
        return SourceLocation(self.name, line, index - self._starts[line - 1] + 1)


@dataclass(frozen=True, order=True, slots=True)
class Problem:
    """One fault: its place, permanent kebab-case code, and words that say what to do next.

    `subject` names the thing concerned (a rule number, a step's path, a file), which is what
    an excuse in `edition.yml` points at.
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


@dataclass(frozen=True, slots=True)
class ProblemType:
    """A sort of problem: what its code means, for the page that documents every code."""

    code: str
    meaning: str
    severity: Severity

    def problem(self, place: SourceLocation, message: str, about: str = "") -> Problem:
        """A problem of this kind at a place. Line ends in what a message quotes become spaces."""
        return Problem(place, self.code, " ".join(message.split()), self.severity, about)


MOST_LETTERS = 60
MOST_OPTIONS = 1_000
MOST_ALIKE = 100
"""How long a word is compared, and with how many others, to find the nearest right answer."""

KINDS: dict[str, ProblemType] = {}
"""Every kind there is, by code; each room declares its own beside the code that reports it."""


def problem_type(code: str, meaning: str, severity: Severity = Severity.ERROR) -> ProblemType:
    """Declare a kind of problem. `meaning` is what an editor reads: what is wrong and what mends it."""
    assert code not in KINDS, f"two kinds of problem called {code}"
    KINDS[code] = ProblemType(code, " ".join(meaning.split()), severity)
    return KINDS[code]


def errors(problems: Iterable[Problem]) -> list[Problem]:
    """Return the problems that are errors. Only these stop a command."""
    return [problem for problem in problems if problem.severity is Severity.ERROR]


def sort_problems(problems: Iterable[Problem]) -> list[Problem]:
    """All problems by place, each once."""
    return sorted(set(problems))


def quote_short(words: str, limit: int = 40) -> str:
    """Words of the content as a message quotes them: in one line, and not the whole of a long text."""
    words = " ".join(words[: 4 * limit].split())
    return words if len(words) <= limit else f"{words[: limit - 1].rstrip()}…"


def nearest_option(word: str, options: Iterable[str]) -> str | None:
    """The option that is most like a word, or None where none is. Large and small letters count the same.

    Long words and long lists are not compared, nor is what neither begins nor ends alike, so that a
    message never takes longer than it is worth.
    """
    # Imported late: most checks find nothing wrong and never need it.
    from difflib import get_close_matches

    options, folded = list(islice(options, MOST_OPTIONS + 1)), word.casefold()
    if not folded or len(folded) > MOST_LETTERS or len(options) > MOST_OPTIONS:
        return None
    by_folded = {option.casefold(): option for option in options if len(option) <= 2 * len(word) + 2}
    similar = [name for name in by_folded if name[:1] == folded[0] or name[-1:] == folded[-1]]
    if len(similar) > MOST_ALIKE:
        similar = [name for name in similar if name.startswith(folded[: len(folded) // 2])][:MOST_ALIKE]
    close = get_close_matches(folded, similar, n=1, cutoff=0.6)
    return by_folded[close[0]] if close else None


def did_you_mean(word: str, options: Iterable[str]) -> str:
    """A clause to end a message with: the nearest option, or the few there are, or nothing."""
    options = list(islice(options, MOST_OPTIONS + 1))
    if close := nearest_option(word, options):
        return f"; did you mean {quote_short(close)}?"
    return f"; it may be {', '.join(map(quote_short, options))}" if 0 < len(options) <= 8 else ""


_OFFERS = Regex(
    r"; did you mean (?P<one>.+)\?$|; it may be (?P<few>.+)$|; (?:it|\S+ of edition .+) is (?P<now>\S+) now$"
    r"|; write (?P<right>[^\s;]+), as this book does$"
    r"| may mean (?P<either>[^;]+); write the one that is meant$"
)


def suggested_fixes(message: str) -> list[str]:
    """The right answers that a message names, which may take the place of what is wrong."""
    if not (m := _OFFERS.search(message)):
        return []
    words = (
        re.split(r", | or ", m["few"] or m["either"]) if m["few"] or m["either"] else [m[m.lastgroup or 0]]
    )
    return [word for word in words if not word.endswith("…")]
