"""Text amended by errata, which also has the printed text and the source location of each word."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from rulewright.files.located_text import LocatedText
from rulewright.files.problems import SourceLocation
from rulewright.schema.erratum import Erratum

UNCHANGED, DELETED, INSERTED = "", "-", "+"


class AmendedRun(NamedTuple):
    """Words that stayed (`change` is empty), were deleted (`-`) or inserted (`+`), and the erratum
    responsible.

    They begin at `start` in `source`: the printed text, or the erratum's own.
    """

    change: str
    words: str
    source: LocatedText
    start: int
    erratum: Erratum | None = None

    def part(self, start: int, end: int) -> AmendedRun:
        return self._replace(words=self.words[start:end], start=self.start + start)


class AmendedText(LocatedText):
    """Amended text. `printed` is the original, `runs` are all words, old and new, in order.

    Its file is that of the printed text; `location_of` also finds inserted words in their erratum.
    """

    __slots__ = ("_printed", "runs")

    _printed: LocatedText
    runs: tuple[AmendedRun, ...]

    @property
    def printed(self) -> LocatedText:
        return self._printed

    @classmethod
    def from_runs(cls, printed: LocatedText, runs: Iterable[AmendedRun]) -> AmendedText:
        """Return the text of these runs, with adjacent unchanged ones joined."""
        joined: list[AmendedRun] = []
        for run in runs:
            last = joined[-1] if joined else None
            if last and last[0] == run.change == UNCHANGED and last.start + len(last.words) == run.start:
                joined[-1] = last._replace(words=last.words + run.words)
            elif run.words:
                joined.append(run)
        text = cls("".join(run.words for run in joined if run.change != DELETED))
        text.file, text.start, text.end, text.style = printed.file, printed.start, printed.end, printed.style
        text._printed, text.runs = printed, tuple(joined)
        return text

    @property
    def errata(self) -> tuple[Erratum, ...]:
        return tuple(dict.fromkeys(run.erratum for run in self.runs if run.erratum))

    def location_of(self, offset: int) -> SourceLocation:
        run_start = 0
        for run in self.runs:
            if run.change != DELETED:
                if offset < run_start + len(run.words):
                    return run.source.location_of(min(run.start + offset - run_start, len(run.source)))
                run_start += len(run.words)
        return self.printed.location_of(len(self.printed))


def amended_runs(text: LocatedText) -> tuple[AmendedRun, ...]:
    """Return the runs of a text; a text without errata is one run."""
    return text.runs if isinstance(text, AmendedText) else (AmendedRun(UNCHANGED, str(text), text, 0),)
