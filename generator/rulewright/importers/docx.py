"""A DOCX read as Markdown: headings, numbered paragraphs with the numbers that Word shows, lists, tables.

https://learn.microsoft.com/openspecs/office_standards/ms-oe376 describes how a paragraph's number is made:
of the counters of its list, each level in its own way of counting, put into the level's pattern `%1.%2`.
"""

from __future__ import annotations

import re
import zipfile
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from rulewright.numbers.labels import sorts
from rulewright.source import bounds

NUMBERED = re.compile(
    r"^([\[(]?(?:\d{1,3}|[A-Z]\d*)(?:[.:-](?:\d{1,3}[a-z]?|[a-zA-Z]{1,4})|\(\w{1,3}\))+[\])]?\.?)(\s+\S)"
)
"""The number that a paragraph begins with, which stands out on the page that it is read from."""
_HEADING = re.compile(r"(?:heading|überschrift|titre|título|rubrik|kop|nagłówek)\s*(\d)", re.IGNORECASE)
_SIGNS = re.compile(r"([\\`*_<>#|\[\]])")
_MOST_FILES = 5_000
_MOST_COUNT = 4_000
_BULLET = "bullet"
_SORTS = sorts()
_WAYS = {"lowerLetter": "a", "upperLetter": "A", "lowerRoman": "i", "upperRoman": "I"}
"""Word's ways of counting that are not figures, by the signs of our labels."""


class Damaged(ValueError):
    """A file that is no DOCX, or a damaged one, and why."""


def markdown_of(path: Path) -> str:
    """The words of a DOCX as Markdown. Raises Damaged."""
    try:
        with zipfile.ZipFile(path) as archive:
            sizes = [one.file_size for one in archive.infolist()]
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        raise Damaged("is no DOCX; save it again as one") from None
    if len(sizes) > _MOST_FILES or sum(sizes) > bounds.CONTENT.most:
        raise Damaged(f"unpacks to too much; {bounds.CONTENT.clause}")
    import docx

    try:
        document = docx.Document(str(path))
        return "\n\n".join(filter(None, _blocks(document))) + "\n"
    except Exception as error:  # whatever a damaged one is read with
        raise Damaged(f"cannot be read ({type(error).__name__}); save it again as DOCX") from None


def _blocks(document: Any) -> Iterator[str]:
    from docx.table import Table

    counting = _Counting(document)
    for block in document.iter_inner_content():
        if isinstance(block, Table):
            yield _table(block)
            continue
        words = "".join(_words(block)).strip()
        number = counting.number(block)
        if not words:
            continue
        if level := _level(block):
            yield f"{'#' * level} {number}{words.replace(chr(10), ' ')}"
        elif number.strip() == "-":
            yield f"- {words}"
        elif number:
            yield f"**{number.strip()}** {words}"
        else:
            yield NUMBERED.sub(r"**\1**\2", words, count=1)


def _level(paragraph: Any) -> int:
    """The level of a heading, by its style; none for other paragraphs."""
    style = paragraph.style
    while style is not None:
        if m := _HEADING.match(style.name or ""):
            return int(m[1])
        if (style.name or "").lower() == "title":
            return 1
        style = style.base_style
    return 0


def _words(paragraph: Any) -> Iterator[str]:
    """The words of a paragraph, bold and italic as Markdown has them."""
    from docx.text.hyperlink import Hyperlink

    runs: list[tuple[str, str]] = []
    for one in paragraph.iter_inner_content():
        for run in one.runs if isinstance(one, Hyperlink) else [one]:
            sign = ("**" if run.bold else "") + ("*" if run.italic else "")
            text = run.text.replace("\t", " ")
            if runs and (runs[-1][0] == sign or not text.strip()):
                runs[-1] = runs[-1][0], runs[-1][1] + text
            else:
                runs.append((sign, text))
    heads = bool(_level(paragraph))
    for sign, text in runs:
        inner = _SIGNS.sub(r"\\\1", text.strip())
        sign = "" if heads or not inner else sign
        before, after = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
        yield f"{before}{sign}{inner}{sign[::-1]}{after}" if inner else text


def _table(table: Any) -> str:
    """A table in Markdown; a cell that spans several stands in the first of them."""
    rows: list[list[str]] = []
    for row in table.rows:
        cells: list[str] = []
        last = None
        for cell in row.cells:
            text = " ".join("".join(_words(one)).strip() for one in cell.paragraphs)
            cells.append("" if cell._tc is last else re.sub(r"\s+", " ", text).strip())
            last = cell._tc
        rows.append(cells)
    if not rows:
        return ""
    width = max(map(len, rows))
    lines = [f"| {' | '.join([*row, *[''] * (width - len(row))])} |" for row in rows]
    return "\n".join([lines[0], f"|{' --- |' * width}", *lines[1:]])


class _Counting:
    """The counters of the lists of a document."""

    def __init__(self, document: Any) -> None:
        self.counts: defaultdict[str, dict[int, int]] = defaultdict(dict)
        self.levels: dict[str, Mapping[int, tuple[str, str, int]]] = {}
        self.home: dict[str, str] = {}
        try:
            root = document.part.numbering_part.element
        except (KeyError, NotImplementedError):
            return
        kinds = {one.get(_w("abstractNumId")): dict(_levels(one)) for one in root.iter(_w("abstractNum"))}
        for one in root.iter(_w("num")):
            kind = one.find(_w("abstractNumId"))
            if kind is not None:
                number, home = one.get(_w("numId")), kind.get(_w("val"))
                own = {at: level for each in one.iter(_w("lvlOverride")) for at, level in _levels(each)}
                self.levels[number], self.home[number] = {**kinds.get(home, {}), **own}, home

    def number(self, paragraph: Any) -> str:
        """The number that Word shows in front of a paragraph, with a space; `- ` for a bullet."""
        number, level = _list_of(paragraph)
        levels = self.levels.get(number, {})
        if level not in levels:
            return ""
        counts = self.counts[self.home[number]]
        counts[level] = counts.get(level, levels[level][2] - 1) + 1
        for deeper in [one for one in counts if one > level]:
            del counts[deeper]
        how, pattern, _ = levels[level]
        if how == _BULLET:
            return "- "

        def label(m: re.Match[str]) -> str:
            at = int(m[1]) - 1
            sort, _, start = levels.get(at, ("decimal", "", 1))
            return _label(counts.get(at, start), sort)

        shown = re.sub(r"%(\d)", label, pattern).strip()
        return f"{shown} " if shown else ""


def _list_of(paragraph: Any) -> tuple[str, int]:
    """The list of a paragraph, its own or its style's, and its level there."""
    properties = paragraph._p.pPr
    style = paragraph.style
    number, level = "", None
    while properties is not None or style is not None:
        found = properties.numPr if properties is not None else None
        if found is not None:
            if level is None and found.ilvl is not None:
                level = found.ilvl.val
            if found.numId is not None:
                number = str(found.numId.val)
                break
        if style is None:
            break
        properties, style = style.element.pPr, style.base_style
    return number, level or 0


def _levels(element: Any) -> Iterator[tuple[int, tuple[str, str, int]]]:
    """Each level of a list: how it counts, its pattern, and with what it begins."""
    for one in element.findall(_w("lvl")):

        def said(name: str, otherwise: str, one: Any = one) -> str:
            found = one.find(_w(name))
            return otherwise if found is None else found.get(_w("val")) or otherwise

        start = said("start", "1")
        level = one.get(_w("ilvl")) or "0"
        if level.isdecimal():
            begins = int(start) if start.isdecimal() and len(start) < 6 else 1
            yield int(level), (said("numFmt", "decimal"), said("lvlText", ""), begins)


def _label(count: int, sort: str) -> str:
    """A count as a level writes it."""
    if sign := _WAYS.get(sort):
        return _SORTS[sign].label(count) if 0 < count < _MOST_COUNT else ""
    return "" if sort == "none" else f"{count:02}" if sort == "decimalZero" else str(count)


def _w(name: str) -> str:
    return f"{{http://schemas.openxmlformats.org/wordprocessingml/2006/main}}{name}"
