"""Read and write `references.lock`: the last accepted texts of cited rules, names and printed sheets.

A line for each cited rule has its number, title, the digest and the sketch of its words, and the number of
references to it. Further lines have the names of steps, tables and terms, and the hash of each printed sheet.
Lines are sorted and independent of each other, so that git can merge two branches line by line; both of two
lines for one rule are read.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from typing import NamedTuple

from rulewright.files.content_folder import CONTENT, LOCK, natural_sort_key
from rulewright.files.located_text import NOT_UTF8, decode_utf8
from rulewright.files.problems import Problem, problem_type, quote_short
from rulewright.files.safe_integers import parse_int

DAMAGED = problem_type(
    "lock-damaged",
    """A line of `references.lock` cannot be read, so that what it recorded is not known. Restore it from your
    repository, or write the other lines to a new file with `rulewright check --accept`.""",
)
UNKNOWN = "-"
"""Digest and sketch of a rule without words."""

NAME, SHEET = "name", "sheet"
"""First field of a line for a name, and of one for a printed sheet."""

_WORDS = re.compile(r"(-|[0-9a-f]{12})\t(-|[0-9a-f]{24})\t[0-9]{1,6}")
_DIGEST = re.compile(r"[0-9a-f]{12}")
_SHEET_DIGEST = re.compile(r"[0-9a-f]{8}")

_HEAD = """\
# The rules cited in this folder, as of the last accepted references: number, title, digest and sketch
# of the words, number of references. Written by `rulewright check --accept`, lines for printed sheets
# by `rulewright aids`. When you merge two branches, keep the lines of both.
"""


class RecordedRule(NamedTuple):
    """A cited rule, step or table as it was when its references were last accepted."""

    number: str
    """Its number, with the address of its edition where that is not the folder's: `ocs/3.0:14.6c`."""
    title: str
    digest: str
    """Digest of its words, without the numbers of references."""
    sketch: str
    """Twelve bytes by which similar words can be found."""
    references: int
    """Number of references to it."""

    @property
    def key(self) -> str:
        """Return the number without the address."""
        address, colon, key = self.number.partition(":")
        return key if colon and "/" in address else self.number

    def address(self, folder: str) -> str:
        """Return the address of its edition; `folder` is that of the lock."""
        return self.number.removesuffix(self.key).removesuffix(":") or folder


class RecordedName(NamedTuple):
    """A name of a step, a table or a term."""

    sort: str
    digest: str
    """Digest of what the item says beside its name."""
    name: str


class PrintedSheet(NamedTuple):
    """A sheet as last printed."""

    date: str
    hash: str


@dataclass
class ReferenceLock:
    """Contents of a lock."""

    rules: dict[str, list[RecordedRule]] = field(default_factory=dict)
    """Records by number; several after a merge."""
    names: set[RecordedName] = field(default_factory=set)
    sheets: dict[str, PrintedSheet] = field(default_factory=dict)

    @property
    def references(self) -> int:
        """The number of recorded references."""
        count = 0
        for records in self.rules.values():
            count += max(record.references for record in records)
        return count

    def serialize(self) -> bytes | None:
        """Return the file, or None if nothing is recorded. Equal contents give equal bytes."""
        rows = [
            "\t".join(map(str, rule))
            for number in sorted(self.rules, key=natural_sort_key)
            for rule in sorted(set(self.rules[number]))
        ]
        rows += ["\t".join((NAME, *name)) for name in sorted(self.names)] if rows else []
        for name, sheet in sorted(self.sheets.items()):
            rows.append("\t".join((SHEET, name, sheet.hash, sheet.date)))
        return "\n".join((*_HEAD.splitlines(), *rows, "")).encode() if rows else None


def lock_name(folder: str) -> str:
    """Return the file name of a folder's lock."""
    return "/".join(filter(None, (CONTENT, folder, LOCK)))


def read_lock(name: str, data: bytes) -> tuple[ReferenceLock, list[Problem]]:
    """Return the contents of a lock, and a problem for each line that cannot be read."""
    file, problems = decode_utf8(name, data)
    lock = ReferenceLock()
    if any(problem.code == NOT_UTF8.code for problem in problems):
        return lock, problems
    offset = 0
    for line in file.text.splitlines(keepends=True):
        text = line.rstrip("\r\n")
        if text.strip() and not text.startswith("# ") and not _read_line(text.split("\t"), lock):
            message = (
                f"{quote_short(text)} records nothing; restore the line from your repository, "
                "or let `rulewright check --accept` rewrite the file"
            )
            problems.append(DAMAGED.problem(file.location(offset), message, file.name))
        offset += len(line)
    return lock, problems


def _read_line(fields: list[str], lock: ReferenceLock) -> bool:
    """Enter a line in a lock; return whether it can be read."""
    if len(fields) == 5 and fields[0] and _WORDS.fullmatch("\t".join(fields[2:])):
        number, title, digest, sketch, references = fields
        rule = RecordedRule(number, title, digest, sketch, parse_int(references) or 0)
        lock.rules.setdefault(rule.number, []).append(rule)
        return True
    if len(fields) == 4 and fields[0] == NAME and _DIGEST.fullmatch(fields[2]):
        lock.names.add(RecordedName(*fields[1:]))
        return True
    if len(fields) == 4 and fields[0] == SHEET and _SHEET_DIGEST.fullmatch(fields[2]):
        with suppress(ValueError):
            sheet = PrintedSheet(str(date.fromisoformat(fields[3])), fields[2])
            # A merge may leave two lines for a sheet; the later date counts.
            lock.sheets[fields[1]] = max(sheet, lock.sheets.get(fields[1], sheet))
            return True
    return False
