"""Places before and after a change: in files, and in words that a command was given."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from typing import NamedTuple

from rulewright.source.problems import Place, Problem


class Words(NamedTuple):
    """Words that a command was given by an argument, and how it writes them down."""

    argument: str
    words: str
    written: str

    def told(self, problems: Iterable[Problem], files: Mapping[str, bytes | None]) -> list[Problem]:
        """Problems with those in the words themselves at their place there. `files`: as they would be."""
        places = (self._place(problem.place, files.get(problem.place.file)) for problem in problems)
        found = zip(problems, places, strict=True)
        return list(dict.fromkeys(replace(problem, place=place) for problem, place in found))

    def _place(self, place: Place, data: bytes | None) -> Place:
        line = data.decode("utf-8-sig").splitlines()[place.line - 1] if data else ""
        start = line.find(f" {self.written}") + 1
        if not 0 < start < place.column <= start + len(self.written):
            return place
        ahead = line[start : place.column - 1]
        ahead = json.loads(f'{ahead}"') if self.written != self.words else ahead
        return Place(self.argument, 1, len(ahead) + 1)


def moved(place: Place, text: str, other: str, name: str) -> Place:
    """Find a place of a text in another version of it, or the place that it stood behind."""
    lines, others = text.splitlines(), other.splitlines()
    line, is_there = _counterpart(lines, others, place.line - 1)
    if not is_there:
        return Place(name, max(line, 1))
    return Place(name, line + 1, _counterpart(lines[place.line - 1], others[line], place.column - 1)[0] + 1)


def _counterpart(one: Sequence[str], other: Sequence[str], at: int) -> tuple[int, bool]:
    """The index in one row of what has an index in another, and whether it is there at all."""
    for tag, start, end, first, last in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        if start <= at < end:
            same = tag == "equal" or end - start == last - first
            return (first + at - start, True) if same else (first, False)
    return len(other), bool(other)
