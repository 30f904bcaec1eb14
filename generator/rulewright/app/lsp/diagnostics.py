"""Diagnostics and quick fixes for an editor.

Messages and codes are those of `check`. A fix is a suggestion in the message, or what `check --fix` writes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from lsprotocol.types import Diagnostic, DiagnosticSeverity, TextEdit

from rulewright.app.lsp.text_positions import PositionMap
from rulewright.compare.stale_references import MOVED, RENAMED
from rulewright.files.problems import Problem, Severity, suggested_fixes

MAX_DIAGNOSTICS = 1_000
"""Maximum number of problems shown for a file."""

SOURCE = "rulewright"

_SEVERITIES = {
    Severity.ERROR: DiagnosticSeverity.Error,
    Severity.WARNING: DiagnosticSeverity.Warning,
    Severity.NOTE: DiagnosticSeverity.Information,
}
_NUMBER = re.compile(r"[\w§]*\d[\w.()]*(?:[-–/]\w[\w.()]*)*(?<![.])")
_QUOTED_OR_WORD = re.compile(
    r"\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*'|\[\[[^\]\n]*\]\]|[^\s,;\[\]{}\"']+?(?=:?(?:[\s,;\[\]{}\"']|\Z))"
)
_WORD = re.compile(r"(?<!\S)\S")


def problem_index(problem: Problem, lines: PositionMap) -> int:
    """Return the text index of a problem in its file."""
    line, column = problem.place.line - 1, problem.place.column - 1
    if line >= len(lines.starts):
        return len(lines.text)
    return min(lines.starts[line] + column, lines.starts[line] + len(lines.line(line)))


def problem_span(problem: Problem, lines: PositionMap) -> tuple[int, int]:
    """Return the span of the number, word or quoted text that a problem is about."""
    start = problem_index(problem, lines)
    match = _NUMBER.match(lines.text, start) or _QUOTED_OR_WORD.match(lines.text, start)
    return (start, match.end()) if match else (start, start)


def diagnostics(problems: list[Problem], lines: PositionMap) -> list[Diagnostic]:
    """Convert the problems of a file; beyond the limit add only the number of omitted ones."""
    shown_diagnostics = [diagnostic(problem, lines) for problem in problems[:MAX_DIAGNOSTICS]]
    if len(problems) > MAX_DIAGNOSTICS:
        count = len(problems) - MAX_DIAGNOSTICS
        more = f"and {count:,} more problems in this file; `rulewright check` lists them"
        shown_diagnostics.append(
            Diagnostic(shown_diagnostics[-1].range, more, DiagnosticSeverity.Information, source=SOURCE)
        )
    return shown_diagnostics


def diagnostic(problem: Problem, lines: PositionMap) -> Diagnostic:
    problem_range, severity = lines.range(*problem_span(problem, lines)), _SEVERITIES[problem.severity]
    return Diagnostic(problem_range, problem.message, severity, code=problem.code, source=SOURCE)


class Fix(NamedTuple):
    """A fix of a problem."""

    title: str
    problem: Problem
    edits: list[TextEdit] | None = None
    """Edits of the problem's file; None if they must be computed first."""
    is_preferred: bool = False


def fixes(problem: Problem, lines: PositionMap) -> Iterator[Fix]:
    """Yield the available fixes of a problem."""
    if problem.code in (MOVED.code, RENAMED.code):
        subject = "number that the rule" if problem.code == MOVED.code else "name that it"
        yield Fix(f"Write the {subject} has now", problem, is_preferred=True)
    elif (suggestions := suggested_fixes(problem.message)) and (quoted_span := _quoted_span(problem, lines)):
        for suggestion in suggestions:
            edit = TextEdit(lines.range(*quoted_span), suggestion)
            yield Fix(f"Write {suggestion}", problem, [edit], is_preferred=len(suggestions) == 1)


def _quoted_span(problem: Problem, lines: PositionMap) -> tuple[int, int] | None:
    """Return the span of the words that a message quotes, at the problem's location or in the mark there."""
    index, message = problem_index(problem, lines), problem.message.partition(";")[0]
    mark = lines.text.rfind("[[", lines.starts[lines.position(index).line], index)
    best = 0, 0
    for start in (index, index + 1, *([mark + 2] if mark >= 0 else [])):
        for m in _WORD.finditer(message):
            length = _common_length(lines.text, start, message[m.start() :])
            if length > best[1] - best[0]:
                best = start, start + length
    return best if best[1] > best[0] else None


def _common_length(text: str, start: int, message: str) -> int:
    """Return how many characters of whole words a text at an index shares with a message."""
    length = 0
    for m in re.finditer(r"\S+", message):
        if not text.startswith(message[: m.end()], start):
            break
        length = m.end()
    return 0 if text[start + length : start + length + 1].isalnum() else length
