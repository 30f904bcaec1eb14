"""Make an edition of a book that is kept as any folder of Markdown: by MkDocs or as files alone.

Pages are taken in the order of mkdocs.yml, SUMMARY.md or sidebar_position, else of their names, and need no
front matter. Every word is accounted for in import-report.md and import-report.json beside the edition, with
each broken link and each guess. Ends with 1 where a word is lost or no rules are found.

example:
  rulewright import markdown ../rules content/mygame/1
  rulewright import markdown ../site content/mygame/2 --dialect 1.A.1 --dry-run
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from rulewright.app.importing import import_pages, page_import
from rulewright.app.registry import command


@command
@click.argument("path", metavar="FOLDER", help="the folder that the pages or their mkdocs.yml lie in")
@page_import
def run(project: Path, **wishes: Any) -> int:
    from rulewright.importers.website.markdown_folder import read_markdown

    return import_pages(read_markdown, project, **wishes)
