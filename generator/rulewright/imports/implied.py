"""Numbers that a rule has by its place: in ordered lists, and under headings without numbers.

As Markdown, Typst, LaTeX and Word show them, the second item of the list below heading 3 is 3.2.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from rulewright.imports.blocks import Notes, Run, SourceBlock, plain

_PRINTED = re.compile(r"\W*(?P<number>\d{1,9}(?:\.\d{1,9})*)(?:\.0)?(?=[.):]?(?:\s|$))")
_MOST_DEPTH = 8


def implied_numbers(blocks: Sequence[SourceBlock]) -> dict[int, str]:
    """Return the numbers that places give, by the index of their block."""
    headings = [block for block in blocks if block.kind == "heading" and block.level]
    is_printed = any(_PRINTED.match(plain(heading.runs)) for heading in headings)
    top = min((heading.level for heading in headings), default=0)
    top_headings = [heading for heading in headings if heading.level == top]
    title = top_headings[0] if len(top_headings) == 1 and len(headings) > 1 else None
    path: list[int] = []
    levels: list[int] = []
    implied: dict[int, str] = {}
    for index, block in enumerate(blocks):
        if block.kind == "heading" and block is not title and block.level:
            match = _PRINTED.match(plain(block.runs))
            if match:
                path, levels = [int(part) for part in match["number"].split(".")], []
            elif not is_printed:
                inner = sum(level < block.level for level in levels)
                count = path[inner] + 1 if inner < len(path) else 1
                levels = [*levels[:inner], block.level]
                path = [*path[:inner], count]
                implied[index] = ".".join(map(str, path))
            base = len(path)
        elif block.kind == "item" and path and block.depth <= _MOST_DEPTH and block.marker[:-1].isdigit():
            labels = [*path[: base + block.depth - 1], int(block.marker[:-1])]
            number = ".".join(map(str, labels))
            if len(labels) == base + block.depth and number not in implied.values():
                path = labels
                implied[index] = number
        elif block.kind == "item" and path:
            path = path[:base]
    return implied


def number_by_place(blocks: Sequence[SourceBlock], report: Notes) -> list[SourceBlock]:
    """Return blocks with the numbers of their places before their words."""
    numbers = implied_numbers(blocks)
    numbered: list[SourceBlock] = []
    for index, block in enumerate(blocks):
        if number := numbers.get(index):
            run = Run(f"{number} ", block.line, strong=block.kind == "item")
            if block.kind == "item":
                report.leave_out(block.page, block.line, block.marker, "a number by its place")
            report.added.append(number)
            kind = "paragraph" if block.kind == "item" else block.kind
            block = replace(block, kind=kind, runs=(run, *block.runs), marker="")
        numbered.append(block)
    return numbered
