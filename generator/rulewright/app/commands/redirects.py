"""`rulewright redirects`: where old addresses lead, for web servers or as pages for another site."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path

from rulewright.app.commands import Refused, Usage, book, no_book, one_of, show, vacant, within, writes
from rulewright.model.reports import several
from rulewright.site.exports.redirects import FORMATS
from rulewright.source.disk import write

PAGES = "html"
FILE = "redirects.yml"


def options(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Say where the old addresses in redirects.yml lead. The pages that `build` makes there do all "
        "of it by themselves; this is for servers that are to be told as well, and for old addresses "
        "that are on another site. Only pages (html) find anchors, which no server sees."
    )
    parser.epilog = (
        "example:\n"
        "  rulewright redirects --format netlify --output site/_redirects\n"
        "  rulewright redirects ocs/4.3 --format html --base https://example.org/rules --output ../old-site"
    )
    parser.add_argument(
        "book", metavar="BOOK", nargs="?", type=book, help="ocs/4.3, or ocs for all its editions; else all"
    )
    parser.add_argument(
        "--format",
        type=one_of([*FORMATS, PAGES]),
        default="netlify",
        help="netlify (the default) for a _redirects file, nginx for locations, html for pages",
    )
    parser.add_argument(
        "--base",
        metavar="URL",
        default="",
        help="the new site's address, for a site that is not at its host's top or on another host",
    )
    where = "write to this file instead of printing; for html to this folder, which has to be named"
    writes(parser, where)


def run(arguments: argparse.Namespace) -> int:
    """Print or write them. Raises Refused where a redirects.yml has an error, Usage where there is none."""
    from rulewright.checks.examine import examine
    from rulewright.source.problems import Severity

    examined = examine(arguments.project)
    shelf, asked = examined.shelf, arguments.book
    listing = [a for a, outline in shelf.outlines.items() if outline.edition.redirects]
    if asked and not any(a == asked or a.startswith(f"{asked}/") for a in shelf.outlines):
        raise no_book(examined, asked)
    listing = [a for a in listing if not asked or a == asked or a.startswith(f"{asked}/")]
    errors = [p for p in examined.problems if p.severity is Severity.ERROR]
    wrong = [p for p in errors if p.place.file.endswith(f"/{FILE}")]
    if wrong:
        raise Refused(wrong, "no redirects until this is mended")
    if not listing:
        raise Usage(f"no old addresses: {asked or 'no edition'} has {'no ' if asked else 'a '}{FILE}")
    moved = [old for old in examined.moved if old.edition in listing]
    if arguments.format != PAGES:
        show(FORMATS[arguments.format](moved, arguments.base), arguments)
        return 0
    from rulewright.site.redirect_pages import files

    if arguments.output is None:
        raise Usage("html makes a page for each old address; name a folder for them with --output")
    _put(Path(arguments.output), files(moved, shelf, arguments.base), arguments)
    print(f"{several(len(moved), 'page')} written to {arguments.output}", file=sys.stderr)
    return 0


def _put(folder: Path, files: Mapping[str, str | bytes], arguments: argparse.Namespace) -> None:
    """Write pages into a folder. Raises Usage where another page has one of their addresses."""
    for name in files:
        path = within(folder, name)
        if path.is_file() and b'id="rw-moved"' not in path.read_bytes():  # our mark
            vacant(path, arguments)
        path.parent.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        write(folder / name, content)
