"""Code actions: the right answers that a problem's words name, and what `check --fix` would write."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from lsprotocol.types import TextEdit

from rulewright.app.lsp.diagnostics import index_of
from rulewright.app.lsp.positions import Lines
from rulewright.compare.drift import MOVED
from rulewright.source.problems import Problem, offered

_WORD = re.compile(r"(?<!\S)\S")


class Fix(NamedTuple):
    """A cure of a problem. `edits`: in its file; None where they have to be worked out."""

    title: str
    problem: Problem
    edits: list[TextEdit] | None = None
    sure: bool = False


def fixes(problem: Problem, lines: Lines) -> Iterator[Fix]:
    """The cures of a problem of a file."""
    if problem.code == MOVED.code:
        yield Fix("Write the number that the rule has now", problem, sure=True)
    elif (answers := offered(problem.message)) and (wrong := _wrong(problem, lines)):
        for answer in answers:
            edit = TextEdit(lines.range(*wrong), answer)
            yield Fix(f"Write {answer}", problem, [edit], sure=len(answers) == 1)


def _wrong(problem: Problem, lines: Lines) -> tuple[int, int] | None:
    """The words of a file that a problem's message quotes, at its place or in the mark around that."""
    at, said = index_of(problem, lines), problem.message.partition(";")[0]
    mark = lines.text.rfind("[[", lines.starts[lines.position(at).line], at)
    best = 0, 0
    for start in (at, at + 1, *([mark + 2] if mark >= 0 else [])):
        for m in _WORD.finditer(said):
            length = _alike(lines.text, start, said[m.start() :])
            if length > best[1] - best[0]:
                best = start, start + length
    return best if best[1] > best[0] else None


def _alike(text: str, start: int, said: str) -> int:
    """How many letters of whole words stand at a place as a message says them."""
    least = 0
    for m in re.finditer(r"\S+", said):
        if not text.startswith(said[: m.end()], start):
            break
        least = m.end()
    return 0 if text[start + least : start + least + 1].isalnum() else least
