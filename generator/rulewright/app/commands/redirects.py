"""Tell web servers, or write pages, where a book's old addresses lead.

They stand in redirects.yml. The pages that `build` makes there do all of it by themselves; this is for
servers that are to be told as well, and for old addresses that are on another site. Only pages (html) find
anchors, which no server sees.

example:
  rulewright redirects --format netlify --output site/_redirects
  rulewright redirects ocs/4.3 --format html --base https://example.org/rules --output ../old-site
"""

from __future__ import annotations

from pathlib import Path

import click

from rulewright.app.registry import address, command, formats, may_replace, remark, show
from rulewright.source.refusal import Refusal

PAGES = "html"
FILE = "redirects.yml"


@command
@address(help="ocs/4.3, or ocs for all its editions; else all", required=False)
@formats(("netlify", "nginx", PAGES), ": a _redirects file, locations, or pages")
@click.option(
    "--base",
    metavar="URL",
    default="",
    help="the new site's address, for a site that is not at its host's top or on another host",
)
@click.option(
    "--output",
    metavar="FILE",
    help="write to this file instead of printing; for html to this folder, which has to be named",
)
@may_replace
def run(project: Path, book: str | None, form: str, base: str, output: str | None, force: bool) -> int:
    from rulewright.checks.examine import examine
    from rulewright.model.reports import several
    from rulewright.site.redirect_pages import FORMATS, files, put_pages

    examined = examine(project)
    outlines = examined.shelf.outlines
    asked = [a for a in outlines if not book or a == book or a.startswith(f"{book}/")]
    if book and not asked:
        raise examined.no_book(book)
    examined.demand(
        (p for p in examined.problems if p.place.file.endswith(f"/{FILE}")),
        "no redirects until this is mended",
    )
    listing = [address for address in asked if outlines[address].edition.redirects]
    if not listing:
        raise Refusal(f"no old addresses: {book or 'no edition'} has {'no ' if book else 'a '}{FILE}")
    moved = [old for old in examined.moved if old.edition in listing]
    if form != PAGES:
        show(FORMATS[form](moved, base), output, force)
        return 0
    if output is None:
        raise Refusal("html makes a page for each old address; name a folder for them with --output")
    put_pages(Path(output), files(moved, examined.shelf, base), force)
    remark(f"{several(len(moved), 'page')} written to {output}")
    return 0
