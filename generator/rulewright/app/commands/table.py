"""`rulewright table`: one table of a book, to paste, to print or for another program."""

from __future__ import annotations

import argparse

from rulewright.app.commands import Refused, Usage, book, one_of, outline_of, show, writes

FORMATS = ("text", "markdown", "csv", "json")


def options(parser: argparse.ArgumentParser) -> None:
    parser.description = "Print a table of a book. One with an error in it is not printed."
    parser.epilog = "example:\n  rulewright table ocs/3.0 14.6c --format csv"
    parser.add_argument("book", metavar="BOOK", type=book, help="ocs/3.0, or ocs for its newest edition")
    parser.add_argument("table", metavar="TABLE", help="the table's number, id or title: 14.6c")
    how = "text (the default), markdown, csv or json; only json has all there is to the table"
    parser.add_argument("--format", type=one_of(FORMATS), default="text", help=how)
    writes(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the table. Raises Refused where its file has an error, Usage where there is no such table."""
    from rulewright.book.tables import table_named
    from rulewright.checks.examine import examine
    from rulewright.site.exports.tables import FORMATS as WAYS
    from rulewright.source.problems import Severity, did_you_mean

    examined = examine(arguments.project)
    outline = outline_of(examined, arguments.book)
    address = outline.edition.address
    tables = examined.shelf.tables[address]
    table = table_named(tables, arguments.table)
    wrong = [p for p in examined.problems if p.severity is Severity.ERROR]
    if table is None:
        if unread := [p for p in wrong if p.place.file.startswith(f"content/{address}/tables/")]:
            raise Refused(unread, f"no table {arguments.table} of {address} until this is mended")
        names = [name for one in tables for name in (one.anchor, str(one.table.title))]
        hint = did_you_mean(arguments.table, names) if tables else "; it has no tables"
        raise Usage(f"{address} has no table {arguments.table}{hint}")
    own = table.table.title.file.name
    if wrong := [p for p in wrong if p.place.file == own]:
        raise Refused(wrong, f"no table {arguments.table} of {address} until this is mended")
    show(WAYS[arguments.format](table), arguments)
    return 0
