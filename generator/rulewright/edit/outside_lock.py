"""`citations.lock`: what was read of the citations in outside files, and for which edition they are.

A `file` line says for which edition a file is written since `--fix`, `was` lines for which one it was with
other bytes, so that a file that is put back is not taken for what it became. `left` lines are its citations
that could not be written anew and are still those of an earlier edition: the line, by its words, and where in
that. A `told` line is a problem that was accepted, and how often it occurs; what is more is told.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from rulewright.compare.lock import Meanings, field_of
from rulewright.edit.outside import Outside
from rulewright.source import disk
from rulewright.source.problems import Problem
from rulewright.source.refusal import Refusal

NAME = "citations.lock"
"""The file, in the folder that the command is given in."""

_HEAD = """\
# Citations outside of the books: which edition each file is for since `rulewright refs --fix`, what that left
# as it was, and what has been read (`--accept`). Keep this file with those that it names.
"""

Told = tuple[str, str, str, str]
"""A problem that was accepted: the file, the number, the code, and a mark of what the rule says now."""


class Spot(NamedTuple):
    """A place in a text: the mark of its line, how many lines like it precede it, and where in it."""

    line: str
    before: int
    start: int
    end: int


class Lines:
    """The lines of a text by their marks, which stay the same when others come or go."""

    def __init__(self, text: str) -> None:
        self._starts, self._marks, self._at = (
            list[int](),
            list[tuple[str, int]](),
            dict[tuple[str, int], int](),
        )
        met: Counter[str] = Counter()
        start = 0
        for line in text.split("\n"):
            mark = digest_of(line.strip().encode("utf-8", "replace"))
            indent = start + len(line) - len(line.lstrip())
            self._starts.append(start)
            self._marks.append((mark, met[mark]))
            self._at[mark, met[mark]] = indent
            met[mark] += 1
            start += len(line) + 1

    def spot(self, start: int, end: int) -> Spot:
        mark = self._marks[bisect_right(self._starts, start) - 1]
        return Spot(*mark, start - self._at[mark], end - self._at[mark])

    def find(self, spot: Spot) -> tuple[int, int] | None:
        at = self._at.get(spot[:2])
        return None if at is None else (at + spot.start, at + spot.end)


class OutsideLock:
    """A lock as it is, or empty where there is none. Raises Refusal where it cannot be read.

    `left`: by file and place the number of a citation, and the edition that has it.
    """

    def __init__(self, path: Path, meanings: Meanings) -> None:
        self.path, self.meanings = path, meanings
        self.written: dict[str, str] = {}
        self.was: dict[tuple[str, str], str] = {}
        self.left: dict[str, dict[Spot, tuple[str, str]]] = {}
        self.told: Counter[Told] = Counter()
        lines = path.read_bytes().decode("utf-8", "replace").splitlines() if path.exists() else []
        for at, line in enumerate(lines, 1):
            match line.split("\t"):
                case ["file", name, edition]:
                    self.written[name] = edition
                case ["was", name, digest, edition]:
                    self.was[name, digest] = edition
                case ["left", name, mark, *places, number, edition] if len(places) == 3 and _all_digits(
                    places
                ):
                    self.left.setdefault(name, {})[Spot(mark, *map(int, places))] = number, edition
                case ["told", *key, count] if len(key) == 4 and _all_digits([count]):
                    self.told[key[0], key[1], key[2], key[3]] = int(count)
                case _ if line.strip() and not line.startswith("#"):
                    raise Refusal(f"{path.name}:{at}: this line cannot be read; take it back, or delete it")

    def edition_of(self, name: str, data: bytes) -> str:
        """The edition that a file is written for, as far as it was written anew; else nothing."""
        return self.was.get((field_of(name), digest_of(data))) or self.written.get(field_of(name), "")

    def left_in(self, name: str, data: bytes) -> dict[Spot, tuple[str, str]]:
        """The citations that were left in a file, unless it has been put back."""
        name = field_of(name)
        return {} if (name, digest_of(data)) in self.was else self.left.get(name, {})

    def rewritten(
        self, name: str, data: bytes, old: str, new: str, left: dict[Spot, tuple[str, str]]
    ) -> None:
        """Note that a file, which had these bytes, is written for another edition, but for what is `left`."""
        name = field_of(name)
        if old != new:
            self.was[name, digest_of(data)], self.written[name] = old, new
        self.left[name] = left

    def accept(self, name: str, citations: Iterable[Outside]) -> int:
        """Note all that is told of a file in the place of what was; give how much that is."""
        self.told = Counter({key: n for key, n in self.told.items() if key[0] != field_of(name)})
        found = [self._key(name, one, problem) for one in citations for problem in one.problems]
        self.told.update(found)
        return len(found)

    def news(self, name: str, citations: Iterable[Outside]) -> Iterator[Problem]:
        """Problems of a file that were not yet accepted as often as they occur."""
        left = Counter(self.told)
        for one in citations:
            for problem in one.problems:
                key = self._key(name, one, problem)
                if left[key]:
                    left[key] -= 1
                else:
                    yield problem

    def _key(self, name: str, one: Outside, problem: Problem) -> Told:
        target = one.heir.target
        mark = self.meanings.meant(target, "").mark if target else "-"
        return field_of(name), field_of(problem.about), problem.code, mark

    def save(self) -> None:
        rows: list[tuple[str, ...]] = [("file", *pair) for pair in self.written.items()]
        rows += [("was", *key, edition) for key, edition in self.was.items()]
        rows += [
            ("left", name, *map(str, spot), *what)
            for name, every in self.left.items()
            for spot, what in every.items()
        ]
        rows += [("told", *key, str(count)) for key, count in self.told.items()]
        disk.write(self.path, "\n".join((*_HEAD.splitlines(), *sorted(map("\t".join, rows)), "")))


def digest_of(data: bytes) -> str:
    return disk.digest(data)[:12]


def _all_digits(fields: Iterable[str]) -> bool:
    return all(field.isascii() and field.isdigit() for field in fields)
