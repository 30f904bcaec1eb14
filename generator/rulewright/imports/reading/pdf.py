"""Text of a PDF as blocks, by pdftotext of poppler: lines with their places, put into the order of columns.

A page can be read as it was drawn, or in one to four columns. The order is right if the labels rise and
sentences do not break off: the reading of each page that is best in both is taken.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from rulewright.files.safe_integers import unescape_html
from rulewright.imports.blocks import Block, Run
from rulewright.imports.labels import find_labels
from rulewright.imports.reading.unreadable import UnreadableDocument
from rulewright.imports.sources.source_site import SourcePage

_ORDERS = (0, 1, 2, 3, 4)
"""Numbers of columns; 0 is as drawn."""

_TAG = re.compile(r"<(page|line|word)\b([^>]*)>([^<]*)")
_NUMBER = re.compile(r'(\w+)="(-?[\d.]{1,12})"')
_MOST_SECONDS, _MOST_CHARACTERS = 60, 200_000_000
_LARGER = 1.06
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


def read_pdf_lines(path: Path) -> list[list[PdfLine]]:
    """Return the lines of each page. Raises UnreadableDocument."""
    output = _pdftotext(path, "-bbox-layout")
    sizes: Counter[float] = Counter()
    pages: list[list[tuple[float, ...]]] = []
    texts: list[list[str]] = []
    stop = 0.0
    for tag, attributes, words in _TAG.findall(output):
        places = {name: float(value) for name, value in _NUMBER.findall(attributes) if value.count(".") < 2}
        if tag == "page":
            pages.append([])
            texts.append([])
        elif tag == "line" and pages and {"xMin", "yMin", "xMax", "yMax"} <= places.keys():
            pages[-1].append((places["yMin"], places["xMin"], places["xMax"], places["yMax"], 0.0))
            texts[-1].append("")
        elif tag == "word" and texts and texts[-1] and "yMax" in places:
            size = places["yMax"] - places["yMin"]
            top, left, right, bottom, first = pages[-1][-1]
            pages[-1][-1] = top, left, right, bottom, first or size
            gap = places["xMin"] - stop  # small capitals part a word: C aesar
            space = " " if texts[-1][-1] and gap > 0.12 * size else ""
            texts[-1][-1] += space + unescape_html(words).strip()
            sizes[round(size, 1)] += len(words)
            stop = places["xMax"]
    usual = sizes.most_common(1)[0][0] if sizes else 0
    return [
        [
            PdfLine(number, top, left, right - left, bottom - top, text, size > _LARGER * usual)
            for (top, left, right, bottom, size), text in zip(lines, page_texts, strict=True)
            if text.strip()
        ]
        for number, (lines, page_texts) in enumerate(zip(pages, texts, strict=True), 1)
    ]


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


def order_blocks(pages: Sequence[Sequence[PdfLine]], page: SourcePage) -> tuple[list[Block], int]:
    """Return the blocks of a PDF in the order of its columns, and how many sentences break off."""
    body, running = _without_running_lines(pages)
    readings = [[_blocks_of_page(lines, columns, page) for lines in body] for columns in _ORDERS]
    chosen = list(max(readings, key=lambda pages: _order_score(pages)))
    for number in range(len(body)):
        around = chosen[max(number - 1, 0) : number], chosen[number + 1 : number + 2]
        options = [chosen[number], *(one[number] for one in readings if one[number] != chosen[number])]
        chosen[number] = max(options, key=lambda own: _order_score([*around[0], own, *around[1]]))
    blocks = [block for one in chosen for block in one]
    broken = sum(_is_broken_off(block) for block in blocks)
    return [*blocks, *(Block("running", (Run(line.text),), page, line.page) for line in running)], broken


def _order_score(pages: Sequence[Sequence[Block]]) -> tuple[int, int]:
    """Return how many labels rise, and how many sentences continue from line to line."""
    blocks = [block for page in pages for block in page]
    return len(find_labels(blocks).labels), sum(map(_continued_lines, blocks))


def _continued_lines(block: Block) -> int:
    lines = block.text.split("\n")
    joined = sum(
        not re.search(r"[.:!?]$", one) and bool(re.match(r"[a-z(]", two)) for one, two in pairwise(lines)
    )
    return joined - 2 * _is_broken_off(block)


def _is_broken_off(block: Block) -> bool:
    return block.kind == "paragraph" and len(block.text) > 80 and bool(re.search(r"[a-z,]$", block.text))


def _blocks_of_page(lines: Sequence[PdfLine], columns: int, page: SourcePage) -> list[Block]:
    if columns and lines:
        start = min(line.left for line in lines)
        width = (max(line.left + line.width for line in lines) - start) / columns or 1
        lines = sorted(lines, key=lambda line: (int((line.left - start) / width + 0.06), line.top, line.left))
    gaps = sorted(b.top - a.top for a, b in pairwise(lines) if 0 < b.top - a.top < 40)
    usual = gaps[len(gaps) // 2] if gaps else 0
    blocks: list[Block] = []
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
            blocks.append(Block("paragraph", (run,), page, line.page))
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
