"""Make an edition of a book that is kept as a Hugo site: its pages, pictures and old addresses.

Every word of the source is accounted for in import-report.md and import-report.json beside the edition, with
each broken link and each guess. Nothing is written unless all of it is made, and files that were edited since
the last import are never replaced without --force. Ends with 1 where a word is lost or the site cannot be
read.

example:
  rulewright import hugo ../site content/ocs/4.3
  rulewright import hugo ../site/content/rules/ocs-4.3 content/ocs/4.3 --at rules/ocs-4.3
  rulewright import hugo ../site content/mygame/2 --dialect '1.A.1' --dry-run
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from rulewright.app.importing import import_pages, page_import
from rulewright.app.registry import command


@command
@click.argument("path", help="the site's top folder, or the folder of one of its sections")
@page_import
@click.option(
    "--at",
    metavar="ADDRESS",
    default="",
    help="where the site shows a section that is imported without its site: rules/ocs-4.3",
)
def run(project: Path, at: str, **wishes: Any) -> int:
    from rulewright.importers.website.hugo_site import read_site

    return import_pages(lambda folder: read_site(folder, at), project, **wishes)
