"""Text of a PDF as blocks, by pdftotext of poppler: lines with their places, put into the order of columns.

A document can be read as it was drawn, or in the columns between the gutters of each page. The order is right
if the labels rise and sentences do not break off: the reading that is better in both is taken.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from rulewright.files.safe_integers import unescape_html
from rulewright.imports.blocks import LeftOutWords, ReadSource, Run, SourceBlock, with_line
from rulewright.imports.labels import find_labels
from rulewright.imports.reading.unreadable import run_program
from rulewright.imports.sources.source_site import SourcePage

_NUMBER = r'="(-?\d{1,6}(?:\.\d{1,9})?)"'
_TAG = re.compile(f"<(page|line|word)(?: xMin{_NUMBER} yMin{_NUMBER} xMax{_NUMBER} yMax{_NUMBER}>([^<]*))?")
_LARGER = 1.06
_MIN_GUTTER, _CROSSED_SHARE = 5, 0.06
_EDGE_LINES = 3


@dataclass(frozen=True, slots=True)
class PdfLine:
    """A line of a page, or a word of it, with its place in points."""

    page: int
    left: float
    top: float
    right: float
    height: float
    text: str
    is_large: bool = False
    column: int = 0

    @property
    def form(self) -> tuple[str, int]:
        """The words without numbers and the height, which running heads have on each page."""
        return re.sub(r"\d+", "#", self.text.strip()), round(self.top / 4)


def read_pdf_lines(path: Path) -> list[list[PdfLine]]:
    """Return the lines of each page, cut at the gutters between columns. Raises UnreadableDocument."""
    pages: list[list[list[PdfLine]]] = []
    sizes: Counter[float] = Counter()
    for tag, *place, text in _TAG.findall(pdftotext(path, "-bbox-layout")):
        if tag == "page":
            pages.append([])
        elif tag == "line":
            pages[-1].append([])
        elif text.strip():
            left, top, right, bottom = map(float, place)
            word = PdfLine(len(pages), left, top, right, bottom - top, unescape_html(text).strip())
            pages[-1][-1].append(word)
            sizes[round(word.height, 1)] += len(text)
    usual = max(sizes, key=sizes.__getitem__, default=0.0)
    return [_cut_at_gutters(lines, usual) for lines in pages]


def _gutters(words: Sequence[PdfLine]) -> list[float]:
    """Return the middles of the stripes of a page that hardly any word crosses."""
    crossed: Counter[int] = Counter()
    for word in words:
        crossed.update(range(int(word.left), min(int(word.right), int(word.left) + 5_000) + 1))
    limit = max(crossed.values(), default=0) * _CROSSED_SHARE
    filled = sorted(x for x, count in crossed.items() if count > limit)
    return [(left + right + 1) / 2 for left, right in pairwise(filled) if right - left > _MIN_GUTTER]


def _cut_at_gutters(lines: Sequence[Sequence[PdfLine]], usual: float) -> list[PdfLine]:
    """Return the lines of a page, cut where a gutter is wider than a space. Small capitals split a word:
    C aesar.

    `usual`: the height of most letters of the document.
    """
    gutters = _gutters([word for line in lines for word in line])
    pieces: list[PdfLine] = []
    for line in lines:
        for index, word in enumerate(line):
            last = pieces[-1] if index else word
            gap = word.left - last.right
            is_cut = gap > 0.5 * word.height and any(last.right <= x <= word.left for x in gutters)
            if index and not is_cut:
                text = f"{last.text}{' ' if gap > 0.12 * word.height else ''}{word.text}"
                height = max(last.height, word.height)
                pieces[-1] = replace(last, right=word.right, height=height, text=text)
            else:
                column = bisect_left(gutters, word.left + 1)
                pieces.append(replace(word, is_large=word.height > _LARGER * usual, column=column))
    return pieces


def pdftotext(path: Path, option: str) -> str:
    """Return the text of a PDF. Raises UnreadableDocument."""
    advice = "install poppler-utils (apt install poppler-utils, brew install poppler), or save it as DOCX"
    return run_program("pdftotext", [option, "-enc", "UTF-8", str(path.absolute()), "-"], advice)


def add_in_order(pages: Sequence[Sequence[PdfLine]], page: SourcePage, source: ReadSource) -> None:
    """Add the lines of a PDF to a source as blocks, in the order of its columns. Leave running lines out."""
    counts: Counter[tuple[str, int]] = Counter()
    for lines in pages:
        by_top = sorted(lines, key=lambda line: line.top)
        counts.update({line.form for line in (*by_top[:_EDGE_LINES], *by_top[-_EDGE_LINES:])})
    running = {form for form, count in counts.items() if count > max(2, len(pages) / 3)}
    drawn: list[SourceBlock] = []
    columns: list[SourceBlock] = []
    for lines in pages:
        body = [line for line in lines if line.form not in running]
        for line in lines:
            if line.form in running:
                reason = "a line that each page has"
                source.left_out.append(LeftOutWords(page, line.page, line.text, reason))
        drawn += _blocks_of(body, page)
        columns += _blocks_of(sorted(body, key=lambda line: (line.column, line.top, line.left)), page)
    source.blocks = max(drawn, columns, key=_order_score)
    source.broken_sentences = sum(map(_is_broken_off, source.blocks))


def _order_score(blocks: Sequence[SourceBlock]) -> tuple[int, int]:
    """Return how many labels rise, and how many sentences continue from line to line."""
    labels = find_labels(blocks).labels
    continued = sum(len(re.findall(r"(?<![.:!?])\n(?=[a-z(])", block.text)) for block in blocks)
    broken = sum(map(_is_broken_off, blocks))
    return len(labels), continued - 2 * broken


def _is_broken_off(block: SourceBlock) -> bool:
    return len(block.text) > 80 and bool(re.search(r"[a-z,]$", block.text))


def _blocks_of(lines: Sequence[PdfLine], page: SourcePage) -> list[SourceBlock]:
    """Return lines as paragraphs. A line continues the line before if it is right below it and neither is in
    larger letters.
    """
    gaps = sorted(b.top - a.top for a, b in pairwise(lines) if 0 < b.top - a.top < 40)
    usual = gaps[len(gaps) // 2] if gaps else 0
    blocks: list[SourceBlock] = []
    last: PdfLine | None = None
    for line in lines:
        if (
            last is not None
            and 0 < line.top - last.top < min(1.25 * usual + 1, 1.55 * line.height)
            and -60 < line.left - last.left < 8
            and not (line.is_large or last.is_large)
        ):
            blocks[-1] = with_line(blocks[-1], line.text)
        else:
            run = Run(line.text, line.page, strong=line.is_large)
            blocks.append(SourceBlock("paragraph", (run,), page, line.page))
        last = line
    return blocks
