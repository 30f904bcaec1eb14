"""Plain text as blocks: an empty line ends a paragraph, a line of signs makes a heading of the line above."""

from __future__ import annotations

import re
from dataclasses import replace

from rulewright.imports.blocks import Run, SourceBlock, with_line
from rulewright.imports.sources.source_site import SourcePage

_MARK = re.compile(r"(?:(#{1,6})|[-*•–])\s+(?=\S)")
_UNDERLINE = re.compile(r"([-=~^*_#])\1{3,}")
_ROW = re.compile(r"\S(?: {3,}|\t)\S")


def read_text(page: SourcePage) -> list[SourceBlock]:
    """Return the blocks of a plain text."""
    blocks: list[SourceBlock] = []
    is_open = False
    for number, line in enumerate(page.file.text.split("\n"), 1):
        words, mark = line.strip(), _MARK.match(line.strip())
        if is_underline := bool(_UNDERLINE.fullmatch(words)):
            if is_open and "\n" not in blocks[-1].text:
                level = 1 if words[0] == "=" else 2
                blocks[-1] = replace(blocks[-1], kind="heading", level=level, depth=0)
        elif mark:
            runs, level = (Run(words[mark.end() :], number),), len(mark[1] or "")
            indent = len(line.expandtabs(4)) - len(line.expandtabs(4).lstrip())
            item = SourceBlock("item", runs, page, number, depth=1 + indent // 2, marker="-")
            blocks.append(SourceBlock("heading", runs, page, number, level) if level else item)
        elif is_open and words and not _ROW.search(words):
            blocks[-1] = with_line(blocks[-1], words)
        elif words:
            blocks.append(SourceBlock("paragraph", (Run(words, number),), page, number))
        is_open = bool(words) and not is_underline and blocks[-1].kind != "heading"
    return blocks
