"""Print a table of a book as text, Markdown, CSV or JSON.

One with an error in it is not printed. Only JSON has all there is to the table.

example:
  rulewright table ocs/3.0 14.6c --format csv
"""

from __future__ import annotations

from pathlib import Path

import click

from rulewright.app.registry import address, command, formats, writes
from rulewright.source.folder import CONTENT
from rulewright.source.refusal import Refusal


@command
@address(help="ocs/3.0, or ocs for its newest edition")
@click.argument("table", help="the table's number, id or title: 14.6c")
@formats(("text", "markdown", "csv", "json"))
@writes
def run(project: Path, book: str, table: str, form: str) -> str:
    from rulewright.book.tables import table_named
    from rulewright.checks.examine import examine
    from rulewright.site.exports.tables import FORMATS
    from rulewright.source.problems import did_you_mean

    examined = examine(project)
    address = examined.outline(book).edition.address
    tables = examined.shelf.tables[address]
    found = table_named(tables, table)
    file = found.table.title.file.name if found else f"{CONTENT}/{address}/tables/"
    examined.demand(examined.problems_in(file), f"no table {table} of {address} until this is mended")
    if found is None:
        names = [name for one in tables for name in (one.anchor, str(one.table.title))]
        hint = did_you_mean(table, names) if tables else "; it has no tables"
        raise Refusal(f"{address} has no table {table}{hint}")
    return FORMATS[form](found)
