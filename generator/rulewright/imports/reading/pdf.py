"""Text of a PDF as blocks, by pdftotext of poppler: lines with their places, put into the order of columns.

A page can be read as it was drawn, in the columns between its gutters, or in rows. The order is right if the
labels rise and sentences do not break off: the reading of each page that is best in both is taken.
"""

from __future__ import annotations

import re
import shutil
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from rulewright.files.safe_integers import unescape_html
from rulewright.imports.blocks import Run, SourceBlock
from rulewright.imports.labels import find_labels
from rulewright.imports.reading.unreadable import UnreadableDocument, run_program
from rulewright.imports.sources.source_site import SourcePage

_ORDERS = ("drawn", "columns", "rows")
_TAG = re.compile(r"<(page|line|word)\b([^>]*)>([^<]*)")
_PLACE = re.compile(
    r'xMin="([\d.-]{1,12})" yMin="([\d.-]{1,12})" xMax="([\d.-]{1,12})" yMax="([\d.-]{1,12})"'
)
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
    bottom: float
    text: str
    is_large: bool = False
    column: int = 0

    @property
    def height(self) -> float:
        return self.bottom - self.top


def read_pdf_lines(path: Path) -> list[list[PdfLine]]:
    """Return the lines of each page, cut at the gutters between columns. Raises UnreadableDocument."""
    pages: list[list[list[PdfLine]]] = []
    sizes: Counter[float] = Counter()
    for tag, attributes, text in _TAG.findall(_pdftotext(path, "-bbox-layout")):
        if tag == "page":
            pages.append([])
        elif tag == "line" and pages:
            pages[-1].append([])
        elif tag == "word" and pages and pages[-1] and text.strip():
            place = _PLACE.search(attributes)
            try:
                left, top, right, bottom = map(float, place.groups() if place else ())
            except ValueError:
                continue
            word = PdfLine(len(pages), left, top, right, bottom, unescape_html(text).strip())
            pages[-1][-1].append(word)
            sizes[round(word.height, 1)] += len(text)
    usual = sizes.most_common(1)[0][0] if sizes else 0.0
    read_pages: list[list[PdfLine]] = []
    for lines in pages:
        gutters = _gutters([word for line in lines for word in line])
        pieces = (piece for line in lines for piece in _cut_at_gutters(line, gutters))
        read_pages.append([_join_words(piece, gutters, usual) for piece in pieces if piece])
    return read_pages


def _gutters(words: Sequence[PdfLine]) -> list[float]:
    """Return the middles of the stripes of a page that hardly any word crosses."""
    crossed: Counter[int] = Counter()
    for word in words:
        crossed.update(range(int(word.left), min(int(word.right), int(word.left) + 5_000) + 1))
    limit = max(crossed.values(), default=0) * _CROSSED_SHARE
    filled = sorted(x for x, count in crossed.items() if count > limit)
    return [(left + right + 1) / 2 for left, right in pairwise(filled) if right - left > _MIN_GUTTER]


def _cut_at_gutters(line: Sequence[PdfLine], gutters: Sequence[float]) -> list[list[PdfLine]]:
    """Return a line as pieces, cut where a gutter is wider than a space."""
    pieces: list[list[PdfLine]] = [[]]
    for word in line:
        before = pieces[-1][-1] if pieces[-1] else None
        is_wide = before is not None and word.left - before.right > 0.5 * word.height
        if before and is_wide and any(before.right <= gutter <= word.left for gutter in gutters):
            pieces.append([])
        pieces[-1].append(word)
    return pieces


def _join_words(words: Sequence[PdfLine], gutters: Sequence[float], usual: float) -> PdfLine:
    """Return words as a line. Small capitals split a word: C aesar."""
    text, stop = "", 0.0
    for word in words:
        text += (" " if text and word.left - stop > 0.12 * word.height else "") + word.text
        stop = word.right
    left, top = min(word.left for word in words), min(word.top for word in words)
    bottom = max(word.bottom for word in words)
    is_large = words[0].height > _LARGER * usual
    return PdfLine(words[0].page, left, top, stop, bottom, text, is_large, bisect_left(gutters, left + 1))


def raw_pdf_words(path: Path) -> str:
    """Return the words of a PDF in the order in which they are drawn; pages end with a form feed."""
    return _pdftotext(path, "-raw")


def _pdftotext(path: Path, option: str) -> str:
    program = shutil.which("pdftotext")
    if program is None:
        raise UnreadableDocument(
            "is read by pdftotext, which is not installed here; install poppler-utils (apt install "
            "poppler-utils, brew install poppler), or save it as DOCX"
        )
    return run_program([program, option, "-enc", "UTF-8", str(path.absolute()), "-"])


def order_blocks(
    pages: Sequence[Sequence[PdfLine]], page: SourcePage
) -> tuple[list[SourceBlock], list[PdfLine], int]:
    """Return the blocks of a PDF in the order of its columns, its running lines, and how many sentences
    break off.
    """
    running = _running_lines(pages)
    readings: list[list[list[SourceBlock]]] = []
    for order in _ORDERS:
        readings += [[_blocks_of_page(lines, running, order, page) for lines in pages]]
    chosen = [*max(readings, key=_order_score)]
    for number in range(len(pages)):
        before, after = chosen[max(number - 1, 0) : number], chosen[number + 1 : number + 2]
        options = [chosen[number]]
        options += [reading[number] for reading in readings if reading[number] != chosen[number]]
        scores = [_order_score([*before, option, *after]) for option in options]
        chosen[number] = options[scores.index(max(scores))]
    blocks = [block for page_blocks in chosen for block in page_blocks]
    left_out = [line for lines in pages for line in lines if _form(line) in running]
    return blocks, left_out, sum(map(_is_broken_off, blocks))


def _order_score(pages: Sequence[Sequence[SourceBlock]]) -> tuple[int, int]:
    """Return how many labels rise, and how many sentences continue from line to line."""
    blocks = [block for page in pages for block in page]
    continued = sum(len(re.findall(r"(?<![.:!?])\n(?=[a-z(])", block.text)) for block in blocks)
    return len(find_labels(blocks).labels), continued - 2 * sum(map(_is_broken_off, blocks))


def _is_broken_off(block: SourceBlock) -> bool:
    return block.kind == "paragraph" and len(block.text) > 80 and bool(re.search(r"[a-z,]$", block.text))


def _blocks_of_page(
    lines: Sequence[PdfLine], running: set[tuple[str, int]], order: str, page: SourcePage
) -> list[SourceBlock]:
    lines = [line for line in lines if _form(line) not in running]
    if order != "drawn":
        lines.sort(key=lambda line: (line.column if order == "columns" else 0, line.top, line.left))
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
            run = blocks[-1].runs[0]
            blocks[-1] = replace(blocks[-1], runs=(replace(run, text=f"{run.text}\n{line.text}"),))
        else:
            run = Run(line.text.strip(), line.page, strong=line.is_large)
            blocks.append(SourceBlock("paragraph", (run,), page, line.page))
        last = line
    return blocks


def _form(line: PdfLine) -> tuple[str, int]:
    """Return what a running head has on each page: its words without numbers, and its height."""
    return re.sub(r"\d+", "#", " ".join(line.text.split())), round(line.top / 4)


def _running_lines(pages: Sequence[Sequence[PdfLine]]) -> set[tuple[str, int]]:
    """Return the forms of running heads, feet and page numbers."""
    counts: Counter[tuple[str, int]] = Counter()
    for lines in pages:
        by_top = sorted(lines, key=lambda line: line.top)
        counts.update(set(map(_form, [*by_top[:_EDGE_LINES], *by_top[-_EDGE_LINES:]])))
    return {form for form, count in counts.items() if count > max(2, len(pages) / 3)}
