"""The file that keeps what references meant: `references.lock`, one in each folder whose texts have any.

A line for each reference: where it stands, the number that it names, the rule that it led to, a mark of what
that said, and its title. Further lines hold, by their marks, the words of those rules. Lines are put in order
and say nothing of each other, so branches can be merged line by line. A reference that has several lines then
meant either; it is true as long as one of them is.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from rulewright.source.folder import natural
from rulewright.source.problems import File, Problem, kind, shown
from rulewright.source.text import NOT_UTF8, decode

DAMAGED = kind(
    "lock-damaged",
    """A line of `references.lock` cannot be read, so that what the reference meant is not known.
    `rulewright accept` writes the file anew from the lines that can be.""",
)
CONFLICT = kind(
    "lock-conflict",
    """A merge has left both sides of a conflict in `references.lock`. Both are read; `rulewright accept`
    writes the file anew without the marks of the conflict.""",
)

WORDS = "words"
"""How a line begins that holds what a rule said."""

UNKNOWN = "-"
"""The mark of a rule whose words are not here."""

_SIDES = re.compile(r"(?:<{7}|\|{7}|>{7})(?: .*)?|={7}")
_MARK = re.compile(r"(?:-|[0-9a-f]{12})(?:\+[0-9a-f]{6})?")
_WORDS_MARK = re.compile(r"[0-9a-f]{12}")

_HEAD = """\
# What the references in this folder led to when they were last read: where each stands, the number it names,
# the rule, a mark of what that said, and its title. `rulewright accept` writes this file. Where two branches
# meet, keep the lines of both.
"""


class Meant(NamedTuple):
    """What a reference led to. `target`: the rule's number, with its edition where that is another one.

    `mark`: of its own words and, behind a plus, of what lies in it or in the range that ends with it.
    """

    target: str
    mark: str
    title: str

    @property
    def key(self) -> str:
        """The number of the rule, without its edition."""
        address, colon, key = self.target.partition(":")
        return key if colon and "/" in address else self.target

    def address(self, home: str) -> str:
        """The edition of the rule, where the lock is that of the folder `home`."""
        return self.target.removesuffix(self.key).removesuffix(":") or home

    @property
    def own(self) -> str:
        """The mark of its own words."""
        return self.mark.partition("+")[0]

    @property
    def more(self) -> str:
        """The mark of what it holds beside them."""
        return self.mark.partition("+")[2]


Key = tuple[str, str]
"""A reference: what it stands in, and the number that it names."""


@dataclass
class Lock:
    """What a file keeps: what each reference meant, and the words of rules by their marks."""

    meant: dict[Key, list[Meant]] = field(default_factory=dict)
    words: dict[str, str] = field(default_factory=dict)

    def written(self) -> bytes:
        """The file, without words that no reference needs. The same content gives the same bytes."""
        rows = [
            "\t".join((*key, *meant))
            for key, all_meant in sorted(self.meant.items(), key=lambda one: tuple(map(natural, one[0])))
            for meant in sorted(set(all_meant))
        ]
        needed = sorted({meant.own for every in self.meant.values() for meant in every} & set(self.words))
        rows += ["\t".join((WORDS, mark, self.words[mark])) for mark in needed]
        return "\n".join((*_HEAD.splitlines(), *rows, "")).encode()


def read(name: str, data: bytes) -> tuple[Lock, list[Problem]]:
    """A lock, and each line of it that cannot be read."""
    file, problems = decode(name, data)
    lock, meant = Lock(), defaultdict[Key, list[Meant]](list)
    if any(problem.code == NOT_UTF8.code for problem in problems):
        return lock, problems
    at = 0
    for line in file.text.splitlines(keepends=True):
        text = line.rstrip("\r\n")
        fields = text.split("\t")
        if len(fields) == 5 and _MARK.fullmatch(fields[3]):
            meant[fields[0], fields[1]].append(Meant(*fields[2:]))
        elif len(fields) == 3 and fields[0] == WORDS and _WORDS_MARK.fullmatch(fields[1]):
            lock.words[fields[1]] = fields[2]
        elif _SIDES.fullmatch(text):
            if text.startswith("<"):
                problems.append(_conflict(file, at))
        elif text.strip() and not text.startswith("#"):
            problems.append(_damaged(file, at, text))
        at += len(line)
    lock.meant = dict(meant)
    return lock, problems


def _conflict(file: File, at: int) -> Problem:
    message = "a merge has left both sides here; both are read, and `rulewright accept` takes its marks out"
    return CONFLICT.at(file.place(at), message, file.name)


def _damaged(file: File, at: int, line: str) -> Problem:
    message = (
        f"{shown(line)} says nothing of a reference; take the line back from your repository, "
        "or let `rulewright accept` write the file anew"
    )
    return DAMAGED.at(file.place(at), message, file.name)


def field_of(words: str) -> str:
    """Words as they stand between two tabs."""
    return " ".join(words.split())


def merged(words: Iterable[Mapping[str, str]]) -> dict[str, str]:
    """The words of several locks together."""
    return {mark: said for one in words for mark, said in one.items()}
