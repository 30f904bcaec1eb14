"""`rulewright import markdown`: a book kept as any folder of Markdown becomes an edition."""

from __future__ import annotations

import argparse

from rulewright.app.commands import import_hugo
from rulewright.source.folder import RECEIPT


def options(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Make an edition of a book that is kept as Markdown, by MkDocs, Docusaurus or none of them. Pages "
        "are taken in the order of mkdocs.yml, SUMMARY.md or sidebar_position, else of their names, and need "
        f"no front matter. Every word is accounted for in {RECEIPT}.md and {RECEIPT}.json beside the "
        "edition, with each broken link and each guess."
    )
    parser.epilog = (
        "examples:\n  rulewright import markdown ../rules content/mygame/1\n"
        "  rulewright import markdown ../site content/mygame/2 --dialect 1.A.1 --dry-run"
    )
    parser.add_argument("path", metavar="FOLDER", help="the folder that the pages or their mkdocs.yml lie in")
    import_hugo.common(parser)


def run(arguments: argparse.Namespace) -> int:
    """Import the book. 1 where a word is lost or no rules are found. Raises Usage, Refused and OSError."""
    from rulewright.importers.website.site.markdown_site import read_markdown

    return import_hugo.make(arguments, read_markdown)
