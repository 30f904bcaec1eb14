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

from rulewright.files.errors import UserError
from rulewright.files.install_origin import missing_extra
from rulewright.imports.reader import RawLines, UnreadableDocument
from rulewright.imports.reader.plain_text_reader import TextLine, lines_to_html

_MOST_PAGES = 2_000
_MOST_SIGNS = 5_000_000
_BIGGER = 1.12  # than the text, a heading is
_EDGE = 3  # rows at the top and at the bottom of a page, where heads and numbers stand
_FEW = 2  # pages with the same outermost row may be by chance
_APART = 0.2  # of the size of type, further than usual, a paragraph stands
_LETTER = 0.5  # of the size of type, as wide as most are
_BOLD = re.compile(r"bold|black|heavy|cmbx", re.IGNORECASE)
_FOLIO = re.compile(r"\b\d{1,4}$|^\d{1,4}\b(?!\.)")
_CONTROLS = re.compile(r"[\0\1\3-\x08\x0b\x0c\x0e-\x1f]")
_PARTED = re.compile(r"\S*[-\x02\ufffe]\s*\n\s*\S*")
"""A word at whose hyphen a line ends."""
_HYPHENS = (2, 0xFFFE)  # which PDFium writes for one at the end of a line


class _Run(NamedTuple):
    """Signs of one line without a wide gap, the box around them, and the height that they stand at."""

    left: float
    bottom: float
    right: float
    top: float
    foot: float
    words: str
    size: float
    bold: bool


class _Row(NamedTuple):
    """Runs side by side. `gap`: from its foot to that of the row above, in sizes of type; `fits`: there is
    room there for its first word."""

    runs: list[_Run]
    page: int
    size: float
    gap: float
    fits: bool

    @property
    def words(self) -> str:
        return " ".join(run.words for run in self.runs)

    @property
    def pattern(self) -> tuple[str, int]:
        """Its words but for figures, and how high it stands."""
        return re.sub(r"\d+", "#", self.words), round(self.runs[0].foot)

    @property
    def folio(self) -> tuple[str, int]:
        """How far the number at its end or beginning is from that of the page, and how high it stands."""
        m = _FOLIO.search(self.words)
        return (f"page {int(m[0]) - self.page}" if m else self.words), round(self.runs[0].foot)


def html_of_pdf(path: Path) -> tuple[str, RawLines]:
    """The text of a PDF as HTML, a page a line, and its lines as PDFium says them. Raises Damaged."""
    if needs := missing_extra("a PDF", "import", "pypdfium2"):
        raise UserError(needs)
    import pypdfium2

    try:
        rows, raw, pages = _read(pypdfium2.PdfDocument(path))
    except (pypdfium2.PdfiumError, OSError):
        raise UnreadableDocument("is no PDF that can be opened; save it again, without a password") from None
    if not rows:
        raise UnreadableDocument("holds pictures of text and no text; have its text recognised (OCR) first")
    return _html(rows, pages), raw


def _read(document: Any) -> tuple[list[_Row], RawLines, int]:
    if len(document) > _MOST_PAGES:
        raise UnreadableDocument(f"has more than {_MOST_PAGES:,} pages")
    rows: list[_Row] = []
    raw: list[tuple[int, str]] = []
    signs, gutter = 0, 0
    for number, page in enumerate(document, 1):
        text = page.get_textpage()
        signs += text.count_chars()
        if signs > _MOST_SIGNS:
            raise UnreadableDocument(f"has more than {_MOST_SIGNS:,} letters")
        raw += (
            (number, line) for line in _PARTED.sub(" ", _CONTROLS.sub("", text.get_text_range())).split("\n")
        )
        runs = [run for run in _runs(text) if run.words]
        gutter, columns = _columns(runs, page.get_size()[0], gutter)
        for column in columns:
            rows += _rows(column, number)
    return rows, raw, len(document)


def _edges(rows: Sequence[_Row], most: int) -> set[tuple[str, int]]:
    """Patterns of so many rows at the top and at the bottom of a page, and the numbers of it there."""
    by_height = sorted(rows, key=lambda row: row.runs[0].foot)
    return {one for row in (*by_height[:most], *by_height[-most:]) for one in (row.pattern, row.folio)}


def _html(rows: Sequence[_Row], pages: int) -> str:
    sizes: Counter[int] = Counter()
    for row in rows:
        sizes[round(row.size)] += len(row.words)
    usual = sizes.most_common(1)[0][0]
    usual_gap = Counter(round(row.gap, 1) for row in rows).most_common(1)[0][0]
    larger = sorted((size for size in sizes if size > usual * _BIGGER), reverse=True)
    by_page = [[*own] for _, own in groupby(rows, key=lambda row: row.page)]
    edges, outer = (Counter(one for own in by_page for one in _edges(own, most)) for most in (_EDGE, 1))
    lines, left_out = [], list[str]()
    for row in rows:
        is_often = (
            edges[row.pattern] > max(1, pages * 0.4) or max(outer[row.pattern], outer[row.folio]) > _FEW
        )
        if is_often:  # a running head, or a page's number
            left_out.append(row.words)
            continue
        level = min(larger.index(round(row.size)) + 1, 6) if round(row.size) in larger else 0
        bold = ""
        for run in row.runs:
            if not run.bold:
                break
            bold += f" {run.words}"
        lines.append(
            TextLine(
                row.words,
                row.page,
                level,
                max(len(bold) - 1, 0),
                (row.fits and not row.words[:1].islower()) or row.gap > usual_gap + _APART,
            )
        )
    told = f"<!-- on each page: {escape(' '.join(left_out)).replace('--', '- -')} -->" if left_out else ""
    return lines_to_html(lines, joined=True) + told


def _runs(text: Any) -> Iterator[_Run]:
    """The runs of signs on a page, in the order in which they were drawn."""
    import pypdfium2.raw as pdfium

    left, right, bottom, top, x, y = (ctypes.c_double() for _ in range(6))
    matrix = pdfium.FS_MATRIX()
    name = ctypes.create_string_buffer(128)
    words, box, foot, size, bold, was = "", None, 0.0, 1.0, False, False
    for at in range(text.count_chars()):
        sign = pdfium.FPDFText_GetUnicode(text, at)
        is_made = sign < 33 or sign in _HYPHENS or pdfium.FPDFText_IsGenerated(text, at) == 1
        is_apart = sign in (10, 13)
        if not is_made:
            pdfium.FPDFText_GetCharBox(text, at, left, right, bottom, top)
            pdfium.FPDFText_GetCharOrigin(text, at, x, y)
            pdfium.FPDFText_GetMatrix(text, at, matrix)
            pdfium.FPDFText_GetFontInfo(text, at, name, 128, None)
            bold = bool(_BOLD.search(name.value.decode("latin-1")))
            height = (pdfium.FPDFText_GetFontSize(text, at) or 1) * (abs(matrix.d) or abs(matrix.b) or 1)
            if box:
                beside = left.value - box[2] > size * 1.5 or left.value < box[0] - size
                is_apart = beside or bold != was or not box[1] - size < bottom.value < box[3] + size * 0.5
        if box and is_apart:
            yield _Run(*box, foot, words.strip(), size, was)
            words, box = "", None
        if is_made:
            words += "-" if sign in _HYPHENS else " " if sign == 32 else ""
            continue
        if box is None:
            box, size, was = (left.value, bottom.value, right.value, top.value), height, bold
            foot = y.value
        words += chr(sign)
        box = (
            min(box[0], left.value),
            min(box[1], bottom.value),
            max(box[2], right.value),
            max(box[3], top.value),
        )
    if box:
        yield _Run(*box, foot, words.strip(), size, was)


def _columns(runs: Sequence[_Run], width: float, known: int) -> tuple[int, list[list[_Run]]]:
    """The gutter, 0 where there is none, and runs as they are read: in bands between those that cross it, the
    left ones first. `known`: the gutter of the page before, which a page with few lines need not show."""
    middle = range(int(width * 0.3), max(int(width * 0.7), int(width * 0.3) + 1))
    across = [0] * (middle.stop + 1)
    for run in runs:
        for at in range(max(0, int(run.left) - 4), min(int(run.right) + 5, len(across))):
            across[at] += 1
    best = min(middle, key=lambda at: (across[at], abs(at - width / 2)))
    for gutter, least in ((best, 0.15), (known, 0.0)):
        left = sum(run.right < gutter + 2 for run in runs)
        right = sum(run.left > gutter - 2 for run in runs)
        if gutter and len(runs) - left - right <= len(runs) * 0.1 and min(left, right) > len(runs) * least:
            break
    else:
        return 0, [list(runs)]
    bands: list[list[_Run]] = [[]]
    for run in sorted(runs, key=lambda run: -run.top):
        if run.left < gutter - 2 and run.right > gutter + 2:
            bands += [[run], []]
        else:
            bands[-1].append(run)
    sides = (True, False)
    return gutter, [
        [run for run in band if (run.left + run.right < 2 * gutter) is side]
        for band in bands
        for side in sides
    ]


def _rows(column: Sequence[_Run], page: int) -> Iterator[_Row]:
    """Runs that stand at one height, from left to right, with the gap above."""
    rows: list[list[_Run]] = []
    for run in sorted(column, key=lambda run: -run.foot):
        first = rows[-1][0] if rows else None
        if first and first.foot - run.foot < max(run.size, 4) * 0.45:
            rows[-1].append(run)
        else:
            rows.append([run])
    edges = sorted(run.right for run in column)
    right = edges[len(edges) * 9 // 10] if edges else 0.0  # a number of the page may stand further out
    last: list[_Run] = []
    for row in map(sorted, rows):
        size, word = max(run.size for run in row), row[0].words.partition(" ")[0]
        gap = (last[0].foot - row[0].foot) / size if last else 0.0
        room = right - max(run.right for run in last) if last else 0.0
        yield _Row(row, page, size, gap, room > size * (1 + len(word) * _LETTER))
        last = row
