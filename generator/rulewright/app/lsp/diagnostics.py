"""Problems as an editor shows them: words and codes are the check's, and each has the stretch it is about."""

from __future__ import annotations

import re

from lsprotocol.types import Diagnostic, DiagnosticSeverity

from rulewright.app.lsp.positions import Lines
from rulewright.source.problems import Problem, Severity

MOST = 1_000
"""How many problems of a file are shown."""

SOURCE = "rulewright"

_SEVERITIES = {
    Severity.ERROR: DiagnosticSeverity.Error,
    Severity.WARNING: DiagnosticSeverity.Warning,
    Severity.NOTE: DiagnosticSeverity.Information,
}
_NUMBER = re.compile(r"[\w§]*\d[\w.()]*(?:[-–/]\w[\w.()]*)*(?<![.])")
_STRETCH = re.compile(
    r"\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*'|\[\[[^\]\n]*\]\]|[^\s,;\[\]{}\"']+?(?=:?(?:[\s,;\[\]{}\"']|\Z))"
)


def index_of(problem: Problem, lines: Lines) -> int:
    """Where a problem stands in its file."""
    line, column = problem.place.line - 1, problem.place.column - 1
    if line >= len(lines.starts):
        return len(lines.text)
    return min(lines.starts[line] + column, lines.starts[line] + len(lines.line(line)))


def stretch(problem: Problem, lines: Lines) -> tuple[int, int]:
    """From where to where the word, the number or the text in quotes stands that a problem is about."""
    start = index_of(problem, lines)
    found = _NUMBER.match(lines.text, start) or _STRETCH.match(lines.text, start)
    return (start, found.end()) if found else (start, start)


def diagnostics(problems: list[Problem], lines: Lines) -> list[Diagnostic]:
    """The problems of one file. Of very many the first are shown, and how many there are besides."""
    made = [diagnostic(one, lines) for one in problems[:MOST]]
    if len(problems) > MOST:
        more = f"and {len(problems) - MOST:,} problems more in this file; `rulewright check` lists them"
        made.append(Diagnostic(made[-1].range, more, DiagnosticSeverity.Information, source=SOURCE))
    return made


def diagnostic(problem: Problem, lines: Lines) -> Diagnostic:
    """A problem at its place."""
    where, severity = lines.range(*stretch(problem, lines)), _SEVERITIES[problem.severity]
    return Diagnostic(where, problem.message, severity, code=problem.code, source=SOURCE)
