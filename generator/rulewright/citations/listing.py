"""The references in any text or Markdown file, a row each, for people or for programs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from rulewright.book.cited_things import called_in_full
from rulewright.book.outline import Entry, Outline
from rulewright.citations import addresses
from rulewright.citations.manuscript import prose_of
from rulewright.citations.resolving import MISWRITTEN, NOT_FOUND, Resolved
from rulewright.citations.retirement import TO_RETIRED, outdated
from rulewright.citations.shelf import Shelf
from rulewright.model.rulebook import Excuse
from rulewright.source import bounds
from rulewright.source.folder import TOO_LARGE, UNREADABLE
from rulewright.source.problems import File, Place, Problem
from rulewright.source.text import decode
from rulewright.text.document import plain

STDIN = "-"
MARKED_UP = (".md", ".markdown", ".mdown", ".html", ".htm")
"""Endings of files in which indented lines are code. In other texts they are prose."""


class Row(NamedTuple):
    """A reference as JSON has it, its line if it leads anywhere, and its problems with excuses."""

    data: dict[str, Any]
    line: str = ""
    problems: tuple[tuple[Problem, Excuse | None], ...] = ()

    @property
    def fails(self) -> bool:
        return any(problem.fails and not excuse for problem, excuse in self.problems)


def listing(name: str, outline: Outline, shelf: Shelf, recall: Callable[[str], str]) -> Iterator[Row]:
    """The rows of a file, or of standard input; of one that cannot be read, one row with the problem.

    `recall` says what became of a number that no rule has, if it is known.
    """
    data, fault = read(name)
    if fault:
        yield _faulty(name, 0, 0, "", fault)
        return
    try:
        file = File(name, data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        before = len(error.object[: error.start].decode())
        yield _faulty(name, before, before, "", decode(name, data)[1][0])
        return
    prose = prose_of(file.text, is_markdown=name.lower().endswith(MARKED_UP))
    excuses = {(str(one.code), str(one.at)): one for one in outline.edition.file.excused}
    for one in shelf.resolve(prose, outline, outline.home):
        if one.fault is NOT_FOUND and one.number and not one.found.book:
            one = one._replace(message=recall(one.number.key) or one.message)
        yield _row(file, one, excuses)


def _row(file: File, one: Resolved, excuses: Mapping[tuple[str, str], Excuse]) -> Row:
    start, end = one.found.start, one.found.end
    written, place = file.text[start:end], file.place(start)
    if one.away:
        row = {"file": file.name, "start": start, "end": end, "text": written, "site": one.away.site}
        row |= {"href": one.away.href, "title": one.away.title}
        return Row(row, f"{place}: {written} → {one.away.href} {one.away.title}\n")
    if one.thing:
        href, title = addresses.relative("", *addresses.of(one.thing)), plain(called_in_full(one.thing))
        row = {"file": file.name, "start": start, "end": end, "text": written, "href": href, "title": title}
        return Row(row, f"{place}: {written} → {href} {title}\n")
    if one.fault or one.target is None or one.number is None:
        assert one.fault, f"{written} means nothing and has no fault"
        about = one.about(file.text)
        problem = one.fault.at(place, one.message, about)
        return _faulty(file.name, start, end, written, problem, excuses.get((problem.code, about)))
    path, anchor = addresses.of(one.target)
    href, title = addresses.relative("", path, anchor), _title(one.target)
    row = {"file": file.name, "start": start, "end": end, "text": written}
    row |= {"target": one.number.key, "href": href, "title": title}
    notes = [TO_RETIRED.at(place, said, one.target.key) for _, said in outdated([one])]
    if one.found.miswritten:
        notes.append(MISWRITTEN.at(place, one.miswritten(file.text), one.about(file.text)))
    told = tuple((note, excuses.get((note.code, note.about))) for note in notes)
    if told:
        row["notes"] = [_object(*pair) for pair in told]
    return Row(row, f"{place}: {one.shown} → {href} {title}".rstrip() + "\n", told)


def _faulty(
    name: str, start: int, end: int, written: str, problem: Problem, excuse: Excuse | None = None
) -> Row:
    row = {"file": name, "start": start, "end": end, "text": written, "problem": _object(problem, excuse)}
    return Row(row, problems=((problem, excuse),))


def _object(problem: Problem, excuse: Excuse | None = None) -> dict[str, str]:
    made = {"code": problem.code, "message": problem.message}
    return made | ({"because": str(excuse.because)} if excuse else {})


def _title(entry: Entry) -> str:
    if entry.title is None:
        return _title(entry.parent) if entry.parent else ""
    return plain(entry.title)


def read(name: str) -> tuple[bytes, Problem | None]:
    """The bytes of a file, or why it has none to offer."""
    try:
        if name == STDIN:
            data = sys.stdin.buffer.read(bounds.FILE.most + 1)
        else:
            with open(name, "rb") as file:  # which may be a pipe: its size is known when it has been read
                data = file.read(bounds.FILE.most + 1)
    except OSError as error:
        return b"", UNREADABLE.at(Place(name), f"cannot be opened: {error.strerror}", name)
    if len(data) > bounds.FILE.most:
        return b"", TOO_LARGE.at(
            Place(name), f"more than {bounds.FILE.most // 1_000_000} MB are too many to be a text", name
        )
    return data, None
