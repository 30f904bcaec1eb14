"""A text as errata have changed it, which still knows what was printed and where each word is written."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from rulewright.model.erratum import Erratum
from rulewright.source.located_text import LocatedText
from rulewright.source.problems import SourceLocation

KEPT, GONE, COME = "", "-", "+"


class AmendedRun(NamedTuple):
    """Words that stayed (`change` is empty), went (`-`) or came (`+`), and the erratum that did it.

    They stand in `source` from `start` on: in the printed text, or in the erratum's own.
    """

    change: str
    words: str
    source: LocatedText
    start: int
    erratum: Erratum | None = None

    def part(self, start: int, end: int) -> AmendedRun:
        return self._replace(words=self.words[start:end], start=self.start + start)


class AmendedText(LocatedText):
    """A text as amended. `printed` is what it was, `runs` are all its words, old and new, in order.

    As any text it knows its file, which is that of what was printed; where words that came are written,
    `location_of` says.
    """

    __slots__ = ("_printed", "runs")

    _printed: LocatedText
    runs: tuple[AmendedRun, ...]

    @property
    def printed(self) -> LocatedText:
        return self._printed

    @classmethod
    def from_runs(cls, printed: LocatedText, runs: Iterable[AmendedRun]) -> AmendedText:
        """Return the text that these runs make; neighbours of one sort are made one."""
        joined: list[AmendedRun] = []
        for run in runs:
            last = joined[-1] if joined else None
            if last and last[0] == run.change == KEPT and last.start + len(last.words) == run.start:
                joined[-1] = last._replace(words=last.words + run.words)
            elif run.words:
                joined.append(run)
        text = cls("".join(run.words for run in joined if run.change != GONE))
        text.file, text.start, text.end, text.style = printed.file, printed.start, printed.end, printed.style
        text._printed, text.runs = printed, tuple(joined)
        return text

    @property
    def errata(self) -> tuple[Erratum, ...]:
        return tuple(dict.fromkeys(run.erratum for run in self.runs if run.erratum))

    def location_of(self, offset: int) -> SourceLocation:
        at = 0
        for run in self.runs:
            if run.change != GONE:
                if offset < at + len(run.words):
                    return run.source.location_of(min(run.start + offset - at, len(run.source)))
                at += len(run.words)
        return self.printed.location_of(len(self.printed))


def amended_runs(text: LocatedText) -> tuple[AmendedRun, ...]:
    """Return the runs of any text; one that no erratum has changed is all one."""
    return text.runs if isinstance(text, AmendedText) else (AmendedRun(KEPT, str(text), text, 0),)
