"""Make content of a Hugo site, of Markdown, of a sequence of play, of tables.

  hugo SITE TARGET             a Hugo site or a section of one: pages, pictures, old addresses
  markdown PATH TARGET         a folder of Markdown, in the order of mkdocs.yml, SUMMARY.md or names; or one
                               document: DOCX, HTML, PDF, Markdown, plain text
  outline FILE [TARGET]        a sequence of play as steps: a text, a document, or lists in YAML or JSON
  table FILE [TARGET]          tables in CSV, Markdown, HTML, a document or a spreadsheet (.xlsx)
  dialect FILE...              print what rulebook.yml is to say of numbers, read from any texts

TARGET is the edition's folder, content/BOOK/EDITION; without it a sequence or a table is printed. Every word
of a site is accounted for in import-report.md and import-report.json beside the edition, with each broken
link and each guess. Nothing is written unless all of it is made, and files that were edited since the last
import are never replaced without --force. Ends with 1 where a word is lost, the check refuses what was made,
or nothing is found.

example:
  rulewright import hugo ../site content/ocs/4.3
  rulewright import hugo ../site/content/rules/ocs-4.3 content/ocs/4.3 --at rules/ocs-4.3
  rulewright import markdown ../site content/mygame/2 --dialect 1.A.1 --dry-run
  rulewright import outline sequence.txt content/ocs/4.3
  rulewright import table losses.csv content/ocs/4.3
  rulewright import dialect rules/*.md
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import click

from rulewright.app import import_handlers
from rulewright.app.command_registry import SuggestingChoice, command, find_project, flag
from rulewright.app.import_handlers import ImportOptions

IMPORTERS: Mapping[str, tuple[Callable[..., int], str, int, int]] = {
    "hugo": (import_handlers.import_hugo, "SITE TARGET", 2, 2),
    "markdown": (import_handlers.import_markdown, "PATH TARGET", 2, 2),
    "outline": (import_handlers.import_outline, "FILE [TARGET]", 1, 2),
    "table": (import_handlers.import_tables, "FILE [TARGET]", 1, 2),
    "dialect": (import_handlers.print_numbering_proposal, "FILE...", 1, 1_000_000),
}
"""What can be read: how, what it takes, and how few and how many words that may be."""


@command
@click.argument(
    "source_type", type=SuggestingChoice(list(IMPORTERS)), metavar="WHAT", help="one of the above"
)
@click.argument("paths", metavar="PATH...", nargs=-1, help="what it takes, as above")
@click.option(
    "--dialect",
    metavar="EXAMPLE",
    multiple=True,
    help="how the book numbers its rules, by example: 1.1a(A); may be given again. Else it is guessed",
)
@click.option(
    "--at",
    "section_address",
    metavar="ADDRESS",
    default="",
    help="where the site shows a section imported without it",
)
@flag("--known", help="of a dialect: print known.yml instead, each number with its title")
@flag("--number", help="number items of ordered lists, and headings without numbers, by their place")
@flag("--dry-run", help="write nothing; print the report")
@flag("--force", help="replace files that were edited, or that no import wrote")
@click.pass_context
def run(
    ctx: click.Context,
    source_type: str,
    paths: Sequence[str],
    dialect: Sequence[str],
    section_address: str,
    known: bool,
    number: bool,
    dry_run: bool,
    force: bool,
) -> int:
    import_source, usage, min_paths, max_paths = IMPORTERS[source_type]
    if not min_paths <= len(paths) <= max_paths:
        raise click.UsageError(f"`rulewright import {source_type}` takes {usage}")
    if source_type == "dialect":  # which is about texts, and wants no project
        return import_handlers.print_numbering_proposal(paths, known=known)
    return import_source(
        find_project(ctx.obj), ImportOptions(dialect, section_address, number, dry_run, force), *paths
    )
