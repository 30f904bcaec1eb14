"""List of the references in a text or Markdown file, as lines and as JSON."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from rulewright.book.outline import Outline, RuleEntry
from rulewright.files import limits
from rulewright.files.content_reader import TOO_LARGE, UNREADABLE
from rulewright.files.located_text import NOT_UTF8, decode_utf8
from rulewright.files.problems import Problem, SourceLocation
from rulewright.references import site_paths
from rulewright.references.citable_items import Citable, full_name
from rulewright.references.content_page import PageText, blank_non_prose
from rulewright.references.reference_index import ReferenceIndex
from rulewright.references.reference_problems import reference_problems, retired_problems
from rulewright.references.reference_resolver import NOT_FOUND
from rulewright.references.reference_types import (
    CitableReference,
    ExternalReference,
    FaultyReference,
    Reference,
    RuleReference,
)
from rulewright.schema.text_document import plain_text

STDIN = "-"
MARKED_UP = (".md", ".markdown", ".mdown", ".html", ".htm")
"""Extensions of Markdown and HTML files; other files are plain text."""


class ReferenceRow(NamedTuple):
    """A reference for output."""

    data: dict[str, Any]  # the JSON object
    line: str = ""  # the output line, if the reference has a target
    problems: tuple[Problem, ...] = ()


def list_references(
    name: str, outline: Outline, index: ReferenceIndex, recall: Callable[[str], str]
) -> Iterator[ReferenceRow]:
    """Yield the references of a file or of standard input; if it cannot be read, only the problem.

    `recall` returns what became of a number that no rule has, or an empty string.
    """
    data, fault = read_input(name)
    file, problems = decode_utf8(name, data)
    fault = fault or next((problem for problem in problems if problem.code == NOT_UTF8.code), None)
    if fault:
        row = {"file": name, "start": 0, "end": 0, "text": "", "problem": _problem_object(fault)}
        yield ReferenceRow(row, problems=(fault,))
        return
    text = PageText.from_source(file.text, file, 0, len(file.text))
    prose = blank_non_prose(file.text, is_markdown=name.lower().endswith(MARKED_UP))
    for reference in index.resolver.resolve(prose, outline, outline.default_chapter):
        if isinstance(reference, FaultyReference) and reference.fault is NOT_FOUND:
            match = reference.match
            former = recall(match.number.key) if match.number and not match.book else ""
            reference = replace(reference, message=former or reference.message)
        yield _reference_row(text, reference)


def _reference_row(text: PageText, reference: Reference) -> ReferenceRow:
    start, end = reference.match.start, reference.match.end
    words = text[start:end]
    data: dict[str, Any] = {"file": text.file.name, "start": start, "end": end, "text": words}
    problems = (*retired_problems([reference], text), *reference_problems([reference], text))
    match reference:
        case FaultyReference():
            return ReferenceRow(data | {"problem": _problem_object(problems[0])}, problems=problems[:1])
        case ExternalReference():
            data |= {"site": reference.site, "href": reference.href, "title": reference.title}
        case CitableReference():
            data |= _link(reference.citable, full_name(reference.citable))
        case RuleReference():
            words = reference.display_number
            titles = (entry.title for entry in reference.target.self_and_ancestors() if entry.title)
            data |= {"target": reference.number.key} | _link(reference.target, next(titles, ""))
    if problems:
        data["notes"] = [*map(_problem_object, problems)]
    line = f"{text.location_of(start)}: {words} → {data['href']} {data['title']}".rstrip()
    return ReferenceRow(data, f"{line}\n", problems)


def _link(target: RuleEntry | Citable, title: str) -> dict[str, str]:
    path, anchor = site_paths.path_and_anchor(target)
    return {"href": site_paths.relative_link("", path, anchor), "title": plain_text(title)}


def _problem_object(problem: Problem) -> dict[str, str]:
    return {"code": problem.code, "message": problem.message}


def read_input(name: str) -> tuple[bytes, Problem | None]:
    """Return the bytes of a file, or a problem if it cannot be read or is too large."""
    try:
        if name == STDIN:
            data = sys.stdin.buffer.read(limits.FILE.maximum + 1)
        else:
            with open(name, "rb") as file:  # may be a pipe, whose size is known only after reading
                data = file.read(limits.FILE.maximum + 1)
    except OSError as error:
        return b"", UNREADABLE.problem(SourceLocation(name), f"cannot be opened: {error.strerror}", name)
    if len(data) > limits.FILE.maximum:
        return b"", TOO_LARGE.problem(SourceLocation(name), f"{limits.FILE.describe}; split the file", name)
    return data, None
