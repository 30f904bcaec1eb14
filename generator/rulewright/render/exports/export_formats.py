"""Formats of reports of changes: how words, deletions and insertions are written."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple


class StyledRun(NamedTuple):
    """Words of a line; `change` is `-` if they were deleted, `+` if they were inserted."""

    words: str
    change: str = ""


@dataclass(frozen=True, slots=True)
class OutputFormat:
    """How the words of a run are written."""

    words: Callable[[str], str]
    deleted: str
    inserted: str

    def write(self, runs: Iterable[StyledRun]) -> str:
        """Return a line."""
        forms = {"": "{}", "-": self.deleted, "+": self.inserted}
        return "".join(forms[run.change].format(self.words(run.words)) for run in runs)


TEXT = OutputFormat(str, "[-{}-]", "{{+{}+}}")
