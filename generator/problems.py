"""What is wrong, and where: the one way in which every room reports a fault of the content.

A problem is a value. It is collected, never raised, so that an editor sees all of them at once.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """How bad a problem is: an error or a warning fails a check, a note does not."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, order=True, slots=True)
class Place:
    """A spot in a file. `line` and `column` count from 1; `file` is relative to the project, with `/`.

    Places sort by file, line and column, so problems need no ordering of their own.
    """

    file: str
    line: int = 1
    column: int = 1

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True, order=True, slots=True)
class Problem:
    """One fault: its place, permanent kebab-case code, and words that say what to do next.

    `about` names the thing concerned (a rule number, a step's path, a file), which is what
    an excuse in `edition.yml` points at.
    """

    place: Place
    code: str
    message: str
    severity: Severity = Severity.ERROR
    about: str = ""

    def __str__(self) -> str:
        return f"{self.place}: {self.severity}: {self.message} [{self.code}]"

    @property
    def fails(self) -> bool:
        """Whether a check that meets this problem has failed."""
        return self.severity is not Severity.NOTE


@dataclass(frozen=True, slots=True)
class Kind:
    """A sort of problem: what its code means, for the page that documents every code."""

    code: str
    meaning: str
    severity: Severity

    def at(self, place: Place, message: str, about: str = "") -> Problem:
        """A problem of this kind at a place."""
        return Problem(place, self.code, message, self.severity, about)


KINDS: dict[str, Kind] = {}
"""Every kind there is, by code; each room declares its own beside the code that reports it."""


def kind(code: str, meaning: str, severity: Severity = Severity.ERROR) -> Kind:
    """Declare a kind of problem. `meaning` is what an editor reads: what is wrong and what mends it."""
    assert code not in KINDS, f"two kinds of problem called {code}"
    KINDS[code] = Kind(code, " ".join(meaning.split()), severity)
    return KINDS[code]


def in_order(problems: Iterable[Problem]) -> list[Problem]:
    """All problems by place, each once."""
    return sorted(set(problems))


def did_you_mean(word: str, options: Iterable[str]) -> str:
    """A clause to end a message with: the nearest option, or the few there are, or nothing."""
    # Imported late: most checks find nothing wrong and never need it.
    from difflib import get_close_matches

    options = list(options)
    if close := get_close_matches(word, options, n=1, cutoff=0.6):
        return f"; did you mean {close[0]}?"
    return f"; it may be {', '.join(options)}" if 0 < len(options) <= 8 else ""
