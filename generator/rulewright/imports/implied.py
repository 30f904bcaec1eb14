"""Numbers that a rule has by its place: in ordered lists, and under headings without numbers.

As Markdown, Typst, LaTeX and Word show them, the second item of the list below heading 3 is 3.2.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from rulewright.imports.blocks import Notes, Run, SourceBlock, plain

_PRINTED = re.compile(r"\W*(?P<number>\d{1,9}(?:\.\d{1,9})*)(?:\.0)?(?=[.):]?(?:\s|$))")


def implied_numbers(blocks: Sequence[SourceBlock]) -> dict[int, str]:
    """Return the numbers that places give, by the index of their block."""
    headings = [block for block in blocks if block.level]
    is_printed = any(_PRINTED.match(plain(heading.runs)) for heading in headings)
    levels = sorted(heading.level for heading in headings)
    title_level = levels.pop(0) if len(levels) > 1 and levels[0] < levels[1] else 0
    levels = sorted({*levels})
    path: list[int] = []
    base = 0
    implied: dict[int, str] = {}
    for index, block in enumerate(blocks):
        if block.level > title_level:
            if match := _PRINTED.match(plain(block.runs)):
                path = [int(part) for part in match["number"].split(".")]
            elif not is_printed:
                inner = levels.index(block.level)
                path = [*path, *[0] * (inner + 1 - len(path))][: inner + 1]
                path[inner] += 1
                implied[index] = ".".join(map(str, path))
            base = len(path)
        elif block.kind == "item" and path:
            number, depth = block.marker[:-1], base + block.depth
            path = path[: depth - 1 if number.isdigit() else base]
            if len(path) == depth - 1 and number.isdigit():
                path.append(int(number))
                implied[index] = ".".join(map(str, path))
    return implied


def number_by_place(blocks: Sequence[SourceBlock], report: Notes) -> list[SourceBlock]:
    """Return blocks with the numbers of their places before their words."""
    numbers = implied_numbers(blocks)
    numbered: list[SourceBlock] = []
    for index, block in enumerate(blocks):
        if number := numbers.get(index):
            run = Run(f"{number} ", block.line, strong=block.kind == "item")
            report.leave_out(block, block.marker, "a number by its place")
            report.added.append(number)
            kind = "paragraph" if block.kind == "item" else block.kind
            block = replace(block, kind=kind, runs=(run, *block.runs), marker="")
        numbered.append(block)
    return numbered
