"""Tables of any document, of CSV or of a spreadsheet as files of an edition."""

from __future__ import annotations

import csv
import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple
from xml.etree.ElementTree import Element, fromstring
from zipfile import ZipFile

from rulewright.files.input_file import read_input_file
from rulewright.files.problems import Problem, SourceLocation, problem_type
from rulewright.files.worker_processes import run_sandboxed
from rulewright.files.yaml_writer import write_yaml
from rulewright.imports.blocks import SourceBlock, plain
from rulewright.imports.reading.documents import UNREADABLE, read_document
from rulewright.imports.reading.unreadable import UnreadableDocument, open_archive
from rulewright.imports.tables import TableDraft
from rulewright.imports.write import draft_table
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


class TitledTable(NamedTuple):
    """A table with the words above it."""

    title: str
    draft: TableDraft


def import_table_files(path: Path) -> tuple[dict[str, str], list[Problem]]:
    """Return the tables of a file by the names of their files; a problem if there is none.

    Raises UserError if there is no file.
    """
    shown, ending = path.as_posix(), path.suffix.lower()
    tables: list[TitledTable] = []
    problems: list[Problem] = []
    try:
        if ending in _SEPARATED:
            file, problems = read_input_file(str(path), "table")
            tables = _of_rows("", [] if problems else [*_separated(file.text)])
        elif ending == ".xlsx":
            for title, rows in run_sandboxed(_of_sheets, path):
                tables += _of_rows(title, rows)
        else:
            source = read_document(path)
            problems = list(source.problems)
            tables = [*_of_blocks(source.blocks)]
    except (UnreadableDocument, ChildProcessError) as error:
        return {}, [UNREADABLE.problem(SourceLocation(shown), f"{shown} {error}", shown)]
    made: dict[str, str] = {}
    for table in tables:
        name, text = _written(table.title or path.stem, table.draft)
        while name in made:
            name += "-again"
        made[name] = text
    if not made and not problems:
        problems = [NO_TABLE.problem(SourceLocation(shown), f"{shown} holds no table of two rows", shown)]
    return made, problems


def _of_rows(title: str, rows: Sequence[Sequence[str]]) -> list[TitledTable]:
    """Return the table of rows of words, whose first row has the heads."""
    filled = [row for row in rows if any(row)]
    width = max(map(len, filled), default=0)
    whole = [[*row, *[""] * (width - len(row))] for row in filled]
    return [TitledTable(title, TableDraft(whole[:1], whole[1:]))] if len(whole) > 1 else []


def _written(title: str, draft: TableDraft) -> tuple[str, str]:
    match = _NUMBER.match(title)
    number = match["number"] if match else ""
    words = title[match.end() :].strip() if match else title.replace("-", " ").replace("_", " ").strip()
    words = words or f"Table {number}".strip()
    words = words if not words.islower() else words.title()
    entries, fault = draft.entries(number, words, "", words)
    remarks = [f"guess: {fault}"] if fault else []
    if len(draft.header_rows) > 1:
        remarks.append(f"guess: the first {len(draft.header_rows)} rows are heads")
    return number or title_slug(words) or "table", write_yaml(entries, remarks)


def _separated(text: str) -> Iterator[list[str]]:
    sign = max("\t;,", key=text.partition("\n")[0].count)
    for row in csv.reader(text.splitlines(keepends=True), delimiter=sign, strict=False):
        yield [" ".join(cell.split()) for cell in row[:_MOST_COLUMNS]]


def _of_blocks(blocks: Iterable[SourceBlock]) -> Iterator[TitledTable]:
    """Yield tables, each with its caption, or what is above it in a heading or in bold."""
    above = ""
    for block in blocks:
        if block.kind == "table":
            draft = draft_table(block, plain)
            if draft:
                yield TitledTable(plain(block.caption) or above, draft)
            above = ""
        elif block.kind == "heading" or (block.runs and all(run.strong for run in block.runs)):
            above = plain(block.runs)


def _of_sheets(path: Path) -> list[tuple[str, list[list[str]]]]:
    """Return the titles and rows of the sheets of a spreadsheet. Raises UnreadableDocument."""
    with open_archive(path, "spreadsheet") as archive:
        book = next(target for kind, target, _ in _related(archive, "") if kind == "officeDocument")
        parts = {key: (kind, target) for kind, target, key in _related(archive, book)}
        strings = [target for kind, target in parts.values() if kind == "sharedStrings"]
        shared = [_text(item) for name in strings for item in fromstring(archive.read(name))]
        made: list[tuple[str, list[list[str]]]] = []
        for sheet in fromstring(archive.read(book)).iterfind("{*}sheets/{*}sheet"):
            key = next(value for name, value in sheet.attrib.items() if name.endswith("}id"))
            title = sheet.get("name", "")
            rows = _rows(fromstring(archive.read(parts[key][1])), shared)
            made.append(("" if _UNNAMED.fullmatch(title) else title, rows))
        return made


def _related(archive: ZipFile, part: str) -> Iterator[tuple[str, str, str]]:
    """Yield the parts that a part is related to: the kind of relation, the target and its id."""
    folder, _, name = part.rpartition("/")
    place = posixpath.join(folder, "_rels", f"{name}.rels")
    for one in fromstring(archive.read(place)) if place in archive.namelist() else ():
        target = posixpath.normpath(posixpath.join(folder, one.get("Target", ""))).lstrip("/")
        yield one.get("Type", "").rpartition("/")[2], target, one.get("Id", "")


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
