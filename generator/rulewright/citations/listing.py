"""The references in any text or Markdown file, a row each, for people or for programs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulewright.book.outline import Entry, Outline
from rulewright.citations import addresses
from rulewright.citations.foreign import read
from rulewright.citations.manuscript import prose_of
from rulewright.citations.resolving import Resolved
from rulewright.citations.shelf import Shelf
from rulewright.source.problems import File, Problem
from rulewright.source.text import decode
from rulewright.text.document import plain

MARKED_UP = (".md", ".markdown", ".mdown", ".html", ".htm")
"""Endings of files in which indented lines are code. In other texts they are prose."""

Row = tuple[dict[str, Any], str | Problem]
"""A row as JSON has it, and the line or the problem that text shows instead."""


def listing(name: str, outline: Outline, shelf: Shelf) -> Iterator[Row]:
    """The rows of a file, or of standard input; of one that cannot be read, one row with the problem."""
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
    for one in shelf.resolve(prose, outline, outline.home):
        yield _row(file, one)


def _row(file: File, one: Resolved) -> Row:
    start, end = one.found.start, one.found.end
    written, place = file.text[start:end], file.place(start)
    if one.away:
        row = {"file": file.name, "start": start, "end": end, "text": written, "site": one.away.site}
        row |= {"href": one.away.href, "title": one.away.title}
        return row, f"{place}: {written} → {one.away.href} {one.away.title}\n"
    if one.fault or one.target is None or one.number is None:
        assert one.fault, f"{written} means nothing and has no fault"
        return _faulty(file.name, start, end, written, one.fault.at(place, one.message, written))
    path, anchor = addresses.of(one.target)
    href, title = addresses.relative("", path, anchor), _title(one.target)
    row = {"file": file.name, "start": start, "end": end, "text": written}
    row |= {"target": one.number.key, "href": href, "title": title}
    return row, f"{place}: {one.shown} → {href} {title}".rstrip() + "\n"


def _faulty(name: str, start: int, end: int, written: str, problem: Problem) -> Row:
    what = {"code": problem.code, "message": problem.message}
    return {"file": name, "start": start, "end": end, "text": written, "problem": what}, problem


def _title(entry: Entry) -> str:
    if entry.title is None:
        return _title(entry.parent) if entry.parent else ""
    return plain(entry.title)
