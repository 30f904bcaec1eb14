"""Plain text as blocks: an empty line ends a paragraph, a line of signs makes a heading of the line above."""

from __future__ import annotations

import re
from dataclasses import replace

from rulewright.imports.blocks import Run, SourceBlock, with_line
from rulewright.imports.sources.source_site import SourcePage

_BULLET = re.compile(r"[-*•–]\s+(?=\S)")
_UNDERLINE = re.compile(r"([-=~^*_#])\1{3,}")
_HASHES = re.compile(r"(#{1,6})\s+(?=\S)")
_ROW = re.compile(r"\S(?: {3,}|\t)\S")


def read_text(page: SourcePage) -> list[SourceBlock]:
    """Return the blocks of a plain text."""
    blocks: list[SourceBlock] = []
    is_open = False
    for number, line in enumerate(page.file.text.split("\n"), 1):
        words, expanded = line.strip(), line.expandtabs(4)
        is_underline, hashes = _UNDERLINE.fullmatch(words), _HASHES.match(words)
        if is_underline:
            if is_open and "\n" not in blocks[-1].text:
                level = 1 if words[0] == "=" else 2
                blocks[-1] = replace(blocks[-1], kind="heading", level=level, depth=0)
        elif hashes:
            runs = (Run(words[hashes.end() :], number),)
            blocks.append(SourceBlock("heading", runs, page, number, len(hashes[1])))
        elif bullet := _BULLET.match(words):
            depth = 1 + (len(expanded) - len(expanded.lstrip())) // 2
            runs = (Run(words[bullet.end() :], number),)
            blocks.append(SourceBlock("item", runs, page, number, depth=depth, marker="-"))
        elif is_open and words and not _ROW.search(words):
            blocks[-1] = with_line(blocks[-1], words)
        elif words:
            blocks.append(SourceBlock("paragraph", (Run(words, number),), page, number))
        is_open = bool(words) and not (is_underline or hashes)
    return blocks
