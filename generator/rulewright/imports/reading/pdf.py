"""Text of a PDF as blocks, by pdftotext of poppler: lines with their places, put into the order of columns.

A page can be read as it was drawn, in the columns between its gutters, or in rows. The order is right if the
labels rise and sentences do not break off: the reading of each page that is best in both is taken.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from rulewright.files.safe_integers import unescape_html
from rulewright.imports.blocks import Run, SourceBlock
from rulewright.imports.labels import find_labels
from rulewright.imports.reading.unreadable import UnreadableDocument
from rulewright.imports.sources.source_site import SourcePage

_ORDERS = ("drawn", "columns", "rows")

_TAG = re.compile(r"<(page|line|word)\b([^>]*)>([^<]*)")
_NUMBER = re.compile(r'(\w+)="(-?[\d.]{1,12})"')
_MOST_SECONDS, _MOST_CHARACTERS = 60, 200_000_000
_LARGER = 1.06
_LEAST_GUTTER, _CROSSED_SHARE = 5, 0.06
_EDGE = 3  # lines at the top and the foot of a page where running heads are


@dataclass(frozen=True, slots=True)
class PdfLine:
    """A line of a page with its place in points."""

    page: int
    top: float
    left: float
    width: float
    height: float
    text: str
    is_large: bool
    column: int = 0


def read_pdf_lines(path: Path) -> list[list[PdfLine]]:
    """Return the lines of each page, cut at the gutters between columns. Raises UnreadableDocument."""
    pages: list[list[list[_Word]]] = []
    sizes: Counter[float] = Counter()
    for tag, attributes, text in _TAG.findall(_pdftotext(path, "-bbox-layout")):
        if tag == "page":
            pages.append([])
        elif tag == "line" and pages:
            pages[-1].append([])
        elif tag == "word" and pages and pages[-1]:
            places = {
                name: float(value) for name, value in _NUMBER.findall(attributes) if value.count(".") < 2
            }
            if {"xMin", "yMin", "xMax", "yMax"} <= places.keys() and text.strip():
                word = _Word(
                    places["xMin"],
                    places["yMin"],
                    places["xMax"],
                    places["yMax"],
                    unescape_html(text).strip(),
                )
                pages[-1][-1].append(word)
                sizes[round(word.size, 1)] += len(text)
    usual = sizes.most_common(1)[0][0] if sizes else 0.0
    made: list[list[PdfLine]] = []
    for number, lines in enumerate(pages, 1):
        gutters = _gutters(lines)
        pieces = (piece for line in lines for piece in _cut_at_gutters(line, gutters))
        made.append([_joined_line(number, piece, gutters, usual) for piece in pieces if piece])
    return made


@dataclass(frozen=True, slots=True)
class _Word:
    left: float
    top: float
    right: float
    bottom: float
    text: str

    @property
    def size(self) -> float:
        return self.bottom - self.top


def _gutters(lines: Sequence[Sequence[_Word]]) -> list[float]:
    """Return the middles of the stripes of a page that hardly any word crosses."""
    words = [word for line in lines for word in line]
    if not words:
        return []
    crossed = Counter(x for word in words for x in range(int(word.left), int(word.right) + 1))
    first, last = int(min(word.left for word in words)), int(max(word.right for word in words))
    most = max(crossed.values()) * _CROSSED_SHARE
    found: list[float] = []
    start = first
    for x in range(first, last + 1):
        if crossed[x] <= most:
            continue
        if x - start >= _LEAST_GUTTER:
            found.append((start + x) / 2)
        start = x + 1
    return found


def _cut_at_gutters(line: Sequence[_Word], gutters: Sequence[float]) -> list[list[_Word]]:
    """Return a line as pieces, cut where a gutter is wider than a space."""
    pieces: list[list[_Word]] = [[]]
    for word in line:
        before = pieces[-1][-1] if pieces[-1] else None
        is_wide = before is not None and word.left - before.right > 0.5 * word.size
        if before and is_wide and any(before.right <= gutter <= word.left for gutter in gutters):
            pieces.append([])
        pieces[-1].append(word)
    return pieces


def _joined_line(number: int, words: Sequence[_Word], gutters: Sequence[float], usual: float) -> PdfLine:
    """Return words as a line. Small capitals part a word: C aesar."""
    text, stop = "", 0.0
    for word in words:
        text += (" " if text and word.left - stop > 0.12 * word.size else "") + word.text
        stop = word.right
    left, top = min(word.left for word in words), min(word.top for word in words)
    height = max(word.bottom for word in words) - top
    column = bisect_left(gutters, left + 1)
    is_large = words[0].size > _LARGER * usual
    return PdfLine(number, top, left, stop - left, height, text, is_large, column)


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
    command = [program, option, "-enc", "UTF-8", str(path.absolute()), "-"]
    try:
        done = subprocess.run(command, capture_output=True, check=True, timeout=_MOST_SECONDS)
    except subprocess.TimeoutExpired:
        raise UnreadableDocument(f"takes pdftotext longer than {_MOST_SECONDS} seconds") from None
    except subprocess.CalledProcessError as error:
        reason = error.stderr.decode("utf-8", "replace").strip().split("\n")[0]
        if "password" in reason.lower():
            raise UnreadableDocument("is protected by a password; save it without one") from None
        raise UnreadableDocument(f"is no PDF that can be read ({reason[:80]})") from None
    return done.stdout[:_MOST_CHARACTERS].decode("utf-8", "replace")


def order_blocks(pages: Sequence[Sequence[PdfLine]], page: SourcePage) -> tuple[list[SourceBlock], int]:
    """Return the blocks of a PDF in the order of its columns, and how many sentences break off."""
    body, running = _without_running_lines(pages)
    readings = [[_blocks_of_page(lines, order, page) for lines in body] for order in _ORDERS]
    best = max(readings, key=_order_score)
    chosen = [*best]
    for number in range(len(body)):
        around = chosen[max(number - 1, 0) : number], chosen[number + 1 : number + 2]
        options = [chosen[number], *(one[number] for one in readings if one[number] != chosen[number])]
        chosen[number] = max(options, key=lambda own: _order_score([*around[0], own, *around[1]]))
    blocks = [block for one in chosen for block in one]
    broken = sum(_is_broken_off(block) for block in blocks)
    return [
        *blocks,
        *(SourceBlock("running", (Run(line.text),), page, line.page) for line in running),
    ], broken


def _order_score(pages: Sequence[Sequence[SourceBlock]]) -> tuple[int, int]:
    """Return how many labels rise, and how many sentences continue from line to line."""
    blocks = [block for page in pages for block in page]
    return len(find_labels(blocks).labels), sum(map(_continued_lines, blocks))


def _continued_lines(block: SourceBlock) -> int:
    lines = block.text.split("\n")
    joined = sum(
        not re.search(r"[.:!?]$", one) and bool(re.match(r"[a-z(]", two)) for one, two in pairwise(lines)
    )
    return joined - 2 * _is_broken_off(block)


def _is_broken_off(block: SourceBlock) -> bool:
    return block.kind == "paragraph" and len(block.text) > 80 and bool(re.search(r"[a-z,]$", block.text))


def _blocks_of_page(lines: Sequence[PdfLine], order: str, page: SourcePage) -> list[SourceBlock]:
    if order == "columns":
        lines = sorted(lines, key=lambda line: (line.column, line.top, line.left))
    elif order == "rows":
        lines = sorted(lines, key=lambda line: (line.top, line.left))
    gaps = sorted(b.top - a.top for a, b in pairwise(lines) if 0 < b.top - a.top < 40)
    usual = gaps[len(gaps) // 2] if gaps else 0
    blocks: list[SourceBlock] = []
    last: PdfLine | None = None
    for line in lines:
        continues = (
            last is not None
            and 0 < line.top - last.top < min(1.25 * usual + 1, 1.55 * line.height)
            and -60 < line.left - last.left < 8
            and not (line.is_large or last.is_large)
        )
        if continues:
            run = blocks[-1].runs[0]
            blocks[-1] = replace(blocks[-1], runs=(replace(run, text=f"{run.text}\n{line.text}"),))
        else:
            run = Run(line.text.strip(), line.page, strong=line.is_large)
            blocks.append(SourceBlock("paragraph", (run,), page, line.page))
        last = line
    return blocks


def _without_running_lines(
    pages: Sequence[Sequence[PdfLine]],
) -> tuple[list[list[PdfLine]], list[PdfLine]]:
    """Return the pages without running heads, feet and page numbers, and those lines."""

    def shown(line: PdfLine) -> tuple[str, int]:
        return re.sub(r"\d+", "#", " ".join(line.text.split())), round(line.top / 4)

    counts: Counter[tuple[str, int]] = Counter()
    for lines in pages:
        by_top = sorted(lines, key=lambda line: line.top)
        counts.update({shown(line) for line in [*by_top[:_EDGE], *by_top[-_EDGE:]]})
    running = {words for words, count in counts.items() if count > max(2, len(pages) / 3)}
    left_out = [line for lines in pages for line in lines if shown(line) in running]
    return [[line for line in lines if shown(line) not in running] for lines in pages], left_out
