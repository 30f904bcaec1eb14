"""Problems as an editor shows them, each with the stretch it is about, and their cures.

Words and codes are the check's. A cure is an answer that the words name, or what `check --fix` would write.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from lsprotocol.types import Diagnostic, DiagnosticSeverity, TextEdit

from rulewright.app.lsp.text_positions import PositionMap
from rulewright.compare.stale_references import MOVED, RENAMED
from rulewright.source.problems import Problem, Severity, suggested_fixes

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
_WORD = re.compile(r"(?<!\S)\S")


def index_of(problem: Problem, lines: PositionMap) -> int:
    """Where a problem stands in its file."""
    line, column = problem.place.line - 1, problem.place.column - 1
    if line >= len(lines.starts):
        return len(lines.text)
    return min(lines.starts[line] + column, lines.starts[line] + len(lines.line(line)))


def stretch(problem: Problem, lines: PositionMap) -> tuple[int, int]:
    """From where to where the word, the number or the text in quotes stands that a problem is about."""
    start = index_of(problem, lines)
    match = _NUMBER.match(lines.text, start) or _STRETCH.match(lines.text, start)
    return (start, match.end()) if match else (start, start)


def diagnostics(problems: list[Problem], lines: PositionMap) -> list[Diagnostic]:
    """The problems of one file. Of very many the first are shown, and how many there are besides."""
    shown_diagnostics = [diagnostic(problem, lines) for problem in problems[:MOST]]
    if len(problems) > MOST:
        more = f"and {len(problems) - MOST:,} problems more in this file; `rulewright check` lists them"
        shown_diagnostics.append(
            Diagnostic(shown_diagnostics[-1].range, more, DiagnosticSeverity.Information, source=SOURCE)
        )
    return shown_diagnostics


def diagnostic(problem: Problem, lines: PositionMap) -> Diagnostic:
    problem_range, severity = lines.range(*stretch(problem, lines)), _SEVERITIES[problem.severity]
    return Diagnostic(problem_range, problem.message, severity, code=problem.code, source=SOURCE)


class Fix(NamedTuple):
    """A cure of a problem. `edits`: in its file; None where they have to be worked out."""

    title: str
    problem: Problem
    edits: list[TextEdit] | None = None
    is_preferred: bool = False


def fixes(problem: Problem, lines: PositionMap) -> Iterator[Fix]:
    """The cures of a problem of a file."""
    if problem.code in (MOVED.code, RENAMED.code):
        subject = "number that the rule" if problem.code == MOVED.code else "name that it"
        yield Fix(f"Write the {subject} has now", problem, is_preferred=True)
    elif (answers := suggested_fixes(problem.message)) and (wrong := _wrong(problem, lines)):
        for answer in answers:
            edit = TextEdit(lines.range(*wrong), answer)
            yield Fix(f"Write {answer}", problem, [edit], is_preferred=len(answers) == 1)


def _wrong(problem: Problem, lines: PositionMap) -> tuple[int, int] | None:
    """The words of a file that a problem's message quotes, at its place or in the mark around that."""
    index, message = index_of(problem, lines), problem.message.partition(";")[0]
    mark = lines.text.rfind("[[", lines.starts[lines.position(index).line], index)
    best = 0, 0
    for start in (index, index + 1, *([mark + 2] if mark >= 0 else [])):
        for m in _WORD.finditer(message):
            length = _alike(lines.text, start, message[m.start() :])
            if length > best[1] - best[0]:
                best = start, start + length
    return best if best[1] > best[0] else None


def _alike(text: str, start: int, message: str) -> int:
    """How many letters of whole words stand at a place as a message says them."""
    length = 0
    for m in re.finditer(r"\S+", message):
        if not text.startswith(message[: m.end()], start):
            break
        length = m.end()
    return 0 if text[start + length : start + length + 1].isalnum() else length
