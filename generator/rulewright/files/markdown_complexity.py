"""Markdown that is too complex to convert: thousands of brackets and tags that nothing closes.

The converter compares each bracket, tag, heading and definition with everything after it in its block, up to
its end, which takes quadratic time. Real pages are far below these limits.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from rulewright.files import limits
from rulewright.files.problems import Problem, SourceFile, problem_type

TOO_INTRICATE = problem_type(
    "page-too-intricate",
    """A Markdown page has thousands of brackets or tags that nothing closes, of headings or definitions with
    no empty line between them, or of references to a footnote. Close or separate them.""",
)

MAX_NOTE_REFERENCES = 400
"""How often a page may refer to one footnote."""

_BLOCK = re.compile(r"(?:[^\n]*\S[^\n]*(?:\n|\Z))+")
_PART = re.compile(
    r"^[ ]{0,3}(?:(?=\#)|\[[^\[\]\n]*\]:)|\n(?=(?:=+|-+)[ \t]*$)|[\[\]<>]|(?<=\])\(|\)", re.MULTILINE
)
_CLOSES = {"]": "[", ")": "(", ">": "<"}
_NOTE = re.compile(r"\[\^[^\]\s]+\]")


def check_complexity(file: SourceFile) -> list[Problem]:
    """Return a problem at the first place of a page that is too complex."""
    for offset, message in _find_problems(file.text):
        return [TOO_INTRICATE.problem(file.location(offset), message, file.name)]
    return []


def _find_problems(text: str) -> Iterator[tuple[int, str]]:
    notes: Counter[str] = Counter()
    for m in _NOTE.finditer(text):
        notes[m.group()] += 1
        if notes[m.group()] > MAX_NOTE_REFERENCES:
            yield m.start(), f"the footnote {m.group()} is referred to more than {MAX_NOTE_REFERENCES} times"
    steps = 0
    for block in _BLOCK.finditer(text):
        start = block.start()
        for offset, distance in _distances(block.group(), len(text) - start):
            steps += distance
            if steps > limits.STEPS.maximum:
                yield start + offset, "too many brackets, tags or headings have no end; close or part them"


def _distances(block: str, rest: int) -> Iterator[tuple[int, int]]:
    """Yield each bracket, tag and heading of a block with the distance to its end.

    `rest`: distance from the start of the block to the end of the page, where an unclosed declaration ends.
    """
    opened: dict[str, list[int]] = {"[": [], "(": [], "<": []}
    for m in _PART.finditer(block):
        token, offset = m.group(), m.start()
        if block.startswith("<![", offset):
            yield offset, 4 * (rest - offset)
        elif token in opened:
            opened[token].append(offset)
        elif token not in _CLOSES:
            yield offset, len(block) - offset
        elif opened[_CLOSES[token]]:
            start = opened[_CLOSES[token]].pop()
            yield start, offset - start
    for start in sorted(offset for offsets in opened.values() for offset in offsets):
        yield start, len(block) - start
