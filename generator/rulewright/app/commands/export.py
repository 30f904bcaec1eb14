"""Write the books in other forms than the site: outline, table, pages, zip and more.

  outline BOOK         the sequence of play: text, markdown, html or json
  json BOOK            the whole edition for programs; `new --from` makes the book again from it
  table BOOK TABLE     a table by number, id or title: text, markdown, csv or json
  pages DIR            every page as plain HTML, and pages.json, for another site engine
  zip FILE.zip         the whole site, to unpack and open from a disk
  redirects [BOOK]     the old addresses of redirects.yml as Netlify and Cloudflare Pages read them

What has an error in it is not written.

example:
  rulewright export outline ocs/4.3 --format markdown --base https://example.org/rules
  rulewright export table ocs/3.0 14.6c --format csv
  rulewright export zip rules.zip
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from rulewright.app import export_handlers
from rulewright.app.command_registry import SuggestingChoice, command, flag, may_replace
from rulewright.app.export_handlers import ExportOptions
from rulewright.source.errors import UserError


@dataclass(frozen=True)
class Exporter:
    """A form that can be exported: what it takes, how it is made, its formats with the usual one first."""

    usage: str
    export: Callable[..., int]
    formats: Sequence[str] = ()


EXPORTERS: Mapping[str, Exporter] = {
    "outline": Exporter("BOOK", export_handlers.export_outline, ("text", "markdown", "html", "json")),
    "json": Exporter("BOOK", export_handlers.export_book_json),
    "table": Exporter("BOOK TABLE", export_handlers.export_table, ("text", "markdown", "csv", "json")),
    "pages": Exporter("DIR", export_handlers.export_pages),
    "zip": Exporter("FILE.zip", export_handlers.export_zip),
    "redirects": Exporter("[BOOK]", export_handlers.export_redirects),
}


@command
@click.argument(
    "export_type", type=SuggestingChoice(list(EXPORTERS)), metavar="WHAT", help="one of the above"
)
@click.argument("names", metavar="[NAME]...", nargs=-1, help="what it takes, as above")
@click.option("--format", "form", metavar="FORMAT", default="", help="of an outline or a table; else text")
@click.option(
    "--base", metavar="URL", default="", help="the site's address, for links of an outline and of redirects"
)
@click.option("--output", metavar="FILE", help="write to this file what would be printed")
@flag("--no-print", help="leave the PDFs of aids and rulebooks out of a zip")
@may_replace
def run(
    project: Path,
    export_type: str,
    names: Sequence[str],
    form: str,
    base: str,
    output: str | None,
    no_print: bool,
    force: bool,
) -> int:
    exporter = EXPORTERS[export_type]
    max_names, min_names = (
        len(exporter.usage.split()),
        sum(not word.startswith("[") for word in exporter.usage.split()),
    )
    if not min_names <= len(names) <= max_names:
        raise click.UsageError(f"`rulewright export {export_type}` takes {exporter.usage}")
    if form and form not in exporter.formats:
        available = f"it takes {', '.join(exporter.formats)}" if exporter.formats else "it has one format"
        raise UserError(f"there is no {export_type} as {form}; {available}")
    options = ExportOptions(form or next(iter(exporter.formats), ""), base, output, no_print, force)
    return exporter.export(project, options, *names)
