"""The text of a PDF as HTML: signs make runs, a gutter parts columns, runs make lines; a line is a page."""

from __future__ import annotations

import ctypes
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from rulewright.importers.reader import Damaged
from rulewright.importers.reader.lines import TextLine, html_of

_MOST_PAGES = 2_000
_MOST_SIGNS = 5_000_000
_BIGGER = 1.12  # than the text, a heading is
_EDGE = 3  # rows at the top and at the bottom of a page, where heads and numbers stand
_APART = 0.75  # lines between paragraphs, at the least
_BOLD = re.compile(r"bold|black|heavy|cmbx", re.IGNORECASE)
_HYPHENS = (2, 0xFFFE)  # which PDFium writes for one at the end of a line


class _Run(NamedTuple):
    """Signs of one line without a wide gap, and the box around them."""

    left: float
    bottom: float
    right: float
    top: float
    words: str
    size: float
    bold: bool


class _Row(NamedTuple):
    """Runs side by side. `gap`: how many lines lie between it and the one above."""

    runs: list[_Run]
    page: int
    size: float
    gap: float

    @property
    def words(self) -> str:
        return " ".join(run.words for run in self.runs)

    @property
    def pattern(self) -> tuple[str, int]:
        """Its words but for figures, and how high it stands."""
        return re.sub(r"\d+", "#", self.words), round(self.runs[0].bottom)


def html_of_pdf(path: Path) -> str:
    """The text of a PDF as HTML, a page a line. Raises Damaged."""
    try:
        import pypdfium2
    except ImportError:
        raise Damaged("is a PDF, which is read with the extra [pdf]: pip install rulewright[pdf]") from None
    try:
        rows, pages = _read(pypdfium2.PdfDocument(path))
    except (pypdfium2.PdfiumError, OSError):
        raise Damaged("is no PDF that can be opened; save it again, without a password") from None
    if not rows:
        raise Damaged("holds pictures of text and no text; have its text recognised (OCR) first")
    return _html(rows, pages)


def _read(document: Any) -> tuple[list[_Row], int]:
    if len(document) > _MOST_PAGES:
        raise Damaged(f"has more than {_MOST_PAGES:,} pages")
    rows: list[_Row] = []
    signs = 0
    for number, page in enumerate(document, 1):
        text = page.get_textpage()
        signs += text.count_chars()
        if signs > _MOST_SIGNS:
            raise Damaged(f"has more than {_MOST_SIGNS:,} letters")
        runs = [run for run in _runs(text) if run.words]
        for column in _columns(runs, page.get_size()[0]):
            rows += _rows(column, number)
    return rows, len(document)


def _edges(rows: Sequence[_Row]) -> set[tuple[str, int]]:
    """Patterns at the top and the bottom of a page."""
    by_height = sorted(rows, key=lambda row: row.runs[0].bottom)
    return {row.pattern for row in (*by_height[:_EDGE], *by_height[-_EDGE:])}


def _html(rows: Sequence[_Row], pages: int) -> str:
    sizes: Counter[int] = Counter()
    for row in rows:
        sizes[round(row.size)] += len(row.words)
    usual = sizes.most_common(1)[0][0]
    larger = sorted((size for size in sizes if size > usual * _BIGGER), reverse=True)
    by_page = groupby(rows, key=lambda row: row.page)
    edges = Counter(pattern for _, own in by_page for pattern in _edges([*own]))
    lines, left_out = [], list[str]()
    for row in rows:
        if edges[row.pattern] > max(2, pages * 0.4):  # a running head, or a page's number
            left_out.append(row.words)
            continue
        level = min(larger.index(round(row.size)) + 1, 6) if round(row.size) in larger else 0
        bold = ""
        for run in row.runs:
            if not run.bold:
                break
            bold += f" {run.words}"
        lines.append(TextLine(row.words, row.page, level, max(len(bold) - 1, 0), row.gap > _APART))
    told = f"<!-- on each page: {escape(' '.join(left_out)).replace('--', '- -')} -->" if left_out else ""
    return html_of(lines, joined=True) + told


def _runs(text: Any) -> Iterator[_Run]:
    """The runs of signs on a page, in the order in which they were drawn."""
    import pypdfium2.raw as pdfium

    left, right, bottom, top = (ctypes.c_double() for _ in range(4))
    matrix = pdfium.FS_MATRIX()
    name = ctypes.create_string_buffer(128)
    words, box, size, bold, was = "", None, 1.0, False, False
    for at in range(text.count_chars()):
        sign = pdfium.FPDFText_GetUnicode(text, at)
        is_made = sign in (*_HYPHENS, 10, 13, 32) or pdfium.FPDFText_IsGenerated(text, at) == 1
        is_apart = sign in (10, 13)
        if not is_made:
            pdfium.FPDFText_GetCharBox(text, at, left, right, bottom, top)
            pdfium.FPDFText_GetMatrix(text, at, matrix)
            pdfium.FPDFText_GetFontInfo(text, at, name, 128, None)
            bold = bool(_BOLD.search(name.value.decode("latin-1")))
            height = (pdfium.FPDFText_GetFontSize(text, at) or 1) * (abs(matrix.d) or abs(matrix.b) or 1)
            if box:
                beside = left.value - box[2] > size * 1.5 or left.value < box[0] - size
                is_apart = beside or bold != was or not box[1] - size < bottom.value < box[3] + size * 0.5
        if box and is_apart:
            yield _Run(*box, words.strip(), size, was)
            words, box = "", None
        if is_made:
            words += "-" if sign in _HYPHENS else " " if sign == 32 else ""
            continue
        if box is None:
            box, size, was = (left.value, bottom.value, right.value, top.value), height, bold
        words += chr(sign)
        box = (
            min(box[0], left.value),
            min(box[1], bottom.value),
            max(box[2], right.value),
            max(box[3], top.value),
        )
    if box:
        yield _Run(*box, words.strip(), size, was)


def _columns(runs: Sequence[_Run], width: float) -> Iterator[list[_Run]]:
    """Runs in the order in which they are read: above what crosses the gutter, it, and below, left first."""
    middle = range(int(width * 0.3), max(int(width * 0.7), int(width * 0.3) + 1))
    across = [0] * (middle.stop + 1)
    for run in runs:
        for at in range(max(0, int(run.left) - 4), min(int(run.right) + 5, len(across))):
            across[at] += 1
    gutter = min(middle, key=lambda at: (across[at], abs(at - width / 2)))
    left = sum(run.right < gutter + 2 for run in runs)
    right = sum(run.left > gutter - 2 for run in runs)
    if len(runs) - left - right > len(runs) * 0.1 or min(left, right) <= len(runs) * 0.15:
        yield list(runs)
        return
    bands: list[list[_Run]] = [[]]
    for run in sorted(runs, key=lambda run: -run.top):
        if run.left < gutter - 2 and run.right > gutter + 2:
            bands += [[run], []]
        else:
            bands[-1].append(run)
    for band in bands:
        for side in (True, False):
            yield [run for run in band if (run.left + run.right < 2 * gutter) is side]


def _rows(column: Sequence[_Run], page: int) -> Iterator[_Row]:
    """Runs that stand at one height, from left to right, with the gap above."""
    rows: list[list[_Run]] = []
    for run in sorted(column, key=lambda run: -(run.bottom + run.top)):
        first = rows[-1][0] if rows else None
        if first and abs(first.bottom + first.top - run.bottom - run.top) < max(run.size, 4) * 0.9:
            rows[-1].append(run)
        else:
            rows.append([run])
    last = None
    for row in rows:
        size = max(run.size for run in row)
        gap = (last - max(run.top for run in row)) / size if last is not None else 0.0
        yield _Row(sorted(row), page, size, gap)
        last = min(run.bottom for run in row)
