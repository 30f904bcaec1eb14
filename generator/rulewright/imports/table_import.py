"""Tables of any document, of CSV or of a spreadsheet as files of an edition."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple
from xml.etree.ElementTree import Element, fromstring

from rulewright.files.input_file import read_input_file
from rulewright.files.problems import Problem, SourceLocation, problem_type
from rulewright.files.worker_processes import run_sandboxed
from rulewright.files.yaml_writer import write_yaml
from rulewright.imports.reader import UnreadableDocument, open_archive
from rulewright.imports.reader.docx_reader import related_parts
from rulewright.imports.single_document import UNREADABLE, read_document
from rulewright.imports.website.content_writer import column_headings, detect_dice, table_entries
from rulewright.imports.website.page_block_types import (
    Block,
    PageHeading,
    PageParagraph,
    PageTable,
    iter_blocks,
    pieces_text,
)
from rulewright.imports.website.page_blocks import read_page
from rulewright.sequence.sequence_step import title_slug

NO_TABLE = problem_type(
    "import-no-table",
    """A file that is to become a table holds none: no row below a row of headings. CSV, a spreadsheet
    (.xlsx), and tables in Markdown, HTML and documents are read.""",
)

_SEPARATED = (".csv", ".tsv")
_NUMBER = re.compile(r"(?P<number>[A-Z]{0,2}\d+(?:[.-]\w{1,4})+)\.?(?:[\s_-]+|$)")
_UNNAMED = re.compile(r"(?:sheet|table|tabelle|feuille?|hoja)\s*\d*", re.IGNORECASE)
_MOST_COLUMNS = 500


class TableRows(NamedTuple):
    """The words of a table: its first row has the headings."""

    title: str
    rows: Sequence[Sequence[str]]


def import_table_files(path: Path) -> tuple[dict[str, str], list[Problem]]:
    """The tables of a file by the names of the files that they become; a problem where there is none.

    Raises Refusal where there is no file.
    """
    shown, ending = path.as_posix(), path.suffix.lower()
    try:
        if ending in _SEPARATED:
            file, problems = read_input_file(str(path), "table")
            tables = [] if problems else [TableRows("", [*_separated(file.text)])]
        elif ending == ".xlsx":
            tables, problems = run_sandboxed(_of_sheets, path), list[Problem]()
        else:
            site = read_document(path)
            tables, problems = [], list(site.problems)
            for page in site.pages:
                tables += _of_blocks(read_page(page).blocks)
    except (UnreadableDocument, ChildProcessError) as why:
        return {}, [UNREADABLE.problem(SourceLocation(shown), f"{shown} {why}", shown)]
    made: dict[str, str] = {}
    for table in tables:
        rows = [row for row in table.rows if any(row)]
        if len(rows) > 1:
            name, text = _written(table.title or path.stem, rows)
            while name in made:
                name += "-again"
            made[name] = text
    if not made and not problems:
        problems = [NO_TABLE.problem(SourceLocation(shown), f"{shown} holds no table of two rows", shown)]
    return made, problems


def _written(title: str, rows: Sequence[Sequence[str]]) -> tuple[str, str]:
    width = max(map(len, rows))
    filled = [[*row, *[""] * (width - len(row))] for row in rows]
    headings, body = column_headings(filled[:1], width), filled[1:]
    m = _NUMBER.match(title)
    words = title[m.end() :].strip() if m else title.replace("-", " ").replace("_", " ").strip()
    words = words or f"Table {m['number'] if m else ''}".strip()
    words = words if not words.islower() else words.title()
    number = m["number"] if m else ""
    entries = table_entries(number, words, "", detect_dice(headings, body, words), headings, body)
    return number or title_slug(words) or "table", write_yaml(entries, [])


def _separated(text: str) -> Iterator[list[str]]:
    sign = max("\t;,", key=text.partition("\n")[0].count)
    for row in csv.reader(text.splitlines(keepends=True), delimiter=sign, strict=False):
        yield [" ".join(cell.split()) for cell in row[:_MOST_COLUMNS]]


def _of_blocks(blocks: Iterable[Block]) -> Iterator[TableRows]:
    """The tables of a page, each with its caption, or what stands above it in a heading or in bold."""
    above = ""
    for block in iter_blocks(blocks):
        if isinstance(block, PageHeading | PageParagraph):
            stands_out = isinstance(block, PageHeading) or all(piece.bold for piece in block.pieces)
            above = pieces_text(block.pieces) if stands_out else above
        elif isinstance(block, PageTable):
            yield TableRows(
                pieces_text(block.caption) or above,
                block.expand_spans(lambda cell: pieces_text(cell.pieces), ""),
            )
            above = ""


def _of_sheets(path: Path) -> list[TableRows]:
    """The sheets of a spreadsheet. Raises Damaged."""
    with open_archive(path, "spreadsheet") as archive:
        book = next(target for sort, target, _ in related_parts(archive, "") if sort == "officeDocument")
        parts = {key: (sort, target) for sort, target, key in related_parts(archive, book)}
        strings = [target for sort, target in parts.values() if sort == "sharedStrings"]
        shared = [_text(one) for name in strings for one in fromstring(archive.read(name))]
        made: list[TableRows] = []
        for sheet in fromstring(archive.read(book)).iterfind("{*}sheets/{*}sheet"):
            key = next(value for name, value in sheet.attrib.items() if name.endswith("}id"))
            title = sheet.get("name", "")
            rows = _rows(fromstring(archive.read(parts[key][1])), shared)
            made.append(TableRows("" if _UNNAMED.fullmatch(title) else title, rows))
        return made


def _rows(sheet: Element, shared: Sequence[str]) -> list[list[str]]:
    """The cells of a sheet as they stand: a cell says its column by letters."""
    made: list[list[str]] = []
    for row in sheet.iterfind("{*}sheetData/{*}row"):
        cells: list[str] = []
        for cell in row.iterfind("{*}c"):
            at = 0
            for letter in re.sub(r"[^A-Z]", "", cell.get("r", ""))[:3]:
                at = at * 26 + ord(letter) - 64
            cells += [""] * (min(at, _MOST_COLUMNS) - 1 - len(cells))
            value = cell.findtext("{*}v") or ""
            if cell.get("t") == "s":
                value = shared[int(value)]
            elif cell.get("t") == "inlineStr":
                value = _text(cell)
            cells.append(" ".join(value.split()))
        made.append(cells)
    return made


def _text(element: Element) -> str:
    return "".join(one.text or "" for one in element.iter() if one.tag.endswith("}t"))
