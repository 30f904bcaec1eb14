"""List of the references in a text or Markdown file, as lines and as JSON."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from rulewright.book.outline import Outline, RuleEntry
from rulewright.files import limits
from rulewright.files.content_reader import TOO_LARGE, UNREADABLE
from rulewright.files.located_text import decode_utf8
from rulewright.files.problems import Problem, SourceFile, SourceLocation
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
from rulewright.schema.rulebook import Suppression
from rulewright.schema.text_document import plain_text

STDIN = "-"
MARKED_UP = (".md", ".markdown", ".mdown", ".html", ".htm")
"""Extensions of Markdown and HTML files; other files are plain text."""


class ReferenceRow(NamedTuple):
    """A reference for output."""

    data: dict[str, Any]  # the JSON object
    line: str = ""  # the output line, if the reference has a target
    problems: tuple[tuple[Problem, Suppression | None], ...] = ()
    """The problems, each with its suppression."""

    @property
    def fails(self) -> bool:
        return any(problem.is_failure and not suppression for problem, suppression in self.problems)


def list_references(
    name: str, outline: Outline, index: ReferenceIndex, recall: Callable[[str], str]
) -> Iterator[ReferenceRow]:
    """Yield the references of a file or of standard input; if it cannot be read, only the problem.

    `recall` returns what became of a number that no rule has, or an empty string.
    """
    data, fault = read_input(name)
    if fault:
        yield _unreadable_row(name, 0, fault)
        return
    try:
        file = SourceFile(name, data.decode("utf-8-sig"))
        text = PageText.from_source(file.text, file, 0, len(file.text))
    except UnicodeDecodeError as error:
        before = len(error.object[: error.start].decode())
        yield _unreadable_row(name, before, decode_utf8(name, data)[1][0])
        return
    prose = blank_non_prose(file.text, is_markdown=name.lower().endswith(MARKED_UP))
    suppressions = {
        (str(suppression.code), str(suppression.at)): suppression
        for suppression in outline.edition.edition_file.excused
    }
    for reference in index.resolver.resolve(prose, outline, outline.default_chapter):
        if isinstance(reference, FaultyReference) and reference.fault is NOT_FOUND:
            match = reference.match
            former = recall(match.number.key) if match.number and not match.book else ""
            reference = replace(reference, message=former or reference.message)
        yield _reference_row(text, reference, suppressions)


def _reference_row(
    text: PageText, reference: Reference, suppressions: Mapping[tuple[str, str], Suppression]
) -> ReferenceRow:
    start, end = reference.match.start, reference.match.end
    words = text[start:end]
    data: dict[str, Any] = {"file": text.file.name, "start": start, "end": end, "text": words}
    all_problems = (*retired_problems([reference], text), *reference_problems([reference], text))
    problems = tuple((problem, suppressions.get((problem.code, problem.subject))) for problem in all_problems)
    match reference:
        case FaultyReference():
            return ReferenceRow(data | {"problem": _problem_object(*problems[0])}, problems=problems[:1])
        case ExternalReference():
            data |= {"site": reference.site, "href": reference.href, "title": reference.title}
        case CitableReference():
            data |= _link(reference.citable, full_name(reference.citable))
        case RuleReference():
            words = reference.display_number
            data |= {"target": reference.number.key} | _link(reference.target, _title(reference.target))
    if problems:
        data["notes"] = [_problem_object(*pair) for pair in problems]
    line = f"{text.location_of(start)}: {words} → {data['href']} {data['title']}".rstrip()
    return ReferenceRow(data, f"{line}\n", problems)


def _link(target: RuleEntry | Citable, title: str) -> dict[str, str]:
    path, anchor = site_paths.path_and_anchor(target)
    return {"href": site_paths.relative_link("", path, anchor), "title": plain_text(title)}


def _unreadable_row(name: str, offset: int, problem: Problem) -> ReferenceRow:
    data = {"file": name, "start": offset, "end": offset, "text": "", "problem": _problem_object(problem)}
    return ReferenceRow(data, problems=((problem, None),))


def _problem_object(problem: Problem, suppression: Suppression | None = None) -> dict[str, str]:
    data = {"code": problem.code, "message": problem.message}
    return data | ({"reason": str(suppression.reason)} if suppression else {})


def _title(entry: RuleEntry) -> str:
    if entry.title is None:
        return _title(entry.parent) if entry.parent else ""
    return entry.title


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
        return b"", TOO_LARGE.problem(
            SourceLocation(name),
            f"more than {limits.FILE.maximum // 1_000_000} MB; split the file",
            name,
        )
    return data, None
