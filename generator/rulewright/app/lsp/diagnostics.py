"""Diagnostics and quick fixes for an editor: the problems that `check` reports, and their cures."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lsprotocol.types import Diagnostic, DiagnosticSeverity

from rulewright.app.lsp.text_positions import PositionMap
from rulewright.files.problems import Problem, Severity

MAX_DIAGNOSTICS = 1_000
"""Maximum number of problems shown for a file."""

SOURCE = "rulewright"

_SEVERITIES = {
    Severity.ERROR: DiagnosticSeverity.Error,
    Severity.WARNING: DiagnosticSeverity.Warning,
    Severity.NOTE: DiagnosticSeverity.Information,
}
_WORD = re.compile(r"[^\s,;\[\]{}\"']*")


def problem_span(problem: Problem, lines: PositionMap) -> tuple[int, int]:
    """Return the span of the words at the place of a problem that its message quotes, else of one word."""
    line, column = problem.place.line - 1, problem.place.column - 1
    if line >= len(lines.starts):
        return len(lines.text), len(lines.text)
    line_end = lines.line_end(line)
    start = min(lines.starts[line] + column, line_end)
    mark = lines.text.rfind("[[", lines.starts[line], start) + 2
    message = problem.message.partition(";")[0]
    for first in (start, start + 1, *([mark] if mark > 1 else [])):
        for end in range(min(line_end, first + len(message)), first, -1):
            words = lines.text[first:end]
            if words in message and re.search(rf"(?<!\w){re.escape(words)}(?!\w)", message):
                return first, end
    word = _WORD.match(lines.text, start)
    return start, word.end() if word else start


def diagnostic(problem: Problem, lines: PositionMap) -> Diagnostic:
    problem_range, severity = lines.range(*problem_span(problem, lines)), _SEVERITIES[problem.severity]
    return Diagnostic(problem_range, problem.message, severity, code=problem.code, source=SOURCE)


def diagnostics(problems: Sequence[Problem], lines: PositionMap) -> list[Diagnostic]:
    """Convert the problems of a file; beyond the limit add only the number of omitted ones."""
    converted = [diagnostic(problem, lines) for problem in problems[:MAX_DIAGNOSTICS]]
    if len(problems) > MAX_DIAGNOSTICS:
        count = len(problems) - MAX_DIAGNOSTICS
        more = f"and {count:,} more problems in this file; `rulewright check` lists them"
        converted.append(Diagnostic(converted[-1].range, more, DiagnosticSeverity.Information, source=SOURCE))
    return converted
