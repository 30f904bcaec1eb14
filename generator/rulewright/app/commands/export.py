"""Export a sequence of play, table, edition or the whole site to another format.

  outline BOOK         sequence of play as Markdown
  json BOOK            edition as JSON, for other programs
  table BOOK TABLE     table by number, id or title as csv or json
  zip FILE.zip         the site, to unpack and open without a server
  schemas DIR          JSON Schemas with which an editor completes and checks keys
  redirects [BOOK]     redirects.yml as a file for Netlify and Cloudflare Pages

Content with errors is not exported.

Exit codes: 0 exported, 1 errors in the content, 2 wrong usage.

example:
  rulewright export outline ocs/4.3 --base https://example.org/rules
  rulewright export table ocs/3.0 14.6c --format json
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
from rulewright.files.errors import UserError


@dataclass(frozen=True)
class Exporter:
    """Handler of an export type."""

    usage: str
    """Names that it takes; optional ones in brackets."""

    export: Callable[..., int]
    formats: Sequence[str] = ()
    """Formats, default first; empty if there is only one."""


EXPORTERS: Mapping[str, Exporter] = {
    "outline": Exporter("BOOK", export_handlers.export_outline),
    "json": Exporter("BOOK", export_handlers.export_book_json),
    "table": Exporter("BOOK TABLE", export_handlers.export_table, ("csv", "json")),
    "zip": Exporter("FILE.zip", export_handlers.export_zip),
    "schemas": Exporter("DIR", export_handlers.export_schemas),
    "redirects": Exporter("[BOOK]", export_handlers.export_redirects),
}


@command
@click.argument(
    "export_type", type=SuggestingChoice(list(EXPORTERS)), metavar="TYPE", help="export type, see above"
)
@click.argument("names", metavar="[NAME]...", nargs=-1, help="names that the type takes, see above")
@click.option("--format", "form", metavar="FORMAT", default="", help="table: format; default: csv")
@click.option("--base", metavar="URL", default="", help="outline, redirects: URL of the site, for links")
@click.option("--output", metavar="FILE", help="output file; default: standard output")
@flag("--no-print", help="zip: omit the PDFs of aids and rulebooks")
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
        available = f"choose {', '.join(exporter.formats)}" if exporter.formats else "leave out --format"
        raise UserError(f"{export_type} has no format {form}; {available}")
    options = ExportOptions(form or next(iter(exporter.formats), ""), base, output, no_print, force)
    return exporter.export(project, options, *names)
