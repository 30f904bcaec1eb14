"""Tables of CSV or of any document as files of an edition."""

from __future__ import annotations

import csv
import re
from itertools import zip_longest
from pathlib import Path

from rulewright.files.filenames import unique_name
from rulewright.files.input_file import read_input_file
from rulewright.files.problems import Problem, SourceLocation, problem_type
from rulewright.files.yaml_writer import QuotedString, write_yaml
from rulewright.imports import Entries
from rulewright.imports.blocks import plain
from rulewright.imports.reading.documents import read_document
from rulewright.imports.tables import TableDraft, draft_rows, draft_table, with_titles_above
from rulewright.sequence.sequence_step import title_slug

NO_TABLE = problem_type(
    "import-no-table",
    """A file that is to become a table holds none: no row below a row of headings. CSV, and tables in
    Markdown, HTML and documents are read.""",
)

_TITLE = re.compile(r"(?s)(?:([A-Z]{0,2}\d+(?:[.-]\w{1,4})+)\.?(?:[\s_-]+|$))?(.*)")
"""The number of a table, and its title."""

_MAX_COLUMNS = 500


def import_table_files(path: Path) -> tuple[dict[str, str], list[Problem]]:
    """Return the tables of a file by the names of their files; a problem if there is none.

    Raises UserError if there is no file.
    """
    if path.suffix.lower() in (".csv", ".tsv"):
        file, problems = read_input_file(str(path), "table")
        tables = [] if problems else _separated(file.text)
    else:
        source = read_document(path)
        problems, tables = list(source.site.problems), []
        for block, above in with_titles_above(source.blocks):
            if draft := draft_table(block, plain) if block.kind == "table" else None:
                tables.append((plain(block.caption) or above, draft))
    name = path.as_posix()
    if not tables and not problems:
        problems = [NO_TABLE.problem(SourceLocation(name), f"{name} holds no table of two rows", name)]
    texts: dict[str, str] = {}
    for title, draft in tables:
        number, words = _TITLE.findall(title or path.stem)[0]
        words = (words if title else re.sub("[-_]", " ", words)).strip() or f"Table {number}"
        file_name = unique_name(number or title_slug(words) or "table", texts)
        address: Entries = {"number": QuotedString(number)} if number else {"id": file_name}
        entries, fault = draft.entries(address, words, "", words)
        texts[file_name] = write_yaml(entries, [f"guess: {fault}"] if fault else [])
    return texts, problems


def _separated(text: str) -> list[tuple[str, TableDraft]]:
    """Return the table of a text with commas, semicolons or tabs, whose first row has the heads."""
    sign = max("\t;,", key=text.partition("\n")[0].count)
    rows: list[list[str]] = []
    for row in csv.reader(text.splitlines(keepends=True), delimiter=sign):
        cells = [" ".join(cell.split()) for cell in row[:_MAX_COLUMNS]]
        rows += [cells] if any(cells) else []
    columns = zip_longest(*rows, fillvalue="")
    draft = draft_rows([[*row] for row in zip(*columns, strict=True)])
    return [("", draft)] if draft else []
