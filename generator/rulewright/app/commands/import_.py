"""Import rules, a sequence of play or tables from a site, Markdown or documents.

  hugo SITE TARGET             Hugo site or a section of it: pages, images, old URLs; in a new or empty folder
                               (--project DIR) it creates the project
  markdown PATH TARGET         folder of Markdown, in the order of mkdocs.yml, SUMMARY.md or file names; or a
                               document: DOCX, HTML, PDF, Markdown, plain text
  outline FILE [TARGET]        sequence of play: a text, a document, or lists in YAML or JSON
  table FILE [TARGET]          tables in CSV, Markdown, HTML or a document

TARGET is the folder of the edition, content/BOOK/EDITION; without it a sequence or table is printed. An
import of rules also writes import-report.md and import-report.json with a word audit, broken links and
guesses. Files are written only if the whole import succeeds. Files edited since the last import are replaced
only with --force.

Exit codes: 0 imported, 1 words lost, errors in the result or nothing found, 2 wrong usage.

example:
  rulewright import hugo ../site content/ocs/4.3
  rulewright import hugo ../site/content/rules/ocs-4.3 content/ocs/4.3 --at rules/ocs-4.3
  rulewright import markdown ../site content/mygame/2 --dialect 1.A.1 --dry-run
  rulewright import outline sequence.txt content/ocs/4.3
  rulewright import table losses.csv content/ocs/4.3
"""

from __future__ import annotations

from collections.abc import Sequence

import click

from rulewright.app.command_registry import command, find_project, flag, new_project_folder
from rulewright.app.import_handlers import ImportOptions, import_book, import_part


@command
@click.argument(
    "source_type",
    type=click.Choice(["hugo", "markdown", "outline", "table"]),
    metavar="TYPE",
    help="source type, see above",
)
@click.argument("path", metavar="PATH", help="file or folder to import")
@click.argument("target", metavar="[TARGET]", default="", help="folder of the edition")
@click.option(
    "--dialect",
    metavar="EXAMPLE",
    multiple=True,
    help="numbering scheme by example: 1.1a(A); repeatable; default: detected",
)
@click.option(
    "--at",
    "section_address",
    metavar="ADDRESS",
    default="",
    help="hugo: URL path of an imported section in the whole site",
)
@flag("--number", help="number list items and headings without numbers by position")
@flag("--dry-run", help="write nothing; print the import report")
@flag("--force", help="also replace files that were edited or not written by an import")
@click.pass_context
def run(
    ctx: click.Context,
    source_type: str,
    path: str,
    target: str,
    dialect: Sequence[str],
    section_address: str,
    number: bool,
    dry_run: bool,
    force: bool,
) -> int:
    options = ImportOptions(source_type, path, target, dialect, section_address, number, dry_run, force)
    if source_type in ("outline", "table"):
        return import_part(find_project(ctx.obj), options)
    if not target:
        raise click.UsageError("no folder of the edition; name one like content/ocs/4.3")
    new_project = new_project_folder(ctx.obj) if source_type == "hugo" and not dry_run else None
    return import_book(new_project or find_project(ctx.obj), options, is_new=new_project is not None)
