"""Lock of printed sheets, `printed.lock`: what each sheet of an edition said when it was last printed.

A line holds the name of a sheet, the hash of what it said and the day of printing, separated by tabs. The
lines are sorted and independent of each other, so that git can merge two branches line by line.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from datetime import date
from typing import NamedTuple

from rulewright.files.located_text import NOT_UTF8, decode_utf8
from rulewright.files.problems import Problem, problem_type, quote_short

DAMAGED = problem_type(
    "printed-lock-damaged",
    """A line of `printed.lock` is not the name of a sheet, its hash and a date, separated by tabs. Restore
    the line from your repository, or delete it and print the sheet again.""",
)
_HEAD = "# Printed sheets: name, hash of the content, day of printing. Written by `rulewright aids`.\n"
_LINE = re.compile(r"(?P<name>[^\t#][^\t]*)\t(?P<hash>[0-9a-f]{8})\t(?P<date>\d{4}-\d{2}-\d{2})")


class PrintedSheet(NamedTuple):
    """Record of a printed sheet."""

    date: str
    """Day of printing."""
    hash: str
    """Hash of the content."""


def read_printed_lock(name: str, data: bytes) -> tuple[dict[str, PrintedSheet], list[Problem]]:
    """Return the sheets of a lock by their names, and each damaged line.

    A merge may leave two lines for a sheet; the later date counts.
    """
    file, problems = decode_utf8(name, data)
    sheets: dict[str, PrintedSheet] = {}
    if any(problem.code == NOT_UTF8.code for problem in problems):
        return sheets, problems
    offset = 0
    for line in file.text.splitlines(keepends=True):
        text = line.rstrip("\r\n")
        if sheet := _parse_line(text):
            sheets[sheet[0]] = max(sheet[1], sheets.get(sheet[0], sheet[1]))
        elif text.strip() and not text.startswith("#"):
            message = f"{quote_short(text)} is not a name, a hash and a date; restore or delete this line"
            problems.append(DAMAGED.problem(file.location(offset), message, file.name))
        offset += len(line)
    return sheets, problems


def _parse_line(line: str) -> tuple[str, PrintedSheet] | None:
    if m := _LINE.fullmatch(line):
        with suppress(ValueError):
            return m["name"], PrintedSheet(str(date.fromisoformat(m["date"])), m["hash"])
    return None


def serialize_printed_lock(sheets: Mapping[str, PrintedSheet]) -> bytes:
    """Return the lock as bytes."""
    lines = (f"{name}\t{sheet.hash}\t{sheet.date}\n" for name, sheet in sorted(sheets.items()))
    return (_HEAD + "".join(lines)).encode()
