"""Markdown that is not made for readers: thousands of brackets and tags that nothing closes.

What makes HTML of a page holds each bracket, tag, heading and definition against all that follows in its
block, up to what closes it. Pages of people are far below these bounds; beyond them work
grows by the square.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from rulewright.source import limits
from rulewright.source.problems import Problem, SourceFile, problem_type

TOO_INTRICATE = problem_type(
    "page-too-intricate",
    """A Markdown page has thousands of brackets or tags that nothing closes, of headings or definitions with
    no empty line between them, or of references to a footnote. Close or part them where the message says.""",
)

MOST_NOTES = 400
"""How often a page may refer to one footnote."""

_BLOCK = re.compile(r"(?:[^\n]*\S[^\n]*(?:\n|\Z))+")
_PART = re.compile(
    r"^[ ]{0,3}(?:(?=\#)|\[[^\[\]\n]*\]:)|\n(?=(?:=+|-+)[ \t]*$)|[\[\]<>]|(?<=\])\(|\)", re.MULTILINE
)
_CLOSES = {"]": "[", ")": "(", ">": "<"}
_NOTE = re.compile(r"\[\^[^\]\s]+\]")


def check_complexity(file: SourceFile) -> list[Problem]:
    """Return first place in a page that is too intricate."""
    fault = next(_faults(file.text), None)
    return [TOO_INTRICATE.problem(file.location(fault[0]), fault[1], file.name)] if fault else []


def _faults(text: str) -> Iterator[tuple[int, str]]:
    notes: Counter[str] = Counter()
    for m in _NOTE.finditer(text):
        notes[m.group()] += 1
        if notes[m.group()] > MOST_NOTES:
            yield m.start(), f"the footnote {m.group()} is referred to more than {MOST_NOTES} times"
            return
    steps = 0
    for block in _BLOCK.finditer(text):
        start = block.start()
        for offset, distance in _distances(block.group(), len(text) - start):
            steps += distance
            if steps > limits.STEPS.maximum:
                yield start + offset, "too many brackets, tags or headings have no end; close or part them"
                return


def _distances(block: str, rest: int) -> Iterator[tuple[int, int]]:
    """Yield how far each bracket, tag and heading of a block is from what ends it.

    `rest`: from its start to the end of the page, which is where a declaration ends that is none.
    """
    opened: dict[str, list[int]] = {"[": [], "(": [], "<": []}
    for m in _PART.finditer(block):
        sign, offset = m.group(), m.start()
        if block.startswith("<![", offset):
            yield offset, 4 * (rest - offset)
        elif sign in opened:
            opened[sign].append(offset)
        elif sign not in _CLOSES:
            yield offset, len(block) - offset
        elif opened[_CLOSES[sign]]:
            start = opened[_CLOSES[sign]].pop()
            yield start, offset - start
    for start in sorted(offset for offsets in opened.values() for offset in offsets):
        yield start, len(block) - start
